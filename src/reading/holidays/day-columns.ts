import Papa from 'papaparse';
import { DAY, WEEK, weekdayOfDays } from '../../calendar/civil.ts';
import { approximateStep, fixedStep, type Frequency, addSteps } from '../../calendar/frequency.ts';
import { toGrid } from '../../calendar/grid.ts';
import { zoneOf } from '../../calendar/zone.ts';
import { said } from '../phrase.ts';
import { type KnownColumn, type ReadSeries, SeriesError } from '../types.ts';
import type { NamedDay } from './library.ts';
import { TIME_FORMATS } from '../values/dates.ts';

export interface DaySet {
  readonly name: string;
  /** Days since 1970-01-01. */
  readonly days: ReadonlySet<number>;
  /** Days of the week, Monday 0, that do not count where a step has many days: a holiday on them changes nothing. */
  readonly free?: readonly number[];
  readonly isShort?: boolean;
}

const MOST_CELLS = 3;

export const hasDays = ({ timeKind, frequency }: Pick<ReadSeries, 'timeKind' | 'frequency'>): boolean =>
  timeKind !== 'row' && frequency !== undefined && approximateStep(frequency) < 300 * DAY;

/** The same series with a row for each step up to so many after its last value; columns beside it are empty in new rows. */
export function withEveryStep(series: ReadSeries, steps: number): ReadSeries {
  const { frequency, times, values, beside } = series;
  if (!frequency) return series;
  const zone = zoneOf(series.timeZone ?? 'UTC');
  const all = Float64Array.from([...times, ...(beside?.futureTimes ?? [])]);
  const grid = toGrid(all, Float64Array.from(all.keys()), { frequency, zone });
  const last = grid.values.indexOf(times.length - 1);
  const isWhole = grid.frequency && grid.duplicates + grid.outside === 0;
  if (!isWhole || last >= times.length * MOST_CELLS) return series;
  const length = Math.max(last + 1 + steps, grid.values.length);
  const rows = Array.from({ length }, (_, step) => grid.values[step] ?? NaN);
  const timeAt = Float64Array.from(rows, (row, step) => all[row] ?? grid.timeAt(step));
  const taken = (from: Float64Array) => Float64Array.from(rows, (row) => from[row] ?? NaN);
  return {
    ...series,
    times: timeAt.slice(0, last + 1),
    values: taken(values).slice(0, last + 1),
    beside: {
      futureTimes: timeAt.slice(last + 1),
      columns: (beside?.columns ?? []).map((column) => ({ ...column, values: taken(column.values) })),
    },
  };
}

export function dayColumns(series: ReadSeries, sets: readonly DaySet[]): KnownColumn[] {
  const { frequency, times, beside, timeZone } = series;
  if (!frequency || !hasDays(series)) return [];
  const zone = zoneOf(timeZone ?? 'UTC');
  const future = beside?.futureTimes ?? new Float64Array(0);
  const spans = [...times, ...future].map((time) => spanOf(zone.toWall(time), frequency));
  const isLong = (fixedStep(frequency) ?? WEEK) >= 2 * DAY;
  const shareOf = ([first, end]: (typeof spans)[number], { days, free = [] }: DaySet): number => {
    if (!isLong) return Number(days.has(first));
    const own = Array.from({ length: end - first }, (_, index) => first + index);
    const counted = own.filter((day) => !free.includes(weekdayOfDays(day)));
    return counted.filter((day) => days.has(day)).length / Math.max(1, counted.length);
  };
  return sets
    .filter(({ isShort }) => !isShort || !isLong)
    .map((set): KnownColumn => {
      const values = Float64Array.from(spans, (span) => shareOf(span, set));
      const kind = isLong ? 'number' : 'switch';
      return { name: set.name, kind, values, ahead: future.length, isCalendar: true };
    })
    .filter(({ values }) => values.subarray(0, times.length).some((value) => value > 0));
}

/** The days of a step, the last one excluded. A week that is written as its Friday, Saturday or Sunday ends there. */
function spanOf(wall: number, frequency: Frequency): readonly [first: number, end: number] {
  const day = Math.floor(wall / DAY);
  if ((fixedStep(frequency) ?? WEEK) < 2 * DAY) return [day, day + 1];
  const isEnd = frequency.anchor === 'end' || (frequency.unit === 'week' && weekdayOfDays(day) > 3);
  if (isEnd) return [Math.floor(addSteps(wall, frequency, -1) / DAY) + 1, day + 1];
  return [day, Math.floor(addSteps(wall, frequency, 1) / DAY)];
}

export function withDays(series: ReadSeries, steps: number, sets: readonly DaySet[]): ReadSeries {
  const full = withEveryStep(series, steps);
  const own = full.beside?.columns ?? [];
  const taken = new Set([series.valueColumn, ...own.map(({ name }) => name)]);
  const columns = dayColumns(
    full,
    sets.filter(({ name }) => !taken.has(name)),
  );
  if (columns.length === 0) return series;
  const futureTimes = full.beside?.futureTimes ?? new Float64Array(0);
  return { ...full, beside: { futureTimes, columns: [...own, ...columns] } };
}

const USUAL_WEEKEND = [5, 6];

export function holidaySets(
  holidays: readonly NamedDay[],
  weekend: readonly number[],
  names: { readonly holiday: string; readonly bridge: string },
): DaySet[] {
  const days = new Set(holidays.map(({ day }) => day));
  const isWeekend = (day: number): boolean => weekend.includes(weekdayOfDays(day));
  const isWorking = (day: number): boolean => !isWeekend(day) && !days.has(day);
  const bridges = new Set<number>();
  for (const day of days) {
    for (const side of [-1, 1]) {
      if (isWorking(day + side) && isWeekend(day + 2 * side)) bridges.add(day + side);
    }
  }
  return [
    { name: names.holiday, days, free: weekend },
    { name: names.bridge, days: bridges, isShort: true },
  ];
}

export function weekendOf(country: string): readonly number[] {
  try {
    const locale = new Intl.Locale('und', { region: country }) as Intl.Locale & {
      readonly getWeekInfo?: () => { readonly weekend: readonly number[] };
    };
    return locale.getWeekInfo?.().weekend.map((day) => day - 1) ?? USUAL_WEEKEND;
  } catch (error) {
    if (error instanceof RangeError) return USUAL_WEEKEND;
    throw error;
  }
}

const WAYS = TIME_FORMATS.filter(({ id }) => ['iso', 'dmy', 'mdy', 'names', 'compact'].includes(id));
const MOST_NAMES = 20;
const LONGEST = 366;
const FIRST = /^(?:date|day|from|start|datum|tag|von|beginn)$/i;
const NAME = /^(?:name|event|title|ereignis|titel)$/i;
const LAST = /^(?:until|to|end|bis|ende)$/i;

export const isEventsHeader = (text: string): boolean => {
  const [header = []] = cellsOf(text.slice(0, 1000));
  return header.some((cell) => FIRST.test(cell)) && header.some((cell) => NAME.test(cell));
};

/** The days of a person's events by name: a table of `date`, `name` and `until`. @throws SeriesError */
export function readEvents(text: string, fileName: string): DaySet[] {
  const [header = [], ...rows] = cellsOf(text);
  const [date, name, until] = [FIRST, NAME, LAST].map((pattern) => header.findIndex((cell) => pattern.test(cell)));
  if (date === undefined || date < 0 || name === undefined || name < 0) {
    const words = said`${fileName} needs the columns date and name; the column until is optional.`;
    throw new SeriesError('unknown-column', words);
  }
  const texts = rows.flatMap((row) => [row[date], until === undefined ? '' : row[until]]).filter((cell) => cell);
  const way = WAYS.find(({ parse }) => texts.every((cell) => !Number.isNaN(parse(cell!))));
  const dayOf = (cell: string): number => Math.floor((way?.parse(cell) ?? NaN) / DAY);
  const sets = new Map<string, Set<number>>();
  rows.forEach((row, index) => {
    const [from = '', called = '', to = ''] = [row[date], row[name], until === undefined ? '' : row[until]];
    if (from === '' && called === '') return;
    const first = way ? dayOf(from) : NaN;
    const last = to === '' ? first : dayOf(to);
    if (called === '' || Number.isNaN(first) || Number.isNaN(last) || last < first || last - first > LONGEST) {
      const words = said`Line ${index + 2} of ${fileName} is not a valid event. An event has a date, a name, and no end before its date. All dates have the same format, such as 2024-12-24.`;
      throw new SeriesError('not-a-time', words, { line: index + 2 });
    }
    const days = sets.get(called) ?? new Set<number>();
    sets.set(called, days);
    for (let day = first; day <= last; day++) days.add(day);
  });
  return [...sets].slice(0, MOST_NAMES).map(([called, days]) => ({ name: called, days }));
}

const cellsOf = (text: string): string[][] =>
  Papa.parse<string[]>(text.replace(/^\uFEFF/, ''), { skipEmptyLines: false })
    .data.map((row) => row.map((cell) => cell.trim()))
    .filter((row, index, all) => index < all.length - 1 || row.some((cell) => cell !== ''));
