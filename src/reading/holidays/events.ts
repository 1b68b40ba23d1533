import Papa from 'papaparse';
import { DAY } from '../../calendar/civil.ts';
import { said, SeriesError } from '../types.ts';
import { TIME_FORMATS } from '../values/dates.ts';
import type { DaySet } from './day-columns.ts';

const WAYS = TIME_FORMATS.filter(({ id }) => ['iso', 'dmy', 'mdy', 'names', 'compact'].includes(id));
const MOST_NAMES = 20;
const LONGEST = 366;
const FIRST = /^(?:date|day|from|start|datum|tag|von|beginn)$/i;
const NAME = /^(?:name|event|title|ereignis|titel)$/i;
const LAST = /^(?:until|to|end|bis|ende)$/i;

export const isEventsHeader = (text: string): boolean => {
  const [header = []] = cellsOf(text.slice(0, 1000));
  return header.some((cell) => FIRST.test(cell)) && header.some((cell) => NAME.test(cell));
};

/** The days of a person's events by name: a table of `date`, `name` and `until`. @throws SeriesError */
export function readEvents(text: string, fileName: string): DaySet[] {
  const [header = [], ...rows] = cellsOf(text);
  const [date, name, until] = [FIRST, NAME, LAST].map((pattern) => header.findIndex((cell) => pattern.test(cell)));
  if (date === undefined || date < 0 || name === undefined || name < 0) {
    const words = said`${fileName} needs the columns date and name; the column until is optional.`;
    throw new SeriesError('unknown-column', words);
  }
  const texts = rows.flatMap((row) => [row[date], until === undefined ? '' : row[until]]).filter((cell) => cell);
  const way = WAYS.find(({ parse }) => texts.every((cell) => !Number.isNaN(parse(cell!))));
  const dayOf = (cell: string): number => Math.floor((way?.parse(cell) ?? NaN) / DAY);
  const sets = new Map<string, Set<number>>();
  rows.forEach((row, index) => {
    const [from = '', called = '', to = ''] = [row[date], row[name], until === undefined ? '' : row[until]];
    if (from === '' && called === '') return;
    const first = way ? dayOf(from) : NaN;
    const last = to === '' ? first : dayOf(to);
    if (called === '' || Number.isNaN(first) || Number.isNaN(last) || last < first || last - first > LONGEST) {
      const words = said`Line ${index + 2} of ${fileName} is not a valid event. An event has a date, a name, and no end before its date. All dates have the same format, such as 2024-12-24.`;
      throw new SeriesError('not-a-time', words, { line: index + 2 });
    }
    const days = sets.get(called) ?? new Set<number>();
    sets.set(called, days);
    for (let day = first; day <= last; day++) days.add(day);
  });
  return [...sets].slice(0, MOST_NAMES).map(([called, days]) => ({ name: called, days }));
}

const cellsOf = (text: string): string[][] =>
  Papa.parse<string[]>(text.replace(/^\uFEFF/, ''), { skipEmptyLines: false })
    .data.map((row) => row.map((cell) => cell.trim()))
    .filter((row, index, all) => index < all.length - 1 || row.some((cell) => cell !== ''));
