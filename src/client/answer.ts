import * as l10n from '@vscode/l10n';
import { errorOfAnswer, ServiceError } from './errors.ts';
import { orAborted } from './pause.ts';
import { Sieve, TooMuch } from './sieve.ts';

/** Bytes that are kept of an answer, and of one that is a refusal. */
const MAX_BODY = 64 * 1024 * 1024;
const MAX_REFUSAL = 1024 * 1024;
/** Bytes that are read of an answer where most of it is passed over. */
const MAX_READ = 8 * MAX_BODY;
/** A stream that says nothing for so long has broken off, in milliseconds. */
const SILENCE = 60_000;

export interface Answer {
  readonly status: number;
  readonly body: unknown;
  /** As it came. */
  readonly bytes: number;
  readonly etag: string | undefined;
  /** Where the service says that what it made stands, within its origin. */
  readonly location: URL | undefined;
  /** The address of the next page, where the head tells it (`Link`). */
  readonly next: string | undefined;
}

export interface Asked {
  /** What errors call the service. */
  readonly name: string;
  /** Whether nothing is done twice where it is sent again. */
  readonly isRepeatable: boolean;
  /** No error may show it. */
  readonly token: string | undefined;
  readonly drop?: readonly string[] | undefined;
  readonly from: URL;
}

/** Reads an answer: JSON, or nothing where it is empty. @throws ServiceError */
export async function readAnswer(response: Response, asked: Asked): Promise<Answer> {
  const { name, isRepeatable, token, from } = asked;
  const { status, headers, ok } = response;
  const { text, bytes } = await textOf(response, asked);
  const location = locationOf(headers, from);
  const next = NEXT.exec(headers.get('link') ?? '')?.[1];
  const answer = { status, bytes, etag: headers.get('etag') ?? undefined, location, next, body: undefined };
  const isPage = isPageType(headers) || PAGE.test(text);
  if (status === 304 || (ok && text.trim() === '')) return answer;
  const body = isPage ? undefined : parseJson(text);
  if (!ok) throw errorOfAnswer({ status, body: body ?? text, name, token, isPage, after: retryAfter(headers) });
  if (isPage) throw noJson(name, status, true);
  // words may say that it is done, too; and where it is told where it stands, that is read
  if (body === undefined && !location) throw noJson(name, status, false, !isRepeatable);
  return { ...answer, body };
}

/** Where an answer says that something stands, on the same host. */
function locationOf(headers: Headers, from: URL): URL | undefined {
  const location = headers.get('location');
  const target = location && URL.canParse(location, from.href) ? new URL(location, from) : undefined;
  return target?.host === from.host ? new URL(target.pathname + target.search, from.origin) : undefined;
}

/** What of a header `Link` leads to the next page (RFC 8288). */
const NEXT = /<([^<>]*)>[^<>,]*;\s*rel="?next"?/i;

const PAGE = /^\s*<(!doctype|html)/i;

const isPageType = (headers: Headers): boolean => /html/i.test(headers.get('content-type') ?? '');

const noJson = (name: string, status: number, isPage: boolean, outcomeUnknown = false): ServiceError => {
  const sentence = isPage
    ? l10n.t('{0} returned a web page instead of data. Check the base URL.', name)
    : l10n.t('{0} returned something other than JSON. Check the base URL.', name);
  return new ServiceError('not-a-service', sentence, { status, outcomeUnknown });
};

async function textOf(response: Response, { name, drop = [] }: Asked) {
  const most = response.ok ? MAX_BODY : MAX_REFUSAL;
  const sieve = new Sieve(drop, most);
  let bytes = 0;
  try {
    if (drop.length === 0 && Number(response.headers.get('content-length') ?? 0) > most) throw new TooMuch();
    for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
      bytes += chunk.byteLength;
      if (bytes > MAX_READ) throw new TooMuch();
      sieve.push(chunk);
    }
  } catch (error) {
    if (!(error instanceof TooMuch)) throw error;
    await response.body?.cancel().catch(() => undefined);
    const most = MAX_BODY / 1024 / 1024;
    throw new ServiceError('too-large', l10n.t('{0} sent more than can be read at once ({1} MB).', name, most));
  }
  // some write a byte order mark before it
  return { text: sieve.end(), bytes };
}

/** As Python and others write what is no number, beside the texts in which such words may stand. */
const NO_NUMBER = /"(?:[^"\\]|\\.)*"?|-?\b(?:NaN|Infinity)\b/g;

/** @returns `undefined` for what is no JSON */
function parseJson(text: string): unknown {
  for (const read of [() => text, () => text.replace(NO_NUMBER, (part) => (part.startsWith('"') ? part : 'null'))]) {
    try {
      return JSON.parse(read());
    } catch {
      // goes on with the next reading
    }
  }
  return undefined;
}

/** `Retry-After` in milliseconds: seconds, or a date by the clock of the service. */
function retryAfter(headers: Headers): number | undefined {
  const value = headers.get('retry-after') || NaN;
  const said = Date.parse(headers.get('date') ?? '');
  const ms = Number.isNaN(Number(value)) ? Date.parse(String(value)) - (said || Date.now()) : Number(value) * 1000;
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

/** What is known of a request that is answered with a stream, and the milliseconds after which a silent one has broken off. */
type AskedLines = Pick<Asked, 'name'> & { readonly signal: AbortSignal | undefined; readonly silence?: number };

/**
 * The lines of an answer, parsed: no more is read than is asked for. Blank ones are passed over.
 * @throws ServiceError where it breaks off, or is no stream of JSON lines; the signal's reason when aborted
 */
export async function* readLines(response: Response, asked: AskedLines): AsyncGenerator<unknown> {
  const { name } = asked;
  const { status, body, headers } = response;
  const reader = (
    body ?? new ReadableStream<Uint8Array>({ start: (empty) => empty.close() })
  ).getReader() as ReadableStreamDefaultReader<Uint8Array>;
  const decoder = new TextDecoder();
  let open = '';
  try {
    if (isPageType(headers)) throw noJson(name, status, true);
    for (let isOver = false; !isOver;) {
      const chunk = await nextOf(reader, asked);
      isOver = chunk === undefined;
      const lines = decoder.decode(chunk, { stream: !isOver }).split('\n');
      lines[0] = open + lines[0];
      open = isOver ? '' : lines.pop()!;
      if (open.length > MAX_BODY) throw noJson(name, status, false);
      for (const line of lines.filter((one) => one.trim() !== '')) {
        const json = parseJson(line);
        if (json === undefined) throw noJson(name, status, PAGE.test(line));
        yield json;
      }
    }
  } finally {
    reader.cancel().catch(() => undefined);
  }
}

async function nextOf(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  { name, silence = SILENCE, signal }: AskedLines,
): Promise<Uint8Array | undefined> {
  const silent = AbortSignal.timeout(silence);
  try {
    // what a body does that nobody reads any more is not waited for
    return (await orAborted(reader.read(), signal ? AbortSignal.any([silent, signal]) : silent)).value;
  } catch {
    signal?.throwIfAborted();
    throw silent.aborted
      ? new ServiceError('timeout', l10n.t('{0} did not answer in time.{1}', name, ''))
      : new ServiceError('unreachable', l10n.t('The connection to {0} was lost.{1}', name, ''));
  }
}
