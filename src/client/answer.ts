import * as l10n from '@vscode/l10n';
import { errorOfAnswer, ServiceError } from './errors.ts';
import { Sieve, TooMuch } from './sieve.ts';

/** Bytes that are kept of an answer, and of one that is a refusal. */
const MAX_BODY = 64 * 1024 * 1024;
const MAX_REFUSAL = 1024 * 1024;
/** Bytes that are read of an answer where most of it is passed over. */
const MAX_READ = 8 * MAX_BODY;

/** What a service answers. */
export interface Answer {
  readonly status: number;
  /** The parsed JSON; `undefined` where it is empty. */
  readonly body: unknown;
  /** As it came. */
  readonly bytes: number;
  readonly etag: string | undefined;
  /** Where the service says that what it made stands, within its origin. */
  readonly location: URL | undefined;
}

/** The failure of one attempt, and whether another is safe. */
export class Attempt extends Error {
  readonly error: ServiceError;
  readonly retry: boolean;
  readonly after: number | undefined;

  constructor(error: ServiceError, retry: boolean, after?: number) {
    super(error.message);
    this.error = error;
    this.retry = retry;
    this.after = after;
  }
}

export interface AnswerOptions {
  /** What errors call the service. */
  readonly name: string;
  /** Whether it may be sent again: nothing is done twice by it. */
  readonly isRepeatable: boolean;
  /** No error may show it. */
  readonly token: string | undefined;
  /** Fields that are passed over. */
  readonly drop?: readonly string[] | undefined;
  /** The address that answers. */
  readonly from: URL;
}

/**
 * Reads the answer to one attempt: JSON, or nothing where it is empty.
 * @throws Attempt where it is a failure, ServiceError where it is no answer of a service
 */
export async function readAnswer(response: Response, about: AnswerOptions): Promise<Answer> {
  const { name, isRepeatable, token, from } = about;
  const { status, headers } = response;
  const { text, bytes } = await textOf(response, about);
  const answer = { status, bytes, etag: headers.get('etag') ?? undefined, location: locationOf(headers, from) };
  if (status === 304) return { ...answer, body: undefined };
  const isPage = /html/i.test(headers.get('content-type') ?? '') || PAGE.test(text);
  const parsed = isPage ? { ok: false as const } : parseJson(text);
  if (response.ok) {
    if (text.trim() === '') return { ...answer, body: undefined };
    if (isPage) throw isWebPage(name, status);
    // words may say that it is done, too; and where it is told where it stands, that is read
    if (!parsed.ok && answer.location) return { ...answer, body: undefined };
    if (!parsed.ok) throw isNoJson(name, status, !isRepeatable);
    return { ...answer, body: parsed.value };
  }
  const error = errorOfAnswer(status, parsed.ok ? parsed.value : text, name, token, isPage);
  const after = retryAfter(headers);
  // a POST only where the service itself says that it was not carried out: proxies answer 503 afterwards too
  const isPutOff = status === 429 || (status === 503 && (isRepeatable || after !== undefined));
  const retry = isPutOff || (isRepeatable && status >= 500);
  throw new Attempt(error, retry, after);
}

function locationOf(headers: Headers, from: URL): URL | undefined {
  const location = headers.get('location');
  if (!location || !URL.canParse(location, from.href)) return undefined;
  const target = new URL(location, from);
  return target.host === from.host ? new URL(target.pathname + target.search, from.origin) : undefined;
}

export const PAGE = /^\s*<(!doctype|html)/i;

export const isWebPage = (name: string, status: number): ServiceError =>
  new ServiceError('not-a-service', l10n.t('{0} answers with a web page, not with data. Check the base URL.', name), {
    status,
  });

export const isNoJson = (name: string, status: number, outcomeUnknown = false): ServiceError =>
  new ServiceError('not-a-service', l10n.t('{0} answers with something that is not JSON. Check the base URL.', name), {
    status,
    outcomeUnknown,
  });

async function textOf(
  response: Response,
  { name, drop = [] }: AnswerOptions,
): Promise<{ readonly text: string; readonly bytes: number }> {
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
    throw new ServiceError('too-large', l10n.t('{0} sent more than can be read at once ({1} MB).', name, MAX_BODY / 1024 / 1024)); // prettier-ignore
  }
  // some write a byte order mark before it
  return { text: new TextDecoder().decode(sieve.end()), bytes };
}

/** As Python and others write what is no number, beside the texts in which such words may stand. */
const NO_NUMBER = /"(?:[^"\\]|\\.)*"?|-?\b(?:NaN|Infinity)\b/g;

function parseJson(text: string): { ok: true; value: unknown } | { ok: false } {
  const parse = (json: string) => ({ ok: true as const, value: JSON.parse(json) as unknown });
  try {
    return parse(text);
  } catch {
    // goes on below
  }
  try {
    const plain = text.replace(NO_NUMBER, (part) => (part.startsWith('"') ? part : 'null'));
    return plain === text ? { ok: false } : parse(plain);
  } catch {
    return { ok: false };
  }
}

/** `Retry-After` in milliseconds: seconds, or a date by the clock of the service. */
function retryAfter(headers: Headers): number | undefined {
  const value = headers.get('retry-after');
  if (!value) return undefined;
  const seconds = Number(value);
  const said = Date.parse(headers.get('date') ?? '');
  const now = Number.isNaN(said) ? Date.now() : said;
  const ms = Number.isNaN(seconds) ? Date.parse(value) - now : seconds * 1000;
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}
