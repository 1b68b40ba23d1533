import * as z from 'zod/mini';

const KnownList = z.object({
  /** Which end comes first, by `created_at`. */
  order: z.optional(z.enum(['newest', 'oldest'])),
  /** Of an item of the last page, rounded up to a power of two. */
  bytes: z.optional(z.number()),
  /** Of a list that is oldest first: the page nearest to the newest end; without a cursor, the first. */
  end: z.optional(z.object({ cursor: z.optional(z.string()), size: z.number(), isLast: z.boolean() })),
});
export type KnownList = z.infer<typeof KnownList>;

export const Learned = z.object({
  lists: z.record(z.string(), KnownList),
  paging: z.object({ cursor: z.optional(z.string()), size: z.optional(z.string()), most: z.optional(z.number()) }),
  /** Fields that a creation was refused for not having, by the creation. */
  required: z.record(z.string(), z.array(z.string())),
  /** The targets of permanent redirects by the path before. */
  moved: z.record(z.string(), z.string()),
  /** Models that predictions named, each with when it was last seen (epoch milliseconds). */
  models: z.record(z.string(), z.number()),
  /** Whether a prediction can be read by its ID, where no description tells. */
  reads: z.optional(z.boolean()),
  /** Whether a proxy cuts a request that waits for its forecast. */
  cuts: z.optional(z.boolean()),
});
export type Learned = z.infer<typeof Learned>;

export interface LearnedStore {
  get(): Learned | undefined;
  set(learned: Learned): void;
}

const MOST_MODELS = 200;
const MOST_MOVED = 20;

export class Learning {
  readonly #store: LearnedStore | undefined;
  now: Learned;

  constructor(store?: LearnedStore) {
    this.#store = store;
    this.now = store?.get() ?? { lists: {}, paging: {}, required: {}, moved: {}, models: {} };
  }

  set(change: Partial<Learned>): void {
    const next = { ...this.now, ...change };
    if (JSON.stringify(next) === JSON.stringify(this.now)) return;
    this.now = next;
    this.#store?.set(next);
  }

  list(name: string): KnownList {
    return this.now.lists[name] ?? {};
  }

  setList(name: string, change: KnownList): void {
    this.set({ lists: { ...this.now.lists, [name]: { ...this.list(name), ...change } } });
  }

  setPaging(change: Learned['paging']): void {
    this.set({ paging: { ...this.now.paging, ...change } });
  }

  setMoved(from: string, to: string | undefined): void {
    const { [from]: _, ...others } = this.now.moved;
    const moved = to === undefined ? others : { ...others, [from]: to };
    this.set({ moved: Object.fromEntries(Object.entries(moved).slice(-MOST_MOVED)) });
  }

  sawModels(seen: readonly { readonly id: string; readonly at: number }[]): void {
    const models = { ...this.now.models };
    for (const { id, at } of seen) if (!(models[id] >= at)) models[id] = at;
    const newest = Object.entries(models).sort(([, a], [, b]) => b - a);
    this.set({ models: Object.fromEntries(newest.slice(0, MOST_MODELS)) });
  }
}
