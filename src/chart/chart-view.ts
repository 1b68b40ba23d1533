import * as l10n from '@vscode/l10n';
import { timeOfDay } from '../calendar/civil.ts';
import { inDigits, inSignificant } from '../calendar/digits.ts';
import { describeFrequency, formatInstant, stepNoun } from '../calendar/format.ts';
import type { Frequency } from '../calendar/frequency.ts';
import { frequencyCode, isBelowDay, openDaysIn, parseDuration, seasonOf } from '../calendar/frequency.ts';
import { toGrid } from '../calendar/grid.ts';
import { openTimeOfPoints } from '../calendar/open-time.ts';
import { parseTimestamp } from '../calendar/timestamp.ts';
import { UTC, type Zone, zoneOf, zoneOfPoints } from '../calendar/zone.ts';
import type { BacktestSummary, CovariateSummary, LocalPrediction, SeriesPoint } from '../contract/resources.ts';
import { PointQuantiles } from '../contract/resources.ts';

/** What a chart shows, as data: made from a prediction, drawn by a page or as a picture. Sentences come ready for the person. */

/** Something the person can do, shown as a button. The id comes back in an `action` message. */
export type Action = Readonly<Record<'id' | 'label', string>>;

/** Observations or forecast steps, times ascending. Both arrays have the same length; NaN is a missing value. */
export interface Points {
  /** Milliseconds since 1970-01-01T00:00Z. */
  readonly times: Float64Array;
  readonly values: Float64Array;
}

/** A central prediction interval: `level` per cent of outcomes are expected between `lower` and `upper`. */
export interface Interval {
  /** In per cent, such as 80. */
  readonly level: number;
  /** One number for each forecast step; NaN where the service gave none. */
  readonly lower: Float64Array;
  readonly upper: Float64Array;
}

/** The forecast: its values are the median, or the point forecast where the service gives no quantiles. */
export interface Forecast extends Points {
  readonly intervals: readonly Interval[];
}

interface ReadingRemark {
  /** Without an end, such as `58 rows were merged into another of the same time, as the mean`. */
  readonly text: string;
  /** Ranges of lines, from 1, both ends included; the page links to them where there are any. */
  readonly lines: readonly (readonly [first: number, last: number])[];
  readonly action?: Action | undefined;
}

export interface Figure {
  readonly text: string;
  readonly about: string;
  readonly isPoor: boolean;
}

export interface Notice {
  readonly sentence: string;
  readonly actions: readonly Action[];
}

export interface KnownColumn {
  readonly name: string;
  readonly kind: 'number' | 'switch' | 'text';
  readonly texts?: readonly string[];
  readonly values: Float64Array;
}

export interface Known {
  readonly times: Float64Array;
  readonly columns: readonly KnownColumn[];
}

export type ChartView = ReturnType<typeof chartView> &
  Readonly<Partial<Record<'reading' | 'actions' | 'menu', Action[]>>>;

interface ChartContext {
  readonly label?: string | undefined;
  readonly valueLabel?: string | undefined;
  readonly modelLabel?: string | undefined;
  readonly remarks?: readonly (ReadingRemark & { readonly kind: string })[] | undefined;
  readonly holidays?: number | undefined;
  readonly naiveModel?: string | undefined;
  readonly timeZone: string;
  readonly fileZone?: string | undefined;
}

export const titleOf = (prediction: LocalPrediction, label: string | undefined): string =>
  label ?? prediction.name ?? l10n.t('Prediction {0}', prediction.id.slice(-6));

/** The chart of a prediction. Points whose timestamp cannot be read are left out, and a warning says so. */
export function chartView(prediction: LocalPrediction, context: ChartContext) {
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
  return {
    title: titleOf(prediction, context.label),
    /** The data in one line: `Passengers · monthly · Jan 1949 – Dec 1960 · 144 points, no gaps`. */
    summary: summaryOf(history, { step: rows ? 'rows' : step, steps: details.gaps, zone: shown }, context),
    detail: detailOf(details, future.times.length, step, context.modelLabel ?? prediction.ai_model_id),
    figures: figuresOf(details, step),
    advice: details.backtest && adviceOf(details.backtest, naive),
    warnings: warningsOf(prediction, until, history.unread + future.unread),
    remarks: context.remarks?.map(({ kind, text, lines }): ReadingRemark => {
      const action = kind === 'totals' ? { id: 'take-totals', label: l10n.t('Include') } : undefined;
      return { text, lines, action };
    }),
    frequency: step && frequencyCode(step), // ISO 8601 duration of one step; undefined without a regular one
    /** Whether times only count the rows of a series without any time: a second apart from 1970, the first row at 0. */
    rows,
    timeZone: shown.name,
    valueLabel: context.valueLabel ?? l10n.t('Value'),
    history: { times: history.times, values: history.values },
    forecast: ahead && forecastOf(future),
    supportedUntil, // the forecast fades from this time (epoch milliseconds), which nothing in the history supports
    known: knownOf(past),
  };
}

/** A history supports a forecast of no more steps than it has observations; the time of the last such step. */
function supportOf(history: Points, future: Points): number | undefined {
  const observed = history.values.reduce((count, value) => count + (Number.isNaN(value) ? 0 : 1), 0);
  return observed > 0 && future.times.length > observed ? future.times[observed - 1] : undefined;
}

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

function detailOf({ demand }: Details, steps: number, frequency: Frequency | undefined, model: string | undefined) {
  if (steps === 0) return model && l10n.t('Model: {0}', model);
  const span = stepNoun(frequency, steps);
  const ahead = model ? l10n.t('{0} ahead by {1}', span, model) : l10n.t('{0} ahead', span);
  return demand ? `${ahead} · ${demandWords(demand, frequency)}` : ahead;
}

function demandWords({ mean, total }: NonNullable<Details['demand']>, frequency: Frequency | undefined): string {
  const number = (value: number): string => inSignificant(value, 3);
  const { 0.1: low, 0.9: high } = total.quantiles as Partial<Record<string, number>>;
  const words = l10n.t('{0} in {1} on average, {2} in total', number(mean), stepNoun(frequency, 1), number(total.mean));
  if (low === undefined || high === undefined) return words;
  return l10n.t('{0} (80% between {1} and {2})', words, number(low), number(high));
}

type Cell = number | boolean | string | null | undefined;

export function knownOf(points: readonly SeriesPoint[]): Known | undefined {
  const cells = points.map(({ metadata }) => metadata?.covariates as Readonly<Record<string, Cell>> | undefined);
  const names = new Set(cells.flatMap((each) => Object.keys(each ?? {})));
  if (names.size === 0) return undefined;
  const times = Float64Array.from(points, ({ timestamp }) => parseTimestamp(timestamp));
  const cellsOf = (name: string) => cells.map((each) => each?.[name]);
  return { times, columns: Array.from(names, (name) => columnOf(name, cellsOf(name))) };
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

export const USE_MODEL = 'use-model:';

type Details = NonNullable<LocalPrediction['details']>;

/** A backtest makes no use of covariates; where the forecast does, its figures say so. */
export function figuresOf(details: Details, frequency: Frequency | undefined): Figure[] {
  const { backtest, seasonal_periods: periods, covariates, bounds } = details;
  const tested = backtest ? backtestFigures(backtest, frequency, periods?.[0]) : [];
  const names = namesOf((covariates?.used ?? []).map(({ name }) => name));
  const without = tested.map(({ text, about, isPoor }, index) => ({
    text: index === 0 ? l10n.t('without {0}: {1}', names, text) : text,
    about: `${about} ${l10n.t('This is the forecast of the model without covariates.')}`,
    isPoor,
  }));
  const worth = covariates?.offered.length ? [covariateFigure(covariates)] : [];
  const scores = covariates?.used.length ? [...worth, ...without] : [...tested, ...worth];
  return [...scores, ...boundsFigures(bounds)];
}

/** How many percentage points an 80 % interval may cover less than 80 before it is marked, at best. */
const MOST_SHORT = 15;

function backtestFigures(tested: BacktestSummary, frequency: Frequency | undefined, period: number | undefined) {
  const { origins, horizon, skill, coverage80, mase, mase_seasonal_naive: naive } = tested;
  const ago =
    origins === 1 ? l10n.t('before the last') : l10n.t('from {0} points in the past, each before', String(origins));
  const how = l10n.t(
    'Backtest: the forecast was repeated {0} {1} of this series, without seeing them.',
    ago,
    stepNoun(frequency, horizon),
  );
  const figures: Figure[] = [];
  if (skill !== undefined) {
    const errors =
      mase === undefined || naive === undefined
        ? ''
        : l10n.t(
            ' Mean absolute scaled error (MASE, lower is better): {0}; of the seasonal naive baseline, which repeats {1}: {2}.',
            inDigits(mase, 2),
            lastSeason(frequency, period),
            inDigits(naive, 2),
          );
    const text = l10n.t('{0}, on its own history', skillWords(skill));
    figures.push({ text, about: `${how}${errors}`, isPoor: isWorse(tested) });
  }
  if (coverage80 !== undefined) {
    const covered = String(Math.round(coverage80 * 100));
    const about = l10n.t(
      '{0} The 80% interval covered {1}% of the values that followed; a good one covers about 80%.',
      how,
      covered,
    );
    const isPoor = isTooNarrow(tested);
    const text = isPoor
      ? l10n.t('80% interval covered only {0}%', covered)
      : l10n.t('80% interval covered {0}%', covered);
    figures.push({ text, about, isPoor });
  }
  if (figures.length > 0) return figures;
  const few = l10n.t('{0} That is too little for a percentage.', how);
  return [{ text: l10n.t('too little history to tell how accurate this forecast is'), about: few, isPoor: false }];
}

/** @param skill 1 − its error / that of the baseline */
export function skillWords(skill: number): string {
  const percent = Math.round(skill * 100);
  if (percent === 0) return l10n.t('as good as the seasonal naive baseline');
  return percent < 0
    ? l10n.t('{0}% worse than the seasonal naive baseline', -percent)
    : l10n.t('{0}% better than the seasonal naive baseline', percent);
}

export function adviceOf(tested: BacktestSummary, naive: string | undefined): Notice | undefined {
  const advice = (sentence: string, ...actions: Action[]): Notice => ({ sentence, actions });
  if (!isWorse(tested) && !isTooNarrow(tested)) return undefined;
  if (!isWorse(tested))
    return advice(l10n.t('Its intervals were too narrow on this history: expect larger surprises than they show.'));
  if (naive === undefined)
    return advice(l10n.t('The seasonal naive baseline did better on this series. Try another model.'));
  const use = { id: `${USE_MODEL}${naive}`, label: l10n.t('Use It') };
  return advice(l10n.t('The seasonal naive baseline did better on this series.'), use);
}

const isWorse = ({ skill }: BacktestSummary): boolean => skill !== undefined && Math.round(skill * 100) < 0;

function isTooNarrow({ coverage80, origins, horizon }: BacktestSummary): boolean {
  if (coverage80 === undefined) return false;
  const chance = 200 * Math.sqrt((0.8 * 0.2) / Math.max(1, origins * horizon));
  return 80 - coverage80 * 100 > Math.max(MOST_SHORT, chance);
}

function lastSeason(frequency: Frequency | undefined, period: number | undefined): string {
  const season = seasonOf(frequency, period);
  if (typeof season === 'object') return l10n.t('the last {0}', stepNoun(frequency, season.steps));
  return {
    value: l10n.t('the last value'),
    year: l10n.t('last year'),
    week: l10n.t('last week'),
    day: l10n.t('yesterday'),
    hour: l10n.t('the last hour'),
  }[season];
}

function covariateFigure(summary: CovariateSummary): Figure {
  const { used, offered, backtest } = summary;
  if (used.length === 0) {
    const text = l10n.t('without {0}', namesOf(offered));
    return { text, about: l10n.t('This did not help in a backtest, so it is not used.'), isPoor: false };
  }
  const effects = used.map(({ name, effect, low, high }) =>
    l10n.t('{0}: {1} from {2} to {3}', name, signed(effect), short(low), short(high)),
  );
  const gain = gainOf(summary);
  const tested =
    backtest &&
    l10n.t(
      'Mean absolute error in a backtest from {0} points in the past: {1}; without: {2}.',
      String(backtest.origins),
      short(backtest.mae),
      short(backtest.mae_without),
    );
  const effect = `${l10n.t('Effects, all else being equal:')} ${effects.join('; ')}.`;
  const names = namesOf(used.map(({ name }) => name));
  const text =
    gain > 0 ? l10n.t('with {0}: {1}% less error than without', names, String(gain)) : l10n.t('with {0}', names);
  return { text, about: [tested, effect].filter(Boolean).join(' '), isPoor: false };
}

/** How much less the error was with covariates than without, in percent of that; 0 or less where they did not help. */
export const gainOf = ({ backtest }: CovariateSummary): number =>
  backtest && backtest.mae_without > 0 ? Math.round(100 * (1 - backtest.mae / backtest.mae_without)) : 0;

export function namesOf(names: readonly string[]): string {
  const shown = names.slice(0, 3).join(', ');
  return names.length > 3 ? l10n.t('{0} and {1} more', shown, String(names.length - 3)) : shown;
}

export const short = (value: number): string => String(Number(value.toPrecision(3)));
export const signed = (value: number): string => (value > 0 ? `+${short(value)}` : short(value).replace('-', '−'));

function boundsFigures(bounds: Details['bounds']): Figure[] {
  const { floor, capacity, whole, not_negative: isNotNegative } = bounds ?? {};
  const text = (bound: unknown): string => (typeof bound === 'number' ? inDigits(bound) : String(bound));
  const parts: string[] = [];
  if (floor != null && capacity != null) parts.push(l10n.t('between {0} and {1}', text(floor), text(capacity)));
  else if (capacity != null) parts.push(l10n.t('at most {0}', text(capacity)));
  else if (floor != null) parts.push(l10n.t('at least {0}', text(floor)));
  if (isNotNegative && !(typeof floor === 'number' && floor >= 0)) parts.push(l10n.t('not negative'));
  if (isNotNegative === false && floor == null) parts.push(l10n.t('may be negative'));
  if (whole) parts.push(l10n.t('whole numbers'));
  const about = l10n.t('The forecast and its intervals stay within these bounds, as requested.');
  return parts.length > 0 ? [{ text: parts.join(', '), about, isPoor: false }] : [];
}
