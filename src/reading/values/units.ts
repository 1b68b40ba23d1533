import { monthOfName } from './months.ts';
import { isNumber } from './numbers.ts';

const WITH_UNIT = /^([^\p{L}°µ]{1,40}?)\s?([\p{L}°µ][\p{L}\d°µ²³/·.^-]{0,11})$/u;
const LEAST_SHARE = 0.95;
/** Fewer different numbers are classes rather: sizes, terms; so are few for the cells that there are. */
const FEWEST_NUMBERS = 3;
const MOST_CLASSES = 9;
const LEAST_DIFFERENT = 0.125;

/** The unit that stands behind the numbers of a column: the same in nearly all cells (`5.1 °C`,
 * `120 kWh`), but for those that are numbers alone. */
export function commonUnit(cells: readonly string[]): string | undefined {
  const first = cells.find((cell) => !isNumber(cell)) ?? '';
  const [, , unit] = WITH_UNIT.exec(first) ?? [];
  if (unit === undefined || monthOfName(unit) !== undefined) return undefined;
  // a few are flags: provisional, estimated
  if (cells.filter((cell) => cell.endsWith(unit)).length < cells.length / 2) return undefined;
  const numbers = cells.map((cell) => withoutUnit(cell, unit)).filter(isNumber);
  const least = Math.max(FEWEST_NUMBERS, Math.min(MOST_CLASSES + 1, cells.length * LEAST_DIFFERENT));
  return numbers.length >= cells.length * LEAST_SHARE && new Set(numbers).size >= least ? unit : undefined;
}

export const withoutUnit = (cell: string, unit: string): string =>
  cell.endsWith(unit) ? cell.slice(0, -unit.length).trimEnd() : cell;
