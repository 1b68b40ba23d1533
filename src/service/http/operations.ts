import * as z from 'zod/mini';
import {
  type AnswerOf,
  type BodyOf,
  type ListName,
  type Operation,
  type OperationName,
  operations,
  PAGE_SIZE,
  type QueryOf,
} from '../../contract/operations.ts';
import type { Page } from '../../contract/resources.ts';
import { decodeCursor } from '../store/cursor.ts';
import type { Datasets } from '../store/datasets.ts';
import { RequestError } from '../errors.ts';
import type { Keys } from '../store/keys.ts';
import type { PageRequest } from '../store/list.ts';
import type { Models } from '../store/models.ts';
import type { Predictions, Shown } from '../store/predictions.ts';
import type { Threads } from '../jobs/pool.ts';
import type { Queue } from '../jobs/queue.ts';

/** What the operations work on. */
export interface Resources {
  readonly keys: Keys;
  readonly datasets: Datasets;
  readonly models: Models;
  readonly predictions: Predictions;
  readonly queue: Queue;
  readonly threads: Threads;
}

/** A request as it came, authorized, its path parameter decoded. */
export interface Call {
  readonly id: string;
  readonly query: URLSearchParams;
  readonly token: string;
  readonly signal: AbortSignal;
}

/** A request as the handler of an operation sees it: its body and its page parsed. */
interface Parsed<K extends OperationName> extends Omit<Call, 'query'> {
  readonly query: { get(name: QueryOf<K>): string | null };
  readonly body: BodyOf<K>;
  readonly page: K extends ListName ? PageRequest : undefined;
}

type Answer<K extends OperationName> = K extends ListName ? Page<unknown> : AnswerOf<K>;
type Handlers = {
  readonly [K in OperationName]: (call: Parsed<K>, resources: Resources) => Answer<K> | Promise<Answer<K>>;
};

/** What each operation of the contract does. */
const handlers: Handlers = {
  listPredictions: ({ page, query }, { predictions }) =>
    predictions.list(page, shownOf(query), {
      datasetId: query.get('dataset_id') ?? undefined,
      status: query.get('status') ?? undefined,
    }),
  createPrediction: async ({ body, signal }, { predictions, queue }) => {
    const id = predictions.create(body, queue);
    queue.wake();
    if (body.is_async) return predictions.get(id);
    const onAbort = () => void queue.cancel(id, 'Cancelled before it was done.');
    signal.addEventListener('abort', onAbort);
    await queue.ended(id);
    signal.removeEventListener('abort', onAbort);
    return predictions.get(id);
  },
  createFineTunedModel: ({ body }, { models, queue }) => {
    const model = models.create(body, queue);
    queue.wake();
    return models.get(model.id);
  },
  listDatasets: ({ page }, { datasets }) => datasets.list(page),
  listKeys: ({ page }, { keys }) => keys.list(page),

  getPrediction: ({ id }, { predictions }) => predictions.get(id),
  deletePrediction: ({ id }, { predictions, queue }) => {
    predictions.remove(id, queue);
  },
  listBaseModels: (_call, { models }) => models.listBase(),
  listFineTunedModels: ({ page }, { models }) => models.list(page),
  getFineTunedModel: ({ id }, { models }) => models.get(id),
  deleteFineTunedModel: ({ id }, { models, queue }) => {
    models.remove(id, queue);
  },
  createDataset: ({ body }, { datasets }) => datasets.create(body),
  getDataset: ({ id }, { datasets }) => datasets.get(id),
  deleteDataset: ({ id }, { datasets }) => {
    datasets.remove(id);
  },
  predictDataset: ({ id, body }, { predictions, queue }) => {
    const ids = predictions.createOfDataset(id, body, queue);
    queue.wake();
    return { dataset_id: id, prediction_ids: ids };
  },
  cancelDatasetPredictions: ({ id }, { predictions, queue }) => {
    predictions.removePending(id, queue);
  },
  listDatasetSeries: ({ id, page }, { datasets }) => datasets.listSeries(id, page),
  getSeries: ({ id }, { datasets }) => datasets.getSeries(id),
  findOddPoints: ({ body: { series, series_id, rarity = 1000 }, signal }, { datasets, threads }) => {
    if ((series === undefined) === (series_id === undefined)) {
      throw RequestError.field(['body', 'series'], 'Give either series or series_id, and not both.');
    }
    if (series_id !== undefined && !datasets.hasSeries(series_id)) {
      throw RequestError.field(['body', 'series_id'], `There is no series “${series_id}”.`);
    }
    const points = series ?? datasets.points(series_id!);
    const nothing = () => undefined;
    return threads.run({ kind: 'odd-points', points, rarity }, signal, { onStart: nothing, onProgress: nothing });
  },
  createKey: ({ body }, { keys }) => keys.create(body.name),
  deleteKey: ({ id, token }, { keys }) => {
    keys.remove(id, token);
  },
};

/** Does one operation. @throws RequestError for a query or a body that is not as the contract says */
export function handle(name: OperationName, call: Call, body: unknown, resources: Resources): unknown {
  const { body: schema, item }: Operation = operations[name];
  const page = item ? pageRequest(call.query) : undefined;
  const parsed = schema && z.safeParse(schema, body);
  if (parsed && !parsed.success) throw RequestError.invalid('body', parsed.error);
  const handler = handlers[name] as (call: unknown, resources: Resources) => unknown;
  return handler({ ...call, page, body: parsed?.data }, resources);
}

function pageRequest(query: URLSearchParams): PageRequest {
  const { least, most, usual } = PAGE_SIZE;
  const size = Number(query.get('size') ?? usual);
  if (!Number.isInteger(size) || size < least || size > most) {
    throw RequestError.field(['query', 'size'], `size is a whole number from ${least} to ${most}.`);
  }
  const cursor = query.get('cursor');
  return { position: cursor ? decodeCursor(cursor) : { direction: 'after' }, size };
}

type PredictionQuery = Parsed<'listPredictions'>['query'];

function flag(query: PredictionQuery, name: 'include_series' | 'include_input'): boolean {
  const value = query.get(name) ?? 'true';
  if (value !== 'true' && value !== 'false') {
    throw RequestError.field(['query', name], `${name} is true or false.`);
  }
  return value === 'true';
}

function shownOf(query: PredictionQuery): Shown {
  const output = flag(query, 'include_series');
  return { input: output && flag(query, 'include_input'), output };
}
