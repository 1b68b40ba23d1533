import { nextTurn } from '#platform/turn';
import * as l10n from '@vscode/l10n';
import { isObject } from '../contract/json.ts';
import { orAborted } from '../platform/pause.ts';
import { asDone, errorOfAnswer, lost, ServiceError } from './errors.ts';

const MAX_BODY = 64 * 1024 * 1024;
const MAX_REFUSAL = 1024 * 1024;
const MAX_READ = 8 * MAX_BODY; // bytes that are read of an answer of which most is dropped
const MOST_VALUES = 3_000_000;
const DEEPEST = 64;
/** A stream that is silent for so many milliseconds has broken off. */
const SILENCE = 60_000;

export interface Asked {
  readonly name: string;
  readonly isRepeatable: boolean;
  readonly token: string | undefined;
  readonly drop?: readonly string[] | undefined;
  readonly from: URL;
}

/** The target of a header `Link` to the next page (RFC 8288). */
const NEXT = /<([^<>]*)>[^<>,]*;\s*rel="?next"?/i;
const PAGE = /^\s*<(!doctype|html)/i;
export const isPageType = (headers: Headers): boolean => /html/i.test(headers.get('content-type') ?? '');

export async function readAnswer(response: Response, { name, isRepeatable, token, drop, from }: Asked) {
  const { status, headers, ok } = response;
  const { text, bytes } = await textOf(response, name, drop);
  const head = headOf(headers, from);
  const isDone = [303, 304].includes(status) || (status < 303 && head.location && !ok);
  if (isDone || (ok && text.trim() === '')) return { ...head, status, bytes, body: undefined };
  const isPage = isPageType(headers) || PAGE.test(text);
  const body = isPage ? undefined : parseJson(text);
  if (!ok || isRefusal(body)) {
    const error = errorOfAnswer({ status, body: body ?? text, name, token, isPage, after: retryAfter(headers) });
    throw ok && !isRepeatable ? asDone(error) : error;
  }
  // words may say that it is done, too; and where there is an address of what was made, that is read
  if (isPage || (body === undefined && !head.location)) throw noJson(name, status, isPage, !isPage && !isRepeatable);
  return { ...head, status, bytes, body };
}
export type Answer = Awaited<ReturnType<typeof readAnswer>>;

function isRefusal(body: unknown): boolean {
  const { id, error, status, ...others } = isObject(body) ? body : {};
  const isError = Boolean(error) || (typeof status === 'string' && /^(error|fail(ed|ure)?)$/i.test(status));
  return isError && !id && Object.values(others).every((one) => !one || typeof one !== 'object');
}

/** `location`: the address of what was made, within the origin of the service; `next`: of the next page. */
function headOf(headers: Headers, from: URL) {
  const { host, pathname, search } = URL.parse(headers.get('location') ?? '//', from.href) ?? {};
  return {
    etag: headers.get('etag') ?? undefined,
    next: NEXT.exec(headers.get('link') ?? '')?.[1] as string | undefined,
    // by its parts, as a path may look like another host
    location: host === from.host ? Object.assign(new URL(from), { pathname, search, hash: '' }) : undefined,
  };
}

function noJson(name: string, status: number, isPage: boolean, outcomeUnknown = false): ServiceError {
  const sentence = isPage
    ? l10n.t('{0} returned a web page instead of data. Check the base URL.', name)
    : l10n.t('{0} returned something other than JSON. Check the base URL.', name);
  return new ServiceError('not-a-service', sentence, { status, outcomeUnknown });
}

async function textOf({ ok, body, headers }: Response, name: string, drop: readonly string[] = []) {
  const most = ok ? MAX_BODY : MAX_REFUSAL;
  try {
    if (drop.length === 0 && Number(headers.get('content-length') ?? 0) > most) throw new TooMuch();
    return await sifted((body ?? []) as AsyncIterable<Uint8Array>, drop, most);
  } catch (error) {
    if (!(error instanceof TooMuch)) throw error;
    await body?.cancel().catch(() => undefined);
    const megabytes = MAX_BODY / 1024 / 1024;
    throw new ServiceError(
      'too-large',
      l10n.t('{0} sent more data than can be read at once ({1} MB).', name, megabytes),
    );
  }
}

export class TooMuch extends Error {}

const [QUOTE, ESCAPE, COMMA, COLON, OPEN, CLOSE] = [0x22, 0x5c, 0x2c, 0x3a, 0x7b, 0x7d];
const BRACE = 0x20;

/** The text of JSON that arrives in pieces, with `null` for the values of dropped fields, so that they take no memory. @throws TooMuch */
export async function sifted(pieces: AsyncIterable<Uint8Array>, drop: readonly string[], most: number) {
  const dropped = new Set(drop);
  const decoder = new TextDecoder();
  let [text, bytes, size, values, depth] = ['', 0, 0, 0, 0];
  let [isText, isEscaped] = [false, false];
  let name: number[] = [];
  let dropping: number | undefined;
  const keep = (piece: Uint8Array) => {
    size += piece.byteLength;
    if (size > most) throw new TooMuch();
    text += decoder.decode(piece, { stream: true });
  };
  const count = () => {
    if (dropping === undefined) values++;
    if (values > MOST_VALUES || depth > DEEPEST) throw new TooMuch();
  };
  for await (const piece of pieces) {
    bytes += piece.byteLength;
    if (bytes > MAX_READ) throw new TooMuch();
    let from = 0;
    for (let at = 0; at < piece.length; at++) {
      const byte = piece[at];
      if (isText) {
        isText = byte !== QUOTE || isEscaped;
        isEscaped = byte === ESCAPE && !isEscaped;
        if (isText && dropped.size > 0 && name.length < 32) name.push(byte);
      } else if (byte === QUOTE) {
        [isText, name] = [true, []];
      } else if ((byte | BRACE) === OPEN) {
        depth++;
        count();
      } else if (byte === COLON && dropping === undefined && dropped.has(String.fromCharCode(...name))) {
        keep(piece.subarray(from, at + 1));
        text += 'null';
        dropping = depth;
      } else if (byte === COMMA || (byte | BRACE) === CLOSE) {
        if (dropping === depth) [dropping, from] = [undefined, at];
        if (byte === COMMA) count();
        else depth--;
      }
    }
    if (dropping === undefined) keep(piece.subarray(from));
  }
  return { text: text + decoder.decode(), bytes };
}

/** The words that Python and others write for what is no number, beside texts, which may contain them. */
const NO_NUMBER = /"(?:[^"\\]|\\.)*"?|-?\b(?:NaN|Infinity)\b/g;

function parseJson(text: string): unknown {
  const read = (json: string): unknown => {
    try {
      return JSON.parse(json);
    } catch {
      return undefined;
    }
  };
  return read(text) ?? read(text.replace(NO_NUMBER, (word) => (word.startsWith('"') ? word : 'null')));
}

/** `Retry-After` in milliseconds: seconds, or a date by the clock of the service. */
function retryAfter(headers: Headers): number | undefined {
  const value = headers.get('retry-after') || NaN;
  const clock = Date.parse(headers.get('date') ?? '') || Date.now();
  const ms = Number.isNaN(Number(value)) ? Date.parse(String(value)) - clock : Number(value) * 1000;
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

/** The lines of an answer, parsed, each read when it is asked for. @throws ServiceError where it breaks off, or is no stream of JSON lines */
export async function* readLines(
  { body, status, headers }: Response,
  { name, silence = SILENCE, signal }: { name: string; signal: AbortSignal | undefined; silence?: number },
): AsyncGenerator<unknown> {
  if (!body) return;
  const reader = body.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>).getReader();
  let open = '';
  try {
    if (isPageType(headers)) throw noJson(name, status, true);
    for (let isOver = false; !isOver;) {
      const silent = AbortSignal.timeout(silence);
      const reading = orAborted(reader.read(), signal ? AbortSignal.any([silent, signal]) : silent);
      const { value = '', done } = await reading.catch(() => {
        signal?.throwIfAborted();
        throw lost(name, silent.aborted);
      });
      isOver = done;
      const lines = value.split('\n');
      lines[0] = open + lines[0];
      open = isOver ? '' : lines.pop()!;
      if (open.length > MAX_BODY) throw noJson(name, status, false);
      for (const line of lines.filter((one) => one.trim() !== '')) {
        const json = parseJson(line);
        if (json === undefined) throw noJson(name, status, PAGE.test(line));
        yield json;
      }
      await nextTurn();
    }
  } finally {
    reader.cancel().catch(() => undefined);
  }
}
