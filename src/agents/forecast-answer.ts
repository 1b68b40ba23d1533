import { forecastDecimals } from '../calendar/digits.ts';
import { parseDuration } from '../calendar/frequency.ts';
import { formatInstant, isoInstant, stepNoun } from '../calendar/format.ts';
import { type Zone, zoneOf } from '../calendar/zone.ts';
import { chartView } from '../chart/chart-view.ts';
import type { ChartView, Forecast } from '../chart/types.ts';
import { isPending, type LocalPrediction } from '../contract/resources.ts';
import { writtenForecast } from '../reading/writing/forecast-columns.ts';
import { type AgentContext, type Answer, type Origin, textOf } from './tool.ts';
import { placed, listed, nameOf, numberWriter, oneLine } from './source.ts';

/** Rows that an answer gives at most; the rest is read on by `read_prediction`. */
const MOST_ROWS = 36;
const FIRST_ROWS = 24;

export const DEFAULT_LEVELS = [80, 95] as const;

/** @param shown the first step counts from 0 */
export function predictionAnswer(
  { chartLink }: Pick<AgentContext, 'chartLink'>,
  prediction: LocalPrediction,
  shown: { levels: readonly number[]; from?: number; count?: number | undefined; origin?: Origin },
): Answer {
  const { levels, from = 0, count, origin } = shown;
  const { id, status, name, ai_model_id: model, error, details } = prediction;
  const what = nameOf(origin?.label ?? name ?? `prediction ${id}`);
  const link = chartLink(id);
  const handle = `Prediction ID: ${id}.${link ? ` Chart: ${link}` : ''}`;
  if (status !== 'COMPLETED') {
    const data = { prediction_id: id, status, error };
    if (isPending(status)) return { text: `The forecast of ${what} is not done yet (${status}). ${handle}`, data };
    const why = error ? `: ${error}` : ', and the service gives no reason.';
    return { text: `The forecast of ${what} ended as ${status}${why} ${handle}`, data, isError: true };
  }
  const { chart, forecast, span, when, decimals, zone } = viewOf(prediction, levels, origin);
  const number = numberWriter(decimals);
  const total = forecast.times.length;
  const left = Math.max(0, total - from);
  const rows = Math.min(left, count ?? (left > MOST_ROWS ? FIRST_ROWS : left));
  const steps = Array.from({ length: rows }, (_, row) => from + row);
  const next = from + rows + 1;
  const text = textOf(
    `Forecast of ${what}: ${span} ahead${model ? ` with the model ${model}` : ''}.`,
    origin && from === 0 && count === undefined && readText(origin),
    tableOf(forecast, steps, when, number),
    next <= total &&
      `Steps ${next} to ${total} are not shown. To read them, call read_prediction with {"id": "${id}", "from": ${next}}.`,
    summaryOf(forecast, when, number),
    ...judgementOf(chart, details?.backtest !== undefined),
    handle,
  );
  return {
    text,
    data: {
      ...prediction,
      prediction_id: id,
      steps: total,
      first_step: from + 1,
      prediction_series: pointsOf(forecast, steps, decimals, zone),
      backtest: details?.backtest,
      covariates: details?.covariates,
      chart: link,
    },
  };
}

function viewOf(prediction: LocalPrediction, levels: readonly number[], origin: Origin | undefined) {
  const chart = chartView(prediction, { timeZone: 'file', fileZone: origin?.series.timeZone });
  const none: Forecast = { times: new Float64Array(), values: new Float64Array(), intervals: [] };
  const { times, values, intervals } = chart.forecast ?? none;
  const frequency = chart.frequency === undefined ? origin?.series.frequency : parseDuration(chart.frequency);
  const isByRow = origin ? origin.series.timeKind === 'row' : chart.rows;
  const zone = zoneOf(chart.timeZone);
  return {
    chart,
    forecast: { times, values, intervals: intervals.filter(({ level }) => levels.includes(level)).reverse() },
    span: stepNoun(frequency, times.length),
    when: (step: number) => (isByRow ? `+${step + 1}` : formatInstant(times[step], frequency, zone)),
    decimals: forecastDecimals(chart.history.values, intervals),
    zone,
  };
}

function readText({ series, document }: Origin): string {
  const problems = listed(document?.problems ?? [], 3, placed, document?.problemCount).join('; ');
  const last = series.values.findLast((value) => !Number.isNaN(value));
  return `Read: ${nameOf(series.summary)}; last value ${last}.${problems && ` Problems: ${problems}.`}`;
}

type Write = (value: number) => string;

function tableOf({ values, intervals }: Forecast, steps: readonly number[], when: Write, number: Write): string {
  const header = ['when', 'forecast', ...intervals.flatMap(({ level }) => [`${level}% low`, `${level}% high`])];
  const columns = [values, ...intervals.flatMap(({ lower, upper }) => [lower, upper])];
  const rows = steps.map((step) => [when(step), ...columns.map((column) => number(column[step]))]);
  return [header, ...rows].map((row) => row.join(', ')).join('\n');
}

function summaryOf({ values }: Forecast, when: Write, number: Write): string {
  const known = [...values.keys()].filter((step) => Number.isFinite(values[step]));
  if (known.length === 0) return '';
  const total = known.reduce((sum, step) => sum + values[step], 0);
  const first = (sign: 1 | -1) => known.toSorted((a, b) => sign * (values[a] - values[b]))[0];
  const at = (step: number) => `${number(values[step])} (${when(step)})`;
  return `Over all ${known.length} steps: mean ${number(total / known.length)}, sum of the medians ${number(total)}, lowest ${at(first(1))}, highest ${at(first(-1))}.`;
}

function judgementOf({ figures, advice, warnings }: ChartView, isTested: boolean): string[] {
  return [
    isTested ? '' : 'Accuracy: not tested on its own history, so treat the intervals with caution.',
    ...figures.map(({ text, about }) => `- ${text}: ${about}`),
    advice ? `${advice.sentence} Tell the person. To find a better model, call compare_models.` : '',
    ...warnings,
  ].map(oneLine);
}

function pointsOf(forecast: Forecast, steps: readonly number[], decimals: number, zone: Zone) {
  const { values, quantiles } = writtenForecast(forecast, decimals);
  const known = (value: number) => (Number.isFinite(value) ? value : undefined);
  return steps.map((step) => {
    const limits = Object.entries(quantiles).filter(([, all]) => Number.isFinite(all[step]));
    return {
      timestamp: isoInstant(forecast.times[step], zone),
      value: known(values[step]),
      metadata: { quantiles: Object.fromEntries(limits.map(([level, all]) => [level, all[step]])) },
    };
  });
}
