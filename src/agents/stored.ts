import * as z from 'zod/mini';
import type { LocalFineTunedModel } from '../contract/resources.ts';
import { toPoints } from '../reading/points.ts';
import { baseModelsOf, compareModels, DEFAULT_LEVELS, forecastSeries, predictionAnswer } from './forecast.ts';
import { allSeriesOf, described, horizon, maybe, MOST_NAME, nameOf, ofFile, OnePrediction, stepsOf } from './source.ts';
import { text } from './source.ts';
import { ensure, textOf, tool, type Tool, type Work } from './tool.ts';
import { findAnomalies, inspectFile } from './inspect.ts';

const PAGE = 20;

const Job = z.object({ id: z.string(), name: z.optional(z.string()), status: z.string() });

export const listPredictions = tool(
  {
    name: 'list_predictions',
    title: 'List Forecasts',
    description: 'Lists the stored predictions of the current service with their IDs, one page at a time.',
    input: z.strictObject({ cursor: maybe('For the next page: the cursor of the previous answer.', text(10_000)) }),
    output: z.object({
      predictions: z.array(z.extend(Job, { ai_model_id: z.optional(z.string()), created_at: z.optional(z.string()) })),
      total: z.optional(z.int()),
      next_page: z.optional(z.string()),
    }),
  },
  async ({ service, signal }, { cursor }) => {
    const { client, name } = await service();
    const { items, total, next, unreadable } = await client.listPredictions({ size: PAGE, cursor, signal }, false);
    const rows = items.map((item) => {
      const steps = item.prediction_length ?? item.prediction_series?.length;
      const label = item.name === undefined ? undefined : nameOf(item.name);
      const cells = [item.id, label, item.ai_model_id, item.status, steps, item.created_at];
      return cells.map((cell) => cell ?? '–').join(', ');
    });
    const count = total === undefined ? '' : ` (${items.length} of ${total})`;
    const text = textOf(
      items.length === 0 && `${name} has no predictions.`,
      items.length > 0 && `Predictions of ${name}${count}:\nid, series, model, status, steps, made`,
      ...rows,
      unreadable.length > 0 && `${unreadable.length} entries cannot be read.`,
      next !== undefined && `For more, call list_predictions with {"cursor": ${JSON.stringify(next)}}.`,
    );
    return { text, data: { predictions: items, total, next_page: next } };
  },
);

export const readPrediction = tool(
  {
    name: 'read_prediction',
    title: 'Read Forecast',
    description:
      'Reads a stored prediction by its ID: its steps with intervals, and its accuracy. Read long predictions in parts with from and steps.',
    input: z.strictObject({
      id: described('ID of the prediction.', text()),
      from: maybe('First step to return, counted from 1.', z.int().check(z.gte(1))),
      steps: maybe('How many steps to return, up to 100.', z.int().check(z.gte(1), z.lte(100))),
    }),
    output: OnePrediction,
    shows: true,
  },
  async (work, { id, from = 1, steps }) => {
    const { client } = await work.service();
    const [prediction] = (await client.findPredictions(new Set([id]), work.signal)).jobs;
    ensure(prediction !== undefined, `There is no prediction ${id}. Call list_predictions for the available IDs.`);
    const count = steps ?? (from > 1 ? 50 : undefined);
    return predictionAnswer(work, prediction, { levels: DEFAULT_LEVELS, from: from - 1, count });
  },
);

const listModels = tool(
  {
    name: 'list_models',
    title: 'List Forecasting Models',
    description:
      'Lists the base models and the fine-tuned models of the current service, and whether the training of fine-tuned models is done.',
    input: z.strictObject({}),
    output: z.object({
      base_models: z.array(z.object({ id: z.string(), is_default: z.boolean() })),
      fine_tuned_models: z.array(z.extend(Job, { progress: z.optional(z.number()) })),
    }),
  },
  async (work) => {
    const { client, name } = await work.service();
    const base = await baseModelsOf(work);
    const isTuning = (await client.capabilities()).has('listFineTunedModels');
    const tuned = isTuning ? (await client.list('listFineTunedModels', { size: PAGE, signal: work.signal })).items : [];
    const isListed = base.length + tuned.length > 0;
    const text = textOf(
      isListed ? `Models of ${name}:` : `${name} does not list its models. Ask the person for a model ID.`,
      ...base.map(({ id, is_default: isDefault, description }) => {
        return `- ${id}${isDefault ? ' (default)' : ''}${description ? `: ${description}` : ''}`;
      }),
      ...tuned.map((model) => {
        return `- ${model.id}: ${nameOf(model.name ?? 'fine-tuned')}, ${model.status}${scoreText(model)}`;
      }),
    );
    const base_models = base.map(({ id, is_default = false }) => ({ id, is_default }));
    return { text, data: { base_models, fine_tuned_models: tuned } };
  },
);

function scoreText({ scores, progress, status, error }: LocalFineTunedModel): string {
  if (error) return `: ${error}`;
  if (status === 'IN_PROGRESS' && progress !== undefined) return ` ${Math.round(progress * 100)}%`;
  if (scores?.mase === undefined || scores.base_mase === undefined) return '';
  const better = Math.round((1 - scores.mase / scores.base_mase) * 100);
  return better > 0
    ? `, ${better}% better than its base model on the holdout`
    : ', no better than its base model on the holdout';
}

const Training = z.strictObject({
  ...ofFile,
  dataset_ids: maybe(
    'IDs of stored datasets to train on instead of a file.',
    z.array(z.string()).check(z.maxLength(50)),
  ),
  base_model: maybe('ID of the base model. Default: the service’s default model.', text()),
  horizon,
  name: maybe('Name of the model.', text(200)),
});

export const createModel = tool(
  {
    name: 'create_fine_tuned_model',
    title: 'Create Fine-Tuned Model',
    description:
      'Trains a model on the series of a file or of stored datasets. Takes seconds to minutes, and helps when many series behave alike. Use it only when the person asks for it.',
    input: Training,
    output: z.object({ model_id: z.string(), status: z.string(), base_model: z.string() }),
    makes: true,
    sends: true,
    isLong: true,
  },
  async (work, input) => {
    const { file, dataset_ids: datasets = [], horizon: given, name } = input;
    const isOne = (file === undefined) !== (datasets.length === 0);
    ensure(isOne, 'Give either file or dataset_ids to train on, not both.');
    const isReadable = file !== undefined || typeof given !== 'string';
    ensure(isReadable, 'With dataset_ids, the horizon must be a number of steps.');
    const { client, name: serviceName } = await work.service();
    const base = input.base_model ?? (await baseModelsOf(work)).find(({ is_default: isDefault }) => isDefault)?.id;
    ensure(base !== undefined, `${serviceName} has no default base model. Name one in base_model.`);
    const { label, steps, input_config } = await trainingData(work, input);
    const request = {
      ...{ base_model: base, input_config, requested_by: 'agent' },
      ...(steps === undefined ? {} : { config: { prediction_length: steps } }),
      name: (name ?? `${base} on ${label}`).slice(0, MOST_NAME),
    };
    const model = await client.createFineTunedModel(request, work.signal);
    await work.onModel?.(model);
    return {
      text: `Started to train a model from ${base} on ${nameOf(label)} (${model.status}). Training runs in the background; list_models shows when it is COMPLETED and whether it is better than ${base}. Then forecast with "model": "${model.id}".`,
      data: { model_id: model.id, status: model.status, base_model: base },
    };
  },
);

async function trainingData(work: Work, input: z.output<typeof Training>) {
  const { file, dataset_ids: ids = [], horizon: given } = input;
  if (file === undefined) {
    const steps = typeof given === 'number' ? given : undefined;
    return { label: `${ids.length} datasets`, steps, input_config: { dataset_ids: ids } };
  }
  const { client } = await work.service();
  const { fileName: label, document } = await allSeriesOf(work, file, input);
  const { series } = document;
  const longest = series.reduce((most, one) => (one.points > most.points ? one : most));
  const steps = stepsOf(given, longest);
  if (series.length === 1) return { label, steps, input_config: { series: toPoints(series[0]) } };
  const advice = `${label} has ${series.length} series, but this service accepts one at a time. Use a file with one series, or stored datasets.`;
  ensure((await client.capabilities()).has('createDataset'), advice);
  work.progress(0, `Storing ${series.length} series`);
  const id = await work.store(label, series, work.signal);
  return { label, steps, input_config: { dataset_ids: [id] } };
}

export const TOOLS: readonly Tool[] = [
  inspectFile,
  forecastSeries,
  compareModels,
  findAnomalies,
  listPredictions,
  readPrediction,
  listModels,
  createModel,
];
