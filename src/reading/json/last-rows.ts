import { scanJson } from './scan.ts';

/** Characters that are read first; each part before them is twice as long. */
const FIRST_PART = 65_536;
/** Places in a part at which a row may begin: what begins there may be an object within a row too. */
const MOST_PLACES = 16;
/** Between two objects in a row. */
const SEAM = /\}\s*,\s*(?=\{)/g;

/** The value of a JSON text; `undefined` where it is none. */
function valueOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  const scanned = scanJson(text);
  return 'value' in scanned ? scanned.value : undefined;
}

/**
 * The rows of an array of JSON, the last one first, parsed part by part only as they are asked for. Long whole numbers are
 * rounded to doubles.
 * @param text from its bracket on, to the end of its last row
 */
export function* rowsFromEnd(text: string): Generator<unknown, void> {
  let end = text.length;
  for (let size = FIRST_PART; end > 0; size *= 2) {
    const part = lastPart(text, end, end - size);
    if (!part) continue;
    yield* part.rows.reverse();
    end = part.start;
  }
}

/** The rows between a place and an end; `undefined` where none begins there that can be told from what is within a row. */
function lastPart(text: string, end: number, from: number): { rows: unknown[]; start: number } | undefined {
  if (from <= 0) {
    const rows = valueOf(`${text.slice(0, end)}]`);
    return { rows: Array.isArray(rows) ? (rows as unknown[]) : [], start: 0 };
  }
  let tries = 0;
  for (const { index, 0: seam } of text.slice(from, end).matchAll(SEAM)) {
    if (tries++ === MOST_PLACES) break;
    // from within a row, a bracket that closes it is one too many
    const rows = valueOf(`[${text.slice(from + index + seam.length, end)}]`);
    if (Array.isArray(rows)) return { rows: rows as unknown[], start: from + index + 1 };
  }
  return undefined;
}

/** The values of lines of JSON, the last one first, parsed as they are asked for; see {@link rowsFromEnd}. */
export function* linesFromEnd(text: string): Generator<unknown, void> {
  for (let end = text.length; end > 0;) {
    const start = text.lastIndexOf('\n', end - 1) + 1;
    const line = text.slice(start, end);
    if (line.trim() !== '') yield valueOf(line);
    end = start - 1;
  }
}
