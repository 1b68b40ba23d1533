import { parseTimestamp } from '../calendar/timestamp.ts';
import { type ItemOf, type ListName, operations } from '../contract/operations.ts';
import type { Description } from './description.ts';
import { isGone, ServiceError } from './errors.ts';
import type { Learning } from './learned.ts';
import { type ListPage, type ListQuery, notOffered, readListPage } from './page.ts';
import { blamed, PagingNames } from './paging.ts';
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
/** Items whose time and page are remembered. */
const MOST_SEEN = 5_000;
/** The times of a service have whole seconds at the least. */
const TOLERANCE = 1_000;
/** Stands for the first page where a cursor is wanted. */
const FIRST = '\u0000';

/** The series of predictions, which take nearly all of a page. */
export const SERIES: readonly string[] = ['input_series', 'prediction_series'];

interface Item {
  readonly id: string;
  readonly created_at?: string | undefined;
  readonly ai_model_id?: string | undefined;
}

/** How a list is read. */
export interface Reading {
  /** Parameters beyond those of paging. */
  readonly further?: Readonly<Record<string, string | undefined>>;
  /** Of a list below one resource. */
  readonly id?: string;
  /** Fields that nobody needs. */
  readonly drop?: readonly string[] | undefined;
}

/** A page in the order of the service. */
interface Raw<K extends ListName> {
  readonly page: ListPage<ItemOf<K>>;
  readonly bytes: number;
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
  readonly #paging: PagingNames;
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
    this.#paging = new PagingNames(learning);
  }

  /** A page as the service sends it, for checking a service. */
  async body(name: ListName, query: ListQuery): Promise<unknown> {
    return (await this.#ask(name, query, {})).body;
  }

  /** A page, newest first. @throws ServiceError */
  async page<K extends ListName>(name: K, query: ListQuery, reading: Reading = {}): Promise<ListPage<ItemOf<K>>> {
    if (!isPlain(reading)) return (await this.#read(name, query, reading)).page;
    if (await this.#isUnknown(name, query)) {
      const look = await this.#read(name, { ...query, size: 2 }, reading);
      if (look.page.next === undefined) return this.#newestFirst(name, look.page, undefined);
    }
    if (this.#learning.list(name).order === 'oldest') return this.#fromEnd(name, query, reading);
    const { page } = await this.#read(name, query, reading);
    const isTurned = query.cursor === undefined && this.#learning.list(name).order === 'oldest';
    return isTurned && page.next !== undefined ? this.#fromEnd(name, query, reading) : this.#newestFirst(name, page, query.cursor); // prettier-ignore
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
  async find(ids: ReadonlySet<string>, signal: AbortSignal): Promise<Found<ItemOf<'listPredictions'>>> {
    const found = new Map<string, ItemOf<'listPredictions'>>();
    const take = (items: readonly ItemOf<'listPredictions'>[]) => {
      for (const item of items) if (ids.has(item.id)) found.set(item.id, item);
    };
    const times = [...ids].map((id) => this.#seen.get(id)?.at ?? -Infinity);
    const { isAll } = await this.#down(Math.min(...times), ids.size, signal, (items) => {
      take(items);
      return found.size === ids.size;
    });
    for (const id of ids) {
      const cursor = found.has(id) ? undefined : this.#seen.get(id)?.cursor;
      if (cursor === undefined) continue;
      const { page } = await this.#read('listPredictions', { ...this.#at('listPredictions', cursor), signal }, {});
      take(page.items);
    }
    return { jobs: [...found.values()], isAll };
  }

  /** The first that is meant of those that were made since a time (epoch ms), and in how many it was looked for. */
  async search(
    since: number,
    isMeant: (item: ItemOf<'listPredictions'>) => boolean,
    signal: AbortSignal,
  ): Promise<{ readonly item: ItemOf<'listPredictions'> | undefined; readonly looked: number }> {
    let item: ItemOf<'listPredictions'> | undefined;
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
    isEnough: (items: readonly ItemOf<'listPredictions'>[]) => boolean,
  ): Promise<{ readonly isAll: boolean; readonly looked: number }> {
    const name = 'listPredictions';
    const { bytes = 0, order } = this.#learning.list(name);
    const beside = Math.min(MOST_BESIDE, Math.floor(BESIDE / Math.max(1, bytes)));
    // from the oldest on, pages have the size that their end was found with
    const size = order === 'oldest' ? 1 : Math.min(MOST_ITEMS, wanted + beside);
    let [cursor, looked, cost]: [string | undefined, number, number] = [undefined, 0, 0];
    for (let pages = 0; pages < SEARCH.pages && cost < SEARCH.bytes; pages++) {
      const { items, next }: ListPage<ItemOf<typeof name>> = await this.page(name, { cursor, size, signal });
      looked += items.length;
      cost += items.length * (this.#learning.list(name).bytes ?? 0);
      if (isEnough(items)) return { isAll: true, looked };
      const oldest = Math.min(...items.map(timeOf));
      if (next === undefined || next === cursor || oldest < since - TOLERANCE) return { isAll: true, looked };
      cursor = next;
    }
    return { isAll: false, looked };
  }

  /** Whether a first look must tell what the list is like: its items may be long, and its newest at the end. */
  async #isUnknown(name: ListName, { cursor, size = MOST_ITEMS }: ListQuery): Promise<boolean> {
    if (name !== 'listPredictions' || cursor !== undefined || size <= 2) return false;
    if (this.#learning.list(name).bytes !== undefined) return false;
    return !(await this.#description.get()).asks(name, 'include_series');
  }

  #newestFirst<K extends ListName>(
    name: K,
    page: ListPage<ItemOf<K>>,
    cursor: string | undefined,
  ): ListPage<ItemOf<K>> {
    if (this.#learning.list(name).order !== 'oldest') return page;
    const next = page.previous ?? (cursor === undefined ? undefined : this.#before.get(cursor));
    return { ...page, items: page.items.toReversed(), next, previous: page.next };
  }

  /** A page of a list that begins with the oldest, from its end; the last page may be short, so the one before joins it. */
  async #fromEnd<K extends ListName>(name: K, query: ListQuery, reading: Reading): Promise<ListPage<ItemOf<K>>> {
    if (query.cursor !== undefined) {
      const raw = await this.#read(name, { ...query, ...this.#at(name, query.cursor) }, reading);
      return this.#newestFirst(name, raw.page, query.cursor);
    }
    const { page, cursor } = await this.#toEnd(name, query, reading);
    const last = this.#newestFirst(name, page, cursor);
    const isShort = last.next !== undefined && last.items.length * 2 < Math.min(query.size ?? 1, this.#fitting(name));
    if (!isShort) return last;
    const raw = await this.#read(name, { ...query, ...this.#at(name, last.next) }, reading);
    const before = this.#newestFirst(name, raw.page, last.next);
    const unreadable = [...last.unreadable, ...before.unreadable];
    return { ...before, items: [...last.items, ...before.items], unreadable };
  }

  /** Goes on from where the newest end was last, as far as that costs little. */
  async #toEnd<K extends ListName>(name: K, query: ListQuery, reading: Reading) {
    const { end } = this.#learning.list(name);
    const size = end?.size ?? Math.min(MOST_ITEMS, this.#fitting(name));
    const { signal } = query;
    let cursor = end?.cursor;
    let raw: Raw<K>;
    try {
      raw = await this.#read(name, { cursor, size, signal }, reading);
    } catch (error) {
      const isOver =
        cursor !== undefined && error instanceof ServiceError && (error.kind === 'refused' || isGone(error));
      if (!isOver) throw error;
      this.#learning.setList(name, { end: undefined });
      cursor = undefined;
      raw = await this.#read(name, { size, signal }, reading);
    }
    let cost = raw.bytes;
    for (let pages = 0; raw.page.next !== undefined && pages < WALK.pages && cost < WALK.bytes; pages++) {
      if (raw.page.next === cursor) break;
      this.#before.set(raw.page.next, cursor ?? FIRST);
      cursor = raw.page.next;
      raw = await this.#read(name, { cursor, size, signal }, reading);
      cost += raw.bytes;
    }
    const isLast = raw.page.next === undefined;
    const near =
      isLast && raw.bytes > BESIDE ? await this.#nearer(name, raw.page, { cursor, size, signal }, reading) : undefined;
    this.#learning.setList(name, { end: { cursor: near ?? cursor, size, isLast } });
    return { page: raw.page, cursor };
  }

  /** The cursor of the last item of a page, where the service has one, so that a look at the end has little beside it. */
  async #nearer<K extends ListName>(name: K, { items }: ListPage<ItemOf<K>>, query: ListQuery, reading: Reading) {
    if (items.length < 2) return undefined;
    const { page } = await this.#read(name, { ...query, size: items.length - 1 }, reading);
    return page.items[0]?.id === items[0].id && page.items.length === items.length - 1 ? page.next : undefined;
  }

  /** How a page is asked for again: a cursor may say something only in pages of the size that it came from. */
  #at(name: ListName, cursor: string | undefined): ListQuery {
    return { cursor: cursor === FIRST ? undefined : cursor, size: this.#learning.list(name).end?.size ?? MOST_ITEMS };
  }

  /** Items of a page that weighs no more than it may. */
  #fitting(name: ListName): number {
    return Math.max(1, Math.floor(PAGE_BYTES / (this.#learning.list(name).bytes ?? 1)));
  }

  async #read<K extends ListName>(name: K, query: ListQuery, reading: Reading): Promise<Raw<K>> {
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
    let wanted = size;
    let isTooLarge = false;
    for (;;) {
      const names = {
        cursor: cursor === undefined ? undefined : (this.#paging.name('cursor', described) ?? 'cursor'),
        size: wanted === undefined ? undefined : this.#paging.name('size', described),
      };
      const most = Math.max(1, this.#learning.now.paging.most ?? offers.parameter(name, names.size ?? '')?.maximum ?? MOST_ITEMS); // prettier-ignore
      const asked = wanted === undefined ? undefined : Math.min(wanted, most);
      const query = {
        ...further,
        ...(names.cursor === undefined ? {} : { [names.cursor]: cursor }),
        ...(names.size === undefined ? {} : { [names.size]: String(asked) }),
      };
      try {
        const answer = await this.#transport.answer({ method: 'GET', path, query, signal, drop });
        if (isTooLarge) this.#tooLarge(answer.body);
        const hasEffect = this.#judge(answer.body, cursor, names, asked);
        if (hasEffect || this.#paging.name('cursor', described) === undefined) return answer;
      } catch (error) {
        const blame = blamed(error, names);
        if (!blame) throw error;
        const isCursor = blame.kind === 'cursor';
        // of one whose name is known, it is the value that is refused
        const isValue = this.#paging.isKnown(blame.kind);
        const isTold = !isValue && this.#paging.reject(blame.kind, names[blame.kind]!, blame.refusal);
        if (isCursor && (isValue || !this.#paging.name('cursor', described))) throw error;
        if (!isCursor && !isTold) wanted = undefined;
        isTooLarge = !isCursor && isValue;
      }
    }
  }

  /** Of a size that was refused though its name is right: what the service gives by itself is the most. */
  #tooLarge(body: unknown): void {
    const { items, next_page: next } = (body ?? {}) as { items?: unknown; next_page?: unknown };
    const count = Array.isArray(items) ? items.length : 0;
    if (count > 0 && next) this.#learning.set({ paging: { ...this.#learning.now.paging, most: count } });
  }

  /** What the effect of the parameters tells of their names. @returns whether the cursor has one */
  #judge(
    body: unknown,
    cursor: string | undefined,
    names: { readonly cursor: string | undefined; readonly size: string | undefined },
    asked: number | undefined,
  ): boolean {
    const { items = [], next_page: next } = (body ?? {}) as { items?: readonly ({ id?: unknown } | null)[]; next_page?: unknown }; // prettier-ignore
    const count = Array.isArray(items) ? items.length : 0;
    const first = count > 0 ? String(items[0]?.id) : '';
    const isMore = typeof next === 'string' || typeof next === 'number';
    if (names.size !== undefined && asked !== undefined && !this.#paging.isKnown('size')) {
      if (count > asked) this.#paging.reject('size', names.size);
      else if (count === asked && isMore) this.#paging.confirm('size', names.size);
    }
    if (isMore && first !== '') {
      this.#firstBefore.set(String(next), first);
      for (const oldest of this.#firstBefore.keys()) if (this.#firstBefore.size > 50) this.#firstBefore.delete(oldest);
    }
    if (names.cursor === undefined || cursor === undefined || this.#paging.isKnown('cursor') || first === '')
      return true;
    const isSame = this.#firstBefore.get(cursor) === first;
    if (isSame) this.#paging.reject('cursor', names.cursor);
    else if (this.#firstBefore.has(cursor)) this.#paging.confirm('cursor', names.cursor);
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
    for (const { id, created_at } of items) this.#see(id, parseTimestamp(created_at ?? ''), place);
    const now = Date.now();
    this.#learning.sawModels(items.flatMap((item) => (item.ai_model_id ? [{ id: item.ai_model_id, at: timeOf(item) || now }] : []))); // prettier-ignore
  }

  #see(id: string, at: number, cursor: string | undefined): void {
    if (Number.isNaN(at) && cursor === undefined) return;
    this.#seen.delete(id);
    this.#seen.set(id, { at: Number.isNaN(at) ? -Infinity : at, cursor });
    for (const oldest of this.#seen.keys()) if (this.#seen.size > MOST_SEEN) this.#seen.delete(oldest);
  }
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
