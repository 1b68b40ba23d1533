import { nextTurn } from '#platform/turn';
import { said } from './phrase.ts';
import { lastPoints } from './points.ts';
import type { ReadSeries } from './types.ts';
import { isTotalWord } from './values/totals.ts';

export interface SeriesSum {
  readonly total: string;
  readonly parts: readonly string[];
}

type Summable = Pick<ReadSeries, 'times' | 'values' | 'timeKind' | 'timeZone' | 'keys' | 'valueColumn'> & {
  readonly name: string;
};

export interface Family {
  readonly sums: readonly SeriesSum[];
  readonly made: readonly { readonly name: string; readonly members: readonly string[] }[];
}

/** A series, or a total, by where it stands: from the whole, which has no path, down to one of the parts. */
interface Node {
  readonly name: string;
  readonly path: readonly string[];
}

const SEPARATORS = ['/', '|', '>', ':', '_', '-', '.'];
const MOST_LEVELS = 5;
const MOST_TRIED = 12;
const MOST_OFF = 0.005; // a sum may be off by its roundings, at a few steps by more
const MOST_STEPS_OFF = 0.05;
const LEAST_STEPS = 5;
const LOOKED_AT = 60;
const MOST_MISSING = 0.2; // where parts are missing at more of the steps, what is not written is taken for 0

export function findFamily(series: readonly Summable[]): Family | undefined {
  const [first] = series;
  if (series.length < 3 || series.some(({ timeKind }) => timeKind !== first?.timeKind)) return undefined;
  const names = series.map(({ name }) => name);
  if (new Set(names).size < names.length) return undefined;
  const ends = lastValues(series);
  const keyed = nodesOfKeys(series);
  const named = keyed ? sumsOf(keyed) : sumsOfNames(names);
  if (named.length > 0 && named.every((sum) => addsUp(sum, ends))) return { sums: named, made: [] };
  const found = sumByValues(ends);
  if (found) return { sums: [found], made: [] };
  if (series.some(({ values }) => values.some((value) => value < 0))) return undefined;
  if (keyed) return new Set(series.map(({ valueColumn }) => valueColumn)).size > 1 ? undefined : withTotals(keyed, '/');
  const separator = SEPARATORS.find((each) => haveLevels(nodesOfNames(names, each)));
  return separator === undefined ? undefined : withTotals(nodesOfNames(names, separator), separator);
}

function nodesOfKeys(series: readonly Summable[]): readonly Node[] | undefined {
  const columns = Object.keys(series[0]?.keys ?? {});
  const sizes = new Map(columns.map((column) => [column, new Set(series.map(({ keys }) => keys?.[column])).size]));
  if (columns.length < 2 || series.some(({ keys }) => columns.some((column) => keys?.[column] === undefined)))
    return undefined;
  const falling = columns.toSorted((a, b) => sizes.get(a)! - sizes.get(b)!).filter((column) => sizes.get(column)! > 1);
  return series.map(({ name, keys = {} }) => {
    const cells = falling.map((column) => keys[column]!);
    // a total of all that stands below the cells before it
    return { name, path: cells.slice(0, cells.findLastIndex((cell) => !isTotalWord(cell)) + 1) };
  });
}

/** Series by the parts of their names; the only one that is called a total has no part. */
function nodesOfNames(names: readonly string[], separator: string): readonly Node[] {
  const wholes = names.filter(isTotalWord);
  return names.map((name) => ({ name, path: wholes.length === 1 && name === wholes[0] ? [] : name.split(separator) }));
}

export function sumsOfNames(names: readonly string[]): SeriesSum[] {
  const bySeparator = SEPARATORS.map((separator) => sumsOf(nodesOfNames(names, separator)));
  return bySeparator.reduce((best, sums) => (sums.length > best.length ? sums : best));
}

/** Each node that is above others, with those that have nothing else between; none where one is above a single other. */
function sumsOf(nodes: readonly Node[]): SeriesSum[] {
  const byPath = new Map(nodes.map(({ name, path }) => [JSON.stringify(path), name]));
  const totalOf = ({ path }: Node) =>
    path.map((_, depth) => byPath.get(JSON.stringify(path.slice(0, depth)))).findLast((name) => name !== undefined);
  const sums = [...Map.groupBy(nodes, totalOf)].flatMap(([total, parts]) =>
    total === undefined ? [] : [{ total, parts: parts.map(({ name }) => name) }],
  );
  return sums.every(({ parts }) => parts.length > 1) ? sums : [];
}

type LastValues = ReadonlyMap<string, Float64Array>;

function lastValues(series: readonly Summable[]): LastValues {
  const ends = series.map((one) => lastPoints(one, LOOKED_AT));
  const axis = axisOf(ends).slice(-LOOKED_AT);
  return new Map(
    ends.map(({ name, times, values }) => {
      const row = new Float64Array(axis.length).fill(NaN);
      onAxis(times, axis, (index, place) => (row[place] = values[index]!));
      return [name, row];
    }),
  );
}

const addsUp = ({ total, parts }: SeriesSum, values: LastValues): boolean =>
  isSum(values.get(total)!, sumAt(parts.map((part) => values.get(part)!)));

function sumAt(rows: readonly Float64Array[]) {
  const sumOf = (termOf: (value: number) => number) =>
    rows[0]!.map((_, step) => rows.reduce((sum, row) => sum + termOf(row[step]!), 0));
  return { sum: sumOf((value) => value), size: sumOf(Math.abs) };
}

export function isSum(whole: Float64Array, { sum, size }: ReturnType<typeof sumAt>, most = MOST_OFF): boolean {
  const known = Array.from(whole.keys()).filter((step) => !Number.isNaN(whole[step]! - sum[step]!));
  const off = known.filter((step) => Math.abs(whole[step]! - sum[step]!) > most * size[step]!);
  const moving = known.filter((step) => size[step]! > 0);
  return moving.length >= LEAST_STEPS && off.length <= MOST_STEPS_OFF * known.length;
}

/** Whether a part is more than 0 at steps of a sum: zeros add up to anything. */
export const movesIn = (whole: Float64Array, part: Float64Array): boolean =>
  part.filter((value, step) => value !== 0 && !Number.isNaN(whole[step]!)).length >= LEAST_STEPS;

/** The one series that is the sum of all others, or, of few, one called a total that is the sum of most of them. */
function sumByValues(values: LastValues): SeriesSum | undefined {
  const names = [...values.keys()].sort((a, b) => Number(isTotalWord(b)) - Number(isTotalWord(a)));
  const all = sumAt([...values.values()]);
  const isSumOfOthers = (name: string) => {
    const own = values.get(name)!;
    const sum = all.sum.map((each, step) => each - own[step]!);
    const size = all.size.map((each, step) => each - Math.abs(own[step]!));
    return isSum(own, { sum, size });
  };
  const othersOf = (total: string) => [...values.keys()].filter((name) => name !== total);
  const total = names.find(isSumOfOthers);
  if (total !== undefined) return { total, parts: othersOf(total) };
  const [word, ...more] = names.filter(isTotalWord);
  if (word === undefined || more.length > 0 || names.length > MOST_TRIED) return undefined;
  const others = othersOf(word);
  let best: SeriesSum | undefined;
  for (let mask = 1; mask < 1 << others.length; mask++) {
    const parts = others.filter((_, i) => (mask >> i) & 1);
    if (parts.length < 2 || parts.length <= (best?.parts.length ?? 0)) continue;
    if (addsUp({ total: word, parts }, values)) best = { total: word, parts };
  }
  return best;
}

function withTotals(nodes: readonly Node[], separator: string): Family | undefined {
  if (!haveLevels(nodes)) return undefined;
  const above = Array.from(nodes[0]!.path, (_, depth) =>
    [...Map.groupBy(nodes, ({ path }) => JSON.stringify(path.slice(0, depth))).values()].map((those) => {
      const path = those[0]!.path.slice(0, depth);
      return { name: path.join(separator) || said`Total`.message, path, members: those.map(({ name }) => name) };
    }),
  ).flat();
  const made = [...new Map(above.map((total) => [JSON.stringify(total.members), total])).values()]
    .filter(({ members }) => members.length > 1)
    .sort((a, b) => a.path.length - b.path.length);
  const names = [...nodes, ...made].map(({ name }) => name);
  if (new Set(names).size < names.length) return undefined;
  return { sums: sumsOf([...made, ...nodes]), made: made.map(({ name, members }) => ({ name, members })) };
}

function haveLevels(nodes: readonly Node[]): boolean {
  const levels = nodes[0]?.path.length ?? 0;
  if (levels < 2 || levels > MOST_LEVELS) return false;
  if (nodes.some(({ path }) => path.length !== levels || path.includes(''))) return false;
  const groups = [...Map.groupBy(nodes, ({ path }) => path[0]).values()];
  return groups.length > 1 && groups.filter((those) => those.length > 1).length > groups.length / 2;
}

const SLICE = 300_000;

export async function makeTotals(series: readonly Summable[], { made }: Family): Promise<Summable[]> {
  const byName = new Map(series.map((one) => [one.name, one]));
  const axis = axisOf(series);
  const totals: Summable[] = [];
  let added = 0;
  for (const { name, members } of made) {
    const sums = new Float64Array(axis.length);
    const [begun, known] = [new Int32Array(axis.length), new Int32Array(axis.length)];
    const parts = members.map((each) => byName.get(each)!);
    for (const { times, values } of parts) {
      added += times.length;
      if (added > SLICE) {
        added = 0;
        await nextTurn();
      }
      onAxis(times, axis, (index, place) => {
        if (index === 0) begun[place]!++;
        if (Number.isNaN(values[index]!)) return;
        sums[place]! += values[index]!;
        known[place]!++;
      });
    }
    const start = begun.findIndex((count) => count > 0);
    let all = 0;
    const missing = begun.map((count, step) => (all += count) - known[step]!).subarray(start);
    const isWhole = missing.filter((count) => count > 0).length <= MOST_MISSING * missing.length;
    const values = sums.slice(start).map((sum, step) => (isWhole && missing[step]! > 0 ? NaN : sum));
    const { timeKind, timeZone } = parts[0]!;
    totals.push({ name, timeKind, timeZone, times: axis.slice(start), values });
  }
  return totals;
}

function axisOf(series: readonly Pick<Summable, 'times'>[]): Float64Array {
  let axis = new Float64Array();
  for (const { times } of series.toSorted((a, b) => b.times.length - a.times.length)) {
    let found = 0;
    onAxis(times, axis, () => found++);
    if (found < times.length) axis = Float64Array.from(new Set([...axis, ...times])).sort();
  }
  return axis;
}

function onAxis(times: Float64Array, axis: Float64Array, tell: (index: number, place: number) => void): void {
  let place = 0;
  for (let index = 0; index < times.length; index++) {
    while (place < axis.length && axis[place]! < times[index]!) place++;
    if (axis[place] === times[index]) tell(index, place);
  }
}
