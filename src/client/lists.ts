import { parseTimestamp } from '../calendar/timestamp.ts';
import { type ItemOf, type ListName, operations } from '../contract/operations.ts';
import { isGone, isPassing, ServiceError } from './errors.ts';
import type { KnownList } from './learned.ts';
import type { Operations } from './operations.ts';
import { type ListPage, type ListQuery, PARAMETERS, readItems } from './page.ts';
import { MOST_ITEMS, Paging, type Reading } from './paging.ts';

/** Bytes of a page, as far as the weight of the last one predicts them. */
const PAGE_BYTES = 2 << 20;
/** The most that the way to the newest end of a list that is oldest first costs at once. */
const WALK = { pages: 40, bytes: PAGE_BYTES };
const SEARCH = { pages: 10, bytes: 2 * PAGE_BYTES };
/** As {@link WALK}, where the way is known to end within that and a job can be found only at its end. */
const LONG_WALK = 100e6;
/** What a page for jobs may hold besides the jobs, so that those of others do not hide them. */
const BESIDE = { bytes: 64 << 10, items: 4 };
const FIRST_SIZE = 2;
/** The times of a service have at least whole seconds. */
const TOLERANCE = 1_000;
/** Stands for the first page where a cursor is wanted. */
const FIRST = '\u0000';

/** The list of the jobs, and the fields that are nearly all of its bytes. */
const JOBS = 'listPredictions';
export const SERIES: readonly string[] = ['input_series', 'prediction_series'];

interface Item {
  readonly id: string;
  readonly created_at?: string | undefined;
  readonly ai_model_id?: string | undefined;
}
type Prediction = ItemOf<typeof JOBS>;

interface Read<T> {
  readonly page: ListPage<T>;
  readonly bytes: number;
  readonly cursor: string | undefined;
}

export interface Found<T> {
  readonly jobs: readonly T[];
  /** Whether the service does not have the others; else the search was given up. */
  readonly isAll: boolean;
  /** The number of entries that were searched. */
  readonly looked?: number | undefined;
  /** Bytes of a look at the same, about. */
  readonly bytes?: number;
}

/** So many of those that were made since a time (epoch ms). */
interface Search<T> {
  readonly since: number;
  readonly wanted: number;
  readonly isMeant: (item: T) => boolean;
  readonly signal: AbortSignal | undefined;
}

/**
 * The lists of a service, newest first whatever their own order is: the newest end of one that is oldest first is looked for
 * once, and remembered. The size of pages follows the bytes of the last one.
 */
export class Lists {
  readonly paging: Paging;
  readonly #operations: Operations;
  /** The cursor of the page before, by that of a page, for services that do not give it. */
  readonly #before = new Map<string, string>();
  /** When an item was made, and the page on which it was. */
  readonly #seen = new Map<string, { readonly at: number; readonly cursor?: string | undefined }>();

  constructor(operations: Operations) {
    this.#operations = operations;
    this.paging = new Paging(operations);
  }

  /** A page, newest first. @throws ServiceError */
  async page<K extends ListName>(name: K, query: ListQuery, reading: Reading = {}): Promise<ListPage<ItemOf<K>>> {
    const read = async (asked: ListQuery) => (await this.#read(name, asked, reading)).page;
    const isOldestFirst = () => this.#known(name).order === 'oldest';
    const { cursor } = query;
    if (!isPlain(reading)) return read(query);
    if (cursor === undefined && (await this.#isUnknown(name, query))) {
      const look = await read({ ...query, size: FIRST_SIZE });
      // one without a next page may be cut all the same
      if (look.next === undefined && look.items.length < FIRST_SIZE) return look;
    }
    if (!isOldestFirst()) {
      const page = await read(query);
      if (cursor !== undefined || page.next === undefined || !isOldestFirst()) return this.#turned(name, page, cursor);
    }
    const at = async (place: string) => this.#turned(name, await read({ ...query, ...this.#at(name, place) }), place);
    if (cursor !== undefined) return at(cursor);
    const end = await this.#toEnd(name, query, reading);
    const last = this.#turned(name, end.page, end.cursor);
    // the last page may be short, so the one before joins it
    const isShort = last.items.length * 2 < Math.min(query.size ?? 1, this.#fitting(name));
    if (last.next === undefined || !isShort) return last;
    const before = await at(last.next);
    const unreadable = [...last.unreadable, ...before.unreadable];
    return { ...before, items: [...last.items, ...before.items], unreadable };
  }

  /**
   * Whether a prediction that is made now can be followed in its list at little cost: its newest end is near, and neither
   * its own series nor those beside it weigh much.
   * @param points of its series @throws ServiceError
   */
  async isCheap(points: number, signal: AbortSignal | undefined): Promise<boolean> {
    if (this.#known(JOBS).bytes === undefined) await this.#read(JOBS, { size: FIRST_SIZE, signal }, { drop: SERIES });
    const { order, end, bytes = 0 } = this.#known(JOBS);
    // a point has some 80 bytes in JSON, with its instant and metadata
    return (order !== 'oldest' || end?.isLast === true) && Math.max(bytes, points * 80) <= BESIDE.bytes;
  }

  /** Finds predictions where they were seen, else from the newest end down to when the first of them was made. @throws ServiceError */
  async find(ids: ReadonlySet<string>, signal: AbortSignal): Promise<Found<Prediction>> {
    const left = new Set(ids);
    const isMeant = ({ id }: Prediction) => left.has(id);
    const jobs: Prediction[] = [];
    for (const cursor of new Set([...ids].flatMap((id) => this.#seen.get(id)?.cursor ?? []))) {
      const seen = await this.#read(JOBS, { ...this.#at(JOBS, cursor), signal }, {}).catch(unlessExpired);
      jobs.push(...(seen?.page.items ?? []).filter(isMeant));
      for (const { id } of jobs) left.delete(id);
    }
    const since = Math.min(...[...left].map((id) => this.#seen.get(id)?.at ?? -Infinity));
    const search = { since, wanted: left.size, isMeant, signal };
    const found = left.size > 0 ? await this.search(JOBS, search) : { jobs: [], isAll: true };
    const bytes = (this.#known(JOBS).bytes ?? 0) * ids.size;
    return { jobs: [...jobs, ...found.jobs], isAll: found.isAll, bytes };
  }

  /** Reads on from the newest end, until all that are wanted are found or items are older than they are. */
  async search<K extends ListName>(name: K, search: Search<ItemOf<K>>): Promise<Found<ItemOf<K>>> {
    const { since, wanted, isMeant, signal } = search;
    const { bytes = 0, order } = this.#known(name);
    const beside = Math.min(BESIDE.items, Math.floor(BESIDE.bytes / Math.max(1, bytes)));
    // from the oldest on, pages have the size that their end was found with
    const size = order === 'oldest' ? 1 : Math.min(MOST_ITEMS, wanted + beside);
    const jobs: ItemOf<K>[] = [];
    let [cursor, looked, cost]: [string | undefined, number, number] = [undefined, 0, 0];
    for (let pages = 0; pages < SEARCH.pages && cost < SEARCH.bytes; pages++) {
      const { items, next }: ListPage<ItemOf<K>> = await this.page(name, { cursor, size, signal }, { isNeeded: true });
      looked += items.length;
      cost += items.length * (this.#known(name).bytes ?? 0);
      const isNew = ({ id }: ItemOf<K>) => jobs.every((job) => job.id !== id);
      for (const item of items) if (jobs.length < wanted && isNew(item) && isMeant(item)) jobs.push(item);
      const isOlder = Math.min(...items.map(timeOf)) < since - TOLERANCE;
      // what is missing may be beyond a newest end that is not reached yet
      const isEnd = order !== 'oldest' || this.#known(name).end?.isLast === true;
      if (jobs.length >= wanted || next === undefined || isOlder) return { jobs, isAll: isEnd, looked };
      cursor = next;
    }
    return { jobs, isAll: false, looked };
  }

  #known(name: ListName): KnownList {
    return this.#operations.learning.list(name);
  }

  /** Whether the order and the weight of a list must be found out first. */
  async #isUnknown(name: ListName, { size = MOST_ITEMS }: ListQuery): Promise<boolean> {
    if (name !== JOBS || size <= FIRST_SIZE || this.#known(name).bytes !== undefined) return false;
    return !(await this.#operations.capabilities()).asks(name, 'include_series');
  }

  #turned<T>(name: ListName, page: ListPage<T>, cursor = ''): ListPage<T> {
    if (this.#known(name).order !== 'oldest') return page;
    const next = page.previous ?? this.#before.get(cursor);
    return { ...page, items: page.items.toReversed(), next, previous: page.next };
  }

  /** Goes on from where the newest end was last, as far as that costs little. */
  async #toEnd<K extends ListName>(name: K, { signal }: ListQuery, reading: Reading) {
    const { end } = this.#known(name);
    const fitting = Math.min(MOST_ITEMS, this.#fitting(name));
    // of two items, the place of the second page is also its number
    const size = end?.size ?? (fitting === 2 ? 1 : fitting);
    const read = (cursor?: string) => this.#read(name, { cursor, size, signal }, reading);
    const known = end?.cursor === undefined ? undefined : await read(end.cursor).catch(unlessExpired);
    let at = known ?? (await this.#lastPlace(await read(), size, read));
    let cost = at.bytes;
    const { items, total = Infinity } = at.page;
    const isShort = reading.isNeeded && (total * cost) / items.length <= LONG_WALK;
    const most = isShort ? { pages: Math.min(1_000, WALK.pages + total / items.length), bytes: LONG_WALK } : WALK;
    try {
      for (let pages = 0; at.page.next !== undefined && pages < most.pages && cost < most.bytes; pages++) {
        this.#before.set(at.page.next, at.cursor ?? FIRST);
        at = await read(at.page.next);
        cost += at.bytes;
      }
    } finally {
      // also where it breaks off: the next goes on from there
      this.#operations.learning.setList(name, { end: { cursor: at.cursor, size, isLast: at.page.next === undefined } });
    }
    return at;
  }

  /** The last page, where cursors tell places; else the first. */
  async #lastPlace<P extends Read<Item>>(first: P, size: number, read: (cursor: string) => Promise<P>): Promise<P> {
    const places = placesIn(first.page, size);
    if (places.length < 2) return first;
    const { names } = this.paging;
    // what answers a cursor that was never given may be of any kind, and says nothing of the names
    const last = await read(places[0]).catch((error: unknown) => (isPassing(error) ? undefined : unlessExpired(error)));
    const isLater = last?.page.items.some((item) => timeOf(item) > Math.max(...first.page.items.map(timeOf)));
    if (!isLater) this.paging.names = names;
    if (!last || !isLater) return first;
    for (const [index, place] of places.slice(0, -1).entries()) this.#before.set(place, places[index + 1]);
    return last;
  }

  /** The query of a page that was read before: a cursor may hold only for pages of the size that it came from. */
  #at(name: ListName, cursor: string): ListQuery {
    return { cursor: cursor === FIRST ? undefined : cursor, size: this.#known(name).end?.size ?? MOST_ITEMS };
  }

  #fitting(name: ListName): number {
    return Math.max(1, Math.floor(PAGE_BYTES / (this.#known(name).bytes ?? 1)));
  }

  /** A page in the order of the service, smaller than asked for where it would weigh too much. */
  async #read<K extends ListName>(name: K, query: ListQuery, reading: Reading): Promise<Read<ItemOf<K>>> {
    const size = query.size === undefined || !isPlain(reading) ? query.size : Math.min(query.size, this.#fitting(name));
    try {
      const { bytes, body: _, ...envelope } = await this.paging.ask(name, { ...query, size }, reading);
      const page = readItems(operations[name].item, envelope) as ListPage<ItemOf<K>>;
      if (isPlain(reading)) this.#learn(name, query.cursor, page, bytes);
      return { page, bytes, cursor: query.cursor };
    } catch (error) {
      const isSmaller = error instanceof ServiceError && error.kind === 'too-large' && (size ?? MOST_ITEMS) > 1;
      if (!isSmaller) throw error;
      return this.#read(name, { ...query, size: Math.floor((size ?? MOST_ITEMS) / 4) || 1 }, reading);
    }
  }

  #learn(name: ListName, cursor: string | undefined, { items }: ListPage<Item>, bytes: number): void {
    if (items.length === 0) return;
    const { learning } = this.#operations;
    const order = orderOf(items);
    // by powers of two, so that it seldom changes
    const weight = 2 ** Math.ceil(Math.log2(Math.max(1, bytes / items.length)));
    learning.setList(name, { bytes: weight, ...(order ? { order } : {}) });
    if (name !== JOBS) return;
    const place = cursor ?? (order === 'oldest' ? FIRST : undefined);
    for (const item of items) this.see(item.id, timeOf(item), place);
    const models = items.map((item) => ({ id: item.ai_model_id ?? '', at: timeOf(item) || Date.now() }));
    learning.sawModels(models.filter(({ id }) => id !== ''));
  }

  /** Remembers when a prediction was made (epoch ms), and its page. */
  see(id: string, at: number, cursor?: string): void {
    if (Number.isNaN(at) && cursor === undefined) return;
    this.#seen.delete(id);
    this.#seen.set(id, { at: Number.isNaN(at) ? -Infinity : at, cursor });
    for (const oldest of this.#seen.keys()) if (this.#seen.size > 5_000) this.#seen.delete(oldest);
  }
}

/** A number in a cursor, or in the parameters of one that is an address but for sizes; nothing that is percent-quoted. */
const PLACE = new RegExp(`(?<!%|%[\\dA-F]|\\d|(?:${PARAMETERS.size.join('|')})=)\\d+(?![^?]*\\?)`, 'g');

/**
 * The cursors of a list from its last page to its first, where the only number in that of the second page tells its place:
 * how many items are before it, or its number. @param size of the pages
 */
function placesIn({ next = '', items, total = 0 }: ListPage<unknown>, size: number): string[] {
  const pages = Math.ceil(total / size);
  const [place, ...others] = next.match(PLACE) ?? [];
  const isOffset = Number(place) === size && items.length === size;
  if (others.length > 0 || pages > 10_000 || !(isOffset || place === '2')) return [];
  const cursorOf = (page: number) => next.replace(PLACE, String(isOffset ? (page - 1) * size : page));
  return Array.from({ length: pages }, (_, after) => (after === pages - 1 ? FIRST : cursorOf(pages - after)));
}

/** Which end of a list comes first, by the times of its items. */
export function orderOf(items: readonly Item[]): 'newest' | 'oldest' | undefined {
  const [first, last] = [items.at(0), items.at(-1)].map((item) => (item ? timeOf(item) : NaN));
  return last > first ? 'oldest' : last < first ? 'newest' : undefined;
}

/** Nothing, where a cursor is not good any more. @throws any other error */
function unlessExpired(error: unknown): undefined {
  if (!(error instanceof ServiceError && error.kind === 'refused') && !isGone(error)) throw error;
}

/** Whether a list is read as it is, without an ID or a filter: only its pages show its order and weight. */
const isPlain = ({ id = '', further = {} }: Reading): boolean =>
  id === '' && Object.values(further).every((value) => value === undefined);

const timeOf = ({ created_at }: Item): number => parseTimestamp(created_at ?? '');
