import { isTimeName } from '../columns/names.ts';
import { MOST_COLUMNS, refuseColumns } from '../columns/table.ts';
import { countedColumns, headerTimes, hoursOfNames } from '../proposals/time-parts.ts';
import type { Delimiter, LayoutChoice } from '../types.ts';
import { plainTime } from '../values/time-words.ts';
import { bareTime, isTime, TIME_FORMATS, type TimeFormat, unknownZone } from '../values/dates.ts';
import { isMissing, isNumber, parseNumber } from '../values/numbers.ts';
import { type CutRow, cutRows, filled, hasCommentSign, isFilled, isOpenLine } from './rows.ts';

export type Dialect = ReturnType<typeof dialectsBy>[number];

/** A blank comes last: it is what is left where no real one does better. */
const DELIMITERS: readonly Delimiter[] = [',', ';', '\t', '|', ' '];
const SNIFFED_ROWS = 300;
const LEAST_EVEN = 0.2; // of the rows that another delimiter cuts alike: a long cell may have thousands of blanks
const MOST_CELLS = 20_000; // in the rows by which dialects are compared

/** The ways to read the head of a text: by each delimiter that cuts it, with each row above the data that may be the header. */
export function dialectsOf(head: string, layout: LayoutChoice): readonly Dialect[] {
  const { delimiter: given } = layout;
  const lines = head.split('\n');
  const evenIn = ({ rows, width }: Cut) => rows.filter(({ cells }) => cells.length === width).length;
  const ways = lines.some(isOpenLine) ? [false, true] : [false];
  const cutBy = (delimiters: readonly Delimiter[]) =>
    delimiters.flatMap((delimiter) =>
      ways.map((isByLine) => cutOf(head, delimiter, isByLine)).toSorted((a, b) => evenIn(b) - evenIn(a)),
    );
  const likely = DELIMITERS.filter((delimiter) => delimiter === ' ' || head.includes(delimiter));
  const cuts = given === undefined ? cutBy(likely).filter(({ width }) => width > 1) : cutBy([given]);
  const fitting = cuts.filter(({ width }) => width <= MOST_COLUMNS);
  if (cuts.length > fitting.length && fitting.length === 0) refuseColumns(cuts[0]!.width);
  // where nothing is cut, a line is one cell
  const all = fitting.length > 0 ? fitting : cutBy([given ?? '']);
  const least = LEAST_EVEN * Math.max(...all.map(evenIn));
  const dialects = all.filter((cut) => evenIn(cut) >= least).flatMap((cut) => dialectsBy(cut, layout, lines));
  // in a row of data, a quotation mark that nothing closes is an error
  const isOpenBelow = (line: number) => lines.slice(line - 1).some(isOpenLine);
  const closed = dialects.filter(({ isByLine, firstLine }) => !isByLine || !isOpenBelow(firstLine));
  return closed.length > 0 ? closed : dialects;
}

function dialectsBy(cut: Cut, layout: LayoutChoice, lines: readonly string[]) {
  const { rows, width, all, ...kept } = cut;
  const start = layout.header === undefined ? firstDataRow(rows, width) : Number(layout.header);
  const first = Math.min(start < 0 ? 1 : start, rows.length);
  const firstLine = rows[first]?.line ?? Infinity;
  const headers = layout.header === true ? [0] : headerRows(cut, first, lines);
  const heads = headers.map((header) => ({ header, named: namesIn(rows, header, first) }));
  const above = layout.header === undefined ? namesAbove(cut, first, lines) : undefined;
  const ways = above ? [...heads.filter(({ named }) => named), { header: -1, named: above }] : heads;
  return ways.map(({ header, named }) => {
    const shape = named && withNames(named, rows.slice(first), width);
    const linesBefore = (rows[header]?.line ?? rows[first]?.line ?? 1) - 1;
    const preamble = lines.slice(0, Math.min(linesBefore, MOST_PREAMBLE));
    return {
      ...{ ...kept, header: shape?.names, width: shape?.width ?? width },
      ...{ firstLine, headerLine: rows[header]?.line ?? 0, linesBefore },
      preamble: preamble.map((line) => line.slice(0, LONGEST_PREAMBLE)),
      rows: all.slice(0, first + Math.ceil(MOST_CELLS / width)),
    };
  });
}

const MOST_PREAMBLE = 60;
const LONGEST_PREAMBLE = 300;

const FEWEST_ROWS = 3;

function cutOf(text: string, delimiter: Delimiter, isByLine: boolean) {
  const all = cutRows(text, delimiter, { most: SNIFFED_ROWS, isByLine }).rows;
  const signed = all.filter(({ cells }) => hasCommentSign(cells, delimiter));
  const [width = 1, ...others] = new Set(signed.slice(0, -1).map(({ cells }) => cells.length));
  const areRows = signed.length >= FEWEST_ROWS && signed.length * 2 > all.length && width > 1 && others.length === 0;
  const comments = !areRows || delimiter === ' ';
  const rows = comments ? all.filter(({ cells }) => !hasCommentSign(cells, delimiter)) : all;
  return { delimiter, isByLine, comments, all, rows, width: usualWidth(rows) };
}

type Cut = ReturnType<typeof cutOf>;

function usualWidth(rows: readonly CutRow[]): number {
  const byWidth = [...Map.groupBy(rows, ({ cells }) => cells.length)].sort(([a], [b]) => b - a);
  // a wide table may have fewer rows than there are titles and remarks around it
  const weights = byWidth.map(([width, those]) => those.length * Math.log2(1 + width));
  return byWidth[weights.indexOf(Math.max(...weights))]?.[0] ?? 0;
}

export function isWords(cell: string): boolean {
  const text = cell.trim();
  return !isMissing(text) && /\p{L}{2}/u.test(text) && !isData(text);
}

export const isDay = (cell: string): boolean => isData(cell) && Number.isNaN(parseNumber(cell.trim(), '.'));

const isTimeIn = (formats: readonly TimeFormat[], cell: string) =>
  isTime(bareTime(cell), formats) || isTime(plainTime(cell), formats);

export function isData(cell: string): boolean {
  const text = cell.trim();
  return isNumber(text) || isTimeIn(TIME_FORMATS, text) || unknownZone(text) !== undefined;
}

const FEW = 0.05;
const SHARE = 0.6;

function cellTest(cells: readonly string[]): ((cell: string) => boolean) | undefined {
  const formats = TIME_FORMATS.filter((each) => isOften(cells, (cell) => isTimeIn([each], cell), FEW));
  const tests = [isNumber, (cell: string) => isTimeIn(formats, cell)].filter((test) => isOften(cells, test, SHARE));
  return cells.length === 0 || tests.length === 0 ? undefined : (cell) => tests.some((test) => test(cell));
}

const isOften = (cells: readonly string[], test: (cell: string) => boolean, share: number): boolean =>
  cells.filter(test).length >= cells.length * share;

/** The first row of data: where the rows above have least that fits their columns, as each cell speaks for or against a header. */
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
    const [passed, failed] = isNames ? [0, count(true) + count(false)] : [count(true), count(false)];
    return { passed, failed, isSure: failed === 0 && (passed >= width || isDated) };
  });
  // below a row that is surely data, words are values that a device could not tell
  const sure = verdicts.findIndex(({ isSure }) => isSure);
  let sum = 0;
  const above = verdicts.slice(0, sure < 0 ? rows.length : sure);
  const sums = [0, ...above.map(({ passed, failed }) => (sum += passed - failed))];
  const start = sums.indexOf(Math.min(...sums));
  const isRow = ({ passed, failed }: (typeof verdicts)[number]) => passed > 0 && passed >= failed;
  const first = rows.findIndex((row, index) => index >= start && fits(row) && isRow(verdicts[index]!));
  const times = rows
    // numbers of weeks above their dates fit columns of numbers too
    .slice(0, first < 0 ? rows.length : first + 2)
    .findLastIndex(({ cells }, index) => isTimeHeader(cells) && !isTimeHeader(rows[index + 1]?.cells ?? cells));
  const top = rows.findIndex(fits);
  const header = times < 0 && countedColumns(rows[top]?.cells ?? []) ? top : times;
  return header < 0 ? first : Math.max(first, header + 1);
}

const isTimeHeader = (cells: readonly string[]) => (headerTimes(cells) ?? hoursOfNames(cells)) !== undefined;

const MOST_HEADERS = 4;

/**
 * The rows that may be the header: of those before the data that fill the most columns beside the first, that with a cell to each
 * and the most different names, and the last others; else a row with an empty corner. @returns their indices, -1 for none
 */
function headerRows({ rows, width }: Cut, first: number, lines: readonly string[]): readonly number[] {
  const before = rows.slice(0, first);
  const fitting = before.filter(
    ({ cells }) => Math.abs(cells.length - width) <= 1 && Math.min(filled(cells), width) * 2 >= width,
  );
  const named = fitting.filter(areNames);
  const likely = named.length > 0 ? named : fitting;
  const sizeOf = ({ cells }: CutRow) => Math.min(filled(cells.slice(1)), width - 1);
  const fullest = likely.reduce((most, row) => Math.max(most, sizeOf(row)), 0);
  const full = likely.filter((row) => sizeOf(row) === fullest);
  const isWhole = ({ cells }: CutRow) => Number(cells.length === width);
  // a blank line ends what another table has above this one
  const end = lines.slice(0, (rows[first]?.line ?? 1) - 1).findLastIndex((line) => line.trim() === '') + 1;
  const isNear = ({ line }: CutRow) => Number(line > end);
  const [top] = full.toSorted(
    (a, b) => isWhole(b) - isWhole(a) || isNear(b) - isNear(a) || distinctIn(b) - distinctIn(a),
  );
  const others = full.filter((row) => row !== top).slice(1 - MOST_HEADERS);
  if (top) return [top, ...others].map((row) => rows.indexOf(row));
  const joined = before.findLastIndex(({ cells }) => cells.length === width && width > 1);
  const corner = before[joined]?.cells;
  return [corner?.[0]!.trim() === '' && !corner.some(isData) ? joined : -1];
}

const distinctIn = ({ cells }: CutRow): number => new Set(cells.slice(1).map((cell) => cell.trim())).size;

/** Whether most cells of a row are no data, or are times that run across. */
const areNames = ({ cells }: CutRow): boolean => isTimeHeader(cells) || cells.filter(isData).length * 2 < filled(cells);

/** The names in a row, with what stands above or below those that it has twice. */
function namesIn(rows: readonly CutRow[], header: number, first: number): string[] | undefined {
  const names = rows[header]?.cells.map((cell) => cell.trim());
  if (!names) return undefined;
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

/** The names in a comment, or two blanks apart, of the two lines above the data: as many as are filled below; rather than units. */
function namesAbove({ all, rows, delimiter, width }: Cut, first: number, lines: readonly string[]) {
  const end = first < rows.length ? all.indexOf(rows[first]!) : all.length;
  const used = rows.slice(first).reduce((most, { cells }) => Math.max(most, cells.findLastIndex(isFilled) + 1), 0);
  const [last, above] = [end - 1, end - 2].map((at) => {
    const { cells: [corner = '', ...others] = [], line = 0 } = all[at] ?? {};
    const text = (delimiter === ' ' ? (lines[line - 1] ?? '') : corner).trim();
    const bare = text.replace(/^(?:#|\/\/|%)+\s*/, '');
    const apart = bare.replaceAll('\t', '  ').split('  ').filter(isFilled);
    const byBlanks = [bare.split(','), apart, bare === text ? undefined : cutRows(bare, ' ').rows[0]?.cells];
    const ways = delimiter === ' ' ? byBlanks : [bare === text ? undefined : [bare, ...others]];
    const names = ways.map((cells = []) => cells.slice(0, cells.findLastIndex(isFilled) + 1));
    const found = names.find(({ length }) => length > 1 && (length === width || length === used));
    return found?.some(isData) ? undefined : found?.map((name) => name.trim().replace(/^#(?=\p{L})/u, ''));
  });
  const different = (names: readonly string[]) => new Set(names.filter((name) => !isMissing(name.trim()))).size;
  return last && above && different(above) > different(last) ? above : last;
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
