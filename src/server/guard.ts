import { refusal } from '../service/http/answers.ts';
import { failure } from '../contract/failures.ts';
import { cors } from 'hono/cors';
import { Hono } from 'hono';

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

/**
 * Answers pages of these origins with what a browser asks for first, so that it shows them the answers; cookies play no
 * part, as a token is a header of its own. To other pages it says nothing of that.
 */
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

/**
 * Lets a service be called only as itself: a page in a browser that made its own name point here (DNS rebinding), or that
 * calls across origins, is refused before anything is looked at, except pages of the origins that are named.
 */
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
