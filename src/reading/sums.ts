import { said } from './phrase.ts';
import type { ReadSeries } from './types.ts';
import { isTotalWord } from './values/totals.ts';

/** One series that is the sum of others, by their names. */
export interface SeriesSum {
  readonly total: string;
  readonly parts: readonly string[];
}

type Summable = Pick<ReadSeries, 'times' | 'values' | 'timeKind' | 'timeZone'> & { readonly name: string };

/** Series that add up, or would with totals beside them. */
export interface Family {
  readonly sums: readonly SeriesSum[];
  /**
   * Totals that the document does not have, with the series that they sum up: `north` of `north/a` and `north/b`, and the
   * whole. Empty where all are there. {@link makeTotals} makes them.
   */
  readonly made: readonly { readonly name: string; readonly members: readonly string[] }[];
}

/** What stands between the parts of names, the most telling first; columns of ids are joined by the first. */
const SEPARATORS = ['/', '|', '>', ':', '_', '-', '.'];
const MOST_SEGMENTS = 5;
/** So many series are tried for one that is the sum of some of the others. */
const MOST_TRIED = 12;
/** A sum may be off by its roundings, at a few steps by more. */
const MOST_OFF = 0.005;
const MOST_STEPS_OFF = 0.05;
const LEAST_STEPS = 5;
/** So many of the last steps are looked at. */
const LOOKED_AT = 60;
/** Where parts are missing at more of the steps, what is not written is taken for 0. */
const MOST_MISSING = 0.2;

/**
 * How series of a document add up: by totals that are there and are the sums of others, or by names with levels
 * (`region/store/article`) of values that are not negative, whose totals can be made.
 */
export function findFamily(series: readonly Summable[]): Family | undefined {
  const [first] = series;
  if (series.length < 3 || series.some(({ timeKind }) => timeKind !== first?.timeKind)) return undefined;
  const names = series.map(({ name }) => name);
  if (new Set(names).size < names.length) return undefined;
  const ends = lastValues(series);
  const named = sumsOfNames(names);
  if (named.length > 0 && named.every((sum) => addsUp(sum, ends))) return { sums: named, made: [] };
  const found = sumByValues(series, ends);
  if (found) return { sums: [found], made: [] };
  return withTotals(series, names);
}

/**
 * The sums that names of series tell where totals are among them: `north` of `north/a` and `north/b`, and a whole that is
 * called so (`Total`) of all that have nothing else above them.
 */
export function sumsOfNames(names: readonly string[]): SeriesSum[] {
  const known = new Set(names);
  const wholes = names.filter(isTotalWord);
  const whole = wholes.length === 1 ? wholes[0] : undefined;
  const bySeparator = SEPARATORS.map((separator) => {
    const parts = new Map<string, string[]>();
    for (const name of names) {
      if (name === whole) continue;
      let above = name;
      do above = above.slice(0, Math.max(0, above.lastIndexOf(separator)));
      while (above !== '' && !known.has(above));
      const total = above === '' ? whole : above;
      if (total !== undefined) parts.set(total, [...(parts.get(total) ?? []), name]);
    }
    return [...parts].map(([total, those]): SeriesSum => ({ total, parts: those }));
  });
  const most = bySeparator.reduce((best, sums) => (sums.length > best.length ? sums : best));
  return most.filter(({ parts }) => parts.length > 1).length === most.length ? most : [];
}

/** The values of each series at the last times of all. */
function lastValues(series: readonly Summable[]): ReadonlyMap<string, Float64Array> {
  const times = axisOf(series.map(({ times: all }) => ({ times: all.subarray(-LOOKED_AT) }))).slice(-LOOKED_AT);
  return new Map(
    series.map((one) => {
      const row = new Float64Array(times.length).fill(NaN);
      let from = one.times.length;
      while (from > 0 && one.times[from - 1]! >= times[0]!) from--;
      onAxis(one.times, times, from, (index, place) => (row[place] = one.values[index]!));
      return [one.name, row];
    }),
  );
}

function addsUp({ total, parts }: SeriesSum, values: ReadonlyMap<string, Float64Array>): boolean {
  const whole = values.get(total);
  if (!whole) return false;
  let [looked, off, moving] = [0, 0, 0];
  for (let step = 0; step < whole.length; step++) {
    let [sum, size] = [0, 0];
    for (const part of parts) {
      const value = values.get(part)?.[step] ?? NaN;
      sum += value;
      size += Math.abs(value);
    }
    const difference = Math.abs(whole[step]! - sum);
    if (Number.isNaN(difference)) continue;
    looked++;
    if (size > 0) moving++;
    if (difference > MOST_OFF * size) off++;
  }
  return looked >= LEAST_STEPS && moving >= LEAST_STEPS && off <= MOST_STEPS_OFF * looked;
}

/** The one series that is the sum of all others, or, of few, of most of them. */
function sumByValues(series: readonly Summable[], values: ReadonlyMap<string, Float64Array>): SeriesSum | undefined {
  const all = series.map(({ name }) => name);
  const candidates = [...all.filter(isTotalWord), ...all.filter((name) => !isTotalWord(name))];
  for (const total of candidates) {
    const sum = { total, parts: all.filter((name) => name !== total) };
    if (isHalf(total, values) && addsUp(sum, values)) return sum;
  }
  const [word, ...more] = all.filter(isTotalWord);
  if (word === undefined || more.length > 0 || all.length > MOST_TRIED) return undefined;
  const others = all.filter((name) => name !== word);
  let best: SeriesSum | undefined;
  for (let mask = 1; mask < 1 << others.length; mask++) {
    const parts = others.filter((_, i) => (mask >> i) & 1);
    if (parts.length < 2 || parts.length <= (best?.parts.length ?? 0)) continue;
    if (addsUp({ total: word, parts }, values)) best = { total: word, parts };
  }
  return best;
}

/** Whether a series is half of all together at the last step that all have: a quick look before the others. */
function isHalf(name: string, values: ReadonlyMap<string, Float64Array>): boolean {
  const own = values.get(name)!;
  for (let step = own.length - 1; step >= 0; step--) {
    let sum = 0;
    for (const row of values.values()) sum += row[step]!;
    if (Number.isFinite(sum) && sum !== 0) return Math.abs(2 * own[step]! - sum) <= 2 * MOST_OFF * Math.abs(sum);
  }
  return false;
}

/** Totals for names with levels: at least two groups of which most have more than one series. */
function withTotals(series: readonly Summable[], names: readonly string[]): Family | undefined {
  if (series.some(({ values }) => values.some((value) => value < 0))) return undefined;
  const separator = SEPARATORS.find((each) => hasLevels(names, each));
  if (separator === undefined) return undefined;
  const whole = said`Total`.message;
  const members = new Map<string, string[]>([[whole, [...names]]]);
  for (const name of names) {
    const segments = name.split(separator);
    for (let depth = 1; depth < segments.length; depth++) {
      const total = segments.slice(0, depth).join(separator);
      members.set(total, [...(members.get(total) ?? []), name]);
    }
  }
  // a total of one series, or of the same ones as the total below it, tells nothing more
  const sizes = new Set<string>();
  const kept = [...members].toReversed().filter(([, those]) => {
    const key = JSON.stringify(those);
    const isNew = those.length > 1 && !sizes.has(key);
    sizes.add(key);
    return isNew;
  });
  if (kept.some(([total]) => names.includes(total))) return undefined;
  const made = kept.toReversed().map(([name, those]) => ({ name, members: those }));
  return { sums: sumsOfNames([...made.map(({ name }) => name), ...names]), made };
}

function hasLevels(names: readonly string[], separator: string): boolean {
  const paths = names.map((name) => name.split(separator));
  const length = paths[0]?.length ?? 0;
  if (length < 2 || length > MOST_SEGMENTS) return false;
  if (paths.some((path) => path.length !== length || path.includes(''))) return false;
  const groups = new Map<string, number>();
  for (const [first = ''] of paths) groups.set(first, (groups.get(first) ?? 0) + 1);
  const shared = [...groups.values()].filter((count) => count > 1).length;
  return groups.size > 1 && shared > groups.size / 2;
}

/** So many points are added up until others have their turn. */
const SLICE = 300_000;

/** Makes the totals of a family one after another; gives nothing now and then, so that others have their turn. */
export function* makeTotals(series: readonly Summable[], { made }: Family): Generator<Summable | undefined> {
  const byName = new Map(series.map((one) => [one.name, one]));
  const axis = axisOf(series);
  for (const { name, members } of made) {
    yield undefined;
    yield* sumOf(name, members.map((each) => byName.get(each)!), axis); // prettier-ignore
  }
}

/** The sum of series at all times from the first of them on. */
function* sumOf(name: string, parts: readonly Summable[], axis: Float64Array): Generator<Summable | undefined> {
  const sums = new Float64Array(axis.length);
  const known = new Int32Array(axis.length);
  const begun = new Int32Array(axis.length + 1);
  let start = axis.length;
  let points = 0;
  for (const { times, values } of parts) {
    points += times.length;
    if (points > SLICE) {
      points = 0;
      yield undefined;
    }
    let isFirst = true;
    onAxis(times, axis, 0, (index, place) => {
      if (isFirst) {
        begun[place]!++;
        start = Math.min(start, place);
      }
      isFirst = false;
      const value = values[index]!;
      if (Number.isNaN(value)) return;
      sums[place]! += value;
      known[place]!++;
    });
  }
  for (let step = 1; step < axis.length; step++) begun[step]! += begun[step - 1]!;
  const isMissing = (step: number) => known[step]! < begun[step]!;
  const steps = Array.from({ length: axis.length - start }, (_, i) => start + i);
  const isWhole = steps.filter(isMissing).length <= MOST_MISSING * steps.length;
  const [{ timeKind, timeZone }] = parts as [Summable, ...Summable[]];
  yield {
    name,
    timeKind,
    ...(timeZone === undefined ? {} : { timeZone }),
    times: axis.slice(start),
    values: Float64Array.from(steps, (step) => (isWhole && isMissing(step) ? NaN : sums[step]!)),
  };
}

/** All times of these series, rising. */
function axisOf(series: readonly Pick<Summable, 'times'>[]): Float64Array {
  let axis = series.reduce<Float64Array>(
    (longest, { times }) => (times.length > longest.length ? times : longest),
    new Float64Array(),
  );
  for (const { times } of series) {
    let found = 0;
    onAxis(times, axis, 0, () => found++);
    if (found < times.length) axis = Float64Array.from(new Set([...axis, ...times])).sort();
  }
  return axis;
}

/** Tells of each time its place among others; both rise. */
function onAxis(
  times: Float64Array,
  axis: Float64Array,
  from: number,
  tell: (index: number, place: number) => void,
): void {
  let place = 0;
  for (let index = from; index < times.length; index++) {
    while (place < axis.length && axis[place]! < times[index]!) place++;
    if (axis[place] === times[index]) tell(index, place);
  }
}
