import * as l10n from '@vscode/l10n';
import { errorOfAnswer, ServiceError } from './errors.ts';

const MAX_BODY = 64 * 1024 * 1024;

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
}

/**
 * Reads the answer to one attempt: JSON, or nothing where it is empty.
 * @throws Attempt where it is a failure, ServiceError where it is no answer of a service
 */
export async function readAnswer(response: Response, { name, isRepeatable, token }: AnswerOptions): Promise<unknown> {
  const text = await textOf(response, name);
  const type = response.headers.get('content-type') ?? '';
  const isPage = /html/i.test(type) || PAGE.test(text);
  const parsed = isPage ? { ok: false as const } : parseJson(text);
  if (response.ok) {
    if (text.trim() === '') return undefined;
    if (isPage) throw isWebPage(name, response.status);
    // words may say that it is done, too
    if (!parsed.ok) throw isNoJson(name, response.status, !isRepeatable);
    return parsed.value;
  }
  const body = parsed.ok ? parsed.value : text;
  const error = errorOfAnswer(response.status, body, name, token, isPage);
  const after = retryAfter(response.headers);
  // a POST only where the service itself says that it was not carried out: proxies answer 503 afterwards too
  const isPutOff = response.status === 429 || (response.status === 503 && (isRepeatable || after !== undefined));
  const retry = isPutOff || (isRepeatable && response.status >= 500);
  throw new Attempt(error, retry, after);
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

async function textOf(response: Response, name: string): Promise<string> {
  const tooLarge = () =>
    new ServiceError(
      'too-large',
      l10n.t('{0} sent more than {1} MB at once. Ask for smaller pages in the settings.', name, MAX_BODY / 1024 / 1024),
    );
  if (Number(response.headers.get('content-length') ?? 0) > MAX_BODY) {
    await response.body?.cancel();
    throw tooLarge();
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > MAX_BODY) throw tooLarge();
    chunks.push(chunk);
  }
  // some write a byte order mark before it
  return new TextDecoder().decode(Buffer.concat(chunks));
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
