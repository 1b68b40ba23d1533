import * as z from 'zod/mini';
import type { Sketch } from '../../contract/local.ts';
import { SeriesPoint } from '../../contract/resources.ts';
import { sketchOf } from '../../contract/sketch.ts';
import { dialectOf } from './dialect.ts';
import type { Db } from './tables.ts';

/** Letters of a stored series that are read for a sketch: the points of most, and the ends of very long ones. */
const LETTERS = 60_000;

/** Stands between two points as they are stored; a quotation mark within a text has a backslash before it. */
const BETWEEN = '},{"timestamp":';

const Points = z.array(SeriesPoint);

/**
 * The sketch of a prediction, from the ends of its two series: of series however long it reads some thousands of letters.
 * @returns `undefined` where either cannot be read
 */
export async function readSketch(db: Db, inputId: string, outputId: string): Promise<Sketch | undefined> {
  const past = Points.safeParse(await endOf(db, inputId, 'last'));
  const ahead = Points.safeParse(await endOf(db, outputId, 'first'));
  return past.success && ahead.success ? sketchOf(past.data, ahead.data) : undefined;
}

async function endOf(db: Db, id: string, which: 'first' | 'last'): Promise<unknown> {
  const row = await db
    .selectFrom('series')
    .select([
      ({ fn }) => fn<number>('length', ['points']).as('letters'),
      dialectOf(db).letters('points', which, LETTERS).as('part'),
    ])
    .where('id', '=', id)
    .executeTakeFirst();
  if (!row) return undefined;
  const part = String(row.part);
  if (Number(row.letters) <= LETTERS) return parsed(part);
  if (which === 'first') return parsed(`${part.slice(0, part.lastIndexOf(BETWEEN))}}]`);
  return parsed(`[${part.slice(part.indexOf(BETWEEN) + 2)}`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
