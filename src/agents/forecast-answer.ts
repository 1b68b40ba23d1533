import type { AgentContext, Answer, Origin } from './context.ts';
import type { LocalPrediction } from '../contract/local.ts';
import { covariateText } from './covariates.ts';
import { stepNoun } from '../calendar/words.ts';
import { type Zone, zoneOf, zoneOfPoints } from '../calendar/zone.ts';
import { isPending } from '../contract/operation.ts';
import { accuracyOf, frequencyOf, nameOf, rounder, stepsOf, summaryOf, tableOf, timeWriter } from './words.ts';

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
  const { id, status, name, error, ai_model_id: model } = prediction;
  const what = nameOf(shown.origin?.label ?? name ?? `prediction ${id}`);
  const link = context.chartLink(id);
  const handle = [`Prediction id: ${id}.`, ...(link ? [`Chart: ${link}`] : [])].join(' ');
  if (status !== 'COMPLETED') {
    const data = { prediction_id: id, status, ...(error === undefined ? {} : { error }) };
    if (isPending(status)) return { text: `The forecast of ${what} is not done yet (${status}). ${handle}`, data };
    const text = `The forecast of ${what} ended as ${status}${error ? `: ${error}` : ', and the service gives no reason.'} ${handle}`;
    return { text, data, isError: true };
  }
  const steps = stepsOf(prediction, shown.levels);
  const frequency = frequencyOf(prediction) ?? shown.origin?.series.frequency;
  const hasTimes = shown.origin ? shown.origin.series.timeKind !== 'row' : !isByRow(prediction);
  const when = timeWriter(frequency, hasTimes, zoneFor(prediction, shown.origin));
  const number = rounder(steps);
  const total = steps.times.length;
  const from = Math.min(shown.from ?? 0, total);
  const asked = shown.count ?? (total - from > MOST_ROWS ? FIRST_ROWS : total - from);
  const to = Math.min(total, from + asked);
  const ahead = stepNoun(frequency, total);
  const rest =
    to < total
      ? `\nSteps ${to + 1} to ${total} are not shown; for them: read_prediction with {"id": "${id}", "from": ${to + 1}}.`
      : '';
  const period = prediction.details?.seasonal_periods?.[0];
  const isWhole = from === 0 && shown.count === undefined;
  const parts = [
    `Forecast of ${what}: ${ahead} ahead${model ? ` by the model ${model}` : ''}.`,
    ...(isWhole ? [readText(shown.origin)] : []),
    tableOf(steps, when, number, [from, to]) + rest,
    summaryOf(steps, when, number),
    accuracyOf(prediction.details?.backtest, frequency, period),
    covariateText(prediction.details?.covariates),
    ...(prediction.details?.warnings ?? []),
    handle,
  ];
  return {
    text: parts.filter(Boolean).join('\n'),
    data: {
      prediction_id: id,
      status,
      ...(model === undefined ? {} : { ai_model_id: model }),
      steps: total,
      first_step: from + 1,
      prediction_series: Array.from({ length: to - from }, (_, index) => {
        const step = from + index;
        const limits = steps.bands.flatMap(({ level, lower, upper }) => [
          [key((1 - level / 100) / 2), Number(number(lower[step]))],
          [key((1 + level / 100) / 2), Number(number(upper[step]))],
        ]);
        const { timestamp } = prediction.prediction_series![step];
        return {
          timestamp,
          value: Number(number(steps.median[step])),
          metadata: { quantiles: Object.fromEntries(limits) as object },
        };
      }),
      ...(prediction.details?.backtest ? { backtest: prediction.details.backtest } : {}),
      ...(prediction.details?.covariates ? { covariates: prediction.details.covariates } : {}),
      ...(link ? { chart: link } : {}),
    },
  };
}

/** Whose days and months the steps are of: at midnight in Tokyo it is the day before in UTC. */
const zoneFor = ({ input_series: input = [] }: LocalPrediction, origin: Origin | undefined): Zone =>
  origin ? zoneOf(origin.series.timeZone ?? 'UTC') : zoneOfPoints(input);

const key = (level: number) => String(Number(level.toFixed(6)));

/** Whether the times of a prediction only count rows. */
export const isByRow = ({ input_series: input }: LocalPrediction): boolean =>
  input !== undefined && input.length > 0 && input.every(({ metadata }) => typeof metadata?.row === 'number');

/** What was read of a file, and what was assumed. */
function readText(origin: Origin | undefined): string {
  if (!origin) return '';
  const { series, document } = origin;
  const notes = (document?.problems ?? [])
    .slice(0, 3)
    .map(({ line, place = `line ${line}`, message }) => `${place}: ${message}`);
  const more =
    document && document.problemCount > notes.length ? [`${document.problemCount - notes.length} more remarks`] : [];
  const last = series.values.findLast((value) => !Number.isNaN(value));
  return [
    `Read: ${nameOf(series.summary)}; last value ${last}.`,
    ...(notes.length > 0 ? [`Remarks: ${[...notes, ...more].join('; ')}.`] : []),
  ].join(' ');
}
