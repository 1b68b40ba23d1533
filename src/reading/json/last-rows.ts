import { scanJson } from './scan.ts';

/** Characters that are parsed at a time. */
const PART = 131_072;
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
  for (let end = text.length; end > 0;) {
    // where no row begins in a part, rows are long, and looking for one in ever longer parts takes longer than parsing all
    const { rows, start } = (end > PART && lastPart(text, end)) || {
      rows: arrayOf(`${text.slice(0, end)}]`),
      start: 0,
    };
    yield* (rows ?? []).reverse();
    end = start;
  }
}

function arrayOf(text: string): unknown[] | undefined {
  const value = valueOf(text);
  return Array.isArray(value) ? (value as unknown[]) : undefined;
}

/** The rows of a part that ends there; `undefined` where none begins in it that can be told from what is within a row. */
function lastPart(text: string, end: number): { rows: unknown[]; start: number } | undefined {
  const from = end - PART;
  let tries = 0;
  for (const { index, 0: seam } of text.slice(from, end).matchAll(SEAM)) {
    if (tries++ === MOST_PLACES) break;
    // from within a row, a bracket that closes it is one too many
    const rows = arrayOf(`[${text.slice(from + index + seam.length, end)}]`);
    if (rows) return { rows, start: from + index + 1 };
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
