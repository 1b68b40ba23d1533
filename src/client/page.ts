import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import { failureOf, readAs } from '../contract/failures.ts';
import { optional, page } from '../contract/resources.ts';
import { ServiceError } from './errors.ts';
import { told, toldInWords } from './in-words.ts';

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

const cursor = optional(z.pipe(z.union([z.string(), z.number()]), z.transform(String)));
const count = z.union([z.number(), z.pipe(z.string().check(z.regex(/^[0-9]+$/)), z.transform(Number))]);

/** A page as far as it is needed: numbers are taken for cursors, and digits for the total. */
const Envelope = z.extend(page(z.unknown()), {
  total: z.catch(optional(count), undefined),
  current_page: z.optional(z.unknown()),
  current_page_backwards: z.optional(z.unknown()),
  previous_page: cursor,
  next_page: cursor,
});

/** Entries of one page: no service that has pages sends more, and each costs memory. */
const MOST_OF_A_PAGE = 20_000;

/**
 * Reads a page envelope, or a bare array as a list of one page. An item that cannot be read does not spoil the page.
 * @throws ServiceError where the body is neither
 */
export function readListPage<T extends z.core.$ZodType>(schema: T, body: unknown): ListPage<z.core.output<T>> {
  const envelope = z.safeParse(
    Envelope,
    Array.isArray(body) ? { items: body } : isEmpty(body) ? { ...body, items: [] } : body,
  );
  if (!envelope.success) {
    throw new ServiceError(
      'not-a-service',
      l10n.t('The service’s answer is not a list of the interface. Check the base URL.'),
    );
  }
  if (envelope.data.items.length > MOST_OF_A_PAGE)
    throw new ServiceError(
      'too-large',
      l10n.t('The service sent {0} entries at once, more than can be read.', envelope.data.items.length),
    );
  const items: z.core.output<T>[] = [];
  const unreadable: string[] = [];
  for (const item of envelope.data.items) {
    const parsed = readAs(schema, toldInWords(item));
    if (parsed.success) items.push(parsed.data);
    else unreadable.push(parsed.error.issues.map(issueInWords).join('; '));
  }
  const { total, next_page, previous_page } = envelope.data;
  return { items, unreadable, total, next: next_page || undefined, previous: previous_page || undefined };
}

/** Whether a page has `null` for items beside other fields of the envelope, as a list without anything in it is in Go. */
const isEmpty = (body: unknown): body is object =>
  typeof body === 'object' &&
  body !== null &&
  'items' in body &&
  body.items === null &&
  ['total', 'current_page', 'previous_page', 'next_page'].some((key) => key in body);

/** Where an answer is not of the interface, and why; it stands within a sentence. */
const issueInWords = (issue: z.core.$ZodIssue): string =>
  `${issue.path.join('.')}: ${told(failureOf(issue)).replace(/\.$/, '')}`;

/** @throws ServiceError where the answer is not of the form. @param what for the sentence */
export function parse<T extends z.core.$ZodType>(schema: T, body: unknown, what: string): z.core.output<T> {
  const parsed = readAs(schema, toldInWords(body));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const place = issue.path.length > 0 ? ` (${issueInWords(issue)})` : '';
  throw new ServiceError(
    'not-a-service',
    l10n.t('The service’s answer is not a {0} of the interface{1}.', what, place),
  );
}

/** What a list is asked for. Without a cursor: its first page. */
export interface ListQuery {
  readonly cursor?: string | undefined;
  readonly size?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** For an operation beyond the five that the service does not announce. */
export const notOffered = (): ServiceError => new ServiceError('refused', l10n.t('This service does not offer that.'));
