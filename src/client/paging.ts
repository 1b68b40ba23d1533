import { type ListName, operations } from '../contract/operations.ts';
import type { Answer } from './answer.ts';
import type { Field } from './capabilities.ts';
import { ServiceError } from './errors.ts';
import type { Learned } from './learned.ts';
import type { Operations } from './operations.ts';
import { type Envelope, envelopeOf, type ListQuery, notOffered } from './page.ts';
import { namesIn, WORDS, wordsIn } from './wording.ts';

/** More items than this are asked for only where the description allows it; many services have this limit. */
export const MOST_ITEMS = 100;

export interface Reading {
  /** Parameters beyond those of paging. */
  readonly further?: Readonly<Record<string, string | undefined>>;
  readonly id?: string | undefined;
  readonly drop?: readonly string[] | undefined;
}

type Parameter = keyof typeof WORDS.paging;
type Sent = Readonly<Partial<Record<Parameter, { readonly name: string; readonly value: string }>>>;

/** A page as the service sends it, and what it says of itself. */
export interface RawPage {
  readonly answer: Answer;
  readonly envelope: Envelope;
}

/**
 * Asks for pages of lists. What the two parameters of paging are called, the description tells, or a refusal, or that they
 * have their effect; then it is learned. A cursor that is an address tells it itself.
 */
export class Paging {
  readonly #operations: Operations;
  /** Names that each may still have, the likeliest first. */
  readonly #names: Record<Parameter, readonly string[]> = { cursor: WORDS.paging.cursor, size: WORDS.paging.size };
  /** The first item of the first page of each list. */
  readonly #first = new Map<string, string>();

  constructor(operations: Operations) {
    this.#operations = operations;
  }

  async ask(name: ListName, query: ListQuery, { further, id, drop }: Reading): Promise<RawPage> {
    const { signal } = query;
    const offers = await this.#operations.capabilities();
    if (!('core' in operations[name]) && !offers.has(name)) throw notOffered();
    const path = offers.pathOf(name, id);
    const described = offers.parameters(name);
    this.#prefer([...described.keys()]);
    const address = parametersIn(query.cursor);
    const cursor = address ? undefined : query.cursor;
    let [wanted, isTooLarge] = [query.size, false];
    for (;;) {
      const sent = this.#sent(described, cursor, wanted);
      try {
        const own = Object.fromEntries(Object.values(sent).map(({ name: parameter, value }) => [parameter, value]));
        const asked = { ...further, ...own, ...address };
        const answer = await this.#operations.transport.answer({ method: 'GET', path, query: asked, signal, drop });
        const envelope = envelopeOf(answer.body, answer.next);
        // of a size that was refused though its name is right: what the service gives by itself is the most
        if (isTooLarge && envelope.items.length > 0 && envelope.next) this.#learn({ most: envelope.items.length });
        const list = address ? undefined : JSON.stringify([path, further]);
        if (!list || this.#hasEffect(list, sent, envelope) || this.#nameOf('cursor') === undefined)
          return { answer, envelope };
      } catch (error) {
        const next = this.#learnFrom(error, sent);
        isTooLarge = next === 'limited';
        if (next !== 'renamed') wanted = undefined;
      }
    }
  }

  /** @throws the error where it teaches nothing */
  #learnFrom(error: unknown, sent: Sent): 'renamed' | 'limited' | 'unknown' {
    const blamed = blamedIn(error, sent);
    const isSize = blamed === 'size';
    // of one whose name is known, it is the value that is refused
    const isValue = blamed !== undefined && this.#operations.learning.now.paging[blamed] !== undefined;
    if (!blamed || (isValue && !isSize)) throw error;
    if (isValue) return 'limited';
    const { name } = sent[blamed]!;
    this.#without(blamed, name);
    const told = wordsIn((error as ServiceError).reason ?? '', Object.values(this.#names).flat());
    this.#prefer(told);
    if (!isSize && this.#nameOf('cursor') === undefined) throw error;
    return !isSize || this.#names.size.some((one) => told.includes(one)) ? 'renamed' : 'unknown';
  }

  /** The parameters under the names that they seem to have. */
  #sent(described: ReadonlyMap<string, Field>, cursor: string | undefined, wanted: number | undefined): Sent {
    const size = wanted === undefined ? undefined : this.#nameOf('size');
    const most = this.#operations.learning.now.paging.most ?? described.get(size ?? '')?.maximum ?? MOST_ITEMS;
    return {
      ...(cursor !== undefined && { cursor: { name: this.#nameOf('cursor') ?? 'cursor', value: cursor } }),
      ...(size !== undefined && { size: { name: size, value: String(Math.min(wanted!, Math.max(1, most))) } }),
    };
  }

  #nameOf(parameter: Parameter): string | undefined {
    return this.#operations.learning.now.paging[parameter] ?? this.#names[parameter].at(0);
  }

  #prefer(told: readonly string[]): void {
    const rank = (name: string) => told.indexOf(name) + 1 || told.length + 1;
    for (const parameter of ['cursor', 'size'] as const)
      this.#names[parameter] = this.#names[parameter].toSorted((a, b) => rank(a) - rank(b));
  }

  #without(parameter: Parameter, name: string): void {
    this.#names[parameter] = this.#names[parameter].filter((one) => one !== name);
  }

  #learn(change: Partial<Learned['paging']>): void {
    const { learning } = this.#operations;
    learning.set({ paging: { ...learning.now.paging, ...change } });
  }

  /** What the effect of the parameters tells of their names. @returns whether the cursor has one */
  #hasEffect(list: string, { cursor, size }: Sent, { items, next }: Envelope): boolean {
    const known = this.#operations.learning.now.paging;
    const first = items.length > 0 ? String((items[0] as { readonly id?: unknown } | null)?.id) : '';
    if (size && known.size === undefined) {
      if (items.length > Number(size.value)) this.#without('size', size.name);
      else if (items.length === Number(size.value) && next !== undefined) this.#learn({ size: size.name });
    }
    if (!cursor) this.#first.set(list, first);
    if (!cursor || known.cursor !== undefined || first === '') return true;
    const isFirst = next === cursor.value || this.#first.get(list) === first;
    if (isFirst) this.#without('cursor', cursor.name);
    else if (this.#first.has(list)) this.#learn({ cursor: cursor.name });
    return !isFirst;
  }
}

/** The parameters of a cursor that is an address, as `https://host/predictions?page=2` or `?offset=20`; only they are used of it. */
function parametersIn(cursor = ''): Readonly<Record<string, string>> | undefined {
  const [, query] = /^(?:(?:https?:\/\/|\/)[^?]*)?\?(.+)$/.exec(cursor) ?? [];
  return query === undefined ? undefined : Object.fromEntries(new URLSearchParams(query));
}

/** Which of the parameters that were sent a refusal speaks of; of neither by name, the size. */
function blamedIn(error: unknown, { cursor, size }: Sent): Parameter | undefined {
  if (!(error instanceof ServiceError) || error.kind !== 'refused') return undefined;
  const names = [cursor, size].flatMap((one) => one?.name ?? []);
  const name = namesIn(error, names)[0] ?? size?.name ?? cursor?.name;
  return name === undefined ? undefined : name === cursor?.name ? 'cursor' : 'size';
}
