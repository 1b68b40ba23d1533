import { inDigits } from '../../calendar/digits.ts';
import { type Column, areAll, type TimeAxis } from '../columns/column.ts';
import { said, type Phrase } from '../phrase.ts';
import { choiceOf, type Aggregate, type Choice, type Resampling } from '../types.ts';
import type { TableContext } from './problems.ts';
import { DAY } from '../../calendar/civil.ts';
import { describeFrequency } from '../../calendar/format.ts';
import type { Frequency } from '../../calendar/frequency.ts';
import type { Table } from '../columns/table.ts';
import type { Proposal, Scored } from '../proposals/proposal.ts';
import { suggest, suggestWay, type Source } from './suggestion.ts';

export interface ValueColumn {
  readonly column: Column;
  readonly values: Float64Array;
  readonly code?: number;
  readonly treated: ReadonlySet<number>;
}

/** Reads value columns. A code for a missing value is taken out where there are several; in a single one it is asked for. */
export function readAll(proposal: Proposal, left: ReadonlySet<number>, context: TableContext): readonly ValueColumn[] {
  const { columns } = proposal;
  const read = withSides(columns.map((column) => readColumn(column, left, context)), proposal, context); // prettier-ignore
  const { missingCode: chosen } = context.layout;
  if (chosen === null) return read;
  if (chosen !== undefined) return read.map((each) => withoutCodes(each, new Set([chosen])));
  const coded = read.flatMap((each) => {
    const found = missingCode(each.values);
    return found ? [{ ...each, ...found }] : [];
  });
  const [first] = coded;
  if (!first) return read;
  const isAsked = columns.length === 1;
  const codes = new Set(coded.map(({ code }) => code));
  const cells = inDigits(coded.reduce((sum, { rows }) => sum + rows.length, 0));
  const words = isAsked
    ? said`${first.code} occurs in ${cells} cells of “${first.column.name}”, far from all other values. It was read as a number, but may stand for a missing value.`
    : said`${[...codes].join(', ')} occurs in ${cells} cells, far from all other values, and was read as missing.`;
  context.tell(first.rows[0]!, first.column.name, words, isAsked ? 'warning' : 'info');
  return isAsked ? coded : read.map((each) => withoutCodes(each, codes));
}

/** Leaves out marks behind numbers, but debits and credits are signs in a series that has both. */
function withSides(read: readonly ValueColumn[], { across, groups }: Proposal, context: TableContext) {
  const marked = read.flatMap(({ column: { name, numbers } }) => (numbers?.marks ? [{ name, ...numbers.marks }] : []));
  const [first] = marked;
  if (!first) return read;
  const seriesOf = (row: number, index: number) => (groups?.codes[row] ?? 0) * read.length + (across ? 0 : index);
  const seriesWith = (side: 'debits' | 'credits') =>
    new Set(read.flatMap(({ column }, at) => Array.from(column.numbers?.[side] ?? [], (row) => seriesOf(row, at))));
  const debits = seriesWith('debits');
  const both = new Set([...seriesWith('credits')].filter((each) => debits.has(each)));
  const count = inDigits(marked.reduce((sum, each) => sum + each.count, 0));
  const words =
    both.size > 0
      ? said`${count} numbers such as “${first.text}” are debits or credits. In a series with both, debits (S, DR) were read as negative.`
      : said`${count} numbers such as “${first.text}” have a mark behind them, which was left out.`;
  context.tell(first.row, first.name, words);
  const isNegative = ({ column }: ValueColumn, row: number, index: number) =>
    column.numbers?.debits.has(row) === true && both.has(seriesOf(row, index));
  return read.map((each, index) => ({
    ...each,
    values: each.values.map((value, row) => (isNegative(each, row, index) ? -value : value)),
  }));
}

function withoutCodes(column: ValueColumn, codes: ReadonlySet<number>): ValueColumn {
  if (!column.values.some((value) => codes.has(value))) return column;
  const treated = new Set(column.treated);
  const values = column.values.map((value, row) => {
    if (!codes.has(value)) return value;
    treated.add(row);
    return NaN;
  });
  return { ...column, values, treated };
}

function readColumn(
  column: Column,
  left: ReadonlySet<number>,
  { problems, locate, severity, tell }: TableContext,
): ValueColumn {
  const { numbers, name, rows } = column;
  if (!numbers) return plainColumn(column, new Float64Array(rows).fill(NaN));
  const { values, limits } = numbers;
  const marks = numbers.words.filter(({ row }) => !left.has(row));
  const bad = numbers.bad.filter(({ row }) => !left.has(row));
  const count = numbers.badCount - (numbers.bad.length - bad.length);
  problems.noteCells({ kind: 'not-a-number', severity, about: name }, bad, count, locate);
  if (limits) {
    const words = said`${inDigits(limits.count)} cells of “${name}” such as “${limits.text}” give only a limit. Below a limit, half of it is used; above a limit, the limit itself.`;
    tell(limits.row, name, words);
  }
  const [mark] = marks;
  if (mark) {
    const words = said`${inDigits(marks.length)} cells of “${name}” contain a word such as “${mark.text}” instead of a number and were read as missing.`;
    tell(mark.row, name, words);
  }
  return { column, values, treated: new Set([...numbers.bad, ...marks].map(({ row }) => row)) };
}

export const plainColumn = (column: Column, values: Float64Array): ValueColumn => ({
  column,
  values,
  treated: new Set(),
});

/** Numbers that mean a missing value: −9.9, and two to six nines, above 0 at least three, with a fraction. */
const CODES: ReadonlySet<number> = new Set(
  ['9', '99', '999', '9999', '99999', '999999']
    .flatMap((whole) => ['', '.9', '.99', '.999', '.9999'].map((fraction) => Number(whole + fraction)))
    .flatMap((code) => [code, -code])
    .filter((code) => code < -9 || code > 998),
);
const FEWEST_OTHERS = 10;

export function missingCode(values: Float64Array): { code: number; rows: number[] } | undefined {
  const isCode = (value: number) => (value < -9 || value > 998) && CODES.has(value);
  const [code, ...others] = new Set(values.filter(isCode));
  if (code === undefined || others.length > 0) return undefined;
  const rows = Array.from(values.keys()).filter((row) => values[row] === code);
  const rest = values.filter((value) => value !== code && !Number.isNaN(value)).sort();
  const [low, high] = [rest[0] ?? Infinity, rest.at(-1) ?? -Infinity];
  const isFar = code < 0 ? low - code > high - low : code - high > high - low;
  return isFar && values.length - rows.length >= FEWEST_OTHERS ? { code, rows } : undefined;
}

const MOST_SUMS = 5;

export function choicesOf(proposal: Proposal, columns: readonly ValueColumn[], table: Table, context: TableContext) {
  const { across } = proposal;
  const { layout, fallbackName } = context;
  if (proposal.aggregate && proposal.areEvents) return choicesOfEvents(proposal, columns, table, context);
  const coded = columns.find(({ code }) => code !== undefined);
  const ofColumns = [
    ...decimalChoice(columns),
    ...(coded ? [codeChoice(coded)] : []),
    ...(columns.length > 1 && !layout.valueColumns && !across
      ? [columnChoice(columns, { proposal, table, stem: fallbackName })]
      : []),
  ];
  const ofTimes = choicesOfTimes(proposal.axis, ofColumns.length === 0, false, context);
  return {
    choices: [...ofTimes, ...ofColumns],
    columns,
    aggregate: across ? (layout.aggregate ?? undefined) : proposal.aggregate,
  };
}

/** The question about times; the order of a single day, and which of several times is taken, are told instead. */
function choicesOfTimes(
  { choice, columns, times }: TimeAxis,
  isAlone: boolean,
  areEvents: boolean,
  { tell }: TableContext,
) {
  if (!choice || isAlone) return choice ? [choice] : [];
  const [taken, other] = choice.options;
  const isOneDay = () => areAll(times, (time) => Math.floor(time / DAY) === Math.floor(times[0]! / DAY));
  if (choice.kind === 'date-order' && isOneDay())
    tell(0, columns[0] ?? '', said`All rows are from one day: ${choice.options[choice.suggested]!.detail!}.`);
  else if (choice.kind === 'time-column' && areEvents)
    tell(0, columns[0] ?? '', said`Events are dated by “${taken!.label}”; “${other!.label}” is another time.`);
  else return [choice];
  return [];
}

function decimalChoice(columns: readonly ValueColumn[]): Choice[] {
  const open = columns.find(({ column }) => column.numbers?.isOpen);
  if (!open) return [];
  const { name, samples, numbers } = open.column;
  const sample = samples.find((text) => /[.,]/.test(text)) ?? '';
  const meaning = (sign: string) =>
    sample.includes(sign)
      ? said`${sample} is a number with a fraction`
      : said`${sample} is a whole number in groups of thousands`;
  const options = [
    [said`Decimal point`, { decimal: '.' }, meaning('.')],
    [said`Decimal comma`, { decimal: ',' }, meaning(',')],
  ] as const;
  const question = said`How are the numbers in “${name}” written?`;
  return [choiceOf('decimal', question, options, numbers?.decimal === '.' ? 0 : 1)];
}

const codeChoice = ({ column, code = NaN }: ValueColumn): Choice =>
  choiceOf('missing-code', said`What does ${code} mean in “${column.name}”?`, [
    [said`The value is missing`, { missingCode: code }],
    [said`It is a value`, { missingCode: null }],
  ]);

function columnChoice(columns: readonly ValueColumn[], source: Source): Choice {
  const each = columns.map(
    ({ column: { name, samples } }) => [name, { valueColumns: [name] }, samples.slice(0, 4).join(', ')] as const,
  );
  const all = { valueColumns: each.map(([name]) => name) };
  const scores = suggest(columns, source);
  return choiceOf(
    'value-columns',
    said`Which column should be forecast?`,
    [...each, [said`All columns`, all, said`${each.length} series`]],
    scores.indexOf(Math.max(...scores)),
  );
}

function choicesOfEvents(proposal: Proposal, columns: readonly ValueColumn[], table: Table, context: TableContext) {
  const { layout, fallbackName } = context;
  const source = { proposal, table, stem: fallbackName };
  const scores = new Map(suggest(columns, source).map((score, at) => [columns[at]!, score]));
  const ranked = [...scores].filter(([, score]) => score > -Infinity).sort(([, a], [, b]) => b - a);
  const [best, ...others] = ranked.map(([column]) => column);
  const taken = layout.valueColumns || !best ? columns : [best];
  const columnsFor = (by: Aggregate) => (by === 'count' ? [] : taken);
  const { id, axis, aggregate: proposed } = proposal;
  const usual = best ? suggestWay(best, scores.get(best)!, source) : 'count';
  const by = layout.aggregate?.by ?? usual;
  const asked = [...choicesOfTimes(axis, false, true, context), ...decimalChoice(columnsFor(by))];
  if (layout.aggregate) return { choices: asked, columns: columnsFor(by), aggregate: layout.aggregate };
  const { step } = proposed!;
  const way = (how: Aggregate, column?: string) => {
    const aggregate = { step, by: how };
    const layoutOf = { reading: id, aggregate, ...(column === undefined ? {} : { valueColumns: [column] }) };
    return [sumInWords(aggregate, column), layoutOf] as const;
  };
  const first = best?.column.name;
  const likely = [...new Set<Aggregate>([by, 'sum', 'count', 'mean'])].filter((how) => best || how === 'count');
  const choice = choiceOf('aggregate', said`Each row is a separate event. What should be forecast?`, [
    ...likely.map((how) => way(how, how === 'count' ? undefined : first)),
    ...others.slice(0, MOST_SUMS - 1).map(({ column }) => way('sum', column.name)),
    [said`Rows as they are`, { reading: id.replace('events', 'rows'), aggregate: null }],
  ]);
  return { choices: [...asked, choice], columns: columnsFor(by), aggregate: { step, by } };
}

/** Where plain numbers in the header, or in a column, may be parts of the times of the rows, or names of series. */
export function readingChoice(proposals: readonly Scored[]): Choice | undefined {
  const [taken, ...others] = proposals;
  const other = others.find(({ across, axis, evidence }) => !across && !axis.guess && evidence.points > 1);
  const parts: Partial<Record<string, Phrase>> = {
    month: said`Months of a year`,
    quarter: said`Quarters of a year`,
    week: said`Weeks of a year`,
    yearDay: said`Days of a year`,
    hour: said`Hours of a day`,
    slot: said`Parts of a day`,
  };
  const words = taken?.guess && parts[taken.guess];
  if (!words || !other) return undefined;
  const extent = ({ evidence: { series, points } }: Scored) =>
    series === 1 ? said`1 series · ${points} points` : said`${series} series · ${points} points`;
  const [first, last] = [taken.columns[0]!.name, taken.columns.at(-1)!.name];
  const what = said`What are the columns ${first} to ${last}?`;
  return choiceOf('reading', taken.across ? what : said`What is the column ${taken.axis.columns.at(-1)!}?`, [
    [words, { reading: taken.id }, extent(taken)],
    [said`Separate series`, { reading: other.id, aggregate: null }, extent(other)],
  ]);
}

export function sumInWords({ step, by }: Resampling, column: string | undefined): Phrase {
  const words: Readonly<Partial<Record<Frequency['unit'], Phrase>>> = {
    second: said`per second`,
    minute: said`per minute`,
    hour: said`per hour`,
    day: said`per day`,
    week: said`per week`,
    month: said`per month`,
    quarter: said`per quarter`,
    year: said`per year`,
  };
  const per = (step.count === 1 ? words[step.unit] : undefined) ?? said`at steps: ${describeFrequency(step)}`;
  if (by === 'count' || column === undefined) return said`Number of rows ${per}`;
  return by === 'mean' ? said`Average of ${column} ${per}` : said`Sum of ${column} ${per}`;
}
