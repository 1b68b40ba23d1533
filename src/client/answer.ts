import * as l10n from '@vscode/l10n';
import { isObject } from '../contract/json.ts';
import { asDone, errorOfAnswer, lost, ServiceError } from './errors.ts';
import { orAborted } from '../platform/pause.ts';

const MAX_BODY = 64 * 1024 * 1024;
const MAX_REFUSAL = 1024 * 1024;
/** Bytes that are read of an answer of which most is dropped. */
const MAX_READ = 8 * MAX_BODY;
const MOST_VALUES = 3_000_000;
const DEEPEST = 64;
/** A stream that is silent for so many milliseconds has broken off. */
const SILENCE = 60_000;

export interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly bytes: number;
  readonly etag: string | undefined;
  /** The address of what was made, within the origin of the service. */
  readonly location: URL | undefined;
  /** The address of the next page, from the header `Link`. */
  readonly next: string | undefined;
}

export interface Asked {
  readonly name: string;
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
  const isDone = [303, 304].includes(status) || (status < 303 && location && !ok);
  if (isDone || (ok && text.trim() === '')) return answer;
  const body = isPage ? undefined : parseJson(text);
  if (!ok || isRefusal(body)) {
    const error = errorOfAnswer({ status, body: body ?? text, name, token, isPage, after: retryAfter(headers) });
    throw ok && !isRepeatable ? asDone(error) : error;
  }
  if (isPage) throw noJson(name, status, true);
  // words may say that it is done, too; and where there is an address of what was made, that is read
  if (body === undefined && !location) throw noJson(name, status, false, !isRepeatable);
  return { ...answer, body };
}

/** Whether an answer has nothing but an error, as some services refuse with 200. */
function isRefusal(body: unknown): boolean {
  const { error, id, ...others } = isObject(body) ? body : {};
  return Boolean(error && !id) && Object.values(others).every((one) => !one || typeof one !== 'object');
}

function locationOf(headers: Headers, from: URL): URL | undefined {
  const target = URL.parse(headers.get('location') ?? '//', from.href);
  if (target?.host !== from.host) return undefined;
  // by its parts, as a path may look like another host
  return Object.assign(new URL(from), { pathname: target.pathname, search: target.search, hash: '' });
}

/** The target of a header `Link` to the next page (RFC 8288). */
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
    const megabytes = MAX_BODY / 1024 / 1024;
    throw new ServiceError('too-large', l10n.t('{0} sent more than can be read at once ({1} MB).', name, megabytes));
  }
  return { text: sieve.end(), bytes };
}

export class TooMuch extends Error {}

const [QUOTE, ESCAPE, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [LIST, OBJECT, LIST_END, OBJECT_END] = [0x5b, 0x7b, 0x5d, 0x7d];
const NULL = new TextEncoder().encode('null');

/**
 * Takes JSON in pieces as they arrive, and keeps all of it but the values of certain fields, which become `null`, so that
 * they take no memory. It counts values and depth, and parses nothing.
 * @throws TooMuch
 */
export class Sieve {
  readonly #dropped: ReadonlySet<string>;
  readonly #most: number;
  readonly #kept: Uint8Array[] = [];
  #size = 0;
  #values = 0;
  #depth = 0;
  #isText = false;
  #isEscaped = false;
  /** Bytes of the last text, which may be the name of a field that is dropped. */
  #name: number[] = [];
  #dropping: number | undefined;

  constructor(dropped: readonly string[], most: number) {
    this.#dropped = new Set(dropped);
    this.#most = most;
  }

  push(piece: Uint8Array): void {
    let from = 0;
    for (let at = 0; at < piece.length; at++) {
      const byte = piece[at];
      if (this.#isText) this.#inText(byte);
      else if (byte === QUOTE) [this.#isText, this.#name] = [true, []];
      else if (byte === LIST || byte === OBJECT) this.#count(++this.#depth);
      else if (
        byte === COLON &&
        this.#dropping === undefined &&
        this.#dropped.has(String.fromCharCode(...this.#name))
      ) {
        this.#keep(piece.slice(from, at + 1));
        this.#keep(NULL);
        this.#dropping = this.#depth;
      } else if (byte === COMMA || byte === LIST_END || byte === OBJECT_END) {
        if (this.#dropping === this.#depth) [this.#dropping, from] = [undefined, at];
        if (byte === COMMA) this.#count(this.#depth);
        else this.#depth--;
      }
    }
    if (this.#dropping === undefined) this.#keep(from === 0 ? piece : piece.slice(from));
  }

  /** The text of what was kept, without a byte order mark. */
  end(): string {
    const decoder = new TextDecoder();
    return this.#kept.map((piece) => decoder.decode(piece, { stream: true })).join('') + decoder.decode();
  }

  #inText(byte: number): void {
    this.#isText = byte !== QUOTE || this.#isEscaped;
    this.#isEscaped = byte === ESCAPE && !this.#isEscaped;
    if (this.#isText && this.#dropped.size > 0 && this.#name.length < 32) this.#name.push(byte);
  }

  #count(depth: number): void {
    if (this.#dropping === undefined) this.#values++;
    if (this.#values > MOST_VALUES || depth > DEEPEST) throw new TooMuch();
  }

  #keep(piece: Uint8Array): void {
    this.#size += piece.byteLength;
    if (this.#size > this.#most) throw new TooMuch();
    this.#kept.push(piece);
  }
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

/**
 * The lines of an answer, parsed, each read when it is asked for; blank ones are skipped.
 * @param silence milliseconds after which a silent stream has broken off
 * @throws ServiceError where it breaks off, or is no stream of JSON lines; the signal's reason when aborted
 */
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
      // nobody waits for a read that is abandoned
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
    }
  } finally {
    reader.cancel().catch(() => undefined);
  }
}
