import * as l10n from '@vscode/l10n';
import type * as z from 'zod/mini';
import { failureOf, readAs } from '../contract/failures.ts';
import { isObject, type Json } from '../contract/json.ts';
import { ServiceError } from './errors.ts';
import { told, toldInWords } from './in-words.ts';
import { WORDS } from './wording.ts';

/** One page of a list, as far as it could be read. */
export interface ListPage<T> {
  readonly items: readonly T[];
  /** Items that are not of the interface's form, each with why; never dropped silently. */
  readonly unreadable: readonly string[];
  readonly total: number | undefined;
  readonly next: string | undefined;
  readonly previous: string | undefined;
}

/** Entries of one page: no service that has pages sends more, and each costs memory. */
const MOST_OF_A_PAGE = 20_000;

export type Envelope = Omit<ListPage<unknown>, 'unreadable'>;

/**
 * Reads an envelope, also of another form than that of the interface, or a bare array as a list of one page.
 * @param link the address of the next page, where the answer’s head tells it
 * @throws ServiceError where the body is none
 */
export function envelopeOf(body: unknown, link?: string): Envelope {
  const page: Json = Array.isArray(body) ? { items: body as unknown[] } : isObject(body) ? body : {};
  const items = itemsOf(page);
  // some put what is said of a page into an object beside its items
  const fields: Json = Object.assign({}, ...Object.values(page).filter(isObject), page);
  const said = (names: readonly string[]) => names.map((name) => fields[name]).find((one) => one != null && one !== '');
  const [next, previous, total, pages] = [NAMES.next, NAMES.previous, NAMES.total, NAMES.pages].map(said);
  if (!items || ![next, previous].every((one) => one === undefined || isText(one)))
    throw new ServiceError(
      'not-a-service',
      l10n.t('The service did not return a list in the expected format. Check the base URL.'),
    );
  if (items.length > MOST_OF_A_PAGE)
    throw new ServiceError(
      'too-large',
      l10n.t('The service sent {0} entries at once, which is too many to read.', items.length),
    );
  const { offset, page: number } = fields;
  const isSize = (name: string) => typeof fields[name] === 'number' && !isIn(NAMES.total, name);
  const sizes = WORDS.paging.size.filter(isSize);
  const same = sizes.map((name) => `&${name}=${String(fields[name])}`).join('');
  const byPlace =
    typeof offset === 'number' && offset + items.length < Number(total)
      ? `?offset=${offset + items.length}${same}`
      : typeof number === 'number' && number < Number(pages)
        ? `?page=${number + 1}${same}`
        : undefined;
  const toldNext = next ?? link ?? byPlace;
  return {
    items,
    total: isText(total) && /^[0-9]+$/.test(String(total)) ? Number(total) : undefined,
    next: toldNext === undefined ? undefined : String(toldNext),
    previous: previous === undefined ? undefined : String(previous),
  };
}

const NAMES = WORDS.envelope;
const isIn = (names: readonly string[], name: string) => names.includes(name);
const isText = (one: unknown): one is string | number => typeof one === 'string' || typeof one === 'number';

/** The items of a page: whatever they are called, where they are its one list; none where they are `null`, as an empty list is in Go. */
function itemsOf(page: Json): readonly unknown[] | undefined {
  const lists = 'items' in page ? [page.items] : Object.values(page).filter((one) => Array.isArray(one));
  const isEmpty = page.items === null && Object.values(NAMES).some((names) => names.some((name) => name in page));
  return isEmpty ? [] : lists.length === 1 && Array.isArray(lists[0]) ? (lists[0] as unknown[]) : undefined;
}

/** The page with its items read. One that cannot be read does not spoil the others. */
export function readItems<T extends z.core.$ZodType>(schema: T, page: Envelope): ListPage<z.core.output<T>> {
  const items: z.core.output<T>[] = [];
  const unreadable: string[] = [];
  for (const item of page.items) {
    const parsed = readAs(schema, toldInWords(item));
    if (parsed.success) items.push(parsed.data);
    else unreadable.push(parsed.error.issues.map(issueInWords).join('; '));
  }
  return { ...page, items, unreadable };
}

/** Where an answer is not of the interface, and why; it stands within a sentence. */
const issueInWords = (issue: z.core.$ZodIssue): string =>
  `${issue.path.join('.')}: ${told(failureOf(issue)).replace(/\.$/, '')}`;

/** Reads what an answer holds, also where it is the one object within. @throws ServiceError @param what for the sentence */
export function parse<T extends z.core.$ZodType>(schema: T, body: unknown, what: string): z.core.output<T> {
  const parsed = readAs(schema, toldInWords(body));
  if (parsed.success) return parsed.data;
  const inner = isObject(body) ? Object.values(body).filter(isObject) : [];
  const within = inner.length === 1 ? readAs(schema, toldInWords(inner[0])) : parsed;
  if (within.success) return within.data;
  const [issue] = parsed.error.issues;
  const place = issue.path.length > 0 ? ` (${issueInWords(issue)})` : '';
  throw new ServiceError(
    'not-a-service',
    l10n.t('The service did not return a {0} in the expected format{1}.', what, place),
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
