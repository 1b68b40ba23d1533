import { createHash, randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { SeenRequest } from './awkward.ts';
import { quietPort } from './ports.ts';
import { type PageForm, pageIn } from './strict-forms.ts';
import { BASE_MODELS, describeStrict, faultsOf, type StrictFault, strictRequests } from './strict-rules.ts';

export interface StrictService {
  /** Base URL, with a path. */
  readonly url: string;
  readonly token: string;
  /** A key that is not ACTIVE; its secret is answered with 403. */
  readonly revoked: string;
  readonly requests: SeenRequest[];
  readonly predictions: Prediction[];
  readonly models: Model[];
  /** How the service behaves from now on. */
  readonly mood: Mood;
  /** Bytes of all answers so far. */
  readonly sent: { bytes: number };
  /** Adds predictions of somebody else’s, one a minute up to now, each of so many points. */
  seed(count: number, points: number): void;
  /** Stops listening, as when it is killed; {@link up} begins again at the same address with the same store. */
  down(): Promise<void>;
  up(): Promise<void>;
  close(): Promise<void>;
}

/** What the interface leaves open, as this service decides it. */
export interface Mood {
  /** Status that the description is answered with; 200 gives it. */
  description: number;
  /** Milliseconds after which the gateway cuts a request, how long a job takes, and how long a list takes. */
  gateway: number;
  work: number;
  latency: number;
  /** Whether a prediction is answered before it is done, whatever was asked for. */
  isAlwaysAsync: boolean;
  /** Whether a training fails. */
  failsTraining: boolean;
  /** Where the lists begin. */
  order: 'newest' | 'oldest';
  /** What the two parameters of a list are called; whether another one is refused or passed over. */
  paging: { readonly cursor: string; readonly size: string; readonly isStrict: boolean };
  /** Items of a page by itself, and at most: more is refused. */
  page: { readonly usual: number; readonly most: number };
  /** What a cursor tells: a place in the list, or an item of it. */
  cursors: 'places' | 'items';
  /** Fields of a prediction that must be there, `metadata` being one of its points. */
  required: readonly string[];
  /** Whether answers have an ETag, and a list that is the same is not sent again. */
  etags: boolean;
  /** Whether a creation tells the address of what it makes: never, beside the resource, instead of it, or as what to see (303). */
  location: 'never' | 'beside' | 'instead' | 'see';
  /** Whether a prediction can be read by itself. */
  reads: boolean;
  /** How the other form of a path, with or without the slash at its end, is sent on. */
  redirect: 307 | 308;
  /** Whether paths end with a slash. */
  slash: boolean;
  /** `detail` with a list of faults, or `error` with one sentence. */
  faults: 'listed' | 'sentence';
  /** Whether the token is not good any more. */
  isExpired: boolean;
  /** Carries a creation out and drops its answer, or drops it before. */
  losesAnswers: boolean;
  losesRequests: boolean;
  /** What is said of a job that runs. */
  running: string;
  /** Whether the series must be whole: one value a step. */
  refusesGaps: boolean;
  /** Points of the longest series that it takes. */
  longest: number;
  /** Whether pages of other origins may ask, by the headers of CORS. */
  cors: boolean;
  /** An origin that everything is redirected to. */
  elsewhere: string | undefined;
  /** The form of a page. */
  form: 'interface' | PageForm;
  /** Whether all responses are compressed. */
  isPacked: boolean;
}

const ORDINARY: Mood = {
  description: 200,
  gateway: 30_000,
  work: 400,
  latency: 0,
  isAlwaysAsync: false,
  failsTraining: false,
  order: 'newest',
  paging: { cursor: 'cursor', size: 'size', isStrict: false },
  page: { usual: 50, most: 100 },
  cursors: 'places',
  required: ['ai_model_id'],
  etags: false,
  location: 'never',
  reads: false,
  redirect: 307,
  slash: true,
  faults: 'listed',
  isExpired: false,
  losesAnswers: false,
  losesRequests: false,
  running: 'IN_PROGRESS',
  refusesGaps: false,
  longest: Infinity,
  cors: false,
  elsewhere: undefined,
  form: 'interface',
  isPacked: false,
};

/** As a service is written in Go with the standard library: all that the interface leaves open the other way round. */
export const PLAIN: Partial<Mood> = {
  description: 404,
  order: 'oldest',
  paging: { cursor: 'after', size: 'limit', isStrict: true },
  page: { usual: 10, most: 100 },
  cursors: 'items',
  required: ['ai_model_id', 'metadata', 'fine_tuning_epochs'],
  etags: true,
  slash: false,
  faults: 'sentence',
};

interface Prediction extends Record<string, unknown> {
  readonly id: string;
  readonly from: number;
  readonly body: Record<string, unknown>;
  /** Of somebody else's, done long ago. */
  readonly isSeed?: boolean;
}
interface Model {
  readonly id: string;
  readonly from: number;
  readonly fails: boolean;
  readonly body: Record<string, unknown>;
}

type Query = Record<string, string | undefined>;

/** The place of the first point that follows a step that is missing; months are not told from each other. */
function gapIn(series: readonly { readonly timestamp: string }[]): number {
  const times = series.map(({ timestamp }) => Date.parse(timestamp));
  const least = Math.min(...times.slice(1).map((time, index) => time - times[index]));
  return times.findIndex((time, index) => index > 0 && time - times[index - 1] > 1.5 * least);
}

/** As Python writes an instant: microseconds and an offset. */
const instant = (time: number): string => new Date(time).toISOString().replace('Z', '000+00:00');

const tagOf = (text: string): string => `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;

/**
 * A service as one is ordinarily written from the interface, with FastAPI and its pagination: what the interface gives is
 * there, and nothing else. Model required and known, pages of at most 100, finite numbers only, unknown fields refused,
 * every path redirected to the one with a slash, its description at the origin's root, the body checked before the token, a
 * gateway that cuts long requests, FAILED without a reason, and no reading of models. What of this the interface leaves
 * open is decided by its mood.
 * @param ways where it differs from that
 * @param tls its key and certificate; without, it speaks http
 */
export async function startStrictService(
  ways: Partial<Mood> = {},
  tls?: { readonly key: string; readonly cert: string },
): Promise<StrictService> {
  const token = 'strict-token-4711';
  const revoked = 'strict-revoked-0815';
  const requests: SeenRequest[] = [];
  const predictions: Prediction[] = [];
  const models: Model[] = [];
  const mood: Mood = { ...ORDINARY, ...ways };
  const sent = { bytes: 0 };
  const datasets = Array.from({ length: 130 }, (_, index) => ({
    id: randomUUID(),
    tags: index % 2 ? ['retail', 'weekly'] : [],
    stats: {
      size: '12.4 kB',
      rows: 120,
      start_timestamp: instant(Date.UTC(2022, 0, 1)),
      end_timestamp: instant(Date.UTC(2023, 0, 1)),
      freq: index % 3 ? null : 'W',
    },
  }));
  const keys = [token, revoked].map((secret, index) => ({
    id: randomUUID(),
    status: index === 0 ? 'ACTIVE' : 'REVOKED',
    secret,
    created_at: instant(Date.UTC(2026, 0, 1 + index)),
  }));
  let server: FastifyInstance | undefined;
  const port = await quietPort();

  const statusOf = ({ from }: { from: number }, failed: boolean): string => {
    const done = (Date.now() - from) / mood.work;
    return done < 0.4 ? 'QUEUED' : done < 1 ? mood.running : failed ? 'FAILED' : 'COMPLETED';
  };

  const shownPrediction = (one: Prediction) => {
    const input = one.body.series as { timestamp: string; value: number }[];
    const status = one.isSeed ? 'COMPLETED' : statusOf(one, input.length < 5);
    const last = Date.parse(input.at(-1)!.timestamp);
    const month = (step: number) => instant(new Date(last).setUTCMonth(new Date(last).getUTCMonth() + step + 1));
    return {
      id: one.id,
      ai_model_id: one.body.ai_model_id,
      status,
      input_series: input.map((point) => ({ metadata: {}, ...point, timestamp: instant(Date.parse(point.timestamp)) })),
      prediction_series:
        status === 'COMPLETED'
          ? Array.from({ length: 12 }, (_, step) => ({
              timestamp: month(step),
              value: input[step % input.length].value,
              metadata: {},
            }))
          : null,
      input_series_id: `in-${one.id}`,
      prediction_series_id: status === 'COMPLETED' ? `out-${one.id}` : null,
      created_at: instant(one.from),
    };
  };

  /** As fastapi-pagination's CursorPage: cursors are percent-quoted, `null` at the ends. Only what is on it is made. */
  const pageOf = <T extends { readonly id: string }>(all: readonly T[], show: (one: T) => unknown, query: Query) => {
    const size = Number(query[mood.paging.size] ?? mood.page.usual);
    const given = decodeURIComponent(query[mood.paging.cursor] ?? '');
    const at =
      mood.cursors === 'places'
        ? Number(/^>i:(\d+)$/.exec(given)?.[1] ?? 0)
        : given === ''
          ? 0
          : all.findIndex(({ id }) => id === Buffer.from(given, 'base64url').toString()) + 1;
    const cursor = (index: number) =>
      mood.cursors === 'places'
        ? encodeURIComponent(`>i:${index}`)
        : Buffer.from(all[index - 1]?.id ?? '').toString('base64url');
    return {
      items: all.slice(at, at + size).map(show),
      total: all.length,
      current_page: cursor(at),
      current_page_backwards: cursor(Math.min(all.length, at + size)),
      previous_page: at === 0 ? null : cursor(Math.max(0, at - size)),
      next_page: at + size < all.length ? cursor(at + size) : null,
    };
  };

  const refuse = (reply: FastifyReply, status: number, detail: string | readonly StrictFault[]) => {
    if (mood.faults === 'listed') return reply.status(status).send({ detail });
    const [fault] = typeof detail === 'string' ? [] : detail;
    const error = fault ? `${fault.loc.slice(1).join('.')}: ${fault.msg}` : detail;
    return reply.status(status).send({ error });
  };

  const isLetIn = (request: FastifyRequest, reply: FastifyReply): boolean => {
    const { authorization } = request.headers;
    if (authorization === `Bearer ${token}` && !mood.isExpired) return true;
    if (authorization === `Bearer ${revoked}`) void refuse(reply, 403, 'This key has been revoked');
    else void refuse(reply, 401, authorization ? 'Invalid authentication credentials' : 'Not authenticated');
    return false;
  };

  const list =
    <T extends { readonly id: string }>(newestFirst: () => readonly T[], show: (one: T) => unknown = (one) => one) =>
    async (request: FastifyRequest, reply: FastifyReply) => {
      const query = request.query as Query;
      const { paging, page } = mood;
      const unknown = Object.keys(query).find((name) => name !== paging.cursor && name !== paging.size);
      if (paging.isStrict && unknown !== undefined) {
        const msg = `unknown parameter (known are "${paging.size}" and "${paging.cursor}")`;
        return refuse(reply, 400, [{ type: 'extra_forbidden', loc: ['query', unknown], msg, input: query[unknown] }]);
      }
      const size = Number(query[paging.size] ?? page.usual);
      if (!Number.isInteger(size) || size < 1 || size > page.most) {
        const loc = ['query', paging.size];
        const msg = `Input should be less than or equal to ${page.most}`;
        return refuse(reply, 422, [{ type: 'less_than_equal', loc, msg, input: query[paging.size] }]);
      }
      if (!isLetIn(request, reply)) return reply;
      await new Promise((resolve) => setTimeout(resolve, mood.latency));
      const all = mood.order === 'newest' ? newestFirst() : newestFirst().toReversed();
      if (mood.form === 'interface') return reply.send(pageOf(all, show, query));
      const url = new URL(request.url, `http://${request.headers.host ?? ''}`);
      const { body, link } = pageIn(mood.form, all.map(show), url, page.usual);
      return reply.headers(link ? { link } : {}).send(body);
    };

  const createPrediction = async (request: FastifyRequest, reply: FastifyReply) => {
    const faults = faultsOf(request.body, strictRequests(mood.required).prediction);
    if (faults.length > 0) return refuse(reply, 422, faults);
    if (!isLetIn(request, reply)) return reply;
    const body = request.body as Record<string, unknown>;
    if ((body.series === undefined) === (body.series_id === undefined))
      return refuse(reply, 422, [
        {
          type: 'value_error',
          loc: ['body'],
          msg: 'Value error, Provide exactly one of series and series_id',
          input: {},
        },
      ]);
    if (body.series_id !== undefined) return refuse(reply, 404, 'Series not found');
    if ((body.series as unknown[]).length > mood.longest) return refuse(reply, 413, 'Request body too large');
    const gap = mood.refusesGaps ? gapIn(body.series as readonly { timestamp: string }[]) : -1;
    if (gap >= 0) {
      const msg = 'the step before this one is missing';
      return refuse(reply, 422, [{ type: 'value_error', loc: ['body', 'series', gap], msg, input: {} }]);
    }
    const id = String(body.ai_model_id ?? BASE_MODELS[0]);
    if (!BASE_MODELS.includes(id)) {
      const model = models.find((one) => one.id === id);
      if (!model) return refuse(reply, 404, `Model ${id} not found`);
      const status = statusOf(model, model.fails);
      if (status !== 'COMPLETED') return refuse(reply, 409, `Model ${id} cannot be used: ${status}`);
    }
    if (mood.losesRequests) {
      request.raw.socket.destroy();
      return reply;
    }
    const made: Prediction = { id: randomUUID(), from: Date.now(), body };
    predictions.unshift(made);
    if (body.is_async !== true && !mood.isAlwaysAsync) {
      // a timer may be a moment early
      await new Promise((resolve) => setTimeout(resolve, Math.min(mood.work, mood.gateway) + 2));
      if (mood.work > mood.gateway)
        return reply.status(504).type('text/html').send('<html><h1>504 Gateway Time-out</h1></html>');
    }
    if (mood.losesAnswers) {
      request.raw.socket.destroy();
      return reply;
    }
    const path = `${new URL(request.url, 'http://localhost').pathname.replace(/\/$/, '')}/${made.id}`;
    if (mood.location !== 'never') void reply.header('location', path);
    if (mood.location === 'instead') return reply.status(202).send();
    return mood.location === 'see' ? reply.status(303).send() : reply.status(201).send(shownPrediction(made));
  };

  const readPrediction = (request: FastifyRequest, reply: FastifyReply) => {
    const { id } = request.params as { id: string };
    const found = predictions.find((one) => one.id === id);
    if (!mood.reads) return refuse(reply, 404, 'Not Found');
    if (!isLetIn(request, reply)) return reply;
    return found ? reply.send(shownPrediction(found)) : refuse(reply, 404, `Prediction ${id} not found`);
  };

  const createModel = (request: FastifyRequest, reply: FastifyReply) => {
    const faults = faultsOf(request.body, strictRequests(mood.required).model);
    if (faults.length > 0) return refuse(reply, 422, faults);
    if (!isLetIn(request, reply)) return reply;
    const body = request.body as { base_model: string; input_config: Record<string, unknown[]>; config?: object };
    if (!BASE_MODELS.includes(body.base_model)) return refuse(reply, 404, 'Base model not found');
    if (!Object.values(body.input_config).some((part) => part.length > 0))
      return refuse(reply, 400, 'input_config selects no data');
    const made: Model = { id: randomUUID(), from: Date.now(), fails: mood.failsTraining, body };
    models.push(made);
    const times = { created_at: instant(made.from), updated_at: instant(made.from) };
    return reply.status(201).send({ id: made.id, status: 'QUEUED', config: {}, ...body, ...times });
  };

  const build = (): FastifyInstance => {
    const app = Fastify({ bodyLimit: 8 << 20, exposeHeadRoutes: false, ...(tls && { https: tls }) } as object);
    app.addHook('onRequest', (request, reply, done) => {
      if (!mood.cors) {
        done();
        return;
      }
      void reply.header('access-control-allow-origin', '*');
      if (request.method !== 'OPTIONS') {
        done();
        return;
      }
      void reply
        .headers({
          'access-control-allow-headers': 'authorization, content-type, if-none-match, idempotency-key',
          'access-control-allow-methods': 'GET, POST, DELETE',
        })
        .status(204)
        .send();
    });
    app.addHook('preHandler', (request, reply, done) => {
      const { method, url, headers, body } = request;
      void reply.header('x-request-id', `seen-${requests.length + 1}`);
      if (url !== '/v1/openapi.json') requests.push({ method, url, authorization: headers.authorization, body });
      done();
    });
    app.addHook('onSend', (request, reply, payload, done) => {
      const text = typeof payload === 'string' ? payload : '';
      if (mood.etags && request.method === 'GET' && reply.statusCode === 200) {
        void reply.header('etag', tagOf(text));
        if (request.headers['if-none-match'] === tagOf(text)) {
          void reply.status(304);
          done(null, '');
          return;
        }
      }
      const packed = mood.isPacked && text !== '' ? gzipSync(text) : undefined;
      if (packed) void reply.header('content-encoding', 'gzip').removeHeader('content-length');
      sent.bytes += packed?.byteLength ?? Buffer.byteLength(text);
      done(null, packed ?? payload);
    });
    app.setErrorHandler((error: { statusCode?: number; message: string }, _request, reply) =>
      error.statusCode === 413
        ? refuse(reply, 413, 'Request body too large')
        : refuse(reply, 422, [
            { type: 'json_invalid', loc: ['body', 1], msg: `JSON decode error: ${error.message}`, input: {} },
          ]),
    );
    app.setNotFoundHandler((_request, reply) => refuse(reply, 404, 'Not Found'));
    app.get('/openapi.json', (_request, reply) =>
      mood.description === 200 ? reply.send(describeStrict(mood)) : refuse(reply, mood.description, 'try later'),
    );
    type Handle = (request: FastifyRequest, reply: FastifyReply) => unknown;
    const operations: Record<string, Record<string, Handle>> = {
      predictions: { get: list(() => predictions, shownPrediction), post: createPrediction },
      fine_tuned_models: { post: createModel },
      datasets: { get: list(() => datasets) },
      keys: { get: list(() => keys) },
    };
    for (const [name, methods] of Object.entries(operations)) {
      const handle = (request: FastifyRequest, reply: FastifyReply, isWithSlash: boolean) => {
        if (mood.elsewhere !== undefined) return reply.redirect(mood.elsewhere + request.url, mood.redirect);
        if (isWithSlash !== mood.slash) {
          const { search } = new URL(request.url, 'http://localhost');
          const base = `${tls ? 'https' : 'http'}://${request.headers.host ?? ''}/v1/${name}`;
          return reply.redirect(`${base}${mood.slash ? '/' : ''}${search}`, mood.redirect);
        }
        const found = methods[request.method.toLowerCase()];
        return found ? found(request, reply) : refuse(reply, 405, 'Method Not Allowed');
      };
      app.all(`/v1/${name}`, (request, reply) => handle(request, reply, false));
      app.all(`/v1/${name}/`, (request, reply) => handle(request, reply, true));
    }
    app.get('/v1/predictions/:id', readPrediction);
    return app;
  };

  const up = async () => {
    server = build();
    await server.listen({ port, host: '127.0.0.1' });
  };
  const down = async () => {
    server?.server.closeAllConnections();
    await server?.close();
    server = undefined;
  };
  await up();
  return {
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${port}/v1`,
    token,
    revoked,
    requests,
    predictions,
    models,
    mood,
    sent,
    seed: (count, points) => {
      const series = Array.from({ length: points }, (_, hour) => ({
        timestamp: instant(Date.UTC(2024, 0, 1, hour)),
        value: 100 + (hour % 24),
      }));
      const body = { ai_model_id: BASE_MODELS[1], series };
      for (let index = count; index > 0; index--) {
        predictions.unshift({ id: randomUUID(), from: Date.now() - index * 60_000, body, isSeed: true });
      }
    },
    down,
    up,
    close: down,
  };
}
