import * as l10n from '@vscode/l10n';
import { levelName } from './format.ts';
import { type Frame, indexFrom, type Range, shownIntervals } from './frame.ts';
import type { Outline, Projection } from './pen.ts';
import type { Pyramid } from './pyramid.ts';
import type { Interval, Forecast, Points } from './types.ts';

/** A color by what it stands for; a number is one of those of further lines. */
export type Hue = 'history' | 'forecast' | 'anomaly' | number;

/** One thing that is drawn over an axis of time. */
export type Trace =
  | {
      readonly kind: 'line';
      readonly line: Line;
      readonly hue: Hue;
      readonly width?: number;
      /** Of a long line, to draw and to fit it from. */
      readonly extremes?: Pyramid | undefined;
      readonly label?: string;
    }
  | { readonly kind: 'area'; readonly pieces: readonly Piece[]; readonly alpha?: number; readonly label?: string }
  /** Discs, or rings around observations. */
  | {
      readonly kind: 'dots';
      readonly points: Points;
      readonly hue: Hue;
      readonly radius: number;
      readonly isRing?: boolean;
    }
  /** A dashed upright line. */
  | { readonly kind: 'rule'; readonly at: number }
  /** A part of the axis of time that is marked. */
  | { readonly kind: 'span'; readonly min: number; readonly max: number }
  /** Covers what the history does not support, more and more. */
  | { readonly kind: 'fade'; readonly from: number; readonly until: number };

/** A line through some points. */
export interface Line extends Points {
  /** It is broken between two points further apart than this, by default at missing values only. */
  readonly gap?: number;
}

/** Points per column from which on a line is thinned out. */
export const DENSE = 4;

/** Traces a line through the points of a range and one more on each side. A point alone becomes a dot. */
export function traceLine(pen: Outline, line: Line, range: Range, to: Projection): void {
  const { times, values, gap = Infinity } = line;
  const from = Math.max(0, indexFrom(times, range.min) - 1);
  const end = Math.min(times.length, indexFrom(times, range.max) + 2);
  const draw = end - from > DENSE * to.columns ? thinned(pen, to) : plain(pen, to);
  let before = NaN;
  for (let index = from; index < end; index++) {
    const time = times[index]!;
    const value = values[index]!;
    if (!Number.isFinite(value)) {
      before = NaN;
      continue;
    }
    draw.point(time, value, !(time - before <= gap));
    before = time;
  }
  draw.end();
}

interface Drawing {
  /** `starts` a new line. */
  point(time: number, value: number, starts: boolean): void;
  end(): void;
}

function plain(pen: Outline, { x, y }: Projection): Drawing {
  let started: { x: number; y: number } | undefined;
  const end = () => {
    if (started) pen.dot(started.x, started.y);
  };
  return {
    point(time, value, starts) {
      const to = { x: x(time), y: y(value) };
      if (starts) {
        end();
        started = to;
        return;
      }
      if (started) pen.moveTo(started.x, started.y);
      started = undefined;
      pen.lineTo(to.x, to.y);
    },
    end,
  };
}

/** At most five strokes in a column, however often the line breaks there: nobody sees a break narrower than a pixel. */
function thinned(pen: Outline, { x, y, pixel }: Projection): Drawing {
  let column = NaN;
  let low = 0;
  let high = 0;
  let last = 0;
  const flush = () => {
    if (Number.isNaN(column)) return;
    pen.lineTo(column, y(low));
    pen.lineTo(column, y(high));
    pen.lineTo(column, y(last));
  };
  return {
    point(time, value, starts) {
      const px = Math.round(x(time) / pixel) * pixel;
      if (px !== column) {
        flush();
        if (starts) pen.moveTo(px, y(value));
        else pen.lineTo(px, y(value));
        column = px;
        low = high = value;
      } else if (value < low) low = value;
      else if (value > high) high = value;
      last = value;
    },
    end: flush,
  };
}

/** The forecast's line with the last observation before it, so that the two lines meet. */
export function joined(forecast: Points, join: Frame['join']): Points {
  if (!join) return forecast;
  return {
    times: Float64Array.of(join.time, ...forecast.times),
    values: Float64Array.of(join.value, ...forecast.values),
  };
}

/** One unbroken piece of an interval. */
export interface Piece {
  readonly times: ArrayLike<number>;
  readonly lower: ArrayLike<number>;
  readonly upper: ArrayLike<number>;
}

interface Growing {
  readonly times: number[];
  readonly lower: number[];
  readonly upper: number[];
}

/** The pieces of an interval between missing limits; the first one begins at the last observation. */
export function intervalPieces(
  join: Frame['join'],
  { times }: Forecast,
  { lower, upper }: Omit<Interval, 'level'>,
): Piece[] {
  const pieces: Growing[] = [];
  let piece: Growing | undefined = join && { times: [join.time], lower: [join.value], upper: [join.value] };
  for (let index = 0; index < times.length; index++) {
    if (!Number.isFinite(lower[index]) || !Number.isFinite(upper[index])) {
      piece = undefined;
      continue;
    }
    piece ??= { times: [], lower: [], upper: [] };
    if (!pieces.includes(piece)) pieces.push(piece);
    piece.times.push(times[index]!);
    piece.lower.push(lower[index]!);
    piece.upper.push(upper[index]!);
  }
  return pieces;
}

/** Traces the outline of the part of a piece that is in a range: along its upper limits and back along its lower ones. */
export function traceOutline(pen: Outline, piece: Piece, range: Range, to: Projection): void {
  const { times, lower, upper } = visible(piece, range, to);
  for (let index = 0; index < times.length; index++) {
    if (index === 0) pen.moveTo(to.x(times[0]!), to.y(upper[0]!));
    else pen.lineTo(to.x(times[index]!), to.y(upper[index]!));
  }
  for (let index = times.length - 1; index >= 0; index--) pen.lineTo(to.x(times[index]!), to.y(lower[index]!));
}

/** The steps of a range and one more on each side; where they are dense, the widest limits of each column. */
function visible({ times, lower, upper }: Piece, range: Range, { x, columns, pixel }: Projection): Piece {
  const from = Math.max(0, indexFrom(times, range.min) - 1);
  const end = Math.min(times.length, indexFrom(times, range.max) + 2);
  const isDense = end - from > DENSE * columns;
  const seen = { times: [] as number[], lower: [] as number[], upper: [] as number[] };
  let column = NaN;
  for (let index = from; index < end; index++) {
    const at = isDense ? Math.round(x(times[index]!) / pixel) : index;
    const last = seen.times.length - 1;
    // the last step is where the interval ends
    if (at === column && index < end - 1) {
      seen.lower[last] = Math.min(seen.lower[last]!, lower[index]!);
      seen.upper[last] = Math.max(seen.upper[last]!, upper[index]!);
      continue;
    }
    seen.times.push(times[index]!);
    seen.lower.push(lower[index]!);
    seen.upper.push(upper[index]!);
    column = at;
  }
  return seen;
}

/** A further line over a chart: another forecast, or what has come since. */
export interface OverlayLine {
  readonly label: string;
  readonly line: Points;
  /** Which of the further colors; absent for observations. */
  readonly color?: number;
}

/** What lies over a chart besides its own lines. */
export interface Decoration {
  readonly lines: readonly OverlayLine[];
  /** Observations with a ring around them. */
  readonly marks: Points;
}

export const PLAIN: Decoration = { lines: [], marks: { times: new Float64Array(), values: new Float64Array() } };

/** What is shown of a frame. */
export interface Shown {
  readonly frame: Frame;
  /** What the numbers of the history are. */
  readonly valueLabel: string;
  /** Levels of the intervals that are switched off. */
  readonly hiddenIntervals?: readonly number[];
  readonly decoration?: Decoration;
  /** Of a long history. */
  readonly extremes?: Pyramid | undefined;
}

/** All that a chart draws: intervals from wide to narrow, history, forecast, and what lies over them. */
export function tracesOf({ frame, valueLabel, hiddenIntervals = [], decoration = PLAIN, extremes }: Shown): Trace[] {
  const { forecast, history, join, divide, gap, supportedUntil } = frame;
  const end = forecast?.times.at(-1);
  return [
    ...shownIntervals(forecast, hiddenIntervals).map((interval): Trace => ({
      kind: 'area',
      pieces: intervalPieces(join, forecast!, interval),
      label: levelName(interval.level),
    })),
    ...(divide === undefined ? [] : [{ kind: 'rule', at: divide } as const]),
    { kind: 'line', line: { ...history, gap }, hue: 'history', extremes, label: valueLabel },
    ...(forecast ? [lineOf(joined(forecast, join), 'forecast', l10n.t('Forecast'))] : []),
    ...(supportedUntil === undefined || end === undefined
      ? []
      : [{ kind: 'fade', from: supportedUntil, until: end } as const]),
    ...decoration.lines.flatMap(({ line, color, label }): Trace[] =>
      color === undefined
        ? [
            { ...lineOf(line, 'history', label), width: 2 },
            { kind: 'dots', points: line, hue: 'history', radius: 3 },
          ]
        : [lineOf(line, color, label)],
    ),
    { kind: 'dots', points: decoration.marks, hue: 'anomaly', radius: 5, isRing: true },
  ];
}

const lineOf = (line: Points, hue: Hue, label: string) => ({ kind: 'line', line, hue, label }) as const;
