import type { AgentContext, Answer, Origin } from './context.ts';
import { isPending, type LocalPrediction, type SeriesPoint } from '../contract/resources.ts';
import { covariateText } from './covariates.ts';
import { stepNoun } from '../calendar/words.ts';
import { type Zone, zoneOf, zoneOfPoints } from '../calendar/zone.ts';
import { placed } from './source.ts';
import {
  accuracyOf,
  frequencyOf,
  nameOf,
  rounder,
  type Steps,
  stepsOf,
  summaryOf,
  tableOf,
  timeWriter,
} from './words.ts';

/** Rows that an answer gives at most; the rest is read on by `read_prediction`. */
const MOST_ROWS = 36;
/** Rows of a longer forecast that are given at once. */
const FIRST_ROWS = 24;

export const DEFAULT_LEVELS = [80, 95] as const;

/** What to show of a prediction. */
export interface Shown {
  readonly levels: readonly number[];
  /** First step, from 0, and how many. */
  readonly from?: number | undefined;
  readonly count?: number | undefined;
  /** What it was made from, where that is known. */
  readonly origin?: Origin | undefined;
}

/** Answers with a prediction: its rows, accuracy in words, what was read, and how to go on. */
export function predictionAnswer(
  context: Pick<AgentContext, 'chartLink'>,
  prediction: LocalPrediction,
  shown: Shown,
): Answer {
  const { id, status, name, ai_model_id: model } = prediction;
  const { origin } = shown;
  const what = nameOf(origin?.label ?? name ?? `prediction ${id}`);
  const link = context.chartLink(id);
  const handle = [`Prediction ID: ${id}.`, ...(link ? [`Chart: ${link}`] : [])].join(' ');
  if (status !== 'COMPLETED') return unfinished(prediction, what, handle);
  const { details = {} } = prediction;
  const steps = stepsOf(prediction, shown.levels);
  const frequency = frequencyOf(prediction) ?? origin?.series.frequency;
  const hasTimes = origin ? origin.series.timeKind !== 'row' : !isByRow(prediction);
  const when = timeWriter(frequency, hasTimes, zoneFor(prediction, origin));
  const number = rounder(steps);
  const total = steps.times.length;
  const [from, to] = rangeOf(shown, total);
  const parts = [
    `Forecast of ${what}: ${stepNoun(frequency, total)} ahead${model ? ` with the model ${model}` : ''}.`,
    from === 0 && shown.count === undefined ? readText(origin) : '',
    tableOf(steps, when, number, [from, to]),
    to < total
      ? `Steps ${to + 1} to ${total} are not shown. To read them, call read_prediction with {"id": "${id}", "from": ${to + 1}}.`
      : '',
    summaryOf(steps, when, number),
    accuracyOf(details.backtest, frequency, details.seasonal_periods?.[0]),
    covariateText(details.covariates),
    ...(details.warnings ?? []),
    handle,
  ];
  const data = {
    prediction_id: id,
    status,
    ai_model_id: model,
    steps: total,
    first_step: from + 1,
    prediction_series: pointsOf(prediction, steps, [from, to]),
    backtest: details.backtest,
    covariates: details.covariates,
    chart: link,
  };
  const defined = Object.entries(data).filter(([, value]) => value !== undefined);
  return { text: parts.filter(Boolean).join('\n'), data: Object.fromEntries(defined) };
}

/** The range of steps to return: the requested one, all, or the first of many. */
function rangeOf({ from = 0, count }: Shown, total: number): readonly [number, number] {
  const first = Math.min(from, total);
  const left = total - first;
  return [first, first + Math.min(left, count ?? (left > MOST_ROWS ? FIRST_ROWS : left))];
}

function unfinished({ id, status, error }: LocalPrediction, what: string, handle: string): Answer {
  const data = { prediction_id: id, status, ...(error === undefined ? {} : { error }) };
  if (isPending(status)) return { text: `The forecast of ${what} is not done yet (${status}). ${handle}`, data };
  const text = `The forecast of ${what} ended as ${status}${error ? `: ${error}` : ', and the service gives no reason.'} ${handle}`;
  return { text, data, isError: true };
}

/** Steps as the interface has them, with the digits that the forecast supports. */
function pointsOf(
  { prediction_series: points = [] }: LocalPrediction,
  steps: Steps,
  [from, to]: readonly [number, number],
): SeriesPoint[] {
  const number = rounder(steps);
  const key = (level: number) => String(Number(level.toFixed(6)));
  return points.slice(from, to).map(({ timestamp }, index) => {
    const step = from + index;
    const limits = steps.intervals.flatMap(({ level, lower, upper }) => [
      [key((1 - level / 100) / 2), Number(number(lower[step]))],
      [key((1 + level / 100) / 2), Number(number(upper[step]))],
    ]);
    const quantiles: Record<string, unknown> = Object.fromEntries(limits);
    return { timestamp, value: Number(number(steps.median[step])), metadata: { quantiles } };
  });
}

/** Whose days and months the steps are of: at midnight in Tokyo it is the day before in UTC. */
const zoneFor = ({ input_series: input = [] }: LocalPrediction, origin: Origin | undefined): Zone =>
  origin ? zoneOf(origin.series.timeZone ?? 'UTC') : zoneOfPoints(input);

/** Whether the times of a prediction only count rows. */
export const isByRow = ({ input_series: input }: LocalPrediction): boolean =>
  input !== undefined && input.length > 0 && input.every(({ metadata }) => typeof metadata?.row === 'number');

/** What was read of a file, and what was assumed. */
function readText(origin: Origin | undefined): string {
  if (!origin) return '';
  const { series, document } = origin;
  const notes = (document?.problems ?? []).slice(0, 3).map(placed);
  const more =
    document && document.problemCount > notes.length ? [`${document.problemCount - notes.length} more problems`] : [];
  const last = series.values.findLast((value) => !Number.isNaN(value));
  return [
    `Read: ${nameOf(series.summary)}; last value ${last}.`,
    ...(notes.length > 0 ? [`Problems: ${[...notes, ...more].join('; ')}.`] : []),
  ].join(' ');
}
