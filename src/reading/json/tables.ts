import { addSteps } from '../../calendar/steps.ts';
import { parseDuration } from '../../calendar/duration.ts';
import type { WrittenZone } from '../../calendar/clock.ts';
import { fixedZone } from '../../calendar/zone.ts';
import { isoInstant } from '../../calendar/format.ts';
import { refuseColumns } from '../columns/table.ts';
import { TIME_FORMATS } from '../values/dates.ts';
import { parseIso } from '../../calendar/timestamp.ts';
import { isTooLong } from '../values/numbers.ts';

export type Path = readonly (string | number)[];
export type JsonObject = Record<string, unknown>;

/** Rows found in a JSON value, by column or by row. */
export interface JsonTable {
  readonly name?: string;
  readonly path: Path;
  /** Each row as an object of its columns. */
  readonly rows: Iterable<JsonObject>;
  readonly size: number;
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isScalar = (value: unknown) => typeof value !== 'object' || value === null;
const isTime = (text: string) =>
  TIME_FORMATS.some(({ id, parse }) => id !== 'clock' && id !== 'cycle' && !Number.isNaN(parse(text)));

/** Keys under which a series' own points, numbers or names usually stand. */
const POINT_KEYS = [
  'input_series',
  'series',
  'points',
  'values',
  'data',
  'datapoints',
  'observations',
  'target',
  'history',
  'prediction_series',
];
const NAME_KEYS = ['name', 'id', 'item_id', 'unique_id', 'series_id', 'label', 'key', 'symbol', 'title', 'target'];

/** Most elements looked at to tell what an array holds. */
const GLANCE = 50;
const DEEPEST = 6;

/** All tables in a JSON value: that value itself, or what is nested in it, nearest to the top first. */
export function findTables(value: unknown, path: Path = [], name?: string): JsonTable[] {
  if (path.length > DEEPEST) return [];
  if (Array.isArray(value)) return fromArray(value, path, name);
  return isObject(value) ? fromObject(value, path, name) : [];
}

function table(
  rows: readonly JsonObject[] | Iterable<JsonObject>,
  size: number,
  path: Path,
  name?: string,
): JsonTable[] {
  return size === 0 ? [] : [{ rows, size, path, ...(name === undefined ? {} : { name }) }];
}

function fromArray(items: readonly unknown[], path: Path, name?: string): JsonTable[] {
  const some = items.slice(0, GLANCE);
  if (some.length === 0) return [];
  if (some.every(isScalar)) {
    const numbers = items.map((item) => ({ value: item }));
    return some.some((item) => typeof item === 'number' || typeof item === 'string')
      ? table(numbers, items.length, path, name)
      : [];
  }
  if (some.every((item) => Array.isArray(item))) {
    const flat = some.every((item: unknown[]) => item.every(isScalar));
    return flat ? table(pairs(items), items.length, path, name) : severalOf(items, path);
  }
  const objects = some.filter(isObject);
  if (objects.length < some.length) return severalOf(items, path);
  // Lists of a service's resources hold no observations, though their settings are numbers.
  if (objects.every((item) => !seriesKey(item) && isResource(item))) return [];
  const holder =
    objects.filter((item) => seriesKey(item) !== undefined || isTableOfArrays(item)).length >= objects.length / 2;
  return holder ? severalOf(items, path) : table(items.filter(isObject), items.length, path, name);
}

function* pairs(items: readonly unknown[]): Iterable<JsonObject> {
  for (const item of items) {
    const cells = Array.isArray(item) ? item : [item];
    refuseColumns(cells.length);
    yield Object.fromEntries(cells.map((cell, index) => [`Column ${index + 1}`, cell]));
  }
}

function isResource(item: JsonObject): boolean {
  const has = (...keys: string[]) => keys.every((key) => key in item);
  return has('id', 'stats') || has('id', 'tags') || has('id', 'status', 'created_at') || has('id', 'base_model');
}

/** The key of an object's own points: an array that makes a table. */
function seriesKey(item: JsonObject): string | undefined {
  return POINT_KEYS.find((key) => Array.isArray(item[key]) && item[key].length > 0);
}

function nameOf(item: unknown): string | undefined {
  if (!isObject(item)) return undefined;
  for (const key of NAME_KEYS) {
    const value = item[key];
    if (typeof value === 'string' || typeof value === 'number') return String(value);
  }
  // Prometheus names a series by its labels.
  const labels = item.metric ?? item.labels ?? item.tags;
  if (!isObject(labels)) return undefined;
  const parts = Object.entries(labels).filter(([, value]) => isScalar(value));
  return parts.length === 0
    ? undefined
    : parts.map(([key, value]) => (key === '__name__' ? String(value) : `${key}=${String(value)}`)).join(' ');
}

function severalOf(items: readonly unknown[], path: Path): JsonTable[] {
  return items.flatMap((item, index) => findTables(item, [...path, index], nameOf(item)));
}

function fromObject(value: JsonObject, path: Path, name?: string): JsonTable[] {
  const own = name ?? (path.length > 0 ? undefined : nameOf(value));
  return (
    fromStart(value, path, own) ??
    fromSplit(value, path, own) ??
    fromPoints(value, path, own) ??
    fromColumns(value, path, name) ??
    fromMap(value, path, name) ??
    fromChildren(value, path)
  );
}

/** `{"start": …, "freq": …, "target": [numbers]}`, the form of GluonTS and Chronos. Without `freq` rows have no time. */
function fromStart(value: JsonObject, path: Path, name?: string): JsonTable[] | undefined {
  const { start, target, freq } = value;
  if (!Array.isArray(target) || !target.every(isScalar)) return undefined;
  const frequency = typeof freq === 'string' ? parseDuration(freq) : undefined;
  const written: WrittenZone = { offset: undefined, name: undefined };
  const first = typeof start === 'string' ? parseIso(start, written) : NaN;
  const zone = fixedZone(written.offset ?? 0);
  const rows = target.map((item: unknown, step) =>
    frequency && !Number.isNaN(first)
      ? { timestamp: isoInstant(zone.fromWall(addSteps(zone.toWall(first), frequency, step)), zone), target: item }
      : { target: item },
  );
  return table(rows, rows.length, [...path, 'target'], name);
}

/** `{"columns": […], "index": […], "data": [[…], …]}`, as pandas and many services write tables. */
function fromSplit(value: JsonObject, path: Path, name?: string): JsonTable[] | undefined {
  const { columns, index, data } = value;
  if (!Array.isArray(columns) || !Array.isArray(data) || !data.every((row) => Array.isArray(row))) return undefined;
  const names = columns.map((column: unknown) => (isObject(column) ? (nameOf(column) ?? '') : String(column)));
  const own = Array.isArray(index) && !index.every((each, row) => each === row) ? index : undefined;
  const rows = data.map((row: unknown[], at) => ({
    ...(own ? { index: own[at] as unknown } : {}),
    ...Object.fromEntries(row.slice(0, names.length).map((cell, column) => [names[column]!, cell])),
  }));
  return table(rows, rows.length, [...path, 'data'], name);
}

/** An object that holds a series under a usual key, such as a saved prediction. */
function fromPoints(value: JsonObject, path: Path, name?: string): JsonTable[] | undefined {
  const key = seriesKey(value);
  if (key === undefined || isTableOfArrays(value)) return undefined;
  const found = findTables(value[key], [...path, key], name);
  return found.length > 0 ? found : undefined;
}

/** Arrays of scalars of one length side by side, at least two of them or one of numbers. */
function isTableOfArrays(value: JsonObject): boolean {
  const arrays = Object.values(value).filter((each): each is unknown[] => Array.isArray(each));
  const [first] = arrays;
  if (!first || first.length === 0 || !arrays.every((each) => each.length === first.length && each.every(isScalar)))
    return false;
  return arrays.length > 1 || first.some((item) => typeof item === 'number' || isTooLong(String(item)));
}

function fromColumns(value: JsonObject, path: Path, name?: string): JsonTable[] | undefined {
  if (!isTableOfArrays(value)) return undefined;
  const columns = Object.entries(value).filter((entry): entry is [string, unknown[]] => Array.isArray(entry[1]));
  const size = columns[0]?.[1].length ?? 0;
  const rows = Array.from({ length: size }, (_, row) =>
    Object.fromEntries(columns.map(([key, cells]) => [key, cells[row]])),
  );
  return table(rows, size, [...path, columns[0]?.[0] ?? ''], name);
}

/** Objects used as maps: time to number, time to row, or column to row (pandas' own default). */
function fromMap(value: JsonObject, path: Path, name?: string): JsonTable[] | undefined {
  const entries = Object.entries(value);
  if (entries.length === 0) return undefined;
  const timed = entries.filter(([key]) => isTime(key)).length >= Math.max(2, entries.length * 0.9);
  if (timed && entries.every(([, each]) => isScalar(each))) {
    return table(
      entries.map(([time, each]) => ({ time, value: each })),
      entries.length,
      path,
      name,
    );
  }
  if (!entries.every(([, each]) => isObject(each) && Object.values(each).every(isScalar))) return undefined;
  const inner = entries as [string, JsonObject][];
  if (timed)
    return table(
      inner.map(([time, each]) => ({ time, ...each })),
      entries.length,
      path,
      name,
    );
  const keys = Object.keys(inner[0]?.[1] ?? {});
  const numbered = keys.every((key, row) => key === String(row));
  if (keys.length < 2 || !(numbered || keys.every(isTime))) return undefined;
  // of few cells in many columns a table would be far larger than its document
  const cells = inner.reduce((sum, [, each]) => sum + Object.keys(each).length, 0);
  if (cells * 10 < keys.length * inner.length) return undefined;
  const rows = keys.map((key) => ({
    ...(numbered ? {} : { index: key }),
    ...Object.fromEntries(inner.map(([column, each]) => [column, each[key]])),
  }));
  return table(rows, rows.length, [...path, inner[0]?.[0] ?? ''], name);
}

/** What is nested: the largest tables one level down, named by their keys where there are several. */
function fromChildren(value: JsonObject, path: Path): JsonTable[] {
  const found = Object.entries(value)
    .filter(([key]) => key !== 'metadata' && key !== 'stats')
    .map(([key, child]) => ({ key, tables: findTables(child, [...path, key]) }))
    .filter(({ tables }) => tables.length > 0);
  const most = Math.max(0, ...found.map(({ tables }) => Math.max(...tables.map(({ size }) => size))));
  const large = found.filter(({ tables }) => tables.some(({ size }) => size * 2 > most));
  if (large.length === 1) return large[0]?.tables ?? [];
  return large.flatMap(({ key, tables }) => tables.map((each) => ({ ...each, name: each.name ?? key })));
}
