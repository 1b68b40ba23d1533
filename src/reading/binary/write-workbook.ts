import writeWorkbook, { type SheetData } from 'write-excel-file/universal';
import type { DocumentFormat } from '../types.ts';
import { layoutOf, tableOf, type WritableSeries } from '../writing/write.ts';

const FIRST_YEAR = 1900;

/** Writes the table of series as an Excel workbook of one sheet: days and UTC times as dates, other times as text. */
export async function writeXlsx(
  series: readonly WritableSeries[],
  format: DocumentFormat,
): Promise<Uint8Array<ArrayBuffer>> {
  const { dateFormat: _, ...plain } = format;
  const { head, rows } = tableOf(series, layoutOf(series), plain);
  const data: SheetData = [
    head.map((name) => ({ value: name, type: String, fontWeight: 'bold' as const })),
    ...Array.from(rows, (row) =>
      row.map((cell) => {
        if (typeof cell === 'number') return Number.isFinite(cell) ? { value: cell, type: Number } : null;
        return timeCell(cell) ?? { value: cell, type: String };
      }),
    ),
  ];
  const blob = await writeWorkbook(data, { sheet: 'Forecast', stickyRowsCount: 1 }).toBlob();
  return new Uint8Array(await blob.arrayBuffer());
}

function timeCell(text: string) {
  const isDay = /^\d{4}-\d\d-\d\d$/.test(text);
  if (!isDay && !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(text)) return undefined;
  const value = new Date(isDay ? `${text}T00:00:00Z` : text);
  if (value.getUTCFullYear() < FIRST_YEAR) return undefined;
  return { value, type: Date, format: isDay ? 'yyyy-mm-dd' : 'yyyy-mm-dd hh:mm:ss' };
}
