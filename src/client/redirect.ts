export type Method = 'GET' | 'POST' | 'DELETE';

/** Where an answer sends on to, if it does. @param from the address that was asked */
export function redirectOf(response: Response, from: URL): URL | undefined {
  const location = response.headers.get('location');
  if (response.status < 300 || response.status > 399 || response.status === 304 || !location) return undefined;
  if (!URL.canParse(location, from.href)) return undefined;
  const target = new URL(location, from);
  // behind a proxy that ends TLS, a service takes itself for http
  if (from.protocol === 'https:' && target.protocol === 'http:' && target.hostname === from.hostname) {
    target.protocol = 'https:';
    target.port = from.port;
  }
  return target;
}

/** How to go on after a redirect within the origin; `undefined` where what was to be created cannot be sent again. */
export function methodAfter(status: number, method: Method, from: URL, to: URL): Method | undefined {
  if (method === 'GET' || status === 307 || status === 308) return method;
  if (status === 303) return 'GET';
  // nothing was done yet
  return isSlash(from, to) ? method : undefined;
}

const bare = ({ pathname }: URL): string => (pathname.endsWith('/') ? pathname.slice(0, -1) : pathname);

/** Whether only the slash at the end of the path differs. */
export const isSlash = (from: URL, to: URL): boolean => bare(from) === bare(to);
