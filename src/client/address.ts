import * as l10n from '@vscode/l10n';

export class AddressError extends Error {
  override readonly name = 'AddressError';
}

function refuse(sentence: string): never {
  throw new AddressError(sentence);
}

const isLoopback = (host: string) => /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(host);

/** Reads a base URL. https is required except on this machine, so that no token travels unencrypted. @throws AddressError */
export function parseBaseUrl(text: string): URL {
  const trimmed = text.trim();
  if (trimmed === '')
    refuse(l10n.t('No base URL is set. Enter the address of the service, such as https://forecasts.example.com/v1.'));
  const url = URL.parse(trimmed);
  if (!url)
    refuse(l10n.t('“{0}” is not an address. Enter a full address, such as https://forecasts.example.com/v1.', trimmed));
  if (url.username || url.password)
    refuse(l10n.t('The base URL contains a user name or password. Remove it, and set a token instead.'));
  if (url.protocol === 'http:' && !isLoopback(url.hostname))
    refuse(l10n.t('{0} uses http, which would expose the token to anyone on the network. Use https.', url.host));
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    refuse(l10n.t('“{0}” is not a web address. Web addresses begin with https://.', trimmed));
  let end = url.pathname.length;
  while (end > 1 && url.pathname[end - 1] === '/') end--;
  return Object.assign(url, { pathname: url.pathname.slice(0, end), search: '', hash: '' });
}

export function resolve(base: URL, path: string, query: Readonly<Record<string, string | undefined>> = {}): URL {
  const url = new URL(base);
  url.pathname = `${base.pathname === '/' ? '' : base.pathname}${path}`;
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, value);
  }
  return url;
}

/** Why a token is not valid in a header, which takes printable ASCII; `undefined` for one that is. */
export function tokenFault(token: string): string | undefined {
  const letters = [...token];
  const at = letters.findIndex((letter) => !/^[\x21-\x7e]$/.test(letter));
  if (at < 0) return undefined;
  const what = /\s/.test(letters[at])
    ? l10n.t('a space or line break')
    : /\p{C}/u.test(letters[at])
      ? l10n.t('a control character')
      : `“${letters[at]}”`;
  return l10n.t('The token contains {0} at position {1}, which is not allowed in an HTTP header.', what, at + 1);
}
