import { inDigits } from '../../calendar/digits.ts';
import { writeOffset } from '../../calendar/zone.ts';
import { said, type Phrase } from '../phrase.ts';
import { MOST_POINTS, type ReadSeries, type Remark } from '../types.ts';

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

type Said = readonly [kind: Remark['kind'], one: Phrase, many: (count: string) => Phrase];

/**
 * What was done with the rows of a document on the way to a series: merged, left out, treated as missing, cut; and
 * which are written with another offset than the rest. Nothing is said of what was taken as it is.
 */
export function remarksOf(rows: DocumentRows, series: Omit<ReadSeries, 'summary' | 'remarks'>): Remark[] {
  const { times, values, lineOf, isTreated, isTotal, otherOffset } = rows;
  const [from = NaN, to = NaN] = [series.times[0], series.times.at(-1)];
  const tooMany = series.times.length - MOST_POINTS;
  const firstUsed = tooMany > 0 ? series.times[tooMany]! : -Infinity;
  const repeated = series.duplicates > 0 && series.timeKind !== 'row' ? repeatedTimes(times) : new Set<number>();
  const offsetAt = (index: number) => otherOffset?.(index) ?? NaN;
  const remark = remarkOn(values.length, lineOf);
  const isEmpty = (index: number) => !isTotal?.(index) && Number.isNaN(values[index]!);
  const timed = numbersIn(times);
  const hasEmpty = numbersIn(values) < values.length;
  const isShifted = (index: number) => !Number.isNaN(offsetAt(index));
  const firstShifted = otherOffset ? times.findIndex((_, index) => isShifted(index)) : -1;
  return [
    ...(repeated.size === 0
      ? []
      : remark(
          MERGED(),
          (index) => repeated.has(times[index]!),
          () => series.duplicates,
        )),
    ...(timed === times.length
      ? []
      : remark(
          UNTIMED(),
          (index) => Number.isNaN(times[index]!) && !isTotal?.(index) && !Number.isNaN(values[index]!),
        )),
    ...(isTotal ? remark(TOTALS(), isTotal) : []),
    ...(isTreated && hasEmpty ? remark(TREATED(), (index) => isEmpty(index) && isTreated(index)) : []),
    ...(hasEmpty
      ? remark(
          EMPTY(),
          (index) => isEmpty(index) && !isTreated?.(index) && times[index]! >= from && times[index]! <= to,
        )
      : []),
    // a series that is written so as a whole has no rest
    ...(firstShifted < 0
      ? []
      : remark(shifted(offsetAt(firstShifted)), isShifted, (count) => (count < timed ? count : 0))),
    ...(tooMany > 0
      ? remark(
          cut(series.times.length),
          (index) => times[index]! < firstUsed,
          () => tooMany,
        )
      : []),
  ];
}

/** Tells of the rows that a condition holds for, with their lines; nothing where there are none. */
function remarkOn(length: number, lineOf: (index: number) => number) {
  return ([kind, one, many]: Said, is: (index: number) => boolean, countOf = (count: number) => count): Remark[] => {
    const lines: [number, number][] = [];
    let count = 0;
    for (let index = 0; index < length; index++) {
      if (!is(index)) continue;
      count++;
      const [line, last] = [lineOf(index), lines.at(-1)];
      if (last && (line === last[1] + 1 || line === last[1])) last[1] = line;
      else if (lines.length < MOST_RANGES) lines.push([line, line]);
    }
    const own = count > 0 ? countOf(count) : 0;
    return own > 0 ? [{ kind, rows: own, text: (own === 1 ? one : many(inDigits(own))).message, lines }] : [];
  };
}

const MERGED = (): Said => [
  'merged',
  said`1 row was merged with another of the same time, as the mean`,
  (count) => said`${count} rows were merged with others of the same time, as the mean`,
];
const UNTIMED = (): Said => [
  'left-out',
  said`1 row without a readable time left out`,
  (count) => said`${count} rows without a readable time left out`,
];
const TOTALS = (): Said => ['totals', said`1 total row left out`, (count) => said`${count} total rows left out`];
const TREATED = (): Said => [
  'missing',
  said`1 row with a value that is not a number treated as missing`,
  (count) => said`${count} rows with a value that is not a number treated as missing`,
];
const EMPTY = (): Said => ['missing', said`1 row without a value`, (count) => said`${count} rows without a value`];

function shifted(firstOffset: number): Said {
  const first = writeOffset(firstOffset);
  return [
    'offset',
    said`1 row has a different UTC offset than the rest: ${first}`,
    (count) => said`${count} rows have a different UTC offset than the rest, the first of them ${first}`,
  ];
}

function cut(points: number): Said {
  const used = said`only the last ${inDigits(MOST_POINTS)} of ${inDigits(points)} points were used`;
  return ['cut', used, () => used];
}

function numbersIn(values: Float64Array): number {
  let count = 0;
  for (const value of values) if (!Number.isNaN(value)) count++;
  return count;
}

/** The times that several rows have. */
function repeatedTimes(times: Float64Array): Set<number> {
  const sorted = times.slice().sort();
  return new Set(sorted.filter((time, index) => index > 0 && time === sorted[index - 1]));
}
