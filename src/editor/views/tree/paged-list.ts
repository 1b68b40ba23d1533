import * as vscode from 'vscode';
import type { ListPage } from '../../../client/page.ts';

/** Reads one page: the first without a cursor. */
export type LoadPage<T> = (cursor: string | undefined, signal: AbortSignal) => Promise<ListPage<T>>;

interface Read<T> {
  readonly items: readonly T[];
  readonly unreadable: readonly string[];
  readonly total?: number | undefined;
  readonly next?: string | undefined;
  readonly pages: number;
  /** Why the last reading failed; what was read before stays. */
  readonly problem?: unknown;
  /** When it was read from its beginning (epoch milliseconds). */
  readonly readAt: number;
  /** Whether it is old, as reading it again failed. */
  readonly isStale: boolean;
}

const NOTHING: Read<never> = { items: [], unreadable: [], pages: 0, readAt: 0, isStale: false };

/**
 * The pages of one list that were read so far. Painting it never reads anything: only {@link first}, {@link more} and
 * {@link refresh} do, one at a time.
 */
export class PagedList<T extends { readonly id: string }> {
  readonly #load: LoadPage<T>;
  readonly #changed: () => void;
  #abort = new AbortController();
  #loading: Promise<void> | undefined;
  /** The refresh that comes after the reading under way. */
  #again: Promise<void> | undefined;
  #read: Read<T> = NOTHING;

  /** @param changed called after each reading */
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

  /**
   * Reads as many pages again as are shown, and replaces them at once, so that the list keeps its place. While a reading
   * is under way, whose answer may be older than this call, it comes after that one; several such calls are one.
   */
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

  /** Puts other forms of the items in their places, or in another order. */
  update(change: (items: readonly T[]) => readonly T[]): void {
    this.#read = { ...this.#read, items: change(this.#read.items) };
    this.#changed();
  }

  /** Forgets all, as when another service is in use. */
  reset(): void {
    this.#abort.abort();
    this.#abort = new AbortController();
    this.#loading = this.#again = undefined;
    this.#read = NOTHING;
  }

  /** Reads on from what was read until there are so many pages. An answer that comes after a reset is not taken. */
  #run(from: Read<T>, pages: number): Promise<void> {
    if (this.#loading) return this.#loading;
    const { signal } = this.#abort;
    const reading = async (): Promise<void> => {
      try {
        const read = await this.#readOn(from, pages, signal);
        if (!signal.aborted) this.#read = read;
      } catch (problem) {
        const isStale = from === NOTHING && this.items.length > 0;
        if (!signal.aborted) this.#read = { ...this.#read, problem, isStale };
      }
      if (signal.aborted) return;
      this.#loading = undefined;
      this.#changed();
    };
    return (this.#loading = reading());
  }

  async #readOn(from: Read<T>, pages: number, signal: AbortSignal): Promise<Read<T>> {
    let read: Read<T> = {
      ...from,
      problem: undefined,
      isStale: false,
      readAt: from === NOTHING ? Date.now() : from.readAt,
    };
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
        ...(repeats ? { problem: new RepeatedPageError() } : {}),
      };
    }
    return read;
  }
}

/** The service sends the same page again and again. */
export class RepeatedPageError extends Error {
  constructor() {
    super(vscode.l10n.t('The service sent the same page again, so the list ends here.'));
    this.name = 'RepeatedPageError';
  }
}
