import { isTimeName } from '../columns/names.ts';
import { refuseColumns } from '../columns/table.ts';
import { headerTimes, hoursOfNames } from '../proposals/time-parts.ts';
import type { Delimiter, LayoutChoice } from '../types.ts';
import { bareTime, isTime, unknownZone, TIME_FORMATS, type TimeFormat } from '../values/dates.ts';
import { isMissing, isNumber } from '../values/numbers.ts';
import { cutRows, filled, hasCommentSign, type CutRow } from './rows.ts';

const CHARACTERS = 65_536;
const LINES = 20;
const MOST = 8_000_000;

export function headEnd(text: string): number {
  if (text.length < CHARACTERS) return -1;
  let end = -1;
  for (let line = 0; line < LINES || end < CHARACTERS; line++) {
    const next = text.indexOf('\n', end + 1);
    if (next < 0 || next > MOST) return line >= LINES ? end : text.length > MOST ? MOST : -1;
    end = next;
  }
  return end;
}

const DELIMITERS: readonly Delimiter[] = [',', ';', '\t', '|', ' ', ''];
const SNIFFED_ROWS = 300;

export function sniffDialect(head: string, layout: LayoutChoice) {
  const cut = bestCut(head, layout.delimiter);
  const { rows, width, delimiter, comments } = cut;
  refuseColumns(width);
  const start = layout.header === undefined ? firstDataRow(rows, width) : layout.header ? 1 : 0;
  const first = start < 0 ? Math.min(1, rows.length) : start;
  const header = layout.header === true ? 0 : headerRow(rows, first, width);
  const firstLine = rows[first]?.line ?? Infinity;
  const named = header >= 0 ? distinguished(rows, header, first) : commentedHeader(cut, rows[first]);
  const shape = named && withNames(named, rows.slice(first), width);
  const headerLine = rows[header]?.line ?? 0;
  const linesBefore = (rows[header >= 0 ? header : first]?.line ?? 1) - 1;
  const above = head.split('\n', Math.min(linesBefore, MOST_PREAMBLE));
  const preamble = above.map((line) => line.slice(0, LONGEST_PREAMBLE));
  const found = { header: shape?.names, width: shape?.width ?? width };
  return { ...found, delimiter, comments, firstLine, headerLine, linesBefore, preamble };
}

const MOST_PREAMBLE = 60;
const LONGEST_PREAMBLE = 300;

function bestCut(text: string, given: Delimiter | undefined) {
  const candidates = (given === undefined ? DELIMITERS : [given])
    .filter((delimiter) => delimiter === given || delimiter === ' ' || text.includes(delimiter))
    .map((delimiter) => cutOf(text, delimiter));
  const scores = candidates.map(score);
  // of equals the first; where nothing is cut, a line is one cell
  const best = scores.reduce((most, points, at) => (points > scores[most]! + 1e-9 ? at : most), 0);
  return given !== undefined || scores[best]! > 0 ? candidates[best]! : cutOf(text, '');
}

const FEWEST_ROWS = 3;

function cutOf(text: string, delimiter: Delimiter) {
  const all = cutRows(text, delimiter, { most: SNIFFED_ROWS }).rows;
  const signed = all.filter(({ cells }) => hasCommentSign(cells, delimiter));
  const [width = 1, ...others] = new Set(signed.slice(0, -1).map(({ cells }) => cells.length));
  const areRows = signed.length >= FEWEST_ROWS && signed.length * 2 > all.length && width > 1 && others.length === 0;
  const comments = !areRows || delimiter === ' ';
  const rows = comments ? all.filter(({ cells }) => !hasCommentSign(cells, delimiter)) : all;
  return { delimiter, comments, all, rows, width: usualWidth(rows) };
}

type Cut = ReturnType<typeof cutOf>;

function usualWidth(rows: readonly CutRow[]): number {
  const byWidth = [...Map.groupBy(rows, ({ cells }) => cells.length)].sort(([a], [b]) => b - a);
  // a wide table may have fewer rows than there are titles and remarks around it
  const weights = byWidth.map(([width, those]) => those.length * Math.log2(1 + width));
  return byWidth[weights.indexOf(Math.max(...weights))]?.[0] ?? 0;
}

const WIDTH = 0.05;
/** A blank and no delimiter at all are what is left when no real one does better. */
const WEIGHT: Partial<Record<Delimiter, number>> = { ' ': 0.9, '': 0.5 };

function score({ rows, width, delimiter }: Cut): number {
  if (rows.length === 0 || (delimiter !== '' && width < 2)) return 0;
  const usual = rows.filter(({ cells }) => cells.length === width);
  const cells = usual.flatMap((row) => row.cells.slice(0, 50)).filter((cell) => cell.trim() !== '');
  const data = cells.filter((cell) => isData(cell) || isMissing(cell.trim())).length;
  // a quotation mark within a cell was cut where none ends, and words with other delimiters between where one is none
  const isBroken = delimiter === ' ' ? /[,;|]\p{L}/u : /[;,|\t]"|"[;,|\t]/;
  const broken = cells.filter((cell) => isBroken.test(cell)).length;
  const fit = 0.1 + (data - broken) / Math.max(1, cells.length);
  return (usual.length / rows.length) * fit * (1 + WIDTH * Math.log2(width)) * (WEIGHT[delimiter] ?? 1);
}

const isTimeIn = (formats: readonly TimeFormat[], cell: string) => isTime(bareTime(cell), formats);

export function isData(cell: string): boolean {
  const text = cell.trim();
  return isNumber(text) || isTimeIn(TIME_FORMATS, text) || unknownZone(text) !== undefined;
}

const FEW = 0.05;
const SHARE = 0.6;

function cellTest(cells: readonly string[]): ((cell: string) => boolean) | undefined {
  const bare = cells.map((cell) => bareTime(cell));
  const formats = TIME_FORMATS.filter((each) => isOften(bare, (cell) => isTime(cell, [each]), FEW));
  const tests = [isNumber, (cell: string) => isTimeIn(formats, cell)].filter((test) => isOften(cells, test, SHARE));
  return cells.length === 0 || tests.length === 0 ? undefined : (cell) => tests.some((test) => test(cell));
}

const isOften = (cells: readonly string[], test: (cell: string) => boolean, share: number): boolean =>
  cells.filter(test).length >= cells.length * share;

const MOST_ABOVE = 0.25;

function firstDataRow(rows: readonly CutRow[], width: number): number {
  const fits = ({ cells }: CutRow) => cells.length >= Math.min(width, 2) && filled(cells) <= width;
  const usual = rows.filter(fits);
  const later = usual.length > 2 ? usual.slice(Math.min(3, usual.length >> 1)) : usual;
  const tests = Array.from({ length: width }, (_, column) =>
    cellTest(later.map((row) => row.cells[column]?.trim() ?? '').filter((cell) => !isMissing(cell))),
  );
  const verdicts = rows.map(({ cells }) => {
    const tested = cells.map((cell, column) => (isMissing(cell.trim()) ? undefined : tests[column]?.(cell.trim())));
    const count = (wanted: boolean) => tested.filter((each) => each === wanted).length;
    // beside a time that is written out, a word is a value, such as `T` for a trace of rain
    const isDated = cells.some((cell, column) => tested[column] === true && !isNumber(cell.trim()));
    const isNames = !isDated && cells.some((cell, column) => tested[column] === false && isTimeName(cell));
    return { cells, passed: count(true), failed: count(false), isNames };
  });
  const areSame = (one: CutRow, other: CutRow) => one.cells.join() === other.cells.join();
  const names = verdicts.findLastIndex(
    ({ isNames, passed, cells }, index) =>
      isNames &&
      passed === 0 &&
      index < rows.length * MOST_ABOVE &&
      rows.findIndex((row) => areSame(row, rows[index]!)) === index &&
      // what is above is no part of the same table
      !verdicts.slice(0, index).some((above, at) => above.failed === 0 && filled(rows[at]!.cells) === filled(cells)),
  );
  return rows.findIndex((row, index) => {
    if (index <= names || !fits(row)) return false;
    const next = rows[index + 1];
    if (next && isTimeHeader(row.cells) && !isTimeHeader(next.cells)) return false;
    // one row below its times tells of no column what it is
    const above = rows[index - 1];
    if (above && isTimeHeader(above.cells) && row.cells.some(isData)) return true;
    const { passed, failed, isNames } = verdicts[index]!;
    if (isNames) return false;
    // numbers above a row of names group them, such as the years of `Q1, Q2, Q3, Q4`
    const below = verdicts[index + 1];
    if (below?.passed === 0 && below.failed > 1 && filled(row.cells) * 2 < width) return false;
    return (
      passed > failed ||
      (passed > 0 && passed === failed && row.cells.length >= width && filled(row.cells) * 2 >= width)
    );
  });
}

const isTimeHeader = (cells: readonly string[]) => (headerTimes(cells) ?? hoursOfNames(cells)) !== undefined;

/** The header: of the fullest rows before the data the last that names a time, else the first; else a row with an empty corner. */
function headerRow(rows: readonly CutRow[], first: number, width: number): number {
  const before = rows
    .slice(0, first)
    .map(({ cells }, index) => ({ index, cells, size: Math.min(filled(cells), width) }));
  const fitting = before.filter(({ cells, size }) => Math.abs(cells.length - width) <= 1 && size * 2 >= width);
  // a row with more cells than the table is no fuller for that
  const fullest = Math.max(...fitting.map(({ size }) => size));
  const full = fitting.filter(({ size }) => size === fullest);
  let last = full.findLastIndex(({ cells }) => cells.some(isTimeName));
  // below the names of a logger stand their units, of which one may be a time's
  while (last > 0 && isNamesOfTime(full[last - 1]!.cells) && full[last - 1]!.index === full[last]!.index - 1) last--;
  if (full.length > 0) return full[Math.max(0, last)]!.index;
  const joined = before.findLast(({ cells }) => cells.length === width && width > 1);
  return joined?.cells[0]?.trim() === '' && !joined.cells.some(isData) ? joined.index : -1;
}

const isNamesOfTime = (cells: readonly string[]): boolean =>
  cells.some(isTimeName) && new Set(cells.map((cell) => cell.trim())).size === cells.length;

function distinguished(rows: readonly CutRow[], header: number, first: number): string[] {
  const names = rows[header]!.cells.map((cell) => cell.trim());
  const firstOf = new Map(names.map((name, column) => [name, column] as const).reverse());
  const twice = new Set(names.filter((name, column) => name !== '' && firstOf.get(name) !== column));
  if (twice.size === 0) return names;
  for (const [index, { cells }] of rows.slice(0, first).entries()) {
    if (index === header || cells.length > names.length) continue;
    let last = '';
    const full = names.map((name, column) => {
      const label = cells[column]?.trim() ?? '';
      // above, a cell stands for those after it too, as where cells were joined
      last = label === '' && index < header ? last : label;
      return twice.has(name) ? `${name} ${last}`.trim() : name;
    });
    const filledIn = full.filter((name) => name !== '');
    if (new Set(filledIn).size === filledIn.length) return full;
  }
  return names;
}

/** The comment just before the data that names as many columns as the table has: above units, which repeat, their names. */
function commentedHeader({ all, delimiter, width }: Cut, first: CutRow | undefined): string[] | undefined {
  const end = first ? all.indexOf(first) : all.length;
  const [last, above] = [end - 1, end - 2].map((at) => {
    const text = all[at]?.cells.join(delimiter) ?? '';
    const cells = /^\s*#/.test(text) ? cutRows(text.replace(/^\s*#+\s*/, ''), delimiter).rows[0]?.cells : undefined;
    return cells?.length === width && !cells.some(isData) ? cells : undefined;
  });
  return last && above && new Set(above).size > new Set(last).size ? above : last;
}

function withNames(named: readonly string[], rows: readonly CutRow[], width: number) {
  // a row that ends in a delimiter has a cell more, in which nothing stands
  const isEnded = named.length < width && rows.every(({ cells }) => filled(cells.slice(named.length)) === 0);
  if (isEnded || named.length !== width - 1) return { names: named, width: Math.max(width, named.length) };
  // a time below the name of a time is no name of a row: there a decimal comma was cut in two
  const isCut = isTimeName(named[0]?.trim() ?? '') && isTimeIn(TIME_FORMATS, rows[0]?.cells[0]?.trim() ?? '');
  // R leaves out the name of the row names
  return isCut ? { names: named, width: width - 1 } : { names: ['', ...named], width };
}
