import * as vscode from 'vscode';
import type { ListPage } from '../../client/page.ts';
import { MessageError } from './say.ts';

export type Page<T> = Omit<ListPage<T>, 'previous'> & { readonly problem?: unknown };

interface Read<T> extends Page<T> {
  readonly pages: number;
}

export const NOTHING = { items: [], unreadable: [], total: undefined, next: undefined, pages: 0 };

type Load<T> = (cursor: string | undefined, signal: AbortSignal) => Promise<Page<T>>;
type Change<T> = (items: readonly T[]) => readonly T[];

async function readOn<T extends { readonly id: string }>(
  load: Load<T>,
  { next: cursor, ...read }: Read<T>,
  signal = new AbortController().signal,
): Promise<Read<T>> {
  const { items, unreadable, total, next, problem } = await load(cursor, signal);
  signal.throwIfAborted();
  const all = new Map(read.items.map((item) => [item.id, item]));
  for (const item of items) if (!all.has(item.id)) all.set(item.id, item);
  const isKnown = all.size === read.items.length && items.length > 0;
  const repeats = next !== undefined && (next === cursor || isKnown);
  const repeated = vscode.l10n.t('The service sent the same page again, so the list ends here.');
  return {
    items: [...all.values()],
    unreadable: [...read.unreadable, ...unreadable],
    total,
    next: repeats ? undefined : next,
    pages: read.pages + 1,
    problem: repeats ? new MessageError(repeated) : problem,
  };
}

export async function readWhile<T extends { readonly id: string }>(
  load: Load<T>,
  goesOn: (read: Read<T>) => boolean,
  { from = NOTHING, signal }: { readonly from?: Read<T>; readonly signal?: AbortSignal } = {},
): Promise<Read<T>> {
  let read = await readOn(load, from, signal);
  while (read.next !== undefined && goesOn(read)) read = await readOn(load, read, signal);
  return read;
}

/** The loaded pages of a list. Only {@link first}, {@link more} and {@link refresh} load, one at a time. */
export class PagedList<T extends { readonly id: string }> {
  readonly #load: Load<T>;
  readonly #changed: () => void;
  readonly #arrange: Change<T>;
  readonly #abort = new AbortController();
  #loading: Promise<void> | undefined;
  #again: Promise<void> | undefined;
  read: Read<T> = NOTHING;
  isStale = false;
  readAt = 0; // when it was loaded from its beginning (epoch milliseconds)

  constructor(load: Load<T>, changed: () => void = () => undefined, arrange: Change<T> = (items) => items) {
    this.#load = load;
    this.#changed = changed;
    this.#arrange = arrange;
  }

  get items(): readonly T[] {
    return this.read.items;
  }
  get hasMore(): boolean {
    return this.read.next !== undefined;
  }
  get isLoading(): boolean {
    return this.#loading !== undefined;
  }
  get isLoaded(): boolean {
    return this.read.pages > 0 || this.read.problem !== undefined;
  }

  async first(): Promise<void> {
    if (!this.isLoaded) await this.#run(NOTHING, 1);
  }

  async more(): Promise<void> {
    if (this.isLoading || this.hasMore) await this.#run(this.read, this.read.pages + 1);
  }

  /** Loads as many pages again, after a current load, whose answer may be older than this call. */
  refresh(): Promise<void> {
    const running = this.#loading;
    if (!running) return this.#run(NOTHING, Math.max(1, this.read.pages));
    return (this.#again ??= running.then(() => {
      this.#again = undefined;
      return this.#abort.signal.aborted ? undefined : this.refresh();
    }));
  }

  update(change: Change<T> = (items) => items): void {
    this.read = { ...this.read, items: this.#arrange(change(this.read.items)) };
    this.#changed();
  }

  dispose(): void {
    this.#abort.abort();
  }

  #run(from: Read<T>, pages: number): Promise<void> {
    const { signal } = this.#abort;
    const loading = async (): Promise<void> => {
      const readAt = from === NOTHING ? Date.now() : this.readAt;
      try {
        const read = await readWhile(this.#load, (now) => now.pages < pages, { from, signal });
        Object.assign(this, { read: { ...read, items: this.#arrange(read.items) }, readAt, isStale: false });
      } catch (problem) {
        if (signal.aborted) return;
        this.isStale = from === NOTHING && this.items.length > 0;
        this.read = { ...this.read, problem };
      } finally {
        this.#loading = undefined;
      }
      this.#changed();
    };
    return (this.#loading ??= loading());
  }
}

const MOST = 2000;
const MOST_PAGES = 50;

/** The items of all pages of a list, up to a limit. */
export async function allItems<T extends { readonly id: string }>(load: Load<T>): Promise<readonly T[]> {
  return (await readWhile(load, ({ items, pages }) => items.length < MOST && pages < MOST_PAGES)).items;
}

/** The items read so far, as they are shown, with each page. */
export async function* pagesOf<I extends { readonly id: string }, T>(
  load: Load<I>,
  show: (items: readonly I[]) => readonly T[] | Promise<readonly T[]>,
): AsyncGenerator<readonly T[], undefined> {
  let read: Read<I> = NOTHING;
  do {
    read = await readOn(load, read);
    yield await show(read.items);
  } while (read.next !== undefined);
}
