import * as vscode from 'vscode';
import type { ServiceClient } from '../../client/client.ts';
import type { ListPage } from '../../client/page.ts';
import { MessageError } from './say.ts';

interface Read<T> extends Pick<ListPage<T>, 'items' | 'unreadable' | 'total' | 'next'> {
  readonly pages: number;
  readonly problem?: unknown;
  /** When it was loaded from its beginning (epoch milliseconds). */
  readonly readAt: number;
  readonly isStale: boolean;
}

const NOTHING = { items: [], unreadable: [], total: undefined, next: undefined, pages: 0, readAt: 0, isStale: false };

type Load<T> = (cursor: string | undefined, signal: AbortSignal) => Promise<ListPage<T>>;
type Change<T> = (items: readonly T[]) => readonly T[];

/** The loaded pages of a list. Only {@link first}, {@link more} and {@link refresh} load, one at a time. */
export class PagedList<T extends { readonly id: string }> {
  readonly #load: Load<T>;
  readonly #changed: () => void;
  readonly #arrange: Change<T>;
  readonly #abort = new AbortController();
  #loading: Promise<void> | undefined;
  #again: Promise<void> | undefined;
  #read: Read<T> = NOTHING;

  constructor(load: Load<T>, changed: () => void = () => undefined, arrange: Change<T> = (items) => items) {
    this.#load = load;
    this.#changed = changed;
    this.#arrange = arrange;
  }

  get read(): Read<T> {
    return this.#read;
  }
  get items(): readonly T[] {
    return this.#read.items;
  }
  get hasMore(): boolean {
    return this.#read.next !== undefined;
  }
  get isLoading(): boolean {
    return this.#loading !== undefined;
  }
  get isLoaded(): boolean {
    return this.#read.pages > 0 || this.#read.problem !== undefined;
  }

  async first(): Promise<void> {
    if (!this.isLoaded) await this.#run(NOTHING, 1);
  }

  async more(): Promise<void> {
    if (this.isLoading || this.hasMore) await this.#run(this.#read, this.#read.pages + 1);
  }

  /** Loads as many pages again, after a current load, whose answer may be older than this call. */
  refresh(): Promise<void> {
    const running = this.#loading;
    if (!running) return this.#run(NOTHING, Math.max(1, this.#read.pages));
    return (this.#again ??= running.then(() => {
      this.#again = undefined;
      return this.#abort.signal.aborted ? undefined : this.refresh();
    }));
  }

  update(change: Change<T> = (items) => items): void {
    this.#read = { ...this.#read, items: this.#arrange(change(this.#read.items)) };
    this.#changed();
  }

  dispose(): void {
    this.#abort.abort();
  }

  #run(from: Read<T>, pages: number): Promise<void> {
    const { signal } = this.#abort;
    const loading = async (): Promise<void> => {
      try {
        const read = await this.#loadOn(from, pages);
        this.#read = { ...read, items: this.#arrange(read.items) };
      } catch (problem) {
        const isStale = from === NOTHING && this.items.length > 0;
        if (!signal.aborted) this.#read = { ...this.#read, problem, isStale };
      }
      this.#loading = undefined;
      if (!signal.aborted) this.#changed();
    };
    return (this.#loading ??= loading());
  }

  async #loadOn(from: Read<T>, pages: number): Promise<Read<T>> {
    const { signal } = this.#abort;
    const readAt = from === NOTHING ? Date.now() : from.readAt;
    let read: Read<T> = { ...from, problem: undefined, isStale: false, readAt };
    while (read.pages < pages && (read.pages === 0 || read.next !== undefined)) {
      const { items, unreadable, total, next } = await this.#load(read.next, signal);
      signal.throwIfAborted();
      const all = new Map(read.items.map((item) => [item.id, item]));
      for (const item of items) if (!all.has(item.id)) all.set(item.id, item);
      const isKnown = all.size === read.items.length && items.length > 0;
      const repeats = next !== undefined && (next === read.next || isKnown);
      const repeated = vscode.l10n.t('The service sent the same page again, so the list ends here.');
      read = {
        ...read,
        items: [...all.values()],
        unreadable: [...read.unreadable, ...unreadable],
        total,
        next: repeats ? undefined : next,
        pages: read.pages + 1,
        problem: repeats ? new MessageError(repeated) : undefined,
      };
    }
    return read;
  }
}

const MOST = 2000;
const MOST_PAGES = 50;

/** @throws the failure of a page, unless it is one that repeats itself */
async function readOn<T extends { readonly id: string }>(list: PagedList<T>): Promise<Read<T>> {
  await (list.isLoaded ? list.more() : list.first());
  const { problem } = list.read;
  if (problem !== undefined && !(problem instanceof MessageError)) throw problem as Error;
  return list.read;
}

/** The items of all pages of a list, up to a limit. @returns `isAll`: whether there are no others */
export async function allItems<T extends { readonly id: string }>(load: Load<T>) {
  const list = new PagedList(load);
  let read = await readOn(list);
  while (list.hasMore && read.items.length < MOST && read.pages < MOST_PAGES) read = await readOn(list);
  const { items, unreadable, problem } = read;
  return { items, isAll: unreadable.length === 0 && problem === undefined && !list.hasMore };
}

/** @param withJobs whether also those stored for jobs */
export const allDatasets = (client: Pick<ServiceClient, 'listDatasets'>, signal?: AbortSignal, withJobs = false) =>
  allItems((cursor) => client.listDatasets({ size: 200, cursor, signal }, withJobs));

export interface Listing<T> {
  readonly items: readonly T[];
  readonly total?: number | undefined;
  readonly more?: (() => Promise<Listing<T>>) | undefined;
  /** Whether `more` is read at once and replaces these items. */
  readonly isFirst?: boolean | undefined;
}

/** Pages as a list that is read on. @param show the entries of all items so far */
export async function pagesOf<I extends { readonly id: string }, T>(
  load: Load<I>,
  show: (items: readonly I[]) => readonly T[] | Promise<readonly T[]>,
): Promise<Listing<T>> {
  const list = new PagedList(load);
  const read = async (): Promise<Listing<T>> => {
    const { items, total } = await readOn(list);
    return { items: await show(items), total, more: list.hasMore ? read : undefined };
  };
  return read();
}
