import * as z from 'zod/mini';
import {
  BaseModel,
  DatasetPredictions,
  LocalDataset,
  LocalFineTunedModel,
  LocalPrediction,
  StoredSeries,
} from '../../contract/local.ts';
import {
  CreateDataset,
  LocalCreateFineTunedModel,
  LocalCreatePrediction,
  PredictDataset,
} from '../../contract/requests.ts';
import { Key, optional, page } from '../../contract/resources.ts';
import { decodeCursor } from '../store/cursor.ts';
import type { Datasets } from '../store/datasets.ts';
import { RequestError } from '../errors.ts';
import type { Keys } from '../store/keys.ts';
import type { PageRequest } from '../store/list.ts';
import type { Models } from '../store/models.ts';
import type { Predictions, Shown } from '../store/predictions.ts';
import type { Queue } from '../jobs/queue.ts';

/** What the operations work on. */
export interface Resources {
  readonly keys: Keys;
  readonly datasets: Datasets;
  readonly models: Models;
  readonly predictions: Predictions;
  readonly queue: Queue;
}

/** A request as its operation sees it: authorized, its path parameter and query decoded. */
export interface Call {
  readonly id: string;
  readonly query: URLSearchParams;
  readonly token: string;
  readonly signal: AbortSignal;
}

/** One operation of the service: the route and its part of the description come from the same entry. */
export interface Operation {
  readonly method: 'get' | 'post' | 'delete';
  readonly path: string;
  readonly summary: string;
  readonly query?: Readonly<Record<string, QueryParameter>>;
  readonly body?: z.core.$ZodType;
  readonly status: 200 | 201 | 204;
  readonly answer?: z.core.$ZodType;
  readonly handle: (call: Call, resources: Resources, body: unknown) => unknown;
}

export interface QueryParameter {
  readonly description: string;
  readonly schema: Readonly<Record<string, unknown>>;
}

const PAGING: Record<string, QueryParameter> = {
  cursor: { description: 'A cursor of a page envelope, sent back as it came.', schema: { type: 'string' } },
  size: { description: 'Items per page.', schema: { type: 'integer', minimum: 1, maximum: 200, default: 50 } },
};

function pageRequest(query: URLSearchParams): PageRequest {
  const size = Number(query.get('size') ?? 50);
  if (!Number.isInteger(size) || size < 1 || size > 200) {
    throw RequestError.field(['query', 'size'], 'size is a whole number from 1 to 200.');
  }
  const cursor = query.get('cursor');
  return { position: cursor ? decodeCursor(cursor) : { direction: 'after' }, size };
}

function flag(query: URLSearchParams, name: string): boolean {
  const value = query.get(name) ?? 'true';
  if (value !== 'true' && value !== 'false') {
    throw RequestError.field(['query', name], `${name} is true or false.`);
  }
  return value === 'true';
}

function shownOf(query: URLSearchParams): Shown {
  const output = flag(query, 'include_series');
  return { input: output && flag(query, 'include_input'), output };
}

/** An operation with a body: it is parsed by its schema before the handler sees it. */
function post<T extends z.core.$ZodType>(
  path: string,
  summary: string,
  body: T,
  answer: z.core.$ZodType,
  handle: (body: z.core.output<T>, call: Call, resources: Resources) => unknown,
): Operation {
  return {
    method: 'post',
    path,
    summary,
    body,
    status: 201,
    answer,
    handle: (call, resources, input) => {
      const parsed = z.safeParse(body, input);
      if (!parsed.success) throw RequestError.invalid('body', parsed.error);
      return handle(parsed.data, call, resources);
    },
  };
}

function list(
  path: string,
  summary: string,
  item: z.core.$ZodType,
  handle: (page: PageRequest, call: Call, resources: Resources) => unknown,
  query: Operation['query'] = {},
): Operation {
  return {
    method: 'get',
    path,
    summary,
    query: { ...PAGING, ...query },
    status: 200,
    answer: page(item),
    handle: (call, resources) => handle(pageRequest(call.query), call, resources),
  };
}

function read(
  path: string,
  summary: string,
  answer: z.core.$ZodType,
  handle: (call: Call, resources: Resources) => unknown,
): Operation {
  return { method: 'get', path, summary, status: 200, answer, handle };
}

function remove(path: string, summary: string, handle: (call: Call, resources: Resources) => void): Operation {
  return { method: 'delete', path, summary, status: 204, handle };
}

/** The five operations of the interface, then what the interface lacks. */
export const operations: readonly Operation[] = [
  list(
    '/predictions',
    'List predictions, newest first',
    LocalPrediction,
    (page, { query }, { predictions }) =>
      predictions.list(page, shownOf(query), {
        datasetId: query.get('dataset_id') ?? undefined,
        status: query.get('status') ?? undefined,
      }),
    {
      include_series: {
        description: 'false leaves input_series and prediction_series out.',
        schema: { type: 'boolean', default: true },
      },
      include_input: {
        description: 'false leaves input_series out.',
        schema: { type: 'boolean', default: true },
      },
      dataset_id: { description: 'Only predictions of the series of this dataset.', schema: { type: 'string' } },
      status: { description: 'Only predictions of this status.', schema: { type: 'string' } },
    },
  ),
  post(
    '/predictions',
    'Create a prediction. Unless is_async is true the answer comes when it has ended; a client that leaves before cancels it.',
    LocalCreatePrediction,
    LocalPrediction,
    async (body, { signal }, { predictions, queue }) => {
      const id = predictions.create(body, queue);
      queue.wake();
      if (body.is_async) return predictions.get(id);
      const onAbort = () => void queue.cancel(id, 'Cancelled before it was done.');
      signal.addEventListener('abort', onAbort);
      await queue.ended(id);
      signal.removeEventListener('abort', onAbort);
      return predictions.get(id);
    },
  ),
  post(
    '/fine_tuned_models',
    'Create a fine-tuned model. The training data is the union of all that input_config selects, each stored series once.',
    LocalCreateFineTunedModel,
    LocalFineTunedModel,
    (body, _call, { models, queue }) => {
      const model = models.create(body, queue);
      queue.wake();
      return models.get(model.id);
    },
  ),
  list('/datasets', 'List datasets, newest first', LocalDataset, (page, _call, { datasets }) => datasets.list(page)),
  list('/keys', 'List API keys, newest first', Key, (page, _call, { keys }) => keys.list(page)),

  read('/predictions/{id}', 'Read a prediction', LocalPrediction, ({ id }, { predictions }) => predictions.get(id)),
  remove('/predictions/{id}', 'Delete a prediction; one that runs is cancelled', ({ id }, { predictions, queue }) => {
    predictions.remove(id, queue);
  }),
  list('/base_models', 'List the models that come with the service', BaseModel, (_page, _call, { models }) =>
    models.listBase(),
  ),
  list('/fine_tuned_models', 'List fine-tuned models, newest first', LocalFineTunedModel, (page, _call, { models }) =>
    models.list(page),
  ),
  read('/fine_tuned_models/{id}', 'Read a fine-tuned model', LocalFineTunedModel, ({ id }, { models }) =>
    models.get(id),
  ),
  remove(
    '/fine_tuned_models/{id}',
    'Delete a fine-tuned model; training that runs is cancelled',
    ({ id }, { models, queue }) => {
      models.remove(id, queue);
    },
  ),
  post(
    '/datasets',
    'Create a dataset of one or many series',
    CreateDataset,
    LocalDataset,
    (body, _call, { datasets }) => datasets.create(body),
  ),
  read('/datasets/{id}', 'Read a dataset', LocalDataset, ({ id }, { datasets }) => datasets.get(id)),
  remove('/datasets/{id}', 'Delete a dataset; predictions made from it stay', ({ id }, { datasets }) => {
    datasets.remove(id);
  }),
  post(
    '/datasets/{id}/predictions',
    'Create a prediction of each series of a dataset, all or none. They are QUEUED behind predictions of single series.',
    PredictDataset,
    DatasetPredictions,
    (body, { id }, { predictions, queue }): DatasetPredictions => {
      const ids = predictions.createOfDataset(id, body, queue);
      queue.wake();
      return { dataset_id: id, prediction_ids: ids };
    },
  ),
  remove(
    '/datasets/{id}/predictions',
    'Delete those predictions of a dataset that have not ended; those that run are cancelled',
    ({ id }, { predictions, queue }) => {
      predictions.removePending(id, queue);
    },
  ),
  list('/datasets/{id}/series', 'List the series of a dataset', StoredSeries, (page, { id }, { datasets }) =>
    datasets.listSeries(id, page),
  ),
  read('/series/{id}', 'Read a stored series with its points', StoredSeries, ({ id }, { datasets }) =>
    datasets.getSeries(id),
  ),
  post(
    '/keys',
    'Create an API key',
    z.looseObject({ name: optional(z.string().check(z.maxLength(100))) }),
    Key,
    ({ name }, _call, { keys }) => keys.create(name),
  ),
  remove('/keys/{id}', 'Delete an API key', ({ id, token }, { keys }) => {
    keys.remove(id, token);
  }),
];
