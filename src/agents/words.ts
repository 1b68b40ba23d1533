import { formatInstant } from '../calendar/format.ts';
import type { Frequency } from '../calendar/frequency.ts';
import { stepNoun } from '../calendar/words.ts';
import { parseDuration } from '../calendar/duration.ts';
import { seasonOf } from '../calendar/season.ts';
import { type BacktestSummary, type LocalPrediction, PointQuantiles } from '../contract/resources.ts';
import { printable } from '../contract/texts.ts';
import { parseTimestamp } from '../calendar/timestamp.ts';
import { UTC, type Zone } from '../calendar/zone.ts';

/** A prediction in numbers: one row a step, `NaN` where a quantile is absent. */
export interface Steps {
  readonly times: readonly number[];
  readonly median: readonly number[];
  /** Lower and upper limits by level in percent, widest last. */
  readonly intervals: readonly {
    readonly level: number;
    readonly lower: readonly number[];
    readonly upper: readonly number[];
  }[];
}

/** The steps of a prediction. @param levels in percent; those that the prediction does not have are left out */
export function stepsOf({ prediction_series: points = [] }: LocalPrediction, levels: readonly number[]): Steps {
  const quantiles = points.map(({ metadata }) => {
    const read = PointQuantiles.safeParse(metadata);
    return new Map(
      Object.entries(read.success ? read.data.quantiles : {}).map(([level, value]) => [Number(level), value]),
    );
  });
  const at = (level: number) =>
    quantiles.map((one) => [...one].find(([known]) => Math.abs(known - level) < 1e-9)?.[1] ?? NaN);
  const median = at(0.5);
  return {
    times: points.map(({ timestamp }) => parseTimestamp(timestamp)),
    median: points.map(({ value }, step) => (Number.isNaN(median[step]) ? (value ?? NaN) : median[step])),
    intervals: [...new Set(levels)]
      .toSorted((a, b) => a - b)
      .map((level) => ({ level, lower: at((1 - level / 100) / 2), upper: at((1 + level / 100) / 2) }))
      .filter(({ lower, upper }) => lower.some((value) => !Number.isNaN(value)) && !upper.every(Number.isNaN)),
  };
}

/**
 * Writes the numbers of a forecast with the digits that it supports: two figures of the width of its widest interval, or four
 * of its values where it has no interval.
 */
export function rounder({ median, intervals }: Steps): (value: number) => string {
  const interval = intervals.at(-1);
  const widths = interval
    ? interval.upper.map((upper, step) => upper - interval.lower[step]).filter((width) => width > 0)
    : [];
  const sizes = median.map(Math.abs).filter((size) => size > 0);
  return figures(middle(widths) ?? (middle(sizes) ?? 1) / 100);
}

/** Writes numbers with two figures of this scale. */
export function figures(scale: number): (value: number) => string {
  const decimals = scale > 0 ? Math.min(12, Math.max(0, 1 - Math.floor(Math.log10(scale)))) : 2;
  return (value) => {
    if (!Number.isFinite(value)) return '–';
    const isHuge = Math.abs(value) >= 1e15;
    return String(Number(isHuge ? value.toPrecision(6) : value.toFixed(decimals)));
  };
}

function middle(values: readonly number[]): number | undefined {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

export const frequencyOf = ({ details }: LocalPrediction): Frequency | undefined =>
  details?.frequency === undefined ? undefined : parseDuration(details.frequency);

/** Times as the frequency writes them, on the clock of the series; steps where it has no times. */
export function timeWriter(
  frequency: Frequency | undefined,
  hasTimes: boolean,
  zone: Zone = UTC,
): (time: number, step: number) => string {
  return (time, step) => (hasTimes ? formatInstant(time, frequency, zone) : `+${step + 1}`);
}

/** Maximum length of a name in an answer. */
const LONGEST_NAME = 160;

/** A name on one line without invisible characters: names are untrusted, and must not look like part of an answer. */
export function nameOf(text: string): string {
  const plain = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
  return plain.length > LONGEST_NAME ? `${plain.slice(0, LONGEST_NAME)}…` : plain;
}

/** A name to call with again, as JSON; what is not seen is written as its code. */
export const quoted = (name: string): string => printable(JSON.stringify(name));

/** Rows of a forecast as comma-separated text, header first. */
export function tableOf(
  steps: Steps,
  when: (time: number, step: number) => string,
  number: (value: number) => string,
  [from, to]: readonly [number, number],
): string {
  const header = ['when', 'forecast', ...steps.intervals.flatMap(({ level }) => [`${level}% low`, `${level}% high`])];
  const rows = steps.times.slice(from, to).map((time, index) => {
    const step = from + index;
    const limits = steps.intervals.flatMap(({ lower, upper }) => [number(lower[step]), number(upper[step])]);
    return [when(time, step), number(steps.median[step]), ...limits].join(', ');
  });
  return [header.join(', '), ...rows].join('\n');
}

/** What the whole of a forecast comes to: its total, mean, lowest and highest step. */
export function summaryOf(
  { times, median }: Steps,
  when: (time: number, step: number) => string,
  number: (value: number) => string,
): string {
  const known = median.map((value, step) => ({ value, step })).filter(({ value }) => Number.isFinite(value));
  if (known.length === 0) return '';
  const total = known.reduce((sum, { value }) => sum + value, 0);
  const low = known.reduce((least, one) => (one.value < least.value ? one : least));
  const high = known.reduce((most, one) => (one.value > most.value ? one : most));
  const at = ({ value, step }: { value: number; step: number }) => `${number(value)} (${when(times[step], step)})`;
  return `Over all ${known.length} steps: mean ${number(total / known.length)}, sum of the medians ${number(total)}, lowest ${at(low)}, highest ${at(high)}.`;
}

/** A backtest in words for readers who do not know MASE. */
export function accuracyOf(
  tested: BacktestSummary | undefined,
  frequency: Frequency | undefined,
  period: number | undefined,
): string {
  if (tested === undefined) return 'Accuracy: not tested on its own history, so treat the intervals with caution.';
  const words: string[] = [];
  const than = `the seasonal naive baseline (repeating ${lastSeason(frequency, period)})`;
  if (tested.skill !== undefined) {
    const percent = Math.round(Math.abs(tested.skill) * 100);
    words.push(
      percent === 0 ? `as good as ${than}` : `${percent}% ${tested.skill > 0 ? 'better' : 'worse'} than ${than}`,
    );
  }
  if (tested.coverage80 !== undefined)
    words.push(`the 80% interval covered ${Math.round(tested.coverage80 * 100)}% of the observations`);
  const scores = [
    tested.mase === undefined
      ? []
      : [
          `MASE ${score(tested.mase)}${tested.mase_seasonal_naive === undefined ? '' : `, seasonal naive ${score(tested.mase_seasonal_naive)}`}`,
        ],
    tested.smape === undefined ? [] : [`sMAPE ${score(tested.smape)}%`],
  ].flat();
  const advice =
    tested.skill !== undefined && tested.skill < -0.02
      ? ' The seasonal naive baseline did better here: tell the person, and try the model seasonal-naive or compare_models.'
      : '';
  const folds = `${tested.origins} ${tested.origins === 1 ? 'origin' : 'origins'}, ${stepNoun(frequency, tested.horizon)} each`;
  return `Accuracy on its own history (${folds}): ${words.join('; ') || 'no score'}${scores.length > 0 ? ` (${scores.join('; ')})` : ''}.${advice}`;
}

const score = (value: number) => value.toFixed(2);

const LAST = {
  value: 'the last value',
  year: 'last year',
  week: 'last week',
  day: 'yesterday',
  hour: 'the last hour',
} as const;

/** In English as all that a model reads, whatever the language of the editor is. */
function lastSeason(frequency: Frequency | undefined, period: number | undefined): string {
  const season = seasonOf(frequency, period);
  return typeof season === 'object' ? `the last ${stepNoun(frequency, season.steps)}` : LAST[season];
}
