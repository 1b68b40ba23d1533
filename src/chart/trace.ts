import * as l10n from '@vscode/l10n';
import { levelName } from './format.ts';
import { type Frame, type Line, shownIntervals } from './frame.ts';
import type { Interval, Points } from './types.ts';

/** A color by what it stands for; a number is one of those of further lines. */
export type Hue = 'history' | 'forecast' | 'anomaly' | number;

type Limits = Omit<Interval, 'level'>;

interface Labeled {
  readonly label?: string | undefined;
}

export type Trace =
  | ({ readonly kind: 'line'; readonly line: Line; readonly hue: Hue; readonly width?: number } & Labeled)
  | ({ readonly kind: 'area'; readonly times: Float64Array; readonly alpha?: number } & Limits & Labeled)
  /** Discs, or rings around observations. */
  | {
      readonly kind: 'dots';
      readonly points: Points;
      readonly hue: Hue;
      readonly radius: number;
      readonly isRing?: true;
    }
  | { readonly kind: 'rule'; readonly at: number }
  | { readonly kind: 'span'; readonly min: number; readonly max: number }
  | { readonly kind: 'fade'; readonly from: number };

interface SeriesPlot extends Partial<Pick<Frame, 'join'>> {
  readonly history: Line;
  readonly forecast?: Points | undefined;
  readonly intervals?: readonly (Limits & Labeled)[];
  readonly alpha?: number;
  readonly rules?: readonly (number | undefined)[];
  readonly widths?: readonly [history: number, forecast: number];
  readonly labels?: readonly [history: string, forecast: string];
}

/** Intervals below upright lines, these below the history, and the forecast on top, which begins at the last observation. */
export function seriesTraces(plot: SeriesPlot): Trace[] {
  const { history, forecast, join, intervals = [], alpha, rules = [], widths = [], labels = [] } = plot;
  const after = (first: number | undefined, rest: Float64Array) =>
    first === undefined ? rest : Float64Array.from([first, ...rest]);
  const areas = (forecast ? intervals : []).map(({ lower, upper, label }): Trace => {
    const start = Number.isFinite(lower[0]) && Number.isFinite(upper[0]) ? join : undefined;
    const limits = { lower: after(start?.value, lower), upper: after(start?.value, upper) };
    return { kind: 'area', times: after(start?.time, forecast!.times), ...limits, alpha, label };
  });
  const ahead = forecast && { times: after(join?.time, forecast.times), values: after(join?.value, forecast.values) };
  return [
    ...areas,
    ...rules.flatMap((at): Trace[] => (at === undefined ? [] : [{ kind: 'rule', at }])),
    { kind: 'line', line: history, hue: 'history', width: widths[0], label: labels[0] },
    ...(ahead ? [{ kind: 'line', line: ahead, hue: 'forecast', width: widths[1], label: labels[1] } as const] : []),
  ];
}

type Values = readonly (number | null)[];
type Sketch = Readonly<Partial<Record<'past' | 'ahead' | 'lower' | 'upper', Values | undefined>>>;

export function sparklineOf({ past = [], ahead = [], lower, upper }: Sketch) {
  const valuesOf = (values: Values) => Float64Array.from(values, (value) => value ?? NaN);
  const points = (values: Values, start: number) => ({
    times: Float64Array.from(values, (_, index) => start + index),
    values: valuesOf(values),
  });
  const last = past.at(-1);
  const traces = seriesTraces({
    history: points(past, 0),
    forecast: ahead.length > 0 ? points(ahead, past.length) : undefined,
    // from the last observation on, so that no hole is between the two
    join: last == null ? undefined : { time: past.length - 1, value: last },
    intervals: lower && upper ? [{ lower: valuesOf(lower), upper: valuesOf(upper) }] : [],
    alpha: 0.28,
    widths: [1.2, 1.6],
  });
  return { traces, range: { min: 0, max: Math.max(1, past.length + ahead.length - 1) } };
}

export interface OverlayLine {
  readonly label: string;
  readonly line: Points;
  /** Which of the further colors; absent for observations. */
  readonly color?: number;
}

export interface Decoration {
  readonly lines: readonly OverlayLine[];
  readonly marks: Points;
}

export const PLAIN: Decoration = { lines: [], marks: { times: new Float64Array(), values: new Float64Array() } };

export interface Shown {
  readonly frame: Frame;
  readonly hiddenIntervals?: readonly number[];
  readonly decoration?: Decoration;
}

export function tracesOf({ frame, hiddenIntervals = [], decoration = PLAIN }: Shown): Trace[] {
  const { forecast, divide, supportedUntil, valueLabel } = frame;
  const intervals = shownIntervals(forecast, hiddenIntervals).map((one) => ({ ...one, label: levelName(one.level) }));
  const labels = [valueLabel, l10n.t('Forecast')] as const;
  const lines = decoration.lines.flatMap(({ line, color, label }): Trace[] =>
    color === undefined
      ? [
          { kind: 'line', line, hue: 'history', label, width: 2 },
          { kind: 'dots', points: line, hue: 'history', radius: 3 },
        ]
      : [{ kind: 'line', line, hue: color, label }],
  );
  return [
    ...seriesTraces({ ...frame, intervals, rules: [divide], labels }),
    ...(supportedUntil === undefined ? [] : [{ kind: 'fade', from: supportedUntil } as const]),
    ...lines,
    { kind: 'dots', points: decoration.marks, hue: 'anomaly', radius: 5, isRing: true },
  ];
}
