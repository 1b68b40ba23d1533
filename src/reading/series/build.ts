import { DAY, civilFromDays, daysInMonth, weekdayOfDays } from '../../calendar/civil.ts';
import { inDigits } from '../../calendar/digits.ts';
import { formatInstant, describeFrequency } from '../../calendar/format.ts';
import {
  approximateStep,
  fixedStep,
  isBelowDay,
  openDaysIn,
  type Frequency,
  addSteps,
  stepIndex,
  isInOpenTime,
} from '../../calendar/frequency.ts';
import { clockOf, inOpenTime, toGrid, type Grid, hasNaN, isRising } from '../../calendar/grid.ts';
import { holidaysAmong } from '../../calendar/holidays.ts';
import { openDays } from '../../calendar/open-time.ts';
import { UTC, type Zone, writeOffset, zoneOf } from '../../calendar/zone.ts';
import { said, type Phrase, rowsInWords } from '../phrase.ts';
import { type KnownColumn, type LayoutChoice, MOST_POINTS, type ReadSeries, type Remark, type Resampling, type TimeKind } from '../types.ts'; // prettier-ignore
import { aggregate, isFraction, onSamplingInterval, rowPattern } from './aggregate.ts';
import { type Column, isConstant, isNumeric } from '../columns/column.ts';
import { isIndexName } from '../columns/names.ts';

interface SeriesRows extends Pick<ReadSeries, 'id' | 'name' | 'valueColumn' | 'timeColumn' | 'idColumn' | 'keys'> {
  readonly timeKind: TimeKind;
  readonly zone?: Zone | undefined;
  readonly shownZone?: Zone | undefined;
  /** In the order of the document, `NaN` where a row has no time. */
  readonly times: Float64Array;
  readonly values: Float64Array;
  readonly frequency?: Frequency | null | undefined;
  readonly closed?: boolean | undefined;
  readonly aggregate?: Resampling | undefined;
  readonly areEvents?: boolean | undefined;
  /** The last instant that their document knows of, where other series go on longer. */
  readonly until?: number | undefined;
  readonly origin?: Omit<DocumentRows, 'times' | 'values'> | undefined;
}

type Rows = Pick<ReadSeries, 'times' | 'values'>;

interface Placed extends Rows {
  readonly duplicates: number;
  readonly grid: Grid;
  readonly aggregate?: Resampling;
  readonly partial?: number;
}

export function buildSeries(rows: SeriesRows): ReadSeries | undefined {
  const placed = rows.aggregate ? putTogether(rows, rows.aggregate) : placeRows(rows);
  if (!placed) return undefined;
  const { id, name, valueColumn, timeColumn, idColumn, keys, zone = UTC, origin, closed } = rows;
  const { grid, duplicates, aggregate: made, partial = 0 } = placed;
  const { frequency } = grid;
  const { kept, ...counts } = frequency
    ? onSteps(placed, grid, frequency, zone)
    : { kept: placed, gaps: 0, holidays: 0, outside: 0 };
  const missing = countMissing(kept.values);
  const timeKind = rows.aggregate ? kindOf(rows.aggregate.step) : rows.timeKind;
  const series = {
    ...{ id, name, valueColumn, timeColumn, idColumn, keys },
    times: kept.times,
    values: kept.values,
    timeZone: zone === UTC || timeKind === 'row' ? undefined : zone.name,
    frequency,
    ...counts,
    ...(closed === false ? { closed } : {}),
    duplicates,
    missing,
    points: kept.values.length - missing,
    timeKind,
    aggregate: made,
  };
  const remarks = origin ? remarksOf({ times: rows.times, values: rows.values, ...origin }, series) : [];
  const { message: text } = said`${rowsInWords(partial)} of an incomplete period left out`;
  if (partial > 0) remarks.push({ kind: 'left-out', rows: partial, text, lines: [] });
  // days and longer steps are dates of the document's own calendar, and must not move with the zone they are shown in
  const isDated = timeKind !== 'instant' || (frequency && !isBelowDay(frequency) && zone !== UTC);
  return { ...series, remarks, summary: summarize(series, isDated ? zone : (rows.shownZone ?? zone)) };
}

function kindOf(step: Frequency): TimeKind {
  if (isBelowDay(step)) return 'instant';
  return approximateStep(step) < 27 * DAY ? 'date' : 'period';
}

function putTogether(rows: SeriesRows, resampling: Resampling): Placed | undefined {
  const { zone = UTC, areEvents = false, closed, until } = rows;
  const known = areEvents ? rows : withoutMissing(rows);
  const empty = areEvents ? 'zero' : 'missing';
  const made = aggregate(known.times, known.values, resampling, { zone, empty, until, closed });
  const kept = made && trimmed(made);
  if (!kept) return undefined;
  const grid = toGrid(kept.times, kept.values, { frequency: made.frequency, zone });
  return { ...kept, duplicates: 0, grid, aggregate: resampling, partial: made.unfinished + made.unstarted };
}

function placeRows({ zone = UTC, closed, timeKind, frequency, ...rows }: SeriesRows): Placed | undefined {
  const { duplicates, ...all } = ordered(rows);
  const kept = trimmed(all);
  if (!kept) return undefined;
  const wanted = timeKind === 'row' ? null : frequency;
  const options = { zone, ...(closed === false ? { open: null } : {}) };
  const onGrid = (own: Rows) =>
    toGrid(own.times, own.values, { ...options, ...(wanted === undefined ? {} : { frequency: wanted }) });
  const grid = onGrid(kept);
  const isRegular = wanted !== undefined || (grid.frequency && !isFraction(grid.frequency));
  if (isRegular) return { ...kept, duplicates, grid };
  const filled = withoutMissing(kept);
  const ofFilled = grid.frequency || filled.times.length === kept.times.length ? grid : onGrid(filled);
  if (!grid.frequency && ofFilled.frequency) return { ...filled, duplicates, grid: ofFilled };
  return { ...kept, grid, ...onPace(kept, zone), duplicates };
}

export function ordered({ times, values }: Rows): Rows & { readonly duplicates: number } {
  if (isRising(times, true) && !hasNaN(times)) return { times, values, duplicates: 0 };
  const { values: merged, duplicates, timeAt } = toGrid(times, values, { frequency: null });
  return { times: Float64Array.from(merged, (_, row) => timeAt(row)), values: merged, duplicates };
}

const FEWEST_READINGS = 30;

function onPace(rows: Rows, zone: Zone): Omit<Placed, 'duplicates'> | undefined {
  const { kind, frequency } = rowPattern(rows.times, zone);
  if (kind !== 'readings' || !frequency || rows.times.length < FEWEST_READINGS) return undefined;
  const paced = isBelowDay(frequency) ? onSamplingInterval(rows.times, rows.values, frequency, zone) : undefined;
  if (!paced) return undefined;
  const present = withoutMissing(paced);
  const grid = toGrid(present.times, present.values, { frequency, zone });
  return { ...present, grid, aggregate: { step: frequency, by: 'mean' } };
}

function trimmed({ times, values }: Rows): Rows | undefined {
  const first = values.findIndex((value) => !Number.isNaN(value));
  const end = values.findLastIndex((value) => !Number.isNaN(value)) + 1;
  if (first < 0 || end - first === values.length) return first < 0 ? undefined : { times, values };
  return { times: times.slice(first, end), values: values.slice(first, end) };
}

function filtered({ times, values }: Rows, isWanted: (time: number, value: number) => boolean): Rows {
  if (times.every((time, row) => isWanted(time, values[row]!))) return { times, values };
  const wanted = (_: number, row: number) => isWanted(times[row]!, values[row]!);
  return { times: times.filter(wanted), values: values.filter(wanted) };
}

const withoutMissing = (rows: Rows): Rows => filtered(rows, (_, value) => !Number.isNaN(value));

const countMissing = (values: Float64Array): number =>
  values.reduce((count, value) => count + (Number.isNaN(value) ? 1 : 0), 0);

function onSteps(rows: Rows, grid: Grid, frequency: Frequency, zone: Zone) {
  const clock = clockOf(rows.times, frequency, zone);
  const open = inOpenTime(rows, frequency, clock);
  const left = rows.values.length - open.values.length;
  const outside = left - (countMissing(rows.values) - countMissing(open.values));
  const holidays = holidaysOf(withoutMissing(open).times, frequency, zone);
  const isHoliday = (time: number) => holidays.has(Math.floor(clock.toWall(time) / DAY));
  const kept = filtered(open, (time, value) => !Number.isNaN(value) || !isHoliday(time));
  const { gaps } = kept.times === open.times ? grid : toGrid(kept.times, kept.values, { frequency, zone });
  const lengths = openDays(frequency.open ?? []);
  const closed = Array.from(holidays).reduce((sum, day) => sum + lengths[weekdayOfDays(day)]!, 0);
  const free = isBelowDay(frequency) ? Math.round(closed / (fixedStep(frequency) ?? 1)) : holidays.size;
  return { kept, gaps: Math.max(0, gaps - free), holidays: free, outside };
}

function summarize(series: Omit<ReadSeries, 'summary' | 'remarks'>, zone: Zone): string {
  const { name, times, frequency, timeKind } = series;
  const counts = countsInWords(series);
  if (timeKind === 'row') return `${name} · ${said`by row`.message} · ${counts}`;
  const rhythm = frequency
    ? describeFrequency(frequency)
    : (times.length > 1 ? said`irregular` : said`a single time`).message;
  const from = formatInstant(times[0] ?? NaN, frequency, zone);
  const to = formatInstant(times.at(-1) ?? NaN, frequency, zone);
  return `${name} · ${rhythm} · ${from} – ${to} · ${counts}`;
}

const counted = (count: number, one: Phrase, many: (count: string) => Phrase): string =>
  (count === 1 ? one : many(inDigits(count))).message;

function countsInWords(counts: Omit<ReadSeries, 'summary' | 'remarks'>): string {
  const { points, gaps, holidays, outside, duplicates, missing, frequency } = counts;
  const days = frequency ? openDaysIn(frequency, holidays) : holidays;
  return [
    counted(points, said`1 point`, (n) => said`${n} points`),
    ...(gaps === 0 ? [said`no gaps`.message] : [counted(gaps, said`1 gap`, (n) => said`${n} gaps`)]),
    ...(days > 0 ? [counted(days, said`1 holiday`, (n) => said`${n} holidays`)] : []),
    ...(outside > 0 ? [said`${inDigits(outside)} in closed time`.message] : []),
    ...(duplicates > 0 ? [counted(duplicates, said`1 duplicate`, (n) => said`${n} duplicates`)] : []),
    ...(missing > 0 ? [said`${inDigits(missing)} missing`.message] : []),
  ].join(', ');
}

const MOST_RANGES = 20;

interface DocumentRows extends Rows {
  readonly lineOf: (index: number) => number;
  readonly isTreated?: ((index: number) => boolean) | undefined;
  readonly isTotal?: ((index: number) => boolean) | undefined;
  readonly otherOffset?: ((index: number) => number) | undefined;
}

function remarksOf(rows: DocumentRows, series: Omit<ReadSeries, 'summary' | 'remarks'>): Remark[] {
  const { times, values, lineOf, isTreated, isTotal, otherOffset } = rows;
  const remarks: Remark[] = [];
  type Kind = Remark['kind'];
  const add = (kind: Kind, isMeant: (index: number) => boolean, words: (rows: Phrase) => Phrase, known?: number) => {
    const lines: [number, number][] = [];
    let count = 0;
    for (let index = 0; index < values.length; index++) {
      if (!isMeant(index)) continue;
      count++;
      const [line, last] = [lineOf(index), lines.at(-1)];
      if (last && (line === last[1] + 1 || line === last[1])) last[1] = line;
      else if (lines.length < MOST_RANGES) lines.push([line, line]);
    }
    const own = known ?? count;
    if (count > 0) remarks.push({ kind, rows: own, text: words(rowsInWords(own)).message, lines });
  };
  if (series.duplicates > 0 && series.timeKind !== 'row') {
    const sorted = times.slice().sort();
    const repeated = new Set(sorted.filter((time, index) => index > 0 && time === sorted[index - 1]));
    const merged = (all: Phrase) => said`${all} merged with others of the same time, as the mean`;
    add('merged', (index) => repeated.has(times[index]!), merged, series.duplicates);
  }
  const isEmpty = (index: number) => !isTotal?.(index) && Number.isNaN(values[index]!);
  if (hasNaN(times)) {
    const isLeft = (index: number) => Number.isNaN(times[index]!) && !isTotal?.(index) && !Number.isNaN(values[index]!);
    add('left-out', isLeft, (all) => said`${all} without a readable time left out`);
  }
  if (isTotal) add('totals', isTotal, (all) => said`${all} with a total left out`);
  if (hasNaN(values)) {
    const [from = NaN, to = NaN] = [series.times[0], series.times.at(-1)];
    const isWithin = (index: number) => times[index]! >= from && times[index]! <= to;
    const treated = (all: Phrase) => said`${all} with a value that is not a number treated as missing`;
    if (isTreated) add('missing', (index) => isEmpty(index) && isTreated(index), treated);
    const isLeft = (index: number) => isEmpty(index) && !isTreated?.(index) && isWithin(index);
    add('missing', isLeft, (all) => said`${all} without a value`);
  }
  const isShifted = (index: number) => !Number.isNaN(otherOffset?.(index) ?? NaN);
  const first = otherOffset ? times.findIndex((_, index) => isShifted(index)) : -1;
  if (first >= 0 && times.some((time, index) => !Number.isNaN(time) && !isShifted(index))) {
    const offset = writeOffset(otherOffset!(first));
    add('offset', isShifted, (all) => said`${all} with a different UTC offset than the rest, such as ${offset}`);
  }
  const tooMany = series.times.length - MOST_POINTS;
  const cut = () => said`only the last ${inDigits(MOST_POINTS)} of ${inDigits(series.times.length)} points were used`;
  if (tooMany > 0) add('cut', (index) => times[index]! < series.times[tooMany]!, cut, tooMany);
  return remarks;
}

const MOST = 20_000;

/** Days since 1970-01-01 without a row that are holidays, or leap days that never have one. @param instants rising */
function holidaysOf(instants: Float64Array, frequency: Frequency, zone: Zone): ReadonlySet<number> {
  const { open } = frequency;
  const isDaily = frequency.unit === 'day' && frequency.count === 1;
  if ((!open && !isDaily) || instants.length < 2) return new Set();
  const clock = clockOf(instants, frequency, zone);
  const dayOf = (row: number) => Math.floor(clock.toWall(instants[row]!) / DAY);
  const isOpenOn = open && openDays(open).map((length) => length > 0);
  const isClosed = (day: number) => isOpenOn?.[weekdayOfDays(day)] === false;
  const missing: number[] = [];
  for (let row = 1; row < instants.length; row++) {
    const [before, day] = [dayOf(row - 1), dayOf(row)];
    if (missing.length + day - before > MOST) return new Set();
    for (let each = before + 1; each < day; each++) if (!isClosed(each)) missing.push(each);
  }
  const [first, last] = [dayOf(0), dayOf(instants.length - 1)];
  return open ? holidaysAmong(missing, first, last, isClosed) : leapDays(missing, first, last);
}

/** One day of each leap year, where calendars of 365 days leave it out: the 29th of February, or the last of the year. */
function leapDays(missing: readonly number[], first: number, last: number): ReadonlySet<number> {
  if (missing.length === 0) return new Set();
  const all = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  const isOf = (date: string) => (day: number) => {
    const { year, month, day: inMonth } = civilFromDays(day);
    return `${month}-${inMonth}` === date && daysInMonth(year, 2) === 29;
  };
  const ways = ['2-29', '12-31'].map((date) => [missing.filter(isOf(date)), all.filter(isOf(date))] as const);
  const [found] = ways.find(([left, every]) => every.length > 0 && left.length === every.length) ?? [];
  return new Set(found);
}

export function missingRows(
  { frequency, times, holidays }: ReadSeries,
  zone: Zone,
): (last: number, time: number) => number {
  if (!frequency) return () => 0;
  const clock = clockOf(times, frequency, zone);
  const free = holidays > 0 ? holidaysOf(times, frequency, zone) : new Set<number>();
  return (last, time) => {
    const before = clock.toWall(last);
    const steps = Math.max(0, stepIndex(before, clock.toWall(time), frequency) - 1);
    const dayOf = (step: number) => Math.floor(addSteps(before, frequency, step) / DAY);
    if (free.size === 0) return steps;
    return Array.from({ length: steps }, (_, index) => dayOf(index + 1)).filter((day) => !free.has(day)).length;
  };
}

const MOST_COLUMNS = 40;
const MOST_NUMBERS = 4_000_000;
const MOST_TEXTS = 20;
const YES = /^(?:true|yes|ja|wahr|y)$/i;
const NO = /^(?:false|no|nein|falsch|n)$/i;

type Candidate = Omit<KnownColumn, 'ahead'>;

export function besideColumns(
  columns: readonly Column[],
  read: readonly { readonly column: Column; readonly values: Float64Array }[],
  taken: readonly string[],
  { covariates: wanted }: LayoutChoice,
): Candidate[] {
  const isWanted = (name: string) => name !== '' && !taken.includes(name) && (wanted?.includes(name) ?? true);
  const free = columns.filter(({ name, filled }) => filled > 0 && isWanted(name));
  const rows = read[0]?.values.length ?? 0;
  if (free.length > MOST_COLUMNS || rows * free.length * read.length > MOST_NUMBERS) return [];
  return free.flatMap((column): Candidate[] => {
    const { name, texts } = column;
    const own = read.find((each) => each.column === column);
    if (own) return [{ name, kind: 'number', values: own.values }];
    if (texts) return texts.numbers.size <= MOST_TEXTS + 1 ? [textCandidate(name, texts)] : [];
    const { numbers } = column;
    if (!numbers || !isNumeric(column) || isIndexName(name)) return [];
    return [{ name, kind: 'number', values: numbers.values }];
  });
}

function textCandidate(name: string, { codes, numbers }: NonNullable<Column['texts']>): Candidate {
  const texts = [...numbers.keys()];
  const isSwitch = texts.every((text) => text === '' || YES.test(text) || NO.test(text));
  const valueOf = texts.map((text, code) => (text === '' ? NaN : isSwitch ? Number(YES.test(text)) : code));
  const values = codes.all().map((code) => valueOf[code] ?? NaN);
  return isSwitch ? { name, kind: 'switch', values } : { name, kind: 'text', values, texts };
}

/**
 * What the other columns say of the rows of a series, and of the rows after its last value. Undefined where they say
 * nothing, and where several rows are of one time.
 * @param times of the rows of the series, as in the table
 */
export function besideOf(
  series: ReadSeries,
  candidates: readonly Candidate[],
  times: Float64Array,
  rowOf: (index: number) => number,
): ReadSeries['beside'] {
  const others = candidates.filter(({ name }) => name !== series.valueColumn);
  if (others.length === 0 || series.duplicates > 0 || series.aggregate) return undefined;
  const kept = rowsOf(series, times);
  const all = Float64Array.from(kept, (row) => times[row]!);
  if (!isRising(all, true)) return undefined;
  const length = series.times.length;
  const columns = others
    .map(({ name, kind, values, texts }): KnownColumn => {
      const own = Float64Array.from(kept, (row) => values[rowOf(row)]!);
      const end = own.findLastIndex((value) => !Number.isNaN(value)) + 1;
      return { name, kind, values: own, ahead: Math.max(0, end - length), ...(texts ? { texts } : {}) };
    })
    .filter(({ values }) => !isConstant(values));
  const ahead = columns.reduce((most, each) => Math.max(most, each.ahead), 0);
  if (columns.length === 0) return undefined;
  return {
    futureTimes: all.slice(length, length + ahead),
    columns: columns.map((each) => ({ ...each, values: each.values.slice(0, length + ahead) })),
  };
}

function rowsOf(series: ReadSeries, times: Float64Array): Uint32Array {
  const sorted = Uint32Array.from(times.keys()).filter((row) => !Number.isNaN(times[row]!));
  if (!isRising(times)) sorted.sort((a, b) => times[a]! - times[b]!);
  const { frequency, times: own, timeZone = 'UTC' } = series;
  const clock = frequency && clockOf(own, frequency, zoneOf(timeZone));
  const isOpenAt = (time: number) => !clock || isInOpenTime(clock.toWall(time), frequency);
  let place = 0;
  return sorted.filter((row) => {
    const time = times[row]!;
    while (place < own.length && own[place]! < time) place++;
    return place < own.length ? own[place] === time : isOpenAt(time);
  });
}
