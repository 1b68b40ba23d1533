import * as z from 'zod/mini';
import { page } from '../contract/resources.ts';
import { ServiceError } from './errors.ts';

/** One page of a list, as far as it could be read. */
export interface ListPage<T> {
  readonly items: readonly T[];
  /** Items that are not of the interface's form, each with why; never dropped silently. */
  readonly unreadable: readonly string[];
  /** Items in all, where the service tells. */
  readonly total: number | undefined;
  readonly next: string | undefined;
  readonly previous: string | undefined;
}

const Envelope = page(z.unknown());

/**
 * Reads a page envelope, or a bare array as a list of one page. An item that cannot be read does not spoil the page.
 * @throws ServiceError where the body is neither
 */
export function readListPage<T extends z.core.$ZodType>(schema: T, body: unknown): ListPage<z.core.output<T>> {
  const envelope = z.safeParse(Envelope, Array.isArray(body) ? { items: body } : body);
  if (!envelope.success) {
    throw new ServiceError('not-a-service', 'The service’s answer is not a list of the interface. Check the base URL.');
  }
  const items: z.core.output<T>[] = [];
  const unreadable: string[] = [];
  for (const item of envelope.data.items) {
    const parsed = z.safeParse(schema, item);
    if (parsed.success) items.push(parsed.data);
    else unreadable.push(parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; '));
  }
  const { total, next_page, previous_page } = envelope.data;
  return { items, unreadable, total, next: next_page || undefined, previous: previous_page || undefined };
}
