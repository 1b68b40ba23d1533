import { type ListName, operations } from '../contract/operations.ts';
import type { Answer } from './answer.ts';
import type { Field } from './capabilities.ts';
import { ServiceError } from './errors.ts';
import type { Learned } from './learned.ts';
import type { Operations } from './operations.ts';
import { type Envelope, envelopeOf, type ListQuery, namesIn, notOffered, PARAMETERS, wordsIn } from './page.ts';

/** More items than this are asked for only where the description allows it; many services have this limit. */
export const MOST_ITEMS = 100;

export interface Reading {
  /** Parameters beyond those of paging. */
  readonly further?: Readonly<Record<string, string | undefined>>;
  readonly id?: string | undefined;
  readonly drop?: readonly string[] | undefined;
}

type Parameter = keyof typeof PARAMETERS;
type Sent = Readonly<Partial<Record<Parameter, { readonly name: string; readonly value: string }>>>;

/** A page as the service sends it, and its envelope. */
export interface RawPage {
  readonly answer: Answer;
  readonly envelope: Envelope;
}

/**
 * Asks for pages of lists. The names of the two parameters are known from the description, a refusal, or their effect; then
 * they are remembered. A cursor that is an address contains them.
 */
export class Paging {
  readonly #operations: Operations;
  /** Names that each may still have, the likeliest first. */
  readonly #names: Record<Parameter, readonly string[]> = { ...PARAMETERS };
  /** The first item of the first page of each list. */
  readonly #first = new Map<string, string>();

  constructor(operations: Operations) {
    this.#operations = operations;
  }

  async ask(name: ListName, query: ListQuery, { further, id, drop }: Reading): Promise<RawPage> {
    const { signal } = query;
    const offers = await this.#operations.capabilities();
    const described = offers.of(name)?.query;
    if (!('core' in operations[name]) && !described) throw notOffered();
    const path = offers.pathOf(name, id);
    this.#prefer([...(described?.keys() ?? [])]);
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
        // a size was refused though its name is right: the default of the service is the most
        if (isTooLarge && envelope.items.length > 0 && envelope.next) this.#learn({ most: envelope.items.length });
        const list = address ? undefined : JSON.stringify([path, further]);
        if (!list || this.#hasEffect(list, sent, envelope) || this.#nameOf('cursor') === undefined)
          return { answer, envelope };
      } catch (error) {
        const learned = this.#learnFrom(error, sent);
        isTooLarge = learned === 'limited';
        if (learned !== 'renamed') wanted = undefined;
      }
    }
  }

  /** The parameters under the names that they seem to have. */
  #sent(
    described: ReadonlyMap<string, Field> | undefined,
    cursor: string | undefined,
    wanted: number | undefined,
  ): Sent {
    const size = this.#nameOf('size');
    const most = this.#learned.most ?? described?.get(size ?? '')?.maximum ?? MOST_ITEMS;
    return {
      ...(cursor !== undefined && { cursor: { name: this.#nameOf('cursor') ?? 'cursor', value: cursor } }),
      ...(wanted !== undefined && size && { size: { name: size, value: String(Math.min(wanted, Math.max(1, most))) } }),
    };
  }

  get #learned(): Learned['paging'] {
    return this.#operations.learning.now.paging;
  }

  #learn(change: Partial<Learned['paging']>): void {
    this.#operations.learning.set({ paging: { ...this.#learned, ...change } });
  }

  #nameOf(parameter: Parameter): string | undefined {
    return this.#learned[parameter] ?? this.#names[parameter].at(0);
  }

  /** Puts these names first. */
  #prefer(names: readonly string[]): void {
    const rank = (name: string) => names.indexOf(name) + 1 || names.length + 1;
    for (const parameter of ['cursor', 'size'] as const)
      this.#names[parameter] = this.#names[parameter].toSorted((a, b) => rank(a) - rank(b));
  }

  #exclude(parameter: Parameter, name: string): void {
    this.#names[parameter] = this.#names[parameter].filter((one) => one !== name);
  }

  /** @throws the error where it teaches nothing */
  #learnFrom(error: unknown, sent: Sent): 'renamed' | 'limited' | 'unknown' {
    const blamed = blamedIn(error, sent);
    if (!blamed) throw error;
    if (this.#learned[blamed] !== undefined) {
      // the name is known, so the value is refused
      if (blamed === 'size') return 'limited';
      throw error;
    }
    this.#exclude(blamed, sent[blamed]!.name);
    const words = wordsIn((error as ServiceError).reason ?? '', Object.values(this.#names).flat());
    this.#prefer(words);
    if (blamed === 'cursor' && this.#nameOf('cursor') === undefined) throw error;
    return blamed === 'cursor' || this.#names.size.some((one) => words.includes(one)) ? 'renamed' : 'unknown';
  }

  /** Learns the names from the effect of the parameters. @returns whether the cursor has one */
  #hasEffect(list: string, { cursor, size }: Sent, { items, next }: Envelope): boolean {
    const known = this.#learned;
    const first = items.length > 0 ? String((items[0] as { readonly id?: unknown } | null)?.id) : '';
    if (size && known.size === undefined) {
      if (items.length > Number(size.value)) this.#exclude('size', size.name);
      else if (items.length === Number(size.value) && next !== undefined) this.#learn({ size: size.name });
    }
    if (!cursor) this.#first.set(list, first);
    if (!cursor || known.cursor !== undefined || first === '') return true;
    const isFirst = next === cursor.value || this.#first.get(list) === first;
    if (isFirst) this.#exclude('cursor', cursor.name);
    else if (this.#first.has(list)) this.#learn({ cursor: cursor.name });
    return !isFirst;
  }
}

/** The parameters of a cursor that is an address, as `https://host/predictions?page=2` or `?offset=20`; nothing else of it is used. */
function parametersIn(cursor = ''): Readonly<Record<string, string>> | undefined {
  const [, query] = /^(?:(?:https?:\/\/|\/)[^?]*)?\?(.+)$/.exec(cursor) ?? [];
  return query === undefined ? undefined : Object.fromEntries(new URLSearchParams(query));
}

/** The parameter that a refusal is about; if it names neither, the size. */
function blamedIn(error: unknown, { cursor, size }: Sent): Parameter | undefined {
  if (!(error instanceof ServiceError) || error.kind !== 'refused') return undefined;
  const names = [cursor, size].flatMap((one) => one?.name ?? []);
  const name = namesIn(error, names)[0] ?? size?.name ?? cursor?.name;
  return name === undefined ? undefined : name === cursor?.name ? 'cursor' : 'size';
}
