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

export function encodeCursor({ direction, seq, inclusive }: Position): string {
  return Buffer.from(`${direction === 'after' ? '>' : '<'}${inclusive ? '=' : ''}${seq ?? ''}`).toString('base64url');
}

/** @throws RequestError 422 where the text is no cursor of this service */
export function decodeCursor(text: string): Position {
  const match = /^([<>])(=?)(\d{0,15})$/.exec(Buffer.from(text, 'base64url').toString());
  if (!match) throw RequestError.field(['query', 'cursor'], 'This is not a cursor of this service.');
  return {
    direction: match[1] === '>' ? 'after' : 'before',
    inclusive: match[2] === '=',
    ...(match[3] ? { seq: Number(match[3]) } : {}),
  };
}

/** Reads up to `limit` rows from the edge on, nearest first: newest first for `after`, oldest first for `before`. */
export type ReadRows<R extends Row> = (position: Position, limit: number) => R[];

/**
 * One page of a list that is ordered newest first. As cursors name rows and not offsets, no row is repeated or skipped
 * while rows are added or deleted.
 */
export function readPage<R extends Row, T>(
  read: ReadRows<R>,
  position: Position,
  size: number,
  total: number,
  toItem: (row: R) => T,
): Page<T> {
  const rows = read(position, size + 1);
  const more = rows.length > size;
  if (more) rows.pop();
  if (position.direction === 'before') rows.reverse();
  const first = rows[0]?.seq;
  const last = rows.at(-1)?.seq;
  const exists = (edge: Position) => read(edge, 1).length > 0;
  const next: Position = last === undefined ? position : { direction: 'after', seq: last };
  const previous: Position = first === undefined ? position : { direction: 'before', seq: first };
  const hasNext = last === undefined ? false : position.direction === 'after' ? more : exists(next);
  const hasPrevious = first === undefined ? false : position.direction === 'before' ? more : exists(previous);
  const start: Position = { direction: 'after' };
  return {
    items: rows.map(toItem),
    total,
    current_page: encodeCursor(first === undefined ? start : { direction: 'after', seq: first, inclusive: true }),
    current_page_backwards: encodeCursor(
      last === undefined ? start : { direction: 'before', seq: last, inclusive: true },
    ),
    previous_page: hasPrevious ? encodeCursor(previous) : undefined,
    next_page: hasNext ? encodeCursor(next) : undefined,
  };
}
