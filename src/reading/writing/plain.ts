import Papa from 'papaparse';
import type { DocumentFormat } from '../types.ts';
import { defuse } from '../values/formulas.ts';

export const PLAIN_FORMAT: DocumentFormat = {
  kind: 'csv',
  encoding: 'utf-8',
  delimiter: ',',
  decimal: '.',
  dateFormat: 'YYYY-MM-DD[T]HH:mm:ss[Z]',
  header: true,
  skippedLines: 0,
};

export function plainTable(rows: readonly (readonly (string | number | undefined)[])[]): string {
  const cells = rows.map((row) => row.map((cell) => (typeof cell === 'string' ? defuse(cell) : (cell ?? ''))));
  return `${Papa.unparse(cells, { newline: '\n' })}\n`;
}
