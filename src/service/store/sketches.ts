import type { DatabaseSync } from 'node:sqlite';
import * as z from 'zod/mini';
import type { Sketch } from '../../contract/local.ts';
import { SeriesPoint } from '../../contract/resources.ts';
import { sketchOf } from '../../contract/sketch.ts';

/** Letters of a stored series that are read for a sketch: the points of most, and the ends of very long ones. */
const LETTERS = 60_000;

/** Stands between two points as they are stored; a quotation mark within a text has a backslash before it. */
const BETWEEN = '},{"timestamp":';

const Points = z.array(SeriesPoint);

/**
 * The sketch of a prediction, from the ends of its two series: of series however long it reads some thousands of letters.
 * @returns `undefined` where either cannot be read
 */
export function readSketch(database: DatabaseSync, inputId: string, outputId: string): Sketch | undefined {
  const past = Points.safeParse(endOf(database, inputId, 'last'));
  const ahead = Points.safeParse(endOf(database, outputId, 'first'));
  return past.success && ahead.success ? sketchOf(past.data, ahead.data) : undefined;
}

function endOf(database: DatabaseSync, id: string, which: 'first' | 'last'): unknown {
  const start = which === 'first' ? 1 : -LETTERS;
  const row = database
    .prepare('select length(points) letters, substr(points, ?, ?) part from series where id = ?')
    .get(start, LETTERS, id);
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
