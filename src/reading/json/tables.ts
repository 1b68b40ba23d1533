import { addSteps } from '../../calendar/steps.ts';
import { parseDuration } from '../../calendar/duration.ts';
import type { WrittenZone } from '../../calendar/clock.ts';
import { fixedZone } from '../../calendar/zone.ts';
import { isoInstant } from '../../calendar/format.ts';
import { refuseColumns } from '../columns/table.ts';
import { parseIso } from '../../calendar/timestamp.ts';
import { isTooLong } from '../values/numbers.ts';
import { fromJsonStat } from './json-stat.ts';
import {
  areTimes,
  isObject,
  isScalar,
  isTime,
  isTimeCell,
  nameOf,
  namesOf,
  type JsonObject,
  type JsonTable,
  type Path,
} from './shapes.ts';
import { fromColumnArrays, fromSharedTimes } from './shared-times.ts';

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
/** Most elements looked at to tell what an array holds. */
const GLANCE = 50;
const DEEPEST = 6;

/** All tables in a JSON value: that value itself, or what is nested in it, nearest to the top first. */
export function findTables(value: unknown, path: Path = [], name?: string): readonly JsonTable[] {
  if (path.length > DEEPEST) return [];
  if (Array.isArray(value)) return fromArray(value, path, name);
  if (isObject(value)) refuseNames(value);
  return isObject(value) ? fromObject(value, path, name) : [];
}

/** Refuses an object with so many names that are no times, before it is looked at as any kind of table. */
function refuseNames(value: JsonObject): void {
  let names = 0;
  let times = 0;
  for (const name in value) if (++names <= GLANCE && isTime(name)) times++;
  if (times === 0) refuseColumns(names);
}

function table(
  rows: readonly JsonObject[] | Iterable<JsonObject>,
  size: number,
  path: Path,
  name?: string,
): JsonTable[] {
  return size === 0 ? [] : [{ rows, size, path, ...(name === undefined ? {} : { name }) }];
}

function fromArray(items: readonly unknown[], path: Path, name?: string): readonly JsonTable[] {
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
    if (!flat) return severalOf(items, path);
    const columns = fromColumnArrays(
      items as unknown[][],
      items.map((_, index) => columnName(index)),
    );
    return columns ? table(columns, columns.length, path, name) : table(pairs(items), items.length, path, name);
  }
  const objects = some.filter(isObject);
  if (objects.length < some.length) return severalOf(items, path);
  // Lists of a service's resources hold no observations, though their settings are numbers.
  if (objects.every((item) => !seriesKey(item) && isResource(item))) return [];
  const holders = objects.filter((item) => seriesKey(item) !== undefined || isTableOfArrays(item));
  const isHolder = holders.length >= objects.length / 2 ? !areTimedRows(objects) : holdTimedRows(objects, path);
  return isHolder ? severalOf(items, path) : table(items.filter(isObject), items.length, path, name);
}

/**
 * Whether objects that have lists of numbers are the rows of a table all the same: each with a time of its own and another
 * number beside it, as days with their sum and their hours have. Not so those that begin at a time, as in GluonTS.
 */
function areTimedRows(objects: readonly JsonObject[]): boolean {
  const [first = {}] = objects;
  const key = Object.keys(first).find((each) => areTimes(objects.map((item) => item[each])));
  if (key === undefined || objects.some((item) => 'target' in item)) return false;
  const isNumbers = (each: unknown) => Array.isArray(each) && each.every((cell) => isScalar(cell) && !isTimeCell(cell));
  const areNumbers = objects.every((item) =>
    Object.values(item).every(
      (each) => isScalar(each) || isNumbers(each) || (Array.isArray(each) && each.length === 0),
    ),
  );
  return areNumbers && Object.entries(first).some(([each, cell]) => each !== key && typeof cell === 'number');
}

/** Objects looked into for tables of their own, and the rows that each must have: few belong to the object, such as what an order went through. */
const LOOKED_INTO = 3;
const FEWEST_ROWS = 6;

/** Whether each object has rows with times within it, and no time itself: hosts with their days, as Elasticsearch answers. */
function holdTimedRows(objects: readonly JsonObject[], path: Path): boolean {
  if (objects.some((item) => Object.values(item).every(isScalar))) return false;
  const [first = {}] = objects;
  if (Object.keys(first).some((key) => objects.every((item) => isTimeCell(item[key])))) return false;
  return objects.slice(0, LOOKED_INTO).every((item, index) => {
    const tables = findTables(item, [...path, index]);
    return (
      tables.length > 0 && tables.every(({ rows, size }) => size >= FEWEST_ROWS && hasTimes([...rows].slice(0, GLANCE)))
    );
  });
}

const hasTimes = (rows: readonly JsonObject[]): boolean =>
  Object.keys(rows[0] ?? {}).some((key) => areTimes(rows.map((row) => row[key])));

const columnName = (index: number): string => `Column ${index + 1}`;

function* pairs(items: readonly unknown[]): Iterable<JsonObject> {
  for (const item of items) {
    const cells = Array.isArray(item) ? item : [item];
    refuseColumns(cells.length);
    yield Object.fromEntries(cells.map((cell, index) => [columnName(index), cell]));
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

function severalOf(items: readonly unknown[], path: Path): readonly JsonTable[] {
  const names = namesOf(items);
  return items.flatMap((item, index) => findTables(item, [...path, index], names[index]));
}

function fromObject(value: JsonObject, path: Path, name?: string): readonly JsonTable[] {
  const own = name ?? (path.length > 0 ? undefined : nameOf(value));
  return (
    fromStart(value, path, own) ??
    fromSplit(value, path, own) ??
    fromFrame(value, path, own) ??
    fromJsonStat(value, path) ??
    fromSharedTimes(value, path, own) ??
    fromPoints(value, path, own) ??
    fromColumns(value, path, name) ??
    fromMap(value, path, name) ??
    fromChildren(value, path, name)
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

/** `{"schema": {"fields": [{"name": …}]}, "data": {"values": [[…], …]}}`, as Grafana answers a query. */
function fromFrame({ schema, data }: JsonObject, path: Path, name?: string): JsonTable[] | undefined {
  if (!isObject(schema) || !isObject(data)) return undefined;
  const { fields } = schema;
  const { values } = data;
  if (!Array.isArray(fields) || !Array.isArray(values) || !values.every((each) => Array.isArray(each)))
    return undefined;
  const rows = fromColumnArrays(
    values,
    fields.map((field) => nameOf(field) ?? ''),
  );
  return rows && table(rows, rows.length, [...path, 'data', 'values'], name ?? nameOf(schema));
}

/** An object that holds a series under a usual key, such as a saved prediction. */
function fromPoints(value: JsonObject, path: Path, name?: string): readonly JsonTable[] | undefined {
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
function fromChildren(value: JsonObject, path: Path, name?: string): readonly JsonTable[] {
  const found = Object.entries(value)
    .filter(([key]) => key !== 'metadata' && key !== 'stats')
    .map(([key, child]) => ({ key, tables: findTables(child, [...path, key]) }))
    .filter(({ tables }) => tables.length > 0);
  const most = Math.max(0, ...found.map(({ tables }) => Math.max(...tables.map(({ size }) => size))));
  const large = found.filter(({ tables }) => tables.some(({ size }) => size * 2 > most));
  if (large.length === 1) {
    const tables = large[0]?.tables ?? [];
    return name === undefined || tables.length > 1
      ? tables
      : tables.map((each) => ({ ...each, name: each.name ?? name }));
  }
  return large.flatMap(({ key, tables }) => tables.map((each) => ({ ...each, name: each.name ?? key })));
}
