import type { ServiceClient } from '../client/client.ts';
import { ServiceError } from '../client/errors.ts';
import { ended, Poller } from '../client/poller.ts';
import { isPending } from '../contract/operation.ts';
import { DEFAULT_QUANTILE_LEVELS, type LocalPrediction } from '../contract/local.ts';
import type { Bounds, LocalCreatePrediction } from '../contract/requests.ts';
import { lastPoints } from '../reading/last-points.ts';
import { stepsKnown, toPoints } from '../reading/points.ts';
import { type AgentContext, type AgentService, type Answer, type Call, type Origin, ToolError } from './context.ts';
import { covariatesOf, withHolidays } from './covariates.ts';
import { DEFAULT_LEVELS, predictionAnswer } from './forecast-answer.ts';
import { type CompareModels, type Forecast, MOST_NAME } from './inputs.ts';
import { seriesOf, stepsOf } from './source.ts';
import { frequencyOf, quoted } from './words.ts';

/** Milliseconds between two polls of a pending forecast. */
const LONGEST_WAIT = 2_000;

/** The columns that bounds are. */
const boundColumns = ({ floor, capacity }: Bounds = {}): string[] =>
  [floor, capacity].filter((bound) => typeof bound === 'string');

interface Wanted {
  readonly model?: string | undefined;
  readonly horizon?: number | undefined;
  readonly levels?: readonly number[] | undefined;
  readonly covariates?: readonly string[] | undefined;
  readonly bounds?: Bounds | undefined;
}

/** Forecasts a series of a file, or values that the agent gives. */
export async function forecast(context: AgentContext, input: Forecast, call: Call): Promise<Answer> {
  const origin = await seriesOf(context, input, call.signal);
  const service = await context.service();
  const covariates = await covariatesOf(service, origin.series, input.covariates);
  const columns = boundColumns(input.bounds);
  await covariatesOf(service, origin.series, columns);
  const names = [...covariates, ...columns];
  const horizon = stepsOf(input.horizon, origin.series) ?? stepsKnown(origin.series, names);
  const found = await withHolidays(context, service, origin.series, { holidays: input.holidays, horizon });
  const wanted = { ...input, covariates: [...names, ...found.names], horizon: found.steps ?? horizon };
  const prediction = await predict(context, { service, origin: { ...origin, series: found.series } }, wanted, call);
  return predictionAnswer(context, prediction, { levels: input.levels ?? DEFAULT_LEVELS, origin });
}

/** Forecasts a series with several models and says which did best on its own history. */
export async function compareModels(context: AgentContext, input: CompareModels, call: Call): Promise<Answer> {
  const origin = await seriesOf(context, input, call.signal);
  const service = await context.service();
  const horizon = stepsOf(input.horizon, origin.series);
  const models = input.models ? [...new Set(input.models)] : await baseModels(service, call.signal);
  if (input.models && models.length < 2) {
    throw new ToolError(`${quoted(models.join())} is only one model. Name at least two different models in "models".`);
  }
  const results: LocalPrediction[] = [];
  for (const [index, model] of models.entries()) {
    call.progress(index / models.length, `Forecasting with ${model} (${index + 1} of ${models.length})`);
    results.push(await predict(context, { service, origin }, { model, horizon }, call));
  }
  return comparison(context, origin, models, results);
}

/** More models than this are not tried where the agent names none. */
const MOST_COMPARED = 6;

async function baseModels({ client }: AgentService, signal: AbortSignal): Promise<string[]> {
  const isListed = (await client.capabilities()).has('listBaseModels');
  if (!isListed) throw new ToolError('This service does not list its models. Name at least two in "models".');
  return (await client.list('listBaseModels', { signal })).items.slice(0, MOST_COMPARED).map(({ id }) => id);
}

async function predict(
  context: AgentContext,
  { service: { client }, origin }: { readonly service: AgentService; readonly origin: Origin },
  wanted: Wanted,
  call: Call,
): Promise<LocalPrediction> {
  const { model, horizon, levels = [], covariates, bounds } = wanted;
  if (bounds && !(await client.capabilities()).takes('createPrediction', 'bounds')) {
    throw new ToolError('This service does not use bounds. Leave out "bounds", and tell the person.');
  }
  const quantiles = levels.flatMap((level) => [(1 - level / 100) / 2, (1 + level / 100) / 2]);
  const all = [...new Set([...DEFAULT_QUANTILE_LEVELS, ...quantiles].map((level) => Number(level.toFixed(6))))];
  const request: LocalCreatePrediction = {
    series: toPoints(lastPoints(origin.series), covariates),
    ai_model_id: model,
    prediction_length: horizon,
    name: origin.label.slice(0, MOST_NAME),
    requested_by: 'agent',
    ...(bounds ? { bounds } : {}),
    ...(quantiles.length > 0 ? { quantile_levels: all.toSorted((a, b) => a - b) } : {}),
  };
  call.progress(0, `Forecasting ${origin.label}`);
  const made = await client.createPrediction(request, call.signal);
  await context.onForecast?.(made, origin);
  try {
    const poller = new Poller<LocalPrediction>((ids, stop) => client.findPredictions(ids, stop), LONGEST_WAIT);
    return await ended(poller, made, call.signal, ({ status, progress = 0 }) => {
      call.progress(progress, `The forecast is ${status === 'QUEUED' ? 'waiting' : 'running'}.`);
    });
  } catch (error) {
    if (call.signal.aborted && isPending(made.status)) await withdraw(client, made.id);
    throw error;
  }
}

/** An abandoned prediction is deleted; if the service cannot delete, it stays in the list. */
async function withdraw(client: ServiceClient, id: string): Promise<void> {
  try {
    await client.delete('deletePrediction', id);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
  }
}

function comparison(
  context: AgentContext,
  origin: Origin,
  models: readonly string[],
  results: readonly LocalPrediction[],
): Answer {
  const rows = results.map((prediction, index) => {
    const { mase, smape, skill, coverage80 } = prediction.details?.backtest ?? {};
    return { model: models[index], prediction, mase, smape, coverage80, skill };
  });
  const ranked = rows.toSorted((a, b) => (a.mase ?? Infinity) - (b.mase ?? Infinity));
  const [best, second] = ranked[0]?.mase === undefined ? [] : ranked;
  const number = (value: number | undefined, digits: number, unit = '') =>
    value === undefined ? '–' : value.toFixed(digits) + unit;
  const percent = (share: number | undefined, unit?: string) => number(share && share * 100, 0, unit);
  const lines = ranked.map(({ model, prediction: { id, status, error }, mase, smape, coverage80, skill }) =>
    status === 'COMPLETED'
      ? [model, number(mase, 2), number(smape, 1), percent(skill, ' %'), percent(coverage80), id].join(', ')
      : `${model}: ${status}${error ? `, ${error}` : ''}`,
  );
  const [first] = results;
  const tested = first.details?.backtest;
  const isClose = best?.mase !== undefined && second?.mase !== undefined && second.mase < best.mase * 1.02;
  const verdict = !best
    ? 'None of the models could be tested: the history is too short.'
    : `Best in the backtest: ${best.model}${isClose ? `, but ${second.model} is within 2%, which is no real difference` : ''}.`;
  const folds = tested ? ` (${tested.origins} origins of ${tested.horizon} steps, the same for all models)` : '';
  const link = best ? context.chartLink(best.prediction.id) : undefined;
  return {
    text: [
      `Compared on ${origin.label}${folds}. Lower MASE is better. A model is useful if its MASE is below that of seasonal-naive.`,
      'model, MASE, sMAPE %, better than seasonal naive, 80% interval coverage %, prediction ID',
      ...lines,
      verdict,
      `For the numbers of a forecast, call read_prediction with its ID.${link ? ` Chart of the best: ${link}` : ''}`,
    ].join('\n'),
    data: {
      series: origin.label,
      frequency: frequencyOf(first) ? first.details?.frequency : undefined,
      ...(best ? { best: best.model } : {}),
      models: ranked.map(({ model, prediction: { id, status }, ...scores }) => ({
        ai_model_id: model,
        prediction_id: id,
        status,
        ...scores,
      })),
    },
  };
}
