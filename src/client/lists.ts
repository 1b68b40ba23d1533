import { parseTimestamp } from '../calendar/timestamp.ts';
import { type ItemOf, type ListName, operations } from '../contract/operations.ts';
import type { Description, Field } from './capabilities.ts';
import { isGone, ServiceError } from './errors.ts';
import type { Learning } from './learned.ts';
import { type ListPage, type ListQuery, notOffered, readListPage } from './page.ts';
import type { Transport } from './transport.ts';

/** Bytes of a page, as far as its size can be chosen by what the last one had. */
const PAGE_BYTES = 2 << 20;
/** More items than this are asked for only where the description allows it; many services have this limit. */
const MOST_ITEMS = 100;
/** What a list that begins with the oldest may cost on the way to its newest end, in one go. */
const WALK = { pages: 40, bytes: PAGE_BYTES };
/** What may be read in search of an item whose time is not known. */
const SEARCH = { pages: 10, bytes: 2 * PAGE_BYTES };
/** Bytes that a look for jobs may cost beyond the jobs themselves, so that those of others do not hide them. */
const BESIDE = 64 << 10;
/** Of a point in JSON, with its instant and metadata. */
const POINT_BYTES = 80;
/** Entries beyond the jobs that are looked for. */
const MOST_BESIDE = 4;
/** Items whose time and page are remembered, and first items of pages. */
const MOST_SEEN = 5_000;
const MOST_FIRST = 50;
/** The times of a service have whole seconds at the least. */
const TOLERANCE = 1_000;
/** Stands for the first page where a cursor is wanted. */
const FIRST = '\u0000';

/** The series of predictions, which take nearly all of a page. */
export const SERIES: readonly string[] = ['input_series', 'prediction_series'];

/** The two parameters of a list, whose names the interface leaves open; they are tried until one has its effect. */
const USUAL = {
  cursor: ['cursor', 'page', 'after', 'page_token', 'next_page', 'starting_after', 'offset'],
  size: ['size', 'limit', 'page_size', 'per_page', 'count'],
} as const;
type Paging = keyof typeof USUAL;
type Sent = Readonly<Record<Paging, string | undefined>>;

interface Item {
  readonly id: string;
  readonly created_at?: string | undefined;
  readonly ai_model_id?: string | undefined;
}
type Prediction = ItemOf<'listPredictions'>;

/** How a list is read. */
export interface Reading {
  /** Parameters beyond those of paging. */
  readonly further?: Readonly<Record<string, string | undefined>>;
  /** Of a list below one resource. */
  readonly id?: string;
  /** Fields that nobody needs. */
  readonly drop?: readonly string[] | undefined;
}

/** Those of the wanted that were found. */
export interface Found<T> {
  readonly jobs: readonly T[];
  /** Whether one that is not among them is not at the service; else it was not looked for to the end. */
  readonly isAll: boolean;
}

/**
 * The lists of a service, newest first whatever their own order is: of one that begins with the oldest the way to its newest
 * end is gone once, and remembered. Pages are as large as what the last one weighed allows.
 */
export class Lists {
  readonly #transport: Transport;
  readonly #description: Description;
  readonly #learning: Learning;
  /** Names of parameters that were refused or had no effect, and the words of the last refusal. */
  readonly #rejected = new Set<string>();
  #told: readonly string[] = [];
  /** The first item of the page that named a cursor as the next, by that cursor. */
  readonly #firstBefore = new Map<string, string>();
  /** The page before, by the cursor of a page, for services that do not tell it. */
  readonly #before = new Map<string, string>();
  /** When an item was made, and on which page it was. */
  readonly #seen = new Map<string, { readonly at: number; readonly cursor?: string | undefined }>();

  constructor(transport: Transport, description: Description, learning: Learning) {
    this.#transport = transport;
    this.#description = description;
    this.#learning = learning;
  }

  /** A page as the service sends it, for checking a service. */
  async body(name: ListName, query: ListQuery): Promise<unknown> {
    return (await this.#ask(name, query, {})).body;
  }

  /** A page, newest first. @throws ServiceError */
  async page<K extends ListName>(name: K, query: ListQuery, reading: Reading = {}): Promise<ListPage<ItemOf<K>>> {
    const read = async (asked: ListQuery) => (await this.#read(name, asked, reading)).page;
    if (!isPlain(reading)) return read(query);
    const { cursor } = query;
    if (cursor === undefined && (await this.#isUnknown(name, query))) {
      const look = await read({ ...query, size: 2 });
      if (look.next === undefined) return this.#newestFirst(name, look, cursor);
    }
    if (this.#learning.list(name).order !== 'oldest') {
      const page = await read(query);
      // what was read tells the order, too
      const isTurned = this.#learning.list(name).order === 'oldest' && cursor === undefined && page.next !== undefined;
      if (!isTurned) return this.#newestFirst(name, page, cursor);
    }
    const at = async (there: string) =>
      this.#newestFirst(name, await read({ ...query, ...this.#at(name, there) }), there);
    if (cursor !== undefined) return at(cursor);
    const end = await this.#toEnd(name, query, reading);
    const last = this.#newestFirst(name, end.page, end.cursor);
    // the last page may be short, so the one before joins it
    const isShort = last.items.length * 2 < Math.min(query.size ?? 1, this.#fitting(name));
    if (last.next === undefined || !isShort) return last;
    const before = await at(last.next);
    const unreadable = [...last.unreadable, ...before.unreadable];
    return { ...before, items: [...last.items, ...before.items], unreadable };
  }

  /** A prediction was made: where it stands is looked for from its time on. */
  made({ id, created_at }: Item): void {
    this.#see(id, parseTimestamp(created_at ?? ''), undefined);
  }

  /**
   * Whether a prediction that is made now can be followed in its list at little cost: its newest end is near, and neither
   * its own series nor those beside it weigh much.
   * @param points of its series @throws ServiceError
   */
  async isCheap(points: number, signal: AbortSignal): Promise<boolean> {
    const name = 'listPredictions';
    if (this.#learning.list(name).bytes === undefined) await this.#read(name, { size: 2, signal }, { drop: SERIES });
    const { order, end, bytes = 0 } = this.#learning.list(name);
    return (order !== 'oldest' || end?.isLast === true) && Math.max(bytes, points * POINT_BYTES) <= BESIDE;
  }

  /**
   * Looks for items where they must be: from the newest end down to the time at which the first of them was made.
   * @throws ServiceError
   */
  async find(ids: ReadonlySet<string>, signal: AbortSignal): Promise<Found<Prediction>> {
    const found = new Map<string, Prediction>();
    const take = (items: readonly Prediction[]) => {
      for (const item of items) if (ids.has(item.id)) found.set(item.id, item);
      return found.size === ids.size;
    };
    const since = Math.min(...[...ids].map((id) => this.#seen.get(id)?.at ?? -Infinity));
    const { isAll } = await this.#down(since, ids.size, signal, take);
    for (const id of ids) {
      const cursor = found.has(id) ? undefined : this.#seen.get(id)?.cursor;
      if (cursor === undefined) continue;
      take((await this.#read('listPredictions', { ...this.#at('listPredictions', cursor), signal }, {})).page.items);
    }
    return { jobs: [...found.values()], isAll };
  }

  /** The first that is meant of those that were made since a time (epoch ms), and in how many it was looked for. */
  async search(
    since: number,
    isMeant: (item: Prediction) => boolean,
    signal: AbortSignal,
  ): Promise<{ readonly item: Prediction | undefined; readonly looked: number }> {
    let item: Prediction | undefined;
    const { looked } = await this.#down(since, 1, signal, (items) => {
      item = items.find(isMeant);
      return item !== undefined;
    });
    return { item, looked };
  }

  /** Reads on from the newest end, until it is enough or what comes is older than that. */
  async #down(
    since: number,
    wanted: number,
    signal: AbortSignal,
    isEnough: (items: readonly Prediction[]) => boolean,
  ): Promise<{ readonly isAll: boolean; readonly looked: number }> {
    const name = 'listPredictions';
    const { bytes = 0, order } = this.#learning.list(name);
    const beside = Math.min(MOST_BESIDE, Math.floor(BESIDE / Math.max(1, bytes)));
    // from the oldest on, pages have the size that their end was found with
    const size = order === 'oldest' ? 1 : Math.min(MOST_ITEMS, wanted + beside);
    let [cursor, looked, cost]: [string | undefined, number, number] = [undefined, 0, 0];
    for (let pages = 0; pages < SEARCH.pages && cost < SEARCH.bytes; pages++) {
      const { items, next }: ListPage<Prediction> = await this.page(name, { cursor, size, signal });
      looked += items.length;
      cost += items.length * (this.#learning.list(name).bytes ?? 0);
      const isOlder = Math.min(...items.map(timeOf)) < since - TOLERANCE;
      if (isEnough(items) || next === undefined || next === cursor || isOlder) return { isAll: true, looked };
      cursor = next;
    }
    return { isAll: false, looked };
  }

  /** Whether a first look must tell what the list is like: its items may be long, and its newest at the end. */
  async #isUnknown(name: ListName, { size = MOST_ITEMS }: ListQuery): Promise<boolean> {
    if (name !== 'listPredictions' || size <= 2 || this.#learning.list(name).bytes !== undefined) return false;
    return !(await this.#description.get()).asks(name, 'include_series');
  }

  #newestFirst<K extends ListName>(name: K, page: ListPage<ItemOf<K>>, cursor = ''): ListPage<ItemOf<K>> {
    if (this.#learning.list(name).order !== 'oldest') return page;
    const next = page.previous ?? this.#before.get(cursor);
    return { ...page, items: page.items.toReversed(), next, previous: page.next };
  }

  /** Goes on from where the newest end was last, as far as that costs little. */
  async #toEnd<K extends ListName>(name: K, { signal }: ListQuery, reading: Reading) {
    const { end } = this.#learning.list(name);
    const size = end?.size ?? Math.min(MOST_ITEMS, this.#fitting(name));
    let cursor = end?.cursor;
    const read = () => this.#read(name, { cursor, size, signal }, reading);
    let raw = await read().catch((error: unknown) => {
      const isRefused = (error instanceof ServiceError && error.kind === 'refused') || isGone(error);
      if (cursor === undefined || !isRefused) throw error;
      // the cursor is not good any more
      cursor = undefined;
      return read();
    });
    let cost = raw.bytes;
    for (let pages = 0; raw.page.next !== undefined && pages < WALK.pages && cost < WALK.bytes; pages++) {
      if (raw.page.next === cursor) break;
      this.#before.set(raw.page.next, cursor ?? FIRST);
      cursor = raw.page.next;
      raw = await read();
      cost += raw.bytes;
    }
    this.#learning.setList(name, { end: { cursor, size, isLast: raw.page.next === undefined } });
    return { page: raw.page, cursor };
  }

  /** How a page is asked for again: a cursor may say something only in pages of the size that it came from. */
  #at(name: ListName, cursor: string): ListQuery {
    return { cursor: cursor === FIRST ? undefined : cursor, size: this.#learning.list(name).end?.size ?? MOST_ITEMS };
  }

  /** Items of a page that weighs no more than it may. */
  #fitting(name: ListName): number {
    return Math.max(1, Math.floor(PAGE_BYTES / (this.#learning.list(name).bytes ?? 1)));
  }

  /** A page in the order of the service, smaller than asked for where it would weigh too much. */
  async #read<K extends ListName>(
    name: K,
    query: ListQuery,
    reading: Reading,
  ): Promise<{ readonly page: ListPage<ItemOf<K>>; readonly bytes: number }> {
    const size = query.size === undefined || !isPlain(reading) ? query.size : Math.min(query.size, this.#fitting(name));
    try {
      const { body, bytes } = await this.#ask(name, { ...query, size }, reading);
      const page = readListPage(operations[name].item, body) as ListPage<ItemOf<K>>;
      if (isPlain(reading)) this.#learn(name, query.cursor, page, bytes);
      return { page, bytes };
    } catch (error) {
      const isSmaller = error instanceof ServiceError && error.kind === 'too-large' && (size ?? MOST_ITEMS) > 1;
      if (!isSmaller) throw error;
      return this.#read(name, { ...query, size: Math.floor((size ?? MOST_ITEMS) / 4) || 1 }, reading);
    }
  }

  /** Asks under the names that the parameters seem to have, until they have their effect. */
  async #ask(name: ListName, { cursor, size, signal }: ListQuery, { further = {}, id = '', drop }: Reading) {
    const offers = await this.#description.get();
    if (!('core' in operations[name]) && !offers.has(name)) throw notOffered();
    const path = offers.pathOf(name).replace('{id}', encodeURIComponent(id));
    const described = offers.parameters(name);
    const isOutOfNames = () => this.#nameOf('cursor', described) === undefined;
    let wanted = size;
    let isTooLarge = false;
    for (;;) {
      const { names, asked, query } = this.#queryOf(described, cursor, wanted);
      try {
        const answer = await this.#transport.answer({
          method: 'GET',
          path,
          query: { ...further, ...query },
          signal,
          drop,
        });
        const page = pageOf(answer.body);
        // of a size that was refused though its name is right: what the service gives by itself is the most
        if (isTooLarge && page.items.length > 0 && page.next) this.#setPaging({ most: page.items.length });
        if (this.#judge(names, { cursor, size: asked }, page) || isOutOfNames()) return answer;
      } catch (error) {
        const kind = blamed(error, names);
        if (!kind) throw error;
        // of one whose name is known, it is the value that is refused
        const isValue = this.#learning.now.paging[kind] !== undefined;
        const isTold = !isValue && this.#reject(kind, names[kind]!, error);
        isTooLarge = kind === 'size' && isValue;
        if (kind === 'cursor' && (isValue || isOutOfNames())) throw error;
        if (kind === 'size' && !isTold) wanted = undefined;
      }
    }
  }

  /** The paging parameters under the names that they seem to have, and the size that is asked for. */
  #queryOf(described: ReadonlyMap<string, Field>, cursor: string | undefined, wanted: number | undefined) {
    const names: Sent = {
      cursor: cursor === undefined ? undefined : (this.#nameOf('cursor', described) ?? 'cursor'),
      size: wanted === undefined ? undefined : this.#nameOf('size', described),
    };
    const most = this.#learning.now.paging.most ?? described.get(names.size ?? '')?.maximum ?? MOST_ITEMS;
    const asked = wanted === undefined ? undefined : Math.min(wanted, Math.max(1, most));
    const query: Record<string, string | undefined> = {};
    if (names.cursor !== undefined) query[names.cursor] = cursor;
    if (names.size !== undefined) query[names.size] = String(asked);
    return { names, asked, query };
  }

  /** A name is refused. @returns whether the refusal tells another */
  #reject(kind: Paging, name: string, refusal: unknown): boolean {
    this.#rejected.add(name);
    this.#told = wordsOf(refusal);
    return this.#told.some((word) => isFree(word, kind, this.#rejected));
  }

  /** What a parameter is called, as far as is known; `undefined` where no name is left. */
  #nameOf(kind: Paging, described: ReadonlyMap<string, unknown>): string | undefined {
    const names = [...this.#told, ...described.keys(), ...USUAL[kind]];
    return this.#learning.now.paging[kind] ?? names.find((name) => isFree(name, kind, this.#rejected));
  }

  #setPaging(change: Partial<Learning['now']['paging']>): void {
    this.#learning.set({ paging: { ...this.#learning.now.paging, ...change } });
  }

  /** What the effect of the parameters tells of their names. @returns whether the cursor has one */
  #judge(
    names: Sent,
    { cursor, size }: Omit<ListQuery, 'signal'>,
    { items, next }: ReturnType<typeof pageOf>,
  ): boolean {
    const known = this.#learning.now.paging;
    const first = items.length > 0 ? String((items[0] as { readonly id?: unknown } | null)?.id) : '';
    if (names.size !== undefined && size !== undefined && known.size === undefined) {
      if (items.length > size) this.#rejected.add(names.size);
      else if (items.length === size && next !== undefined) this.#setPaging({ size: names.size });
    }
    if (next !== undefined && first !== '') keep(this.#firstBefore, next, first, MOST_FIRST);
    if (names.cursor === undefined || cursor === undefined || known.cursor !== undefined || first === '') return true;
    const isSame = this.#firstBefore.get(cursor) === first;
    if (isSame) this.#rejected.add(names.cursor);
    else if (this.#firstBefore.has(cursor)) this.#setPaging({ cursor: names.cursor });
    return !isSame;
  }

  #learn(name: ListName, cursor: string | undefined, { items }: ListPage<Item>, bytes: number): void {
    if (items.length === 0) return;
    const order = orderOf(items);
    // by powers of two, so that it is seldom written anew
    const weight = 2 ** Math.ceil(Math.log2(Math.max(1, bytes / items.length)));
    this.#learning.setList(name, { bytes: weight, ...(order ? { order } : {}) });
    if (name !== 'listPredictions') return;
    const place = cursor ?? (order === 'oldest' ? FIRST : undefined);
    for (const item of items) this.#see(item.id, timeOf(item), place);
    const now = Date.now();
    this.#learning.sawModels(
      items.flatMap((item) => (item.ai_model_id ? [{ id: item.ai_model_id, at: timeOf(item) || now }] : [])),
    );
  }

  #see(id: string, at: number, cursor: string | undefined): void {
    if (Number.isNaN(at) && cursor === undefined) return;
    keep(this.#seen, id, { at: Number.isNaN(at) ? -Infinity : at, cursor }, MOST_SEEN);
  }
}

/** What a page tells of the parameters, before it is read by its schema. */
function pageOf(body: unknown): { readonly items: readonly unknown[]; readonly next: string | undefined } {
  const { items, next_page: next } = (body ?? {}) as { readonly items?: unknown; readonly next_page?: unknown };
  const isMore = (typeof next === 'string' && next !== '') || typeof next === 'number';
  return { items: Array.isArray(items) ? (items as unknown[]) : [], next: isMore ? String(next) : undefined };
}

/** Keeps an entry as the newest, and so many at most. */
function keep<V>(entries: Map<string, V>, key: string, value: V, most: number): void {
  entries.delete(key);
  entries.set(key, value);
  for (const oldest of entries.keys()) if (entries.size > most) entries.delete(oldest);
}

/** Whether a parameter may be called so. */
const isFree = (name: string, kind: Paging, rejected: ReadonlySet<string>): boolean =>
  (USUAL[kind] as readonly string[]).includes(name) && !rejected.has(name);

const wordsOf = (error: unknown): readonly string[] =>
  (error instanceof ServiceError ? error.reason?.match(/\w+/g) : undefined) ?? [];

/** Which of the parameters that were sent a refusal speaks of. */
function blamed(error: unknown, sent: Sent): Paging | undefined {
  if (!(error instanceof ServiceError) || error.kind !== 'refused') return undefined;
  const words = wordsOf(error);
  const place = (name: string | undefined): number => {
    if (name === undefined) return Infinity;
    if (error.isAbout(name)) return -1;
    return words.includes(name) ? words.indexOf(name) : words.length;
  };
  const kind = place(sent.cursor) < place(sent.size) ? 'cursor' : 'size';
  return sent[kind] === undefined ? undefined : kind;
}

/** Where a list begins, as the times of its items tell. */
export function orderOf(items: readonly Item[]): 'newest' | 'oldest' | undefined {
  const [first, last] = [items[0], items.at(-1)].map((item) => (item ? timeOf(item) : NaN));
  return last > first ? 'oldest' : last < first ? 'newest' : undefined;
}

/** Whether the list is read as it is: only then its pages tell what it is like. */
const isPlain = ({ id = '', further = {} }: Reading): boolean =>
  id === '' && Object.values(further).every((value) => value === undefined);

const timeOf = ({ created_at }: Item): number => parseTimestamp(created_at ?? '');
