/** Brings far cells of a workbook near: what reads it holds each cell between them, also the billions that are empty. */
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';

const MOST_SPANNED = 2_000_000;
const MOST_TIMES = 20;
const GAP = 2;

/** The row and the column of the file that each row and column of what is read stands for. */
export interface Places {
  readonly rows: readonly number[];
  readonly columns: readonly number[];
}

const ROW = /(<(?:\w+:)?row\b[^>]*?\sr=["'])(\d+)/g;
const CELL = /(<(?:\w+:)?c\b[^>]*?\sr=["'])([A-Z]+)(\d+)/g;

/**
 * @returns the bytes as they are where no sheet is wide, and the places of those that were, in the order of the workbook;
 * `undefined` where cells are far apart without gaps to close
 */
export function withoutGaps(bytes: Uint8Array): { bytes: Uint8Array; places: (Places | undefined)[] } | undefined {
  const same = (place: number) => place;
  const parts = unzipSync(bytes, { filter: ({ name }) => /^xl\/worksheets\/[^/]+\.xml$/i.test(name) });
  const wide = new Map(
    Object.entries(parts).flatMap(([name, part]) => {
      const extent = extentOf(strFromU8(part));
      if (!isWide(extent, same, same)) return [];
      return [[name, { extent, rows: closed(extent.rows), columns: closed(extent.columns) }]];
    }),
  );
  if (wide.size === 0) return { bytes, places: [] };
  const book = unzipSync(bytes);
  for (const [name, { extent, rows, columns }] of wide) {
    if (isWide(extent, rows.near, columns.near)) return undefined;
    const text = strFromU8(book[name]!)
      .replace(ROW, (_, start: string, row: string) => `${start}${rows.near(Number(row))}`)
      .replace(CELL, (_, start: string, column: string, row: string) => {
        return `${start}${lettersOf(columns.near(numberOf(column)))}${rows.near(Number(row))}`;
      });
    book[name] = strToU8(text);
  }
  const places = partsInOrder(book).map((part) => {
    const { rows, columns } = wide.get(part) ?? {};
    return rows && columns && { rows: rows.places, columns: columns.places };
  });
  return { bytes: zipSync(book, { level: 0 }), places };
}

function partsInOrder(book: Readonly<Record<string, Uint8Array>>): string[] {
  const tagsOf = (name: string, tag: string) =>
    strFromU8(book[name] ?? new Uint8Array()).match(new RegExp(`<(?:\\w+:)?${tag}\\s[^<>]*>`, 'g')) ?? [];
  const valueOf = (tag: string, name: string) => new RegExp(`\\s${name}=["']([^"']*)["']`).exec(tag)?.[1];
  const relations = tagsOf('xl/_rels/workbook.xml.rels', 'Relationship');
  const targets = new Map(relations.map((tag) => [valueOf(tag, 'Id'), valueOf(tag, 'Target') ?? '']));
  return tagsOf('xl/workbook.xml', 'sheet').map((tag) => {
    const target = targets.get(valueOf(tag, '(?:\\w+:)?id')) ?? '';
    return target.startsWith('/') ? target.slice(1) : `xl/${target}`;
  });
}

function extentOf(text: string) {
  const rows = new Set(Array.from(text.matchAll(ROW), ([, , row]) => Number(row)));
  const columns = new Set<number>();
  let cells = 0;
  for (const [, , column, row] of text.matchAll(CELL)) {
    columns.add(numberOf(column));
    rows.add(Number(row));
    cells++;
  }
  return { rows, columns, cells };
}

type Near = (place: number) => number;

function isWide({ rows, columns, cells }: ReturnType<typeof extentOf>, nearRow: Near, nearColumn: Near): boolean {
  const span = nearRow(largest(rows)) * nearColumn(largest(columns));
  return span > MOST_SPANNED && span > MOST_TIMES * cells;
}

const largest = (numbers: ReadonlySet<number>): number => [...numbers].reduce((most, one) => Math.max(most, one), 0);

/** New numbers, in the same order, of which none is more than {@link GAP} empty ones from the one before. */
function closed(numbers: ReadonlySet<number>) {
  const near = new Map([[0, 0]]);
  const places = [0];
  for (const one of [...numbers].sort((a, b) => a - b)) {
    const before = places.at(-1)!;
    for (let step = 1; step < Math.min(one - before, GAP + 1); step++) places.push(before + step);
    near.set(one, places.push(one) - 1);
  }
  return { near: (place: number) => near.get(place)!, places };
}

const numberOf = (letters: string): number =>
  [...letters.slice(0, 8)].reduce((number, letter) => number * 26 + letter.charCodeAt(0) - 64, 0);

/** `A` to `Z`, `AA` and so on. @param number from 1 */
export const lettersOf = (number: number): string =>
  number <= 26
    ? String.fromCharCode(64 + number)
    : lettersOf(Math.floor((number - 1) / 26)) + String.fromCharCode(65 + ((number - 1) % 26));
