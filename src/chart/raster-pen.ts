import { type Box, DOT_RADIUS, type Ink, type Outline, type Spot } from './pen.ts';
import { type Clip, type Contour, Raster } from './raster.ts';
import { letterWidth, type PicturePen } from './svg-pen.ts';

/** A letter of a font, in ems, y downwards from the baseline. */
export interface Glyph {
  readonly advance: number;
  readonly contours: readonly Contour[];
}

/** The glyph of a letter; `undefined` where the font has none. */
export type Font = (letter: string, bold: boolean) => Glyph | undefined;

/** A line of a path, or a dot of a radius. */
interface Line {
  readonly points: number[];
  readonly radius?: number;
}

interface RasterPenOptions {
  readonly width: number;
  readonly height: number;
  readonly font: Font;
  readonly fontSize: number;
  /** Pixels of the raster per pixel of the picture. */
  readonly scale: number;
}

/** A pen that draws pixels. */
export class RasterPen implements PicturePen {
  readonly raster: Raster;
  readonly pixel: number;
  readonly #font: Font;
  readonly #fontSize: number;
  readonly #scale: number;
  #clip: Clip;

  constructor({ width, height, font, fontSize, scale }: RasterPenOptions) {
    this.raster = new Raster(Math.round(width * scale), Math.round(height * scale));
    this.pixel = 1 / scale;
    this.#font = font;
    this.#fontSize = fontSize;
    this.#scale = scale;
    this.#clip = this.#whole;
  }

  path(trace: (outline: Outline) => void, { fill, stroke, width = 1, dash, alpha = 1 }: Ink): void {
    const lines: Line[] = [];
    trace(outlineOf(lines, this.#scale));
    if (fill !== undefined) {
      const filled = lines.map(({ points, radius }) => (radius ? circle(points[0]!, points[1]!, radius) : points));
      this.raster.fill(filled, fill, alpha, this.#clip);
    }
    if (stroke === undefined) return;
    const dashes = dash?.map((length) => length * this.#scale);
    const drawn = dashes ? lines.flatMap((line) => dashesOf(line, dashes)) : lines;
    const outlines = drawn.flatMap((line) => strokeOf(line, (width * this.#scale) / 2, !dash));
    this.raster.fill(outlines, stroke, alpha, this.#clip);
  }

  rects(boxes: readonly Box[], { fill, alpha = 1 }: Pick<Ink, 'fill' | 'alpha'>): void {
    if (fill === undefined) return;
    for (const box of boxes) this.raster.fillBox(this.#boxOf(box), fill, alpha, this.#clip);
  }

  circle({ x, y }: Spot, radius: number, { fill, stroke, width = 1, alpha = 1 }: Ink): void {
    const scale = this.#scale;
    const around = (by: number) => circle(x * scale, y * scale, Math.max(0, radius + by) * scale);
    if (fill !== undefined) this.raster.fill([around(0)], fill, alpha, this.#clip);
    // the inner edge goes the other way around
    const ring = [around(width / 2), reversed(around(-width / 2))];
    if (stroke !== undefined) this.raster.fill(ring, stroke, alpha, this.#clip);
  }

  text(content: string, { x, y }: Spot, lettering: Parameters<PicturePen['text']>[2]): void {
    const { color, align = 'start', size = this.#fontSize, bold = false } = lettering;
    const glyphs = this.#glyphs(content, bold);
    let left = x - { start: 0, middle: 0.5, end: 1 }[align] * size * widthOf(glyphs);
    const contours: Contour[] = [];
    for (const glyph of glyphs) {
      for (const contour of glyph.contours)
        contours.push(contour.map((value, index) => this.#scale * ((index % 2 === 0 ? left : y) + size * value)));
      left += size * glyph.advance;
    }
    this.raster.fill(contours, color, 1, this.#clip);
  }

  widthOf(content: string): number {
    return this.#fontSize * widthOf(this.#glyphs(content, false));
  }

  inside(place: Box, draw: () => void): void {
    const { left, top, right, bottom } = this.#boxOf(place);
    const whole = this.#whole;
    this.#clip = {
      left: Math.max(0, Math.round(left)),
      top: Math.max(0, Math.round(top)),
      right: Math.min(whole.right, Math.round(right)),
      bottom: Math.min(whole.bottom, Math.round(bottom)),
    };
    draw();
    this.#clip = whole;
  }

  get #whole(): Clip {
    return { left: 0, top: 0, right: this.raster.width, bottom: this.raster.height };
  }

  #boxOf({ left, top, width, height }: Box): Clip {
    const [right, bottom] = [left + width, top + height];
    const scale = this.#scale;
    return { left: left * scale, top: top * scale, right: right * scale, bottom: bottom * scale };
  }

  #glyphs(content: string, bold: boolean): Glyph[] {
    return Array.from(content, (letter) => this.#font(letter, bold) ?? { advance: blankWidth(letter), contours: [] });
  }
}

const widthOf = (glyphs: readonly Glyph[]): number => glyphs.reduce((sum, { advance }) => sum + advance, 0);

/** Room for a letter that the font lacks; marks and controls have none. */
const blankWidth = (letter: string): number => (/[\p{C}\p{M}]/u.test(letter) ? 0 : letterWidth(letter));

const outlineOf = (lines: Line[], scale: number): Outline => ({
  moveTo: (x, y) => lines.push({ points: [x * scale, y * scale] }),
  lineTo: (x, y) => lines.at(-1)?.points.push(x * scale, y * scale),
  dot: (x, y) => lines.push({ points: [x * scale, y * scale], radius: DOT_RADIUS * scale }),
});

/** A circle, in the direction in which {@link strokeOf} goes around a segment. */
function circle(x: number, y: number, radius: number): number[] {
  const count = Math.max(12, Math.ceil(4 * radius));
  return Array.from({ length: count }, (_, index) => (-2 * Math.PI * index) / count).flatMap((angle) => [
    x + radius * Math.cos(angle),
    y + radius * Math.sin(angle),
  ]);
}

/** The same contour the other way around. */
const reversed = (contour: Contour): number[] =>
  contour.map((_, index) => contour[contour.length - 2 - index + 2 * (index % 2)]!);

/** What a stroke covers: a rectangle for each segment, and a circle where they meet and at round ends. @param half of its width */
function strokeOf({ points, radius = 0 }: Line, half: number, isRound: boolean): Contour[] {
  const covered: Contour[] = [];
  for (let at = 0; at < points.length; at += 2) {
    const [x, y] = [points[at]!, points[at + 1]!];
    const isEnd = at === 0 || at === points.length - 2;
    if (isRound || !isEnd) covered.push(circle(x, y, radius + half));
    if (at === 0) continue;
    const [fromX, fromY] = [points[at - 2]!, points[at - 1]!];
    const length = Math.hypot(x - fromX, y - fromY);
    if (length === 0) continue;
    const [acrossX, acrossY] = [(half * (fromY - y)) / length, (half * (x - fromX)) / length];
    const side = (by: 1 | -1) => [fromX + by * acrossX, fromY + by * acrossY, x + by * acrossX, y + by * acrossY];
    covered.push([...side(1), ...reversed(side(-1))]);
  }
  return covered;
}

/** The dashes of a line. @param lengths of dash and gap in turn, in pixels */
function dashesOf({ points }: Line, lengths: readonly number[]): Line[] {
  const dashes: Line[] = [];
  let [turn, left] = [0, lengths[0]!];
  let current: number[] | undefined = points.slice(0, 2);
  for (let at = 2; at < points.length; at += 2) {
    let [x, y] = [points[at - 2]!, points[at - 1]!];
    const [toX, toY] = [points[at]!, points[at + 1]!];
    let rest = Math.hypot(toX - x, toY - y);
    while (rest > left) {
      [x, y] = [x + ((toX - x) * left) / rest, y + ((toY - y) * left) / rest];
      rest -= left;
      if (current) dashes.push({ points: [...current, x, y] });
      current = current ? undefined : [x, y];
      left = lengths[++turn % lengths.length]!;
    }
    left -= rest;
    current?.push(toX, toY);
  }
  if (current && current.length > 2) dashes.push({ points: current });
  return dashes;
}
