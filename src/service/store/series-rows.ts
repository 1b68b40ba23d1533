/** Series as rows, many in a statement. */
import type { Insertable } from 'kysely';
import type { PreparedSeries } from './points.ts';
import type { Tables } from '../database/tables.ts';

export type SeriesRow = Insertable<Tables['series']>;

/** @param more where it belongs */
export const seriesRow = (
  { points, rows, start, end, frequency }: PreparedSeries,
  { name, ...more }: Pick<SeriesRow, 'id' | 'dataset_id' | 'space' | 'own_id'> & { readonly name?: string | undefined },
): SeriesRow => ({
  ...more,
  name: name ?? null,
  rows,
  start_timestamp: start ?? null,
  end_timestamp: end ?? null,
  freq: frequency ?? null,
  points,
});

/**
 * What goes into one statement: a round trip for each series takes most of the time, and more than a hundred rows gain
 * nothing (measured on both homes).
 */
const STATEMENT = { rows: 100, characters: 1_000_000 };

/** Rows in their order, as many as go into one statement; a large one goes alone. */
export function* statementsOf<R extends Pick<SeriesRow, 'points'>>(all: readonly R[]): Generator<readonly R[]> {
  for (let from = 0, to = 0; from < all.length; from = to) {
    let characters = 0;
    do characters += all[to++].points.length;
    while (to < all.length && to - from < STATEMENT.rows && characters + all[to].points.length <= STATEMENT.characters);
    yield all.slice(from, to);
  }
}
