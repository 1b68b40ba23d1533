import * as l10n from '@vscode/l10n';
import { levelName } from './format.ts';
import { type Frame, indexFrom, type Range, shownIntervals } from './frame.ts';
import type { Outline, Projection } from './pen.ts';
import { columnsOf, type Extremes } from './extremes.ts';
import type { Interval, Points } from './types.ts';

/** A color by what it stands for; a number is one of those of further lines. */
export type Hue = 'history' | 'forecast' | 'anomaly' | number;

/** A line through some points. */
export interface Line extends Points {
  /** It is broken between two points further apart than this, by default at missing values only. */
  readonly gap?: number;
}

/** One thing that is drawn over an axis of time. */
export type Trace =
  | {
      readonly kind: 'line';
      readonly line: Line;
      readonly hue: Hue;
      readonly width?: number | undefined;
      /** Of a long line. */
      readonly extremes?: Extremes | undefined;
      readonly label?: string | undefined;
    }
  | {
      readonly kind: 'area';
      readonly pieces: readonly Piece[];
      readonly alpha?: number | undefined;
      readonly label?: string | undefined;
    }
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

/** Points per column of pixels from which on only the extremes of each are drawn. */
const DENSE = 4;

/** The points of a range and one more on each side. */
const within = (times: ArrayLike<number>, { min, max }: Range): readonly [from: number, end: number] => [
  Math.max(0, indexFrom(times, min) - 1),
  Math.min(times.length, indexFrom(times, max) + 2),
];

/** Whether a range has so many points that they are thinned out. */
export const isDense = (times: ArrayLike<number>, { min, max }: Range, { columns }: Projection): boolean =>
  indexFrom(times, max) - indexFrom(times, min) > DENSE * columns;

/** Traces a line through the points of a range and one more on each side. A point alone becomes a dot. */
export function traceLine(
  pen: Outline,
  { times, values, gap = Infinity }: Line,
  range: Range,
  { x, y }: Projection,
): void {
  const [from, end] = within(times, range);
  /** Where a line begins of which there is only one point yet. */
  let start: readonly [x: number, y: number] | undefined;
  let before = NaN;
  const finish = () => {
    if (start) pen.dot(...start);
  };
  for (let index = from; index < end; index++) {
    const [time, value] = [times[index]!, values[index]!];
    if (!Number.isFinite(value)) before = NaN;
    else if (time - before <= gap) {
      if (start) pen.moveTo(...start);
      start = undefined;
      pen.lineTo(x(time), y(value));
      before = time;
    } else {
      finish();
      start = [x(time), y(value)];
      before = time;
    }
  }
  finish();
}

/** What a forecast is tied on to. */
export type Join = Frame['join'];

/** The forecast's line with the last observation before it, so that the two lines meet. */
export const joined = (forecast: Points, join: Join): Points =>
  join
    ? {
        times: Float64Array.of(join.time, ...forecast.times),
        values: Float64Array.of(join.value, ...forecast.values),
      }
    : forecast;

/** One unbroken piece of an interval. */
export interface Piece {
  readonly times: ArrayLike<number>;
  readonly lower: ArrayLike<number>;
  readonly upper: ArrayLike<number>;
}

type Limits = Omit<Interval, 'level'>;

/** The pieces of an interval between missing limits; the first one begins at the last observation. */
export function intervalPieces(join: Join, { times }: Pick<Points, 'times'>, { lower, upper }: Limits): Piece[] {
  const pieces: { readonly times: number[]; readonly lower: number[]; readonly upper: number[] }[] = [];
  let piece = join && { times: [join.time], lower: [join.value], upper: [join.value] };
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
  const limits = (which: 'lower' | 'upper') => corners(piece, which, range, to);
  limits('upper').forEach(([time, value], index) => {
    if (index === 0) pen.moveTo(to.x(time), to.y(value));
    else pen.lineTo(to.x(time), to.y(value));
  });
  for (const [time, value] of limits('lower').reverse()) pen.lineTo(to.x(time), to.y(value));
}

/** Limits of the steps of a range and of one more on each side; where they are dense, the widest of each column. */
function corners(
  piece: Piece,
  which: 'lower' | 'upper',
  range: Range,
  to: Projection,
): [time: number, value: number][] {
  const [times, values] = [piece.times, piece[which]];
  const [from, end] = within(times, range);
  if (!isDense(times, range, to))
    return Array.from({ length: end - from }, (_, step) => [times[from + step]!, values[from + step]!]);
  const { columns } = columnsOf({ times, values }, range, to);
  const widest = columns.map(({ time, low, high }): [number, number] => [time, which === 'lower' ? low : high]);
  // the last step is where the interval ends
  return [...widest, [times[end - 1]!, values[end - 1]!]];
}

/** A series and what is forecast of it, as every picture draws them. */
export interface SeriesPlot {
  readonly history: Line;
  readonly forecast?: Points | undefined;
  readonly join?: Join;
  /** From wide to narrow. */
  readonly intervals?: readonly (Limits & { readonly label?: string })[];
  /** How strong an interval is, as in a chart by default. */
  readonly alpha?: number;
  /** Where upright lines are. */
  readonly rules?: readonly number[];
  readonly extremes?: Extremes | undefined;
  /** Of the two lines, as in a chart by default. */
  readonly widths?: readonly [history: number, forecast: number];
  readonly labels?: readonly [history: string, forecast: string];
}

/** Intervals below upright lines, these below the history, and the forecast on top. */
export function seriesTraces(plot: SeriesPlot): Trace[] {
  const { history, forecast, join, intervals = [], alpha, rules = [], extremes, widths = [], labels = [] } = plot;
  const ahead = forecast && joined(forecast, join);
  const areas = forecast
    ? intervals.map(({ label, ...limits }) => ({ label, pieces: intervalPieces(join, forecast, limits) }))
    : [];
  return [
    ...areas.map((area) => ({ kind: 'area', alpha, ...area }) as const),
    ...rules.map((at) => ({ kind: 'rule', at }) as const),
    { kind: 'line', line: history, hue: 'history', extremes, width: widths[0], label: labels[0] },
    ...(ahead ? [{ kind: 'line', line: ahead, hue: 'forecast', width: widths[1], label: labels[1] } as const] : []),
  ];
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
  readonly extremes?: Extremes | undefined;
}

/** All that a chart draws: the series with its intervals, and what lies over it. */
export function tracesOf({ frame, valueLabel, hiddenIntervals = [], decoration = PLAIN, extremes }: Shown): Trace[] {
  const { forecast, join, divide, gap, supportedUntil } = frame;
  const end = forecast?.times.at(-1);
  return [
    ...seriesTraces({
      history: { ...frame.history, gap },
      forecast,
      join,
      intervals: shownIntervals(forecast, hiddenIntervals).map((interval) => ({
        ...interval,
        label: levelName(interval.level),
      })),
      rules: divide === undefined ? [] : [divide],
      extremes,
      labels: [valueLabel, l10n.t('Forecast')],
    }),
    ...(supportedUntil === undefined || end === undefined
      ? []
      : [{ kind: 'fade', from: supportedUntil, until: end } as const]),
    ...decoration.lines.flatMap(({ line, color, label }): Trace[] =>
      color === undefined
        ? [
            { kind: 'line', line, hue: 'history', label, width: 2 },
            { kind: 'dots', points: line, hue: 'history', radius: 3 },
          ]
        : [{ kind: 'line', line, hue: color, label }],
    ),
    { kind: 'dots', points: decoration.marks, hue: 'anomaly', radius: 5, isRing: true },
  ];
}
