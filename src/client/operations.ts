import { type AnswerOf, type OperationName, operations } from '../contract/operations.ts';
import type { DatasetForecast } from '../contract/local.ts';
import type { Operation } from '../contract/operation.ts';
import type { Capabilities } from './capabilities.ts';
import { Description } from './description.ts';
import { ServiceError } from './errors.ts';
import { Learning, type LearnedStore } from './learned.ts';
import { notOffered, parse } from './page.ts';
import { type Call, Transport, type TransportOptions } from './transport.ts';

/** A {@link Call} of an operation, `id` being the parameter of its path; whether it is tried though nothing announces it. */
export type Exchange = Omit<Call, 'method' | 'path' | 'url'> & { readonly id?: string; readonly isTried?: boolean };

export interface OperationsOptions extends TransportOptions {
  readonly learned?: LearnedStore | undefined;
}

/** Milliseconds for what may take long: synchronous predictions, large uploads. */
export const LONG = 10 * 60_000;

/** The operations of the contract at one service, by name, each where its description has it; and what is known of it. */
export class Operations {
  readonly baseUrl: URL;
  readonly learning: Learning;
  readonly transport: Transport;
  readonly #description: Description;

  constructor(options: OperationsOptions) {
    this.baseUrl = options.baseUrl;
    this.learning = new Learning(options.learned);
    this.transport = new Transport(options, this.learning);
    this.#description = new Description(this.transport, options.baseUrl);
  }

  /** What the service announces; asked for once, and again after a failure to get it. */
  capabilities(): Promise<Capabilities> {
    return this.#description.get();
  }

  /** Asks anew at the next use, as with another token. */
  forgetCapabilities(): void {
    this.#description.forget();
  }

  /** Where the description has the operations of the interface, if not below the base URL; always of its origin. */
  async elsewhere(): Promise<string | undefined> {
    const { elsewhere } = await this.capabilities();
    return elsewhere === undefined ? undefined : this.baseUrl.origin + elsewhere;
  }

  /**
   * Does an operation, one beyond the five only where the service announces it. A key, also a given one, is sent only where
   * the service announces that it heeds it. Of a creation whose answer does not tell what was made, that is read where the
   * service says that it stands. @returns the answer, read by its schema, and the address that was said
   */
  async made<K extends OperationName>(
    name: K,
    { id, idempotencyKey = crypto.randomUUID(), isTried = false, ...call }: Exchange,
  ): Promise<{ readonly made: AnswerOf<K>; readonly location: URL | undefined }> {
    const operation: Operation = operations[name];
    const { method, core, answer: schema, noun = 'resource' } = operation;
    const offers = await this.capabilities();
    if (!core && !isTried && !offers.has(name)) throw notOffered();
    const key = offers.of(name)?.isRepeatable ? { idempotencyKey } : {};
    const path = offers.pathOf(name, id);
    const { body, location } = await this.transport.answer({ method, path, ...usualOf(operation), ...key, ...call });
    const read = (from: unknown) => (schema && parse(schema, from, noun)) as AnswerOf<K>;
    try {
      return { made: read(body), location };
    } catch (error) {
      if (!core || method !== 'POST' || !(error instanceof ServiceError)) throw error;
      // the service has done it, whatever it says of it
      const lost = error.with({ outcomeUnknown: true });
      if (!location) throw lost;
      const there = this.transport.call({ method: 'GET', path, url: location, signal: call.signal });
      return { made: await there.then(read).catch(() => Promise.reject(lost)), location };
    }
  }

  async do<K extends OperationName>(name: K, exchange: Exchange = {}): Promise<AnswerOf<K>> {
    return (await this.made(name, exchange)).made;
  }

  /** The lines of a stream, each read by its schema. */
  async *lines(name: 'listForecasts', id: string, signal?: AbortSignal): AsyncGenerator<DatasetForecast> {
    const { method, answerLines } = operations[name];
    const offers = await this.capabilities();
    if (!offers.of(name)?.givesLines) throw notOffered();
    for await (const line of this.transport.lines({ method, path: offers.pathOf(name, id), signal })) {
      yield parse(answerLines, line, 'forecast');
    }
  }
}

/** What is computed, or stores much, may take long. */
const usualOf = ({ method, core, isComputed = false, bodyLines }: Operation): Partial<Call> => ({
  ...(isComputed || (method === 'POST' && !core) ? { timeout: LONG } : {}),
  ...(bodyLines ? { type: 'application/x-ndjson' } : {}),
});
