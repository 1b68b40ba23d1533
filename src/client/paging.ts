import { isObject } from '../contract/json.ts';
import { type ListName, operations } from '../contract/operations.ts';
import type { Field } from './capabilities.ts';
import { ServiceError } from './errors.ts';
import type { Learned } from './learned.ts';
import type { Operations } from './operations.ts';
import { type Envelope, envelopeOf, type ListQuery, namesIn, notOffered, PARAMETERS, wordsIn } from './page.ts';

/** More items than this are asked for only where the description allows it; many services have this limit. */
export const MOST_ITEMS = 100;

export interface Reading {
  readonly further?: Readonly<Record<string, string | undefined>>;
  readonly id?: string | undefined;
  readonly drop?: readonly string[] | undefined;
  /** Whether the newest end must be found, though it is far. */
  readonly isNeeded?: boolean;
}

/**
 * Asks for pages of lists. The names of the two parameters are known from the description, a refusal, or their effect; then
 * they are remembered. A cursor that is an address contains them.
 */
export class Paging {
  readonly #operations: Operations;
  /** The first item of the first page of each list. */
  readonly #first = new Map<string, unknown>();
  /** Names that the two may still have, the likeliest first. */
  names: readonly string[] = Object.values(PARAMETERS).flat();

  constructor(operations: Operations) {
    this.#operations = operations;
  }

  /** A page as the service sends it. */
  async ask(name: ListName, query: ListQuery, { further, id, drop }: Reading = {}) {
    const { signal } = query;
    const offers = await this.#operations.capabilities();
    const described = offers.of(name)?.query;
    if (!('core' in operations[name]) && !described) throw notOffered();
    const path = offers.pathOf(name, id);
    this.#prefer([...(described?.keys() ?? [])]);
    const address = parametersIn(query.cursor);
    const wanted = { cursor: address ? undefined : query.cursor, size: query.size };
    for (;;) {
      const sent = this.#named(wanted, described);
      try {
        const asked = { ...further, ...sent, ...address };
        const answer = await this.#operations.transport.answer({ method: 'GET', path, query: asked, signal, drop });
        const envelope = envelopeOf(answer.body, answer.next);
        const { items, next } = envelope;
        // a size was refused though its name is right: the default of the service is the most
        const isMost = wanted.size !== query.size && this.#learned.size !== undefined && next !== undefined;
        if (isMost && items.length > 0) this.#learn({ most: items.length });
        if (!address && !this.#hasEffect(JSON.stringify([path, further]), sent, envelope)) continue;
        // a cursor may be that of the page itself
        return { ...envelope, next: next === query.cursor ? undefined : next, body: answer.body, bytes: answer.bytes };
      } catch (error) {
        if (!this.#learnFrom(error, Object.keys(sent))) wanted.size = undefined;
      }
    }
  }

  #named({ cursor, size }: ListQuery, described: ReadonlyMap<string, Field> | undefined): Record<string, string> {
    const name = this.#nameOf('size');
    const most = this.#learned.most ?? described?.get(name ?? '')?.maximum ?? MOST_ITEMS;
    return {
      ...(cursor !== undefined && { [this.#nameOf('cursor') ?? PARAMETERS.cursor[0]]: cursor }),
      ...(size !== undefined && name && { [name]: String(Math.min(size, Math.max(1, most))) }),
    };
  }

  get #learned(): Learned['paging'] {
    return this.#operations.learning.now.paging;
  }

  #learn(change: Partial<Learned['paging']>): void {
    this.#operations.learning.set({ paging: { ...this.#learned, ...change } });
  }

  #nameOf(parameter: keyof typeof PARAMETERS): string | undefined {
    return this.#learned[parameter] ?? this.names.find((name) => PARAMETERS[parameter].includes(name));
  }

  #prefer(names: readonly string[]): void {
    const rank = (name: string) => names.indexOf(name) + 1 || names.length + 1;
    this.names = this.names.toSorted((a, b) => rank(a) - rank(b));
  }

  #exclude(excluded: string | undefined): void {
    this.names = this.names.filter((name) => name !== excluded);
  }

  /** @param sent names of parameters @returns whether a size may be sent again @throws the error where it teaches nothing */
  #learnFrom(error: unknown, sent: readonly string[]): boolean {
    const isRefusal = error instanceof ServiceError && error.kind === 'refused' && sent.length > 0;
    if (!isRefusal) throw error;
    // if it names none, it is about the size
    const name = namesIn(error, sent)[0] ?? sent.at(-1);
    const isSize = name === this.#nameOf('size');
    const isKnown = this.#learned[isSize ? 'size' : 'cursor'] !== undefined;
    // the name is known, so the value is refused
    if (isKnown && isSize) return false;
    this.#exclude(name);
    if (isKnown || (!isSize && this.#nameOf('cursor') === undefined)) throw error;
    const words = wordsIn(error.reason ?? '', this.names);
    this.#prefer(words);
    return !isSize || words.some((word) => PARAMETERS.size.includes(word));
  }

  /** Learns the names from the effect of the parameters. @returns whether the cursor has one, as far as it can */
  #hasEffect(list: string, sent: Readonly<Record<string, string>>, { items, next }: Envelope): boolean {
    const [sizeName = '', cursorName = ''] = [this.#nameOf('size'), this.#nameOf('cursor')];
    const [size, cursor] = [Number(sent[sizeName] ?? NaN), sent[cursorName] as string | undefined];
    if (this.#learned.size === undefined) {
      if (items.length > size) this.#exclude(sizeName);
      else if (items.length === size && next !== undefined) this.#learn({ size: sizeName });
    }
    const [first] = items.map((item) => isObject(item) && String(item.id));
    const before = this.#first.get(list);
    if (cursor === undefined) this.#first.set(list, first);
    if (cursor === undefined || this.#learned.cursor !== undefined || items.length === 0) return true;
    const isFirst = before === undefined ? next === cursor : before === first;
    if (isFirst) this.#exclude(cursorName);
    else if (before !== undefined) this.#learn({ cursor: cursorName });
    return !isFirst || this.#nameOf('cursor') === undefined;
  }
}

/** The parameters of a cursor that is an address, as `https://host/predictions?page=2` or `?offset=20`; nothing else of it is used. */
function parametersIn(cursor = ''): Readonly<Record<string, string>> | undefined {
  const [, query] = /^(?:(?:https?:\/\/|\/)[^?]*)?\?(.+)$/.exec(cursor) ?? [];
  return query === undefined ? undefined : Object.fromEntries(new URLSearchParams(query));
}
