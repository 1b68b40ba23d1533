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
function riseWithin(times: Float64Array, { codes, names }: Groups): boolean {
  const last = new Float64Array(names.length).fill(-Infinity);
  for (let row = 0; row < times.length; row++) {
    const code = codes[row]!;
    if (times[row]! <= last[code]!) return false;
    last[code] = times[row]!;
  }
  return true;
}

/** Rows whose time occurred before, of all rows or of those of the same series; rows without a time are none of them. */
export function countRepeats(times: Float64Array, groups?: Groups): number {
  if (groups ? riseWithin(times, groups) : isRising(times, true)) return 0;
  const lists = groups
    ? rowsByGroup(groups).map((rows) => Float64Array.from(rows, (row) => times[row]!))
    : [times.slice()];
  let repeats = 0;
  for (const list of lists) {
    list.sort();
    for (let at = 1; at < list.length; at++) if (list[at] === list[at - 1]) repeats++;
  }
  return repeats;
}
