/** Between what a value may lie at a step; infinite where there is no bound. */
export interface Edges {
  readonly floor: number;
  readonly capacity: number;
}

/** A middle beyond a bound, or so near, is bent before it: in half widths of the 80 % band. */
const room = 0.25;

/** What says how values of a step are brought within its bounds. */
export interface Squash {
  readonly edges: Edges;
  /** The median, free of bounds. */
  readonly middle: number;
  /** Half of what lies between the 10 % and the 90 % quantile, free of bounds. */
  readonly spread: number;
  /** The higher, the nearer to a bound values are left as they are; infinite cuts them off there. */
  readonly sharpness: number;
}

/**
 * A value brought within its bounds. A median inside them stays where it is; distances from it are bent the more, the more
 * of the way to the bound they are. Rising, and a bound is never reached, so that different values stay different.
 */
export function squashed(value: number, { edges, middle, spread, sharpness }: Squash): number {
  const { floor, capacity } = edges;
  if (!(capacity > floor)) return floor;
  const cut = (one: number): number => Math.max(floor, Math.min(capacity, one));
  if (!(spread > 0) || sharpness === Infinity) return cut(value);
  const centre = centreWithin(middle, edges, Math.min(room * spread, (capacity - floor) / 2));
  const way = value > middle ? capacity - centre : centre - floor;
  const distance = Math.abs(value - middle);
  // the far parts of a distribution may be too far apart for its powers
  const bending =
    distance === 0 || way === Infinity ? distance : distance / (1 + (distance / way) ** sharpness) ** (1 / sharpness);
  return cut(value > middle ? centre + bending : centre - bending);
}

/** On a hyperbola that comes near the bound, from so much room before it on. */
function centreWithin(middle: number, { floor, capacity }: Edges, space: number): number {
  if (middle > capacity - space) return capacity - space / (1 + (middle - (capacity - space)) / space);
  if (middle < floor + space) return floor + space / (1 + (floor + space - middle) / space);
  return middle;
}

/** The nearest whole number within bounds; of bounds without one the bound itself. */
export function wholeWithin(value: number, { floor, capacity }: Edges): number {
  const least = Math.ceil(floor);
  const most = Math.floor(capacity);
  return least > most ? value : Math.max(least, Math.min(most, Math.round(value)));
}

/** Bounds are taken to lie further out by this share, so that values on them have a place on the bent scale. */
const margin = 0.01;

/** Shares of the room between two bounds on the scale of odds (logit), on which nothing reaches a bound. */
export function bent(value: number, { floor, capacity }: Edges): number {
  const width = capacity - floor;
  const inside = Math.max(floor, Math.min(capacity, value));
  const share = (inside - floor + margin * width) / (width * (1 + 2 * margin));
  return Math.log(share / (1 - share));
}

/** What {@link bent} was made of; it may lie beyond a bound by the margin. */
export function unbent(odds: number, { floor, capacity }: Edges): number {
  const width = capacity - floor;
  return floor - margin * width + (width * (1 + 2 * margin)) / (1 + Math.exp(-odds));
}
