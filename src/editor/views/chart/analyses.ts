import * as vscode from 'vscode';
import { DAY } from '../../../calendar/civil.ts';
import { inDigits, inPercent, inSignificant } from '../../../calendar/digits.ts';
import { approximateStep, type Frequency, isBelowDay, seasonOf } from '../../../calendar/frequency.ts';
import { parseTimestamp } from '../../../calendar/timestamp.ts';
import { stepNoun } from '../../../calendar/format.ts';
import { type Action, namesOf, type Points, type QuantilePair } from '../../../chart/chart-view.ts';
import { quantilePairs, skillWords } from '../../../chart/chart-view.ts';
import { nearest } from '../../../chart/frame.ts';
import type { Capabilities } from '../../../client/capabilities.ts';
import type { ServiceClient } from '../../../client/client.ts';
import type * as local from '../../../contract/resources.ts';
import { parseNumber } from '../../../reading/values/numbers.ts';
import type { Source } from '../../connection/memory.ts';
import { setting } from '../../names.ts';
import { type FileProblems, SOURCE } from '../../files/series-file.ts';
import { inBackground, say } from '../../ui/say.ts';
import { coverageOf, frequencyOf, meanOf, scoresOf } from './comparison.ts';

interface Request {
  readonly client: ServiceClient;
  readonly prediction: local.LocalPrediction;
  readonly rarity?: number | undefined;
  readonly actions: readonly Action[];
  readonly signal: AbortSignal;
}

const DEFAULT_RARITY = 1000;

const operations = {
  backtest: {
    needs: 'getBacktest',
    run: async ({ client, prediction, signal }: Request) =>
      backtestView(await client.do('getBacktest', { id: prediction.id, signal }), frequencyOf(prediction)),
  },
  decomposition: {
    needs: 'getDecomposition',
    run: async ({ client, prediction, signal }: Request) =>
      decompositionView(await client.do('getDecomposition', { id: prediction.id, signal }), frequencyOf(prediction)),
  },
  anomalies: {
    needs: 'findAnomalies',
    run: async ({ client, prediction, rarity = setting('markAnomalies') || DEFAULT_RARITY, ...request }: Request) => {
      const body = { series: prediction.input_series ?? [], rarity };
      const found = await client.do('findAnomalies', { body, signal: request.signal });
      return anomaliesView(found, prediction, request.actions);
    },
  },
} as const;

type Operations = typeof operations;
export type Analysis = keyof Operations;
export const ANALYSES = Object.keys(operations) as Analysis[];
export type Analyses = { readonly [A in Analysis]: Awaited<ReturnType<Operations[A]['run']>> };

export const analysesOf = (offers: Capabilities): readonly Analysis[] =>
  ANALYSES.filter((analysis) => offers.has(operations[analysis].needs));

/** @throws ServiceError */
export const analyze = async (analysis: Analysis, request: Request): Promise<Analyses[Analysis]> =>
  operations[analysis].run(request);

const DRAWN = 80; // the level of the interval that is drawn; the widest one if it is missing

export function backtestView(backtest: local.Backtest, frequency: Frequency | undefined) {
  const { folds, horizon } = backtest;
  const intervals = quantilePairs(Object.keys(folds[0]?.points[0]?.quantiles ?? {}));
  const drawn = intervals.find(({ level }) => level === DRAWN) ?? intervals.at(-1);
  const model = scoresOf(backtest);
  const naive = scoresOf(backtest, undefined, 'seasonal_naive');
  const points = folds.flatMap((fold) => fold.points);
  return {
    sentences: [
      vscode.l10n.t(
        'The forecast was repeated from earlier points ({0}), each {1} ahead, without seeing the values that followed.',
        folds.length,
        stepNoun(frequency, horizon),
      ),
      ...verdict(model.mase, naive.mase),
    ],
    folds: folds.map((fold) => foldView(fold, drawn)),
    ...(drawn ? { level: drawn.level } : {}),
    scores: [
      { label: vscode.l10n.t('Forecast'), ...model },
      { label: vscode.l10n.t('Seasonal naive'), ...naive },
    ],
    errors: { model: errorsOf(folds, horizon, 'value'), naive: errorsOf(folds, horizon, 'seasonal_naive') },
    coverage: intervals.flatMap(({ level, low, high }) => {
      const covered = coverageOf(points, low, high);
      return covered === undefined ? [] : [{ level, covered: covered * 100 }];
    }),
  };
}

function verdict(mase: number | undefined, naive: number | undefined): string[] {
  if (mase === undefined || naive === undefined || !(naive > 0)) return [];
  const words = skillWords(1 - mase / naive);
  return [vscode.l10n.t('MASE {0} against {1}: {2}.', inDigits(mase, 2), inDigits(naive, 2), words)];
}

function foldView({ cutoff, points }: local.BacktestFold, interval: QuantilePair | undefined) {
  const times = Float64Array.from(points, ({ timestamp }) => parseTimestamp(timestamp));
  const limit = (key = '') => Float64Array.from(points, ({ quantiles }) => quantiles?.[key] ?? NaN);
  return {
    origin: parseTimestamp(cutoff),
    forecast: { times, values: Float64Array.from(points, ({ value }) => value) },
    naive: { times, values: Float64Array.from(points, (point) => point.seasonal_naive) },
    lower: limit(interval?.low),
    upper: limit(interval?.high),
  };
}

const errorsOf = (folds: readonly local.BacktestFold[], horizon: number, value: 'value' | 'seasonal_naive') =>
  Float64Array.from({ length: horizon }, (_, step) => {
    const observed = folds.flatMap(({ points }) => points[step] ?? []).filter(({ actual }) => actual !== undefined);
    return meanOf(observed.map((point) => Math.abs(point.actual! - point[value]))) ?? NaN;
  });

const LEAST_MOVE = 0.01; // a trend that moves by less than this share of its level over the whole horizon stays level

export function decompositionView(
  { timestamps, forecast_from: from, components }: local.Decomposition,
  frequency: Frequency | undefined,
) {
  const times = Float64Array.from(timestamps, parseTimestamp);
  const [trend, shift] = ['trend', 'shift'].map((kind) => components.find((one) => one.kind === kind));
  const level = (index: number) => (trend?.values[index] ?? 0) + (shift?.values[index] ?? 0);
  const ofKind = (wanted: string) => components.filter(({ kind }) => kind === wanted);
  return {
    sentences: [
      ...(trend ? trendWords(trend, from, frequency) : []),
      ...ofKind('seasonal').flatMap((season) => seasonWords(season, level, times, frequency)),
      ...ofKind('covariate').map(covariateWords),
      ...(shift ? [shiftWords(shift, from)] : []),
    ],
    components: components.map((component) => {
      const values = Float64Array.from(component.values, (value) => value ?? NaN);
      const history: Points = { times: times.slice(0, from), values: values.slice(0, from) };
      const forecast: Points = { times: times.slice(from), values: values.slice(from) };
      return { label: labelOf(component, frequency), history, forecast, isAroundZero: component.kind !== 'trend' };
    }),
  };
}

const labelOf = ({ kind, period, names = [] }: local.Component, frequency: Frequency | undefined): string =>
  new Map([
    ['trend', vscode.l10n.t('Trend')],
    ['shift', vscode.l10n.t('Level shifts')],
    ['remainder', vscode.l10n.t('Remainder')],
    ['seasonal', vscode.l10n.t('Seasonal ({0})', stepNoun(frequency, Math.round(period ?? 1)))],
    ['covariate', namesOf(names)],
  ]).get(kind) ?? kind;

const short = (value: number): string => inSignificant(value, 2);

function shiftWords({ values }: local.Component, from: number): string {
  const count = values.slice(1, from).filter((value, index) => value !== values[index]).length;
  return vscode.l10n.t('level shifts: {0}', count);
}

function covariateWords({ names = [], values }: local.Component): string {
  const known = values.filter((value) => value !== null);
  const least = known.reduce((a, b) => Math.min(a, b), 0);
  const most = known.reduce((a, b) => Math.max(a, b), 0);
  return vscode.l10n.t('{0} adds between {1} and {2}', namesOf(names), short(least), short(most));
}

function trendWords({ values }: local.Component, from: number, frequency: Frequency | undefined): string[] {
  const last = values[from - 1];
  const end = values.at(-1);
  const steps = values.length - from;
  if (last == null || end == null || steps < 1) return [];
  const step = (end - last) / steps;
  if (Math.abs(end - last) <= LEAST_MOVE * Math.max(Math.abs(last), Math.abs(end)))
    return [vscode.l10n.t('Stays level')];
  const per = stepNoun(frequency, 1).replace(/^1 /, '');
  return [
    step > 0
      ? vscode.l10n.t('Rises by {0} per {1}', short(step), per)
      : vscode.l10n.t('Falls by {0} per {1}', short(-step), per),
  ];
}

/** “July is 23% above, November 21% below”: the ends of the last cycle. */
function seasonWords(
  { values, period = 1 }: local.Component,
  levelAt: (index: number) => number,
  times: Float64Array,
  frequency: Frequency | undefined,
): string[] {
  const first = Math.max(0, values.length - Math.round(period));
  const cycle = values.slice(first).map((value, index) => {
    return { value: value ?? 0, level: levelAt(first + index), time: times[first + index] };
  });
  if (cycle.length === 0) return [];
  const isShare = cycle.every(({ level, value }) => level > 0 && Math.abs(value) < 2 * level);
  type Place = (typeof cycle)[number];
  const size = ({ value, level }: Place) => (isShare ? value / level : value);
  const high = cycle.reduce((a, b) => (size(b) > size(a) ? b : a));
  const low = cycle.reduce((a, b) => (size(b) < size(a) ? b : a));
  const sizeWords = (one: Place) =>
    isShare ? inPercent(String(Math.round(Math.abs(size(one)) * 100))) : short(Math.abs(size(one)));
  const [highest, lowest] = [high, low].map(({ time }) => phaseName(time, period, frequency));
  return highest === undefined || lowest === undefined
    ? [vscode.l10n.t('its seasonal component ranges from {0} below to {1} above', sizeWords(low), sizeWords(high))]
    : [vscode.l10n.t('{0} is {1} above, {2} {3} below', highest, sizeWords(high), lowest, sizeWords(low))];
}

/** As on the axis and in the table: 18:00 in every language. */
const CLOCK = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;

function phaseName(time: number, period: number, frequency: Frequency | undefined): string | undefined {
  if (!frequency) return undefined;
  const step = approximateStep(frequency);
  const name = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(vscode.env.language, { ...options, timeZone: 'UTC' }).format(time);
  const season = seasonOf(frequency, period);
  if (season === 'week') return name({ weekday: 'long', ...(isBelowDay(frequency) ? CLOCK : {}) });
  if (season === 'day') return name(CLOCK);
  if (season !== 'year') return undefined;
  if (step >= 80 * DAY) return vscode.l10n.t('Quarter {0}', Math.floor(new Date(time).getUTCMonth() / 3) + 1);
  return step >= 27 * DAY ? name({ month: 'long' }) : name({ month: 'long', day: 'numeric' });
}

const RARITIES = [100, 1000, 10_000];

export function anomaliesView(
  { points, rarity, judged }: local.Anomalies,
  { input_series: series = [] }: local.LocalPrediction,
  actions: readonly Action[],
) {
  const times = Float64Array.from(series, ({ timestamp }) => parseTimestamp(timestamp));
  const found = points.map((point) => {
    const time = parseTimestamp(point.timestamp);
    const row = nearest(times, time);
    const { value, expected } = point;
    return { time: times[row] ?? time, after: times.length - 1 - row, value, expected, about: anomalyWords(point) };
  });
  const sentence = vscode.l10n.t(
    'Anomalies among {0} observations: {1} (threshold: 1 in {2} by chance).',
    inDigits(judged),
    found.length,
    inDigits(rarity),
  );
  return { sentence, points: found, rarity, rarities: RARITIES, actions: found.length > 0 ? actions : [] };
}

/** “1 in 4,000 · 5.1 times the usual deviation” */
function anomalyWords({ value, expected, scale, rarity, sign }: local.Anomaly): string {
  const deviation = scale > 0 ? Math.abs(value - expected) / scale : 0;
  return [
    vscode.l10n.t('1 in {0}', inDigits(rarity)),
    vscode.l10n.t('{0} times the usual deviation', inDigits(deviation, 1)),
    ...(sign === 'stretch' ? [vscode.l10n.t('end of unusual movement')] : []),
    ...(sign === 'level' ? [vscode.l10n.t('away from the usual level')] : []),
  ].join(' · ');
}

export async function markAnomalies(
  { log, problems }: { readonly log: vscode.LogOutputChannel; readonly problems: FileProblems },
  source: Source,
  { points }: Analyses['anomalies'],
) {
  const { fileName, uri: address = '' } = source;
  try {
    const uri = vscode.Uri.parse(address);
    const document = await vscode.workspace.openTextDocument(uri);
    const places = linesOf(document.getText().split(/\r\n|\r|\n/), source, points);
    const diagnostics = places.map(({ line, point: { value, expected, about } }) => {
      const short = String(Number(expected.toPrecision(4)));
      const message = vscode.l10n.t('{0} was unexpected here; about {1} was expected. {2}', value, short, about);
      const severity = vscode.DiagnosticSeverity.Information;
      return Object.assign(new vscode.Diagnostic(document.lineAt(line).range, message, severity), { source: SOURCE });
    });
    problems.mark(uri, diagnostics);
    await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside, preview: true });
    if (places.length === points.length) return;
    const found = vscode.l10n.t('{0} of {1} anomalies were found in {2}.', places.length, points.length, fileName);
    inBackground(log, say.info(found));
  } catch (error) {
    log.warn(`Anomalies of ${fileName}: ${String(error)}`);
    inBackground(log, say.warning(vscode.l10n.t('{0} cannot be shown.', fileName)));
  }
}

/** The lines of anomalies, from 0: of those with the same number, the nearest. Those of merged rows are not found. */
export function linesOf<P extends { readonly value: number; readonly after: number }>(
  lines: readonly string[],
  { format, idColumn, id }: Pick<Source, 'format' | 'idColumn' | 'id'>,
  points: readonly P[],
): { line: number; point: P }[] {
  const first = format.skippedLines + (format.header ? 1 : 0);
  const numbers = lines.map((text, line) => (line < first ? [] : numbersOf(text, format)));
  const last = numbers.findLastIndex((found) => found.some(Number.isFinite));
  const isOwn = (line: number) => idColumn === undefined || lines[line].includes(id);
  return points.flatMap((point) => {
    const expected = last - point.after;
    const [line] = numbers
      .flatMap((found, at) => (found.includes(point.value) && isOwn(at) ? [at] : []))
      .sort((a, b) => Math.abs(a - expected) - Math.abs(b - expected));
    return line === undefined ? [] : [{ line, point }];
  });
}

function numbersOf(text: string, { delimiter, decimal }: Source['format']): number[] {
  const cells = delimiter ? text.split(delimiter) : text.split(/[^\w.+-]+/);
  return cells.map((cell) => parseNumber(cell.trim().replace(/^"|"$/g, ''), decimal));
}
