import { clockOf, isRising } from '../../calendar/grid.ts';
import { isInOpenTime } from '../../calendar/frequency.ts';
import { zoneOf } from '../../calendar/zone.ts';
import { type Column, isConstant, isNumeric } from '../columns/column.ts';
import { isIndexName } from '../columns/names.ts';
import type { KnownColumn, ReadSeries } from '../types.ts';

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
): Candidate[] {
  const free = columns.filter(({ name, filled }) => filled > 0 && name !== '' && !taken.includes(name));
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

function openAt({ frequency, times, timeZone }: ReadSeries): (time: number) => boolean {
  if (!frequency?.open) return () => true;
  const clock = clockOf(times, frequency, zoneOf(timeZone ?? 'UTC'));
  return (time) => isInOpenTime(clock.toWall(time), frequency);
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
  const isOpenAt = openAt(series);
  const own = series.times;
  let place = 0;
  return sorted.filter((row) => {
    const time = times[row]!;
    while (place < own.length && own[place]! < time) place++;
    return place < own.length ? own[place] === time : isOpenAt(time);
  });
}
