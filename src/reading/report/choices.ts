import { inDigits } from '../../calendar/digits.ts';
import { type Column, areAll, type TimeAxis } from '../columns/column.ts';
import { said, type Phrase } from '../phrase.ts';
import { choiceOf, type Aggregate, type Choice, type Resampling } from '../types.ts';
import type { TableContext } from './problems.ts';
import { isRising as isInOrder } from '../../calendar/grid.ts';
import { DAY } from '../../calendar/civil.ts';
import { describeFrequency } from '../../calendar/format.ts';
import type { Frequency } from '../../calendar/frequency.ts';
import { isFactName, isIdName, isIndexName } from '../columns/names.ts';
import type { Table } from '../columns/table.ts';
import type { Proposal, Scored } from '../proposals/proposal.ts';
import { isSum, movesIn } from '../sums.ts';
import { suggestAggregate } from '../series/aggregate.ts';

export interface ValueColumn {
  readonly column: Column;
  readonly values: Float64Array;
  readonly code?: number;
  readonly treated: ReadonlySet<number>;
}

/** Reads value columns. A code for a missing value is taken out where there are several; in a single one it is asked for. */
export function readAll(columns: readonly Column[], left: ReadonlySet<number>, context: TableContext): ValueColumn[] {
  const read = columns.map((column) => readColumn(column, left, context));
  noteMarks(columns, context);
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
  const severity = isAsked ? 'warning' : 'info';
  context.problems.add({ ...context.locate(first.rows[0]!, first.column.name), ...words, severity, kind: 'note' });
  return isAsked ? coded : read.map((each) => withoutCodes(each, codes));
}

function noteMarks(columns: readonly Column[], { problems, locate }: TableContext): void {
  const marked = columns.flatMap(({ name, numbers }) => (numbers?.marks ? [{ name, ...numbers.marks }] : []));
  const [first] = marked;
  if (!first) return;
  const count = inDigits(marked.reduce((sum, each) => sum + each.count, 0));
  const words = said`${count} numbers such as “${first.text}” have a mark behind them, which was left out.`;
  problems.add({ ...locate(first.row, first.name), ...words, severity: 'info', kind: 'note' });
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
  { problems, locate, severity }: TableContext,
): ValueColumn {
  const { numbers, name, rows } = column;
  if (!numbers) return plainColumn(column, new Float64Array(rows).fill(NaN));
  const { values, limits } = numbers;
  const bad = numbers.bad.filter(({ row }) => !left.has(row));
  const count = numbers.badCount - (numbers.bad.length - bad.length);
  problems.noteCells({ kind: 'not-a-number', severity, about: name }, bad, count, locate);
  if (limits) {
    const words = said`${inDigits(limits.count)} cells of “${name}” such as “${limits.text}” give only a limit. Below a limit, half of it is used; above a limit, the limit itself.`;
    problems.add({ ...locate(limits.row, name), ...words, severity: 'info', kind: 'note' });
  }
  return { column, values, treated: new Set(numbers.bad.map(({ row }) => row)) };
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
  const rowsOf = new Map<number, number[]>();
  let [low, high] = [Infinity, -Infinity];
  for (let row = 0; row < values.length; row++) {
    const value = values[row]!;
    if ((value < -9 || value > 998) && CODES.has(value)) {
      const rows = rowsOf.get(value);
      if (rows) rows.push(row);
      else rowsOf.set(value, [row]);
    } else {
      if (value < low) low = value;
      if (value > high) high = value;
    }
  }
  const [[code, rows] = [NaN, []], ...others] = rowsOf;
  const isFar = code < 0 ? low - code > high - low : code - high > high - low;
  return others.length === 0 && isFar && values.length - rows.length >= FEWEST_OTHERS ? { code, rows } : undefined;
}

const MOST_SUMS = 5;

export function choicesOf(
  proposal: Proposal,
  columns: readonly ValueColumn[],
  table: Table,
  context: TableContext,
): { choices: Choice[]; columns: readonly ValueColumn[]; aggregate: Resampling | undefined } {
  const { axis, across, areEvents, groups } = proposal;
  const { layout, fallbackName } = context;
  if (proposal.aggregate && areEvents) {
    const suggested = (values: Float64Array) => suggestAggregate(axis.times, values, groups?.codes);
    const best =
      columns[suggestColumn(columns, fallbackName, { table, isLevel: (values) => suggested(values) === 'mean' })];
    const taken = layout.valueColumns ? columns : best ? [best] : [];
    if (layout.aggregate) return { choices: [], columns: taken, aggregate: layout.aggregate };
    const aggregate = { step: proposal.aggregate.step, by: best ? suggested(best.values) : 'count' } as const;
    return { choices: [aggregateChoice(proposal, aggregate, columns, best)], columns: taken, aggregate };
  }
  const open = columns.find(({ column }) => column.numbers?.isOpen);
  const coded = columns.find(({ code }) => code !== undefined);
  const ofColumns = [
    ...(open ? [decimalChoice(open)] : []),
    ...(coded ? [codeChoice(coded)] : []),
    ...(columns.length > 1 && !layout.valueColumns && !across ? [columnChoice(columns, fallbackName)] : []),
  ];
  const { choice } = axis;
  const isSettled = ofColumns.length > 0 && areOfOneDay(axis);
  if (isSettled) {
    const words = said`All rows are from one day: ${choice!.options[choice!.suggested]!.detail!}.`;
    context.problems.add({ ...context.locate(0, axis.columns[0] ?? ''), ...words, severity: 'info', kind: 'note' });
  }
  const choices = [...(choice && !isSettled ? [choice] : []), ...ofColumns];
  return { choices, columns, aggregate: across ? (layout.aggregate ?? undefined) : proposal.aggregate };
}

/** Whether the order of the day and the month is open, but moves all rows alike: other questions matter more. */
const areOfOneDay = ({ choice, times }: TimeAxis): boolean =>
  choice?.kind === 'date-order' && areAll(times, (time) => Math.floor(time / DAY) === Math.floor(times[0]! / DAY));

function decimalChoice({ column: { name, samples, numbers } }: ValueColumn): Choice {
  const sample = samples.find((text) => /[.,]/.test(text)) ?? '';
  const [fraction, whole] = [
    said`${sample} is a number with a fraction`,
    said`${sample} is a whole number in groups of thousands`,
  ];
  return choiceOf(
    'decimal',
    said`How are the numbers in “${name}” written?`,
    [
      [said`Decimal point`, { decimal: '.' }, sample.includes('.') ? fraction : whole],
      [said`Decimal comma`, { decimal: ',' }, sample.includes(',') ? fraction : whole],
    ],
    numbers?.decimal === '.' ? 0 : 1,
  );
}

const codeChoice = ({ column, code = NaN }: ValueColumn): Choice =>
  choiceOf('missing-code', said`What does ${code} mean in “${column.name}”?`, [
    [said`The value is missing`, { missingCode: code }],
    [said`It is a value`, { missingCode: null }],
  ]);

function columnChoice(columns: readonly ValueColumn[], stem: string): Choice {
  const each = columns.map(
    ({ column: { name, samples } }) => [name, { valueColumns: [name] }, samples.slice(0, 4).join(', ')] as const,
  );
  const all = { valueColumns: each.map(([name]) => name) };
  return choiceOf(
    'value-columns',
    said`Which column should be forecast?`,
    [...each, [said`All columns`, all, said`${each.length} series`]],
    suggestColumn(columns, stem),
  );
}

function aggregateChoice(
  { id }: Proposal,
  { step, by }: Resampling,
  columns: readonly ValueColumn[],
  best: ValueColumn | undefined,
): Choice {
  const way = (how: Aggregate, column?: string) => {
    const layout = {
      reading: id,
      aggregate: { step, by: how },
      ...(column === undefined ? {} : { valueColumns: [column] }),
    };
    return [sumInWords({ step, by: how }, column), layout] as const;
  };
  const first = best?.column.name;
  const likely = [...new Set([by, 'sum', 'count', 'mean'] as const)].filter((how) => best || how === 'count');
  const others = columns.map(({ column }) => column.name).filter((name) => name !== first);
  return choiceOf('aggregate', said`Each row is a separate event. What should be forecast?`, [
    ...likely.map((how) => way(how, how === 'count' ? undefined : first)),
    ...others.slice(0, MOST_SUMS - 1).map((name) => way('sum', name)),
    [said`Rows as they are`, { reading: id.replace('events', 'rows'), aggregate: null }],
  ]);
}

const partsInWords = (): Partial<Record<string, Phrase>> => ({
  month: said`Months of a year`,
  quarter: said`Quarters of a year`,
  week: said`Weeks of a year`,
  yearDay: said`Days of a year`,
});

const extentInWords = ({ evidence: { series, points } }: Scored): Phrase =>
  series === 1 ? said`1 series · ${points} points` : said`${series} series · ${points} points`;

/** Where plain numbers in the header may be parts of the times of the rows, or names of series. */
export function readingChoice(proposals: readonly Scored[]): Choice | undefined {
  const [taken, ...others] = proposals;
  const other = others.find(({ across, evidence }) => !across && evidence.points > 1);
  const words = taken?.guess && partsInWords()[taken.guess];
  if (!words || !other) return undefined;
  const [first, last] = [taken.columns[0]!.name, taken.columns.at(-1)!.name];
  return choiceOf('reading', said`What are the columns ${first} to ${last}?`, [
    [words, { reading: taken.id }, extentInWords(taken)],
    [said`Separate series`, { reading: other.id, aggregate: null }, extentInWords(other)],
  ]);
}

export function sumInWords({ step, by }: Resampling, column: string | undefined): Phrase {
  const per = perStep(step);
  if (by === 'count' || column === undefined) return said`Number of rows ${per}`;
  return by === 'mean' ? said`Average of ${column} ${per}` : said`Sum of ${column} ${per}`;
}

function perStep(step: Frequency): Phrase {
  const words: Readonly<Partial<Record<Frequency['unit'], Phrase>>> = {
    minute: said`per minute`,
    hour: said`per hour`,
    day: said`per day`,
    week: said`per week`,
    month: said`per month`,
    quarter: said`per quarter`,
    year: said`per year`,
  };
  return (step.count === 1 ? words[step.unit] : undefined) ?? said`at steps: ${describeFrequency(step)}`;
}

type Candidate = Pick<ValueColumn, 'column' | 'values'>;

const TARGET =
  /^(?:y|target|values?|_value|obs_?value|close|close\/last|last|zamkniecie|adj[ ._]?close|adjusted[ ._]?close|cnt|count|sales|demand|wert|valor|valeur|valore)$/i;
const MEASURE =
  /(?:^|[^a-z])(?:sales|demand|revenue|turnover|price|load|consumption|production|passengers|visits|visitors|users|orders|quantity|qty|units|volume|amount|count|cnt|traffic|umsatz|absatz|verkäufe|preis|menge|ventas|ventes|vendite|vendas|precio|prix)(?:[^a-z]|$)/i;
const EXTRA =
  /(?:^|[^a-z])(?:tax|taxes|vat|fee|fees|discounts?|shipping|tip|refunds?|steuer|mwst|ust|rabatt|versand)(?:[^a-z]|$)/i;
const TOTAL = /^(?:grand[ _]?)?(?:total|gesamt|totale|totaal|all)$/i;
const CALENDAR =
  /^(?:is_?)?(?:year|yr|quarter|qtr|month|mnth|mon|week|weekday|week_?day|day_?of_?(?:week|month|year)|dow|doy|dom|day|hour|hr|minute|season|holidays?|nth (?:hour|day|week|month|year)|(?:hour|day|week|month) index|working_?day|weekend|business_?day|school_?holiday|state_?holiday|promo|promotion|jahr|monat|woche|wochentag|tag|stunde|feiertag)(?:_?(?:no|num|nr|number|sin|cos))?$/i;
const DERIVED =
  /(?:^|[^a-z])(?:lag\d*|rolling|moving|ma\d+|ewm|ema\d*|sma\d*|diff|pct|change|chg|cum|cumulative|cumsum|running|ytd|forecast|predicted|prediction|pred|yhat|fitted|residual|error|lower|upper|stderr|std|margin|weight|rank)(?:[^a-z]|$)/i;

const SAMPLE = 20_000;

/**
 * The column that a person most likely wants to forecast: of events an amount, best one that others add up to. What goes on
 * further down than another is known in advance, not to be forecast.
 * @param stem the file's name, which often says what was measured @param events the rows, where they are some
 * @returns its index; -1 where all numbers of events name something
 */
function suggestColumn(
  columns: readonly ValueColumn[],
  stem: string,
  events?: { readonly table: Table; readonly isLevel: (values: Float64Array) => boolean },
): number {
  const all = columns.map(({ column, values }): Candidate => ({ column, values: values.subarray(0, SAMPLE) }));
  const sums = sumsOfOthers(all);
  const ends = columns.map(({ values }) => values.findLastIndex((value) => !Number.isNaN(value)));
  const filled = all.map(({ values }) => countFilled(values));
  const sides = all.map((_, index) => isSide(index, all, filled));
  const dense = ends.filter((end, index) => !sides[index] && countFilled(columns[index]!.values) > end / 2);
  const shortest = Math.min(...(dense.length > 0 ? dense : ends));
  const scores = all.map((each, index) => {
    const { column, values } = each;
    const isSum = sums.has(each);
    const isSparse = (!events && filled[index]! < values.length / 2) || sides[index];
    const score = scoreOf(each, stem) - (isSparse ? 2 : 0);
    if (!events) return ends[index]! > shortest ? -Infinity : score - (isSum ? 2 : 0);
    if (isFactName(column.name) || areCodes(values)) return -Infinity;
    const isPrice = PRICE.test(column.name.replaceAll('_', ' ')) || isFactOfItem(each, events.table);
    const isMade = isSum || isProduct(each, all);
    return score + (isMade ? 2 : 0) - (isPrice ? 4 : 0) - (events.isLevel(values) ? 3 : 0);
  });
  const best = Math.max(...scores);
  return best === -Infinity ? -1 : scores.indexOf(best);
}

/** Whether each of its cells stands in a fuller column too, as debits and credits in their balance. */
const isSide = (index: number, columns: readonly Candidate[], filled: readonly number[]): boolean =>
  columns.some(
    (other, at) =>
      filled[at]! > filled[index]! &&
      columns[index]!.values.every(
        (value, row) => Number.isNaN(value) || Math.abs(value) === Math.abs(other.values[row]!),
      ),
  );

const MOSTLY_PRODUCTS = 0.95;
const CENT = 0.01;
const PRICE = /(?:^|[^a-z])(?:price|rate|preis|einzelpreis|stückpreis|precio|prix|prezzo)(?:[^a-z]|$)/i;
const MOST_FACTORS = 12;

function isProduct(product: Candidate, columns: readonly Candidate[]): boolean {
  const others = columns.filter((each) => each !== product).slice(0, MOST_FACTORS);
  const rows = [...product.values.keys()].filter((row) => product.values[row]! > 0);
  const isOf = (one: Candidate, two: Candidate) => {
    const near = rows.filter((row) => Math.abs(one.values[row]! * two.values[row]! - product.values[row]!) < CENT);
    const isPlain = near.every((row) => one.values[row] === 1 || two.values[row] === 1);
    return near.length > rows.length * MOSTLY_PRODUCTS && !isPlain;
  };
  return others.some((one, at) => others.slice(at + 1).some((two) => isOf(one, two)));
}

/** Amounts of chance rows are rarely of so many digits each, but for the numbers of accounts and phones. */
const LONG = 9;
const NEAR = 0.1;
const FEWEST_DIGITS = 5;

function areCodes(values: Float64Array): boolean {
  const known = values.filter((value) => !Number.isNaN(value));
  const [least, most] = [Math.min(...known), Math.max(...known)];
  const digits = String(least).length;
  if (!known.every(Number.isInteger) || least <= 0 || most === least || String(most).length !== digits) return false;
  return digits >= LONG || (digits >= FEWEST_DIGITS && most - least < NEAR * least);
}

const countFilled = (values: Float64Array): number =>
  values.reduce((filled, value) => filled + (Number.isNaN(value) ? 0 : 1), 0);

/** Rows of an item that must say the same, beyond what would be so by chance (Cohen's kappa). */
const LEAST_AGREEMENT = 0.8;

/** Whether a column of texts that come again tells its numbers, as what is sold tells its price. */
function isFactOfItem({ column, values }: Candidate, table: Table): boolean {
  const filled = countFilled(values);
  const counts = [...Map.groupBy(values, (value) => value)].filter(([value]) => !Number.isNaN(value));
  const byChance = Math.max(0, ...counts.map(([, { length }]) => length)) / filled;
  if (counts.length < 3) return false;
  return table.columns.some((other) => {
    const { codes, numbers } = other.texts ?? {};
    if (!codes || !numbers || other === column || numbers.size < 2 || numbers.size * 2 > table.rows) return false;
    const items = codes.all();
    const known = new Map<number, number>();
    let [same, again] = [0, 0];
    values.forEach((value, row) => {
      if (Number.isNaN(value)) return;
      const before = known.get(items[row]!);
      if (before === undefined) known.set(items[row]!, value);
      else again++;
      if (before === value) same++;
    });
    return again > filled / 2 && (same / again - byChance) / (1 - byChance) >= LEAST_AGREEMENT;
  });
}

/** `<CLOSE>`, `Sales (€)` and `Adj Close**` without the signs around and the remark behind; shares are left as they are. */
const bareName = (name: string): string =>
  name.replace(/^<(.+)>$/, '$1').replace(/ ?(?:\([^()%]{1,20}\)|\[[^[\]%]{1,20}\]|\*{1,3})$/, '');

function scoreOf({ column, values }: Candidate, stem: string): number {
  const written = column.name.trim();
  const name = bareName(written);
  const { distinct, isWhole, isCounter, isRising } = traitsOf(values);
  const isTarget = TARGET.test(name);
  const words = name.replaceAll('_', ' ');
  const isMeasure = MEASURE.test(words) && !EXTRA.test(words);
  const isNumber = isCounter || isIndexName(name);
  const points: readonly (readonly [is: boolean, points: number])[] = [
    [isTarget, 4],
    [!isTarget && isMeasure, 2],
    [!isTarget && !isMeasure && TOTAL.test(name), 1],
    [isWordOf(name, stem), 1.5],
    [distinct <= 1, -12],
    [distinct === 2, isWhole ? -8 : -4],
    [distinct > 2 && distinct <= 7 && isWhole && values.length >= 50, -3],
    [CALENDAR.test(name), -6],
    [DERIVED.test(written.replaceAll('_', ' ')), -5],
    [isWhole && !isTarget && isNumber, -6],
    [isWhole && !isTarget && !isMeasure && !isNumber && isIdName(name), -4],
    [isRising && values.length >= 20, -2.5],
  ];
  return points.reduce((score, [is, each]) => (is ? score + each : score), 0);
}

function isWordOf(name: string, stem: string): boolean {
  const words = (text: string) => text.toLowerCase().split(/[^\p{L}\p{N}]+/u);
  return name.length > 2 && words(name).some((word) => word.length > 2 && words(stem).includes(word));
}

function traitsOf(values: Float64Array) {
  const known = values.filter((value) => !Number.isNaN(value));
  const seen = new Set<number>();
  for (const value of known) if (seen.size <= 50) seen.add(value);
  return {
    distinct: seen.size,
    isWhole: known.every(Number.isInteger),
    isCounter: known.length > 2 && known.every((value, at) => at === 0 || value === known[at - 1]! + 1),
    isRising: seen.size > 2 && isInOrder(known),
  };
}

const MOST_SUMMED = 40;
const SUMMED_ROWS = 200;
const MOST_OFF = 1e-6;

function sumsOfOthers(columns: readonly Candidate[]): ReadonlySet<Candidate> {
  if (columns.length < 3 || columns.length > MOST_SUMMED) return new Set();
  const all = columns.map(({ values }) => values.subarray(0, SUMMED_ROWS));
  const parts = all.map((values) => values.map((value) => value || 0));
  const sums = columns.filter((_, index) => {
    // totals stand after what they sum up, or before it; what is no part of the sum may stand on its far side
    const before = parts.slice(0, index).reverse();
    const after = parts.slice(index + 1);
    const whole = all[index]!;
    return [before, after, [...before, ...after]].some((others) => {
      const [sum, size] = [new Float64Array(whole.length), new Float64Array(whole.length)];
      let moving = 0;
      return others.some((part) => {
        part.forEach((value, step) => {
          sum[step]! += value;
          size[step]! += Math.abs(value);
        });
        if (movesIn(whole, part)) moving++;
        return moving > 1 && isSum(whole, { sum, size }, MOST_OFF);
      });
    });
  });
  return new Set(sums);
}
