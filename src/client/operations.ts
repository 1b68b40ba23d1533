import { type AnswerOf, type Operation, type OperationName, operations } from '../contract/operations.ts';
import { Capabilities } from './capabilities.ts';
import { asDone, isPassing, notOffered, ServiceError } from './errors.ts';
import { parse } from './page.ts';
import { type Call, Transport } from './transport.ts';

/** A {@link Call} of an operation: `id` is the parameter of its path; `isTried` calls what nothing announces. */
export type Exchange = Omit<Call, 'method' | 'path' | 'url'> & { readonly id?: string; readonly isTried?: boolean };

/** Milliseconds for what may take long: synchronous predictions, large uploads. */
export const LONG = 10 * 60_000;

export class Operations extends Transport {
  #description: Promise<Capabilities> | undefined;
  #expires = Infinity;

  /** What the service announces; asked for once, and again after a failure to get it. @throws ServiceError where it cannot be opened */
  capabilities(): Promise<Capabilities> {
    if (performance.now() > this.#expires) this.forgetCapabilities();
    return (this.#description ??= this.#describe().catch((error: unknown) => {
      this.#description = undefined;
      throw error;
    }));
  }

  forgetCapabilities(): void {
    this.#description = undefined;
    this.#expires = Infinity;
  }

  /** The description below the base URL; else that of the origin, as far as it describes what is below the base URL. */
  async #describe(): Promise<Capabilities> {
    const { pathname, origin } = this.options.baseUrl;
    const read = (url?: URL) =>
      this.call({ method: 'GET', path: '/openapi.json', timeout: 8_000, url }).catch((error: unknown) => {
        if (!(error instanceof ServiceError) || error.kind === 'unavailable' || isPassing(error)) throw error;
        return undefined;
      });
    try {
      const own = await read();
      if (own !== undefined || pathname === '/') return new Capabilities(own, pathname);
      return new Capabilities(await read(new URL('/openapi.json', origin)), pathname, true);
    } catch (error) {
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
      // the service has done it, whatever it says of it
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
    for await (const line of this.stream({ method, path: offers.pathOf(name, id), signal })) {
      yield parse(answerLines, line, `${method} ${path}`);
    }
  }
}
