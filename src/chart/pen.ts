/** What pictures are drawn with: a canvas on a screen, or the text of an SVG document. Lengths are CSS pixels. */
export interface Pen {
  /** The width of the finest column that is told from its neighbors. */
  readonly pixel: number;
  path(trace: (outline: Outline) => void, ink: Ink): void;
  /** Many upright bars, which a canvas draws much faster than a line through their ends. */
  bars(trace: (bar: (x: number, top: number, bottom: number) => void) => void, ink: Ink): void;
  rect(box: Box, ink: Ink): void;
  circle(center: Spot, radius: number, ink: Ink): void;
  /** Writes one line that begins, ends, or has its middle at a spot of its baseline. */
  text(content: string, spot: Spot, lettering: Lettering): void;
  widthOf(content: string): number;
  /** Draws only what is inside of a box. */
  inside(box: Box, draw: () => void): void;
}

/** A rectangle of a picture. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export interface Spot {
  readonly x: number;
  readonly y: number;
}

/** What traces a path. */
export interface Outline {
  moveTo(x: number, y: number): void;
  lineTo(x: number, y: number): void;
  /** A point that no line touches. */
  dot(x: number, y: number): void;
}

/** What a path is filled and stroked with; neither where it is absent. */
export interface Ink {
  readonly fill?: string;
  readonly stroke?: string;
  /** Of the stroke, 1 by default. */
  readonly width?: number;
  readonly dash?: readonly number[];
  /** 0 to 1, 1 by default. */
  readonly alpha?: number;
}

export interface Lettering {
  readonly color: string;
  readonly align?: 'start' | 'middle' | 'end';
}

export const DOT_RADIUS = 0.75;

/** A place that makes a line one pixel wide sharp. */
export const crisp = (at: number, pixel: number): number => (Math.round(at / pixel) + 0.5) * pixel;
