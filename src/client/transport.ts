import * as l10n from '@vscode/l10n';
import { createFetch, type $Fetch } from 'ofetch';
import { resolve } from './address.ts';
import { type AnswerOptions, Attempt, readAnswer } from './answer.ts';
import { bodyOf } from './body.ts';
import { causes, chain, isNotSent } from './causes.ts';
import { ServiceError } from './errors.ts';
import { readLines } from './lines.ts';
import { pause } from './pause.ts';
import { type Method, methodAfter, redirectOf } from './redirect.ts';
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
}

type Exchange = Omit<Call, 'path' | 'query' | 'baseUrl' | 'patience'>;

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

/** One HTTP exchange after another with one service: token, time limit, retries that are safe, size limit, errors. */
export class Transport {
  readonly #options: TransportOptions;
  readonly #fetch: $Fetch;
  #clockDifference = 0;

  /** What the person calls it now. */
  get #name(): string {
    return this.#options.name ?? this.#options.baseUrl.host;
  }

  constructor(options: TransportOptions) {
    this.#options = options;
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
        onResponse: ({ response }) => {
          const date = Date.parse(response.headers.get('date') ?? '');
          if (!Number.isNaN(date)) this.#clockDifference = date - Date.now();
        },
      },
    });
  }

  /**
   * @returns the parsed JSON of the answer; `undefined` for an empty one
   * @throws ServiceError; the signal's reason when aborted
   */
  call(call: Call): Promise<unknown> {
    return this.#attempts(call, readAnswer);
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
    { path, query, baseUrl = this.#options.baseUrl, patience, ...exchange }: Call,
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

  async #send<T>(
    first: URL,
    { method: asked, body: given, text, type = 'application/json', signal, timeout, idempotencyKey }: Exchange,
    token: string | undefined,
    read: Read<T>,
  ): Promise<T> {
    let method = asked;
    let body = text ?? (given === undefined ? undefined : bodyOf(given));
    // until it is read; a stream that goes on looks after itself
    const late = new AbortController();
    const limit = late.signal;
    const timer = setTimeout(
      () => {
        late.abort();
      },
      timeout ?? this.#options.timeout ?? 60_000,
    );
    const both = signal ? AbortSignal.any([signal, limit]) : limit;
    const headers: Record<string, string> = {};
    if (token) headers.authorization = `Bearer ${token}`;
    if (body !== undefined) headers['content-type'] = type;
    if (idempotencyKey !== undefined) headers['idempotency-key'] = idempotencyKey;
    let url = first;
    try {
      for (let redirects = 0; ; redirects++) {
        const response = await this.#fetch.raw(url.href, {
          method,
          headers,
          body,
          signal: both,
        });
        const target = redirectOf(response, url);
        if (!target) {
          const isRepeatable = method === 'GET' || idempotencyKey !== undefined;
          return await read(response, { name: this.#name, isRepeatable, token });
        }
        await response.body?.cancel();
        if (target.origin !== first.origin) {
          throw this.#error(
            'redirected',
            l10n.t(
              '{0} sends on to {1}. The token stays here: if that address is right, make it the base URL.',
              this.#name,
              target.origin,
            ),
          );
        }
        const next = methodAfter(response.status, method, url, target);
        if (!next || redirects >= MAX_REDIRECTS) {
          throw this.#error(
            'redirected',
            l10n.t('{0} sends on to {1}, and not to an answer. Check the base URL.', this.#name, target.pathname),
          );
        }
        if (next !== method) {
          body = undefined;
          delete headers['content-type'];
        }
        method = next;
        url = target;
      }
    } catch (error) {
      if (error instanceof ServiceError || error instanceof Attempt) throw error;
      signal?.throwIfAborted();
      throw this.#noAnswer(error, method, limit.aborted, idempotencyKey !== undefined);
    } finally {
      clearTimeout(timer);
    }
  }

  #noAnswer(cause: unknown, method: Method, timedOut: boolean, hasKey: boolean): Error {
    const unavailable = chain(cause).find((error) => error.name === 'ServiceUnavailableError');
    if (unavailable) {
      const isDamaged = 'isDamaged' in unavailable && unavailable.isDamaged === true;
      return new ServiceError(isDamaged ? 'damaged' : 'unavailable', inOwnWords(unavailable.message));
    }
    const safe = method === 'GET';
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
    // only the code of the cause: ofetch's own errors carry the request's headers, and so the token
    return new ServiceError(kind, message, { status, cause: causes(cause).join(' ') || undefined, outcomeUnknown });
  }
}
