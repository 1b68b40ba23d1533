import { type ListName, operations } from '../contract/operations.ts';
import type { Field } from './capabilities.ts';
import { ServiceError } from './errors.ts';
import type { Learned } from './learned.ts';
import type { Operations } from './operations.ts';
import { type ListQuery, notOffered } from './page.ts';
import type { Answer } from './answer.ts';
import { namesIn, WORDS, wordsIn } from './wording.ts';

/** More items than this are asked for only where the description allows it; many services have this limit. */
export const MOST_ITEMS = 100;

/** How a list is read. */
export interface Reading {
  /** Parameters beyond those of paging. */
  readonly further?: Readonly<Record<string, string | undefined>>;
  /** Of a list below one resource. */
  readonly id?: string;
  /** Fields that nobody needs. */
  readonly drop?: readonly string[] | undefined;
}

type Parameter = keyof typeof WORDS.paging;
type Sent = Readonly<Partial<Record<Parameter, { readonly name: string; readonly value: string }>>>;

/**
 * Asks for pages of lists. What the two parameters of paging are called, the description tells, or a refusal, or that they
 * have their effect; then it is learned.
 */
export class Paging {
  readonly #operations: Operations;
  /** Names that each may still have, the likeliest first. */
  readonly #names: Record<Parameter, readonly string[]> = { ...WORDS.paging };
  /** The first item of the first page of each list. */
  readonly #first = new Map<string, string>();

  constructor(operations: Operations) {
    this.#operations = operations;
  }

  /** A page as the service sends it. @throws ServiceError */
  async ask(name: ListName, { size, ...query }: ListQuery, { further, id, drop }: Reading): Promise<Answer> {
    const { transport, learning } = this.#operations;
    const { cursor, signal } = query;
    const offers = await this.#operations.offers();
    if (!('core' in operations[name]) && !offers.has(name)) throw notOffered();
    const path = offers.pathOf(name, id);
    const described = offers.parameters(name);
    this.#prefer([...described.keys()]);
    for (let [wanted, isTooLarge] = [size, false]; ;) {
      const sent = this.#sent(described, cursor, wanted);
      try {
        const own = Object.fromEntries(Object.values(sent).map((one) => [one.name, one.value]));
        const answer = await transport.answer({ method: 'GET', path, query: { ...further, ...own }, signal, drop });
        const page = pageOf(answer.body);
        // of a size that was refused though its name is right: what the service gives by itself is the most
        if (isTooLarge && page.items.length > 0 && page.next) this.#learn({ most: page.items.length });
        if (this.#hasEffect(JSON.stringify([path, further]), sent, page) || this.#isOutOfNames()) return answer;
      } catch (error) {
        const blamed = blamedIn(error, sent);
        if (!blamed) throw error;
        // of one whose name is known, it is the value that is refused
        const isValue = learning.now.paging[blamed] !== undefined;
        const isTold = !isValue && this.#refused(blamed, sent[blamed]!.name, error as ServiceError);
        isTooLarge = blamed === 'size' && isValue;
        if (blamed === 'cursor' && (isValue || this.#isOutOfNames())) throw error;
        if (blamed === 'size' && !isTold) wanted = undefined;
      }
    }
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

  #isOutOfNames(): boolean {
    return this.#nameOf('cursor') === undefined;
  }

  /** These are the likeliest names. */
  #prefer(told: readonly string[]): void {
    const rank = (name: string) => told.indexOf(name) + 1 || told.length + 1;
    for (const parameter of ['cursor', 'size'] as const)
      this.#names[parameter] = this.#names[parameter].toSorted((a, b) => rank(a) - rank(b));
  }

  #without(parameter: Parameter, name: string): void {
    this.#names[parameter] = this.#names[parameter].filter((one) => one !== name);
  }

  /** @returns whether the refusal tells another name */
  #refused(parameter: Parameter, name: string, { reason = '' }: ServiceError): boolean {
    this.#without(parameter, name);
    this.#prefer(wordsIn(reason, Object.values(this.#names).flat()));
    return wordsIn(reason, this.#names[parameter]).length > 0;
  }

  #learn(change: Partial<Learned['paging']>): void {
    const { learning } = this.#operations;
    learning.set({ paging: { ...learning.now.paging, ...change } });
  }

  /** What the effect of the parameters tells of their names. @returns whether the cursor has one */
  #hasEffect(list: string, { cursor, size }: Sent, { items, next }: RawPage): boolean {
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

type RawPage = ReturnType<typeof pageOf>;

/** What a page tells of the parameters, before it is read by its schema. */
function pageOf(body: unknown): { readonly items: readonly unknown[]; readonly next: string | undefined } {
  const { items, next_page: next } = (body ?? {}) as { readonly items?: unknown; readonly next_page?: unknown };
  const isMore = (typeof next === 'string' && next !== '') || typeof next === 'number';
  return { items: Array.isArray(items) ? (items as unknown[]) : [], next: isMore ? String(next) : undefined };
}

/** Which of the parameters that were sent a refusal speaks of; of neither by name, the size. */
function blamedIn(error: unknown, { cursor, size }: Sent): Parameter | undefined {
  if (!(error instanceof ServiceError) || error.kind !== 'refused') return undefined;
  const names = [cursor, size].flatMap((one) => one?.name ?? []);
  const name = namesIn(error, names)[0] ?? size?.name ?? cursor?.name;
  return name === undefined ? undefined : name === cursor?.name ? 'cursor' : 'size';
}
