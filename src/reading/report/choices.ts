import { inDigits } from '../../calendar/digits.ts';
import { type Column, areAll } from '../columns/column.ts';
import { said, type Phrase } from '../phrase.ts';
import { choiceOf, type Aggregate, type Choice, type Resampling } from '../types.ts';
import type { TableContext } from './problems.ts';
import { isRising } from '../../calendar/grid.ts';
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
  const bad = numbers.bad.filter(({ row }) => !left.has(row));
  const count = numbers.badCount - (numbers.bad.length - bad.length);
  problems.noteCells({ kind: 'not-a-number', severity, about: name }, bad, count, locate);
  if (limits) {
    const words = said`${inDigits(limits.count)} cells of “${name}” such as “${limits.text}” give only a limit. Below a limit, half of it is used; above a limit, the limit itself.`;
    tell(limits.row, name, words);
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
  const { axis, across } = proposal;
  const { layout, fallbackName } = context;
  if (proposal.aggregate && proposal.areEvents) return choicesOfEvents(proposal, columns, table, context);
  const open = columns.find(({ column }) => column.numbers?.isOpen);
  const coded = columns.find(({ code }) => code !== undefined);
  const ofColumns = [
    ...(open ? [decimalChoice(open)] : []),
    ...(coded ? [codeChoice(coded)] : []),
    ...(columns.length > 1 && !layout.valueColumns && !across ? [columnChoice(columns, fallbackName)] : []),
  ];
  const { choice } = axis;
  // where the order of the day and the month moves all rows alike, other questions matter more
  const isOneDay = areAll(axis.times, (time) => Math.floor(time / DAY) === Math.floor(axis.times[0]! / DAY));
  const isSettled = ofColumns.length > 0 && choice?.kind === 'date-order' && isOneDay;
  if (isSettled) {
    const words = said`All rows are from one day: ${choice.options[choice.suggested]!.detail!}.`;
    context.tell(0, axis.columns[0] ?? '', words);
  }
  const choices = [...(choice && !isSettled ? [choice] : []), ...ofColumns];
  return { choices, columns, aggregate: across ? (layout.aggregate ?? undefined) : proposal.aggregate };
}

function decimalChoice({ column: { name, samples, numbers } }: ValueColumn): Choice {
  const sample = samples.find((text) => /[.,]/.test(text)) ?? '';
  const meaning = (sign: string) =>
    sample.includes(sign)
      ? said`${sample} is a number with a fraction`
      : said`${sample} is a whole number in groups of thousands`;
  const options = [
    [said`Decimal point`, { decimal: '.' }, meaning('.')],
    [said`Decimal comma`, { decimal: ',' }, meaning(',')],
  ] as const;
  return choiceOf(
    'decimal',
    said`How are the numbers in “${name}” written?`,
    options,
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

function choicesOfEvents(
  { id, axis, groups, aggregate: proposed }: Proposal,
  columns: readonly ValueColumn[],
  table: Table,
  { layout, fallbackName }: TableContext,
) {
  const isLevel = (values: Float64Array) => suggestAggregate(axis.times, values, groups?.codes) === 'mean';
  const best = columns[suggestColumn(columns, fallbackName, { table, isLevel })];
  const taken = layout.valueColumns || !best ? columns : [best];
  const columnsFor = (by: Aggregate) => (by === 'count' ? [] : taken);
  if (layout.aggregate) return { choices: [], columns: columnsFor(layout.aggregate.by), aggregate: layout.aggregate };
  const isAverage = best && (isDuration(best.column, table) || isLevel(best.values));
  const usual = isAverage ? 'mean' : 'sum';
  const by: Aggregate = !best || isOftenLacking(best, table) ? 'count' : usual;
  const { step } = proposed!;
  const way = (how: Aggregate, column?: string) => {
    const aggregate = { step, by: how };
    const layoutOf = { reading: id, aggregate, ...(column === undefined ? {} : { valueColumns: [column] }) };
    return [sumInWords(aggregate, column), layoutOf] as const;
  };
  const first = best?.column.name;
  const likely = [...new Set<Aggregate>([by, 'sum', 'count', 'mean'])].filter((how) => best || how === 'count');
  const others = columns.map(({ column }) => column.name).filter((name) => name !== first);
  const choice = choiceOf('aggregate', said`Each row is a separate event. What should be forecast?`, [
    ...likely.map((how) => way(how, how === 'count' ? undefined : first)),
    ...others.slice(0, MOST_SUMS - 1).map((name) => way('sum', name)),
    [said`Rows as they are`, { reading: id.replace('events', 'rows'), aggregate: null }],
  ]);
  return { choices: [choice], columns: columnsFor(by), aggregate: { step, by } };
}

/** Where plain numbers in the header may be parts of the times of the rows, or names of series. */
export function readingChoice(proposals: readonly Scored[]): Choice | undefined {
  const [taken, ...others] = proposals;
  const other = others.find(({ across, evidence }) => !across && evidence.points > 1);
  const parts: Partial<Record<string, Phrase>> = {
    month: said`Months of a year`,
    quarter: said`Quarters of a year`,
    week: said`Weeks of a year`,
    yearDay: said`Days of a year`,
  };
  const words = taken?.guess && parts[taken.guess];
  if (!words || !other) return undefined;
  const extent = ({ evidence: { series, points } }: Scored) =>
    series === 1 ? said`1 series · ${points} points` : said`${series} series · ${points} points`;
  const [first, last] = [taken.columns[0]!.name, taken.columns.at(-1)!.name];
  return choiceOf('reading', said`What are the columns ${first} to ${last}?`, [
    [words, { reading: taken.id }, extent(taken)],
    [said`Separate series`, { reading: other.id, aggregate: null }, extent(other)],
  ]);
}

export function sumInWords({ step, by }: Resampling, column: string | undefined): Phrase {
  const words: Readonly<Partial<Record<Frequency['unit'], Phrase>>> = {
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

const MOST_LACKING = 0.25; // of the rows: a third of Jira’s issues have no points, and few amounts of orders are blank
const FEWEST_OF_KIND = 10; // rows on average: kinds of few rows would tell by chance which lack a number

/** Whether many events lack a number by chance: not by their kind, which another column names, or by which of the columns are filled. */
function isOftenLacking({ column, values }: ValueColumn, { columns }: Table): boolean {
  const rows = values.subarray(0, SAMPLE);
  const least = Math.min(countFilled(rows), rows.length - countFilled(rows));
  if (countFilled(rows) >= (1 - MOST_LACKING) * rows.length) return false;
  const tells = (kindOf: (row: number) => unknown) => {
    const kinds = [...Map.groupBy(rows.keys(), kindOf).values()];
    const filled = kinds.map((kind) => kind.filter((row) => !Number.isNaN(rows[row])).length);
    const off = filled.reduce((sum, count, at) => sum + Math.min(count, kinds[at]!.length - count), 0);
    return kinds.length * FEWEST_OF_KIND <= rows.length && off < least / 10;
  };
  const others = columns.filter((other) => other !== column);
  const numeric = others.filter(({ numbers, texts }) => numbers && !texts).map(filledIn);
  if (tells((row) => numeric.map((isFilled) => Number(isFilled(row))).join(''))) return false;
  return !others.some(
    ({ texts }, at) => tells(filledIn(others[at]!)) || (texts && tells((row) => texts.codes.all()[row])),
  );
}

function filledIn({ texts, numbers, times }: Column): (row: number) => boolean {
  const values = texts?.codes.all() ?? numbers?.values ?? times[0]?.reading.values.all() ?? [];
  const none = texts?.numbers.get('') ?? NaN;
  return (row) => !Object.is(values[row] ?? NaN, none);
}

const DURATION =
  /duration|elapsed|latency|dauer|(?:^|[^a-z])(?:minutes?|mins?|minuten|seconds?|secs?|sekunden|ms)(?:[^a-z]|$)/i;
const WORK =
  /(?:^|[^a-z])(?:projects?|projekt|employees?|mitarbeiter|workers?|timesheet|billable|machines?|maschine|work(?:ed)?|spent|used|usage|played|watch(?:ed)?|listened)(?:[^a-z]|$)|downtime|arbeit|ausfall|stillstand/i;

/** What takes time is averaged, as a sum of it depends on how many events there are, but for work and use, which add up. */
const isDuration = ({ name }: Column, { columns }: Table): boolean =>
  DURATION.test(name) && !columns.some((each) => WORK.test(each.name));

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
  const known = values.filter((value) => !Number.isNaN(value));
  const distinct = new Set(known).size;
  const isWhole = known.every(Number.isInteger);
  const isCounter = known.length > 2 && known.every((value, at) => at === 0 || value === known[at - 1]! + 1);
  const wordsOf = (text: string) => text.toLowerCase().split(/[^\p{L}\p{N}]+/u);
  const isTarget = TARGET.test(name);
  const words = name.replaceAll('_', ' ');
  const isMeasure = MEASURE.test(words) && !EXTRA.test(words);
  const isNumber = isCounter || isIndexName(name);
  const points: readonly (readonly [is: boolean, points: number])[] = [
    [isTarget, 4],
    [!isTarget && isMeasure, 2],
    [!isTarget && !isMeasure && TOTAL.test(name), 1],
    [wordsOf(name).some((word) => word.length > 2 && wordsOf(stem).includes(word)), 1.5],
    [distinct <= 1, -12],
    [distinct === 2, isWhole ? -8 : -4],
    [distinct > 2 && distinct <= 7 && isWhole && values.length >= 50, -3],
    [CALENDAR.test(name), -6],
    [DERIVED.test(written.replaceAll('_', ' ')), -5],
    [isWhole && !isTarget && isNumber, -6],
    [isWhole && !isTarget && !isMeasure && !isNumber && isIdName(name), -4],
    [distinct > 2 && isRising(known) && values.length >= 20, -2.5],
  ];
  return points.reduce((score, [is, each]) => (is ? score + each : score), 0);
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
