import { StoredPoints } from '../store/points.ts';
import * as z from 'zod/mini';
import { failure, readAs } from '../../contract/failures.ts';
import {
  type AnswerOf,
  type Operation,
  type OperationName,
  operations,
  type QueryValues,
  type TakesLines,
} from '../../contract/operations.ts';
import { type Bodies, checkTexts, type ReadLines } from '../tasks/bodies.ts';
import type { Predictions, StoredPrediction } from '../resources/predictions.ts';
import { type Creations, forgetMade, type Once, type Steps } from '../store/creations.ts';
import type { Datasets, LineFault } from '../store/datasets.ts';
import { BusyError, JobError, RequestError } from '../errors.ts';
import type { Caller, Keys } from '../store/keys.ts';
import { json } from '../database/repository.ts';
import type { Models } from '../resources/models.ts';
import type { Threads } from '../tasks/pool.ts';
import { type Ended, type Queue, retried } from '../jobs/queue.ts';
import type { Task } from '../tasks/pool-thread.ts';
import type { Maintenance } from '../store/maintenance.ts';

export interface Resources {
  readonly keys: Keys;
  readonly creations: Creations;
  readonly datasets: Datasets;
  readonly models: Models;
  readonly predictions: Predictions;
  readonly queue: Queue;
  readonly threads: Threads;
  readonly maintenance: Maintenance;
  readonly closing: AbortSignal;
}

export interface Call {
  readonly id: string;
  readonly caller: Caller;
  readonly once?: Once | undefined;
  readonly signal: AbortSignal;
}

interface Parsed<K extends OperationName> extends Call {
  readonly query: QueryValues<K>;
  readonly body: K extends keyof Bodies ? Bodies[K] : K extends TakesLines ? AsyncIterable<ReadLines> : undefined;
}

/** Resources are answered as they are stored, with points that need not be read for it. */
type Handlers = { readonly [K in OperationName]: (call: Parsed<K>, resources: Resources) => unknown };

/** Faults of lines in the answer to a stream; further ones are only counted. */
const MOST_FAULTS = 100;

const MOST_ASKED = 200;

/** For what was done but cannot be read: for how long, and how often, in milliseconds. */
const RETRY = { timeout: 20_000, interval: 250 };

const handlers: Handlers = {
  listPredictions: ({ query }, { predictions }) => {
    const { include_series: output, include_input, include_sketch: sketch, dataset_id, status, batch_id } = query;
    const shown = { output, input: output && include_input, sketch };
    return predictions.listWith(query, shown, { dataset_id, status, batch_id });
  },
  createPrediction: forecast,
  createFineTunedModel: async ({ body, once }, { creations, models, queue }) => {
    const { id, made } = await creations.once(once, (note) => models.create(body, queue, note));
    queue.wake();
    return made ?? models.get(id);
  },
  listDatasets: ({ query }, { datasets }) => datasets.list(query, { for_job: query.for_jobs ? undefined : 0 }),
  // all keys of the tenant of an admin, else the caller's own
  listKeys: ({ query, caller: { id, scope } }, { keys }) =>
    keys.list(query, { id: scope === 'admin' ? undefined : id }),

  getPrediction: ({ id, query }, { predictions }) => predictions.withSeries(id, query.include_input),
  deletePrediction: ({ id }, { predictions, queue }) => predictions.remove(id, queue),
  getBacktest: async ({ id, query: { prediction_length, origins }, ...call }, resources) => {
    const task = await resources.predictions.task(id);
    const horizon = prediction_length ?? task.horizon;
    return ask(resources, { ...task, kind: 'backtest', id, horizon, origins }, call);
  },
  getDecomposition: async ({ id, ...call }, resources) =>
    ask(resources, await resources.predictions.decompositionTask(id), call),
  listBaseModels: (_call, { models }) => models.listBase(),
  listFineTunedModels: ({ query }, { models }) => models.list(query),
  getFineTunedModel: ({ id }, { models }) => models.get(id),
  stopFineTunedModel: async ({ id }, { models, queue }) => {
    await models.stop(id, queue);
    return models.get(id);
  },
  deleteFineTunedModel: ({ id }, { models, queue }) => models.remove(id, queue),
  createDataset: async ({ body, once }, { creations, datasets }) => {
    const { id, made } = await creations.once(once, (note) => datasets.create(body, note));
    return made ?? datasets.get(id);
  },
  getDataset: ({ id }, { datasets }) => datasets.get(id),
  deleteDataset: ({ id }, { datasets }) => datasets.remove(id),
  predictDataset,
  repeatBatch: async (call, resources) => {
    const { dataset_id: id, request } = await resources.predictions.batches.row(call.id);
    return predictDataset({ ...call, id, body: json<Bodies['predictDataset']>(request)! }, resources);
  },
  listBatches: ({ query }, { predictions }) => predictions.batches.list(query, { dataset_id: query.dataset_id }),
  getBatch: ({ id }, { predictions }) => predictions.batches.get(id),
  cancelDatasetPredictions: ({ id, query }, { predictions, queue }) =>
    predictions.removePending(id, queue, query.batch_id),
  listDatasetSeries: async ({ id, query }, { datasets }) => {
    await datasets.row(id);
    return datasets.series.list(query, { dataset_id: id });
  },
  addSeries,
  listForecasts: ({ id, caller }, { datasets, keys }) => datasets.forecasts(id, () => keys.mustBeThere(caller)),
  getSeries: async ({ id }, { datasets: { series } }) => ({
    ...(await series.get(id)),
    series: new StoredPoints(await series.points(id)),
  }),
  testCovariates: async ({ body: { series, ai_model_id, prediction_length: horizon }, ...call }, resources) => {
    const { model, parameters, contextLength } = await resources.models.usable(ai_model_id);
    const { points } = series;
    const task = { kind: 'covariates', points, horizon, levels: [], model, parameters, contextLength } as const;
    return ask(resources, task, call);
  },
  findAnomalies: async ({ body: { series, series_id, rarity = 1000 }, ...call }, resources) => {
    const { datasets } = resources;
    if (series_id !== undefined && !(await datasets.series.has(series_id)))
      throw RequestError.field(['body', 'series_id'], failure('no_stored_series', series_id), 404);
    const points = series?.points ?? (await datasets.series.points(series_id!));
    return ask(resources, { kind: 'anomalies', points, rarity }, call);
  },
  createKey: async ({ body, caller: { tenant }, once }, { creations, keys }) => {
    const { id, made } = await creations.once(once, (note) => keys.create({ ...body, tenant }, note));
    return made ?? keys.get(id);
  },
  deleteKey: ({ id, caller }, { keys }) => keys.remove(id, caller),
  getStorage: ({ caller }, { maintenance }) => maintenance.storage(caller),
};

async function forecast(
  { body, query, signal, caller, once }: Parsed<'createPrediction'>,
  { creations, keys, predictions, queue, closing }: Resources,
): Promise<StoredPrediction> {
  const input = query.include_input;
  for (;;) {
    signal.throwIfAborted();
    // by this request, and not by another under the same key
    let day: string | undefined;
    const { id, made: stored } = await creations.once(once, (note) =>
      predictions.create(body, queue, {
        note: async (db, made) => {
          await note?.(db, made);
          await keys.checkRoom(caller, 1, db);
        },
        count: async (db, series) => (day = await keys.count(caller, series, 'forecast', db)),
      }),
    );
    queue.wake();
    const answer = async (ended?: Ended): Promise<StoredPrediction> =>
      stored
        ? { ...stored, ...(input ? {} : { input_series: undefined }), ...ended }
        : predictions.withSeries(id, input);
    if (body.is_async) return answer();
    const isForgotten = async () => once !== undefined && (await creations.find(once)) !== id;
    let ended: Ended | undefined;
    try {
      ended = await queue.ended(id, signal);
    } catch (error) {
      let isTakenBack = false as boolean;
      // a request that is repeated under the key is done anew, and not answered with what was cancelled
      await queue.cancel(id, failure('cancelled'), async (db) => {
        await forgetMade(db, id);
        await keys.takeBack(caller, day, db);
        isTakenBack = true;
      });
      if (!isTakenBack && (await isForgotten())) await keys.takeBack(caller, day);
      throw error;
    }
    const read = async () => {
      // a key that was revoked meanwhile gets no answer
      await keys.mustBeThere(caller);
      return ended ? answer(ended) : predictions.withSeries(id, input);
    };
    const made = await retried(read, { signal, ...RETRY });
    // it ended with its program, or with another client under the same key, which is no answer to this one
    if (made.status !== 'FAILED' || !(await isForgotten())) return made;
    await keys.takeBack(caller, day);
    if (closing.aborted) throw new BusyError(failure('ended_before'));
  }
}

/** Stores the series of a stream, each part in its own transaction, which stays where the stream breaks off. */
async function addSeries(
  { id, body: parts, caller, once }: Parsed<'addSeries'>,
  { datasets, keys, closing }: Resources,
): Promise<object> {
  await datasets.row(id);
  let [stored, unchanged, refused] = [0, 0, 0];
  const faults: LineFault[] = [];
  for await (const { lines, faults: wrong } of parts) {
    if (closing.aborted) throw new BusyError(failure('stream_ends'));
    const under = lines.map((line) => ({ ...line, key: once?.key }));
    const added = await datasets.addLines(id, under, (db, count) => keys.count(caller, count, 'stored', db));
    stored += added.stored;
    unchanged += added.unchanged;
    refused += wrong.length + added.refused.length;
    const all = [...wrong, ...added.refused].sort((a, b) => a.line - b.line);
    faults.push(...all.slice(0, MOST_FAULTS - faults.length));
  }
  return { dataset_id: id, stored, unchanged, refused, faults };
}

async function predictDataset(
  { id, body, caller, once }: Parsed<'predictDataset'>,
  { creations, datasets, keys, predictions, queue }: Resources,
): Promise<AnswerOf<'predictDataset'>> {
  const { id: batch_id, made } = await creations.once(once, async (note) => {
    await keys.checkRoom(caller, (await datasets.row(id)).series_count);
    const count: Steps['count'] = (db, series) => keys.count(caller, series, 'forecast', db);
    return predictions.createOfDataset(id, body, queue, { note, count });
  });
  queue.wake();
  return { dataset_id: id, batch_id, prediction_ids: made?.ids ?? (await predictions.batches.predictions(batch_id)) };
}

/** Computes what is answered at once and not stored. @throws BusyError, RequestError 422 for what cannot be computed */
async function ask<K extends 'anomalies' | 'backtest' | 'covariates' | 'decomposition'>(
  { threads, keys }: Resources,
  task: Task & { kind: K },
  { signal, caller }: Pick<Call, 'signal' | 'caller'>,
): Promise<StoredPoints> {
  const { tenant } = caller;
  if (threads.waitingOf(tenant) >= MOST_ASKED) throw new BusyError(failure('busy'));
  const answer = await threads.run<K>(task, signal, { tenant }).catch((error: unknown) => {
    throw error instanceof JobError ? new RequestError(422, error.failure) : error;
  });
  await keys.mustBeThere(caller);
  return new StoredPoints(answer);
}

/** Does one operation. @throws RequestError for a query that is not as the contract says */
export function handle(
  name: OperationName,
  { given, ...call }: Call & { readonly given: URLSearchParams; readonly body: unknown },
  resources: Resources,
): unknown {
  const { query: parameters = z.object({}) }: Operation = operations[name];
  checkTexts(call.id, ['path', 'id']);
  const handler = handlers[name] as (call: unknown, resources: Resources) => unknown;
  const { keys, datasets, models, predictions } = resources;
  const { tenant } = call.caller;
  const theirs = { keys: keys.in(tenant), datasets: datasets.in(tenant), models: models.in(tenant) };
  return handler(
    { ...call, query: readQuery(given, parameters) },
    { ...resources, ...theirs, predictions: predictions.in(tenant) },
  );
}

/** A text is read as what it spells only where the schema takes no text. @throws RequestError 422 */
function readQuery(given: URLSearchParams, { shape }: z.ZodMiniObject): Readonly<Record<string, unknown>> {
  const read = (name: string, text?: string) => {
    const loc = ['query', name];
    checkTexts(text, loc);
    const asText = readAs(shape[name], text);
    const takesText = asText.success || asText.error.issues[0].code !== 'invalid_type';
    const isSpelt = !takesText && text !== undefined && /^(-?[0-9]+(\.[0-9]+)?|true|false)$/.test(text);
    const parsed = isSpelt ? readAs(shape[name], JSON.parse(text.replace(/^(-?)0+(?=[0-9])/, '$1'))) : asText;
    if (!parsed.success) throw RequestError.invalid(loc, parsed.error);
    return parsed.data;
  };
  const valueOf = (name: string) => given.getAll(name).map((text) => read(name, text))[0] ?? read(name);
  return Object.fromEntries(Object.keys(shape).map((name) => [name, valueOf(name)]));
}
