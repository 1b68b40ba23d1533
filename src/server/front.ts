/** What stands before the routes of a service that runs as a program: who may call it, ids, log, figures, health. */
import { cors } from 'hono/cors';
import { Hono } from 'hono';
import { refusal } from '../service/http/routes.ts';
import { failure } from '../contract/failures.ts';
import { createHash } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import type { Readiness } from '../service/host/service.ts';
import { type Log, requestId } from './log.ts';
import { type Metrics, routeOf, soon } from './metrics.ts';

type Fetch = (request: Request) => Promise<Response>;

export interface GuardOptions {
  /** Host names that the service answers to besides those of this machine; `any` where it listens beyond this machine. */
  readonly hosts?: readonly string[] | 'any';
  /** Origins of web pages that may call it, such as `https://notebooks.example.com`, or `https://*.example.com` for any name. */
  readonly origins?: readonly string[];
  /** Whether a proxy stands before it, whose word on name and protocol of a request counts. */
  readonly trustsProxy?: boolean;
}

const isLoopback = (name: string): boolean =>
  name === 'localhost' || name === '[::1]' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(name);

/** What comes last in a list of proxies is what the one before this service says. */
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
export function shownTo(origins: readonly string[], fetch: Fetch): Fetch {
  const app = new Hono();
  app.use(
    cors({
      origin: (origin) => (isAmong(origins, origin) ? origin : null),
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
  const nameOf = (host: string | null): string => URL.parse(`http://${host ?? ''}/`)?.hostname ?? '';
  const shown = shownTo(origins, async (request) => {
    const origin = request.headers.get('origin');
    const isLetIn = origin === null || origin === calledOrigin(request, trustsProxy) || isAmong(origins, origin);
    if (isLetIn) return fetch(request);
    return refusal(403, failure('origin_refused'));
  });
  return async (request) => {
    const { headers } = request;
    const called = calledOrigin(request, trustsProxy);
    const host = (trustsProxy ? lastOf(headers.get('x-forwarded-host')) : undefined) ?? headers.get('host');
    if (!isOurs(nameOf(host)) || !isOurs(new URL(called).hostname)) {
      return refusal(403, failure('host_refused'));
    }
    return shown(request);
  };
}

export interface FrontOptions extends GuardOptions {
  readonly log: Log;
  readonly metrics: Metrics;
  /** Gets the ids of requests, for what else is logged of them. */
  readonly ids?: WeakMap<Request, string>;
  readonly ready: () => Promise<Readiness>;
  /** Whether this token may read the figures: they are of all tenants. */
  readonly mayMeasure: (token: string) => Promise<boolean>;
}

/** As the platform's `fetch`, with the address that a request came from. */
export type Front = (request: Request, remote?: string) => Promise<Response>;

/** Told whatever the host name is that a request came to. */
const VITAL = new Set(['/health/live', '/health/ready', '/metrics']);

const living = (): Response => Response.json({ status: 'ok' });

/** What stands before the routes: ids of requests, the log, metrics with a key, and `/health/…` without one. */
export function front(fetch: (request: Request) => Promise<Response>, options: FrontOptions): Front {
  const { log, metrics, ids, trustsProxy = false, origins = [] } = options;
  const guarded = guard(fetch, options);
  const told = figures(options);
  const vital = shownTo(origins, (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === '/metrics') return told(request);
    return pathname === '/health/live' ? Promise.resolve(living()) : readiness(options);
  });
  const answer = (request: Request, route: string): Promise<Response> => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    return isRead && VITAL.has(route) ? vital(request) : guarded(request);
  };
  return async (request, remote) => {
    const began = performance.now();
    const id = requestId(request.headers.get('x-request-id'));
    ids?.set(request, id);
    const { pathname } = new URL(request.url);
    const route = routeOf(pathname);
    const { method } = request;
    metrics.began();
    let status = 0;
    try {
      const response = await answer(request, route);
      status = response.status;
      response.headers.set('x-request-id', id);
      return response;
    } finally {
      const seconds = (performance.now() - began) / 1000;
      metrics.answered(method, route, status, seconds);
      const from =
        (trustsProxy ? request.headers.get('x-forwarded-for')?.split(',').at(-1)?.trim() : undefined) ?? remote;
      const entry = {
        request: id,
        method,
        path: pathname.slice(0, 200),
        status,
        ms: Math.round(seconds * 1e4) / 10,
        from,
      };
      if (status >= 500 || status === 0) log.error(entry, 'request');
      else if (route.startsWith('/health/')) log.debug(entry, 'request');
      else log.info(entry, 'request');
    }
  };
}

async function readiness({ ready, log }: Pick<FrontOptions, 'ready' | 'log'>): Promise<Response> {
  const found = await ready().catch((error: unknown) => {
    log.error({ err: error }, 'not ready');
    return { store: false, queue: false };
  });
  const isReady = found.store && found.queue;
  return Response.json({ status: isReady ? 'ready' : 'not ready', ...found }, { status: isReady ? 200 : 503 });
}

/** Metrics for keys that may read them; while the store is away, for those that were let in last time. */
function figures({ metrics, mayMeasure, log }: Pick<FrontOptions, 'metrics' | 'mayMeasure' | 'log'>) {
  const letIn = new Set<string>();
  return async (request: Request): Promise<Response> => {
    const token = /^Bearer +(\S+) *$/i.exec(request.headers.get('authorization') ?? '')?.[1] ?? '';
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
  };
}

/** What a program tells that answers no requests itself: whether it lives and can work, and its figures. */
export function vitals({ metrics, log, ready }: Pick<FrontOptions, 'metrics' | 'log' | 'ready'>): Front {
  return async (request) => {
    switch (new URL(request.url).pathname) {
      case '/health/live':
        return living();
      case '/health/ready':
        return readiness({ ready, log });
      case '/metrics':
        return metrics.answer();
      default:
        return refusal(404, failure('not_found'));
    }
  };
}
