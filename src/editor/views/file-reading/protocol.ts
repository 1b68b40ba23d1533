import * as z from 'zod/mini';
import { Layout } from '../../files/choices.ts';

const ROLES = ['time', 'value', 'key', 'covariate', 'left-out'] as const;
export type Role = (typeof ROLES)[number];

const AGGREGATES = ['sum', 'count', 'mean', 'last', 'min', 'max'] as const;

/** `tried`: a reading that the person has not accepted yet. */
export const ReadingRef = z.object({ uri: z.string(), tried: z.optional(Layout) });
export type ReadingRef = z.infer<typeof ReadingRef>;

const Change = z.discriminatedUnion('type', [
  z.object({ type: z.literal('role'), column: z.string(), role: z.enum(ROLES) }),
  z.object({ type: z.literal('proposal'), id: z.string() }),
  /** An ISO 8601 duration; `null`: rows as they are. */
  z.object({ type: z.literal('step'), step: z.nullable(z.string()) }),
  z.object({ type: z.literal('by'), by: z.enum(AGGREGATES) }),
  /** Whether days and hours that never occur are closed instead of missing. */
  z.object({ type: z.literal('closed'), closed: z.boolean() }),
  z.object({ type: z.literal('answer'), kind: z.string(), option: z.number() }),
  z.object({ type: z.literal('series'), id: z.string() }),
  z.object({ type: z.literal('reset') }),
]);
export type Change = z.infer<typeof Change>;

export const ReadingIntent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('change'), change: Change }),
  z.object({ type: z.literal('retry') }),
  z.object({ type: z.literal('lines'), first: z.number(), last: z.number() }),
  z.object({ type: z.literal('accept') }),
]);
export type ReadingIntent = z.infer<typeof ReadingIntent>;
