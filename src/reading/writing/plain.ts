import Papa from 'papaparse';
import { defuse } from '../values/formulas.ts';

/** Rows as CSV. Texts that a spreadsheet would run as formulas are defused. */
export function plainTable(rows: readonly (readonly (string | number | undefined)[])[]): string {
  const cells = rows.map((row) => row.map((cell) => (typeof cell === 'string' ? defuse(cell) : (cell ?? ''))));
  return `${Papa.unparse(cells, { newline: '\n' })}\n`;
}
