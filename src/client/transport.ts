import { createFetch, FetchError, type $Fetch } from 'ofetch';
import * as l10n from '@vscode/l10n';
import { fitText, printable } from '../contract/texts.ts';
import { resolve, tokenFault } from './address.ts';
import { type Answer, type Asked, isPageType, readAnswer, readLines } from './answer.ts';
import { asDone, causes, errorOfConnection, ServiceError } from './errors.ts';
import { type LearnedStore, Learning } from './learned.ts';
import { orAborted, pause } from '../platform/pause.ts';
import { redact } from './redact.ts';

export interface ClientOptions {
  readonly baseUrl: URL;
  /** The service, as errors call it; default: the host of the base URL. */
  readonly name?: string | undefined;
  readonly fetch: typeof globalThis.fetch;
  readonly token: () => Promise<string | undefined>;
  readonly timeout?: number | undefined;
  readonly sleep?: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Gets a line per request: method, path, status, milliseconds, the service’s ID of it, or the cause of its failure. */
  readonly log?: ((line: string) => void) | undefined;
  readonly learned?: LearnedStore | undefined;
  readonly onLearned?: ((sentence: string) => void) | undefined;
  /** Whether predictions are asked for with `is_async`, so that no proxy cuts a long request. */
  readonly isAsync?: boolean | undefined;
}

export interface Call {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, string | undefined>>;
  /** Sent as JSON; a text, or its bytes, as it is. */
  readonly body?: unknown;
  /** Of the body; default: JSON. */
  readonly type?: string;
  readonly signal?: AbortSignal | undefined;
  readonly timeout?: number | undefined;
  /** Another address of the same origin, instead of the path below the base URL. */
  readonly url?: URL | undefined;
  readonly isAnonymous?: boolean;
  /** With it, the service carries the request out once, however often it is sent. */
  readonly idempotencyKey?: string;
  /** Milliseconds for which it is retried, as often as that allows; default: a few retries. */
  readonly retryFor?: number;
  /** Fields of the answer that nobody needs: they are dropped as they arrive. */
  readonly drop?: readonly string[] | undefined;
  readonly etag?: string | undefined;
}

type Sent = Pick<RequestInit, 'headers' | 'body' | 'signal'> &
  Pick<Call, 'method'> & { readonly token: string | undefined };
type Read<T> = (response: Response, asked: Asked) => Promise<T>;

const MAX_RETRIES = 3;
const MAX_WAIT = 30_000;
/** Between attempts if the service names no time, in milliseconds. */
const PAUSE = { least: 300, most: 10_000 };
const CACHED = { answers: 16, bytes: 2 << 20 };
const NOT_THERE = [404, 405, 410];

/** HTTP with one service: token, time limit, safe retries, redirects, conditional requests, errors. */
export class Transport {
  readonly options: ClientOptions;
  readonly learning: Learning;
  readonly #fetch: $Fetch;
  readonly #running = new Map<string, { work: Promise<Answer>; stop: AbortController; waiting: number }>();
  readonly #cached = new Map<string, Answer>();
  /** Milliseconds by which the clock of the service is ahead of ours, as its answers tell. */
  #ahead = 0;

  constructor(options: ClientOptions) {
    this.options = options;
    this.learning = new Learning(options.learned);
    this.#fetch = createFetch({
      fetch: options.fetch,
      defaults: {
        headers: { accept: 'application/json' },
        retry: false, // this class decides what may be sent again
        redirect: 'manual', // a redirect may lead elsewhere with the token
        responseType: 'stream',
        ignoreResponseError: true,
      },
    });
  }

  /** As it is called now: the person may rename a service while it is in use. */
  get #name(): string {
    return this.options.name ?? this.options.baseUrl.host;
  }

  clock(ours = Date.now()): number {
    return ours + this.#ahead;
  }

  async call(call: Call): Promise<unknown> {
    return (await this.answer(call)).body;
  }

  /** Equal GETs at the same time are one, and what has not changed since the last one is not sent again. */
  async answer(call: Call): Promise<Answer> {
    const { method, signal, path, query, url, isAnonymous, drop } = call;
    // what was asked before a change does not answer who asks after it
    if (method !== 'GET') return this.#attempts(call, readAnswer).finally(() => this.#running.clear());
    signal?.throwIfAborted();
    const key = JSON.stringify([path, query, url, isAnonymous, drop]);
    const stop = new AbortController();
    const work = () => this.#unlessCached(key, { ...call, signal: stop.signal });
    const running = this.#running.get(key) ?? { work: work(), stop, waiting: 0 };
    this.#running.set(key, running);
    running.waiting++;
    try {
      return await orAborted(running.work, signal);
    } finally {
      if (--running.waiting === 0) {
        running.work.catch(() => undefined);
        running.stop.abort(signal?.reason);
        if (this.#running.get(key) === running) this.#running.delete(key);
      }
    }
  }

  async #unlessCached(key: string, call: Call): Promise<Answer> {
    const known = this.#cached.get(key);
    const answer = await this.#attempts({ ...call, etag: known?.etag }, readAnswer);
    if (answer.status === 304 && known) return known;
    this.#cached.delete(key);
    if (answer.etag !== undefined && answer.bytes <= CACHED.bytes) this.#cached.set(key, answer);
    for (const oldest of this.#cached.keys()) if (this.#cached.size > CACHED.answers) this.#cached.delete(oldest);
    return answer;
  }

  /** A stream of JSON lines, each read when it is asked for. A stream that breaks off is not sent again. */
  async *stream(call: Call): AsyncGenerator<unknown> {
    const response = await this.#attempts(call, async (opened, asked) => {
      if (!opened.ok) await readAnswer(opened, asked);
      return opened;
    });
    yield* readLines(response, { name: this.#name, signal: call.signal });
  }

  async #attempts<T>(call: Call, read: Read<T>): Promise<T> {
    const { retryFor, signal, isAnonymous } = call;
    const tokenNow = async () => (isAnonymous ? undefined : this.options.token());
    /** If an earlier attempt may have succeeded, so may have one that could not connect. */
    let lost: ServiceError | undefined;
    let waited = 0;
    for (let attempt = 0; ; attempt++) {
      const began = performance.now();
      const token = await tokenNow();
      try {
        return await this.#send(call, token, read);
      } catch (error) {
        signal?.throwIfAborted();
        if (!(error instanceof ServiceError)) throw error;
        // another token may have been set since
        const isStale = error.kind === 'unauthorized' && attempt < MAX_RETRIES;
        if (isStale && token !== (await tokenNow())) continue;
        const mayRepeat = isRepeatable(error, call, lost !== undefined);
        if (mayRepeat && error.outcomeUnknown) lost ??= error;
        const wait = waitAfter(error, attempt, retryFor !== undefined);
        waited += wait + performance.now() - began;
        const isOver = retryFor === undefined ? attempt >= MAX_RETRIES || wait > MAX_WAIT : waited > retryFor;
        if (isOver || !mayRepeat) throw (error.kind === 'unreachable' && lost) || error;
        await (this.options.sleep ?? pause)(wait, signal);
        signal?.throwIfAborted();
      }
    }
  }

  async #send<T>(call: Call, token: string | undefined, read: Read<T>): Promise<T> {
    const { method, path, query, signal, type = 'application/json', idempotencyKey, etag, drop } = call;
    const { baseUrl, timeout = 60_000 } = this.options;
    const fault = token === undefined ? undefined : tokenFault(token);
    if (fault) throw new ServiceError('unauthorized', l10n.t('{0} Set a valid token and try again.', fault));
    const body = bodyOf(call.body);
    // a stream that goes on after its head has a limit of its own
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), call.timeout ?? timeout);
    const headers = {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': type }),
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      ...(etag !== undefined && { 'if-none-match': etag }),
    };
    const either = signal ? AbortSignal.any([signal, late.signal]) : late.signal;
    const name = this.#name;
    try {
      const url = call.url ?? resolve(baseUrl, path, query);
      const { response, from } = await this.#follow(url, { method, headers, body, signal: either, token });
      return await read(response, { name, isRepeatable: isSafe(call), token, drop, from });
    } catch (error) {
      if (error instanceof ServiceError) throw error;
      signal?.throwIfAborted();
      throw errorOfConnection(error, { name, baseUrl, isReading: method === 'GET', isLate: late.signal.aborted });
    } finally {
      clearTimeout(timer);
    }
  }

  /** Sends it, and on where redirects lead within the origin; a way that is permanent is remembered. */
  async #follow(first: URL, sent: Sent): Promise<{ response: Response; from: URL }> {
    const known = this.learning.now.moved[first.pathname] as string | undefined;
    let from = Object.assign(new URL(first), { pathname: known ?? first.pathname });
    for (let [redirects, isForGood] = [0, true]; ; redirects++) {
      const response = await this.#fetchOnce(from, sent);
      const redirect = redirectOf(response, from, sent.method);
      if (known !== undefined && NOT_THERE.includes(response.status)) {
        // it has moved back, and nothing was done
        await response.body?.cancel();
        this.learning.put('moved', { [first.pathname]: undefined });
        return this.#follow(first, sent);
      }
      if (!redirect) {
        const isMoved = isForGood && from.pathname !== (known ?? first.pathname) && from.search === first.search;
        const target = from.pathname === first.pathname ? undefined : from.pathname;
        // a page, for example to log in, is no answer
        if (isMoved && response.ok && !isPageType(response.headers))
          this.learning.put('moved', { [first.pathname]: target });
        return { response, from };
      }
      await response.body?.cancel();
      const { target, isKept } = redirect;
      const isAstray = target.origin !== first.origin || !isKept || redirects >= 5;
      if (isAstray) throw this.#astray(first, target, sent.method !== 'GET' && response.status === 303);
      isForGood &&= redirect.isForGood;
      from = target;
    }
  }

  #astray(from: URL, to: URL, isDone: boolean): unknown {
    const sentence =
      to.origin === from.origin
        ? l10n.t('{0} redirects to {1} instead of answering. Check the base URL.', this.#name, to.pathname)
        : l10n.t(
            '{0} redirects to {1}. The token was not sent there; if that address is right, make it the base URL.',
            this.#name,
            to.origin,
          );
    const error = new ServiceError('redirected', sentence);
    return isDone ? asDone(error) : error;
  }

  async #fetchOnce(url: URL, { token, ...request }: Sent): Promise<Response> {
    const began = performance.now();
    const log = (what: string) => {
      const took = Math.round(performance.now() - began);
      this.options.log?.(printable(redact(`${request.method} ${url.pathname} ${what} ${took}ms`, token)));
    };
    try {
      const response = await this.#fetch.raw(url.href, request);
      const id = response.headers.get('x-request-id');
      log(`${response.status}${id ? ` (${id.slice(0, 100)})` : ''}`);
      const date = Date.parse(response.headers.get('date') ?? '');
      if (!Number.isNaN(date)) this.#ahead = date - Date.now();
      return response;
    } catch (error) {
      // the message of the library names the whole address
      const cause = error instanceof FetchError ? (error.cause ?? error) : error;
      log(causes(cause));
      throw cause;
    }
  }
}

const isSafe = ({ method, idempotencyKey }: Call): boolean => method === 'GET' || idempotencyKey !== undefined;

/** Whether a call that failed may be sent again. @param isLost whether an earlier attempt was sent and not answered */
function isRepeatable(
  { kind, status = 0, after, isUnsent, outcomeUnknown }: ServiceError,
  call: Call,
  isLost: boolean,
) {
  if (outcomeUnknown && !isSafe(call)) return false;
  // a POST only where the service itself says that it was not carried out: proxies answer 503 afterwards too
  if (status === 429 || (status === 503 && after !== undefined)) return true;
  if (status > 0) return status >= 500 && isSafe(call);
  if (kind === 'timeout') return call.retryFor !== undefined && call.idempotencyKey !== undefined;
  if (kind !== 'unreachable') return false;
  // a service that restarts does not answer for a moment
  return isUnsent ? isLost || call.retryFor !== undefined : isSafe(call);
}

/** Milliseconds until the next attempt. @param isEndless whether attempts are not counted: these keep a distance, whatever the service says */
function waitAfter({ after }: ServiceError, attempt: number, isEndless: boolean): number {
  const usual = Math.min(PAUSE.most, PAUSE.least * 2 ** attempt * (0.5 + Math.random()));
  const isTooSoon = isEndless && (after ?? PAUSE.least) < PAUSE.least;
  return isTooSoon ? Math.max(PAUSE.least, usual) : (after ?? usual);
}

/**
 * Where a redirect from an address leads, unless it only tells what a creation has made: 303 See Other, or below it.
 * `isKept`: the method stays, else a creation may have been done.
 */
function redirectOf({ status, headers }: Response, from: URL, method: Call['method']) {
  const location = headers.get('location');
  const target = status < 300 || status > 399 || status === 304 || !location ? null : URL.parse(location, from.href);
  if (!target) return undefined;
  const isSlash = isButSlash(from, target);
  const isBelow = target.pathname.startsWith(`${from.pathname}/`) && !isSlash;
  const isMade = method !== 'GET' && (status === 303 || (status < 303 && isBelow));
  if (isMade && target.host === from.host) return undefined;
  // behind a proxy that ends TLS, a service takes itself for http
  if (from.protocol === 'https:' && target.protocol === 'http:' && target.hostname === from.hostname)
    Object.assign(target, { protocol: 'https:', port: from.port });
  return {
    target,
    isKept: method === 'GET' || isSlash || status === 307 || status === 308,
    // frameworks redirect to the slash at the end with any status
    isForGood: status === 301 || status === 308 || isSlash,
  };
}

const isButSlash = (from: URL, to: URL): boolean => from.pathname.replace(/\/$/, '') === to.pathname.replace(/\/$/, '');

/** NUL, and the halves of surrogate pairs, as JSON has them. */
const UNFIT = /\\u(?:0000|d[89a-f])/;

/** A body as JSON, with U+FFFD in its texts for what a service may not be able to store; a text or bytes stay as they are. */
export function bodyOf(given: unknown): string | Uint8Array<ArrayBuffer> | undefined {
  if (given === undefined || typeof given === 'string' || given instanceof Uint8Array)
    return given as ReturnType<typeof bodyOf>;
  const json = JSON.stringify(given);
  const fit = (_: string, value: unknown): unknown => (typeof value === 'string' ? fitText(value) : value);
  return UNFIT.test(json) ? JSON.stringify(given, fit) : json;
}
