import type { Box, Ink, Lettering, Outline, Pen, Spot } from './pen.ts';
import { letterWidth } from './svg-pen.ts';

/** A contour of a shape: x and y of its points in turn. It is closed where it is filled. */
export type Contour = readonly number[];

/** A letter of a font, in ems, y downward from the baseline. */
export interface Glyph {
  readonly advance: number;
  readonly contours: readonly Contour[];
}

/** The glyph of a letter; `undefined` where the font has none. */
export type Font = (letter: string, bold: boolean) => Glyph | undefined;

/** A line, or a circle around its only point. */
interface Line {
  readonly points: number[];
  readonly radius?: number;
}

/**
 * The lines that a row of pixels is sampled at; along a line the covered part of a pixel is exact. Where more edges than
 * this cross a row there is nothing to see of single ones.
 */
const LINES = { fine: 16, coarse: 4, most: 500 };

interface RasterOptions {
  readonly width: number;
  readonly height: number;
  readonly font: Font;
  readonly fontSize: number;
  readonly scale: number;
}

/** A pen that draws an opaque picture of 8 bits a channel, in which shapes are filled with smooth edges. */
export class RasterPen implements Pen {
  readonly width: number;
  readonly height: number;
  /** Red, green, blue and alpha of each pixel, row by row. */
  readonly pixels: Uint8ClampedArray;
  readonly pixel: number;
  readonly #options: RasterOptions;
  /** How the coverage of a row changes from each pixel to the next, and the pixels where it does. */
  readonly #change: Float32Array;
  #first = Infinity;
  #last = -Infinity;
  #clip: ReturnType<RasterPen['sidesOf']>;

  constructor(options: RasterOptions) {
    const { width, height, scale } = options;
    this.#options = options;
    this.width = Math.round(width * scale);
    this.height = Math.round(height * scale);
    this.pixel = 1 / scale;
    this.pixels = new Uint8ClampedArray(4 * this.width * this.height).fill(255);
    this.#change = new Float32Array(this.width + 2);
    this.#clip = { left: 0, top: 0, right: this.width, bottom: this.height };
  }

  path(trace: (outline: Outline) => void, { fill, stroke, width = 1, dash, alpha = 1 }: Ink): void {
    const { scale } = this.#options;
    const lines: Line[] = [];
    trace({
      moveTo: (x, y) => lines.push({ points: [x * scale, y * scale] }),
      lineTo: (x, y) => lines.at(-1)?.points.push(x * scale, y * scale),
      circle: (x, y, radius) => lines.push({ points: [x * scale, y * scale], radius: radius * scale }),
    });
    const shapeOf = ({ points, radius }: Line) => (radius ? circle(points[0]!, points[1]!, radius) : points);
    this.#fill(lines.map(shapeOf), fill, alpha);
    const dashes = dash?.map((length) => length * scale);
    const outlinesOf = (line: Line) => strokeOf(line, (width * scale) / 2, dashes);
    if (stroke) this.#fill(lines.flatMap(outlinesOf), stroke, alpha);
  }

  /** The same as by their contours, many times as fast. */
  rects(boxes: readonly Box[], { fill, alpha = 1 }: Pick<Ink, 'fill' | 'alpha'>): void {
    if (fill === undefined) return;
    const channels = channelsOf(fill);
    for (const { left, top, right, bottom } of boxes.map((box) => this.sidesOf(box))) {
      const end = Math.min(this.#clip.bottom, Math.ceil(bottom));
      for (let row = Math.max(this.#clip.top, Math.floor(top)); row < end; row++) {
        const share = Math.min(bottom, row + 1) - Math.max(top, row);
        this.#step(left, share);
        this.#step(right, -share);
        this.#blend(row, channels, alpha);
      }
    }
  }

  text(content: string, { x, y }: Spot, lettering: Lettering): void {
    const { scale, fontSize } = this.#options;
    const { color, align = 'start', size = fontSize, bold = false } = lettering;
    const glyphs = this.#glyphs(content, bold);
    let left = x - { start: 0, middle: 0.5, end: 1 }[align] * size * widthOf(glyphs);
    const contours = glyphs.flatMap((glyph) => {
      const at = left;
      left += size * glyph.advance;
      return glyph.contours.map((contour) =>
        contour.map((value, index) => scale * ((index % 2 === 0 ? at : y) + size * value)),
      );
    });
    this.#fill(contours, color, 1);
  }

  widthOf(content: string): number {
    return this.#options.fontSize * widthOf(this.#glyphs(content, false));
  }

  inside(box: Box, draw: () => void): void {
    const whole = this.#clip;
    const { left, top, right, bottom } = this.sidesOf(box);
    this.#clip = {
      left: Math.max(0, Math.round(left)),
      top: Math.max(0, Math.round(top)),
      right: Math.min(this.width, Math.round(right)),
      bottom: Math.min(this.height, Math.round(bottom)),
    };
    draw();
    this.#clip = whole;
  }

  private sidesOf({ left, top, width, height }: Box) {
    const { scale } = this.#options;
    return { left: left * scale, top: top * scale, right: (left + width) * scale, bottom: (top + height) * scale };
  }

  /** Letters that the font lacks are blank; marks and controls have no width. */
  #glyphs(content: string, bold: boolean): Glyph[] {
    const blank = (letter: string) => ({
      advance: /[\p{C}\p{M}]/u.test(letter) ? 0 : letterWidth(letter),
      contours: [],
    });
    return Array.from(content, (letter) => this.#options.font(letter, bold) ?? blank(letter));
  }

  /** Fills what contours enclose, by the nonzero rule. @param color as `#rrggbb`; nothing is filled without one */
  #fill(contours: readonly Contour[], color: string | undefined, alpha: number): void {
    if (color === undefined) return;
    const channels = channelsOf(color);
    const waiting = contours.flatMap(edgesOf).sort((a, b) => b.top - a.top);
    let active: Edge[] = [];
    const from = Math.max(this.#clip.top, Math.floor(waiting.at(-1)?.top ?? Infinity));
    for (let row = from; row < this.#clip.bottom && (active.length > 0 || waiting.length > 0); row++) {
      const lines = active.length > LINES.most ? LINES.coarse : LINES.fine;
      for (let line = 0; line < lines; line++) {
        const y = row + (line + 0.5) / lines;
        while (waiting.length > 0 && waiting.at(-1)!.top <= y) active.push(waiting.pop()!);
        active = active.filter(({ bottom }) => bottom > y);
        // sorted from line to line, they are nearly in order
        for (const edge of active) edge.x = edge.origin + edge.slope * y;
        let winding = 0;
        for (const edge of active.sort((a, b) => a.x - b.x)) {
          const before = winding;
          winding += edge.winding;
          if (before === 0 || winding === 0) this.#step(edge.x, (before === 0 ? 1 : -1) / lines);
        }
      }
      this.#blend(row, channels, alpha);
    }
  }

  /** Lets the coverage of the row change at a place. */
  #step(x: number, by: number): void {
    const at = Math.max(this.#clip.left, Math.min(this.#clip.right, x));
    const pixel = Math.floor(at);
    this.#change[pixel]! += by * (pixel + 1 - at);
    this.#change[pixel + 1]! += by * (at - pixel);
    this.#first = Math.min(this.#first, pixel);
    this.#last = Math.max(this.#last, pixel + 1);
  }

  /** Colors a row by its coverage, and clears that. */
  #blend(row: number, channels: readonly number[], alpha: number): void {
    let coverage = 0;
    for (let x = this.#first; x <= this.#last && x < this.#clip.right; x++) {
      coverage += this.#change[x]!;
      if (coverage < 1e-4) continue;
      const at = 4 * (row * this.width + x);
      for (let channel = 0; channel < 3; channel++) {
        const below = this.pixels[at + channel]!;
        this.pixels[at + channel] = below + alpha * coverage * (channels[channel]! - below);
      }
    }
    this.#change.fill(0, this.#first, this.#last + 1);
    this.#first = Infinity;
    this.#last = -Infinity;
  }
}

const channelsOf = (color: string): number[] => [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16));

const widthOf = (glyphs: readonly Glyph[]): number => glyphs.reduce((sum, { advance }) => sum + advance, 0);

/** A circle, in the direction in which {@link strokeOf} goes around a segment. */
function circle(x: number, y: number, radius: number): number[] {
  const count = Math.max(12, Math.ceil(4 * radius));
  return Array.from({ length: count }, (_, index) => (-2 * Math.PI * index) / count).flatMap((angle) => [
    x + radius * Math.cos(angle),
    y + radius * Math.sin(angle),
  ]);
}

const reversed = (contour: Contour): number[] =>
  contour.map((_, index) => contour[contour.length - 2 - index + 2 * (index % 2)]!);

/**
 * What a stroke covers: a rectangle for each segment, and a circle where they meet and at round ends; of a circle a ring.
 * @param half of its width @param dashes lengths of dash and gap in turn, in pixels
 */
function strokeOf({ points, radius }: Line, half: number, dashes?: readonly number[]): Contour[] {
  if (radius !== undefined) {
    const [outer, inner] = [radius + half, Math.max(0, radius - half)].map((one) =>
      circle(points[0]!, points[1]!, one),
    );
    return [outer!, reversed(inner!)];
  }
  const covered: Contour[] = [];
  for (const line of dashes ? dashesOf(points, dashes) : [points])
    for (let at = 0; at < line.length; at += 2) {
      const [x, y] = [line[at]!, line[at + 1]!];
      const isEnd = at === 0 || at === line.length - 2;
      if (!dashes || !isEnd) covered.push(circle(x, y, half));
      if (at === 0) continue;
      const [fromX, fromY] = [line[at - 2]!, line[at - 1]!];
      const length = Math.hypot(x - fromX, y - fromY);
      if (length === 0) continue;
      const [acrossX, acrossY] = [(half * (fromY - y)) / length, (half * (x - fromX)) / length];
      const side = (by: 1 | -1) => [fromX + by * acrossX, fromY + by * acrossY, x + by * acrossX, y + by * acrossY];
      covered.push([...side(1), ...reversed(side(-1))]);
    }
  return covered;
}

function dashesOf(points: readonly number[], lengths: readonly number[]): number[][] {
  const dashes: number[][] = [];
  let [index, left] = [0, lengths[0]!];
  let current: number[] | undefined = points.slice(0, 2);
  for (let at = 2; at < points.length; at += 2) {
    let [x, y] = [points[at - 2]!, points[at - 1]!];
    const [toX, toY] = [points[at]!, points[at + 1]!];
    let rest = Math.hypot(toX - x, toY - y);
    while (rest > left) {
      [x, y] = [x + ((toX - x) * left) / rest, y + ((toY - y) * left) / rest];
      rest -= left;
      if (current) dashes.push([...current, x, y]);
      current = current ? undefined : [x, y];
      left = lengths[++index % lengths.length]!;
    }
    left -= rest;
    current?.push(toX, toY);
  }
  return current && current.length > 2 ? [...dashes, current] : dashes;
}

type Edge = ReturnType<typeof edgesOf>[number];

/** The edges of a shape but for level ones: from where to where down they go, x where y is 0, and x where it is drawn. */
function edgesOf(contour: Contour) {
  const edges = [];
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
