import { civilOf, HOUR, timeOfDay } from '../../calendar/civil.ts';
import { parseClock } from '../../calendar/clock.ts';
import { shortMonth } from '../../calendar/format.ts';
import { UTC, zoneOf } from '../../calendar/zone.ts';
import { describeCells, formatPattern } from '../columns/patterns.ts';
import { hasWord, startOfSpan, TIME_FORMATS } from '../values/dates.ts';
import { withoutWeekday } from '../values/weekdays.ts';
import type { WritableSeries } from './write.ts';

export function timesLike(
  before: readonly string[],
  written: readonly string[],
  { times, timeZone = 'UTC' }: WritableSeries,
): readonly (string | undefined)[] {
  const cells = before.map((cell) => startOfSpan(cell.trim()));
  if (cells.some((cell) => hasWord(cell))) return written.map(() => undefined);
  const ways = TIME_FORMATS.filter(({ parse }) => cells.some((cell) => !Number.isNaN(parse(cell))));
  const hasWeekdays = cells.some((cell) => withoutWeekday(cell) !== cell);
  const isAlike = (text: string) => ways.length === 0 || ways.some(({ parse }) => !Number.isNaN(parse(text)));
  if (!hasWeekdays && written.every(isAlike)) return written;
  const zone = zoneOf(timeZone);
  const write = namedTimes(cells);
  return Array.from(times, (time) => write?.(zone.toWall(time)));
}

const NAMED = TIME_FORMATS.find(({ id }) => id === 'names')!;
const NAME = /\p{L}{3,}\.?/u;

export function namedTimes(cells: readonly string[]): ((time: number) => string | undefined) | undefined {
  const named = cells.flatMap((cell) => {
    const [name] = NAME.exec(cell) ?? [];
    const time = NAMED.parse(cell);
    return name === undefined || Number.isNaN(time) ? [] : [{ cell, name, time, month: civilOf(time).month }];
  });
  const names = new Map(named.map(({ name, month }) => [month, name]));
  const english = named.map(({ cell, name, month }) => cell.replace(name, shortMonth(month)));
  const pattern = describeCells('names', english);
  if (pattern === undefined) return undefined;
  const write = (time: number): string | undefined => {
    const { month } = civilOf(time);
    const name = names.get(month);
    if (name === undefined) return undefined;
    const cell = formatPattern(time, pattern).replace(shortMonth(month), name);
    return NAMED.parse(cell) === time ? cell : undefined;
  };
  return named.every(({ cell, time }) => write(time) === cell) ? write : undefined;
}

/** Times as a day and a clock, in the patterns of two columns; `undefined` where those would be read as other times. */
export function dayAndClockOf(
  { times, timeZone = 'UTC' }: WritableSeries,
  [day, clock]: readonly [day: string, clock: string],
): readonly (readonly string[])[] | undefined {
  const zone = zoneOf(timeZone);
  const hasZone = /[Z{]/.test(clock) && !day.replace('[Z]', '').includes('Z');
  if (zone !== UTC && !hasZone) return undefined;
  const rows = Array.from(times, (time) => {
    const wall = clock.includes('[Z]') ? time : zone.toWall(time);
    // a day may be written with a clock too, which is midnight in each row
    const midnight = wall - timeOfDay(wall);
    const cells = [formatPattern(midnight, day), formatPattern(time, clock, zone)] as const;
    const [date, text] = cells;
    const isDay = day === 'serial-day' || TIME_FORMATS.some(({ parse }) => parse(date) === midnight);
    const isRight = !clock.includes('{') || parseClock(text)?.offset === wall - time;
    const inDay = /^\d+$/.test(text) ? Number(text) * HOUR : parseClock(text)?.inDay;
    return isDay && isRight && inDay === timeOfDay(wall) ? cells : undefined;
  });
  return rows.every((row) => row !== undefined) ? rows : undefined;
}
