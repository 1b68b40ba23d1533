import * as z from 'zod/mini';
import type { LocalFineTunedModel } from '../contract/resources.ts';
import { toPoints } from '../reading/points.ts';
import { ToolError } from './context.ts';
import { DEFAULT_LEVELS, predictionAnswer } from './forecast-answer.ts';
import { described, horizon, MOST_NAME, ofFile, OnePrediction, text } from './inputs.ts';
import { allSeriesOf, stepsOf } from './source.ts';
import { tool } from './tool.ts';
import { nameOf } from './words.ts';

const PAGE = 20;
const NUMBERS_OF_A_PAGE = 50;

export const listPredictions = tool(
  {
    name: 'list_predictions',
    title: 'List Forecasts',
    description: 'Lists the stored predictions of the current service with their IDs, one page at a time.',
    input: z.strictObject({
      cursor: z.optional(text('For the next page: the cursor of the previous answer.', 10_000)),
    }),
    output: z.looseObject({
      predictions: z.array(z.looseObject({ id: z.string(), status: z.string() })),
      total: z.optional(z.int()),
      next_page: z.optional(z.string()),
    }),
  },
  async (context, { cursor }, { signal }) => {
    const { client, name } = await context.service();
    const { items, total, next, unreadable } = await client.listPredictions({ size: PAGE, cursor, signal }, false);
    const rows = items.map((item) =>
      [
        item.id,
        item.name === undefined ? '–' : nameOf(item.name),
        item.ai_model_id ?? '–',
        item.status,
        item.prediction_length ?? item.prediction_series?.length ?? '–',
        item.created_at ?? '–',
      ].join(', '),
    );
    const text = [
      items.length === 0
        ? `${name} has no predictions.`
        : `Predictions of ${name}${total === undefined ? '' : ` (${items.length} of ${total})`}:`,
      ...(items.length === 0 ? [] : ['id, series, model, status, steps, made']),
      ...rows,
      ...(unreadable.length > 0 ? [`${unreadable.length} entries cannot be read.`] : []),
      ...(next === undefined ? [] : [`For more, call list_predictions with {"cursor": ${JSON.stringify(next)}}.`]),
    ].join('\n');
    return {
      text,
      data: {
        predictions: items.map(({ id, name: label, ai_model_id, status, created_at }) => ({
          id,
          name: label,
          ai_model_id,
          status,
          created_at,
        })),
        ...(total === undefined ? {} : { total }),
        ...(next === undefined ? {} : { next_page: next }),
      },
    };
  },
);

export const readPrediction = tool(
  {
    name: 'read_prediction',
    title: 'Read Forecast',
    description:
      'Reads a stored prediction by its ID: its steps with intervals, and its accuracy. Read long predictions in parts with from and steps.',
    input: z.strictObject({
      id: text('ID of the prediction.'),
      from: z.optional(described(z.int().check(z.gte(1)), 'First step to return, counted from 1.')),
      steps: z.optional(described(z.int().check(z.gte(1), z.lte(100)), 'How many steps to return, up to 100.')),
    }),
    output: OnePrediction,
    shows: true,
  },
  async (context, { id, from = 1, steps }, { signal }) => {
    const { client } = await context.service();
    const [prediction] = (await client.findPredictions(new Set([id]), signal)).jobs;
    if (!prediction) throw new ToolError(`There is no prediction ${id}. Call list_predictions for the available IDs.`);
    const isPart = from > 1 || steps !== undefined;
    const count = isPart ? (steps ?? NUMBERS_OF_A_PAGE) : undefined;
    return predictionAnswer(context, prediction, { levels: DEFAULT_LEVELS, from: from - 1, count });
  },
);

export const listModels = tool(
  {
    name: 'list_models',
    title: 'List Forecasting Models',
    description:
      'Lists the base models and the fine-tuned models of the current service, and whether the training of fine-tuned models is done.',
    input: z.strictObject({}),
    output: z.looseObject({
      base_models: z.array(z.looseObject({ id: z.string(), is_default: z.boolean() })),
      fine_tuned_models: z.array(z.looseObject({ id: z.string(), status: z.string() })),
    }),
  },
  async (context, _input, { signal }) => {
    const { client, name } = await context.service();
    const offers = await client.capabilities();
    const base = offers.has('listBaseModels') ? (await client.list('listBaseModels', { signal })).items : [];
    const tuned = offers.has('listFineTunedModels')
      ? (await client.list('listFineTunedModels', { size: PAGE, signal })).items
      : [];
    const lines = [
      ...base.map(
        ({ id, is_default, description }) =>
          `- ${id}${is_default ? ' (default)' : ''}${description ? `: ${description}` : ''}`,
      ),
      ...tuned.map(
        (model) => `- ${model.id}: ${nameOf(model.name ?? 'fine-tuned')}, ${model.status}${scoreText(model)}`,
      ),
    ];
    const text =
      lines.length > 0
        ? [`Models of ${name}:`, ...lines].join('\n')
        : `${name} does not list its models. Ask the person for a model ID.`;
    return {
      text,
      data: {
        base_models: base.map(({ id, is_default }) => ({ id, is_default: is_default ?? false })),
        fine_tuned_models: tuned.map(({ id, name: label, status, progress }) => ({
          id,
          name: label,
          status,
          progress,
        })),
      },
    };
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

export const createModel = tool(
  {
    name: 'create_fine_tuned_model',
    title: 'Create Fine-Tuned Model',
    description:
      'Trains a model on the series of a file or of stored datasets. Takes seconds to minutes, and helps when many series behave alike. Use it only when the person asks for it.',
    input: z.strictObject({
      ...ofFile,
      dataset_ids: z.optional(
        described(z.array(z.string()).check(z.maxLength(50)), 'IDs of stored datasets to train on instead of a file.'),
      ),
      base_model: z.optional(text('ID of the base model. Default: the service’s default model.')),
      horizon,
      name: z.optional(text('Name of the model.', 200)),
    }),
    output: z.looseObject({ model_id: z.string(), status: z.string(), base_model: z.string() }),
    makes: true,
    sends: true,
    isLong: true,
  },
  async (context, input, { signal, progress }) => {
    const { file, dataset_ids: datasets = [], base_model, horizon: given, name } = input;
    if ((file === undefined) === (datasets.length === 0)) {
      throw new ToolError('Give either file or dataset_ids to train on, not both.');
    }
    if (file === undefined && typeof given === 'string') {
      throw new ToolError('With dataset_ids, the horizon must be a number of steps.');
    }
    const { client, name: serviceName } = await context.service();
    const offers = await client.capabilities();
    const base =
      base_model ??
      (offers.has('listBaseModels')
        ? (await client.list('listBaseModels', { signal })).items.find((one) => one.is_default)?.id
        : undefined);
    if (base === undefined) throw new ToolError(`${serviceName} has no default base model. Name one in base_model.`);
    let input_config: { dataset_ids?: string[]; series?: ReturnType<typeof toPoints> } = { dataset_ids: datasets };
    let label = `${datasets.length} datasets`;
    let steps = typeof given === 'string' ? undefined : given;
    if (file !== undefined) {
      const { fileName, document } = await allSeriesOf(context, file, input, signal);
      label = fileName;
      const longest = document.series.reduce((most, one) => (one.points > most.points ? one : most));
      steps = stepsOf(given, longest);
      if (document.series.length === 1) input_config = { series: toPoints(document.series[0]) };
      else {
        if (!offers.has('createDataset')) {
          throw new ToolError(
            `${fileName} has ${document.series.length} series, but this service accepts one at a time. Use a file with one series, or stored datasets.`,
          );
        }
        progress(0, `Storing ${document.series.length} series`);
        const dataset = await context.store(client, fileName, document.series, signal);
        input_config = { dataset_ids: [dataset.id] };
      }
    }
    const model = await client.createFineTunedModel(
      {
        base_model: base,
        input_config,
        ...(steps === undefined ? {} : { config: { prediction_length: steps } }),
        name: (name ?? `${base} on ${label}`).slice(0, MOST_NAME),
        requested_by: 'agent',
      },
      signal,
    );
    await context.onModel?.(model);
    return {
      text: `Started to train a model from ${base} on ${nameOf(label)} (${model.status}). Training runs in the background; list_models shows when it is COMPLETED and whether it is better than ${base}. Then forecast with "model": "${model.id}".`,
      data: { model_id: model.id, status: model.status, base_model: base },
    };
  },
);
