/** Brings far cells of a workbook near: what reads it holds each cell between them, also the billions that are empty. */
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';

const MOST_SPANNED = 2_000_000;
const MOST_TIMES = 20;
const GAP = 2;

export interface Places {
  readonly rows: readonly number[];
  readonly columns: readonly number[];
}

interface SparseWorkbook {
  readonly bytes: Uint8Array;
  readonly places: ReadonlyMap<string, Places>;
}

const ROW = /(<(?:\w+:)?row\b[^>]*?\sr=["'])(\d+)/g;
const CELL = /(<(?:\w+:)?c\b[^>]*?\sr=["'])([A-Z]+)(\d+)/g;

export function withoutGaps(bytes: Uint8Array): SparseWorkbook | undefined {
  const sheets = unzipSync(bytes, { filter: ({ name }) => /^xl\/worksheets\/[^/]+\.xml$/i.test(name) });
  const places = new Map<string, Places>();
  const changed: Record<string, Uint8Array> = {};
  for (const [name, part] of Object.entries(sheets)) {
    const text = strFromU8(part);
    const rows = new Set<number>();
    const columns = new Set<number>();
    let cells = 0;
    const isWide = (span: number) => span > MOST_SPANNED && span > MOST_TIMES * cells;
    for (const [, , row] of text.matchAll(ROW)) rows.add(Number(row));
    for (const [, , column, row] of text.matchAll(CELL)) {
      columns.add(numberOf(column));
      rows.add(Number(row));
      cells++;
    }
    if (!isWide(largest(rows) * largest(columns))) continue;
    const [near, nearColumns] = [closed(rows), closed(columns)];
    if (isWide(Math.max(...near.values()) * Math.max(...nearColumns.values()))) return undefined;
    const at = (row: string) => near.get(Number(row)) ?? row;
    changed[name] = strToU8(
      text
        .replace(ROW, (_, start: string, row: string) => `${start}${at(row)}`)
        .replace(CELL, (_, start: string, column: string, row: string) => {
          return `${start}${lettersOf(nearColumns.get(numberOf(column)) ?? 1)}${at(row)}`;
        }),
    );
    const sheet = nameOf(name, bytes);
    if (sheet !== undefined) places.set(sheet, { rows: standing(near), columns: standing(nearColumns) });
  }
  if (Object.keys(changed).length === 0) return { bytes, places };
  return { bytes: zipSync({ ...unzipSync(bytes), ...changed }, { level: 0 }), places };
}

function nameOf(part: string, bytes: Uint8Array): string | undefined {
  const parts = unzipSync(bytes, { filter: ({ name }) => /^xl\/(_rels\/)?workbook\.xml(\.rels)?$/i.test(name) });
  const [book = '', relations = ''] = ['xl/workbook.xml', 'xl/_rels/workbook.xml.rels'].map((name) =>
    strFromU8(parts[name] ?? new Uint8Array()),
  );
  const valueOf = (tag: string, name: string) => new RegExp(`\\s${name}=["']([^"']*)["']`).exec(tag)?.[1];
  const file = part.slice(part.lastIndexOf('/') + 1);
  const relation = relations.match(/<[^<>]*>/g)?.find((tag) => valueOf(tag, 'Target')?.endsWith(file));
  const id = relation && valueOf(relation, 'Id');
  const sheet = book.match(/<(?:\w+:)?sheet\s[^<>]*>/g)?.find((tag) => valueOf(tag, '\\w+:id') === id);
  return (
    sheet && valueOf(sheet, 'name')?.replace(/&(lt|gt|quot|apos|amp);/g, (_, name: string) => ENTITIES[name] ?? '')
  );
}
const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };

const largest = (numbers: ReadonlySet<number>): number => {
  let most = 0;
  for (const one of numbers) most = Math.max(most, one);
  return most;
};

/** New numbers, in the same order, of which none is more than {@link GAP} empty ones from the one before. */
function closed(numbers: ReadonlySet<number>): Map<number, number> {
  const near = new Map<number, number>();
  let [before, place] = [0, 0];
  for (const one of [...numbers].sort((a, b) => a - b)) {
    place += Math.min(one - before, GAP + 1);
    near.set(one, place);
    before = one;
  }
  return near;
}

function standing(near: ReadonlyMap<number, number>): number[] {
  const old = [0];
  for (const [from, to] of near) {
    while (old.length < to) old.push(old[old.length - 1] + 1);
    old[to] = from;
  }
  return old;
}

const numberOf = (letters: string): number =>
  [...letters.slice(0, 8)].reduce((number, letter) => number * 26 + letter.charCodeAt(0) - 64, 0);

/** `A` to `Z`, `AA` and so on. @param number from 1 */
export const lettersOf = (number: number): string =>
  number <= 26
    ? String.fromCharCode(64 + number)
    : lettersOf(Math.floor((number - 1) / 26)) + String.fromCharCode(65 + ((number - 1) % 26));
