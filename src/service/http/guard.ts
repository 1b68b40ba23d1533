import { cors } from 'hono/cors';
import { Hono } from 'hono';

type Fetch = (request: Request) => Promise<Response>;

export interface GuardOptions {
  /** Host names that the service answers to besides those of this machine. */
  readonly hosts?: readonly string[];
  /** Origins of web pages that may call it, such as `https://notebooks.example.com`. */
  readonly origins?: readonly string[];
}

const refuse = (detail: string): Response => Response.json({ detail }, { status: 403 });

const isLoopback = (name: string): boolean =>
  name === 'localhost' || name === '[::1]' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(name);

/**
 * Lets a service on a loopback port be called only as itself: a page in a browser that made its own name point here (DNS
 * rebinding), or that calls across origins, is refused before anything is looked at.
 */
export function guard(fetch: Fetch, { hosts = [], origins = [] }: GuardOptions = {}): Fetch {
  const isOurs = (name: string): boolean => isLoopback(name) || hosts.some((host) => host.toLowerCase() === name);
  const nameOf = (host: string | null): string => URL.parse(`http://${host ?? ''}/`)?.hostname ?? '';
  const app = new Hono();
  app.use(cors({ origin: [...origins], exposeHeaders: ['Retry-After'], maxAge: 600 }));
  app.all('*', ({ req: { raw } }) => fetch(raw));
  return async (request) => {
    const host = request.headers.get('host');
    if (!isOurs(nameOf(host)) || !isOurs(new URL(request.url).hostname)) {
      return refuse(
        'This service does not answer to that host name. Call it as it says, or start it with --allow-host.',
      );
    }
    const origin = request.headers.get('origin');
    if (origin !== null && !origins.includes(origin) && origin !== new URL(request.url).origin) {
      return refuse('Pages of that origin may not call this service. Start it with --allow-origin to let them.');
    }
    return origin !== null && origins.includes(origin) ? app.fetch(request) : fetch(request);
  };
}
