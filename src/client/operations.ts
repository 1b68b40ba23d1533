import {
  type AnswerOf,
  type ItemOf,
  type ListName,
  type OperationName,
  operations,
  type QueryOf,
} from '../contract/operations.ts';
import type { DatasetForecast } from '../contract/streams.ts';
import type { Operation } from '../contract/operation.ts';
import type { Description } from './description.ts';
import { ServiceError } from './errors.ts';
import { type ListPage, type ListQuery, notOffered, Pages, type PagingOptions, parse, readListPage } from './page.ts';
import type { Call, Transport } from './transport.ts';

/** A {@link Call} of an operation, `id` being the parameter of its path. */
export type Exchange = Omit<Call, 'method' | 'path'> & { readonly id?: string };

/** The operations of the contract at one service, by name, each where its description has it. */
export class Operations {
  readonly #transport: Transport;
  readonly #description: Description;
  readonly #pages: Pages;

  constructor(transport: Transport, description: Description, options: PagingOptions) {
    this.#transport = transport;
    this.#description = description;
    this.#pages = new Pages(transport, description, options);
  }

  /**
   * Does an operation, one beyond the five only where the service announces it. A key, also a given one, is sent only where
   * the service announces that it heeds it. @returns the answer, read by its schema
   * @throws ServiceError
   */
  async do<K extends OperationName>(
    name: K,
    { id = '', idempotencyKey = crypto.randomUUID(), ...call }: Exchange,
  ): Promise<AnswerOf<K>> {
    const { method, core, answer: schema, noun = 'resource' }: Operation = operations[name];
    const offers = await this.#description.get();
    if (!core && !offers.has(name)) throw notOffered();
    const path = offers.pathOf(name).replace('{id}', encodeURIComponent(id));
    const key = offers.isRepeatable(name) ? { idempotencyKey } : {};
    const answer = await this.#transport.call({ method, path, ...key, ...call });
    try {
      return (schema && parse(schema, answer, noun)) as AnswerOf<K>;
    } catch (error) {
      // the service has done it, whatever it says of it
      if (!core || method !== 'POST' || !(error instanceof ServiceError)) throw error;
      throw new ServiceError(error.kind, error.message, { outcomeUnknown: true });
    }
  }

  /** The lines of a stream, each read by its schema. @throws ServiceError */
  async *lines(name: 'listForecasts', id: string, signal?: AbortSignal): AsyncGenerator<DatasetForecast> {
    const { method, answerLines } = operations[name];
    const offers = await this.#description.get();
    if (!offers.givesLines(name)) throw notOffered();
    const path = offers.pathOf(name).replace('{id}', encodeURIComponent(id));
    for await (const line of this.#transport.lines({ method, path, signal })) {
      yield parse(answerLines, line, 'forecast');
    }
  }

  /** A page of a list as the service sends it, for checking a service. */
  listBody(name: ListName, query: ListQuery): Promise<unknown> {
    return this.#pages.read(name, query);
  }

  /** A page of any list. @param id for a list below one resource */
  async list<K extends ListName>(
    name: K,
    query: ListQuery = {},
    further: Partial<Record<QueryOf<K>, string | undefined>> = {},
    id = '',
  ): Promise<ListPage<ItemOf<K>>> {
    const answer = await this.#pages.read(name, query, further, id);
    return readListPage(operations[name].item, answer) as ListPage<ItemOf<K>>;
  }
}

/** JSON, an object a line. */
export const NDJSON = 'application/x-ndjson';

/** Milliseconds for what may take long: synchronous predictions, large uploads. */
export const LONG = 10 * 60_000;
