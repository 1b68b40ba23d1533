import * as l10n from '@vscode/l10n';
import { createFetch, type $Fetch } from 'ofetch';
import { fitText, printable } from '../contract/texts.ts';
import { resolve, tokenFault } from './address.ts';
import { type Answer, type Asked, readAnswer, readLines } from './answer.ts';
import { ServiceError } from './errors.ts';
import { Learning } from './learned.ts';
import { causes, errorOfConnection, toldIn } from './no-answer.ts';
import { orAborted, pause } from './pause.ts';
import { redact } from './redact.ts';

export interface TransportOptions {
  readonly baseUrl: URL;
  /** What errors call the service; the host of the base URL where absent. */
  readonly name?: string | undefined;
  readonly fetch: typeof globalThis.fetch;
  readonly token: () => Promise<string | undefined>;
  /** Milliseconds until an answer must be there; default 60 s. */
  readonly timeout?: number | undefined;
  /** Waits before a retry, at most until the signal is aborted; default {@link pause}. */
  readonly sleep?: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Is told of each request: method, path, status, milliseconds, the service’s id of it, or the cause of its failure. */
  readonly log?: ((line: string) => void) | undefined;
}

type Method = 'GET' | 'POST' | 'DELETE';
type Body = string | Uint8Array<ArrayBuffer>;

export interface Call {
  readonly method: Method;
  readonly path: string;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
  /** A body that is sent as it is, instead of `body`; it is JSON unless `type` says otherwise. */
  readonly text?: Body | undefined;
  readonly type?: string;
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds, where the default does not fit. */
  readonly timeout?: number | undefined;
  /** Another address of the same origin, instead of the path below the base URL. */
  readonly url?: URL | undefined;
  readonly isAnonymous?: boolean;
  /** The service does what it says once, however often it comes. */
  readonly idempotencyKey?: string;
  /** Milliseconds that may be waited in all before what is safe is sent again; a few short times where absent. */
  readonly patience?: number;
  /** Fields of the answer that nobody needs: they are passed over as it comes. */
  readonly drop?: readonly string[] | undefined;
  /** Of the answer that is known: where it is still the same, it is not sent again. */
  readonly etag?: string | undefined;
}

interface Sent {
  readonly method: Method;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Body | undefined;
  readonly signal: AbortSignal;
  readonly token: string | undefined;
}

type Read<T> = (response: Response, asked: Asked) => Promise<T>;

const USUAL_TIMEOUT = 60_000;
const MAX_RETRIES = 3;
const MAX_WAIT = 30_000;
/** Between attempts of which the service says nothing, in milliseconds. */
const PAUSE = { least: 300, most: 10_000 };
const MAX_REDIRECTS = 5;
/** Answers with an ETag that are kept, and how large each may be. */
const KEPT = { answers: 16, bytes: 2 << 20 };
/** Paths of which it is remembered that they were moved, and what says that one is not there any more. */
const MOST_MOVED = 20;
const NOT_THERE = [404, 405, 410];
const LONGEST_ID = 100;

/** A reading that is under way, and how many wait for it. */
interface Running {
  readonly work: Promise<Answer>;
  readonly stop: AbortController;
  waiting: number;
}

/** One HTTP exchange after another with one service: token, time limit, retries that are safe, redirects, errors. */
export class Transport {
  readonly #options: TransportOptions;
  readonly #learning: Learning;
  readonly #running = new Map<string, Running>();
  /** The answers that had an ETag, newest last. */
  readonly #kept = new Map<string, Answer>();
  readonly #fetch: $Fetch;
  /** How far the service’s clock is ahead of ours in milliseconds, as far as its answers tell. */
  clockDifference = 0;

  constructor(options: TransportOptions, learning = new Learning()) {
    this.#options = options;
    this.#learning = learning;
    this.#fetch = createFetch({
      fetch: options.fetch,
      defaults: {
        headers: { accept: 'application/json' },
        // what may be sent again, and where a redirect may lead with the token, is for this class to say
        retry: false,
        redirect: 'manual',
        // read piece by piece, up to a size
        responseType: 'stream',
        ignoreResponseError: true,
      },
    });
  }

  get #name(): string {
    return this.#options.name ?? this.#options.baseUrl.host;
  }

  /** As {@link answer}. @returns the parsed JSON of the answer; `undefined` for an empty one */
  async call(call: Call): Promise<unknown> {
    return (await this.answer(call)).body;
  }

  /**
   * Two equal readings at once are one, and what has not changed since it was read is not sent again.
   * @throws ServiceError; the signal's reason when aborted
   */
  async answer(call: Call): Promise<Answer> {
    const { method, signal, path, query, url, isAnonymous, drop } = call;
    if (method !== 'GET')
      // what is read from now on is not answered by what was asked before
      return this.#attempts(call, readAnswer).finally(() => {
        this.#running.clear();
      });
    signal?.throwIfAborted();
    const key = JSON.stringify([path, query, url, isAnonymous, drop]);
    const running = this.#running.get(key) ?? this.#start(key, call);
    this.#running.set(key, running);
    running.waiting++;
    try {
      return await orAborted(running.work, signal);
    } finally {
      // it ends where all who wait for it have left
      if (--running.waiting === 0) {
        running.stop.abort(signal?.reason);
        if (this.#running.get(key) === running) this.#running.delete(key);
      }
    }
  }

  #start(key: string, call: Call): Running {
    const stop = new AbortController();
    const work = this.#unlessKept(key, { ...call, signal: stop.signal });
    work.catch(() => undefined);
    return { work, stop, waiting: 0 };
  }

  async #unlessKept(key: string, call: Call): Promise<Answer> {
    const known = this.#kept.get(key);
    const answer = await this.#attempts({ ...call, etag: known?.etag }, readAnswer);
    if (answer.status === 304 && known) return known;
    this.#kept.delete(key);
    if (answer.etag !== undefined && answer.bytes <= KEPT.bytes) this.#kept.set(key, answer);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > KEPT.answers) this.#kept.delete(oldest);
    return answer;
  }

  /**
   * A stream of JSON lines, each read when it is asked for. Where it breaks off nobody sends it again.
   * @throws ServiceError; the signal's reason when aborted
   */
  async *lines(call: Call): AsyncGenerator<unknown> {
    const response = await this.#attempts(call, async (opened, asked) => {
      if (!opened.ok) await readAnswer(opened, asked);
      return opened;
    });
    yield* readLines(response, { name: this.#name, signal: call.signal });
  }

  async #attempts<T>(call: Call, read: Read<T>): Promise<T> {
    const { path, query, patience, signal } = call;
    const url = call.url ?? resolve(this.#options.baseUrl, path, query);
    /** What is not known of an earlier attempt is not known of the last one either, where nobody answers that. */
    let lost: ServiceError | undefined;
    let waited = 0;
    for (let attempt = 0; ; attempt++) {
      const began = performance.now();
      try {
        return await this.#exchange(url, call, read);
      } catch (error) {
        signal?.throwIfAborted();
        if (!(error instanceof ServiceError)) throw error;
        const mayRepeat = isRepeatable(error, call, lost !== undefined);
        if (mayRepeat && error.outcomeUnknown) lost ??= error;
        const wait = waitAfter(error, attempt, patience !== undefined);
        waited += wait + performance.now() - began;
        const isOver = patience === undefined ? attempt >= MAX_RETRIES || wait > MAX_WAIT : waited > patience;
        if (isOver || !mayRepeat) throw (error.kind === 'unreachable' && lost) || error;
        await (this.#options.sleep ?? pause)(wait, signal);
        signal?.throwIfAborted();
      }
    }
  }

  /** With the token; and once more where it was refused but another has been set since. */
  async #exchange<T>(url: URL, call: Call, read: Read<T>): Promise<T> {
    const token = call.isAnonymous ? undefined : await this.#options.token();
    const fault = token === undefined ? undefined : tokenFault(token);
    if (fault) throw new ServiceError('unauthorized', l10n.t('{0} Set a valid token and try again.', fault));
    try {
      return await this.#send(url, call, token, read);
    } catch (error) {
      const isRefused = error instanceof ServiceError && error.kind === 'unauthorized' && !call.isAnonymous;
      const newer = isRefused ? await this.#options.token() : token;
      if (newer === token) throw error;
      return this.#send(url, call, newer, read);
    }
  }

  async #send<T>(url: URL, call: Call, token: string | undefined, read: Read<T>): Promise<T> {
    const { method, signal, type = 'application/json', idempotencyKey, etag, drop } = call;
    const body = call.text ?? (call.body === undefined ? undefined : bodyOf(call.body));
    // until it is read; a stream that goes on looks after itself
    const late = new AbortController();
    const timer = setTimeout(
      () => {
        late.abort();
      },
      call.timeout ?? this.#options.timeout ?? USUAL_TIMEOUT,
    );
    const headers = {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': type }),
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      ...(etag !== undefined && { 'if-none-match': etag }),
    };
    const either = signal ? AbortSignal.any([signal, late.signal]) : late.signal;
    const name = this.#name;
    try {
      const { response, from } = await this.#follow(url, { method, headers, body, signal: either, token });
      return await read(response, { name, isRepeatable: isSafe(call), token, drop, from });
    } catch (error) {
      if (error instanceof ServiceError) throw error;
      signal?.throwIfAborted();
      const { baseUrl } = this.#options;
      throw errorOfConnection(error, { name, baseUrl, isReading: method === 'GET', isLate: late.signal.aborted });
    } finally {
      clearTimeout(timer);
    }
  }

  /** Sends it, and sends it on where redirects lead within the origin; one for good is remembered. */
  async #follow(first: URL, sent: Sent): Promise<{ response: Response; from: URL }> {
    const moved = this.#learning.now.moved[first.pathname];
    let url = Object.assign(new URL(first), { pathname: moved ?? first.pathname });
    let [request, isForGood] = [sent, true];
    for (let redirects = 0; ; redirects++) {
      const response = await this.#fetchOnce(url, request);
      const target = redirectOf(response, url);
      const isThere =
        target !== undefined || moved === undefined || redirects > 0 || !NOT_THERE.includes(response.status);
      if (isThere && !target) {
        if (redirects > 0 && isForGood && url.search === first.search) this.#setMoved(first, url);
        return { response, from: url };
      }
      await response.body?.cancel();
      if (!target) {
        // nothing was done
        this.#setMoved(first, undefined);
        return this.#follow(first, sent);
      }
      const isSlash = isButSlash(url, target);
      const method = methodAfter(response.status, request.method, isSlash);
      if (target.origin !== first.origin || !method || redirects >= MAX_REDIRECTS) throw this.#astray(first, target);
      const { 'content-type': _, ...bare } = request.headers;
      if (method !== request.method) request = { ...request, method, headers: bare, body: undefined };
      // where only the slash at the end differs, frameworks say so for each request anew
      isForGood &&= [301, 308].includes(response.status) || isSlash;
      url = target;
    }
  }

  #astray(from: URL, to: URL): ServiceError {
    const sentence =
      to.origin === from.origin
        ? l10n.t('{0} redirects to {1} instead of answering. Check the base URL.', this.#name, to.pathname)
        : l10n.t(
            '{0} redirects to {1}. The token was not sent there; if that address is right, make it the base URL.',
            this.#name,
            to.origin,
          );
    return new ServiceError('redirected', sentence);
  }

  #setMoved(from: URL, to: URL | undefined): void {
    const { [from.pathname]: _, ...others } = this.#learning.now.moved;
    const kept = Object.entries(others).slice(1 - MOST_MOVED);
    const isMoved = to && to.pathname !== from.pathname;
    this.#learning.set({ moved: Object.fromEntries(isMoved ? [...kept, [from.pathname, to.pathname]] : kept) });
  }

  async #fetchOnce(url: URL, { method, headers, body, signal, token }: Sent): Promise<Response> {
    const began = performance.now();
    const log = (what: string) => {
      const took = Math.round(performance.now() - began);
      this.#options.log?.(printable(redact(`${method} ${url.pathname} ${what} ${took}ms`, token)));
    };
    try {
      const response = await this.#fetch.raw(url.href, { method, headers, body, signal });
      const id = response.headers.get('x-request-id');
      log(`${response.status}${id ? ` (${id.slice(0, LONGEST_ID)})` : ''}`);
      const date = Date.parse(response.headers.get('date') ?? '');
      if (!Number.isNaN(date)) this.clockDifference = date - Date.now();
      return response;
    } catch (error) {
      log(causes(error));
      throw toldIn(error) ?? error;
    }
  }
}

/** Whether nothing is done twice where it is sent again. */
const isSafe = ({ method, idempotencyKey }: Call): boolean => method === 'GET' || idempotencyKey !== undefined;

/** Whether a call that failed may be sent again. @param isLost whether an earlier attempt was sent and not answered */
function isRepeatable({ kind, status = 0, after, isUnsent }: ServiceError, call: Call, isLost: boolean): boolean {
  // a POST only where the service itself says that it was not carried out: proxies answer 503 afterwards too
  if (status === 429 || (status === 503 && after !== undefined)) return true;
  if (status > 0) return status >= 500 && isSafe(call);
  if (kind === 'timeout') return call.patience !== undefined && call.idempotencyKey !== undefined;
  if (kind !== 'unreachable') return false;
  // a service that is started anew does not answer for a moment
  return isUnsent ? isLost || call.patience !== undefined : isSafe(call);
}

/** Milliseconds until the next attempt. @param isPatient whether attempts are not counted: those keep a distance, whatever the service says */
function waitAfter({ after }: ServiceError, attempt: number, isPatient: boolean): number {
  const usual = Math.min(PAUSE.most, PAUSE.least * 2 ** attempt * (0.5 + Math.random()));
  const isTooSoon = isPatient && (after ?? PAUSE.least) < PAUSE.least;
  return isTooSoon ? Math.max(PAUSE.least, usual) : (after ?? usual);
}

/** Where an answer sends on to, if it does. @param from the address that was asked */
function redirectOf({ status, headers }: Response, from: URL): URL | undefined {
  const location = headers.get('location');
  if (status < 300 || status > 399 || status === 304 || !location) return undefined;
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
function methodAfter(status: number, method: Method, isSameButSlash: boolean): Method | undefined {
  if (method === 'GET' || status === 307 || status === 308) return method;
  if (status === 303) return 'GET';
  // nothing was done yet
  return isSameButSlash ? method : undefined;
}

const isButSlash = (from: URL, to: URL): boolean => from.pathname.replace(/\/$/, '') === to.pathname.replace(/\/$/, '');

/** NUL, and the halves of surrogate pairs, as JSON has them. */
const UNFIT = /\\u(?:0000|d[89a-f])/;

/**
 * A body as JSON. In its texts what a service may not be able to store stands as U+FFFD, as in UTF-8: NUL, and half a
 * character, which is what cutting a text can leave.
 */
export function bodyOf(given: unknown): string {
  const json = JSON.stringify(given);
  const fit = (_: string, value: unknown): unknown => (typeof value === 'string' ? fitText(value) : value);
  return UNFIT.test(json) ? JSON.stringify(given, fit) : json;
}
