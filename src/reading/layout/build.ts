import { type Phrase, said } from '../phrase.ts';
import { DAY } from '../../calendar/civil.ts';
import { formatInstant } from '../../calendar/format.ts';
import { approximateStep, type Frequency } from '../../calendar/frequency.ts';
import { describeFrequency } from '../../calendar/words.ts';
import { toGrid } from '../../calendar/grid.ts';
import { hasNaN, isRising } from '../../calendar/order.ts';
import { UTC, type Zone } from '../../calendar/zone.ts';
import type { ReadSeries, TimeKind } from '../types.ts';
import { holidaysOf } from './gaps.ts';
import { remarksOf, type DocumentRows } from './remarks.ts';
import { inDigits } from '../../calendar/digits.ts';

/** Rows of one series on their way to it. */
export interface SeriesRows {
  readonly id: string;
  readonly name: string;
  readonly valueColumn?: string;
  readonly timeColumn?: string;
  readonly idColumn?: string;
  readonly timeKind: TimeKind;
  /** The zone that the times are written in; UTC where this is absent. */
  readonly zone?: Zone;
  /** In which the summary writes them; their own where this is absent. */
  readonly shownZone?: Zone;
  /** In the order of the document, `NaN` where a row has no time. */
  readonly times: Float64Array;
  readonly values: Float64Array;
  /** A frequency that was chosen; `null` for irregular. */
  readonly frequency?: Frequency | null;
  /** Where the rows stand in their document, for what is to be said about them. */
  readonly origin?: Omit<DocumentRows, 'times' | 'values'>;
}

type Counts = Pick<ReadSeries, 'points' | 'gaps' | 'holidays' | 'duplicates' | 'missing'>;

/** "144 points, no gaps", with holidays, duplicates and missing values only where there are any. */
function countsInWords({ points, gaps, holidays, duplicates, missing }: Counts): string {
  const count = (n: number, one: Phrase, many: (count: string) => Phrase) =>
    (n === 1 ? one : many(inDigits(n))).message;
  const parts = [
    count(points, said`1 point`, (n) => said`${n} points`),
    gaps === 0 ? said`no gaps`.message : count(gaps, said`1 gap`, (n) => said`${n} gaps`),
  ];
  if (holidays > 0) parts.push(count(holidays, said`1 holiday`, (n) => said`${n} holidays`));
  if (duplicates > 0) parts.push(count(duplicates, said`1 duplicate`, (n) => said`${n} duplicates`));
  if (missing > 0) parts.push(said`${inDigits(missing)} missing`.message);
  return parts.join(', ');
}

/** One line that says what was read: "Passengers · monthly · Jan 1949 – Dec 1960 · 144 points, no gaps". */
export function summarize(series: Omit<ReadSeries, 'summary' | 'remarks'>, zone: Zone): string {
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

/** Rows with a time in time order, those of one instant merged to the mean of their numbers. */
function ordered(times: Float64Array, values: Float64Array) {
  if (isRising(times, true) && !hasNaN(times)) return { times, values, duplicates: 0 };
  const { values: merged, duplicates, timeAt } = toGrid(times, values, { frequency: null });
  return { times: Float64Array.from(merged, (_, row) => timeAt(row)), values: merged, duplicates };
}

/** Days and longer steps are dates of the document's own calendar, and must not move with the zone they are shown in. */
export function shownZoneOf(
  { timeKind, frequency }: Pick<ReadSeries, 'timeKind' | 'frequency'>,
  zone: Zone,
  wanted: Zone = zone,
): Zone {
  const isDated = timeKind !== 'instant' || (frequency && approximateStep(frequency) >= DAY && zone !== UTC);
  return isDated ? zone : wanted;
}

/**
 * Makes a series of rows: sorts, merges rows of one instant, leaves out rows without a value before the first and after the
 * last value, finds the frequency and counts. `undefined` where no row has both a time and a value.
 */
export function buildSeries(rows: SeriesRows): ReadSeries | undefined {
  const { times, values, duplicates } = ordered(rows.times, rows.values);
  const first = values.findIndex((value) => !Number.isNaN(value));
  if (first < 0) return undefined;
  const end = values.findLastIndex((value) => !Number.isNaN(value)) + 1;
  const whole = first === 0 && end === values.length;
  const kept = whole ? { times, values } : { times: times.slice(first, end), values: values.slice(first, end) };
  const missing = kept.values.reduce((count, value) => count + (Number.isNaN(value) ? 1 : 0), 0);
  const byRow = rows.timeKind === 'row';
  const wanted = byRow ? null : rows.frequency;
  const { zone = UTC } = rows;
  const { frequency, gaps } = toGrid(kept.times, kept.values, {
    ...(wanted === undefined ? {} : { frequency: wanted }),
    zone,
  });
  const holidays = frequency && gaps > 0 ? holidaysOf(kept.times, frequency, zone).size : 0;
  const { id, name, valueColumn, timeColumn, idColumn, timeKind } = rows;
  const series = {
    id,
    name,
    ...(valueColumn === undefined ? {} : { valueColumn }),
    ...(timeColumn === undefined ? {} : { timeColumn }),
    ...(idColumn === undefined ? {} : { idColumn }),
    ...kept,
    ...(zone === UTC || byRow ? {} : { timeZone: zone.name }),
    ...(frequency ? { frequency } : {}),
    gaps: gaps - holidays,
    holidays,
    duplicates,
    missing,
    points: kept.values.length - missing,
    timeKind,
  };
  const remarks = rows.origin ? remarksOf({ times: rows.times, values: rows.values, ...rows.origin }, series) : [];
  return { ...series, remarks, summary: summarize(series, shownZoneOf(series, zone, rows.shownZone)) };
}
