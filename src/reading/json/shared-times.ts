import { DistinctNames } from '../columns/names.ts';
import { areTimes, isObject, isScalar, nameOf, type JsonObject, type JsonTable, type Path } from './shapes.ts';

/** Levels below the times in which their values are looked for. */
const DEEPEST = 4;

/**
 * Times in one array, and arrays of as many values in what is nested beside it: `labels` and `datasets` of Chart.js,
 * `timestamp` and `indicators` of Yahoo's charts. `undefined` for any other object.
 */
export function fromSharedTimes(value: JsonObject, path: Path, name?: string): readonly JsonTable[] | undefined {
  const arrays = Object.entries(value).filter((entry): entry is [string, unknown[]] => isFlat(entry[1]));
  const [own] = arrays;
  if (arrays.length !== 1 || !own || !areTimes(own[1])) return undefined;
  const [key, times] = own;
  const distinct = new DistinctNames();
  distinct.of(key);
  const columns = nested(value, times.length, DEEPEST).map(([label, cells]) => [distinct.of(label), cells] as const);
  if (columns.length === 0) return undefined;
  const rows = times.map((time, row) =>
    Object.fromEntries([[key, time], ...columns.map(([label, cells]) => [label, cells[row]] as const)]),
  );
  return [{ rows, size: rows.length, path: [...path, key], ...(name === undefined ? {} : { name }) }];
}

const isFlat = (value: unknown): value is unknown[] =>
  Array.isArray(value) && value.length > 0 && value.every(isScalar);

/** Arrays of numbers of one length in what is nested in an object, with their names. */
function nested(value: JsonObject, size: number, levels: number): (readonly [string, unknown[]])[] {
  return Object.entries(value).flatMap(([key, child]) => {
    const parts: unknown[] = Array.isArray(child) ? child : [child];
    return parts.filter(isObject).flatMap((part) => {
      const own = Object.entries(part).filter(
        (entry): entry is [string, unknown[]] => isFlat(entry[1]) && entry[1].length === size && hasNumbers(entry[1]),
      );
      const label = own.length === 1 ? nameOf(part) : undefined;
      const deeper = levels > 1 ? nested(part, size, levels - 1) : [];
      return [...own.map(([inner, cells]) => [label ?? (inner === 'data' ? key : inner), cells] as const), ...deeper];
    });
  });
}

const hasNumbers = (cells: readonly unknown[]): boolean =>
  cells.some((cell) => typeof cell === 'number') && cells.every((cell) => cell === null || typeof cell === 'number');

/** Rows of times and numbers that stand as columns in an array: `[[times], [numbers], …]`, as Grafana's frames have them. */
export function fromColumnArrays(
  items: readonly (readonly unknown[])[],
  names: readonly string[],
): JsonObject[] | undefined {
  const [times = [], ...others] = items;
  const isTall =
    others.length > 0 && times.length > items.length && others.every(({ length }) => length === times.length);
  if (!isTall || !areTimes(times) || others.some((cells) => areTimes(cells))) return undefined;
  return times.map((_, row) => Object.fromEntries(items.map((cells, column) => [names[column] ?? '', cells[row]])));
}
