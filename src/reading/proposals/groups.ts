import { isRising } from '../../calendar/order.ts';
import type { Column } from '../columns/column.ts';

/** Series of a long table: a number for each row, and a name for each number. */
export interface Groups {
  readonly codes: Float64Array;
  readonly names: readonly string[];
  readonly columns: readonly string[];
}

/** Codes of a column's different cells, in order of appearance, with what they are called. */
export function codesOf(column: Column): { readonly codes: Float64Array; readonly names: readonly string[] } {
  if (column.texts) return { codes: column.texts.codes.all(), names: [...column.texts.numbers.keys()] };
  const values = column.numbers?.reading('.').reading.values.all() ?? new Float64Array(column.rows).fill(NaN);
  const known = new Map<number, number>();
  const codes = values.map((value) => {
    let code = known.get(value);
    if (code === undefined) known.set(value, (code = known.size));
    return code;
  });
  return { codes, names: [...known.keys()].map((value) => (Number.isNaN(value) ? '' : String(value))) };
}

/** How many different cells a column has. */
export const variety = (column: Column): number =>
  column.texts ? column.texts.numbers.size : codesOf(column).names.length;

/** The series that columns tell apart together; their names are joined by `/`. */
export function joinGroups(columns: readonly Column[], rows: number): Groups {
  const parts = columns.map(codesOf);
  const [only] = parts;
  const labels = columns.map(({ name }) => name);
  if (parts.length === 1 && only) return { ...only, columns: labels };
  const codes = new Float64Array(rows);
  let first = new Map<number, number>();
  let groups = 1;
  for (const part of parts) {
    const known = new Map<number, number>();
    first = new Map();
    for (let row = 0; row < rows; row++) {
      const key = part.codes[row]! * groups + codes[row]!;
      let code = known.get(key);
      if (code === undefined) {
        known.set(key, (code = known.size));
        first.set(code, row);
      }
      codes[row] = code;
    }
    groups = known.size;
  }
  const names = Array.from(first.values(), (row) =>
    parts
      .map((part) => part.names[part.codes[row]!] ?? '')
      .filter((name) => name !== '')
      .join('/'),
  );
  return { codes, names, columns: labels };
}

/** Row numbers of each group, in the order of the groups' first rows. */
export function rowsByGroup(groups: Groups): Uint32Array[] {
  const sizes = new Uint32Array(groups.names.length);
  for (const code of groups.codes) sizes[code]!++;
  const rows = Array.from(sizes, (size) => new Uint32Array(size));
  const used = new Uint32Array(groups.names.length);
  for (let row = 0; row < groups.codes.length; row++) {
    const code = groups.codes[row]!;
    rows[code]![used[code]!++] = row;
  }
  return rows;
}

/** Whether the rows of each series are in time order without repeats, as they are in most long tables. */
function riseWithin(times: Float64Array, codes: Float64Array): boolean {
  const last = new Map<number, number>();
  for (let row = 0; row < times.length; row++) {
    const time = times[row]!;
    const before = last.get(codes[row]!);
    if (before !== undefined && !(time > before)) return false;
    last.set(codes[row]!, time);
  }
  return true;
}

/** Rows whose time occurred before, of all rows or of those of the same series; rows without a time are none of them. */
export function countRepeats(times: Float64Array, codes?: Float64Array): number {
  if (codes ? riseWithin(times, codes) : isRising(times, true)) return 0;
  let repeats = 0;
  if (!codes) {
    const sorted = times.slice().sort();
    for (let i = 1; i < sorted.length; i++) if (sorted[i] === sorted[i - 1]) repeats++;
    return repeats;
  }
  const order = Uint32Array.from(times, (_, row) => row);
  order.sort((a, b) => codes[a]! - codes[b]! || times[a]! - times[b]! || a - b);
  for (let i = 1; i < order.length; i++) {
    const [row, before] = [order[i]!, order[i - 1]!];
    if (times[row] === times[before] && codes[row] === codes[before]) repeats++;
  }
  return repeats;
}
