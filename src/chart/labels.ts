/** A label where it is drawn: centred on `at`, in pixels. */
export interface PlacedLabel {
  readonly at: number;
  readonly label: string;
  /** Second line. */
  readonly context?: string;
}

/** Pixels between two labels, at least. */
const SPACE = 8;

/**
 * Places the labels of an axis so that none loses a character: one that would stick out at an end is moved inwards, one
 * that would touch its neighbour is left out, and its second line goes to the next.
 * @param labels with their places in pixels, ascending
 * @param widthOf of a text, in pixels
 * @param left,right where the picture ends
 */
export function placeLabels(
  labels: readonly PlacedLabel[],
  widthOf: (text: string) => number,
  { left, right }: { readonly left: number; readonly right: number },
): PlacedLabel[] {
  const placed: PlacedLabel[] = [];
  let end = -Infinity;
  let waiting: string | undefined;
  for (const { at, label, context = waiting } of labels) {
    const half = Math.max(widthOf(label), context === undefined ? 0 : widthOf(context)) / 2;
    const moved = Math.min(Math.max(at, left + half), right - half);
    if (moved - half < Math.max(left, end + SPACE)) {
      waiting = context;
      continue;
    }
    placed.push({ at: moved, label, ...(context !== undefined && { context }) });
    end = moved + half;
    waiting = undefined;
  }
  return placed;
}
