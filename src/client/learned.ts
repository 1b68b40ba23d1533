import * as z from 'zod/mini';

const KnownList = z.object({
  /** Which end comes first, by `created_at`. */
  order: z.optional(z.enum(['newest', 'oldest'])),
  /** Of an item of the last page, rounded up to a power of two. */
  bytes: z.optional(z.number()),
  /** Of a list that is oldest first: the page nearest to the newest end. */
  end: z.optional(z.object({ cursor: z.string(), size: z.number(), isLast: z.boolean() })),
});

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

export const NOTHING: Learned = { lists: {}, paging: {}, required: {}, moved: {}, models: {} };
