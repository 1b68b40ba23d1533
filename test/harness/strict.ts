import { randomUUID } from 'node:crypto';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { SeenRequest } from './awkward.ts';
import { quietPort } from './ports.ts';
import { BASE_MODELS, describeStrict, faultsOf, REQUESTS } from './strict-rules.ts';

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
  /** Stops listening, as when it is killed; {@link up} begins again at the same address with the same store. */
  down(): Promise<void>;
  up(): Promise<void>;
  close(): Promise<void>;
}

interface Mood {
  /** Status that the description is answered with; 200 gives it. */
  description: number;
  /** Milliseconds after which the gateway cuts a request, and how long a job takes. */
  gateway: number;
  work: number;
  /** Whether a training fails. */
  failsTraining: boolean;
}

interface Prediction extends Record<string, unknown> {
  readonly id: string;
  readonly from: number;
  readonly body: Record<string, unknown>;
}
interface Model {
  readonly id: string;
  readonly from: number;
  readonly fails: boolean;
  readonly body: Record<string, unknown>;
}

/** As Python writes an instant: microseconds and an offset. */
const instant = (time: number): string => new Date(time).toISOString().replace('Z', '000+00:00');

/**
 * A service as one is ordinarily written from the interface, with FastAPI and its pagination: what the interface gives is
 * there, and nothing else. Model required and known, pages of at most 100, finite numbers only, unknown fields refused,
 * every path redirected to the one with a slash, its description at the origin's root, the body checked before the token, a
 * gateway that cuts long requests, FAILED without a reason, and no reading of models.
 */
export async function startStrictService(): Promise<StrictService> {
  const token = 'strict-token-4711';
  const revoked = 'strict-revoked-0815';
  const requests: SeenRequest[] = [];
  const predictions: Prediction[] = [];
  const models: Model[] = [];
  const mood: Mood = { description: 200, gateway: 30_000, work: 400, failsTraining: false };
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
    return done < 0.4 ? 'QUEUED' : done < 1 ? 'IN_PROGRESS' : failed ? 'FAILED' : 'COMPLETED';
  };

  const shownPrediction = (one: Prediction) => {
    const input = one.body.series as { timestamp: string; value: number }[];
    const status = statusOf(one, input.length < 5);
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
      input_series_id: randomUUID(),
      prediction_series_id: status === 'COMPLETED' ? randomUUID() : null,
      created_at: instant(one.from),
    };
  };

  /** As fastapi-pagination's CursorPage: cursors are percent-quoted, `null` at the ends. */
  const pageOf = (all: readonly unknown[], query: Record<string, string | undefined>) => {
    const size = Number(query.size ?? 50);
    const at = Number(/^>i:(\d+)$/.exec(decodeURIComponent(query.cursor ?? ''))?.[1] ?? 0);
    const cursor = (index: number) => encodeURIComponent(`>i:${index}`);
    return {
      items: all.slice(at, at + size),
      total: all.length,
      current_page: cursor(at),
      current_page_backwards: cursor(Math.min(all.length, at + size)),
      previous_page: at === 0 ? null : cursor(Math.max(0, at - size)),
      next_page: at + size < all.length ? cursor(at + size) : null,
    };
  };

  const refuse = (reply: FastifyReply, status: number, detail: unknown) => reply.status(status).send({ detail });

  const isLetIn = (request: FastifyRequest, reply: FastifyReply): boolean => {
    const { authorization } = request.headers;
    if (authorization === `Bearer ${token}`) return true;
    if (authorization === `Bearer ${revoked}`) void refuse(reply, 403, 'This key has been revoked');
    else void refuse(reply, 401, authorization ? 'Invalid authentication credentials' : 'Not authenticated');
    return false;
  };

  const list = (all: () => readonly unknown[]) => (request: FastifyRequest, reply: FastifyReply) => {
    const query = request.query as Record<string, string | undefined>;
    const size = Number(query.size ?? 50);
    if (!Number.isInteger(size) || size < 1 || size > 100) {
      const loc = ['query', 'size'];
      const msg = 'Input should be less than or equal to 100';
      return refuse(reply, 422, [{ type: 'less_than_equal', loc, msg, input: query.size, ctx: { le: 100 } }]);
    }
    return isLetIn(request, reply) ? reply.send(pageOf(all(), query)) : reply;
  };

  const createPrediction = async (request: FastifyRequest, reply: FastifyReply) => {
    const faults = faultsOf(request.body, REQUESTS.prediction);
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
    const id = String(body.ai_model_id);
    if (!BASE_MODELS.includes(id)) {
      const model = models.find((one) => one.id === id);
      if (!model) return refuse(reply, 404, `Model ${id} not found`);
      const status = statusOf(model, model.fails);
      if (status !== 'COMPLETED') return refuse(reply, 409, `Model ${id} cannot be used: ${status}`);
    }
    const made: Prediction = { id: randomUUID(), from: Date.now(), body };
    predictions.unshift(made);
    if (body.is_async !== true) {
      await new Promise((resolve) => setTimeout(resolve, Math.min(mood.work, mood.gateway)));
      if (mood.work > mood.gateway)
        return reply.status(504).type('text/html').send('<html><h1>504 Gateway Time-out</h1></html>');
    }
    return reply.status(201).send(shownPrediction(made));
  };

  const createModel = (request: FastifyRequest, reply: FastifyReply) => {
    const faults = faultsOf(request.body, REQUESTS.model);
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
    const app = Fastify({ bodyLimit: 8 << 20, exposeHeadRoutes: false });
    app.addHook('preHandler', (request, _reply, done) => {
      const { method, url, headers, body } = request;
      if (url !== '/v1/openapi.json') requests.push({ method, url, authorization: headers.authorization, body });
      done();
    });
    app.setErrorHandler((error: { statusCode?: number; message: string }, _request, reply) =>
      error.statusCode === 413
        ? refuse(reply, 413, 'Request body too large')
        : refuse(reply, 422, [
            {
              type: 'json_invalid',
              loc: ['body', 1],
              msg: 'JSON decode error',
              input: {},
              ctx: { error: error.message },
            },
          ]),
    );
    app.setNotFoundHandler((_request, reply) => refuse(reply, 404, 'Not Found'));
    app.get('/openapi.json', (_request, reply) =>
      mood.description === 200 ? reply.send(describeStrict()) : refuse(reply, mood.description, 'try later'),
    );
    type Handle = (request: FastifyRequest, reply: FastifyReply) => unknown;
    const operations: Record<string, Record<string, Handle>> = {
      predictions: { get: list(() => predictions.map(shownPrediction)), post: createPrediction },
      fine_tuned_models: { post: createModel },
      datasets: { get: list(() => datasets) },
      keys: { get: list(() => keys) },
    };
    for (const [name, methods] of Object.entries(operations)) {
      app.all(`/v1/${name}`, (request, reply) => {
        const { search } = new URL(request.url, 'http://localhost');
        return reply.redirect(`http://${request.headers.host ?? ''}/v1/${name}/${search}`, 307);
      });
      app.all(`/v1/${name}/`, (request, reply) => {
        const handle = methods[request.method.toLowerCase()];
        return handle ? handle(request, reply) : refuse(reply, 405, 'Method Not Allowed');
      });
    }
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
    url: `http://127.0.0.1:${port}/v1`,
    token,
    revoked,
    requests,
    predictions,
    models,
    mood,
    down,
    up,
    close: down,
  };
}
