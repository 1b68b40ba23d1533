import { HOUR, MINUTE, timeOfDay } from '../../calendar/civil.ts';
import { isoInstant } from '../../calendar/format.ts';
import { parseClock, type WrittenZone } from '../../calendar/timestamp.ts';
import { UTC, zoneOf, type Zone } from '../../calendar/zone.ts';
import { describeNames, formatPattern, type TimePattern } from '../columns/patterns.ts';
import type { ReadSeries } from '../types.ts';
import { MIXED_PERIODS, TIME_FORMATS, hasWord, isTime, startOfSpan } from '../values/dates.ts';
import { plainTime } from '../values/time-words.ts';

interface Times extends Pick<ReadSeries, 'timeKind' | 'timeZone'> {
  readonly times: ArrayLike<number>;
}

type Patterns = readonly (TimePattern | undefined)[];

/** Times in the first of the patterns that loses nothing of any of them, with a cell for each column of the pattern. */
function cellsIn(patterns: Patterns, { times, timeZone = 'UTC' }: Times): readonly (readonly string[])[] | undefined {
  const zone = zoneOf(timeZone);
  for (const pattern of patterns.filter((each) => each !== undefined)) {
    const [day = '', ...clocks] = pattern.split(' + ');
    const cells: string[][] = [];
    const areRead = Array.from(times).every((time) => {
      // a day may be written with a clock too, which is midnight in each row
      const midnight = zone.toWall(time) - timeOfDay(zone.toWall(time));
      const first = clocks.length > 0 ? formatPattern(midnight, day) : formatPattern(time, day, zone);
      const row = [first, ...clocks.map((clock) => formatPattern(time, clock, zone))];
      cells.push(row);
      // only all of a column tell that such numbers are times
      return day === 'decimal-year' || day === 'serial-day' || isReadAs(row, time, zone);
    });
    if (areRead) return cells;
  }
  return undefined;
}

const FORMATS = [...TIME_FORMATS, MIXED_PERIODS];

function isReadAs([day = '', ...clocks]: readonly string[], time: number, zone: Zone): boolean {
  const ofClocks: WrittenZone = { offset: undefined, name: undefined };
  const inDay = clocks.reduce((sum, text, at) => {
    const clock = parseClock(text, ofClocks);
    return sum + (clock ? clock.inDay - clock.offset : Number(text) * [HOUR, MINUTE][at]!);
  }, 0);
  return FORMATS.some(({ parse }) => {
    const written = { ...ofClocks };
    const read = parse(day, written) + inDay;
    const isWall = written.name === zone.name && written.offset === undefined;
    return (isWall ? zone.fromWall(read) : read) === time;
  });
}

/** Writes times in the document's pattern where it loses nothing of any of them, else in ISO 8601; rows by their number. */
export function writtenTimes(series: Times, dateFormat: TimePattern | undefined): readonly string[] {
  const { times, timeKind, timeZone = 'UTC' } = series;
  if (timeKind === 'row') return Array.from(times, (time) => String(Math.round(time / 1000) + 1));
  const zone = zoneOf(timeZone);
  const plain = [timeKind === 'period' ? 'YYYY-MM' : undefined, zone === UTC ? 'YYYY-MM-DD' : undefined];
  const cells = cellsIn([dateFormat, ...plain], series);
  return cells?.flat() ?? Array.from(times, (time) => isoInstant(time, zone));
}

/** Times as the cells above them are written, in as many columns; `undefined` where those would be read as other times. */
export function timesLike(
  above: readonly (readonly string[])[],
  series: Times,
  dateFormat: TimePattern | undefined,
): readonly (readonly string[])[] | undefined {
  const [first, ...more] = above.map((column) =>
    column.map((cell) => startOfSpan(cell.trim())).filter((cell) => cell !== ''),
  );
  if (!first || series.timeKind === 'row') return writtenTimes(series, undefined).map((cell) => above.map(() => cell));
  const own = cellsIn([dateFormat, more.length > 0 ? undefined : describeNames(first)], series);
  if (own || more.length > 0) return own;
  // no pattern writes these, but the format that reads them may read a plain time as well
  const formats = TIME_FORMATS.filter((format) => first.some((cell) => isTime(cell, [format])));
  const isPlain = first.every((cell) => !hasWord(cell) && plainTime(cell) === cell);
  const plain = writtenTimes(series, undefined);
  const isAlike = isPlain && plain.every((cell) => first.length === 0 || isTime(cell, formats));
  return isAlike ? plain.map((cell) => [cell]) : undefined;
}
