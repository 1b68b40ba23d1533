import { isTimeName } from '../columns/names.ts';
import { isObject, type JsonObject, type JsonTable, type Path } from './shapes.ts';

interface Dimension {
  readonly name: string;
  /** What its categories are called, in their order: codes of times, labels of all others. */
  readonly labels: readonly string[];
}

const texts = (value: unknown): string[] | undefined =>
  Array.isArray(value) && value.every((each) => typeof each === 'string') ? value : undefined;

/**
 * A dataset of JSON-stat, as Eurostat and the offices of Norway, Sweden, Finland and the United Kingdom answer: values of
 * all combinations of the categories in one list, or by their place in it. One row for each value; dimensions of one
 * category are left out. `undefined` for any other object.
 * @see https://json-stat.org/full/
 */
export function fromJsonStat(value: JsonObject, path: Path): readonly JsonTable[] | undefined {
  const { dimension, value: cells } = value;
  if (!isObject(dimension) || typeof cells !== 'object' || cells === null) return undefined;
  // Before version 2 they stood with the dimensions.
  const ids = texts(value.id) ?? texts(dimension.id);
  const role = isObject(value.role) ? value.role : isObject(dimension.role) ? dimension.role : {};
  const timed = texts(role.time)?.[0] ?? ids?.find((id) => isTimeName(id));
  const dimensions = ids?.map((id) => dimensionOf(id, dimension[id], id === timed));
  if (!dimensions || dimensions.length === 0 || timed === undefined || dimensions.includes(undefined)) return undefined;
  const known = dimensions.filter((each) => each !== undefined);
  const size = known.reduce((product, { labels }) => product * labels.length, 1);
  const rows = Object.entries(cells)
    .filter(([place]) => Number(place) < size)
    .map(([place, cell]) => ({ ...categoriesOf(known, Number(place)), value: cell as unknown }));
  const name = typeof value.label === 'string' ? { name: value.label } : {};
  return rows.length === 0 ? undefined : [{ rows, size: rows.length, path: [...path, 'value'], ...name }];
}

function dimensionOf(id: string, value: unknown, isTimed: boolean): Dimension | undefined {
  const category = isObject(value) ? value.category : undefined;
  if (!isObject(category)) return undefined;
  const { index, label } = category;
  const names = isObject(label) ? label : {};
  const codes = texts(index) ?? (isObject(index) ? codesInOrder(index) : Object.keys(names));
  const labelOf = (code: string) => (typeof names[code] === 'string' && !isTimed ? names[code] : code);
  return codes.length === 0 ? undefined : { name: id, labels: codes.map(labelOf) };
}

const codesInOrder = (index: JsonObject): string[] =>
  Object.entries(index)
    .sort(([, a], [, b]) => Number(a) - Number(b))
    .map(([code]) => code);

/** The categories of a value by its place: the last dimension goes round fastest. */
function categoriesOf(dimensions: readonly Dimension[], place: number): JsonObject {
  let rest = place;
  const found: [string, string][] = [];
  for (const { name, labels } of dimensions.toReversed()) {
    if (labels.length > 1) found.unshift([name, labels[rest % labels.length]!]);
    rest = Math.floor(rest / labels.length);
  }
  return Object.fromEntries(found);
}
