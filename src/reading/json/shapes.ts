import { TIME_FORMATS } from '../values/dates.ts';

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

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const isScalar = (value: unknown): boolean => typeof value !== 'object' || value === null;

/** Whether a text is a time; numbers are told by {@link isTimeCell}. */
export const isTime = (text: string): boolean =>
  TIME_FORMATS.some(({ id, parse }) => id !== 'clock' && id !== 'cycle' && !Number.isNaN(parse(text)));

const EPOCHS = TIME_FORMATS.filter(({ id }) => id.startsWith('epoch'));

/** Whether a cell is a time by itself: a text that is one, or a number with as many digits as a count since 1970 has. */
export function isTimeCell(cell: unknown): boolean {
  if (typeof cell === 'string') return isTime(cell);
  return typeof cell === 'number' && EPOCHS.some(({ parse }) => !Number.isNaN(parse(String(cell))));
}

/** Whether cells are times, each another one, of which there are some. */
export const areTimes = (cells: readonly unknown[]): boolean =>
  cells.length >= 3 && cells.every(isTimeCell) && new Set(cells).size === cells.length;

const NAME_KEYS = ['name', 'id', 'item_id', 'unique_id', 'series_id', 'label', 'key', 'symbol', 'title', 'target'];

/** What an object calls itself. */
export function nameOf(item: unknown): string | undefined {
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

/** What objects beside each other call themselves; where none has a name, the first text that tells all of them apart. */
export function namesOf(items: readonly unknown[]): readonly (string | undefined)[] {
  const names = items.map(nameOf);
  const objects = items.filter(isObject);
  if (items.length < 2 || objects.length < items.length || names.some((name) => name !== undefined)) return names;
  const isTelling = (key: string) =>
    objects.every((item) => typeof item[key] === 'string' && !isTime(item[key])) &&
    new Set(objects.map((item) => item[key])).size === objects.length;
  const key = Object.keys(objects[0] ?? {}).find(isTelling);
  return key === undefined ? names : objects.map((item) => item[key] as string);
}
