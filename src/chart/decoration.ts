import type { Colors } from './print.ts';
import type { Points } from './types.ts';

/** A further line over a chart: another forecast, or what has come since. */
export interface OverlayLine {
  readonly label: string;
  readonly line: Points;
  /** Which of the further colours; absent for observations. */
  readonly color?: number;
}

/** What lies over a chart besides its own lines. */
export interface Decoration {
  readonly lines: readonly OverlayLine[];
  /** Observations with a ring around them. */
  readonly marks: Points;
}

export const PLAIN: Decoration = { lines: [], marks: { times: new Float64Array(), values: new Float64Array() } };

/** Lines are told apart by their dashes too, in CSS pixels. */
const DASHES: readonly (readonly number[])[] = [[7, 4], [2, 3], [9, 3, 2, 3]]; // prettier-ignore

export const dashOf = (color: number): readonly number[] => DASHES[color % DASHES.length]!;

export const colorOf = ({ color }: OverlayLine, { history, others }: Colors): string =>
  color === undefined ? history : others[color % others.length]!;
