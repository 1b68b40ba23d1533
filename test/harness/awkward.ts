import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';

/** A request as the service saw it. */
export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly authorization: string | undefined;
  readonly body: unknown;
}

export interface AwkwardService {
  /** Base URL of a personality, such as `quoted`. */
  base(personality: Personality): string;
  readonly token: string;
  readonly requests: SeenRequest[];
  /** What was created, as `quoted predictions`. */
  readonly created: string[];
  /** Makes what was created that many milliseconds older. */
  age(milliseconds: number): void;
  close(): Promise<void>;
}

/** Each is a service of its own, below a path of its own; all speak the interface, each in an awkward way. */
export const personalities = {
  /** As FastAPI with fastapi-pagination: percent-quoted cursors, `null` at the ends and as total. */
  quoted: 'quoted',
  /** Only the fields that cannot be left out; ids that are numbers; values as text, null or absent; odd timestamps. */
  sparse: 'sparse',
  /** Fields and status words that nobody has heard of. */
  strange: 'strange',
  /** Every answer a moment late. */
  late: 'late',
  /** The first request of each path is refused with 401, the next is not. */
  moody: 'moody',
  /** Every first request of each path is put off with 429 and Retry-After. */
  limited: 'limited',
  /** 500 for everything. */
  broken: 'broken',
  /** Cuts the connection in the middle of every body; a creation is done all the same. */
  cut: 'cut',
  /** A web page for everything. */
  html: 'html',
  /** Sends everything on to another origin. */
  redirect: 'redirect',
  /** A list of 200 MB. */
  huge: 'huge',
  /** A chain of pages without an end, each the same. */
  endless: 'endless',
  /** A creation is QUEUED, and done after a few looks at the list. */
  slow: 'slow',
  /** 100,000 predictions. */
  many: 'many',
} as const;
export type Personality = keyof typeof personalities;

interface Stored {
  readonly id: string;
  readonly body: Record<string, unknown>;
  /** Epoch milliseconds. */
  made: number;
  looks: number;
}

/** As Python writes it: microseconds and no zone. */
const written = (time: number): string => new Date(time).toISOString().replace('Z', '000');

const point = (index: number, value: unknown = index) => ({
  timestamp: new Date(Date.UTC(2024, index, 1)).toISOString(),
  value,
  metadata: {},
});

/**
 * A service of the interface that plays its awkward sides, with another framework than the local service.
 * @param elsewhere the origin that `redirect` sends to
 */
export async function startAwkwardService(elsewhere = 'http://127.0.0.1:9'): Promise<AwkwardService> {
  const token = 'awkward-token-4711';
  const secret = 'awkward-secret-0815';
  const requests: SeenRequest[] = [];
  const stored = new Map<string, Stored[]>();
  const visited = new Set<string>();
  const created: string[] = [];
  const app: FastifyInstance = Fastify({ bodyLimit: 64 << 20 });

  const of = (personality: string) => stored.get(personality) ?? stored.set(personality, []).get(personality)!;

  const prediction = (personality: string, { id, body, made, looks }: Stored) => {
    const isDone = personality !== 'slow' || looks > 2;
    const whole = {
      id,
      ai_model_id: body.ai_model_id ?? 'house-model',
      status: isDone ? 'COMPLETED' : looks > 0 ? 'IN_PROGRESS' : 'QUEUED',
      input_series: body.series,
      prediction_series: isDone ? [point(40, 1.5), point(41, 2.5)] : null,
      input_series_id: `in-${id}`,
      prediction_series_id: isDone ? `out-${id}` : null,
      created_at: written(made),
    };
    if (personality === 'strange') return { ...whole, status: 'PONDERING', mood: 'odd', cost: { amount: 3 } };
    if (personality === 'sparse') return { id: Number(id), status: 'COMPLETED' };
    return whole;
  };

  const pages = (personality: string, all: readonly unknown[], query: Record<string, string | undefined>) => {
    const size = Math.min(100, Number(query.size ?? 50));
    const from = Number(/^>i:(\d+)$/.exec(decodeURIComponent(query.cursor ?? ''))?.[1] ?? 0);
    const cursor = (index: number) => encodeURIComponent(`>i:${index}`);
    if (personality === 'endless') {
      return { items: all.slice(0, 1), total: null, next_page: `again-${Math.random()}` };
    }
    if (personality === 'sparse')
      return {
        items: all.slice(from, from + size),
        ...(from + size < all.length ? { next_page: cursor(from + size) } : {}),
      };
    return {
      items: all.slice(from, from + size),
      total: personality === 'many' ? all.length : null,
      current_page: cursor(from),
      current_page_backwards: cursor(from),
      previous_page: from === 0 ? null : cursor(Math.max(0, from - size)),
      next_page: from + size < all.length ? cursor(from + size) : null,
    };
  };

  const list = (personality: string, kind: string): readonly unknown[] => {
    if (kind === 'datasets') {
      return personality === 'sparse'
        ? [{ id: 'd1' }, { id: 'd2', tags: null, stats: {} }, { tags: ['no id'] }]
        : Array.from({ length: 7 }, (_, i) => ({
            id: `d${i}`,
            tags: ['weekly'],
            stats: { size: '3 MB', rows: 100, freq: 'W' },
          }));
    }
    if (kind === 'keys')
      return [
        { id: 'k1', status: 'ACTIVE', secret, created_at: '2026-01-01T00:00:00' },
        { id: 'k2', status: 'REVOKED', secret: null },
      ];
    if (personality === 'many') return MANY;
    if (personality === 'sparse') return SPARSE;
    return of(personality)
      .map((one) => prediction(personality, one))
      .toReversed();
  };

  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    const { personality, kind } = request.params as { personality: Personality; kind: string };
    const { authorization } = request.headers;
    requests.push({ method: request.method, url: request.url, authorization, body: request.body });
    const first = !visited.has(`${request.method} ${personality} ${kind}`);
    visited.add(`${request.method} ${personality} ${kind}`);
    if (personality === 'html') return reply.type('text/html').send('<!doctype html><title>Welcome</title><p>Sign in');
    if (personality === 'redirect') return reply.redirect(`${elsewhere}${request.url}`);
    if (authorization !== `Bearer ${token}`) return reply.status(401).send({ detail: 'Not authenticated' });
    if (kind === 'openapi.json') return reply.status(404).send({ detail: 'Not Found' });
    if (!['predictions', 'datasets', 'keys', 'fine_tuned_models'].includes(kind))
      return reply.status(404).send({ detail: 'Not Found' });
    if (personality === 'broken') return reply.status(500).send('Internal Server Error');
    if (personality === 'moody' && first) return reply.status(401).send({ detail: 'Signature has expired' });
    if (personality === 'limited' && first)
      return reply
        .status(429)
        .header('retry-after', '1')
        .send({ error: { message: 'slow down' } });
    if (personality === 'late') await new Promise((resolve) => setTimeout(resolve, 800));
    if (personality === 'huge' && request.method === 'GET') return reply.type('application/json').send(hugeBody());
    const body =
      request.method === 'POST' ? create(personality, kind, request.body) : looked(personality, kind, request.query);
    if (personality === 'cut' && request.method === 'POST') {
      reply.hijack();
      reply.raw.writeHead(201, { 'content-type': 'application/json', 'content-length': '1000' });
      reply.raw.write(JSON.stringify(body).slice(0, 20));
      setTimeout(() => reply.raw.destroy(), 20);
      return reply;
    }
    return reply.status(request.method === 'POST' ? (personality === 'strange' ? 202 : 201) : 200).send(body);
  };

  const create = (personality: string, kind: string, body: unknown) => {
    created.push(`${personality} ${kind}`);
    const made: Stored = {
      id: String(1000 + of(personality).length),
      body: body as Record<string, unknown>,
      made: Date.now(),
      looks: 0,
    };
    if (kind === 'fine_tuned_models') {
      return { id: `m${made.id}`, status: 'QUEUED', ...made.body, created_at: written(made.made), updated_at: null };
    }
    of(personality).push(made);
    return prediction(personality, made);
  };

  const looked = (personality: string, kind: string, query: unknown) => {
    const page = pages(personality, list(personality, kind), query as Record<string, string | undefined>);
    if (kind === 'predictions') for (const one of of(personality)) one.looks++;
    return page;
  };

  app.setErrorHandler((error: { statusCode?: number; code?: string; message: string }, _request, reply) => {
    const isUnreadable = error.statusCode === 400;
    if (!isUnreadable) return reply.status(500).send({ detail: error.message });
    return reply.status(422).send({ detail: [{ loc: ['body'], msg: 'JSON decode error', type: 'json_invalid' }] });
  });
  app.get('/:personality/:kind', answer);
  app.post('/:personality/:kind', answer);
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  return {
    base: (personality) => `http://127.0.0.1:${port}/${personality}`,
    token,
    requests,
    created,
    age: (milliseconds) => {
      for (const one of [...stored.values()].flat()) one.made -= milliseconds;
    },
    close: async () => {
      app.server.closeAllConnections();
      await app.close();
    },
  };
}

const MANY = Array.from({ length: 100_000 }, (_, i) => ({
  id: `p${i}`,
  ai_model_id: 'house-model',
  status: 'COMPLETED',
  input_series_id: `in${i}`,
  prediction_series_id: `out${i}`,
  created_at: new Date(Date.UTC(2026, 0, 1) - i * 60_000).toISOString(),
}));

const SPARSE = [
  { id: 1, status: 'COMPLETED' },
  {
    id: 2,
    status: 'COMPLETED',
    input_series: [
      { timestamp: '2024-01-01', value: '3.5' },
      { timestamp: '2024-01-02T00:00:00.123456', value: null },
      { timestamp: '2024-01-03T02:00:00+02:00', value: 'NaN' },
      { timestamp: '2024-01-04T00:00:00Z' },
      { timestamp: '2024-01-05T00:00:00Z', value: 4, metadata: null },
    ],
    prediction_series: [{ timestamp: '2024-01-06T00:00:00Z', value: '4.25' }],
  },
  { id: 3, status: 'FAILED', error: { message: 'not enough history' } },
];

function hugeBody(): Readable {
  const chunk = Buffer.alloc(1 << 20, ' ');
  return Readable.from(
    (function* () {
      yield Buffer.from('{"items": [');
      for (let i = 0; i < 200; i++) yield chunk;
      yield Buffer.from(']}');
    })(),
  );
}
