import type { PlaceName } from '../report/problems.ts';
import { SeriesReader } from '../read.ts';
import { said } from '../phrase.ts';
import type { ReadOptions, Remark, SeriesDocument } from '../types.ts';

type BinaryCell = string | number | bigint | boolean | object | null | undefined;
export type BinaryRows = readonly (readonly BinaryCell[])[];

/** Milliseconds that a time of a spreadsheet may be off, as it is a share of a day. */
const INEXACT = 5;

const MOST_NAMED = 3;
/** Rows made to text in one piece: with a full text in each of many cells, more are longer than a text may be. */
const AT_ONCE = 100;

/** Reads typed rows as a table of text is read; a row is a line, and its numbers have a decimal point. */
export async function readRows(
  batches: Iterable<BinaryRows> | AsyncIterable<BinaryRows>,
  options: ReadOptions,
  placeName: PlaceName,
  sheet = '',
): Promise<SeriesDocument> {
  const layout = { ...options.layout, delimiter: ',', decimal: '.' } as const;
  const reader = new SeriesReader({ ...options, layout }, placeName, sheet);
  for await (const rows of batches) {
    for (let at = 0; at < rows.length; at += AT_ONCE) {
      const lines = rows.slice(at, at + AT_ONCE).map((row) => `${row.map(textOf).join(',')}\n`);
      reader.push(lines.join(''));
    }
  }
  const document = reader.finish();
  return { ...document, series: document.series.map((one) => ({ ...one, remarks: one.remarks.map(inWords) })) };
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
  if (typeof cell === 'string') return `"${cell.replaceAll(/[\r\n]+/g, ' ').replaceAll('"', '""')}"`;
  if (cell instanceof Date) return Number.isNaN(cell.getTime()) ? '' : timeText(cell);
  if (typeof cell === 'object' && cell !== null) return textOf(JSON.stringify(cell));
  return typeof cell === 'number' && !Number.isFinite(cell) ? '' : String(cell ?? '');
}

/** A day without a time where it is midnight; spreadsheets keep times as shares of a day, off by less than a second. */
function timeText(time: Date): string {
  const second = Math.round(time.getTime() / 1000) * 1000;
  const isWhole = Math.abs(time.getTime() - second) <= INEXACT;
  const [day = '', clock = ''] = (isWhole ? new Date(second) : time).toISOString().slice(0, -1).split('T');
  if (clock === '00:00:00.000') return day;
  return `${day} ${isWhole ? clock.slice(0, 8) : clock}`;
}
