import type { Range } from './frame.ts';

/** What pictures are drawn with: a canvas, the text of an SVG document, or pixels. Lengths are CSS pixels. */
export interface Pen {
  /** The width of the narrowest distinguishable column. */
  readonly pixel: number;
  path(trace: (outline: Outline) => void, ink: Ink): void;
  /** Writes one line that begins, ends, or has its middle at a spot of its baseline. */
  text(content: string, spot: Spot, lettering: Lettering): void;
  widthOf(content: string): number;
  inside(box: Box, draw: () => void): void;
}

export type Box = Readonly<Record<'left' | 'top' | 'width' | 'height', number>>;
export type Spot = Readonly<Record<'x' | 'y', number>>;

export interface Outline {
  moveTo(x: number, y: number): void;
  lineTo(x: number, y: number): void;
  rect(left: number, top: number, width: number, height: number): void;
  circle(x: number, y: number, radius: number): void;
}

export interface Ink {
  readonly fill?: string;
  readonly stroke?: string;
  readonly width?: number;
  readonly dash?: readonly number[];
  /** 0 to 1, 1 by default. */
  readonly alpha?: number;
}

export interface Lettering {
  readonly color: string;
  readonly align?: 'start' | 'middle' | 'end';
  readonly size?: number;
  readonly bold?: boolean;
}

export type Segment = readonly [fromX: number, fromY: number, toX: number, toY: number];

export function drawLines(pen: Pen, segments: readonly Segment[], ink: Ink): void {
  if (segments.length === 0) return;
  const sharp = (at: number) => (Math.round(at / pen.pixel) + 0.5) * pen.pixel;
  pen.path((outline) => {
    for (const [fromX, fromY, toX, toY] of segments) {
      outline.moveTo(sharp(fromX), sharp(fromY));
      outline.lineTo(sharp(toX), sharp(toY));
    }
  }, ink);
}

/** Fills rectangles. Many upright ones are much faster on a canvas than a line through their ends. */
export function drawBoxes(pen: Pen, boxes: readonly Box[], ink: Pick<Ink, 'fill' | 'alpha'>): void {
  pen.path((outline) => {
    for (const { left, top, width, height } of boxes) outline.rect(left, top, width, height);
  }, ink);
}

export type Colors = Readonly<typeof PRINT>;

/** How much each interval covers what is below it; nested ones add up. */
export const INTERVAL_ALPHA = 0.15;

/** How strong the colour is where `layers` intervals lie over each other, 0 to 1. */
export const intervalStrength = (layers: number): number => 1 - (1 - INTERVAL_ALPHA) ** layers;

/** Ink on paper, whatever the editor's theme. */
export const PRINT = {
  text: '#1f1f1f',
  muted: '#5f6368',
  background: '#ffffff',
  history: '#3b3b3b',
  forecast: '#0b62c4',
  others: ['#7b3fb5', '#2d7d32', '#b35c00'],
  anomaly: '#c62828',
  /** High contrast: intervals get edges, and lines no transparency. */
  contrast: false,
  fontFamily: 'Arial, "Liberation Sans", "DejaVu Sans", Helvetica, sans-serif',
  fontSize: 12,
};

/** Values beyond this are drawn there, so that differences of two of them stay finite. */
const FURTHEST = Number.MAX_VALUE / 2.1;

export type Projection = ReturnType<typeof projection>;

/** From data to a box of a picture. @param pixel the width of a column of pixels */
export const projection = (x: Range, y: Range, { left, top, width, height }: Box, pixel = 1) => ({
  x: (time: number) => left + ((time - x.min) / (x.max - x.min)) * width,
  y: (value: number) => top + ((y.max - Math.max(-FURTHEST, Math.min(FURTHEST, value))) / (y.max - y.min)) * height,
  /** More points than columns are drawn as their extremes in each column. */
  columns: Math.ceil(width / pixel),
  pixel,
});
