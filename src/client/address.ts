/** A base URL that cannot be used. Its message says what is wrong and what to do. */
export class AddressError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'AddressError';
  }
}

const isLoopback = (host: string) => /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(host);

/**
 * Reads the base URL of a service. https is required but on this machine itself, so that a token never travels in clear.
 * @throws AddressError
 */
export function parseBaseUrl(text: string): URL {
  const trimmed = text.trim();
  if (trimmed === '')
    throw new AddressError(
      'No base URL is set. Enter the address of the service, such as https://forecasts.example.com/v1.',
    );
  let url: URL;
  try {
    url = new URL(trimmed);
  } catch {
    throw new AddressError(
      `“${trimmed}” is not an address. Write it in full, such as https://forecasts.example.com/v1.`,
    );
  }
  if (url.username || url.password) {
    throw new AddressError('The base URL holds a user name or password. Take it out, and set a token instead.');
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw new AddressError(`${url.host} is asked over http, where anybody on the way could read the token. Use https.`);
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new AddressError(`“${trimmed}” is not a web address. It begins with https://.`);
  }
  let end = url.pathname.length;
  while (end > 1 && url.pathname[end - 1] === '/') end--;
  url.pathname = url.pathname.slice(0, end);
  url.search = '';
  url.hash = '';
  return url;
}

/** The address of an operation below a base URL. `null` and absent parameters are left out. */
export function resolve(base: URL, path: string, query: Readonly<Record<string, string | undefined>> = {}): URL {
  const url = new URL(base);
  url.pathname = `${base.pathname === '/' ? '' : base.pathname}${path}`;
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, value);
  }
  return url;
}
