import * as vscode from 'vscode';
import type { ListPage } from '../../../client/page.ts';

/** Reads one page: the first without a cursor. */
export type LoadPage<T> = (cursor: string | undefined, signal: AbortSignal) => Promise<ListPage<T>>;

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
  #pages = 0;
  #items: readonly T[] = [];
  #unreadable: readonly string[] = [];
  #next: string | undefined;
  #total: number | undefined;
  #problem: unknown;
  #readAt = 0;
  #isStale = false;

  /** @param changed called after each reading */
  constructor(load: LoadPage<T>, changed: () => void) {
    this.#load = load;
    this.#changed = changed;
  }

  get items(): readonly T[] {
    return this.#items;
  }
  get unreadable(): readonly string[] {
    return this.#unreadable;
  }
  get hasMore(): boolean {
    return this.#next !== undefined;
  }
  get total(): number | undefined {
    return this.#total;
  }
  get isLoading(): boolean {
    return this.#loading !== undefined;
  }
  get isLoaded(): boolean {
    return this.#pages > 0 || this.#problem !== undefined;
  }
  /** Why the last reading failed; what was read before stays. */
  get problem(): unknown {
    return this.#problem;
  }

  /** When what is shown was read from its beginning (epoch milliseconds). */
  get readAt(): number {
    return this.#readAt;
  }
  /** Whether what is shown is old, as reading it again failed. */
  get isStale(): boolean {
    return this.#isStale;
  }

  /** Reads the first page, once. */
  async first(): Promise<void> {
    if (!this.isLoaded) await this.#run((signal) => this.#read(1, signal));
  }

  /** Reads one page more. */
  more(): Promise<void> {
    return this.#run(async (signal) => {
      if (this.#next === undefined) return;
      const cursor = this.#next;
      const page = await this.#page(cursor, signal);
      const known = new Set(this.#items.map((item) => item.id));
      const fresh = page.items.filter((item) => !known.has(item.id));
      this.#pages++;
      this.#take([...this.#items, ...fresh], [...this.#unreadable, ...page.unreadable], page, cursor, fresh.length);
    });
  }

  /**
   * Reads as many pages again as are shown, and replaces them at once, so that the list keeps its place. While a reading
   * is under way, whose answer may be older than this call, it comes after that one; several such calls are one.
   */
  refresh(): Promise<void> {
    const running = this.#loading;
    if (!running) return this.#run((signal) => this.#read(Math.max(1, this.#pages), signal), true);
    const { signal } = this.#abort;
    return (this.#again ??= running.then(() => {
      if (signal.aborted) return;
      this.#again = undefined;
      return this.refresh();
    }));
  }

  /** Puts a newer form of an item in its place. */
  replace(item: T): void {
    this.#items = this.#items.map((known) => (known.id === item.id ? item : known));
    this.#changed();
  }

  /** Puts other forms of the items in their places, or in another order. */
  update(change: (items: readonly T[]) => readonly T[]): void {
    this.#items = change(this.#items);
    this.#changed();
  }

  /** Forgets all, as when another service is in use. */
  reset(): void {
    this.#abort.abort();
    this.#abort = new AbortController();
    this.#loading = this.#again = undefined;
    this.#pages = 0;
    this.#items = this.#unreadable = [];
    this.#next = this.#total = this.#problem = undefined;
    this.#isStale = false;
  }

  /** An answer that comes after a reset is not taken. */
  async #page(cursor: string | undefined, signal: AbortSignal): Promise<ListPage<T>> {
    const page = await this.#load(cursor, signal);
    signal.throwIfAborted();
    return page;
  }

  async #read(pages: number, signal: AbortSignal): Promise<void> {
    const items = new Map<string, T>();
    const unreadable: string[] = [];
    let cursor: string | undefined;
    let count = 0;
    for (;;) {
      const page = await this.#page(cursor, signal);
      const before = items.size;
      for (const item of page.items) items.set(item.id, item);
      unreadable.push(...page.unreadable);
      count++;
      const isLast = count >= pages || page.next === undefined || items.size === before;
      if (isLast) {
        this.#pages = count;
        this.#readAt = Date.now();
        this.#take([...items.values()], unreadable, page, cursor, items.size - before);
        return;
      }
      cursor = page.next;
    }
  }

  #take(
    items: readonly T[],
    unreadable: readonly string[],
    page: ListPage<T>,
    cursor: string | undefined,
    fresh: number,
  ) {
    this.#items = items;
    this.#unreadable = unreadable;
    this.#total = page.total;
    this.#next = page.next;
    const repeats = page.next !== undefined && (page.next === cursor || (fresh === 0 && page.items.length > 0));
    if (repeats) {
      this.#next = undefined;
      throw new RepeatedPageError();
    }
  }

  #run(read: (signal: AbortSignal) => Promise<void>, isRefresh = false): Promise<void> {
    if (this.#loading) return this.#loading;
    const { signal } = this.#abort;
    const loading = read(signal)
      .then(
        () => {
          if (signal.aborted) return;
          this.#problem = undefined;
          if (isRefresh) this.#isStale = false;
        },
        (error: unknown) => {
          if (signal.aborted) return;
          this.#problem = error;
          this.#isStale = isRefresh && this.#items.length > 0 && !(error instanceof RepeatedPageError);
        },
      )
      .then(() => {
        if (signal.aborted) return;
        this.#loading = undefined;
        this.#changed();
      });
    this.#loading = loading;
    return loading;
  }
}

/** The service sends the same page again and again. */
export class RepeatedPageError extends Error {
  constructor() {
    super(vscode.l10n.t('The service sent the same page again, so the list ends here.'));
    this.name = 'RepeatedPageError';
  }
}
