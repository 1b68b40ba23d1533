import * as z from 'zod/mini';

const KnownList = z.object({
  /** Where it begins, as its `created_at` told. */
  order: z.optional(z.enum(['newest', 'oldest'])),
  /** Of an item of the page that was read last. */
  bytes: z.optional(z.number()),
  /** Of a list that begins with the oldest: the page that is nearest to the newest end; without a cursor, the first. */
  end: z.optional(z.object({ cursor: z.optional(z.string()), size: z.number(), isLast: z.boolean() })),
});
export type KnownList = z.infer<typeof KnownList>;

/** What the use of a service has taught about it, beyond its description. */
export const Learned = z.object({
  lists: z.record(z.string(), KnownList),
  /** What the paging parameters are called, and the largest size that was not refused. */
  paging: z.object({ cursor: z.optional(z.string()), size: z.optional(z.string()), most: z.optional(z.number()) }),
  /** Fields that a creation was refused for not having, by the creation. */
  required: z.record(z.string(), z.array(z.string())),
  /** Where a path was moved for good, by the path before. */
  moved: z.record(z.string(), z.string()),
  /** Models that predictions named, each with when it was last seen (epoch milliseconds). */
  models: z.record(z.string(), z.number()),
  /** Whether a prediction can be read by its id, where no description tells. */
  reads: z.optional(z.boolean()),
  /** Whether something on the way cuts a request that waits for its forecast. */
  cuts: z.optional(z.boolean()),
});
export type Learned = z.infer<typeof Learned>;

export interface LearnedStore {
  get(): Learned | undefined;
  set(learned: Learned): void;
}

const MOST_MODELS = 200;

/** The record of one service: read once, written when something of it is new. */
export class Learning {
  readonly #store: LearnedStore | undefined;
  now: Learned;

  /** @param store where it outlives this client */
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

  sawModels(seen: readonly { readonly id: string; readonly at: number }[]): void {
    const models = { ...this.now.models };
    for (const { id, at } of seen) if (!(models[id] >= at)) models[id] = at;
    const newest = Object.entries(models).sort(([, a], [, b]) => b - a);
    this.set({ models: Object.fromEntries(newest.slice(0, MOST_MODELS)) });
  }
}
