import { CURSOR_PATTERN } from '../../contract/operation.ts';
import type { Page } from '../../contract/resources.ts';
import { RequestError } from '../errors.ts';

/** Where a page lies in a list that is ordered newest first. */
export interface Position {
  /** `after`: older than `seq`, going down the list; `before`: newer than `seq`, going up. */
  readonly direction: 'after' | 'before';
  /** Sequence number of the row at the edge, which belongs to the page only where `inclusive`; absent: the list's start. */
  readonly seq?: number;
  readonly inclusive?: boolean;
}

export interface Row {
  readonly seq: number;
}

const CURSOR = new RegExp(CURSOR_PATTERN);

/** `a` after, `b` before; a capital letter: inclusive; then the sequence number. Every text of this form is a position. */
export function encodeCursor({ direction, seq, inclusive }: Position): string {
  const letter = direction === 'after' ? 'a' : 'b';
  return `${inclusive ? letter.toUpperCase() : letter}${seq ?? ''}`;
}

/** @throws RequestError 422 where the text is no cursor of this service */
export function decodeCursor(text: string): Position {
  if (!CURSOR.test(text)) throw RequestError.field(['query', 'cursor'], 'This is not a cursor of this service.');
  const letter = text[0];
  return {
    direction: letter.toLowerCase() === 'a' ? 'after' : 'before',
    inclusive: letter !== letter.toLowerCase(),
    ...(text.length > 1 ? { seq: Number(text.slice(1)) } : {}),
  };
}

/** What a list has at a position. */
export interface Found<R extends Row> {
  /** At most as many as were asked for, nearest first: newest first for `after`, oldest first for `before`. */
  readonly rows: R[];
  /** Whether there is something on the other side of the position; of no meaning where there are no rows. */
  readonly isBeyond: boolean;
  /** Of the whole list, where it is known. */
  readonly total: number | undefined;
}

/** Reads up to `limit` rows from the edge on. */
export type ReadRows<R extends Row> = (position: Position, limit: number) => Promise<Found<R>>;

/**
 * One page of a list that is ordered newest first. As cursors name rows and not offsets, no row is repeated or skipped
 * while rows are added or deleted.
 */
export async function readPage<R extends Row, T>(
  read: ReadRows<R>,
  position: Position,
  size: number,
  toItems: (rows: readonly R[]) => T[] | Promise<T[]>,
): Promise<Page<T>> {
  const { rows, isBeyond, total } = await read(position, size + 1);
  const isMore = rows.length > size;
  if (isMore) rows.pop();
  const isDown = position.direction === 'after';
  if (!isDown) rows.reverse();
  const first = rows[0]?.seq;
  const last = rows.at(-1)?.seq;
  const hasNext = last !== undefined && (isDown ? isMore : isBeyond);
  const hasPrevious = first !== undefined && (isDown ? isBeyond : isMore);
  const start: Position = { direction: 'after' };
  return {
    items: await toItems(rows),
    total,
    current_page: encodeCursor(first === undefined ? start : { direction: 'after', seq: first, inclusive: true }),
    current_page_backwards: encodeCursor(
      last === undefined ? start : { direction: 'before', seq: last, inclusive: true },
    ),
    previous_page: hasPrevious ? encodeCursor({ direction: 'before', seq: first }) : undefined,
    next_page: hasNext ? encodeCursor({ direction: 'after', seq: last }) : undefined,
  };
}
