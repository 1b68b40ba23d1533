import { EngineError } from '../types.ts';

export interface Sum {
  readonly total: number;
  readonly parts: readonly number[];
}

export interface Structure {
  readonly size: number;
  readonly bottoms: Int32Array;
  readonly totals: readonly { readonly series: number; readonly members: Int32Array }[];
  /** How many totals are above each series at most. Parts share the last level; −1 for a series that is in no sum. */
  readonly levels: Int32Array;
}

/** Sums that contradict each other. `total` is the place of the series that they are about. */
export class SumsError extends EngineError {
  override readonly name = 'SumsError';
  readonly total: number;

  constructor(message: string, total: number) {
    super(message);
    this.total = total;
  }
}

/** @throws SumsError for a circle, a part that counts twice, and two sums of one total that come to different parts */
export function structureOf(size: number, sums: readonly Sum[]): Structure {
  const sumsOf = Map.groupBy(sums, ({ total }) => total);
  const bottoms = Int32Array.from({ length: size }, (_, i) => i).filter((i) => !sumsOf.has(i));
  const found = new Map(Array.from(bottoms, (series): [number, Int32Array] => [series, Int32Array.of(series)]));
  const open = new Set<number>();
  const membersOf = (series: number): Int32Array => {
    const known = found.get(series);
    if (known) return known;
    if (open.has(series)) throw new SumsError('part_of_itself', series);
    open.add(series);
    let members: Int32Array | undefined;
    for (const { parts } of sumsOf.get(series)!) {
      const all = Int32Array.from(parts.flatMap((part) => [...membersOf(part)])).sort();
      if (all.some((member, i) => i > 0 && member === all[i - 1])) throw new SumsError('counts_twice', series);
      if (members && (members.length !== all.length || members.some((member, i) => member !== all[i])))
        throw new SumsError('other_parts', series);
      members = all;
    }
    open.delete(series);
    found.set(series, members!);
    return members!;
  };
  const totals = [...sumsOf.keys()]
    .map((series) => ({ series, members: membersOf(series) }))
    .sort((a, b) => b.members.length - a.members.length || a.series - b.series);
  return { size, bottoms, totals, levels: levelsOf(size, sums, bottoms) };
}

function levelsOf(size: number, sums: readonly Sum[], bottoms: Int32Array): Int32Array {
  const above: number[][] = Array.from({ length: size }, () => []);
  for (const { total, parts } of sums) for (const part of parts) above[part].push(total);
  const depths = new Int32Array(size).fill(-1);
  const depthOf = (series: number): number => {
    if (depths[series] < 0) depths[series] = above[series].reduce((most, one) => Math.max(most, depthOf(one) + 1), 0);
    return depths[series];
  };
  for (let series = 0; series < size; series++) depthOf(series);
  const last = depths.reduce((most, depth) => Math.max(most, depth), 0);
  for (const series of bottoms) depths[series] = depths[series] === 0 ? -1 : last;
  return depths;
}

export function addUp({ totals }: Structure, values: Float64Array): void {
  for (const { series, members } of totals) values[series] = sumOf(members, values);
}

export function sumOf(members: Int32Array, values: Float64Array): number {
  let sum = 0;
  for (const member of members) sum += values[member];
  return sum;
}
