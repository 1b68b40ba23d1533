import { type Phrase, said } from '../phrase.ts';
import { writeOffset } from '../../calendar/zone.ts';
import { MOST_POINTS, type LineRange, type ReadSeries, type Remark } from '../types.ts';
import { inDigits } from '../../calendar/digits.ts';

/** Ranges of lines kept for a remark; the count is always of all rows. */
const MOST_RANGES = 20;

/** The rows of a series as they stand in the document, counted from 0. */
export interface DocumentRows {
  /** Epoch milliseconds, `NaN` where a row has no time. */
  readonly times: Float64Array;
  readonly values: Float64Array;
  readonly lineOf: (index: number) => number;
  /** Whether a row has something in its cell that was read as missing: a text, or a number that stands for “missing”. */
  readonly isTreated?: (index: number) => boolean;
  /** Whether a row sums the others up and was left out. */
  readonly isTotal?: (index: number) => boolean;
  /** Milliseconds ahead of UTC of a row that is written with another offset than the rest of the document, else `NaN`. */
  readonly otherOffset?: (index: number) => number;
}

/** Counts rows, and keeps their lines, neighbours together. */
class Rows {
  readonly lines: [number, number][] = [];
  count = 0;

  add(line: number): void {
    this.count++;
    const last = this.lines.at(-1);
    if (last && (line === last[1] + 1 || line === last[1])) last[1] = line;
    else if (this.lines.length < MOST_RANGES) this.lines.push([line, line]);
  }
}

/**
 * What was done with the rows of a document on the way to a series: merged, left out, treated as missing, cut; and
 * which are written with another offset than the rest. Nothing is said of what was taken as it is.
 */
export function remarksOf(rows: DocumentRows, series: Omit<ReadSeries, 'summary' | 'remarks'>): Remark[] {
  const { times, values, lineOf, isTreated, isTotal, otherOffset } = rows;
  const [from = NaN, to = NaN] = [series.times[0], series.times.at(-1)];
  const isCut = series.times.length > MOST_POINTS;
  const firstUsed = isCut ? series.times[series.times.length - MOST_POINTS]! : -Infinity;
  const repeated = series.duplicates > 0 && series.timeKind !== 'row' ? repeatedTimes(times) : new Set<number>();
  const [merged, untimed, totals, treated, empty, cut, shifted] = Array.from(
    { length: 7 },
    () => new Rows(),
  ) as SevenRows;
  let [timed, firstOffset] = [0, NaN];
  for (let index = 0; index < values.length; index++) {
    const time = times[index]!;
    if (repeated.has(time)) merged.add(lineOf(index));
    if (time < firstUsed) cut.add(lineOf(index));
    if (!Number.isNaN(time)) timed++;
    const offset = otherOffset?.(index) ?? NaN;
    if (!Number.isNaN(offset)) {
      if (shifted.count === 0) firstOffset = offset;
      shifted.add(lineOf(index));
    }
    if (isTotal?.(index)) totals.add(lineOf(index));
    else if (!Number.isNaN(values[index]!)) {
      if (Number.isNaN(time)) untimed.add(lineOf(index));
    } else if (isTreated?.(index)) treated.add(lineOf(index));
    else if (time >= from && time <= to) empty.add(lineOf(index));
  }
  const remarks: Remark[] = [];
  const say = (
    kind: Remark['kind'],
    { lines }: { lines: readonly LineRange[] },
    rows: number,
    one: Phrase,
    many: (count: string) => Phrase,
  ) => {
    if (rows > 0) remarks.push({ kind, rows, text: (rows === 1 ? one : many(inDigits(rows))).message, lines });
  };
  say(
    'merged',
    merged,
    merged.count > 0 ? series.duplicates : 0,
    said`1 row was merged into another of the same time, as the mean`,
    (count) => said`${count} rows were merged into another of the same time, as the mean`,
  );
  say(
    'left-out',
    untimed,
    untimed.count,
    said`1 row without a readable time left out`,
    (count) => said`${count} rows without a readable time left out`,
  );
  say(
    'totals',
    totals,
    totals.count,
    said`1 row of totals left out`,
    (count) => said`${count} rows of totals left out`,
  );
  say(
    'missing',
    treated,
    treated.count,
    said`1 row whose value is no number treated as missing`,
    (count) => said`${count} rows whose value is no number treated as missing`,
  );
  say('missing', empty, empty.count, said`1 row without a value`, (count) => said`${count} rows without a value`);
  // a series that is written so as a whole has no rest
  const first = writeOffset(firstOffset);
  say(
    'offset',
    shifted,
    shifted.count < timed ? shifted.count : 0,
    said`1 row has another offset from UTC than the rest: ${first}`,
    (count) => said`${count} rows have another offset from UTC than the rest, the first of them ${first}`,
  );
  const used = said`only the last ${inDigits(MOST_POINTS)} of ${inDigits(series.times.length)} points were used`;
  say('cut', cut, isCut ? series.times.length - MOST_POINTS : 0, used, () => used);
  return remarks;
}

type SevenRows = [Rows, Rows, Rows, Rows, Rows, Rows, Rows];

/** The times that several rows have. */
function repeatedTimes(times: Float64Array): Set<number> {
  const sorted = times.slice().sort();
  const found = new Set<number>();
  for (let i = 1; i < sorted.length; i++) if (sorted[i] === sorted[i - 1]) found.add(sorted[i]!);
  return found;
}
