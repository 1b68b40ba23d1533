import { sql } from 'kysely';
import * as z from 'zod/mini';
import type { Sketch } from '../../contract/local.ts';
import { SeriesPoint } from '../../contract/resources.ts';
import { sketchOf } from '../../contract/sketch.ts';
import { type Db, dialectOf } from '../database/store.ts';
import { eachUnlessDamaged } from '../database/list.ts';
import { END_LETTERS } from './packed.ts';

/** Stands between two points as they are stored; a quotation mark within a text has a backslash before it. */
const BETWEEN = '},{"timestamp":';

const Points = z.array(SeriesPoint);

/** The two series of a prediction, by their ids. */
export interface ItsSeries {
  readonly input: string;
  readonly output: string;
}

/**
 * The sketches of predictions by the ids of their outputs, from the ends of their series, in one statement: of series
 * however long it reads some thousands of letters. Without those whose series cannot be read.
 */
export async function sketchesOf(db: Db, all: readonly ItsSeries[]): Promise<ReadonlyMap<string, Sketch>> {
  const pasts = await endsOf(
    db,
    all.map(({ input }) => input),
    'last',
  );
  const aheads = await endsOf(
    db,
    all.map(({ output }) => output),
    'first',
  );
  const sketches = new Map<string, Sketch>();
  for (const { input, output } of all) {
    const [past, ahead] = [Points.safeParse(pasts.get(input)), Points.safeParse(aheads.get(output))];
    if (past.success && ahead.success) sketches.set(output, sketchOf(past.data, ahead.data));
  }
  return sketches;
}

interface End {
  readonly id: string;
  readonly letters: number;
  readonly part: string;
}

async function endsOf(db: Db, ids: readonly string[], which: 'first' | 'last'): Promise<ReadonlyMap<string, unknown>> {
  const { letters, isOneOf } = dialectOf(db);
  const found = await eachUnlessDamaged(ids, async (some) => {
    const { rows } = await sql<End>`select id, length(points) letters, ${letters('points', which, END_LETTERS)} part
      from series where ${isOneOf('id', some)}`.execute(db);
    return rows;
  });
  return new Map(found.map((end) => [end.id, pointsOf(end, which)]));
}

function pointsOf({ letters, part }: End, which: 'first' | 'last'): unknown {
  if (letters <= END_LETTERS) return parsed(part);
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
