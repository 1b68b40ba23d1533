import type { PlaceName } from '../report/problems.ts';
import { SeriesReader } from '../read.ts';
import { said } from '../phrase.ts';
import type { ReadOptions, Remark, SeriesDocument } from '../types.ts';

export type BinaryCell = string | number | bigint | boolean | Date | null | undefined;

/** Milliseconds that a time of a spreadsheet may be off, as it is a share of a day. */
const INEXACT = 5;

const MOST_NAMED = 3;

const PART = 1_000_000;

/** Reads typed rows as a table of text is read; a row is a line, and its numbers have a decimal point. */
export class RowReader {
  readonly #reader: SeriesReader;
  #parts: string[] = [];
  #size = 0;

  constructor(options: ReadOptions, placeName: PlaceName, sheet = '') {
    const layout = { ...options.layout, delimiter: ',', decimal: '.' } as const;
    this.#reader = new SeriesReader({ ...options, layout }, placeName, sheet);
  }

  push(row: readonly BinaryCell[]): void {
    const line = `${row.map(textOf).join(',')}\n`;
    this.#parts.push(line);
    this.#size += line.length;
    if (this.#size >= PART) this.#flush();
  }

  finish(): SeriesDocument {
    this.#flush();
    const document = this.#reader.finish();
    return { ...document, series: document.series.map((one) => ({ ...one, remarks: one.remarks.map(inWords) })) };
  }

  #flush(): void {
    this.#reader.push(this.#parts.join(''));
    this.#parts = [];
    this.#size = 0;
  }
}

function inWords(remark: Remark): Remark {
  const { text, lines } = remark;
  if (lines.length === 0) return remark;
  const named = lines.slice(0, MOST_NAMED).map(([first, last]) => (first === last ? `${first}` : `${first}–${last}`));
  const list = `${named.join(', ')}${lines.length > MOST_NAMED ? ', …' : ''}`;
  const isOne = lines.length === 1 && lines[0][0] === lines[0][1];
  const phrase = isOne ? said`${text} (row ${list})` : said`${text} (rows ${list})`;
  return { ...remark, text: phrase.message, lines: [] };
}

function textOf(cell: BinaryCell): string {
  if (cell === null || cell === undefined) return '';
  if (typeof cell === 'number') return Number.isFinite(cell) ? String(cell) : '';
  if (typeof cell === 'bigint' || typeof cell === 'boolean') return String(cell);
  if (cell instanceof Date) return Number.isNaN(cell.getTime()) ? '' : timeText(cell);
  return `"${cell.replaceAll(/[\r\n]+/g, ' ').replaceAll('"', '""')}"`;
}

/** A day without a time where it is midnight; spreadsheets keep times as shares of a day, off by less than a second. */
function timeText(time: Date): string {
  const second = Math.round(time.getTime() / 1000) * 1000;
  const isWhole = Math.abs(time.getTime() - second) <= INEXACT;
  const [day = '', clock = ''] = (isWhole ? new Date(second) : time).toISOString().slice(0, -1).split('T');
  if (clock === '00:00:00.000') return day;
  return `${day} ${isWhole ? clock.slice(0, 8) : clock}`;
}
