/** The routes of the service: who may call, how an operation is done, and how it is answered. */
import * as z from 'zod/mini';
import { isCreation, NDJSON, operations } from '../../contract/operations.ts';
import type { AnswerOf, Operation, OperationName, QueryValues, TakesLines } from '../../contract/operations.ts';
import { KEY_SCOPES } from '../../contract/resources.ts';
import { BusyError, DamagedRowError, JobError, mayPass, problemOf, RequestError, storeTrouble } from '../errors.ts';
import { type Caller, type Keys, notValid } from '../store/keys.ts';
import { StoredPoints } from '../store/points.ts';
import { failure, type Failure, type Fault, readAs } from '../../contract/failures.ts';
import { Hono } from 'hono';
import { type Bodies, type BodyName, checkTexts, type ReadLines } from '../tasks/bodies.ts';
import { createOnce, forgetMade, madeUnder, type Once, onceOf, type Steps } from '../store/creations.ts';
import type { RequestBodies } from './request-bodies.ts';
import { describeService } from './openapi.ts';
import type { Predictions, StoredPrediction } from '../resources/predictions.ts';
import type { Datasets, LineFault } from '../store/datasets.ts';
import { json } from '../database/repository.ts';
import type { Models } from '../resources/models.ts';
import type { Threads } from '../tasks/pool.ts';
import { type Ended, type JobWatch, type Queue, retried } from '../jobs/queue.ts';
import type { Task } from '../tasks/pool-thread.ts';
import type { Maintenance } from '../store/maintenance.ts';

/** What a program that serves others wants to know of requests: of each that may write, by which key it was, and its outcome. */
export interface Watch extends JobWatch {
  readonly audit: (request: Request, write: Readonly<Record<string, string | number | undefined>>) => void;
}

export const tokenOf = ({ headers }: Request): string | undefined =>
  /^Bearer +(\S+) *$/i.exec(headers.get('authorization') ?? '')?.[1];

async function authorize(request: Request, { keys }: Resources, watch?: Watch): Promise<Caller> {
  const token = tokenOf(request);
  if (!token) throw new RequestError(401, failure('token_missing'));
  const caller = await keys.caller(token);
  if (!caller) throw notValid();
  if (watch) keys.noteUse(caller);
  await keys.admit(caller);
  return caller;
}

const PLACE = crypto.randomUUID();

/** The JSON of an answer: every field is there, `null` where it is not known; stored points are put in as they are. */
async function toJson(answer: unknown): Promise<string | ReadableStream> {
  const points: Points[] = [];
  const [first, ...others] = JSON.stringify(await written(answer, points)).split(`"${PLACE}"`);
  const parts = [first, ...others.flatMap((part, index) => [...points[index], part])];
  return parts.every((part) => typeof part === 'string') ? parts.join('') : new Blob(parts).stream();
}

type Points = Awaited<ReturnType<StoredPoints['json']>>;

async function written(answer: unknown, points: Points[]): Promise<unknown> {
  if (answer instanceof StoredPoints) {
    points.push(await answer.json());
    return PLACE;
  }
  if (typeof answer !== 'object' || answer === null) return answer;
  const fields: Record<string, unknown> = {};
  let damage = {};
  for (const [name, value] of Object.entries(answer)) {
    fields[name] = value ?? null;
    if (name === 'items' && Array.isArray(value)) {
      const items: unknown[] = [];
      for (const item of value) items.push(await written(item, points));
      fields[name] = items;
    } else if (value instanceof StoredPoints) {
      fields[name] = await written(value, points).catch((error: unknown) => {
        if (!(error instanceof DamagedRowError)) throw error;
        damage = { error: error.failure };
        return null;
      });
    }
  }
  return { ...fields, ...damage };
}

export const refusal = (
  status: number,
  failure: Failure,
  headers: Readonly<Record<string, string>> = {},
  errors?: readonly Fault[],
): Response =>
  new Response(JSON.stringify(problemOf(status, failure, errors)), {
    status,
    headers: { 'content-type': 'application/problem+json', ...headers },
  });

function streamed(parts: AsyncGenerator<string>, report: (error: unknown) => void): Response {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        try {
          const { done, value } = await parts.next();
          if (done) controller.close();
          else controller.enqueue(encoder.encode(value));
        } catch (error) {
          if (!mayPass(error) && !(error instanceof RequestError)) report(error);
          throw error;
        }
      },
      cancel: async () => {
        await parts.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(body, { headers: { 'content-type': NDJSON } });
}

/** What a failed request is answered with. Nobody reads it where the client has gone, and there is no defect then. */
function refused(error: unknown, { signal }: Request, report: (error: unknown) => void): Response {
  if (error instanceof RequestError) {
    const headers: Record<string, string> = {};
    if (error instanceof BusyError) headers['retry-after'] = String(error.after);
    if (error.status === 401) headers['www-authenticate'] = 'Bearer';
    return refusal(error.status, error.failure, headers, error.errors);
  }
  if (signal.aborted) return refusal(400, failure('client_gone'));
  report(error);
  const { status, failure: reason } = storeTrouble(error) ?? { status: 500, failure: failure('defect') };
  return refusal(status, reason, status === 500 ? {} : { 'retry-after': '5' });
}

export function createApp(
  resources: Resources,
  bodies: RequestBodies,
  report: (error: unknown) => void,
  watch?: Watch,
): (request: Request) => Promise<Response> {
  const app = new Hono();
  let description: string | undefined;
  const methods = new Map([['/openapi.json', ['GET', 'HEAD']]]);
  app.get('/openapi.json', () => inJson((description ??= describeService()), 200));

  for (const [name, operation] of Object.entries(operations) as [OperationName, Operation][]) {
    const { method, status, scope = method === 'GET' ? 'read' : 'write' } = operation;
    const path = operation.path.replace('{id}', ':id');
    methods.set(path, [...(methods.get(path) ?? []), method, ...(method === 'GET' ? ['HEAD'] : [])]);
    app.on(method, path, async (context) => {
      const { raw } = context.req;
      const caller = await authorize(raw, resources, watch);
      const id = context.req.param('id') ?? '';
      let target = id || undefined;
      let response: Response;
      try {
        if (KEY_SCOPES.indexOf(caller.scope) < KEY_SCOPES.indexOf(scope))
          throw new RequestError(403, failure('scope', scope, caller.scope));
        const answered = await answer(name, { request: raw, caller, id }, resources, bodies);
        target ??= (answered as { id?: string } | undefined)?.id;
        if (status === 204) response = new Response(null, { status });
        else if (operation.answerLines) response = streamed(answered as AsyncGenerator<string>, report);
        else response = inJson(await toJson(answered), status);
      } catch (error) {
        response = refused(error, raw, report);
      }
      if (scope !== 'read')
        watch?.audit(raw, { key: caller.id, tenant: caller.tenant, operation: name, target, status: response.status });
      return response;
    });
  }
  for (const [path, allowed] of methods)
    app.all(path, () => refusal(405, failure('method_not_allowed'), { allow: allowed.join(', ') }));
  app.notFound(() => refusal(404, failure('not_found')));
  app.onError((error, context) => refused(error, context.req.raw, report));
  return async (request) => app.fetch(request);
}

/** Does one operation. @throws RequestError for a request that is not as the contract says */
async function answer(
  name: OperationName,
  { request, caller, id }: { readonly request: Request; readonly caller: Caller; readonly id: string },
  resources: Resources,
  bodies: RequestBodies,
): Promise<unknown> {
  const operation: Operation = operations[name];
  const { tenant } = caller;
  const { signal } = request;
  const once = isCreation(operation) ? onceOf(request, tenant, resources.keys.in(tenant).db) : undefined;
  const body = operation.bodyLines
    ? bodies.lines(request)
    : operation.body && (await bodies.read(name as BodyName, request, once?.hash));
  // who would send it again, not knowing that it was made
  if (isCreation(operation)) signal.throwIfAborted();
  checkTexts(id, ['path', 'id']);
  const query = readQuery(new URL(request.url).searchParams, operation.query ?? z.object({}));
  const { keys, datasets, models, predictions } = resources;
  const theirs = { keys: keys.in(tenant), datasets: datasets.in(tenant), models: models.in(tenant) };
  const handler = handlers[name] as (call: unknown, resources: Resources) => unknown;
  return handler(
    { id, query, body, caller, once, signal },
    { ...resources, ...theirs, predictions: predictions.in(tenant) },
  );
}

const inJson = (text: string | ReadableStream, status: number): Response =>
  new Response(text, { status, headers: { 'content-type': 'application/json' } });

interface Resources {
  readonly keys: Keys;
  readonly datasets: Datasets;
  readonly models: Models;
  readonly predictions: Predictions;
  readonly queue: Queue;
  readonly threads: Threads;
  readonly maintenance: Maintenance;
  readonly closing: AbortSignal;
}

interface Parsed<K extends OperationName> {
  readonly id: string;
  readonly caller: Caller;
  readonly once?: Once | undefined;
  readonly signal: AbortSignal;
  readonly query: QueryValues<K>;
  readonly body: K extends keyof Bodies ? Bodies[K] : K extends TakesLines ? AsyncIterable<ReadLines> : undefined;
}

/** Resources are answered as they are stored, with points that need not be read for it. */
type Handlers = { readonly [K in OperationName]: (call: Parsed<K>, resources: Resources) => unknown };

const MOST_FAULTS = 100; // faults of lines in the answer to a stream; further ones are only counted

const MOST_ASKED = 200;

/** For what was done but cannot be read: for how long, and how often, in milliseconds. */
const RETRY = { timeout: 20_000, interval: 250 };

const handlers: Handlers = {
  listPredictions: ({ query }, { predictions }) => predictions.listed(query),
  createPrediction: forecast,
  createFineTunedModel: async ({ body, once }, { models, queue }) => {
    const { id, made } = await createOnce(once, (note) => models.create(body, queue, note));
    queue.wake();
    return made ?? models.get(id);
  },
  listDatasets: ({ query }, { datasets }) => datasets.list(query, { for_job: query.for_jobs ? undefined : 0 }),
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
  createDataset: async ({ body, once }, { datasets }) => {
    const { id, made } = await createOnce(once, (note) => datasets.create(body, note));
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
  createKey: async ({ body, caller: { tenant }, once }, { keys }) => {
    const { id, made } = await createOnce(once, (note) => keys.create({ ...body, tenant }, note));
    return made ?? keys.get(id);
  },
  deleteKey: ({ id, caller }, { keys }) => keys.remove(id, caller),
  getStorage: ({ caller }, { maintenance }) => maintenance.storage(caller),
};

async function forecast(
  { body, query, signal, caller, once }: Parsed<'createPrediction'>,
  { keys, predictions, queue, closing }: Resources,
): Promise<StoredPrediction> {
  const input = query.include_input;
  for (;;) {
    signal.throwIfAborted();
    let day: string | undefined;
    const { id, made: stored } = await createOnce(once, (note) =>
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
    const isForgotten = async () => once !== undefined && (await madeUnder(once)) !== id;
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
  { datasets, keys, predictions, queue }: Resources,
): Promise<AnswerOf<'predictDataset'>> {
  const { id: batch_id, made } = await createOnce(once, async (note) => {
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
  { signal, caller }: Pick<Parsed<OperationName>, 'signal' | 'caller'>,
): Promise<StoredPoints> {
  const { tenant } = caller;
  if (threads.waitingOf(tenant) >= MOST_ASKED) throw new BusyError(failure('busy'));
  const answer = await threads.run<K>(task, signal, { tenant }).catch((error: unknown) => {
    throw error instanceof JobError ? new RequestError(422, error.failure) : error;
  });
  await keys.mustBeThere(caller);
  return new StoredPoints(answer);
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
