import * as l10n from '@vscode/l10n';
import { createFetch, type $Fetch } from 'ofetch';
import { printable } from '../contract/printable.ts';
import { resolve } from './address.ts';
import { type Answer, type AnswerOptions, Attempt, readAnswer } from './answer.ts';
import { bodyOf } from './body.ts';
import { causes, chain, isNotSent, tlsFault } from './causes.ts';
import { ServiceError } from './errors.ts';
import { Learning } from './learned.ts';
import { readLines } from './lines.ts';
import { pause } from './pause.ts';
import { isSlash, type Method, methodAfter, redirectOf } from './redirect.ts';
import { redact } from './redact.ts';
import { SharedCalls } from './shared-calls.ts';
import { tokenFault } from './token.ts';
import { inOwnWords } from './service-words.ts';

export interface TransportOptions {
  readonly baseUrl: URL;
  /** What errors call the service; the host of the base URL where absent. */
  readonly name?: string | undefined;
  /** The platform's `fetch`, or the local service's. */
  readonly fetch: typeof globalThis.fetch;
  readonly token: () => Promise<string | undefined>;
  /** Milliseconds until an answer must be there; default 60 s. */
  readonly timeout?: number | undefined;
  /** Waits before a retry, at most until the signal is aborted; default {@link pause}. */
  readonly sleep?: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Is told of each request: method, path, status, milliseconds, the service’s id of it, or the cause of its failure. */
  readonly log?: ((line: string) => void) | undefined;
}

export interface Call {
  readonly method: Method;
  readonly path: string;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
  /** A body that is sent as it is, instead of `body`. */
  readonly text?: string | Uint8Array<ArrayBuffer> | undefined;
  /** What `text` is; JSON where absent. */
  readonly type?: string;
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds, where the default does not fit. */
  readonly timeout?: number | undefined;
  /** Another base URL of the same origin. */
  readonly baseUrl?: URL | undefined;
  /** Sent without the token. */
  readonly isAnonymous?: boolean;
  /** The service does what it says once, however often it comes. */
  readonly idempotencyKey?: string;
  /** Milliseconds that may be waited in all before what is safe is sent again; a few short times where absent. */
  readonly patience?: number;
  /** Fields of the answer that nobody needs: they are passed over as it comes. */
  readonly drop?: readonly string[] | undefined;
}

type Exchange = Omit<Call, 'path' | 'query' | 'baseUrl' | 'patience'> & { readonly etag?: string | undefined };

/** What is sent, also again where a redirect leads. */
interface Sent {
  method: Method;
  readonly headers: Record<string, string>;
  body: string | Uint8Array<ArrayBuffer> | undefined;
  readonly signal: AbortSignal;
}

/** @throws Attempt, ServiceError */
type Read<T> = (response: Response, about: AnswerOptions) => Promise<T>;

const MAX_RETRIES = 3;
const MAX_WAIT = 30_000;
/** Between attempts of which the service says nothing, in milliseconds. */
const MAX_PAUSE = 10_000;
/** The least of them where they are not counted, whatever the service says. */
const MIN_PAUSE = 300;
/** A stream that says nothing for so long has broken off, in milliseconds. */
const SILENCE = 60_000;
const MAX_REDIRECTS = 5;
/** Answers with an ETag that are kept, and how large each may be. */
const KEPT = { answers: 16, bytes: 2 << 20 };
/** Paths of which it is remembered that they were moved. */
const MOST_MOVED = 20;
/** Long enough for the id of a request. */
const LONGEST_ID = 100;

/** One HTTP exchange after another with one service: token, time limit, retries that are safe, size limit, errors. */
export class Transport {
  readonly #options: TransportOptions;
  readonly #learning: Learning;
  readonly #shared = new SharedCalls<Answer>();
  /** The answers that had an ETag, newest last. */
  readonly #kept = new Map<string, Answer>();
  readonly #fetch: $Fetch;
  #clockDifference = 0;

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

  /** What the person calls it now. */
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
    if (call.method !== 'GET') {
      try {
        return await this.#attempts(call, readAnswer);
      } finally {
        this.#shared.forget();
      }
    }
    const { path, query, baseUrl, timeout, isAnonymous, drop } = call;
    const key = JSON.stringify([path, query, baseUrl, isAnonymous, drop]);
    return this.#shared.join(JSON.stringify([key, timeout]), call.signal, async (signal) => {
      const known = this.#kept.get(key);
      const answer = await this.#attempts({ ...call, signal, etag: known?.etag }, readAnswer);
      if (answer.status === 304 && known) return known;
      this.#kept.delete(key);
      if (answer.etag !== undefined && answer.bytes <= KEPT.bytes) this.#kept.set(key, answer);
      for (const oldest of this.#kept.keys()) if (this.#kept.size > KEPT.answers) this.#kept.delete(oldest);
      return answer;
    });
  }

  /**
   * A stream of JSON lines, each read when it is asked for. Where it breaks off nobody sends it again.
   * @throws ServiceError; the signal's reason when aborted
   */
  async *lines(call: Call): AsyncGenerator<unknown> {
    const open = async (response: Response, about: AnswerOptions): Promise<Response> => {
      if (!response.ok) await readAnswer(response, about);
      return response;
    };
    const response = await this.#attempts(call, open);
    yield* readLines(response, { name: this.#name, silence: SILENCE, signal: call.signal });
  }

  async #attempts<T>(
    { path, query, baseUrl = this.#options.baseUrl, patience, ...exchange }: Call & Pick<Exchange, 'etag'>,
    read: Read<T>,
  ): Promise<T> {
    const url = resolve(baseUrl, path, query);
    /** What is not known of an earlier attempt is not known of the last one either, where nobody answers that. */
    let lost: ServiceError | undefined;
    let waited = 0;
    for (let attempt = 0; ; attempt++) {
      const began = performance.now();
      try {
        return await this.#exchange(url, exchange, read);
      } catch (thrown) {
        exchange.signal?.throwIfAborted();
        const isLate = thrown instanceof ServiceError && thrown.kind === 'timeout';
        const mayBeLate = patience !== undefined && exchange.idempotencyKey !== undefined;
        const error = isLate && mayBeLate ? new Attempt(thrown, true) : thrown;
        if (!(error instanceof Attempt)) throw error;
        const isUnanswered = error.error.kind === 'unreachable';
        // a service that is started anew does not answer for a moment
        const isNotSent = isUnanswered && !error.error.outcomeUnknown;
        const mayComeBack = isUnanswered && (lost !== undefined || (isNotSent && patience !== undefined));
        if (error.retry && error.error.outcomeUnknown) lost ??= error.error;
        const usual = Math.min(MAX_PAUSE, MIN_PAUSE * 2 ** attempt * (0.5 + Math.random()));
        const isTooSoon = patience !== undefined && (error.after ?? MIN_PAUSE) < MIN_PAUSE;
        const wait = isTooSoon ? Math.max(MIN_PAUSE, usual) : (error.after ?? usual);
        waited += wait + performance.now() - began;
        const isOver = patience === undefined ? attempt >= MAX_RETRIES || wait > MAX_WAIT : waited > patience;
        if (isOver || !(error.retry || mayComeBack)) throw (isUnanswered && lost) || error.error;
        await (this.#options.sleep ?? pause)(wait, exchange.signal);
        exchange.signal?.throwIfAborted();
      }
    }
  }

  /** How far the service’s clock is ahead of ours in milliseconds, as far as its answers tell. */
  get clockDifference(): number {
    return this.#clockDifference;
  }

  /** With the token; and once more where it was refused but another has been set since. */
  async #exchange<T>(url: URL, call: Exchange, read: Read<T>): Promise<T> {
    const token = call.isAnonymous ? undefined : await this.#options.token();
    const fault = token === undefined ? undefined : tokenFault(token);
    if (fault) throw this.#error('unauthorized', l10n.t('{0} Set a valid token and try again.', fault));
    try {
      return await this.#send(url, call, token, read);
    } catch (error) {
      const isRefused = error instanceof Attempt && error.error.kind === 'unauthorized' && !call.isAnonymous;
      const newer = isRefused ? await this.#options.token() : token;
      if (newer === token) throw error;
      return this.#send(url, call, newer, read);
    }
  }

  async #send<T>(url: URL, call: Exchange, token: string | undefined, read: Read<T>): Promise<T> {
    const { method, body: given, text, type = 'application/json', signal, timeout, idempotencyKey, etag, drop } = call;
    const body = text ?? (given === undefined ? undefined : bodyOf(given));
    // until it is read; a stream that goes on looks after itself
    const late = new AbortController();
    const timer = setTimeout(
      () => {
        late.abort();
      },
      timeout ?? this.#options.timeout ?? 60_000,
    );
    const headers: Record<string, string> = {};
    if (token) headers.authorization = `Bearer ${token}`;
    if (body !== undefined) headers['content-type'] = type;
    if (idempotencyKey !== undefined) headers['idempotency-key'] = idempotencyKey;
    if (etag !== undefined) headers['if-none-match'] = etag;
    const sent: Sent = { method, headers, body, signal: signal ? AbortSignal.any([signal, late.signal]) : late.signal };
    try {
      const { response, from } = await this.#follow(url, sent, token);
      const isRepeatable = method === 'GET' || idempotencyKey !== undefined;
      return await read(response, { name: this.#name, isRepeatable, token, drop, from });
    } catch (error) {
      if (error instanceof ServiceError || error instanceof Attempt) throw error;
      signal?.throwIfAborted();
      throw this.#noAnswer(error, sent.method, late.signal.aborted, idempotencyKey !== undefined);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Sends it, and sends it on where redirects lead within the origin; one for good is remembered. */
  async #follow(first: URL, sent: Sent, token: string | undefined): Promise<{ response: Response; from: URL }> {
    const moved = this.#learning.now.moved[first.pathname];
    let url = moved === undefined ? first : onPath(first, moved);
    let isForGood = moved === undefined;
    for (let redirects = 0; ; redirects++) {
      const response = await this.#fetchOnce(url, sent, token);
      const target = redirectOf(response, url);
      if (!target) {
        if (moved !== undefined && redirects === 0 && [404, 405, 410].includes(response.status)) {
          await response.body?.cancel();
          this.#setMoved(first, undefined);
          return this.#follow(first, sent, token);
        }
        if (redirects > 0 && isForGood && url.search === first.search) this.#setMoved(first, url);
        return { response, from: url };
      }
      await response.body?.cancel();
      if (target.origin !== first.origin) {
        throw this.#error('redirected', l10n.t('{0} sends on to {1}. The token stays here: if that address is right, make it the base URL.', this.#name, target.origin)); // prettier-ignore
      }
      const next = methodAfter(response.status, sent.method, url, target);
      if (!next || redirects >= MAX_REDIRECTS) {
        throw this.#error('redirected', l10n.t('{0} sends on to {1}, and not to an answer. Check the base URL.', this.#name, target.pathname)); // prettier-ignore
      }
      if (next !== sent.method) {
        sent.body = undefined;
        delete sent.headers['content-type'];
      }
      // where only the slash at the end differs, frameworks say so for each request anew
      isForGood &&= [301, 308].includes(response.status) || isSlash(url, target);
      if (moved !== undefined) this.#setMoved(first, undefined);
      sent.method = next;
      url = target;
    }
  }

  #setMoved(from: URL, to: URL | undefined): void {
    const { [from.pathname]: _, ...others } = this.#learning.now.moved;
    const kept = Object.entries(others).slice(1 - MOST_MOVED);
    this.#learning.set({ moved: Object.fromEntries(to ? [...kept, [from.pathname, to.pathname]] : kept) });
  }

  async #fetchOnce(url: URL, { method, headers, body, signal }: Sent, token: string | undefined): Promise<Response> {
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
      if (!Number.isNaN(date)) this.#clockDifference = date - Date.now();
      return response;
    } catch (error) {
      log(causes(error).join(' '));
      throw chain(error).find((cause) => cause instanceof ServiceError) ?? error;
    }
  }

  #noAnswer(cause: unknown, method: Method, timedOut: boolean, hasKey: boolean): Error {
    const unavailable = chain(cause).find((error) => error.name === 'ServiceUnavailableError');
    if (unavailable) {
      const isDamaged = 'isDamaged' in unavailable && unavailable.isDamaged === true;
      return new ServiceError(isDamaged ? 'damaged' : 'unavailable', inOwnWords(unavailable.message));
    }
    const safe = method === 'GET';
    const fault = tlsFault(cause);
    if (fault) return this.#error('untrusted', this.#untrusted(fault), undefined, cause);
    const unknown = safe ? '' : l10n.t(' It may have done what was asked; refresh before you try again.');
    if (timedOut) {
      return this.#error(
        'timeout',
        l10n.t('{0} did not answer in time.{1}', this.#name, unknown),
        undefined,
        cause,
        !safe,
      );
    }
    const refused = isNotSent(cause);
    const message = refused ? this.#unanswered() : l10n.t('The connection to {0} broke off.{1}', this.#name, unknown);
    const error = this.#error('unreachable', message, undefined, cause, !safe && !refused);
    return new Attempt(error, (safe || hasKey) && !refused);
  }

  /** Before anything is sent, both sides show who they are. */
  #untrusted({ code, kind }: NonNullable<ReturnType<typeof tlsFault>>): string {
    const { host, hostname } = this.#options.baseUrl;
    switch (kind) {
      case 'issuer':
        return l10n.t(
          'This machine does not trust the certificate of {0} ({1}), so nothing was sent. If a certificate authority of your organization signed it, name its file in the setting forecasts.caFiles.',
          host,
          code,
        );
      case 'host':
        return l10n.t('The certificate of {0} is not for {1} ({2}), so nothing was sent. Check the base URL.', host, hostname, code); // prettier-ignore
      case 'time':
        return l10n.t('The certificate of {0} is not valid today ({1}), so nothing was sent. Its operator must renew it, or the clock of this machine is wrong.', host, code); // prettier-ignore
      case 'other':
        return l10n.t('A secure connection to {0} cannot be made ({1}), so nothing was sent. Check the base URL.', host, code); // prettier-ignore
    }
  }

  #unanswered(): string {
    const { host } = this.#options.baseUrl;
    return this.#name === host
      ? l10n.t('Nothing answers at {0}. Check the base URL and your connection.', host)
      : l10n.t(
          '{0} cannot be reached: nothing answers at {1}. Check the base URL and your connection.',
          this.#name,
          host,
        );
  }

  #error(
    kind: ServiceError['kind'],
    message: string,
    status?: number,
    cause?: unknown,
    outcomeUnknown = false,
  ): ServiceError {
    // only the codes of the cause: ofetch's own errors carry the request's headers, and so the token
    return new ServiceError(kind, message, { status, cause: causes(cause).join(' ') || undefined, outcomeUnknown });
  }
}

const onPath = (url: URL, path: string): URL => {
  const other = new URL(url);
  other.pathname = path;
  return other;
};
