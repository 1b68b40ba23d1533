import * as l10n from '@vscode/l10n';
import { formatInstant, describeFrequency, stepNoun } from '../calendar/format.ts';
import { timeOfDay } from '../calendar/civil.ts';
import { type Frequency, isBelowDay, openDaysIn, frequencyCode, parseDuration } from '../calendar/frequency.ts';
import { openTimeOfPoints } from '../calendar/open-time.ts';
import { toGrid } from '../calendar/grid.ts';
import { type LocalPrediction, PointQuantiles, type SeriesPoint } from '../contract/resources.ts';
import { parseTimestamp } from '../calendar/timestamp.ts';
import { UTC, type Zone, zoneOf, zoneOfPoints } from '../calendar/zone.ts';
import { adviceOf, figuresOf } from './figures.ts';
import {
  type ChartView,
  type Forecast,
  type Interval,
  type Known,
  type KnownColumn,
  type Points,
  type ReadingRemark,
} from './types.ts';
import { inSignificant } from '../calendar/digits.ts';

interface ChartContext {
  readonly label?: string | undefined;
  readonly valueLabel?: string | undefined;
  readonly modelLabel?: string | undefined;
  readonly remarks?: readonly (ReadingRemark & { readonly kind: string })[] | undefined;
  /** Steps without a row that are holidays and no gaps. */
  readonly holidays?: number | undefined;
  /** Id of seasonal naive at the service, where that has it. */
  readonly naiveModel?: string | undefined;
  /** The setting: `file` for that of the file, `UTC`, or an IANA name. */
  readonly timeZone: string;
  /** The zone that the file is written in, where it is known and not UTC. */
  readonly fileZone?: string | undefined;
}

export const titleOf = (prediction: LocalPrediction, label: string | undefined): string =>
  label ?? prediction.name ?? l10n.t('Prediction {0}', prediction.id.slice(-6));

/** The chart of a prediction. Points whose timestamp cannot be read are left out, and a warning says so. */
export function chartView(prediction: LocalPrediction, context: ChartContext): ChartView {
  const { input_series: past = [], prediction_series: ahead, details = {} } = prediction;
  // at the end may be points that only say what is known of the future
  const end =
    past.findLastIndex(({ value, metadata }) => value !== undefined || metadata?.covariates === undefined) + 1;
  const history = toPoints(past.slice(0, end));
  const future = toPoints(ahead ?? []);
  const rows = history.points.length > 0 && history.points.every(({ metadata }) => typeof metadata?.row === 'number');
  const zone = zoneOf(context.fileZone ?? zoneOfPoints(past).name);
  const grid = rows ? { frequency: null } : { zone, open: openTimeOfPoints(past) };
  const reported = details.frequency ? parseDuration(details.frequency) : undefined;
  const step = reported ?? toGrid(history.times, history.values, grid).frequency;
  const shown = shownZone(zone, step, context.timeZone, history.times, future.times);
  const naive = context.naiveModel === prediction.ai_model_id ? undefined : context.naiveModel;
  const supportedUntil = supportOf(history, future);
  const until = supportedUntil === undefined ? undefined : formatInstant(supportedUntil, step, shown);
  const { remarks } = context;
  return {
    title: titleOf(prediction, context.label),
    summary: summaryOf(history, { step: rows ? 'rows' : step, steps: details.gaps, zone: shown }, context),
    detail: detailOf(details, future.times.length, step, context.modelLabel ?? prediction.ai_model_id),
    figures: figuresOf(details, step),
    advice: details.backtest && adviceOf(details.backtest, naive),
    warnings: warningsOf(prediction, until, history.unread + future.unread),
    ...(remarks && {
      remarks: remarks.map(({ kind, text, lines }) => ({
        text,
        lines,
        ...(kind === 'totals' && { action: { id: 'take-totals', label: l10n.t('Include') } }),
      })),
    }),
    frequency: step && frequencyCode(step),
    rows,
    timeZone: shown.name,
    valueLabel: context.valueLabel ?? l10n.t('Value'),
    history: { times: history.times, values: history.values },
    forecast: ahead && forecastOf(future),
    supportedUntil,
    known: knownOf(past),
  };
}

/** A history supports a forecast of no more steps than it has observations; the time of the last such step. */
function supportOf(history: Points, future: Points): number | undefined {
  const observed = history.values.reduce((count, value) => count + (Number.isNaN(value) ? 0 : 1), 0);
  return observed > 0 && future.times.length > observed ? future.times[observed - 1] : undefined;
}

/** @param until the last moment that the history supports, where the forecast goes further */
function warningsOf(
  { status, details, prediction_series }: LocalPrediction,
  until: string | undefined,
  unread: number,
): string[] {
  const warnings = [...(details?.warnings ?? [])];
  if (status === 'COMPLETED' && !prediction_series?.length)
    warnings.push(l10n.t('The service says COMPLETED but sent no forecast.'));
  if (until !== undefined) {
    const sentence = l10n.t(
      'The forecast is longer than the history. Steps after {0} are drawn faded because the history does not support them.',
      until,
    );
    warnings.push(sentence);
  }
  if (unread > 0) warnings.push(l10n.t('{0} points were left out because their timestamps cannot be read.', unread));
  return warnings;
}

/**
 * The zone that times in milliseconds are shown in. Days and longer steps are dates of the file's own calendar, and must not
 * move with the zone that is set. Dates without a zone are sent as midnights in UTC; other times in UTC may be midnights of
 * the zone that is set. A `NaN` says nothing.
 */
export function shownZone(
  file: Zone,
  step: Frequency | undefined,
  setting: string,
  ...times: readonly (Float64Array | readonly number[])[]
): Zone {
  const isMidnight = (time: number) => Number.isNaN(time) || timeOfDay(time) === 0;
  const isLong = step !== undefined && !isBelowDay(step);
  const isDated = isLong && (file !== UTC || times.every((some) => some.every(isMidnight)));
  return setting === 'file' || isDated ? file : zoneOf(setting);
}

/** Points in time order, without those whose time cannot be read. */
function toPoints(series: readonly SeriesPoint[]) {
  const read = Float64Array.from(series, ({ timestamp }) => parseTimestamp(timestamp));
  const isInOrder = read.every((time, index) => time >= (index === 0 ? -Infinity : read[index - 1]));
  const order = isInOrder
    ? undefined
    : [...read.keys()].filter((index) => !Number.isNaN(read[index])).sort((a, b) => read[a] - read[b]);
  const points = order?.map((index) => series[index]) ?? series;
  return {
    times: order ? Float64Array.from(order, (index) => read[index]) : read,
    values: Float64Array.from(points, ({ value }) => value ?? NaN),
    points,
    unread: series.length - points.length,
  };
}

export type QuantilePair = ReturnType<typeof quantilePairs>[number];

/** The central intervals, in percent, that quantiles of these levels, 0 to 1 as texts, are limits of; narrowest first. */
export const quantilePairs = (levels: readonly string[]) =>
  levels
    .flatMap((low) => {
      const high = levels.find((level) => Math.abs(Number(level) + Number(low) - 1) < 1e-9);
      const level = Number(((1 - 2 * Number(low)) * 100).toPrecision(6));
      return Number(low) < 0.5 && high !== undefined ? [{ level, low, high }] : [];
    })
    .sort((a, b) => a.level - b.level);

function forecastOf({ times, values, points }: ReturnType<typeof toPoints>): Forecast {
  const quantiles = points.map(({ metadata }) => PointQuantiles.safeParse(metadata).data?.quantiles ?? {});
  const levels = [...new Set(quantiles.flatMap((one) => Object.keys(one)))];
  const at = (level: string) => Float64Array.from(quantiles, (one) => one[level] ?? NaN);
  const intervals = quantilePairs(levels)
    .reverse()
    .map(({ level, low, high }): Interval => ({ level, lower: at(low), upper: at(high) }));
  const median = levels.find((level) => Number(level) === 0.5);
  return { times, values: median ? at(median) : values, intervals };
}

function summaryOf(
  { times, values }: Points,
  { step, steps, zone }: { step: Frequency | 'rows' | undefined; steps: number | undefined; zone: Zone },
  { valueLabel, holidays = 0 }: ChartContext,
): string {
  if (times.length === 0) return l10n.t('The service sent no history with this prediction.');
  const missing = values.reduce((count, value) => count + (Number.isNaN(value) ? 1 : 0), 0);
  const frequency = step === 'rows' ? undefined : step;
  const first = formatInstant(times[0], frequency, zone);
  const last = formatInstant(times[times.length - 1], frequency, zone);
  const days = frequency ? openDaysIn(frequency, holidays) : holidays;
  const points = [
    stepNoun(undefined, times.length),
    steps === undefined ? undefined : gapWords(Math.max(0, steps - holidays)),
    days > 0 ? (days === 1 ? l10n.t('1 holiday') : l10n.t('{0} holidays', days)) : undefined,
    missing > 0 ? (missing === 1 ? l10n.t('1 missing value') : l10n.t('{0} missing values', missing)) : undefined,
  ];
  const parts = [
    valueLabel,
    step === 'rows' ? l10n.t('by row') : frequency ? describeFrequency(frequency) : l10n.t('no regular step'),
    step === 'rows' ? undefined : first === last ? first : `${first} – ${last}`,
    points.filter(Boolean).join(', '),
  ];
  return parts.filter(Boolean).join(' · ');
}

const gapWords = (gaps: number): string =>
  gaps === 0 ? l10n.t('no gaps') : gaps === 1 ? l10n.t('1 gap') : l10n.t('{0} gaps', gaps);

type Details = NonNullable<LocalPrediction['details']>;

function detailOf({ demand }: Details, steps: number, frequency: Frequency | undefined, model: string | undefined) {
  if (steps === 0) return model && l10n.t('Model: {0}', model);
  const span = stepNoun(frequency, steps);
  const ahead = model ? l10n.t('{0} ahead by {1}', span, model) : l10n.t('{0} ahead', span);
  return demand ? `${ahead} · ${demandWords(demand, frequency)}` : ahead;
}

/** “on average 1.4 in 1 month, in all 17 (80 % between 9 and 27)” */
function demandWords({ mean, total }: NonNullable<Details['demand']>, frequency: Frequency | undefined): string {
  const number = (value: number): string => inSignificant(value, 3);
  const { 0.1: low, 0.9: high } = total.quantiles as Partial<Record<string, number>>;
  const words = l10n.t('{0} in {1} on average, {2} in total', number(mean), stepNoun(frequency, 1), number(total.mean));
  if (low === undefined || high === undefined) return words;
  return l10n.t('{0} (80% between {1} and {2})', words, number(low), number(high));
}

type Cell = number | boolean | string | null | undefined;

/** What points say besides their values, by columns. */
export function knownOf(points: readonly SeriesPoint[]): Known | undefined {
  const cells = points.map(({ metadata }) => metadata?.covariates as Readonly<Record<string, Cell>> | undefined);
  const names = new Set(cells.flatMap((each) => Object.keys(each ?? {})));
  if (names.size === 0) return undefined;
  const times = Float64Array.from(points, ({ timestamp }) => parseTimestamp(timestamp));
  const columns = Array.from(names, (name) =>
    columnOf(
      name,
      cells.map((each) => each?.[name]),
    ),
  );
  return { times, columns };
}

function columnOf(name: string, cells: readonly Cell[]): KnownColumn {
  const isMissing = (cell: Cell) => cell === null || cell === undefined || cell === '';
  const known = cells.filter((cell) => !isMissing(cell));
  if (!known.every((cell) => Number.isFinite(Number(cell)))) {
    const texts = [...new Set(known.map(String))].sort((a, b) => a.localeCompare(b));
    const places = new Map(texts.map((text, place) => [text, place]));
    return { name, kind: 'text', texts, values: Float64Array.from(cells, (cell) => places.get(String(cell)) ?? NaN) };
  }
  const values = Float64Array.from(cells, (cell) => (isMissing(cell) ? NaN : Number(cell)));
  const isSwitch = known.length > 0 && values.every((value) => value === 0 || value === 1 || Number.isNaN(value));
  return { name, kind: isSwitch ? 'switch' : 'number', values };
}
