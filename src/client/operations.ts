import { createFetch, FetchError, type $Fetch } from 'ofetch';
import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import { type AnswerOf, type Operation, type OperationName, operations } from '../contract/operations.ts';
import { fitText, printable } from '../contract/texts.ts';
import { resolve, tokenFault } from './address.ts';
import { type Answer, type Asked, isPageType, readAnswer, readLines } from './answer.ts';
import { Capabilities } from './capabilities.ts';
import { asDone, causes, errorOfConnection, isPassing, isRefusal, notOffered, ServiceError, unless } from './errors.ts';
import { orAborted, pause } from '../platform/pause.ts';
import { parse } from './page.ts';
import { redact } from './redact.ts';

const KnownList = z.object({
  order: z.optional(z.enum(['newest', 'oldest'])),
  bytes: z.optional(z.number()),
  end: z.optional(z.object({ cursor: z.string(), size: z.number(), isLast: z.boolean() })),
});

export const Learned = z.object({
  lists: z.record(z.string(), KnownList),
  paging: z.object({ cursor: z.optional(z.string()), size: z.optional(z.string()), most: z.optional(z.number()) }),
  required: z.record(z.string(), z.array(z.string())),
  moved: z.record(z.string(), z.string()),
  /** Models that predictions named, each with when it was last seen (epoch milliseconds). */
  models: z.record(z.string(), z.number()),
  reads: z.optional(z.boolean()),
  cuts: z.optional(z.boolean()),
});
export type Learned = z.infer<typeof Learned>;

interface LearnedStore {
  get(): Learned | undefined;
  set(learned: Learned): void;
}

const NOTHING: Learned = { lists: {}, paging: {}, required: {}, moved: {}, models: {} };

export interface ClientOptions {
  readonly baseUrl: URL;
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
  readonly body?: unknown;
  readonly type?: string;
  readonly signal?: AbortSignal | undefined;
  readonly timeout?: number | undefined;
  readonly url?: URL | undefined;
  readonly isAnonymous?: boolean;
  /** With it, the service carries the request out once, however often it is sent. */
  readonly idempotencyKey?: string;
  /** Milliseconds for which it is retried, as often as that allows; default: a few retries. */
  readonly retryFor?: number;
  readonly drop?: readonly string[] | undefined;
  readonly etag?: string | undefined;
}

/** A {@link Call} of an operation: `id` is the parameter of its path; `isTried` calls what nothing announces. */
export type Exchange = Omit<Call, 'method' | 'path' | 'url'> & { readonly id?: string; readonly isTried?: boolean };

type Sent = Pick<RequestInit, 'headers' | 'body' | 'signal'> & Pick<Call, 'method'> & Pick<Asked, 'token'>;
type Read<T> = (response: Response, asked: Asked) => Promise<T>;

export const LONG = 10 * 60_000; // milliseconds for what may take long: synchronous predictions, large uploads
const MAX_RETRIES = 3;
const MAX_WAIT = 30_000;
/** Between attempts if the service names no time, in milliseconds. */
const PAUSE = { least: 300, most: 10_000 };
const MOST_LEARNED = 200;
const CACHED = { answers: 16, bytes: 2 << 20 };

/** The operations of one service over HTTP: token, time limit, safe retries, redirects, conditional requests, errors. */
export class Operations {
  readonly options: ClientOptions;
  learned: Learned;
  readonly #fetch: $Fetch;
  readonly #running = new Map<string, { work: Promise<Answer>; stop: AbortController; waiting: number }>();
  readonly #cached = new Map<string, Answer>();
  /** Milliseconds by which the clock of the service is ahead of ours, as its answers tell. */
  #ahead = 0;
  #description: Promise<Capabilities> | undefined;
  #expires = Infinity;

  constructor(options: ClientOptions) {
    this.options = options;
    this.learned = options.learned?.get() ?? NOTHING;
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

  get #name(): string {
    return this.options.name ?? this.options.baseUrl.host;
  }

  /** Remembers what the use of the service teaches; entries of a part that are `undefined` go, and of many the oldest ones. */
  learn<P extends keyof Learned>(part: P, change: Partial<Learned[P]>): void {
    const all =
      typeof change === 'object' ? Object.entries({ ...(this.learned[part] as object), ...change }) : undefined;
    const known = all?.filter(([, value]) => value !== undefined);
    // models by when they were last seen; of others only the order in which they came is known
    const entries = known?.sort(([, a], [, b]) => Number(a) - Number(b) || 0).slice(-MOST_LEARNED);
    const next = { ...this.learned, [part]: entries ? Object.fromEntries(entries) : change };
    if (JSON.stringify(next) === JSON.stringify(this.learned)) return;
    this.learned = next;
    this.options.learned?.set(next);
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

  async #attempts<T>(call: Call, read: Read<T>): Promise<T> {
    const { retryFor, signal, isAnonymous } = call;
    const tokenNow = async () => (isAnonymous ? undefined : this.options.token());
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
    const known = this.learned.moved[first.pathname] as string | undefined;
    const remember = (target?: string) => this.learn('moved', { [first.pathname]: target });
    let from = Object.assign(new URL(first), { pathname: known ?? first.pathname });
    for (let [redirects, isForGood] = [0, true]; ; redirects++) {
      const response = await this.#fetchOnce(from, sent);
      const redirect = redirectOf(response, from, sent.method);
      const isAway = known !== undefined && [404, 405, 410].includes(response.status);
      if (!redirect && !isAway) {
        const isMoved = isForGood && from.pathname !== (known ?? first.pathname) && from.search === first.search;
        // a page, for example to log in, is no answer
        if (isMoved && response.ok && !isPageType(response.headers))
          remember(from.pathname === first.pathname ? undefined : from.pathname);
        return { response, from };
      }
      await response.body?.cancel();
      if (!redirect) {
        remember();
        return this.#follow(first, sent);
      }
      const isAstray = redirect.target.origin !== first.origin || !redirect.isKept || redirects >= 5;
      if (isAstray) throw this.#astray(first, redirect.target, sent.method !== 'GET' && response.status === 303);
      isForGood &&= redirect.isForGood;
      from = redirect.target;
    }
  }

  #astray({ origin }: URL, to: URL, isDone: boolean): unknown {
    const isElsewhere = to.origin !== origin;
    const of = [this.#name, isElsewhere ? to.origin : to.pathname] as const;
    const sentence = isElsewhere
      ? l10n.t('{0} redirects to {1}. The token was not sent there; if {1} is right, make it the base URL.', ...of)
      : l10n.t('{0} redirects to {1} instead of answering. Check the base URL.', ...of);
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
      const ahead = Date.parse(response.headers.get('date') ?? '') - Date.now();
      if (!Number.isNaN(ahead)) this.#ahead = ahead;
      return response;
    } catch (error) {
      // the message of the library names the whole address
      const cause = error instanceof FetchError ? (error.cause ?? error) : error;
      log(causes(cause));
      throw cause;
    }
  }

  /** What the service announces; asked for once, and again after a failure to get it. @throws ServiceError where it cannot be opened */
  capabilities(): Promise<Capabilities> {
    if (performance.now() > this.#expires) this.forgetCapabilities();
    return (this.#description ??= this.#describe());
  }

  forgetCapabilities(): void {
    this.#description = undefined;
    this.#expires = Infinity;
  }

  /** The description below the base URL; else that of the origin, as far as it describes what is below the base URL. */
  async #describe(): Promise<Capabilities> {
    const { pathname, origin } = this.options.baseUrl;
    try {
      for (const url of pathname === '/' ? [undefined] : [undefined, new URL('/openapi.json', origin)]) {
        const asked = this.call({ method: 'GET', path: '/openapi.json', timeout: 8_000, url });
        const description = await asked.catch(unless(isRefusal));
        if (description !== undefined) return new Capabilities(description, pathname, url !== undefined);
      }
      return new Capabilities(undefined);
    } catch (error) {
      this.#expires = 0;
      if (!isPassing(error)) throw error;
      // one that hung is not asked for again soon
      this.#expires = performance.now() + (error.kind === 'timeout' ? 60_000 : 2_000);
      return new Capabilities(undefined);
    }
  }

  /** Where the description has the operations of the interface, if not below the base URL; always of its origin. */
  async elsewhere(): Promise<string | undefined> {
    const { elsewhere } = await this.capabilities();
    return elsewhere === undefined ? undefined : this.options.baseUrl.origin + elsewhere;
  }

  /** Calls an operation. If the answer to a creation does not contain what was made, that is read from its `Location`. */
  async made<K extends OperationName>(
    name: K,
    { id, idempotencyKey = crypto.randomUUID(), isTried = false, ...call }: Exchange,
  ): Promise<{ readonly made: AnswerOf<K>; readonly location: URL | undefined }> {
    const operation: Operation = operations[name];
    const { method, core, answer: schema } = operation;
    const offers = await this.capabilities();
    if (!core && !isTried && !offers.has(name)) throw notOffered();
    const path = offers.pathOf(name, id);
    const { body, location } = await this.answer({
      method,
      path,
      ...(operation.isComputed || (method === 'POST' && !core) ? { timeout: LONG } : {}),
      ...(operation.bodyLines ? { type: 'application/x-ndjson' } : {}),
      ...(offers.of(name)?.isRepeatable ? { idempotencyKey } : {}),
      ...call,
    });
    const read = (from: unknown) => (schema && parse(schema, from, `${method} ${operation.path}`)) as AnswerOf<K>;
    try {
      return { made: read(body), location };
    } catch (error) {
      if (method !== 'POST') throw error;
      if (!location) throw asDone(error);
      const there = this.call({ method: 'GET', path, url: location, signal: call.signal });
      return { made: await there.then(read).catch((failed: unknown) => Promise.reject(asDone(failed))), location };
    }
  }

  async do<K extends OperationName>(name: K, exchange: Exchange = {}): Promise<AnswerOf<K>> {
    return (await this.made(name, exchange)).made;
  }

  async *lines(name: 'listForecasts', id: string, signal?: AbortSignal) {
    const { method, path, answerLines } = operations[name];
    const offers = await this.capabilities();
    if (!offers.of(name)?.givesLines) throw notOffered();
    const call = { method, path: offers.pathOf(name, id), signal };
    const response = await this.#attempts(call, async (opened, asked) => {
      if (!opened.ok) await readAnswer(opened, asked);
      return opened;
    });
    for await (const line of readLines(response, { name: this.#name, signal }))
      yield parse(answerLines, line, `${method} ${path}`);
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

/** Where a redirect leads, unless it tells what was made: 303, or below it. `isKept`: the method stays. */
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
