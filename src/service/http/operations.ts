import { StoredPoints } from '../store/points.ts';
import { failure } from '../../contract/failures.ts';
import {
  type AnswerOf,
  type GivesLines,
  type ListName,
  type Operation,
  type OperationName,
  operations,
  paging,
  type QueryOf,
  type QueryParameter,
  type TakesLines,
} from '../../contract/operations.ts';
import type { Page } from '../../contract/resources.ts';
import { type Bodies, checkTexts, type ReadLines } from '../tasks/bodies.ts';
import { mayPass } from '../database/trouble.ts';
import type { Ended } from '../jobs/writes.ts';
import type { Predictions, Shown, StoredPrediction } from '../resources/predictions.ts';
import { type Creations, forgetMade, type Note, type Once, type Steps } from '../store/creations.ts';
import type { LineFault } from '../store/series.ts';
import type { Datasets } from '../store/datasets.ts';
import { BusyError, JobError, RequestError } from '../errors.ts';
import type { Caller, Keys, Limiter } from '../store/keys.ts';
import { decodeCursor, type PageRequest } from '../database/list.ts';
import type { Models } from '../resources/models.ts';
import type { Threads } from '../tasks/pool.ts';
import type { Queue } from '../jobs/queue.ts';
import type { Task } from '../tasks/pool-thread.ts';
import type { Maintenance } from '../store/maintenance.ts';

export interface Resources {
  readonly keys: Keys;
  readonly limits?: Limiter | undefined;
  readonly creations: Creations;
  readonly datasets: Datasets;
  readonly models: Models;
  readonly predictions: Predictions;
  readonly queue: Queue;
  readonly threads: Threads;
  readonly maintenance: Maintenance;
  readonly closing: AbortSignal;
}

/** A request as it came, authorized, its path parameter decoded. */
export interface Call {
  readonly id: string;
  readonly query: URLSearchParams;
  readonly caller: Caller;
  /** Where it came under a key. */
  readonly once?: Once | undefined;
  readonly signal: AbortSignal;
}

/** A request as the handler of an operation sees it: its body read, its page parsed. */
interface Parsed<K extends OperationName> extends Omit<Call, 'query'> {
  readonly query: { get(name: QueryOf<K>): string | null };
  readonly body: K extends keyof Bodies ? Bodies[K] : K extends TakesLines ? AsyncIterable<ReadLines> : undefined;
  readonly page: K extends ListName ? PageRequest : undefined;
}

/** Resources are answered as they are stored, with points that need not be read for it. */
type Answer<K extends OperationName> = K extends ListName
  ? Page<unknown>
  : K extends GivesLines
    ? AsyncGenerator<string>
    : AnswerOf<K> extends undefined
      ? undefined
      : object;
type Handlers = {
  readonly [K in OperationName]: (call: Parsed<K>, resources: Resources) => Answer<K> | Promise<Answer<K>>;
};

/** Faults of the lines of a stream that are told; the others are counted. */
const MOST_FAULTS = 100;

/** Questions of a tenant that are answered at once, and may wait for a thread. */
const MOST_ASKED = 200;

const handlers: Handlers = {
  listPredictions: ({ page, query }, { predictions }) =>
    predictions.list(page, shownOf(query), {
      datasetId: query.get('dataset_id') ?? undefined,
      status: query.get('status') ?? undefined,
      batchId: query.get('batch_id') ?? undefined,
    }),
  createPrediction: (call, resources) => forecast(call.body, shownOf(call.query).input, call, resources),
  createFineTunedModel: async ({ body, once }, { creations, models, queue }) => {
    const made = await creations.made(
      once,
      (note) => models.create(body, queue, note),
      (id) => models.get(id),
    );
    queue.wake();
    return made;
  },
  listDatasets: ({ page, query }, { datasets }) => datasets.list(page, query.get('for_jobs') === 'true'),
  listKeys: ({ page, caller }, { keys }) => keys.list(page, caller),

  getPrediction: ({ id, query }, { predictions }) => predictions.get(id, shownOf(query).input),
  deletePrediction: async ({ id }, { predictions, queue }) => {
    await predictions.remove(id, queue);
  },
  getBacktest: async ({ id, query, ...call }, { predictions, ...resources }) => {
    const horizon = query.get('prediction_length');
    const origins = query.get('origins');
    const asked = {
      ...(horizon === null ? {} : { horizon: Number(horizon) }),
      ...(origins === null ? {} : { origins: Number(origins) }),
    };
    return ask(resources, { ...(await predictions.task(id)), ...asked, kind: 'backtest', id }, call);
  },
  getDecomposition: async ({ id, ...call }, { predictions, ...resources }) =>
    ask(resources, await predictions.decompositionTask(id), call),
  listBaseModels: (_call, { models }) => models.listBase(),
  listFineTunedModels: ({ page }, { models }) => models.list(page),
  getFineTunedModel: ({ id }, { models }) => models.get(id),
  stopFineTunedModel: async ({ id }, { models, queue }) => {
    await models.stop(id, queue);
    return models.get(id);
  },
  deleteFineTunedModel: async ({ id }, { models, queue }) => {
    await models.remove(id, queue);
  },
  createDataset: async ({ body, once }, { creations, datasets }) =>
    creations.made(
      once,
      (note) => datasets.create(body, note),
      (id) => datasets.get(id),
    ),
  getDataset: ({ id }, { datasets }) => datasets.get(id),
  deleteDataset: async ({ id }, { datasets }) => {
    await datasets.remove(id);
  },
  predictDataset: ({ id, body, ...call }, resources) => predictDataset(id, body, call, resources),
  repeatBatch: async ({ id, ...call }, resources) => {
    const { dataset, request } = await resources.predictions.askedOfBatch(id);
    return predictDataset(dataset, request, call, resources);
  },
  listBatches: ({ page, query }, { predictions }) =>
    predictions.listBatches(page, query.get('dataset_id') ?? undefined),
  getBatch: ({ id }, { predictions }) => predictions.getBatch(id),
  cancelDatasetPredictions: async ({ id, query }, { predictions, queue }) => {
    await predictions.removePending(id, queue, query.get('batch_id') ?? undefined);
  },
  listDatasetSeries: ({ id, page }, { datasets }) => datasets.listSeries(id, page),
  addSeries: ({ id, body, ...call }, resources) => addStream(id, body, call, resources),
  listForecasts: async ({ id, caller }, { datasets, keys }) =>
    whileThere(await datasets.forecasts(id), () => keys.mustBeThere(caller)),
  getSeries: ({ id }, { datasets }) => datasets.getSeries(id),
  testCovariates: async ({ body: { series, ai_model_id, prediction_length }, ...call }, { models, ...resources }) => {
    const model = await models.usable(ai_model_id);
    const question = { points: series.points, horizon: prediction_length, levels: [] };
    return ask(
      resources,
      {
        ...question,
        kind: 'covariates',
        model: model.base,
        parameters: model.parameters,
        contextLength: model.contextLength,
      },
      call,
    );
  },
  findAnomalies: async ({ body: { series, series_id, rarity = 1000 }, ...call }, { datasets, ...resources }) => {
    if ((series === undefined) === (series_id === undefined)) {
      throw RequestError.field(['body', 'series'], failure(series === undefined ? 'no_series' : 'series_or_id'));
    }
    if (series_id !== undefined && !(await datasets.hasSeries(series_id))) {
      throw RequestError.field(['body', 'series_id'], failure('no_stored_series', series_id), 404);
    }
    const points = series?.points ?? (await datasets.points(series_id!)).stored;
    return ask(resources, { kind: 'anomalies', points, rarity }, call);
  },
  createKey: async ({ body, caller, once }, { creations, keys }) => {
    const make = (note?: Note) => keys.create({ ...body, tenant: caller.tenant }, note);
    return creations.made(once, make, (id) => keys.get(id, caller.tenant));
  },
  deleteKey: async ({ id, caller }, { keys }) => {
    await keys.remove(id, caller);
  },
  getStorage: ({ caller }, { maintenance }) => maintenance.storage(caller),
};

/** Stores a prediction, and waits for it where the client does. @param input whether the answer has the series */
async function forecast(
  body: Bodies['createPrediction'],
  input: boolean,
  { signal, caller, once }: Pick<Call, 'signal' | 'caller' | 'once'>,
  { creations, keys, predictions, queue, closing }: Resources,
): Promise<StoredPrediction> {
  for (;;) {
    signal.throwIfAborted();
    // by this request, and not by another under the same key
    let counted: string | undefined;
    let stored: StoredPrediction | undefined;
    const id = await creations.once(once, async (note) => {
      stored = await predictions.create(body, queue, {
        first: roomFirst(keys, caller, note),
        // last, as other requests of the same key wait from there on
        last: async (db) => {
          counted = await keys.count(caller, 1, 'forecast', db);
        },
      });
      return stored.id;
    });
    queue.wake();
    // what is known of it here need not be read again
    const told = async (ended?: Ended): Promise<StoredPrediction> =>
      stored ? { ...stored, ...(input ? {} : { input_series: undefined }), ...ended } : predictions.get(id, input);
    if (body.is_async) return told();
    const isForgotten = async () => once !== undefined && !(await creations.knows(once, id));
    let ended: Ended | undefined;
    try {
      ended = await queue.ended(id, signal);
    } catch (error) {
      let isTakenBack = false as boolean;
      // what comes again under the key is done anew, and not answered with what was cancelled
      await queue.cancel(id, failure('cancelled'), async (db) => {
        await forgetMade(db, id);
        await keys.takeBack(caller, counted, db);
        isTakenBack = true;
      });
      // by another that was lost at the same time
      if (!isTakenBack && (await isForgotten())) await keys.takeBack(caller, counted);
      throw error;
    }
    const made = await patiently(signal, async () => {
      // what was asked for with a key is told to none that was revoked meanwhile
      await keys.mustBeThere(caller);
      return ended ? told(ended) : predictions.get(id, input);
    });
    // it ended with its program, or with another client under the same key, which is no answer to this one
    if (made.status !== 'FAILED' || !(await isForgotten())) return made;
    await keys.takeBack(caller, counted);
    if (closing.aborted) throw new BusyError(failure('ended_before'));
  }
}

/** How long what is done is read again and again, where the store cannot be read just then, in milliseconds. */
const PATIENCE = 20_000;
const REST = 250;

async function patiently<T>(signal: AbortSignal, read: () => Promise<T>): Promise<T> {
  for (const until = performance.now() + PATIENCE; ;) {
    try {
      return await read();
    } catch (error) {
      if (!mayPass(error) || performance.now() > until) throw error;
      await new Promise((resolve) => setTimeout(resolve, REST));
      signal.throwIfAborted();
    }
  }
}

/** Notes what is made, and refuses what the key may not have before it is stored. */
const roomFirst =
  (keys: Keys, caller: Caller, note: Note | undefined): Steps['first'] =>
  async (db, made, count) => {
    await note?.(db, made);
    await keys.checkRoom(caller, count, 'forecast', db);
  };

/** Stores the series of a stream, each part in its own transaction, which stays where the stream breaks off. */
async function addStream(
  id: string,
  parts: AsyncIterable<ReadLines>,
  { caller, once }: Pick<Call, 'caller' | 'once'>,
  { datasets, keys, closing }: Resources,
): Promise<object> {
  const key = once?.key;
  await datasets.get(id);
  let [stored, unchanged, refused] = [0, 0, 0];
  const faults: LineFault[] = [];
  const refuse = (some: readonly LineFault[]) => {
    refused += some.length;
    faults.push(...some.slice(0, MOST_FAULTS - faults.length));
  };
  for await (const { lines, faults: wrong } of parts) {
    if (closing.aborted) throw new BusyError(failure('stream_ends'));
    const under = key === undefined ? lines : lines.map((line) => ({ ...line, key }));
    const added = await datasets.addLines(id, under, async (db, count) => {
      await keys.count(caller, count, 'stored', db);
    });
    stored += added.stored;
    unchanged += added.unchanged;
    refuse([...wrong, ...added.refused].sort((a, b) => a.line - b.line));
  }
  return { dataset_id: id, stored, unchanged, refused, faults };
}

async function predictDataset(
  id: string,
  body: Bodies['predictDataset'],
  { caller, once }: Pick<Call, 'caller' | 'once'>,
  { creations, datasets, keys, predictions, queue }: Resources,
): Promise<AnswerOf<'predictDataset'>> {
  let ids: readonly string[] | undefined;
  const batch_id = await creations.once(once, async (note) => {
    // before anything is stored
    await keys.checkRoom(caller, (await datasets.get(id)).series_count ?? 0, 'forecast');
    const made = await predictions.createOfDataset(id, body, queue, {
      first: roomFirst(keys, caller, note),
      last: async (db, count) => {
        await keys.count(caller, count, 'forecast', db);
      },
    });
    ids = made.ids;
    return made.batch;
  });
  queue.wake();
  return { dataset_id: id, batch_id, prediction_ids: [...(ids ?? (await predictions.ofBatch(batch_id)))] };
}

/** What is told part by part, until the key that it is told to is revoked. */
async function* whileThere(parts: AsyncGenerator<string>, check: () => Promise<void>): AsyncGenerator<string> {
  for await (const part of parts) {
    await check();
    yield part;
  }
}

/** Computes what is answered at once and not stored. @throws BusyError, RequestError 422 for what cannot be computed */
async function ask<K extends 'anomalies' | 'backtest' | 'covariates' | 'decomposition'>(
  { threads, keys }: Pick<Resources, 'threads' | 'keys'>,
  task: Task & { kind: K },
  { signal, caller }: Pick<Call, 'signal' | 'caller'>,
): Promise<StoredPoints> {
  const { tenant } = caller;
  if (threads.waitingOf(tenant) >= MOST_ASKED) throw new BusyError(failure('busy'));
  try {
    const answer = await threads.run<K>(task, signal, { tenant });
    await keys.mustBeThere(caller);
    return new StoredPoints(answer);
  } catch (error) {
    if (error instanceof JobError) throw new RequestError(422, error.failure);
    throw error;
  }
}

/** Does one operation. @throws RequestError for a query that is not as the contract says */
export function handle(name: OperationName, call: Call, body: unknown, resources: Resources): unknown {
  const { item, query }: Operation = operations[name];
  checkTexts(call.id, ['path', 'id']);
  checkQuery(call.query, query ?? {});
  const page = item ? pageRequest(call.query) : undefined;
  const handler = handlers[name] as (call: unknown, resources: Resources) => unknown;
  return handler({ ...call, page, body }, ofTenant(resources, call.caller.tenant));
}

/** All that a request does is bound to the tenant of its key. */
const ofTenant = (resources: Resources, tenant: string): Resources => ({
  ...resources,
  datasets: resources.datasets.in(tenant),
  models: resources.models.in(tenant),
  predictions: resources.predictions.in(tenant),
});

/** @throws RequestError 422 for a value that the parameter's schema does not have */
function checkQuery(given: URLSearchParams, query: Readonly<Record<string, QueryParameter>>): void {
  for (const [name, { schema }] of Object.entries(query)) {
    const {
      type,
      enum: values = type === 'boolean' ? ['true', 'false'] : undefined,
      pattern,
      minimum,
      maximum,
    } = schema;
    for (const value of given.getAll(name)) {
      checkTexts(value, ['query', name]);
      const isNumber =
        /^[0-9]{1,6}$/.test(value) && Number(value) >= Number(minimum) && Number(value) <= Number(maximum);
      if (type === 'integer' && !isNumber) {
        throw RequestError.field(['query', name], failure('query_range', name, Number(minimum), Number(maximum)));
      }
      if (Array.isArray(values) && !values.includes(value)) {
        throw RequestError.field(['query', name], failure('query_values', name, values.join(' or ')));
      }
      if (typeof pattern === 'string' && !new RegExp(pattern).test(value)) {
        throw RequestError.field(['query', name], failure('query_pattern', name));
      }
    }
  }
}

function pageRequest(query: URLSearchParams): PageRequest {
  const size = Number(query.get('size') ?? paging.size.schema.default);
  const cursor = query.get('cursor');
  return { position: cursor !== null ? decodeCursor(cursor) : { direction: 'after' }, size };
}

type PredictionQuery = Parsed<'listPredictions'>['query'];

function shownOf(query: PredictionQuery): Shown {
  const output = query.get('include_series') !== 'false';
  const input = output && query.get('include_input') !== 'false';
  return { input, output, sketch: query.get('include_sketch') === 'true' };
}
