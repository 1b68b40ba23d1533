import { civilOf } from '../../calendar/civil.ts';
import { shortMonth } from '../../calendar/months.ts';
import { formatPattern, patternOfNames } from '../columns/patterns.ts';
import { TIME_FORMATS } from '../values/dates.ts';

const NAMED = TIME_FORMATS.find(({ id }) => id === 'names')!;
const NAME = /\p{L}{3,}\.?/u;

/**
 * Writes days and months as cells of a file name them, in whatever language it is: what a month is called is learned from
 * them. `undefined` where they are not all written alike.
 * @returns a cell for midnight of a day, as milliseconds; `undefined` for months that no cell names, and for other times
 */
export function namedTimes(cells: readonly string[]): ((time: number) => string | undefined) | undefined {
  const told = cells.flatMap((cell) => {
    const [name] = NAME.exec(cell) ?? [];
    const time = NAMED.parse(cell);
    return name === undefined || Number.isNaN(time) ? [] : [{ cell, name, time, month: civilOf(time).month }];
  });
  const names = new Map(told.map(({ name, month }) => [month, name]));
  const pattern = patternOfNames(told.map(({ cell, name, month }) => cell.replace(name, shortMonth(month))));
  if (pattern === undefined) return undefined;
  const write = (time: number): string | undefined => {
    const { month } = civilOf(time);
    const name = names.get(month);
    if (name === undefined) return undefined;
    const cell = formatPattern(time, pattern).replace(shortMonth(month), name);
    return NAMED.parse(cell) === time ? cell : undefined;
  };
  return told.every(({ cell, time }) => write(time) === cell) ? write : undefined;
}
