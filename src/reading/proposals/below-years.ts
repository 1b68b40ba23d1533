import { instantOf } from '../../calendar/timestamp.ts';
import { isRising } from '../../calendar/grid.ts';
import { axisOf, codesOf, type TimeAxis } from '../columns/column.ts';
import type { Table } from '../columns/table.ts';
import { partNumbers, PARTS, partsOf } from './time-parts.ts';

const YEAR = /^(?:19|20)\d{2}$/;

/** Parts of years, such as months, below their year in the same column, as spreadsheets write pivot tables. */
export function axisBelowYears({ columns }: Table): TimeAxis | undefined {
  const found = columns.flatMap((column): TimeAxis[] => {
    const { codes, names } = column.texts ? codesOf(column) : { codes: new Float64Array(), names: [] };
    const years = names.map((name) => (YEAR.test(name) ? instantOf(Number(name), 1, 1) : NaN));
    if (years.every(Number.isNaN)) return [];
    return partsOf('year').flatMap((part) => {
      const numbers = partNumbers(column, part);
      let year = NaN;
      const times = codes.map((code, row) => {
        if (!Number.isNaN(years[code]!)) year = years[code]!;
        return numbers ? PARTS[part].at(year, numbers[row]!, 0) : NaN;
      });
      return numbers && isRising(times, true) ? [axisOf([column], PARTS[part].kind, times)] : [];
    });
  });
  return found[0];
}
