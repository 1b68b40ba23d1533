/** A contour of a shape: x and y of its points in turn, in pixels. It is closed where it is filled. */
export type Contour = readonly number[];

/** What a picture shows of what is drawn, in whole pixels. */
export interface Clip {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** An edge between two points, upper end first. */
interface Edge {
  readonly top: number;
  readonly bottom: number;
  readonly slope: number;
  /** Of the edge where y is 0. */
  readonly origin: number;
  readonly winding: 1 | -1;
  /** Where the current line crosses it. */
  x: number;
}

/**
 * The lines that a row of pixels is sampled at; along a line the covered part of a pixel is exact. Where more edges than
 * this cross a row there is nothing to see of single ones.
 */
const LINES = { fine: 16, coarse: 4, most: 500 };

/** An opaque picture of 8 bits a channel, in which shapes are filled with smooth edges. */
export class Raster {
  readonly width: number;
  readonly height: number;
  /** Red, green, blue and alpha of each pixel, row by row. */
  readonly pixels: Uint8ClampedArray;
  /** How the coverage of a row changes from each pixel to the next. */
  readonly #change: Float32Array;
  /** The pixels of the row that are covered in part at least. */
  #first = Infinity;
  #last = -Infinity;

  constructor(width: number, height: number) {
    this.width = width;
    this.height = height;
    this.pixels = new Uint8ClampedArray(4 * width * height).fill(255);
    this.#change = new Float32Array(width + 2);
  }

  /** Fills what contours enclose, by the nonzero rule. @param color as `#rrggbb` */
  fill(contours: readonly Contour[], color: string, alpha: number, clip: Clip): void {
    const channels = channelsOf(color);
    const waiting = contours.flatMap(edgesOf).sort((a, b) => b.top - a.top);
    let active: Edge[] = [];
    const from = Math.max(clip.top, Math.floor(waiting.at(-1)?.top ?? Infinity));
    for (let row = from; row < clip.bottom && (active.length > 0 || waiting.length > 0); row++) {
      const lines = active.length > LINES.most ? LINES.coarse : LINES.fine;
      for (let line = 0; line < lines; line++) {
        const y = row + (line + 0.5) / lines;
        while (waiting.length > 0 && waiting.at(-1)!.top <= y) active.push(waiting.pop()!);
        active = crossed(active, y);
        this.#cover(active, 1 / lines, clip);
      }
      this.#blend(row, channels, alpha, clip.right);
    }
  }

  /** Fills an upright rectangle: the same as by its contour, many times as fast. */
  fillBox(box: Clip, color: string, alpha: number, clip: Clip): void {
    const channels = channelsOf(color);
    const end = Math.min(clip.bottom, Math.ceil(box.bottom));
    for (let row = Math.max(clip.top, Math.floor(box.top)); row < end; row++) {
      const share = Math.min(box.bottom, row + 1) - Math.max(box.top, row);
      this.#step(box.left, share, clip);
      this.#step(box.right, -share, clip);
      this.#blend(row, channels, alpha, clip.right);
    }
  }

  /** Adds what lies inside along one line. @param edges that it crosses, from left to right; @param share of the line in its row */
  #cover(edges: readonly Edge[], share: number, clip: Clip): void {
    let winding = 0;
    for (const { x, winding: turn } of edges) {
      const before = winding;
      winding += turn;
      if (before === 0 || winding === 0) this.#step(x, before === 0 ? share : -share, clip);
    }
  }

  /** Lets the coverage of the row change at a place. */
  #step(x: number, by: number, { left, right }: Clip): void {
    const at = Math.max(left, Math.min(right, x));
    const pixel = Math.floor(at);
    this.#change[pixel]! += by * (pixel + 1 - at);
    this.#change[pixel + 1]! += by * (at - pixel);
    this.#first = Math.min(this.#first, pixel);
    this.#last = Math.max(this.#last, pixel + 1);
  }

  /** Colors a row by its coverage, and clears that. */
  #blend(row: number, channels: readonly number[], alpha: number, end: number): void {
    let coverage = 0;
    for (let x = this.#first; x <= this.#last && x < end; x++) {
      coverage += this.#change[x]!;
      if (coverage < 1e-4) continue;
      const strength = alpha * coverage;
      const at = 4 * (row * this.width + x);
      for (let channel = 0; channel < 3; channel++) {
        const below = this.pixels[at + channel]!;
        this.pixels[at + channel] = below + strength * (channels[channel]! - below);
      }
    }
    this.#change.fill(0, this.#first, this.#last + 1);
    this.#first = Infinity;
    this.#last = -Infinity;
  }
}

const channelsOf = (color: string): number[] => [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16));

/** The edges that a line crosses, from left to right. Few change places from one line to the next: they are sorted by insertion. */
function crossed(edges: readonly Edge[], y: number): Edge[] {
  const sorted: Edge[] = [];
  for (const edge of edges) {
    if (edge.bottom <= y) continue;
    edge.x = edge.origin + edge.slope * y;
    let at = sorted.length;
    while (at > 0 && sorted[at - 1]!.x > edge.x) at--;
    if (at === sorted.length) sorted.push(edge);
    else sorted.splice(at, 0, edge);
  }
  return sorted;
}

function edgesOf(contour: Contour): Edge[] {
  const edges: Edge[] = [];
  for (let at = 0; at < contour.length; at += 2) {
    const next = (at + 2) % contour.length;
    const [x, y, toX, toY] = [contour[at]!, contour[at + 1]!, contour[next]!, contour[next + 1]!];
    if (y === toY) continue;
    const slope = (toX - x) / (toY - y);
    const winding = toY > y ? 1 : -1;
    edges.push({ top: Math.min(y, toY), bottom: Math.max(y, toY), slope, origin: x - slope * y, winding, x });
  }
  return edges;
}
