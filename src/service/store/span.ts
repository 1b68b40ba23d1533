import { parseTimestamp } from '../../calendar/timestamp.ts';

/** From when to when something goes, as ISO 8601 with any offsets; without either where it has no time. */
export interface Span {
  readonly start?: string | undefined;
  readonly end?: string | undefined;
}

/** That of all together, in the texts of the first and the last of them. Texts that cannot be read are passed over. */
export function spanOf(all: Iterable<Span>): Span {
  let [start, end]: (string | undefined)[] = [];
  let [first, last] = [Infinity, -Infinity];
  for (const one of all) {
    const [from, to] = [one.start, one.end].map((text) => (text === undefined ? NaN : parseTimestamp(text)));
    if (from < first) [first, start] = [from, one.start];
    if (to > last) [last, end] = [to, one.end];
  }
  return { start, end };
}
