import type { IncomingMessage, RequestOptions } from 'node:http';
// without the prefix: the editor brings its proxy and the certificates of the system to the module of this name
import https from 'https';
import { pipeline, Readable } from 'node:stream';
import tls from 'node:tls';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

const EMPTY: readonly number[] = [204, 205, 304];
const UNPACK = { gzip: createGunzip, deflate: createInflate, br: createBrotliDecompress };

export const fetchTelling =
  (_refused: (header: string) => Error): typeof fetch =>
  (input, init) =>
    globalThis.fetch(input, init);

/** A `fetch` that also trusts the authorities of a PEM text. It follows no redirect and takes whole bodies. */
export function fetchWith(authorities: () => string, isOfSystem: () => boolean): typeof fetch {
  return async (input, init = {}) => {
    const ca = [...trusted(isOfSystem()), authorities()];
    const url = new URL(input instanceof Request ? input.url : input);
    if (url.protocol !== 'https:') return fetch(input, init);
    const { method = 'GET', headers, body, signal } = init;
    const options = {
      ca,
      method,
      headers: { 'accept-encoding': Object.keys(UNPACK).join(), ...Object.fromEntries(new Headers(headers)) },
      ...(signal ? { signal } : {}),
    };
    const answer = await send(url, options, body);
    const status = answer.statusCode ?? 0;
    const content = EMPTY.includes(status) ? null : (Readable.toWeb(unpacked(answer)) as ReadableStream<Uint8Array>);
    return new Response(content, { status, headers: headersOf(answer) });
  };
}

/** What is trusted without the file: where Node can tell (22.15), NODE_EXTRA_CA_CERTS is in it. */
function trusted(isOfSystem: boolean): readonly string[] {
  const { getCACertificates: certificatesOf }: { readonly getCACertificates?: typeof tls.getCACertificates } = tls;
  return certificatesOf
    ? [...certificatesOf('default'), ...(isOfSystem ? certificatesOf('system') : [])]
    : tls.rootCertificates;
}

function unpacked(answer: IncomingMessage): Readable {
  const [, unpack] = Object.entries(UNPACK).find(([name]) => name === answer.headers['content-encoding']) ?? [];
  return unpack ? pipeline(answer, unpack(), () => undefined) : answer;
}

function send(url: URL, options: RequestOptions, body: RequestInit['body']): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const request = https.request(url, options, resolve);
  request.on('error', (cause) => {
    reject(new TypeError('fetch failed', { cause }));
  });
  request.end(body ?? undefined);
  return promise;
}

const headersOf = ({ rawHeaders }: IncomingMessage): Headers =>
  new Headers(rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [[name, rawHeaders[at + 1]]] : [])));
