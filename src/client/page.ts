import * as l10n from '@vscode/l10n';
import type * as z from 'zod/mini';
import { failureOf, readAs } from '../contract/failures.ts';
import { isObject, type Json } from '../contract/json.ts';
import { isoOfEpoch } from '../contract/resources.ts';
import { localized, messageOf, ServiceError } from './errors.ts';

export interface ListPage<T> {
  readonly items: readonly T[];
  readonly unreadable: readonly string[];
  readonly total: number | undefined;
  readonly next: string | undefined;
  readonly previous: string | undefined;
}

export interface ListQuery {
  readonly cursor?: string | undefined;
  readonly size?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

export type Envelope = Omit<ListPage<unknown>, 'unreadable'>;

/** The names that the two parameters of a list may have, which the interface leaves open, the likeliest first. */
export const PARAMETERS: Readonly<Record<'cursor' | 'size', readonly string[]>> = {
  cursor: ['cursor', 'page', 'after', 'page_token', 'next_page', 'starting_after', 'offset'],
  size: ['size', 'limit', 'page_size', 'per_page', 'count'],
};
const PLACE = '(page|cursor|offset|key|marker|start|id)?(token|cursor|number|link|url|uri|href)?$';
/** What the fields of a page tell, by their names without case and signs: `next_page`, `nextPage`, `@odata.nextLink`. */
const TELLS = {
  next: new RegExp(`^((odata)?next|continuation)${PLACE}`),
  previous: new RegExp(`^prev(ious)?${PLACE}`),
  total: /^total(count|size|number|(of)?(elements|items|results|records|rows|entries|hits))?$/,
  count: /^(odata)?count$/,
  pages: /^(total)?pages$|^lastpage$/,
  cursor: /^(end)?cursor$/,
  hasMore: /^has(more|next)/,
  address: /^(href|url|link|cursor|after)$/,
};
const MOST_ITEMS = 20_000; // services with pages send fewer items at once, and each costs memory

function levelsOf(body: unknown): readonly (readonly Json[])[] {
  const levels = [[body].filter(isObject)];
  for (let depth = 1; depth <= 3; depth++) levels.push(levels[depth - 1].flatMap(Object.values).filter(isObject));
  return levels;
}

/** Reads an envelope, also of another form than that of the interface, or a bare array. @param link from the header `Link` */
export function envelopeOf(body: unknown, link?: string): Envelope {
  const items = itemsOf(body);
  const fields = fieldsOf(levelsOf(body).flat());
  const named = (name: RegExp, own = fields) => Object.entries(own).filter(([field]) => name.test(field));
  const valueOf = (name: RegExp, own = fields) => named(name, own).find(([, value]) => isSaid(value))?.[1];
  const addressOf = (name: RegExp) => {
    const value = valueOf(name);
    return isObject(value) ? (valueOf(TELLS.address, fieldsOf([value])) ?? value) : value;
  };
  const isOver = named(TELLS.next).length > 0 || named(TELLS.hasMore).some(([, value]) => value === false);
  const next = addressOf(TELLS.next) ?? link ?? (isOver ? undefined : valueOf(TELLS.cursor));
  const previous = addressOf(TELLS.previous);
  const total = textOf(valueOf(TELLS.total) ?? valueOf(TELLS.count));
  const isRead = items && [next, previous].every((one) => one === undefined || isText(one));
  const wrong = l10n.t('The service did not return a list in the expected format. Check the base URL.');
  if (!isRead) throw new ServiceError('not-a-service', wrong);
  const many = l10n.t('The service sent {0} entries at once, which is too many to read.', items.length);
  if (items.length > MOST_ITEMS) throw new ServiceError('too-large', many);
  return {
    items,
    total: /^[0-9]+$/.test(total ?? '') ? Number(total) : undefined,
    next: textOf(next) ?? placeAfter(fields, items, Number(total), Number(textOf(valueOf(TELLS.pages)))),
    previous: textOf(previous),
  };
}

/** The parameters of the page after one that only says where it stands: by its number, its offset or its last item. */
function placeAfter(fields: Json, items: readonly unknown[], total: number, pages: number): string | undefined {
  const after = (at: unknown, step: number, end: number) =>
    typeof at === 'number' && at + step < end ? at + step : undefined;
  const { page, currentpage, number, offset, hasmore } = fields;
  const last = items.at(-1);
  const places = {
    page: after(page, 1, pages + 1) ?? after(currentpage, 1, pages + 1) ?? after(number, 1, pages),
    offset: after(offset, items.length, total),
    starting_after: hasmore === true && isObject(last) ? textOf(last.id) : undefined,
  };
  const place = Object.entries(places).find(([, at]) => at !== undefined);
  const sizes = PARAMETERS.size.flatMap((name) => {
    const size = name === 'count' ? undefined : fields[plain(name)];
    return typeof size === 'number' ? `&${name}=${size}` : [];
  });
  return place && `?${place[0]}=${encodeURIComponent(place[1]!)}${sizes.join('')}`;
}

const isSaid = (value: unknown): boolean =>
  value != null && value !== '' && value !== false && (!isObject(value) || Object.values(value).some(isSaid));
const isText = (one: unknown): one is string | number => typeof one === 'string' || typeof one === 'number';
const textOf = (one: unknown): string | undefined => (isText(one) ? String(one) : undefined);
const plain = (name: string): string => name.toLowerCase().replace(/[^a-z]/g, '');

const fieldsOf = (objects: readonly Json[]): Json =>
  Object.fromEntries(
    objects.toReversed().flatMap((one) => Object.entries(one).map(([name, value]) => [plain(name), value])),
  );

/** The items of a page, or the only list at the least depth; `null` beside another field is an empty list, as in Go. */
function itemsOf(body: unknown): readonly unknown[] | undefined {
  const listsIn = (page: Json): unknown[] =>
    'items' in page
      ? [page.items ?? (Object.keys(page).length > 1 ? [] : undefined)]
      : Object.values(page).filter((one) => Array.isArray(one));
  const levels = levelsOf(body).map((level) => level.flatMap(listsIn));
  const lists = Array.isArray(body) ? [body] : (levels.find((level) => level.length > 0) ?? []);
  return lists.length === 1 && Array.isArray(lists[0]) ? (lists[0] as unknown[]) : undefined;
}

const POINTS = ['input_series', 'prediction_series', 'series'];

/** A resource in the form of the interface: with failures as sentences, and with times as texts. */
function formed(resource: unknown): unknown {
  const own = localized(resource);
  if (!isObject(own)) return own;
  const series = POINTS.filter((name) => Array.isArray(own[name]));
  const { status, error, message } = own;
  const isFailed = typeof status === 'string' && /^(failed|error)$/i.test(status.trim());
  const reason = isFailed && error == null && typeof message === 'string' ? { error: message } : {};
  return { ...own, ...reason, ...Object.fromEntries(series.map((name) => [name, dated(own[name] as unknown[])])) };
}

/** Points with ISO timestamps, also where these are numbers, which have the same unit in all points. */
function dated(points: readonly unknown[]): readonly unknown[] {
  const isDated = (point: unknown): point is { timestamp: number } =>
    isObject(point) && typeof point.timestamp === 'number';
  const largest = points.reduce<number>(
    (most, one) => (isDated(one) ? Math.max(most, Math.abs(one.timestamp)) : most),
    -1,
  );
  if (largest < 0) return points;
  return points.map((one) =>
    isDated(one) ? { ...one, timestamp: isoOfEpoch(one.timestamp, largest) ?? one.timestamp } : one,
  );
}

export function readItems<T extends z.core.$ZodType>(schema: T, page: Envelope): ListPage<z.core.output<T>> {
  const items: z.core.output<T>[] = [];
  const unreadable: string[] = [];
  for (const item of page.items) {
    const parsed = readAs(schema, formed(item));
    if (parsed.success) items.push(parsed.data);
    else unreadable.push(parsed.error.issues.map(sentenceOfIssue).join('; '));
  }
  return { ...page, items, unreadable };
}

const sentenceOfIssue = (issue: z.core.$ZodIssue): string =>
  `${issue.path.join('.')}: ${messageOf(failureOf(issue)).replace(/\.$/, '')}`;

/** Reads an answer, also where it is the only object of its form within others. @param asked for the error @throws ServiceError */
export function parse<T extends z.core.$ZodType>(schema: T, body: unknown, asked: string): z.core.output<T> {
  const parsed = readAs(schema, formed(body));
  if (parsed.success) return parsed.data;
  for (const level of levelsOf(body).slice(1)) {
    const [within, ...others] = level.map((one) => readAs(schema, formed(one))).filter(({ success }) => success);
    if (within?.success && others.length === 0) return within.data;
  }
  const [issue] = parsed.error.issues;
  const place = issue.path.length > 0 ? ` (${sentenceOfIssue(issue)})` : '';
  throw new ServiceError(
    'not-a-service',
    l10n.t('The answer to {0} does not have the expected format{1}.', asked, place),
  );
}

/** The names that a refusal is about: the places of its faults; only where it has none, the words of its sentence. */
export function namesIn({ faults, reason }: Pick<ServiceError, 'faults' | 'reason'>, names: readonly string[]) {
  const places = faults.flatMap(({ place }) => place);
  return places.length > 0 ? names.filter((name) => places.includes(name)) : wordsIn(reason ?? '', names);
}

export function wordsIn(sentence: string, names: readonly string[]): string[] {
  const placeOf = (name: string) => sentence.search(new RegExp(`(?<!\\w)${name.replace(/\W/g, '\\$&')}(?!\\w)`));
  const found = names.map((name) => ({ name, at: placeOf(name) })).filter(({ at }) => at >= 0);
  return found.sort((a, b) => a.at - b.at).map(({ name }) => name);
}
