import * as vscode from 'vscode';
import type { ListPage } from '../../../client/page.ts';
import { MessageError } from '../../ui/say.ts';

type LoadPage<T> = (cursor: string | undefined, signal: AbortSignal) => Promise<ListPage<T>>;

interface Read<T> {
  readonly items: readonly T[];
  readonly unreadable: readonly string[];
  readonly total?: number | undefined;
  readonly next?: string | undefined;
  readonly pages: number;
  readonly problem?: unknown;
  /** When it was loaded from its beginning (epoch milliseconds). */
  readonly readAt: number;
  readonly isStale: boolean;
}

const NOTHING: Read<never> = { items: [], unreadable: [], pages: 0, readAt: 0, isStale: false };

/** The loaded pages of a list. Only {@link first}, {@link more} and {@link refresh} load, one at a time. */
export class PagedList<T extends { readonly id: string }> {
  readonly #load: LoadPage<T>;
  readonly #changed: () => void;
  #abort = new AbortController();
  #loading: Promise<void> | undefined;
  #again: Promise<void> | undefined;
  #read: Read<T> = NOTHING;

  constructor(load: LoadPage<T>, changed: () => void) {
    this.#load = load;
    this.#changed = changed;
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
    const { signal } = this.#abort;
    return (this.#again ??= running.then(() => {
      if (signal.aborted) return;
      this.#again = undefined;
      return this.refresh();
    }));
  }

  update(change: (items: readonly T[]) => readonly T[]): void {
    this.#read = { ...this.#read, items: change(this.#read.items) };
    this.#changed();
  }

  /** Forgets everything; answers that come later are dropped. */
  reset(): void {
    this.#abort.abort();
    this.#abort = new AbortController();
    this.#loading = this.#again = undefined;
    this.#read = NOTHING;
  }

  #run(from: Read<T>, pages: number): Promise<void> {
    if (this.#loading) return this.#loading;
    const { signal } = this.#abort;
    const loading = async (): Promise<void> => {
      try {
        const read = await this.#loadOn(from, pages, signal);
        if (!signal.aborted) this.#read = read;
      } catch (problem) {
        const isStale = from === NOTHING && this.items.length > 0;
        if (!signal.aborted) this.#read = { ...this.#read, problem, isStale };
      }
      if (signal.aborted) return;
      this.#loading = undefined;
      this.#changed();
    };
    return (this.#loading = loading());
  }

  async #loadOn(from: Read<T>, pages: number, signal: AbortSignal): Promise<Read<T>> {
    const readAt = from === NOTHING ? Date.now() : from.readAt;
    const repeated = vscode.l10n.t('The service sent the same page again, so the list ends here.');
    let read: Read<T> = { ...from, problem: undefined, isStale: false, readAt };
    while (read.pages < pages && (read.pages === 0 || read.next !== undefined)) {
      const { items, unreadable, total, next } = await this.#load(read.next, signal);
      signal.throwIfAborted();
      const known = new Set(read.items.map(({ id }) => id));
      const fresh = items.filter(({ id }) => !known.has(id));
      const repeats = next !== undefined && (next === read.next || (fresh.length === 0 && items.length > 0));
      read = {
        ...read,
        items: [...read.items, ...fresh],
        unreadable: [...read.unreadable, ...unreadable],
        total,
        next: repeats ? undefined : next,
        pages: read.pages + 1,
        ...(repeats ? { problem: new MessageError(repeated) } : {}),
      };
    }
    return read;
  }
}
