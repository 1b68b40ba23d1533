import { type LineFault, SeriesLine as Line } from '../../contract/streams.ts';
import { RequestError } from '../errors.ts';
import type { SeriesLine } from '../store/added-series.ts';
import { readSeries } from './bodies.ts';
import type { Lines } from './lines.ts';

/** Lines of a stream of series as they were read: each that is not blank is in one of these. */
export interface ReadLines {
  readonly lines: readonly SeriesLine[];
  readonly faults: readonly LineFault[];
}

const NEWLINE = 10;
const BLANKS = new Set(Buffer.from(' \t\r\n'));

/** Reads lines, each of them a series as JSON, and makes them ready to be stored. */
export function readLines({ bytes, firstLine }: Lines): ReadLines {
  const lines: SeriesLine[] = [];
  const faults: LineFault[] = [];
  for (let from = 0, line = firstLine; from < bytes.length; line++) {
    const end = bytes.indexOf(NEWLINE, from);
    const text = bytes.subarray(from, end < 0 ? bytes.length : end);
    from += text.length + 1;
    if (text.every((byte) => BLANKS.has(byte))) continue;
    let id: string | undefined;
    try {
      const { rest, series } = readSeries(text, Line, 'line', (given) => {
        id = idOf(given);
      });
      lines.push({ line, id, name: rest.name, series });
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      faults.push({ line, ...(id === undefined ? {} : { id }), error: reasonOf(error) });
    }
  }
  return { lines, faults };
}

/** To be told with a fault, and so not longer than one may be. */
const idOf = (given: unknown): string | undefined =>
  typeof given === 'object' && given !== null && 'id' in given && typeof given.id === 'string'
    ? given.id.slice(0, 200)
    : undefined;

/** The first fault, and where it stands in the line. */
function reasonOf({ detail }: RequestError): string {
  if (typeof detail === 'string') return detail;
  const [{ loc, msg }] = detail;
  const place = loc.filter((part) => part !== 'body').join('.');
  return place === '' ? msg : `${place}: ${msg}`;
}
