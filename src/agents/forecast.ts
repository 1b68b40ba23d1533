import * as z from 'zod/mini';
import { civilOf } from '../calendar/civil.ts';
import { forecastDecimals } from '../calendar/digits.ts';
import { formatInstant, isoInstant, stepNoun } from '../calendar/format.ts';
import { defaultHorizon, parseDuration } from '../calendar/frequency.ts';
import { type Zone, zoneOf } from '../calendar/zone.ts';
import { chartView, type ChartView, type Forecast } from '../chart/chart-view.ts';
import { takesCovariates } from '../client/fit.ts';
import { ended, Poller } from '../client/poller.ts';
import type { CreatePrediction } from '../contract/requests.ts';
import { BacktestSummary, DEFAULT_QUANTILE_LEVELS, isPending, withLimits } from '../contract/resources.ts';
import type { LocalPrediction } from '../contract/resources.ts';
import { hasDays, holidaySets, weekendOf, withDays, withEveryStep } from '../reading/holidays/day-columns.ts';
import { lastPoints, stepsKnown, toPoints } from '../reading/points.ts';
import type { KnownColumn, ReadSeries } from '../reading/types.ts';
import { writtenForecast } from '../reading/writing/write.ts';
import { described, horizon, maybe, MOST_NAME, numberWriter, oneLine, OnePrediction, placed } from './source.ts';
import { source } from './source.ts';
import { listed, nameOf, quoted, seriesOf, stepsOf, text } from './source.ts';
import { type AgentContext, type Answer, ensure, type Origin, textOf, tool, ToolError, type Work } from './tool.ts';

const bound = described(
  'A number, or the name of a column of the file with a value for each step, including future steps.',
  z.union([z.number(), text(200)]),
);

export const forecastSeries = tool(
  {
    name: 'forecast_series',
    title: 'Forecast Series',
    description:
      'Forecasts a time series from a file, or numbers given in the call, with prediction intervals and an accuracy measured on the series’ own history. Use it for every question about what comes next (“what will July be?”, “how sure is that?”, “the total of next year”) instead of estimating yourself.',
    input: z.strictObject({
      ...source,
      horizon,
      model: maybe('ID of a model from list_models. Default: the service’s default model.', text()),
      covariates: maybe(
        'Columns of the file that are known in advance (promotion, price, weather, opening days), with values for future steps; inspect_series_file lists them. They are used only if they help in a backtest.',
        z.array(z.string().check(z.maxLength(1000))).check(z.maxLength(40)),
      ),
      holidays: maybe(
        'Country whose holidays may affect the series, such as DE, or a region such as DE-BY or US-CA. Holidays are used only if they help in a backtest. Ask the person first.',
        z.string().check(z.regex(/^[A-Za-z]{2}(?:-[A-Za-z0-9]+){0,2}$/)),
      ),
      bounds: maybe(
        'Bounds of the forecast, if the person knows a floor, a capacity, or which numbers are possible.',
        z.strictObject({
          floor: z.optional(bound),
          capacity: z.optional(bound),
          whole: maybe('Whole numbers only.', z.boolean()),
          not_negative: maybe(
            'false: the forecast may be negative even if the series never was; true: it never is.',
            z.boolean(),
          ),
        }),
      ),
      levels: maybe(
        'Prediction intervals in percent, such as [80, 95].',
        z.array(z.number().check(z.gte(1), z.lte(99.9))).check(z.minLength(1), z.maxLength(5)),
      ),
    }),
    output: OnePrediction,
    makes: true,
    sends: true,
    shows: true,
  },
  async (work, input) => {
    const origin = await seriesOf(work, input);
    const { client } = await work.service();
    const { floor, capacity } = input.bounds ?? {};
    const names = [...(input.covariates ?? []), ...[floor, capacity].filter((bound) => typeof bound === 'string')];
    requireColumns(origin.series, names);
    const offers = await client.capabilities();
    const isCovariate = names.length > 0 || input.holidays !== undefined;
    const advice = 'This service does not use covariates. Leave out "covariates" and "holidays", and tell the person.';
    ensure(!isCovariate || takesCovariates(offers, 'createPrediction'), advice);
    const takesBounds = input.bounds === undefined || offers.takes('createPrediction', 'bounds');
    ensure(takesBounds, 'This service does not use bounds. Leave out "bounds", and tell the person.');
    const steps = stepsOf(input.horizon, origin.series) ?? stepsKnown(origin.series, names);
    const { series, holidays } = input.holidays
      ? await withHolidays(work, origin.series, input.holidays, steps)
      : { series: origin.series, holidays: undefined };
    const options = {
      ai_model_id: input.model,
      prediction_length: holidays?.steps ?? steps,
      bounds: input.bounds,
      quantile_levels: input.levels && withLimits(DEFAULT_QUANTILE_LEVELS, input.levels),
    };
    const made = await predict(work, { ...origin, series }, options, [...names, ...(holidays?.names ?? [])]);
    return predictionAnswer(work, made, { levels: input.levels ?? DEFAULT_LEVELS, origin });
  },
);

const MOST_COMPARED = 6;
const { mase, smape, coverage80, skill } = BacktestSummary.shape;

export const compareModels = tool(
  {
    name: 'compare_models',
    title: 'Compare Forecasting Models',
    description:
      'Forecasts a series with several models and compares their errors in the same backtest. Use it when the person asks which model to trust, or when forecast_series reports that the seasonal naive baseline did better.',
    input: z.strictObject({
      ...source,
      horizon,
      models: maybe(
        'IDs of the models. Default: the base models of the service.',
        z.array(z.string()).check(z.minLength(2), z.maxLength(MOST_COMPARED)),
      ),
    }),
    output: z.object({
      series: z.string(),
      frequency: z.optional(z.string()),
      best: z.optional(z.string()),
      models: z.array(
        z.object({
          ai_model_id: z.string(),
          prediction_id: z.string(),
          status: z.string(),
          mase,
          smape,
          coverage80,
          skill,
        }),
      ),
    }),
    makes: true,
    sends: true,
  },
  async (work, input) => {
    const origin = await seriesOf(work, input);
    const horizon = stepsOf(input.horizon, origin.series);
    const known = input.models ?? (await baseModelsOf(work)).map(({ id }) => id);
    const models = [...new Set(known)].slice(0, MOST_COMPARED);
    ensure(models.length > 0, 'This service does not list its models. Name at least two in "models".');
    const advice = `${quoted(models.join())} is only one model. Name at least two different models in "models".`;
    ensure(!input.models || models.length > 1, advice);
    const results: LocalPrediction[] = [];
    for (const [index, model] of models.entries()) {
      work.progress(index / models.length, `Forecasting with ${model} (${index + 1} of ${models.length})`);
      results.push(await predict(work, origin, { ai_model_id: model, prediction_length: horizon }));
    }
    return comparison(work, origin, models, results);
  },
);

export async function baseModelsOf({ service, signal }: Work) {
  const { client } = await service();
  const isListed = (await client.capabilities()).has('listBaseModels');
  return isListed ? (await client.list('listBaseModels', { signal })).items : [];
}

async function predict(
  { service, signal, progress, onForecast }: Work,
  origin: Origin,
  options: Partial<CreatePrediction>,
  covariates?: readonly string[],
) {
  const { client } = await service();
  const series = toPoints(lastPoints(origin.series), covariates);
  const name = origin.label.slice(0, MOST_NAME);
  progress(0, `Forecasting ${origin.label}`);
  const made = await client.createPrediction({ ...options, series, name, requested_by: 'agent' }, signal);
  await onForecast?.(made, origin);
  try {
    const poller = new Poller<LocalPrediction>((ids, stop) => client.findPredictions(ids, stop), 2_000);
    return await ended(poller, made, signal, ({ status, progress: share = 0 }) => {
      progress(share, `The forecast is ${status === 'QUEUED' ? 'waiting' : 'running'}.`);
    });
  } catch (error) {
    // an abandoned prediction is deleted; if the service cannot delete, it stays in the list
    if (signal.aborted && isPending(made.status))
      await client.delete('deletePrediction', made.id).catch(() => undefined);
    throw error;
  }
}

function comparison({ chartLink }: Work, origin: Origin, models: readonly string[], results: LocalPrediction[]) {
  const scored = results.map(({ id, status, error, details }, index) => {
    return { ...details?.backtest, ai_model_id: models[index], prediction_id: id, status, error };
  });
  const ranked = scored.sort((a, b) => (a.mase ?? Infinity) - (b.mase ?? Infinity));
  const [best, second] = ranked[0]?.mase === undefined ? [] : ranked;
  const number = (value: number | undefined, digits: number, unit = '') =>
    value === undefined ? '–' : value.toFixed(digits) + unit;
  const lines = ranked.map(({ ai_model_id: model, prediction_id, status, error, mase, smape, skill, coverage80 }) => {
    if (status !== 'COMPLETED') return `${model}: ${status}${error ? `, ${error}` : ''}`;
    const [better, covered] = [number(skill && 100 * skill, 0, ' %'), number(coverage80 && 100 * coverage80, 0)];
    return [model, number(mase, 2), number(smape, 1), better, covered, prediction_id].join(', ');
  });
  const { backtest: tested, frequency } = results[0].details ?? {};
  const isClose = best?.mase !== undefined && second?.mase !== undefined && second.mase < best.mase * 1.02;
  const tie = isClose ? `, but ${second.ai_model_id} is within 2%, which is no real difference` : '';
  const folds = tested ? ` (${tested.origins} origins of ${tested.horizon} steps, the same for all models)` : '';
  const link = best && chartLink(best.prediction_id);
  return {
    text: textOf(
      `Compared on ${origin.label}${folds}. Lower MASE is better. A model is useful if its MASE is below that of seasonal-naive.`,
      'model, MASE, sMAPE %, better than seasonal naive, 80% interval coverage %, prediction ID',
      ...lines,
      best
        ? `Best in the backtest: ${best.ai_model_id}${tie}.`
        : 'None of the models could be tested: the history is too short.',
      `For the numbers of a forecast, call read_prediction with its ID.${link ? ` Chart of the best: ${link}` : ''}`,
    ),
    data: { series: origin.label, frequency, best: best?.ai_model_id, models: ranked },
  };
}

function requireColumns({ beside, name: series }: ReadSeries, names: readonly string[]): void {
  const columns = beside?.columns ?? [];
  const unknown = names.find((name) => !columns.some((column) => column.name === name));
  if (unknown === undefined) return;
  const known = columns.length > 0 ? `Available: ${listOf(columns)}.` : 'This series has none.';
  throw new ToolError(`${quoted(unknown)} is not a covariate of ${nameOf(series)}. ${known}`);
}

export function knownAheadText(series: readonly ReadSeries[]): string[] {
  const ahead = series.flatMap(({ beside }) => beside?.columns ?? []).filter((column) => column.ahead > 0);
  const byName = new Map(ahead.map((column) => [column.name, column]));
  if (byName.size === 0) return [];
  return [
    `Known in advance, for "covariates" of forecast_series: ${listOf([...byName.values()])}. Ask the person before using them, unless they asked for it.`,
  ];
}

const listOf = (columns: readonly KnownColumn[]): string =>
  listed(columns, 20, ({ name, ahead }) => {
    return `${quoted(name)} (${ahead > 0 ? `${ahead} steps ahead` : 'past only'})`;
  }).join(', ');

/** A series with the holidays of a place, such as `DE-BY`, as far ahead as its forecast goes. @throws ToolError */
async function withHolidays({ holidays }: Work, series: ReadSeries, place: string, horizon: number | undefined) {
  const what = nameOf(series.name);
  ensure(hasDays(series), `${what} has no daily or shorter steps that holidays apply to: leave out "holidays".`);
  const { frequency, times } = series;
  const steps = horizon ?? defaultHorizon(frequency, times.length);
  const year = (time: number): number => civilOf(time).year;
  const code = place.toUpperCase();
  const last = withEveryStep(series, steps).beside?.futureTimes.at(-1) ?? times.at(-1) ?? 0;
  // a day of the zone may be one of the year before or after
  const days = await holidays(code, [year(times[0] ?? 0) - 1, year(last) + 1]);
  const advice = 'Give a country such as DE or US, or a region such as DE-BY or US-CA.';
  ensure(days.length > 0, `There is no holiday calendar for ${quoted(place)}. ${advice}`);
  const names = { holiday: `holiday (${code})`, bridge: `bridge day (${code})` };
  const full = withDays(series, steps, holidaySets(days, weekendOf(code.slice(0, 2)), names));
  const made = (full.beside?.columns ?? []).filter(({ isCalendar }) => isCalendar).map(({ name }) => name);
  return { series: full, holidays: made.length > 0 ? { names: made, steps } : undefined };
}

const MOST_ROWS = 36; // rows that an answer gives at most; the rest is read on by `read_prediction`
const FIRST_ROWS = 24;

export const DEFAULT_LEVELS = [80, 95] as const;

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
