import readWorkbook from 'read-excel-file/universal';
import { unzipSync, strFromU8, strToU8, zipSync } from 'fflate';
import { said } from '../phrase.ts';
import { choiceOf, type ReadOptions, SeriesError, type SeriesDocument } from '../types.ts';
import { type BinaryRows, readRows } from './rows.ts';
import { DAY } from '../../calendar/civil.ts';
import { inDigits } from '../../calendar/digits.ts';

const MOST_UNPACKED = 400_000_000;

const MOST_TIMES = 60; // how many times smaller than what it unpacks to a workbook of this size or more may be
const SMALL = 20_000_000;

interface Sheet {
  readonly sheet: string;
  readonly data: BinaryRows;
  readonly places: Places | undefined;
}

const MOST_SHEETS = 12;

/** Reads the sheet that is named; else the best, or all of them where they are of a year each. @throws SeriesError */
export async function readXlsx(bytes: Uint8Array, options: ReadOptions): Promise<SeriesDocument> {
  const { fileName, layout = {} } = options;
  const sheets = await sheetsOf(bytes, fileName);
  if (sheets.length === 0) {
    const words = said`${fileName} has no sheet with rows. Open a file with a column of times and a column of numbers.`;
    throw new SeriesError('empty', words);
  }
  if (layout.sheet === undefined) return readBest(sheets, options);
  const sheet = sheets.find((one) => one.sheet === layout.sheet);
  if (sheet) return readSheet(sheet, options);
  const names = sheets.map((one) => one.sheet).join(', ');
  const words = said`${fileName} has no sheet “${layout.sheet}” with rows. Sheets with rows: ${names}.`;
  throw new SeriesError('unknown-column', words);
}

async function sheetsOf(bytes: Uint8Array, fileName: string): Promise<Sheet[]> {
  try {
    let size = 0;
    const measure = ({ originalSize }: { originalSize: number }) => {
      size += originalSize;
      return false;
    };
    unzipSync(bytes, { filter: measure });
    if (size > MOST_UNPACKED || (size > SMALL && size > bytes.length * MOST_TIMES)) {
      const words = said`${fileName} unpacks to ${inDigits(Math.round(size / 1e6))} MB, more than can be read. Save its sheet as CSV and forecast that file.`;
      throw new SeriesError('too-large', words);
    }
    const near = withoutGaps(bytes);
    if (!near) {
      const words = said`${fileName} has cells that are far apart, with too much empty space between them. Save the rows of the series as CSV and forecast that file.`;
      throw new SeriesError('too-large', words);
    }
    const all = await readWorkbook(new Uint8Array(near.bytes).buffer);
    return all.flatMap(({ sheet, data: rows }, index) => {
      const data = ((rows as typeof rows | undefined) ?? []).map((row) => row.map(withoutDayZero)) as BinaryRows;
      return data.length > 1 ? [{ sheet, data, places: near.places[index] }] : [];
    });
  } catch (error) {
    if (error instanceof SeriesError) throw error;
    const words = said`${fileName} is not a readable Excel workbook. Open it in Excel, save it as .xlsx or CSV, and try again.`;
    throw new SeriesError('unreadable', words);
  }
}

function readSheet({ sheet, data, places }: Sheet, options: ReadOptions): Promise<SeriesDocument> {
  const nameOf = (line: number, cell?: number) => {
    const column = cell === undefined ? undefined : (places?.columns[cell + 1] ?? cell + 1);
    return cellName(sheet, places?.rows[line] ?? line, column);
  };
  return readRows([data], options, nameOf, sheet);
}

/** The day that Excel counts from is none: a time on it is a time of day. */
const DAY_ZERO = Date.UTC(1899, 11, 30);

function withoutDayZero(cell: unknown): unknown {
  const inDay = cell instanceof Date ? cell.getTime() - DAY_ZERO : NaN;
  if (!(inDay >= 0 && inDay < DAY)) return cell;
  return new Date(Math.min(Math.round(inDay / 1000) * 1000, DAY - 1000)).toISOString().slice(11, 19);
}

async function readBest(sheets: readonly Sheet[], options: ReadOptions): Promise<SeriesDocument> {
  const first = sheets[0]!;
  if (sheets.length === 1) return readSheet(first, options);
  const years = rowsOfYears(sheets);
  if (years) return readRows(years, options, (line) => said`row ${line}`.message);
  const counts: number[] = [];
  for (const sheet of sheets.slice(0, MOST_SHEETS)) counts.push(await pointsOf(sheet, options));
  const most = Math.max(...counts);
  const rivals = sheets.filter((_, index) => (1 + counts[index]!) * MOST_FEWER > 1 + most);
  const document = await readSheet(rivals[0] ?? first, options);
  if (rivals.length < 2) return document;
  const named = rivals.map(({ sheet, data }) => [sheet, { sheet }, said`${data.length} rows`] as const);
  return { ...document, choices: [choiceOf('sheet', said`Which sheet should be read?`, named), ...document.choices] };
}

const MOST_FEWER = 8; // how many times fewer points a sheet has that is offered beside the best one

async function pointsOf(sheet: Sheet, options: ReadOptions): Promise<number> {
  try {
    const { series } = await readSheet(sheet, { ...options, missing: 'report' });
    return Math.max(...series.map((one) => (one.timeKind === 'row' ? 0 : one.points)));
  } catch (error) {
    if (error instanceof SeriesError) return 0;
    throw error;
  }
}

/** The rows of sheets that are called by a year each and have the same names of columns, below titles of their own. */
function rowsOfYears(sheets: readonly Sheet[]): BinaryRows[] | undefined {
  const years = sheets.map(({ sheet }) => /(?<!\d)(?:19|20)\d{2}(?!\d)/.exec(sheet)?.[0] ?? '');
  const areApart = !years.includes('') && new Set(years).size === sheets.length;
  const others = new Set(sheets.map(({ sheet }, index) => sheet.replace(years[index]!, '').trim()));
  const isFilled = (cell: unknown) => cell !== null && cell !== undefined && cell !== '';
  const starts = sheets.map(({ data }) => data.findIndex((row) => row.filter(isFilled).length > 1));
  const heads = new Set(sheets.map(({ data }, index) => JSON.stringify(data[starts[index]!])));
  if (!areApart || others.size > 1 || heads.size > 1 || starts.includes(-1)) return undefined;
  const rows = sheets.map(({ data }, index) => data.slice(starts[index]! + 1).map((row) => [years[index], ...row]));
  return [[['Year', ...sheets[0]!.data[starts[0]!]!]], ...rows];
}

/** A cell, or a row, as formulas of a workbook name it: `Sales!B7`, `'North 2'!7:7`. */
function cellName(sheet: string, row: number, column?: number): string {
  const name = /^[\p{L}_][\p{L}\p{N}_.]*$/u.test(sheet) ? sheet : `'${sheet.replaceAll("'", "''")}'`;
  return `${name}!${column === undefined ? `${row}:${row}` : `${lettersOf(column)}${row}`}`;
}

/** Brings far cells of a workbook near: what reads it holds each cell between them, also the billions that are empty. */

const MOST_SPANNED = 2_000_000;
const MOST_EMPTY = 20;
const GAP = 2;

interface Places {
  readonly rows: readonly number[];
  readonly columns: readonly number[];
}

const ROW = /(<(?:\w+:)?row\b[^>]*?\sr=["'])(\d+)/g;
const CELL = /(<(?:\w+:)?c\b[^>]*?\sr=["'])([A-Z]+)(\d+)/g;

/** @returns the bytes and the places of wide sheets, in order; `undefined` if no gaps between far cells can close */
function withoutGaps(bytes: Uint8Array): { bytes: Uint8Array; places: (Places | undefined)[] } | undefined {
  const parts = unzipSync(bytes, { filter: ({ name }) => /^xl\/worksheets\/[^/]+\.xml$/i.test(name) });
  const wide = new Map(
    Object.entries(parts).flatMap(([name, part]) => {
      const { rows, columns, cells } = extentOf(strFromU8(part));
      if (!isWide(largest(rows) * largest(columns), cells)) return [];
      return [[name, { cells, rows: closed(rows), columns: closed(columns) }]];
    }),
  );
  if (wide.size === 0) return { bytes, places: [] };
  const book = unzipSync(bytes);
  for (const [name, { cells, rows, columns }] of wide) {
    if (isWide(rows.places.length * columns.places.length, cells)) return undefined;
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

const isWide = (span: number, cells: number): boolean => span > MOST_SPANNED && span > MOST_EMPTY * cells;

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
const lettersOf = (number: number): string =>
  number <= 26
    ? String.fromCharCode(64 + number)
    : lettersOf(Math.floor((number - 1) / 26)) + String.fromCharCode(65 + ((number - 1) % 26));
