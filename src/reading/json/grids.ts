import { parseDuration, addSteps } from '../../calendar/frequency.ts';
import { type WrittenZone, parseZoned } from '../../calendar/timestamp.ts';
import { isoInstant } from '../../calendar/format.ts';
import { fixedZone } from '../../calendar/zone.ts';
import { DistinctNames, isPlainName } from '../columns/names.ts';
import { refuseColumns } from '../columns/table.ts';
import { isTime, TIME_FORMATS } from '../values/dates.ts';
import { isMissing, isTooLong, parseNumber } from '../values/numbers.ts';

export type Path = readonly (string | number)[];
export type JsonObject = Record<string, unknown>;

interface JsonGrid {
  readonly name?: string | undefined;
  readonly path: Path;
  readonly size: number;
  /** Whether the first item has the names of the columns. */
  readonly isHeaded?: boolean;
  readonly rowAt: (row: number) => JsonObject;
}

type Found = Omit<JsonGrid, 'name' | 'path'> & { readonly step?: string };

const GLANCE = 50;
const DEEPEST = 6;
const TIMED_SHARE = 0.9;

export function findGrids(value: unknown, path: Path = [], name?: string): readonly JsonGrid[] {
  if (path.length > DEEPEST || isScalar(value)) return [];
  const found = Array.isArray(value) ? fromList(value, path) : fromObject(value as JsonObject);
  if (!found) return nestedIn(value as JsonObject, path, name);
  const { step, ...grid } = found;
  const own = name ?? (path.length > 0 ? undefined : nameOf(value));
  return grid.size === 0 ? [] : [{ ...grid, path: step === undefined ? path : [...path, step], name: own }];
}

/** Of the grids one level down all of a list, and the largest of an object, named by their keys where there are several. */
function nestedIn(value: JsonObject | unknown[], path: Path, name: string | undefined): readonly JsonGrid[] {
  if (Array.isArray(value)) {
    const names = namesOf(value);
    return belowEachOther(
      value.flatMap((item, index) => findGrids(item, [...path, index], names[index])),
      path,
    );
  }
  const children = Object.entries(value).filter(([key]) => key !== 'metadata');
  const found = children.flatMap(([key, child]) => {
    const grids = findGrids(child, [...path, key]);
    return grids.length === 0 ? [] : [{ key, grids, size: Math.max(...grids.map(({ size }) => size)) }];
  });
  const most = Math.max(0, ...found.map(({ size }) => size));
  const large = found.filter(({ size }) => size * 2 > most);
  return large.flatMap(({ key, grids }) => {
    const [{ path: place }] = grids as [JsonGrid];
    const own = path.length === 0 && place.length === 1 ? nameOf(value) : undefined;
    const given = large.length > 1 ? key : grids.length > 1 ? undefined : (name ?? own);
    return grids.map((grid) => ({ ...grid, name: grid.name ?? given }));
  });
}

function timeKeyOf({ size, rowAt }: JsonGrid): string | undefined {
  const some = Array.from({ length: Math.min(size, GLANCE) }, (_, row) => rowAt(row));
  return Object.keys(some[0] ?? {}).find((key) => areTimes(some.map((row) => row[key])));
}

function belowEachOther(grids: readonly JsonGrid[], path: Path): readonly JsonGrid[] {
  const key = grids[0] && timeKeyOf(grids[0]);
  if (key === undefined || grids.length < 2 || grids.some(({ name }) => name !== undefined)) return grids;
  const rows = grids.flatMap(({ size, rowAt }) => Array.from({ length: size }, (_, row) => () => rowAt(row)));
  const isLater = (one: unknown, two: unknown) =>
    typeof one === typeof two && (one as string | number) < (two as string | number);
  let first = 0;
  for (const { size } of grids.slice(0, -1)) {
    first += size;
    if (!isLater(rows[first - 1]!()[key], rows[first]!()[key])) return grids;
  }
  return [{ path, size: rows.length, rowAt: (row) => rows[row]!() }];
}

function fromList(items: readonly unknown[], path: Path): Found | undefined {
  const some = items.slice(0, GLANCE);
  const size = items.length;
  if (some.every(isScalar)) {
    const hasValues = some.some((item) => typeof item === 'number' || typeof item === 'string');
    return { size: hasValues ? size : 0, rowAt: (row) => rowOf(items[row]) };
  }
  if (some.every(isFlat)) return fromLists(items as readonly unknown[][], []);
  const objects = some.filter(isObject);
  if (objects.length < some.length || holdGrids(objects, path)) return undefined;
  const rows = items.filter(isObject);
  return { size: rows.length, rowAt: (row) => rows[row]! };
}

/** Lists of cells below each other, or side by side where the first has times and all are longer than there are lists. */
function fromLists(lists: readonly (readonly unknown[])[], names: readonly string[]): Found {
  const [times = [], ...others] = lists;
  const nameAt = (index: number) => names[index] ?? plainName(index);
  const isTall =
    others.length > 0 && times.length > lists.length && others.every((each) => each.length === times.length);
  if (isTall && areTimes(times) && !others.some(areTimes))
    return columns(lists.map((list, index) => [nameAt(index), list]));
  if (names.length > 0 || !isHead(times, lists[1]))
    return { size: lists.length, rowAt: (row) => rowOf([lists[row]].flat(), nameAt) };
  const distinct = new DistinctNames();
  const own = times.map((name, index) => distinct.of(String(name) || plainName(index)));
  return { ...fromLists(lists.slice(1), own), isHeaded: true };
}

const isData = (cell: unknown): boolean => isTimeCell(cell) || !Number.isNaN(parseNumber(String(cell), '.'));

/** Whether a list names what stands in the next one: texts alone, where that has a time or a number. */
const isHead = (cells: readonly unknown[], next: readonly unknown[] = []): boolean =>
  next.some(isData) &&
  cells.every((cell) => typeof cell === 'string' && !isData(cell) && (cell === '' || !isMissing(cell)));

const plainName = (index: number): string => `Column ${index + 1}`;

export function rowOf(item: unknown, nameAt = plainName): JsonObject {
  if (!Array.isArray(item)) return isObject(item) ? item : { value: item };
  refuseColumns(item.length);
  return Object.fromEntries(item.map((cell: unknown, index) => [nameAt(index), cell]));
}

const columns = (lists: readonly (readonly [name: string, cells: readonly unknown[]])[]): Found => ({
  size: lists[0]?.[1].length ?? 0,
  rowAt: (row) => Object.fromEntries(lists.map(([name, cells]) => [name, cells[row]])),
});

const LOOKED_INTO = 3;
const FEWEST_ROWS = 6;

function holdGrids(objects: readonly JsonObject[], path: Path): boolean {
  if (objects.every((item) => Object.values(item).every(isScalar))) return false;
  const timed = Object.keys(objects[0] ?? {}).filter((key) => areTimes(objects.map((item) => item[key])));
  const looked = objects.slice(0, LOOKED_INTO);
  const holders = looked.filter((item, index) => {
    if (stepped(item)) return true;
    const grids = findGrids(item, [...path, index]);
    if (grids.length === 0) return false;
    const isRow = timed.length > 0 || hasNumber(item);
    return !isRow || grids.every((grid) => grid.size >= FEWEST_ROWS && timeKeyOf(grid) !== undefined);
  });
  return holders.length * 2 > looked.length;
}

const hasNumber = (item: JsonObject): boolean =>
  Object.values(item).some((cell) =>
    isObject(cell) ? hasNumber(cell) : isScalar(cell) && !Number.isNaN(parseNumber(String(cell), '.')),
  );

export const isRowOfList = (item: JsonObject): boolean =>
  Object.values(item).every((cell) => !Array.isArray(cell) || cell.length < FEWEST_ROWS) &&
  Object.entries(item).some(([key, cell]) => isTimeCell(cell) && !STARTS.test(key));

/** A row whose values stand in a list, with a column for each; beside a number of its own, a list is a place or the like. */
export function withoutLists(row: JsonObject): JsonObject {
  const cells = Object.entries(row);
  const isPlain =
    !cells.some(([, cell]) => Array.isArray(cell)) ||
    cells.some(([, cell]) => typeof cell === 'number' && !isTimeCell(cell));
  if (isPlain) return row;
  return Object.fromEntries(
    cells.flatMap(([key, cell]) =>
      Array.isArray(cell) && areNumbers(cell)
        ? cell.map((each, at) => [`${key} ${at + 1}`, each as unknown])
        : [[key, cell]],
    ),
  );
}

function fromObject(value: JsonObject): Found | undefined {
  const keys = Object.keys(value);
  const some = keys.slice(0, GLANCE);
  const isTimed = keys.length > 1 && some.filter(isTimeText).length >= Math.max(2, some.length * TIMED_SHARE);
  if (isTimed && keys.every((key) => isFlatRow(value[key]))) {
    const rowOf = (time: string) => ({ time, ...(isObject(value[time]) ? value[time] : { value: value[time] }) });
    return { size: keys.length, rowAt: (row) => rowOf(keys[row]!) };
  }
  refuseColumns(keys.length);
  return stepped(value) ?? split(value) ?? cube(value) ?? parallel(value) ?? byColumns(value);
}

const STARTS = /start/i;

/** `{"start": …, "freq": …, "target": [numbers]}`: one list with the time of its first value and the step between them. */
function stepped(value: JsonObject): Found | undefined {
  const entries = Object.entries(value).slice(0, GLANCE);
  const lists = entries.filter(([, each]) => isFlat(each));
  const texts = entries.flatMap(([key, each]) => (typeof each === 'string' ? [{ key, text: each }] : []));
  const list = lists.length === 1 && lists[0] ? lists[0] : undefined;
  if (!list || entries.length > lists.length + entries.filter(([, each]) => isScalar(each)).length) return undefined;
  const written: WrittenZone = { offset: undefined, name: undefined };
  const starts = texts.filter(({ text }) => !Number.isNaN(parseZoned(text, written)));
  const steps = texts.filter(({ text }) => parseDuration(text) !== undefined);
  const start = starts.find(({ key }) => STARTS.test(key)) ?? starts[0];
  const step = steps.find(({ key }) => /freq|step|interval/i.test(key)) ?? steps[0];
  const frequency = step && parseDuration(step.text);
  if (!start || !frequency) return undefined;
  written.offset = undefined;
  const first = parseZoned(start.text, written);
  const zone = fixedZone(written.offset ?? 0);
  const [name, cells] = list as [string, unknown[]];
  const timeAt = (row: number) => isoInstant(zone.fromWall(addSteps(zone.toWall(first), frequency, row)), zone);
  return { size: cells.length, rowAt: (row) => ({ timestamp: timeAt(row), [name]: cells[row] }), step: name };
}

function listsIn(value: JsonObject, levels = 2): (readonly [key: string, list: readonly unknown[]])[] {
  return Object.entries(value).flatMap(([key, child]) => {
    if (Array.isArray(child)) return child.length > 0 ? [[key, child as readonly unknown[]] as const] : [];
    return levels > 1 && isObject(child) ? listsIn(child, levels - 1) : [];
  });
}

/** Rows or columns as lists in one list, and what they are called in another: pandas, Grafana. */
function split(value: JsonObject): Found | undefined {
  const all = listsIn(value);
  const [step, data] = all.find(([, list]) => list.slice(0, GLANCE).every(isFlat)) ?? [];
  if (!data || step === undefined) return undefined;
  const lists = data as readonly unknown[][];
  const width = Math.max(...lists.slice(0, GLANCE).map((row) => row.length));
  for (const [, head] of all) {
    const names = head === data ? [] : head.map((each) => (typeof each === 'string' ? each : nameOf(each)));
    const isHead = names.length > 0 && names.every((name) => name !== undefined);
    if (!isHead || (names.length !== width && names.length !== lists.length)) continue;
    const found = fromLists(lists, names);
    if (found.size !== lists.length) return found;
    if (names.length !== width) continue;
    const [, index = []] =
      all.find(([, list]) => list !== head && list.length === lists.length && list.every(isScalar)) ?? [];
    if (index.every((each, row) => each === row)) return { ...found, step };
    const indexed = lists.map((row, place) => [index[place], ...row]);
    return { ...fromLists(indexed, ['index', ...names]), step };
  }
  return undefined;
}

/** Values of all combinations of categories, the last dimension fastest. @see https://json-stat.org/full/ */
function cube(value: JsonObject): Found | undefined {
  const lists = listsIn(value).map(([, list]) => list);
  const holderOf = (ids: readonly unknown[]) =>
    Object.values(value).find(
      (each) => isObject(each) && ids.every((id) => typeof id === 'string' && isObject(each[id])),
    );
  const ids = lists.find((list) => holderOf(list) !== undefined);
  const holder = ids && holderOf(ids);
  const isSizes = (list: readonly unknown[]) =>
    list.length === ids?.length && list.every((each) => Number.isInteger(each) && Number(each) > 0);
  const sizes = lists.find(isSizes) as number[] | undefined;
  if (!sizes || !isObject(holder)) return undefined;
  const dimensions = (ids as readonly string[]).map((name, at) => ({
    name,
    labels: categoriesOf(holder[name] as JsonObject, sizes[at]!),
  }));
  const count = sizes.reduce((product, size) => product * size, 1);
  const others = Object.entries(value).filter(([, each]) => each !== holder && (each as unknown) !== sizes);
  const isCells = (each: unknown): each is JsonObject =>
    typeof each === 'object' && each !== null && areNumbers(Object.values(each));
  const [step, cells] = others.find(([, each]) => isCells(each)) ?? [];
  if (!isCells(cells) || !dimensions.some(({ labels }) => areTimes(labels))) return undefined;
  if (dimensions.some(({ labels }, at) => labels.length !== sizes[at])) return undefined;
  const places = Object.keys(cells).filter((place) => Number(place) < count);
  const strides = sizes.map((_, at) => sizes.slice(at + 1).reduce((product, size) => product * size, 1));
  const rowAt = (row: number): JsonObject => {
    const labelled = dimensions.flatMap(({ name, labels }, at) =>
      labels.length > 1 ? [[name, labels[Math.floor(Number(places[row]) / strides[at]!) % labels.length]]] : [],
    );
    return { ...(Object.fromEntries(labelled) as JsonObject), value: cells[places[row]!] };
  };
  return { size: places.length, rowAt, step: step! };
}

function categoriesOf(dimension: JsonObject, size: number): readonly string[] {
  const parts = [dimension, ...Object.values(dimension).filter(isObject)].flatMap((part) => Object.values(part));
  const maps = parts.filter(isObject).filter((map) => Object.keys(map).length === size);
  const ranks = maps.find((map) => Object.values(map).every((rank) => typeof rank === 'number'));
  const names = maps.find((map) => Object.values(map).every((name) => typeof name === 'string')) ?? {};
  const list = parts.find((part) => Array.isArray(part) && part.length === size) as string[] | undefined;
  const codes =
    list ?? (ranks ? Object.keys(ranks).sort((a, b) => Number(ranks[a]) - Number(ranks[b])) : Object.keys(names));
  return areTimes(codes) ? codes : codes.map((code) => String(names[code] ?? code));
}

const DEEPEST_VALUES = 4;

function parallel(value: JsonObject): Found | undefined {
  const arrays = Object.entries(value).filter((entry): entry is [string, unknown[]] => Array.isArray(entry[1]));
  const timed = listsIn(value).filter(([, list]) => isFlat(list) && areTimes(list));
  const times = timed.length === 1 ? timed[0] : arrays.find(([, list]) => isFlat(list) && areTimes(list));
  const size = times?.[1].length ?? arrays[0]?.[1].length ?? 0;
  const own = arrays.filter(([, list]) => isFlat(list) && list.length === size);
  const deeper = times ? valuesIn(value, size, DEEPEST_VALUES) : [];
  if (!times && own.length < arrays.length) return undefined;
  if (
    own.length + deeper.length < 2 &&
    !own[0]?.[1].some((item) => typeof item === 'number' || isTooLong(String(item)))
  )
    return undefined;
  const distinct = new DistinctNames();
  const isShared = times && !own.some(([, list]) => list === times[1]);
  const lists = [...(isShared ? [times] : []), ...own, ...deeper].map(
    ([name, cells]) => [distinct.of(name), cells] as const,
  );
  return { ...columns(lists), ...(isShared ? {} : { step: (times ?? own[0]!)[0] }) };
}

function valuesIn(value: JsonObject, size: number, levels: number): (readonly [string, unknown[]])[] {
  return Object.entries(value).flatMap(([key, child]) =>
    [child].flat().flatMap((part) => {
      if (!isObject(part)) return [];
      const own = Object.entries(part).filter(
        (entry): entry is [string, unknown[]] => isFlat(entry[1]) && entry[1].length === size && areNumbers(entry[1]),
      );
      const label = own.length === 1 ? nameOf(part) : undefined;
      const named = own.map(([inner, cells]) => [label ?? (isPlainName(inner) ? key : inner), cells] as const);
      return [...named, ...(levels > 1 ? valuesIn(part, size, levels - 1) : [])];
    }),
  );
}

const LEAST_FILLED = 0.1; // of few cells in many columns a grid would be far larger than its document

function byColumns(value: JsonObject): Found | undefined {
  const columnsOf = Object.entries(value);
  if (columnsOf.length === 0 || !columnsOf.every(([, each]) => isObject(each) && isFlatRow(each))) return undefined;
  const inner = columnsOf as [string, JsonObject][];
  const places = Object.keys(inner[0]![1]);
  const isNumbered = places.every((place, row) => place === String(row));
  if (places.length < 2 || !(isNumbered || places.slice(0, GLANCE).every(isTimeText))) return undefined;
  const cells = inner.reduce((sum, [, each]) => sum + Object.keys(each).length, 0);
  if (cells < places.length * inner.length * LEAST_FILLED) return undefined;
  const lists = inner.map(([name, each]) => [name, places.map((place) => each[place])] as const);
  return { ...columns([...(isNumbered ? [] : [['index', places] as const]), ...lists]), step: inner[0]![0] };
}

const isFlatRow = (value: unknown): boolean =>
  isScalar(value) || (isObject(value) && Object.values(value).every(isScalar));

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isScalar = (value: unknown): boolean => typeof value !== 'object' || value === null;

const isFlat = (value: unknown): value is unknown[] =>
  Array.isArray(value) && value.length > 0 && value.slice(0, GLANCE).every(isScalar);

const areNumbers = (cells: readonly unknown[]): boolean =>
  cells.some((cell) => typeof cell === 'number') && cells.every((cell) => cell === null || typeof cell === 'number');

const TIMES = TIME_FORMATS.filter(({ id }) => id !== 'clock' && id !== 'cycle');
const EPOCHS = TIME_FORMATS.filter(({ id }) => id.startsWith('epoch'));

const isTimeText = (text: string): boolean => isTime(text, TIMES);

const isTimeCell = (cell: unknown): boolean =>
  typeof cell === 'string' ? isTimeText(cell) : typeof cell === 'number' && isTime(String(cell), EPOCHS);

function areTimes(cells: readonly unknown[]): boolean {
  const some = cells.slice(0, GLANCE);
  return some.length >= 3 && some.every(isTimeCell) && new Set(some).size === some.length;
}

const NAME_KEYS = ['name', 'id', 'item_id', 'unique_id', 'series_id', 'label', 'key', 'symbol', 'title', 'target'];

function nameOf(item: unknown): string | undefined {
  if (!isObject(item)) return undefined;
  const key = NAME_KEYS.find((each) => typeof item[each] === 'string' || typeof item[each] === 'number');
  return key === undefined ? undefined : String(item[key]);
}

/** Names that tell items apart: their own, those with their labels, or else what one key of them says. */
function namesOf(items: readonly unknown[]): readonly (string | undefined)[] {
  const objects = items.map((item) => (Array.isArray(item) ? sharedTexts(item) : item)).filter(isObject);
  if (objects.length < items.length) return items.map(nameOf);
  const names = objects.map(nameOf);
  const labels = objects.map((item) => labelsOf(item, items.length < 2));
  const areApart = (each: readonly unknown[]): each is string[] =>
    each.every((name) => typeof name === 'string' && name !== '' && !isTimeText(name)) &&
    new Set(each).size === each.length;
  const keys = items.length > 1 ? Object.keys(objects[0] ?? {}) : [];
  const candidates = names.some((name) => name !== undefined)
    ? [names, names.map((name = '', at) => `${name} ${labels[at] ?? ''}`.trim())]
    : [...keys.map((key) => objects.map((item) => item[key])), labels];
  return candidates.find(areApart) ?? names;
}

function sharedTexts(rows: readonly unknown[]): JsonObject {
  const some = rows.slice(0, GLANCE).filter(isObject);
  const isShared = ([key, cell]: [string, unknown]) =>
    typeof cell === 'string' && some.every((row) => row[key] === cell);
  return Object.fromEntries(Object.entries(some[0] ?? {}).filter(isShared));
}

/** `__name__ label=value …`. @param isOnly whether it has no other beside it that one label would tell it from */
function labelsOf(item: JsonObject, isOnly: boolean): string | undefined {
  const parts = Object.values(item)
    .filter(isObject)
    .map((each) => Object.entries(each))
    .find((each) => each.length > 0 && each.every(([, cell]) => typeof cell === 'string'));
  if (!parts || (isOnly && parts.length < 2)) return undefined;
  const isName = (label: string) => label === '__name__' || isPlainName(label);
  const [, name] = parts.find(([label]) => isName(label)) ?? [];
  const others = parts.filter(([label, cell]) => !isName(label) && cell !== name);
  const labels = others.map(([label, cell]) => `${label}=${String(cell)}`);
  return [...(name === undefined ? [] : [String(name)]), ...labels].join(' ');
}
