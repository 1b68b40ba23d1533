import { withoutQuotes } from '../columns/column.ts';
import { DistinctNames, isTimeName } from '../columns/names.ts';
import { Table, refuseColumns } from '../columns/table.ts';
import { said, type Phrase } from '../phrase.ts';
import { SeriesError, type LayoutChoice, type Problem, type Delimiter } from '../types.ts';
import { isMissing, parseNumber, isNumber, revived } from '../values/numbers.ts';
import { cellFinder, beginsWithDigit, cutRows, filled, hasCommentSign, type CutRow } from './rows.ts';
import { headerTimes, hoursOfNames } from '../proposals/time-parts.ts';
import { bareTime, isTime, unknownZone, TIME_FORMATS, type TimeFormat } from '../values/dates.ts';

/** Characters cut into rows at a time; their cells are garbage soon, and less of it at once needs less memory. */
const PART = 262_144;
const LONGEST_CELL = 1_000_000;
const WHOLE_TABLE = 10;
const LONGEST_LINE = 64_000_000;
const KEPT_SIZE = 10_000_000;

export class DelimitedReader {
  readonly #dialect: ReturnType<typeof sniffDialect>;
  readonly #fileName: string;
  readonly #table: Table;
  /** Whether cells carry the flags of Eurostat's files, as in `100.2 p` and `: c`. */
  readonly #flagged: boolean;
  #kept: string | undefined = '';
  #open = '';
  #line = 1;
  #comments: number[] = [];
  #lastRow = 0;
  #isOver = false;
  #nextHead: CutRow | undefined;

  constructor(fileName: string, layout: LayoutChoice, text: string) {
    this.#fileName = fileName;
    const end = headEnd(text);
    const head = end < 0 ? text : text.slice(0, end);
    this.#dialect = sniffDialect(head, layout);
    this.#table = new Table(columnNames(this.#dialect));
    this.#table.preamble = this.#dialect.preamble;
    this.#flagged = /\\TIME_PERIOD|\\time/i.test(this.#dialect.header?.[0] ?? '');
  }

  push(text: string): void {
    if (this.#kept !== undefined)
      this.#kept = this.#kept.length + text.length > KEPT_SIZE ? undefined : this.#kept + text;
    for (let at = 0; at < text.length; at += PART) {
      const part = text.slice(at, at + PART);
      this.#open += part;
      // only whole lines are cut, so a part without an end of one is not looked at again
      if (part.includes('\n')) this.#cut(false);
      else if (this.#open.length > LONGEST_LINE) {
        const words = said`${this.#fileName}, line ${this.#line}: the line is longer than 64 million characters, so this is not a table. Choose a CSV or JSON file.`;
        throw new SeriesError('too-large', words, { line: this.#line });
      }
    }
  }

  finish() {
    this.#cut(true);
    if (!this.#isOver) this.#reportComments();
    if (this.#nextHead) this.#endAt(this.#nextHead.line);
    const { delimiter, header, linesBefore } = this.#dialect;
    return {
      tables: [this.#table.finish()],
      format: { kind: 'csv' as const, delimiter, header: header !== undefined, skippedLines: linesBefore },
      cells: this.#kept === undefined ? undefined : cellFinder(this.#kept, delimiter),
    };
  }

  #cut(isLast: boolean): void {
    const text = this.#open;
    const end = isLast ? text.length : text.lastIndexOf('\n') + 1;
    const cut = cutRows(text.slice(0, end), this.#dialect.delimiter, { line: this.#line, isOpen: !isLast });
    const line = isLast ? cut.openLine : cut.rest.length > LONGEST_CELL ? cut.nextLine : undefined;
    if (line !== undefined) {
      const words = said`${this.#fileName}, line ${line}: a quotation mark is opened and never closed. Close or remove it.`;
      throw new SeriesError('open-quote', words, { line });
    }
    this.#line = cut.nextLine;
    this.#open = isLast ? '' : cut.rest + text.slice(end);
    for (const row of cut.rows) if (!this.#isOver) this.#take(row);
  }

  #take(row: CutRow): void {
    const { firstLine, headerLine, header, comments } = this.#dialect;
    const { line, cells } = row;
    // below the head, a sign alone in its cell is no name
    if (comments && hasCommentSign(cells, line > firstLine ? ' ' : this.#dialect.delimiter)) {
      if (line > firstLine) this.#comments.push(line);
      return;
    }
    if (line < firstLine) {
      if (headerLine > 0 && line > headerLine) this.#note(line);
      return;
    }
    const isApart = this.#table.rows >= WHOLE_TABLE && line > this.#lastRow + 1;
    this.#lastRow = line;
    const head = this.#nextHead;
    this.#nextHead = undefined;
    if (head && filled(cells) <= filled(head.cells)) {
      this.#isOver = true;
      this.#endAt(head.line);
      return;
    }
    if (head) this.#add(head);
    if (isApart && beginsAnotherTable(cells, header, this.#comments.at(-1) === line - 1)) this.#nextHead = row;
    else this.#add(row);
  }

  #report(line: number, words: Phrase, severity: Problem['severity'], kind: Problem['kind'] = 'note'): void {
    this.#table.report({ line, severity, kind, ...words });
  }

  #note(line: number): void {
    this.#report(line, said`This line is a note, not part of the table, and was left out.`, 'info');
  }

  #endAt(line: number): void {
    const words = said`Another table begins here. It was left out, together with everything below it. To read it, put it into a file of its own.`;
    this.#report(line, words, 'warning');
  }

  #reportComments(): void {
    for (const line of this.#comments.splice(0)) this.#note(line);
  }

  #add(row: CutRow): void {
    if (this.#comments.length > 0) this.#reportComments();
    const cells = this.#cellsOf(row);
    if (cells) this.#table.push(this.#flagged ? cells.map(withoutFlag) : cells, row.line);
  }

  #cellsOf({ cells, line }: CutRow): string[] | undefined {
    const { header, width } = this.#dialect;
    const isPlain = cells.length === width && cells[width - 1] !== '' && beginsWithDigit(cells);
    if (isPlain && !(header && beginsWithDigit(header))) return cells;
    if (header && isHeaderAgain(cells, header)) return undefined;
    const used = cells.findLastIndex((cell) => cell.trim() !== '') + 1;
    if (width > 1 && isWords(cells[0] ?? '') && this.#isRemark(cells, used)) {
      this.#note(line);
      return undefined;
    }
    const isShort = cells.length < width && used < width && cells.length > 1;
    if (used > width) {
      const words = said`This row has ${used} cells where the table has ${width}; the extra cells were left out. Quote cells that contain the delimiter.`;
      this.#report(line, words, 'error', 'ragged');
    } else if (isShort) {
      const words = said`This row has ${cells.length} cells where the table has ${width}; the others are treated as missing.`;
      this.#report(line, words, 'warning', 'ragged');
    }
    return used > width ? cells.slice(0, width) : cells;
  }

  #isRemark(cells: readonly string[], used: number): boolean {
    const { width } = this.#dialect;
    const { preview } = this.#table;
    if (used === 1 || (used * 2 <= width && !cells.some(isData))) return true;
    const hasDataFirst = preview.length > 0 && !preview.some(([first]) => isWords(first!));
    return used < width && SOURCE.test(cells[0]!) && !cells.some(isDay) && hasDataFirst;
  }
}

const withoutFlag = (cell: string, index: number): string =>
  index === 0 ? cell : cell.replace(/^(\s*[-\d.:]+)\s+[a-z]{1,3}\s*$/, '$1');

const LONGEST_NAME = 200;

function columnNames({ header, width }: ReturnType<typeof sniffDialect>): string[] {
  const distinct = new DistinctNames();
  return Array.from({ length: width }, (_, index) => {
    const given = revived(withoutQuotes(header?.[index]?.trim() ?? '')).slice(0, LONGEST_NAME);
    return distinct.of(given === '' ? `Column ${index + 1}` : given);
  });
}

function isHeaderAgain(cells: readonly string[], header: readonly string[]): boolean {
  const isSame = (cell: string, index: number) => cell.trim() === header[index]?.trim();
  if (!cells.every((cell, index) => isSame(cell, index) || isDay(cell))) return false;
  const named = cells.filter((cell, index) => isSame(cell, index) && cell.trim() !== '');
  return (cells.length === header.length && cells.every(isSame)) || (named.length > 1 && !named.some(isData));
}

function beginsAnotherTable(cells: readonly string[], header: readonly string[] = [], isTitled: boolean): boolean {
  const words = cells.map((cell) => cell.trim()).filter((cell) => cell !== '');
  if (header.length === 0 || words.length < 2 || !words.every(isWords)) return false;
  const names = new Set(header.map((name) => name.trim().toLowerCase()));
  const isOther = words.some((word) => !names.has(word.toLowerCase()));
  return isOther && (isTitled || isTimeName(words[0]!) || words[0] === header[0]?.trim());
}

const SOURCE =
  /^\s*(?:sources?|notes?|remarks?|footnotes?|quellen?|hinweise?|anmerkung(?:en)?|fuentes?|fontes?|notas?)\s?:/i;

function isWords(cell: string): boolean {
  const text = cell.trim();
  return !isMissing(text) && /\p{L}{2}/u.test(text) && !isData(text);
}

const isDay = (cell: string): boolean => isData(cell) && Number.isNaN(parseNumber(cell.trim(), '.'));

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

function isData(cell: string): boolean {
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
    .slice(0, first < 0 ? rows.length : first + 1)
    .findLastIndex(({ cells }, index) => isTimeHeader(cells) && !isTimeHeader(rows[index + 1]?.cells ?? cells));
  return times < 0 ? first : Math.max(first, times + 1);
}

const isTimeHeader = (cells: readonly string[]) => (headerTimes(cells) ?? hoursOfNames(cells)) !== undefined;

/** The header: of the fullest rows before the data the last that names a time, else the first; else a row with an empty corner. */
function headerRow(rows: readonly CutRow[], first: number, width: number): number {
  const before = rows
    .slice(0, first)
    .map(({ cells }, index) => ({ index, cells, size: Math.min(filled(cells), width) }));
  const fitting = before.filter(({ cells, size }) => Math.abs(cells.length - width) <= 1 && size * 2 >= width);
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
