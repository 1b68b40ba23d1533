import type { Box, Ink, Lettering, Outline, Pen, Spot } from './scene.ts';
import { letterWidth } from './svg-pen.ts';

/** A contour of a shape: x and y of its points in turn. It is closed where it is filled. */
export type Contour = readonly number[];

export interface Glyph {
  readonly advance: number;
  readonly contours: readonly Contour[];
}

export type Font = (letter: string, bold: boolean) => Glyph | undefined;

/** A row of pixels is sampled at so many lines to fill it; along a line the covered part of a pixel is exact. */
const LINES = 16;

const NOWHERE = { left: Infinity, top: Infinity, right: 0, bottom: 0 };

type RasterOptions = Readonly<Record<'width' | 'height' | 'fontSize' | 'scale', number> & { font: Font }>;

/** A pen that draws an opaque picture of 8 bits a channel, in which shapes have smooth edges. */
export class RasterPen implements Pen {
  readonly width: number;
  readonly height: number;
  /** Red, green, blue and alpha of each pixel, row by row. */
  readonly pixels: Uint8ClampedArray;
  readonly pixel: number;
  readonly #options: RasterOptions;
  readonly #covered: Float32Array; // 0 to 1, how much of each pixel a shape covers
  #touched = { ...NOWHERE };
  #clip: ReturnType<RasterPen['sidesOf']>;

  constructor(options: RasterOptions) {
    const { width, height, scale } = options;
    this.#options = options;
    this.width = Math.round(width * scale);
    this.height = Math.round(height * scale);
    this.pixel = 1 / scale;
    this.pixels = new Uint8ClampedArray(4 * this.width * this.height).fill(255);
    this.#covered = new Float32Array((this.width + 2) * this.height);
    this.#clip = { left: 0, top: 0, right: this.width, bottom: this.height };
  }

  path(trace: (outline: Outline) => void, { fill, stroke, width = 1, dash, alpha }: Ink): void {
    const { scale } = this.#options;
    const lines: number[][] = [];
    trace({
      moveTo: (x, y) => lines.push([x * scale, y * scale]),
      lineTo: (x, y) => lines.at(-1)?.push(x * scale, y * scale),
      rect: (x, y, width, height) => {
        const { left, top, right, bottom } = this.sidesOf({ left: x, top: y, width, height });
        lines.push([left, top, right, top, right, bottom, left, bottom]);
      },
      circle: (x, y, radius) => lines.push(circle(x * scale, y * scale, radius * scale)),
    });
    if (fill) this.#fill(lines, fill, alpha);
    const dashes = dash?.map((length) => length * scale);
    if (stroke) this.#stroke(lines, (width * scale) / 2, { stroke, alpha, dash: dashes });
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
    this.#fill(contours, color);
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

  /** Fills what contours enclose: once where they overlap, and not where one goes the other way. */
  #fill(contours: readonly Contour[], color: string, alpha?: number): void {
    const covered = this.#covered;
    const { left, right } = this.#clip;
    for (const { fromX, fromY, toX, toY, top, bottom } of this.#segments(contours, { isClosed: true, margin: 0 })) {
      const share = Math.sign(toY - fromY) / LINES;
      const slope = (toX - fromX) / (toY - fromY);
      // to the right of an edge all is covered, and the pixel that it crosses in part
      for (let line = Math.ceil(top * LINES - 0.5); line + 0.5 < bottom * LINES; line++) {
        const y = (line + 0.5) / LINES;
        const x = Math.max(left, Math.min(right, fromX + slope * (y - fromY)));
        const pixel = Math.floor(x);
        const at = Math.floor(y) * (this.width + 2) + pixel;
        covered[at]! += share * (pixel + 1 - x);
        covered[at + 1]! += share * (x - pixel);
      }
    }
    this.#blend(color, { alpha, isSummed: true });
  }

  /** Draws lines, whose joins and ends are round. @param half of their width @param dashes lengths of dash and gap in turn */
  #stroke(lines: readonly Contour[], half: number, { stroke = '', alpha, dash }: Ink): void {
    const covered = this.#covered;
    const { left, right } = this.#clip;
    for (const { fromX, fromY, toX, toY, top, bottom, before } of this.#segments(lines, { margin: half + 1 })) {
      const length = Math.hypot(toX - fromX, toY - fromY);
      const [alongX, alongY] = length > 0 ? [(toX - fromX) / length, (toY - fromY) / length] : [0, 0];
      const first = Math.max(left, Math.floor(Math.min(fromX, toX) - half - 1));
      const end = Math.min(right, Math.max(fromX, toX) + half + 1);
      for (let row = Math.floor(top); row < bottom; row++)
        for (let column = first; column < end; column++) {
          const [x, y] = [column + 0.5 - fromX, row + 0.5 - fromY];
          const along = x * alongX + y * alongY;
          const nearest = Math.max(0, Math.min(length, along));
          const share = half + 0.5 - Math.sqrt((x - nearest * alongX) ** 2 + (y - nearest * alongY) ** 2);
          const at = row * (this.width + 2) + column;
          if (share <= covered[at]!) continue;
          const inDash = dash ? dashAt(before + along, dash) : 1;
          covered[at] = Math.max(covered[at]!, Math.min(1, share, inDash));
        }
    }
    this.#blend(stroke, { alpha });
  }

  *#segments(lines: readonly Contour[], { isClosed = false, margin }: { isClosed?: boolean; margin: number }) {
    const touched = this.#touched;
    for (const line of lines) {
      let before = 0;
      const last = isClosed || line.length === 2 ? line.length : line.length - 2;
      for (let from = 0; from < last; from += 2) {
        const to = (from + 2) % line.length;
        const [fromX, fromY, toX, toY] = [line[from]!, line[from + 1]!, line[to]!, line[to + 1]!];
        const top = Math.max(this.#clip.top, Math.min(fromY, toY) - margin);
        const bottom = Math.min(this.#clip.bottom, Math.max(fromY, toY) + margin);
        touched.top = Math.min(touched.top, Math.floor(top));
        touched.bottom = Math.max(touched.bottom, Math.ceil(bottom));
        touched.left = Math.min(touched.left, Math.floor(Math.min(fromX, toX) - margin));
        touched.right = Math.max(touched.right, Math.ceil(Math.max(fromX, toX) + margin) + 1);
        yield { fromX, fromY, toX, toY, top, bottom, before };
        before += Math.hypot(toX - fromX, toY - fromY);
      }
    }
  }

  /** Colors what is covered, and clears it. @param color `#rrggbb` @param isSummed if pixels differ from the left */
  #blend(color: string, { alpha = 1, isSummed = false }: { alpha?: number | undefined; isSummed?: boolean }): void {
    const { pixels, width } = this;
    const covered = this.#covered;
    const { top, bottom } = this.#touched;
    const left = Math.max(this.#clip.left, this.#touched.left);
    const right = Math.min(this.#clip.right, this.#touched.right);
    const [red, green, blue] = [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16)) as [number, number, number];
    for (let row = top; row < bottom; row++) {
      let sum = 0;
      for (let x = left, from = row * (width + 2); x < right; x++) {
        const one = covered[from + x]!;
        sum = isSummed ? sum + one : one;
        const share = alpha * Math.min(1, Math.abs(sum));
        if (share < 1e-4) continue;
        const at = 4 * (row * width + x);
        pixels[at] = pixels[at]! + share * (red - pixels[at]!);
        pixels[at + 1] = pixels[at + 1]! + share * (green - pixels[at + 1]!);
        pixels[at + 2] = pixels[at + 2]! + share * (blue - pixels[at + 2]!);
      }
    }
    covered.fill(0, top * (width + 2), bottom * (width + 2));
    this.#touched = { ...NOWHERE };
  }
}

const widthOf = (glyphs: readonly Glyph[]): number => glyphs.reduce((sum, { advance }) => sum + advance, 0);

function circle(x: number, y: number, radius: number): number[] {
  const count = Math.max(12, Math.ceil(4 * radius));
  return Array.from({ length: count + 1 }, (_, index) => (2 * Math.PI * index) / count).flatMap((angle) => [
    x + radius * Math.cos(angle),
    y + radius * Math.sin(angle),
  ]);
}

/** How much of a pixel lies in a dash. @param along how far it is from the begin of the line */
function dashAt(along: number, lengths: readonly number[]): number {
  const period = lengths.reduce((sum, length) => sum + length, 0);
  let at = along - period * Math.floor(along / period);
  for (let index = 0; ; index += 2) {
    const [dash, gap] = [lengths[index]!, lengths[index + 1]!];
    if (at <= dash + gap) return Math.max(0, Math.min(1, Math.max(Math.min(at, dash - at), at - dash - gap) + 0.5));
    at -= dash + gap;
  }
}
