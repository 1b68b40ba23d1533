import { unzipSync } from 'fflate';
import readWorkbook from 'read-excel-file/universal';
import { said } from '../phrase.ts';
import { type Choice, type ReadOptions, SeriesError, type SeriesDocument } from '../types.ts';
import { type BinaryCell, RowReader } from './rows.ts';
import { type SparseWorkbook, withoutGaps } from './sparse-sheets.ts';
import { inDigits } from '../../calendar/digits.ts';

/** A workbook that unpacks to more is refused before it is unpacked, in bytes. */
const MOST_UNPACKED = 400_000_000;

/** How many times smaller than what it unpacks to a workbook of this size or more may be. */
const MOST_TIMES = 60;
const SMALL = 20_000_000;

/**
 * Reads a sheet of an Excel workbook: the one that the layout names; where it names none, the first that has rows.
 * @throws SeriesError
 */
export async function readXlsx(bytes: Uint8Array, options: ReadOptions): Promise<SeriesDocument> {
  const { fileName, layout = {} } = options;
  refuseBombs(bytes, fileName);
  const near = closedIn(bytes, fileName);
  const sheets = (await unpacked(near.bytes, fileName)).filter(({ data }) => data.length > 1);
  const sheet = layout.sheet === undefined ? sheets[0] : sheets.find((one) => one.sheet === layout.sheet);
  if (!sheet && sheets.length > 0) {
    const names = sheets.map((one) => one.sheet).join(', ');
    throw new SeriesError(
      'unknown-column',
      said`${fileName} has no sheet “${layout.sheet ?? ''}” with rows. Those with rows are: ${names}.`,
    );
  }
  if (!sheet) {
    throw new SeriesError(
      'empty',
      said`${fileName} has no sheet with rows. Open a file with a column of times and a column of numbers.`,
    );
  }
  const places = near.places.get(sheet.sheet);
  const reader = new RowReader(options, (line, cell) =>
    cellName(
      sheet.sheet,
      places?.rows[line] ?? line,
      cell === undefined ? cell : (places?.columns[cell + 1] ?? cell + 1) - 1,
    ),
  );
  for (const row of sheet.data) reader.push(row as unknown as BinaryCell[]);
  const document = reader.finish();
  if (sheets.length === 1 || layout.sheet !== undefined) return document;
  const answers = sheets.map((one) => ({
    label: one.sheet,
    detail: said`${one.data.length} rows`.message,
    layout: { sheet: one.sheet },
  }));
  const choice: Choice = {
    kind: 'sheet',
    question: said`Which sheet of ${fileName} should be read?`.message,
    options: answers,
    suggested: sheets.indexOf(sheet),
  };
  return { ...document, choices: [choice, ...document.choices] };
}

/** A cell, or a row, as formulas of a workbook name it: `Sales!B7`, `'North 2'!7:7`. */
function cellName(sheet: string, row: number, cell?: number): string {
  const name = /^[\p{L}_][\p{L}\p{N}_.]*$/u.test(sheet) ? sheet : `'${sheet.replaceAll("'", "''")}'`;
  return `${name}!${cell === undefined ? `${row}:${row}` : `${columnName(cell)}${row}`}`;
}

/** `A` to `Z`, `AA` and so on. @param index from 0 */
const columnName = (index: number): string =>
  (index < 26 ? '' : columnName(Math.floor(index / 26) - 1)) + String.fromCharCode(65 + (index % 26));

/** @throws SeriesError for what unpacks to more than can be held, before anything is unpacked */
function refuseBombs(bytes: Uint8Array, fileName: string): void {
  let size = 0;
  try {
    unzipSync(bytes, {
      filter: ({ originalSize }) => {
        size += originalSize;
        return false;
      },
    });
  } catch {
    throw broken(fileName);
  }
  if (size > MOST_UNPACKED || (size > SMALL && size > bytes.length * MOST_TIMES)) {
    throw new SeriesError(
      'too-large',
      said`${fileName} unpacks to ${inDigits(Math.round(size / 1e6))} MB, more than can be read. Save its sheet as CSV and forecast that file.`,
    );
  }
}

/** @throws SeriesError for a sheet with cells so far from each other that what lies between them cannot be held */
function closedIn(bytes: Uint8Array, fileName: string): SparseWorkbook {
  let near: SparseWorkbook | undefined;
  try {
    near = withoutGaps(bytes);
  } catch {
    throw broken(fileName);
  }
  if (near) return near;
  throw new SeriesError(
    'too-large',
    said`${fileName} has cells far from each other, with too much empty space between them. Save the rows of the series as CSV and forecast that file.`,
  );
}

async function unpacked(bytes: Uint8Array, fileName: string) {
  try {
    // no more than this view of what may be a larger buffer
    return await readWorkbook(new Uint8Array(bytes).buffer);
  } catch {
    throw broken(fileName);
  }
}

const broken = (fileName: string): SeriesError =>
  new SeriesError(
    'unreadable',
    said`${fileName} is no Excel workbook that can be read. Open it in Excel, save it as .xlsx or CSV, and try again.`,
  );
