import { parseTimestamp } from '../calendar/timestamp.ts';
import { isObject } from '../contract/json.ts';
import { type ItemOf, type ListName, operations } from '../contract/operations.ts';
import type { Field } from './capabilities.ts';
import { isGone, isPassing, notOffered, ServiceError, unless } from './errors.ts';
import type { Learned, Operations } from './operations.ts';
import * as pages from './page.ts';
import type { ListPage, ListQuery } from './page.ts';

const { PARAMETERS } = pages;
const MOST_ITEMS = 100;
/** Bytes of a page, as far as the weight of the last one predicts them. */
const PAGE_BYTES = 2 << 20;
/** The most that the way to the newest end of a list that is oldest first costs at once; and where a job can be found only there. */
const WALK = { pages: 40, bytes: PAGE_BYTES, atLength: 100e6 };
const SEARCH = { pages: 10, bytes: 2 * PAGE_BYTES };
/** What a page for jobs may hold besides the jobs, so that those of others do not hide them. */
const BESIDE = { bytes: 64 << 10, items: 4 };
const FIRST_SIZE = 2;
const TOLERANCE = 1_000; // the times of a service have at least whole seconds
const FIRST = '\u0000';
const MOST_SEEN = 5_000;

const JOBS = 'listPredictions';
export const SERIES: readonly string[] = ['input_series', 'prediction_series'];

type Prediction = ItemOf<typeof JOBS>;
type Item = Pick<Prediction, 'id'> & Partial<Pick<Prediction, 'created_at' | 'ai_model_id'>>;

interface Reading extends ListQuery {
  readonly further?: Readonly<Record<string, string | undefined>>;
  readonly id?: string | undefined;
  readonly drop?: readonly string[] | undefined;
  readonly isNeeded?: boolean;
}

interface Read<T> {
  readonly page: ListPage<T>;
  readonly body: unknown;
  readonly bytes: number;
  readonly cursor: string;
}

export interface Found<T> {
  readonly jobs: readonly T[];
  readonly isAll: boolean;
  readonly looked?: number | undefined;
  readonly bytes?: number; // of a look at the same, about
}

type Signal = AbortSignal | undefined;
type Search<T> = Readonly<{ since: number; wanted: number; isMeant: (item: T) => boolean; signal: Signal }>;

/**
 * The lists of a service, newest first whatever their own order is: the newest end of one that is oldest first is looked for
 * once, and remembered. The size of pages follows the bytes of the last one. The names of the two parameters are known from
 * the description, a refusal, or their effect; then they are remembered.
 */
export class Lists {
  readonly #operations: Operations;
  #names: readonly string[] = Object.values(PARAMETERS).flat();
  readonly #first = new Map<string, unknown>();
  /** The cursor of the page before, by that of a page, for services that do not give it. */
  readonly #before = new Map<string, string>();
  readonly #seen = new Map<string, { readonly at: number; readonly cursor?: string | undefined }>();

  constructor(client: Operations) {
    this.#operations = client;
  }

  async page<K extends ListName>(name: K, query: Reading): Promise<ListPage<ItemOf<K>>> {
    const at = async (there: ListQuery) => this.#turned(name, await this.#read(name, { ...query, ...there }));
    const { cursor } = query;
    if (!isPlain(query)) return (await this.#read(name, query)).page;
    if (await this.#isUnweighed(name, query)) {
      const look = await at({ size: FIRST_SIZE });
      if (look.items.length < FIRST_SIZE && (look.next ?? look.previous) === undefined) return look;
    }
    if (!this.#known(name).isTurned) {
      const first = await at({});
      if (!this.#known(name).isTurned || cursor !== undefined || first.previous === undefined) return first;
    }
    if (cursor !== undefined) return at({ size: this.#known(name).size });
    const last = this.#turned(name, await this.#toEnd(name, query));
    const isShort = last.items.length * 2 < Math.min(query.size ?? 1, this.#known(name).fitting);
    if (last.next === undefined || !isShort) return last;
    const { items, unreadable, ...before } = await at({ cursor: last.next, size: this.#known(name).size });
    return { ...before, items: [...last.items, ...items], unreadable: [...last.unreadable, ...unreadable] };
  }

  /** Whether a prediction of so many points can be followed at little cost: the newest end is near, and no series weighs much. */
  async isCheap(points: number, signal: Signal): Promise<boolean> {
    if (this.#known(JOBS).bytes === undefined) await this.#read(JOBS, { size: FIRST_SIZE, signal, drop: SERIES });
    // a point has some 80 bytes in JSON, with its instant and metadata
    const { isNear, bytes = 0 } = this.#known(JOBS);
    return isNear && Math.max(bytes, points * 80) <= BESIDE.bytes;
  }

  /** Finds predictions where they were seen, else from the newest end down to when the first of them was made. */
  async find(ids: ReadonlySet<string>, signal: AbortSignal): Promise<Found<Prediction>> {
    const { size } = this.#known(JOBS);
    const found = new Map<string, Prediction>();
    for (const cursor of new Set([...ids].flatMap((id) => this.#seen.get(id)?.cursor ?? []))) {
      const seen = await this.#read(JOBS, { cursor, size, signal }).catch(unless(isExpired));
      for (const item of seen?.page.items ?? []) if (ids.has(item.id)) found.set(item.id, item);
    }
    const left = [...ids].filter((id) => !found.has(id));
    const since = Math.min(...left.map((id) => this.#seen.get(id)?.at ?? -Infinity));
    const search = { since, wanted: left.length, isMeant: ({ id }: Prediction) => left.includes(id), signal };
    const { jobs, isAll } = left.length > 0 ? await this.search(JOBS, search) : { jobs: [], isAll: true };
    const bytes = (this.#known(JOBS).bytes ?? 0) * ids.size;
    return { jobs: [...found.values(), ...jobs], isAll, bytes };
  }

  /** Reads on from the newest end, until so many are found or items were made before a time (epoch ms). */
  async search<K extends ListName>(name: K, search: Search<ItemOf<K>>): Promise<Found<ItemOf<K>>> {
    const { since, wanted, isMeant, signal } = search;
    const { bytes = 1, isTurned } = this.#known(name);
    const beside = Math.min(BESIDE.items, Math.floor(BESIDE.bytes / bytes));
    const size = isTurned ? 1 : Math.min(MOST_ITEMS, wanted + beside);
    const jobs = new Map<string, ItemOf<K>>();
    let [cursor, looked, cost]: [string | undefined, number, number] = [undefined, 0, 0];
    for (let read = 0; read < SEARCH.pages && cost < SEARCH.bytes; read++) {
      const page: ListPage<ItemOf<K>> = await this.page(name, { cursor, size, signal, isNeeded: true });
      const { items, next, previous } = page;
      looked += items.length;
      cost += items.length * (this.#known(name).bytes ?? 0);
      for (const item of items) if (jobs.size < wanted && !jobs.has(item.id) && isMeant(item)) jobs.set(item.id, item);
      const isOlder = Math.min(...items.map(timeOf)) < since - TOLERANCE;
      const isAll = previous === undefined || this.#known(name).isNear;
      if (jobs.size >= wanted || next === undefined || isOlder) return { jobs: [...jobs.values()], isAll, looked };
      cursor = next;
    }
    return { jobs: [...jobs.values()], isAll: false, looked };
  }

  /** A page in the order of the service. A cursor that is an address contains the parameters. @throws ServiceError */
  async ask<K extends ListName>(name: K, query: Reading): Promise<Read<ItemOf<K>>> {
    const { cursor = FIRST, size, signal, further, id, drop } = query;
    const offers = await this.#operations.capabilities();
    const described = offers.of(name)?.query;
    if (!('core' in operations[name]) && !described) throw notOffered();
    const path = offers.pathOf(name, id);
    this.#prefer([...(described?.keys() ?? [])]);
    const address = parametersIn(cursor);
    for (let wanted = size; ;) {
      const sent = this.#named({ cursor: address || cursor === FIRST ? undefined : cursor, size: wanted }, described);
      try {
        const asked = { ...further, ...sent, ...address };
        const answer = await this.#operations.answer({ method: 'GET', path, query: asked, signal, drop });
        const envelope = pages.envelopeOf(answer.body, answer.next);
        const { items, next } = envelope;
        // a size was refused though its name is right: the default of the service is the most
        const isMost = wanted !== size && this.#paging.size !== undefined && next !== undefined;
        if (isMost && items.length > 0) this.#operations.learn('paging', { most: items.length });
        if (!address && !this.#hasEffect(JSON.stringify([path, further]), sent, envelope)) continue;
        const page = pages.readItems(operations[name].item, { ...envelope, next: next === cursor ? undefined : next });
        return { page: page as ListPage<ItemOf<K>>, body: answer.body, bytes: answer.bytes, cursor };
      } catch (error) {
        if (!this.#learnFrom(error, Object.keys(sent))) wanted = undefined;
      }
    }
  }

  get #paging() {
    return this.#operations.learned.paging;
  }

  #known(name: ListName) {
    const list: Learned['lists'][string] = this.#operations.learned.lists[name] ?? {};
    const isTurned = list.order === 'oldest';
    return {
      ...list,
      isTurned,
      isNear: !isTurned || list.end?.isLast === true,
      fitting: Math.max(1, Math.floor(PAGE_BYTES / (list.bytes ?? 1))),
      /** Of pages that were read before: a cursor may hold only for pages of the size that it came from. */
      size: list.end?.size ?? MOST_ITEMS,
    };
  }

  #turned<T>(name: ListName, { page, cursor }: Read<T>): ListPage<T> {
    if (!this.#known(name).isTurned) return page;
    const next = page.previous ?? this.#before.get(cursor);
    return { ...page, items: page.items.toReversed(), next, previous: page.next };
  }

  /** Goes on from where the newest end was last, as far as that costs little. */
  async #toEnd<K extends ListName>(name: K, query: Reading) {
    const { end, fitting } = this.#known(name);
    const size = end?.size ?? (fitting === 2 ? 1 : Math.min(MOST_ITEMS, fitting));
    const read = (cursor: string) => this.#read(name, { ...query, cursor, size });
    const known = end && end.cursor !== FIRST ? await read(end.cursor).catch(unless(isExpired)) : undefined;
    let at = known ?? (await this.#lastPlace(await read(FIRST), size, read));
    let cost = at.bytes;
    const { items, total = Infinity } = at.page;
    const isLong = query.isNeeded && (total * cost) / items.length <= WALK.atLength;
    const most = isLong ? { pages: Math.min(1_000, WALK.pages + total / items.length), bytes: WALK.atLength } : WALK;
    try {
      for (let walked = 0; at.page.next !== undefined && walked < most.pages && cost < most.bytes; walked++) {
        this.#before.set(at.page.next, at.cursor);
        at = await read(at.page.next);
        cost += at.bytes;
      }
    } finally {
      const end = { cursor: at.cursor, size, isLast: at.page.next === undefined };
      this.#operations.learn('lists', { [name]: { ...this.#operations.learned.lists[name], end } });
    }
    return at;
  }

  async #lastPlace<P extends Read<Item>>(first: P, size: number, read: (cursor: string) => Promise<P>): Promise<P> {
    const places = placesIn(first.page, size);
    if (places.length < 2) return first;
    const names = this.#names;
    // what answers a cursor that was never given may be of any kind, and says nothing of the names
    const last = await read(places[0]).catch(unless((error) => isPassing(error) || isExpired(error)));
    if (last?.page.items.some((item) => timeOf(item) > Math.max(...first.page.items.map(timeOf)))) {
      for (const [index, place] of places.slice(0, -1).entries()) this.#before.set(place, places[index + 1]);
      return last;
    }
    this.#names = names;
    return first;
  }

  /** A page in the order of the service, smaller than asked for where it would weigh too much. */
  async #read<K extends ListName>(name: K, query: Reading): Promise<Read<ItemOf<K>>> {
    const size = query.size && isPlain(query) ? Math.min(query.size, this.#known(name).fitting) : query.size;
    try {
      const read = await this.ask(name, { ...query, size });
      if (isPlain(query)) this.#weigh(name, read);
      return read;
    } catch (error) {
      const isSmaller = error instanceof ServiceError && error.kind === 'too-large' && (size ?? MOST_ITEMS) > 1;
      if (!isSmaller) throw error;
      return this.#read(name, { ...query, size: Math.floor((size ?? MOST_ITEMS) / 4) || 1 });
    }
  }

  #weigh(name: ListName, { page: { items }, bytes, cursor }: Read<Item>): void {
    if (items.length === 0) return;
    const order = orderOf(items) ?? this.#known(name).order;
    const weight = 2 ** Math.ceil(Math.log2(Math.max(1, bytes / items.length)));
    this.#operations.learn('lists', { [name]: { ...this.#operations.learned.lists[name], bytes: weight, order } });
    if (name !== JOBS) return;
    const models = new Map(Object.entries(this.#operations.learned.models));
    for (const item of items) {
      this.see(item.id, timeOf(item), cursor === FIRST && order !== 'oldest' ? undefined : cursor);
      const { ai_model_id: id = '' } = item;
      if (id !== '') models.set(id, Math.max(models.get(id) ?? 0, timeOf(item) || Date.now()));
    }
    this.#operations.learn('models', Object.fromEntries(models));
  }

  see(id: string, at: number, cursor?: string): void {
    if (Number.isNaN(at) && cursor === undefined) return;
    this.#seen.delete(id);
    this.#seen.set(id, { at: Number.isNaN(at) ? -Infinity : at, cursor });
    for (const oldest of this.#seen.keys()) if (this.#seen.size > MOST_SEEN) this.#seen.delete(oldest);
  }

  async #isUnweighed(name: ListName, { cursor, size = MOST_ITEMS }: ListQuery): Promise<boolean> {
    const isKnown =
      name !== JOBS || cursor !== undefined || size <= FIRST_SIZE || this.#known(name).bytes !== undefined;
    return !isKnown && !(await this.#operations.capabilities()).asks(name, 'include_series');
  }

  #named({ cursor, size }: ListQuery, described: ReadonlyMap<string, Field> | undefined): Record<string, string> {
    const name = this.#nameOf('size');
    const most = this.#paging.most ?? described?.get(name ?? '')?.maximum ?? MOST_ITEMS;
    return {
      ...(cursor !== undefined && { [this.#nameOf('cursor') ?? PARAMETERS.cursor[0]]: cursor }),
      ...(size !== undefined && name && { [name]: String(Math.min(size, Math.max(1, most))) }),
    };
  }

  #nameOf(parameter: keyof typeof PARAMETERS): string | undefined {
    return this.#paging[parameter] ?? this.#names.find((name) => PARAMETERS[parameter].includes(name));
  }

  #prefer(names: readonly string[]): void {
    const rank = (name: string) => names.indexOf(name) + 1 || names.length + 1;
    this.#names = this.#names.toSorted((a, b) => rank(a) - rank(b));
  }

  /** @param sent names of parameters @returns whether a size may be sent again @throws the error where it teaches nothing */
  #learnFrom(error: unknown, sent: readonly string[]): boolean {
    const isRefusal = error instanceof ServiceError && error.kind === 'refused' && sent.length > 0;
    if (!isRefusal) throw error;
    const name = pages.namesIn(error, sent)[0] ?? sent.at(-1);
    const isSize = name === this.#nameOf('size');
    const isKnown = this.#paging[isSize ? 'size' : 'cursor'] !== undefined;
    if (isKnown && isSize) return false;
    this.#judge(name, false);
    if (isKnown || (!isSize && this.#nameOf('cursor') === undefined)) throw error;
    const words = pages.wordsIn(error.reason ?? '', this.#names);
    this.#prefer(words);
    return !isSize || words.some((word) => PARAMETERS.size.includes(word));
  }

  /** Learns the names from the effect of the parameters. @returns whether the cursor has one, as far as it can */
  #hasEffect(list: string, sent: Readonly<Record<string, string>>, { items, next }: pages.Envelope): boolean {
    const [sizeName = '', cursorName = ''] = [this.#nameOf('size'), this.#nameOf('cursor')];
    const [size, cursor] = [Number(sent[sizeName] ?? NaN), sent[cursorName] as string | undefined];
    if (items.length > size || (items.length === size && next !== undefined))
      this.#judge(sizeName, items.length === size, 'size');
    const [first] = items.map((item) => isObject(item) && JSON.stringify(item.id ?? null));
    const before = this.#first.get(list);
    if (cursor === undefined) this.#first.set(list, first);
    if (cursor === undefined || this.#paging.cursor !== undefined || items.length === 0) return true;
    const isFirst = before === undefined ? next === cursor : before === first;
    if (isFirst || before !== undefined) this.#judge(cursorName, !isFirst, 'cursor');
    return !isFirst || this.#nameOf('cursor') === undefined;
  }

  /** Remembers the name of a parameter that has an effect, and takes another for one that has none. */
  #judge(name: string | undefined, hasEffect: boolean, parameter?: keyof typeof PARAMETERS): void {
    if (parameter && this.#paging[parameter] !== undefined) return;
    if (hasEffect && parameter) this.#operations.learn('paging', { [parameter]: name });
    else this.#names = this.#names.filter((one) => one !== name);
  }
}

/** A number in a cursor, or in the parameters of one that is an address but for sizes; nothing that is percent-quoted. */
const PLACE = new RegExp(`(?<!%|%[\\dA-F]|\\d|(?:${PARAMETERS.size.join('|')})=)\\d+(?![^?]*\\?)`, 'g');

/** Cursors from the last page to the first, where one number in them tells the place. @param size of the pages */
function placesIn({ next = '', items, total = 0 }: ListPage<unknown>, size: number): string[] {
  const pages = Math.ceil(total / size);
  const [place, ...others] = next.match(PLACE) ?? [];
  const isOffset = Number(place) === size && items.length === size;
  if (others.length > 0 || pages > 10_000 || !(isOffset || place === '2')) return [];
  const cursorOf = (page: number) => next.replace(PLACE, String(isOffset ? (page - 1) * size : page));
  return Array.from({ length: pages }, (_, after) => (after === pages - 1 ? FIRST : cursorOf(pages - after)));
}

/** The parameters of a cursor that is an address, as `https://host/predictions?page=2` or `?offset=20`; nothing else of it is used. */
function parametersIn(cursor = ''): Readonly<Record<string, string>> | undefined {
  const [, query] = /^(?:(?:https?:\/\/|\/)[^?]*)?\?(.+)$/.exec(cursor) ?? [];
  return query === undefined ? undefined : Object.fromEntries(new URLSearchParams(query));
}

export function orderOf(items: readonly Item[]): 'newest' | 'oldest' | undefined {
  const [first, last] = [items.at(0), items.at(-1)].map((item) => (item ? timeOf(item) : NaN));
  return last > first ? 'oldest' : last < first ? 'newest' : undefined;
}

const isExpired = (error: unknown) => isGone(error) || (error instanceof ServiceError && error.kind === 'refused');

const isPlain = ({ id = '', further = {} }: Reading): boolean =>
  id === '' && Object.values(further).every((value) => value === undefined);

const timeOf = ({ created_at }: Item): number => parseTimestamp(created_at ?? '');
