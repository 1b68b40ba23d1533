import type { Random } from '../random.ts';

/** Columns of a table, each cut into at most 255 bins by its quantiles. */
export interface BinnedColumns {
  readonly rows: number;
  readonly bins: readonly Uint8Array[];
  readonly cuts: readonly (readonly number[])[];
}

export interface TreeOptions {
  readonly trees: number;
  readonly depth: number;
  readonly rate: number;
  /** Fewest rows in a leaf. */
  readonly leaf: number;
  /** Added to the number of rows of a leaf, so that its value is drawn to 0. */
  readonly shrinkage: number;
  /** The share of the columns that a tree may use. */
  readonly columnShare: number;
}

interface Node {
  readonly column: number;
  /** The last bin that goes to the left. */
  readonly bin: number;
  readonly left: number;
  readonly right: number;
  readonly value: number;
}
export type Tree = readonly Node[];

const mostBins = 40;

/** @param columns all of the same length, without missing values */
export function binned(columns: readonly Float64Array[]): BinnedColumns {
  const cuts = columns.map(cutsOf);
  return {
    rows: columns[0]?.length ?? 0,
    bins: columns.map((column, k) => Uint8Array.from(column, (value) => binOf(cuts[k], value))),
    cuts,
  };
}

/** Other values of the same columns, cut at the same places. */
export function rebinned({ cuts }: BinnedColumns, columns: readonly Float64Array[]): Uint8Array[] {
  return columns.map((column, k) => Uint8Array.from(column, (value) => binOf(cuts[k], value)));
}

function cutsOf(column: Float64Array): number[] {
  const sorted = column.slice().sort();
  const distinct: number[] = [];
  for (const value of sorted) {
    if (distinct.length > mostBins) break;
    if (value !== distinct[distinct.length - 1]) distinct.push(value);
  }
  if (distinct.length <= mostBins) return distinct.slice(1).map((value, i) => (value + distinct[i]) / 2);
  const cuts: number[] = [];
  for (let k = 1; k < mostBins; k++) {
    const at = Math.floor((k * sorted.length) / mostBins);
    const cut = (sorted[at] + sorted[Math.max(0, at - 1)]) / 2;
    if (cut > (cuts[cuts.length - 1] ?? -Infinity)) cuts.push(cut);
  }
  return cuts;
}

function binOf(cuts: readonly number[], value: number): number {
  let low = 0;
  let high = cuts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (value > cuts[middle]) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Gradient-boosted regression trees on histograms (Friedman 2001; Ke et al. 2017), with Huber's loss.
 *
 * @param rows indices of the rows to learn from
 * @param bound errors beyond it count as if they were so large
 */
export function boostTrees(
  { bins, cuts }: BinnedColumns,
  target: Float64Array,
  rows: Int32Array,
  bound: number,
  options: TreeOptions,
  random: Random,
): Tree[] {
  const counts = cuts.map((each) => each.length + 1);
  const residual = target.slice();
  const clipped = new Float64Array(target.length);
  const trees: Tree[] = [];
  for (let round = 0; round < options.trees; round++) {
    for (const row of rows) clipped[row] = Math.max(-bound, Math.min(bound, residual[row]));
    const columns = bins.map((_, k) => k).filter((k) => counts[k] > 1 && random.uniform() < options.columnShare);
    if (columns.length === 0) continue;
    const order = rows.slice();
    const tree = growTree(bins, counts, clipped, order, columns, options, (from, to, value) => {
      for (let i = from; i < to; i++) residual[order[i]] -= value;
    });
    trees.push(tree);
  }
  return trees;
}

interface Histogram {
  readonly sums: Float64Array;
  readonly sizes: Float64Array;
}

/** Sorts `order` so that each leaf has its rows in one piece, and tells of each leaf with its value. */
function growTree(
  bins: readonly Uint8Array[],
  counts: readonly number[],
  target: Float64Array,
  order: Int32Array,
  columns: readonly number[],
  options: TreeOptions,
  onLeaf: (from: number, to: number, value: number) => void,
): Tree {
  const offsets = new Int32Array(bins.length);
  let width = 0;
  for (const column of columns) {
    offsets[column] = width;
    width += counts[column];
  }
  const spare = new Int32Array(order.length);
  const nodes: Node[] = [];

  const count = (from: number, to: number): Histogram => {
    const sums = new Float64Array(width);
    const sizes = new Float64Array(width);
    for (const column of columns) {
      const bin = bins[column];
      const offset = offsets[column];
      for (let i = from; i < to; i++) {
        const row = order[i];
        const at = offset + bin[row];
        sums[at] += target[row];
        sizes[at]++;
      }
    }
    return { sums, sizes };
  };

  const grow = (from: number, to: number, depth: number, histogram: Histogram): number => {
    const place = nodes.length;
    let total = 0;
    for (let i = from; i < to; i++) total += target[order[i]];
    const size = to - from;
    const split = depth > 0 ? bestSplit(histogram, columns, offsets, counts, total, size, options) : undefined;
    if (!split) {
      const value = (options.rate * total) / (size + options.shrinkage);
      nodes.push({ column: -1, bin: 0, left: 0, right: 0, value });
      onLeaf(from, to, value);
      return place;
    }
    const bin = bins[split.column];
    let left = from;
    let kept = 0;
    for (let i = from; i < to; i++) {
      const row = order[i];
      if (bin[row] <= split.bin) order[left++] = row;
      else spare[kept++] = row;
    }
    order.set(spare.subarray(0, kept), left);
    nodes.push({ column: -1, bin: 0, left: 0, right: 0, value: 0 });
    const empty: Histogram = { sums: new Float64Array(0), sizes: new Float64Array(0) };
    const leftIsLess = left - from < to - left;
    const less = depth > 1 ? (leftIsLess ? count(from, left) : count(left, to)) : empty;
    const rest = depth > 1 ? without(histogram, less) : empty;
    const leftNode = grow(from, left, depth - 1, leftIsLess ? less : rest);
    const rightNode = grow(left, to, depth - 1, leftIsLess ? rest : less);
    nodes[place] = { column: split.column, bin: split.bin, left: leftNode, right: rightNode, value: 0 };
    return place;
  };
  grow(0, order.length, options.depth, count(0, order.length));
  return nodes;
}

const without = (whole: Histogram, part: Histogram): Histogram => ({
  sums: whole.sums.map((sum, i) => sum - part.sums[i]),
  sizes: whole.sizes.map((size, i) => size - part.sizes[i]),
});

function bestSplit(
  { sums, sizes }: Histogram,
  columns: readonly number[],
  offsets: Int32Array,
  counts: readonly number[],
  total: number,
  size: number,
  { leaf, shrinkage }: TreeOptions,
): { column: number; bin: number } | undefined {
  if (size < 2 * leaf) return undefined;
  let best: { column: number; bin: number } | undefined;
  let most = ((total * total) / (size + shrinkage)) * (1 + 1e-9) + 1e-12;
  for (const column of columns) {
    const offset = offsets[column];
    let sum = 0;
    let inside = 0;
    for (let bin = 0; bin < counts[column] - 1; bin++) {
      sum += sums[offset + bin];
      inside += sizes[offset + bin];
      if (inside < leaf) continue;
      if (size - inside < leaf) break;
      const other = total - sum;
      const score = (sum * sum) / (inside + shrinkage) + (other * other) / (size - inside + shrinkage);
      if (score > most) {
        most = score;
        best = { column, bin };
      }
    }
  }
  return best;
}

/** Adds what the trees say of each row of a range to `result`, times a factor. */
export function addTrees(
  trees: readonly Tree[],
  bins: readonly Uint8Array[],
  rows: Iterable<number>,
  result: Float64Array,
  factor = 1,
): void {
  for (const row of rows) {
    let sum = 0;
    for (const tree of trees) {
      let node = tree[0];
      while (node.column >= 0) node = tree[bins[node.column][row] <= node.bin ? node.left : node.right];
      sum += node.value;
    }
    result[row] += factor * sum;
  }
}
