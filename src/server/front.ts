import { cors } from 'hono/cors';
import { Hono } from 'hono';
import { refusal, tokenOf } from '../service/http/routes.ts';
import { failure } from '../contract/failures.ts';
import { createHash } from 'node:crypto';
import type { Readiness } from '../service/host/service.ts';
import { type Log, requestId } from './log.ts';
import { type Metrics, routeOf, soon } from './metrics.ts';

type Fetch = (request: Request) => Promise<Response>;

interface GuardOptions {
  /** Host names that the service answers to besides those of this machine; `any` where it listens beyond this machine. */
  readonly hosts?: readonly string[] | 'any';
  /** Origins of web pages that may call it, such as `https://notebooks.example.com`, or `https://*.example.com` for any name. */
  readonly origins?: readonly string[];
  readonly trustsProxy?: boolean;
}

export const isLoopback = (host: string): boolean => /^(localhost|::1|\[::1\]|127(\.\d{1,3}){3})$/i.test(host);

const lastOf = (header: string | null): string | undefined => header?.split(',').at(-1)?.trim() || undefined;

/** The origin that a client called, as far as this service can know; a proxy that is trusted says it. */
function calledOrigin(request: Request, trustsProxy: boolean): string {
  const url = new URL(request.url);
  if (!trustsProxy) return url.origin;
  const protocol = lastOf(request.headers.get('x-forwarded-proto')) ?? url.protocol.slice(0, -1);
  const host = lastOf(request.headers.get('x-forwarded-host')) ?? url.host;
  return URL.parse(`${protocol}://${host}/`)?.origin ?? url.origin;
}

/** Whether an origin is one of those named; web editors give each folder a name of its own. */
const isAmong = (origins: readonly string[], origin: string): boolean =>
  origins.includes(origin) || origins.includes(origin.replace(/\/\/[a-z\d-]+\./, '//*.'));

/** Answers the CORS preflight of pages of these origins, without cookies; other pages get no such headers. */
function shownTo(origins: readonly string[], fetch: Fetch): Fetch {
  const app = new Hono();
  app.use(
    cors({
      origin: (origin) => origin,
      allowMethods: ['GET', 'POST', 'DELETE'],
      allowHeaders: ['Authorization', 'Content-Type', 'Idempotency-Key', 'If-None-Match', 'X-Request-Id'],
      exposeHeaders: ['ETag', 'Link', 'Location', 'Retry-After', 'X-Request-Id'],
      maxAge: 600,
    }),
  );
  app.all('*', ({ req: { raw } }) => fetch(raw));
  return async (request) => {
    const origin = request.headers.get('origin');
    if (origin !== null && isAmong(origins, origin)) return app.fetch(request);
    const response = await fetch(request);
    // a cache that keeps an answer for one origin, or for none, must not give it to another
    if (origins.length > 0) response.headers.append('vary', 'Origin');
    return response;
  };
}

/** Refuses hosts that are not ours (DNS rebinding) and pages of other origins, before anything else is looked at. */
export function guard(fetch: Fetch, { hosts = [], origins = [], trustsProxy = false }: GuardOptions = {}): Fetch {
  const isOurs = (name: string): boolean =>
    hosts === 'any' || isLoopback(name) || hosts.some((host) => host.toLowerCase() === name);
  const shown = shownTo(origins, async (request) => {
    const origin = request.headers.get('origin');
    const isLetIn = origin === null || origin === calledOrigin(request, trustsProxy) || isAmong(origins, origin);
    return isLetIn ? fetch(request) : refusal(403, failure('origin_refused'));
  });
  return async (request) => {
    const { headers } = request;
    const host = (trustsProxy ? lastOf(headers.get('x-forwarded-host')) : undefined) ?? headers.get('host') ?? '';
    const called = [URL.parse(`http://${host}/`), new URL(calledOrigin(request, trustsProxy))];
    if (!called.every((url) => isOurs(url?.hostname ?? ''))) return refusal(403, failure('host_refused'));
    return shown(request);
  };
}

interface VitalOptions {
  readonly log: Log;
  readonly metrics: Metrics;
  readonly ready: () => Promise<Readiness>;
  readonly mayMeasure?: (token: string) => Promise<boolean>;
}

export interface FrontOptions extends GuardOptions, Required<VitalOptions> {
  readonly ids?: WeakMap<Request, string>;
}

export type Front = (request: Request, remote?: string) => Promise<Response>;

export function front(fetch: Fetch, options: FrontOptions): Front {
  const { log, metrics, ids, trustsProxy = false, origins = [] } = options;
  const guarded = guard(fetch, options);
  const vital = shownTo(origins, vitals(options));
  return async (request, remote) => {
    const began = performance.now();
    const { method, headers } = request;
    const id = requestId(headers.get('x-request-id'));
    ids?.set(request, id);
    const { pathname } = new URL(request.url);
    const route = routeOf(pathname);
    const isVital = /^\/(health\/|metrics$)/.test(route) && (method === 'GET' || method === 'HEAD');
    metrics.began();
    let status = 0;
    try {
      const response = await (isVital ? vital(request) : guarded(request));
      ({ status } = response);
      response.headers.set('x-request-id', id);
      return response;
    } finally {
      const seconds = (performance.now() - began) / 1000;
      metrics.answered(method, route, status, seconds);
      const from = (trustsProxy ? lastOf(headers.get('x-forwarded-for')) : undefined) ?? remote;
      const ms = Math.round(seconds * 1e4) / 10;
      const level = status >= 500 || status === 0 ? 'error' : route.startsWith('/health/') ? 'debug' : 'info';
      log[level]({ request: id, method, path: pathname.slice(0, 200), status, ms, from }, 'request');
    }
  };
}

export function vitals({ ready, log, metrics, mayMeasure }: VitalOptions): Fetch {
  const letIn = new Set<string>();
  const readiness = async () => {
    const found = await ready().catch((error: unknown) => {
      log.error({ err: error }, 'not ready');
      return { store: false, queue: false };
    });
    const isReady = found.store && found.queue;
    return Response.json({ status: isReady ? 'ready' : 'not ready', ...found }, { status: isReady ? 200 : 503 });
  };
  return async (request) => {
    switch (new URL(request.url).pathname) {
      case '/health/live':
        return Response.json({ status: 'ok' });
      case '/health/ready':
        return readiness();
      case '/metrics':
        return mayMeasure ? figures(request, { mayMeasure, metrics, log }, letIn) : metrics.answer();
      default:
        return refusal(404, failure('not_found'));
    }
  };
}

/** Metrics for keys that may read them; while the store is away, for those that were let in last time. */
async function figures(
  request: Request,
  { metrics, mayMeasure, log }: Omit<Required<VitalOptions>, 'ready'>,
  letIn: Set<string>,
): Promise<Response> {
  const token = tokenOf(request) ?? '';
  const digest = createHash('sha256').update(token).digest('base64url');
  try {
    if (token !== '' && (await soon(mayMeasure(token)))) {
      letIn.add(digest);
      return await metrics.answer();
    }
  } catch (error) {
    if (letIn.has(digest)) {
      log.warn({ err: error }, 'metrics without the store');
      return metrics.answer();
    }
    log.error({ err: error }, 'metrics');
    return refusal(503, failure('database_away'), { 'retry-after': '5' });
  }
  letIn.delete(digest);
  return refusal(401, failure('token_missing'), { 'www-authenticate': 'Bearer' });
}
