import { isRising } from '../../calendar/grid.ts';
import type { Column } from '../columns/column.ts';
import { isCodeName, isFactName, isIdName, isIndexName, isTimeName, isUnnamed } from '../columns/names.ts';
import type { Table } from '../columns/table.ts';
import { countsOn, type Proposal } from '../proposals/proposal.ts';
import { suggestAggregate } from '../series/aggregate.ts';
import { isSum, movesIn } from '../sums.ts';
import type { Aggregate } from '../types.ts';

/** What the columns of values stand in. @param stem the file's name, which often says what was measured */
export interface Source {
  readonly proposal: Proposal;
  readonly table: Table;
  readonly stem: string;
}

interface Values {
  readonly column: Column;
  readonly values: Float64Array;
}

type Candidate = ReturnType<typeof candidateOf>;

interface Among extends Source {
  readonly all: readonly Candidate[];
  readonly sums: ReadonlySet<Candidate>;
  /** Where the first of the columns ends: what goes on further is known in advance, not to be forecast. */
  readonly end: number;
}

const SAMPLE = 20_000; // rows

function candidateOf({ column, values: all }: Values, times: Float64Array) {
  const values = all.subarray(0, SAMPLE);
  const known = values.filter((value) => !Number.isNaN(value));
  const name = bareName(column.name.trim());
  return {
    ...{ column, values, known, name },
    words: name.replaceAll('_', ' '),
    different: new Set(known).size,
    isWhole: known.every(Number.isInteger),
    // where the newest rows come first, nothing is known further down
    end: times[0]! > times.at(-1)! ? 0 : all.findLastIndex((value) => !Number.isNaN(value)),
  };
}

/** `<CLOSE>`, `Sales (€)` and `Adj Close**` without the signs around and the remark behind; shares are left as they are. */
const bareName = (name: string): string =>
  name.replace(/^<(.+)>$/, '$1').replace(/ ?(?:\([^()%]{1,20}\)|\[[^[\]%]{1,20}\]|\*{1,3})$/, '');

const TARGET =
  /^(?:y|target|values?|_value|obs_?value|close|close\/last|last|zamkniecie|adj[ ._]?close|adjusted[ ._]?close|cnt|count|sales|demand|wert|valor|valeur|valore)$/i;
const MEASURE =
  /(?:^|[^a-z])(?:sales|demand|revenue|turnover|price|load|consumption|production|passengers|visits|visitors|users|orders|quantity|qty|units|volume|amount|count|cnt|traffic|umsatz|absatz|verkäufe|preis|menge|ventas|ventes|vendite|vendas|precio|prix|betrag|bedrag|belopp|importe|importo|montant|kwota)(?:[^a-z]|$)/i;
const EXTRA =
  /(?:^|[^a-z])(?:tax|taxes|vat|fee|fees|discounts?|shipping|tip|refunds?|steuer|mwst|ust|rabatt|versand)(?:[^a-z]|$)/i;
const TOTAL = /(?:^|[^a-z])(?:total|gesamt|totale|totaal)(?:[^a-z]|$)|^all$/i;
const PRICE = /(?:^|[^a-z])(?:price|rate|preis|einzelpreis|stückpreis|precio|prix|prezzo)(?:[^a-z]|$)/i;
const DERIVED =
  /(?:^|[^a-z])(?:lag\d*|rolling|moving|ma\d+|ewm|ema\d*|sma\d*|diff|pct|change|chg|cum|cumulative|cumsum|running|ytd|forecast|predicted|prediction|pred|yhat|fitted|residual|error|lower|upper|stderr|std|margin|rank)(?:[^a-z]|$)/i;

const DURATION =
  /duration|elapsed|latency|dauer|(?:^|[^a-z])(?:minutes?|mins?|minuten|seconds?|secs?|sekunden|ms)(?:[^a-z]|$)/i;
const WORK =
  /(?:^|[^a-z])(?:projects?|projekt|employees?|mitarbeiter|workers?|timesheet|billable|machines?|maschine|work(?:ed)?|spent|used|usage|played|watch(?:ed)?|listened)(?:[^a-z]|$)|downtime|arbeit|ausfall|stillstand/i;

/** What takes time is averaged, as a sum of it depends on how many events there are, but for work and use, which add up. */
const isDuration = ({ name }: Column, { columns }: Table): boolean =>
  DURATION.test(name) && !columns.some((each) => WORK.test(each.name));

const isTarget = ({ name }: Candidate): boolean => TARGET.test(name);
const isMeasure = ({ words }: Candidate): boolean => MEASURE.test(words) && !EXTRA.test(words);

const isCode = (each: Candidate): boolean =>
  each.isWhole && isCodeName(each.name) && !isTarget(each) && !isMeasure(each);

const isNaming = ({ name, column }: Candidate): boolean =>
  isTimeName(name) || isIdName(name) || (isIndexName(name) && !isUnnamed(name)) || countsOn(column);

type Evidence = readonly [series: number, events: number, is: (each: Candidate, among: Among) => boolean];

/** What speaks for a column and against it: as a series of its rows, as a sum of events, and by what. */
const EVIDENCE: readonly Evidence[] = [
  [4, 4, isTarget],
  [2, 2, (each) => !isTarget(each) && isMeasure(each)],
  [0, 1, (each) => !isTarget(each) && TOTAL.test(each.words) && !EXTRA.test(each.words)],
  [0, -2, ({ words }) => EXTRA.test(words)],
  [1.5, 1.5, ({ name }, { stem }) => wordsOf(name).some((word) => word.length > 2 && wordsOf(stem).includes(word))],
  [-5, -5, ({ column }) => DERIVED.test(column.name.replaceAll('_', ' '))],
  // what names times, rows and things, and numbers
  [-4, -4, (each) => each.isWhole && !isTarget(each) && !isMeasure(each) && isNaming(each)],
  [-4, 0, (each) => each.isWhole && isUnnamed(each.name)],
  [0, -Infinity, (each, among) => isFactName(each.column.name) || areCodes(each, among) || isCode(each)],
  // too few different values
  [-12, -12, ({ different }) => different <= 1],
  [-6, -6, ({ different }) => different === 2],
  [-3, -3, ({ different, isWhole, values }) => different > 2 && different <= 7 && isWhole && values.length >= 50],
  // what goes on where others end, and what has less to say than another
  [-Infinity, 0, ({ end }, among) => end > among.end],
  [-2, -2, (each, { all }) => isSide(each, all)],
  // sums and products of others are what events amount to
  [-2, 3, (each, { sums }) => sums.has(each)],
  [0, 3, (each, { all, sums }) => !sums.has(each) && isProduct(each, all)],
  // a sum of prices and of levels means nothing
  [0, -4, (each, { table }) => (PRICE.test(each.words) && !TOTAL.test(each.words)) || isFactOfItem(each, table)],
  [0, -4, ({ values }, { proposal }) => isLevel(values, proposal)],
  [-2.5, -2.5, ({ different, known, values }) => different > 2 && isRising(known) && values.length >= 20],
];

/** What each column is worth as what a person wants to forecast; of events -Infinity for what only names something. */
export function suggest(columns: readonly Values[], source: Source): readonly number[] {
  const { times } = source.proposal.axis;
  const all = columns.map((each) => candidateOf(each, times));
  const dense = all.filter((each) => !isSide(each, all) && each.known.length > Math.min(each.end, SAMPLE) / 2);
  const ends = (dense.length > 0 ? dense : all).map(({ end }) => end);
  const among = { ...source, all, sums: sumsOfOthers(all), end: Math.min(...ends) };
  return all.map((each) =>
    EVIDENCE.reduce((score, [series, events, is]) => {
      const points = source.proposal.areEvents ? events : series;
      return points !== 0 && score > -Infinity && is(each, among) ? score + points : score;
    }, 0),
  );
}

const wordsOf = (text: string): string[] => text.toLowerCase().split(/[^\p{L}\p{N}]+/u);

const MOST_KINDS = 7; // fees and rents are alike too, but of a few kinds

function isLevel(values: Float64Array, { axis, groups }: Proposal): boolean {
  const known = values.filter((value) => !Number.isNaN(value));
  const mean = known.reduce((sum, value) => sum + value / known.length, 0);
  const squares = known.reduce((sum, value) => sum + (value - mean) ** 2 / known.length, 0);
  // of weights and the like, which deviate by a small share of their mean, a sum only counts the rows
  const most = new Set(known).size > MOST_KINDS ? 0.1 : 0.02;
  return squares < (most * mean) ** 2 || suggestAggregate(axis.times, values, groups?.codes) === 'mean';
}

const LEAST_SCORE = -5; // more than one thing speaks against it

/** How the rows of events become a number: levels and durations are averaged, what many rows lack by chance is counted. */
export function suggestWay(best: Values, score: number, { proposal, table }: Source): Aggregate {
  if (score <= LEAST_SCORE || isOftenLacking(best, table)) return 'count';
  return isDuration(best.column, table) || isLevel(best.values.subarray(0, SAMPLE), proposal) ? 'mean' : 'sum';
}

const LEAST_AGREEMENT = 0.8;
const MOST_ASKED = 5000; // rows

/** Whether what a row belongs to tells its number: rows of one item say the same beyond chance (Cohen's kappa). */
function tells(itemOf: (row: number) => unknown, values: ArrayLike<number>): boolean {
  const all = new Map<number, number>();
  const items = new Map<unknown, Map<number, number>>();
  const rows = Array.from({ length: Math.min(values.length, MOST_ASKED) }, (_, row) => row);
  const known = rows.filter((row) => !Number.isNaN(values[row]));
  for (const row of known) {
    const own = items.get(itemOf(row)) ?? new Map<number, number>();
    items.set(itemOf(row), own);
    for (const counts of [all, own]) counts.set(values[row]!, (counts.get(values[row]!) ?? 0) + 1);
  }
  const again = known.length - items.size;
  if (items.size < 2 || again <= known.length / 2) return false;
  const mostAlike = (counts: ReadonlyMap<number, number>) => Math.max(...counts.values());
  const same = [...items.values()].reduce((sum, own) => sum + mostAlike(own) - 1, 0);
  const byChance = mostAlike(all) / known.length;
  return (same / again - byChance) / (1 - byChance) >= LEAST_AGREEMENT;
}

function itemsOf({ texts }: Column): ((row: number) => unknown) | undefined {
  const codes = texts?.codes.all();
  return codes && ((row) => codes[row]);
}

/** Whether a column of texts that come again tells its numbers, as what is sold tells its price. */
function isFactOfItem({ column, values, different }: Candidate, { columns }: Table): boolean {
  return different > 2 && columns.some((other) => other !== column && tells(itemsOf(other) ?? (() => 0), values));
}

const MOST_LACKING = 0.25; // of the rows: a third of Jira’s issues have no points, and few amounts of orders are blank

/** Whether many events lack a number, and neither a column of texts nor which of the others are filled tells which. */
function isOftenLacking({ column, values }: Values, { columns }: Table): boolean {
  const isKnown = values.subarray(0, SAMPLE).map((value) => Number(!Number.isNaN(value)));
  const lacking = isKnown.filter((each) => each === 0).length;
  if (lacking <= MOST_LACKING * isKnown.length) return false;
  const others = columns.filter((other) => other !== column);
  const filled = others.map(filledIn);
  const numeric = filled.filter((_, at) => others[at]!.numbers && !others[at]!.texts);
  const tellers = [(row: number) => numeric.map((isFilled) => Number(isFilled(row))).join(''), ...filled];
  return ![...tellers, ...others.flatMap((other) => itemsOf(other) ?? [])].some((each) => tells(each, isKnown));
}

function filledIn({ texts, numbers, times }: Column): (row: number) => boolean {
  const values = texts?.codes.all() ?? numbers?.values ?? times[0]?.reading.values.all() ?? [];
  const none = texts?.numbers.get('') ?? NaN;
  return (row) => !Object.is(values[row] ?? NaN, none);
}

const LONG = 9; // digits: amounts of chance rows are rarely of so many each, but numbers of accounts and phones are
const FEWEST_DIGITS = 5; // where they are less than a tenth apart
const NEAR = 0.1;
const FEWEST_ROWS = 60; // of so many chance numbers below 3n, ten pairs are the same
const MOSTLY_UNIQUE = 0.95;
const MOST_SKIPPED = 3; // times as many numbers as are used

/** Whether whole numbers name accounts and the like, or documents: each run of rows has one of its own, and few are skipped. */
function areCodes({ values, isWhole, different }: Candidate, { proposal }: Among): boolean {
  const { times } = proposal.axis;
  const rows = [...values.keys()].filter((row) => !Number.isNaN(values[row]! + times[row]!));
  const inTime = rows.sort((a, b) => times[a]! - times[b]!).map((row) => values[row]!);
  const runs = inTime.filter((value, at) => value !== inTime[at - 1]);
  const [least, most] = [Math.min(...runs), Math.max(...runs)];
  const digits = String(least).length;
  const isAlike = least > 0 && most > least && String(most).length === digits;
  const isNear = digits >= LONG || (digits >= FEWEST_DIGITS && most - least < NEAR * least);
  const isUnique = runs.length >= FEWEST_ROWS && different >= MOSTLY_UNIQUE * runs.length;
  return isWhole && ((isAlike && isNear) || (isUnique && most - least < MOST_SKIPPED * runs.length));
}

/** Whether each of its cells stands in a fuller column too, as debits and credits in their balance. */
const isSide = (own: Candidate, all: readonly Candidate[]): boolean =>
  all.some(
    (other) =>
      other.known.length > own.known.length &&
      own.values.every((value, row) => Number.isNaN(value) || Math.abs(value) === Math.abs(other.values[row]!)),
  );

const MOSTLY_PRODUCTS = 0.95;
const CENT = 0.01;
const MOST_FACTORS = 12;

function isProduct(product: Candidate, all: readonly Candidate[]): boolean {
  const others = all.filter((each) => each !== product).slice(0, MOST_FACTORS);
  const rows = [...product.values.keys()].filter((row) => product.values[row]! > 0);
  const isOf = (one: Candidate, two: Candidate) => {
    const near = rows.filter((row) => Math.abs(one.values[row]! * two.values[row]! - product.values[row]!) < CENT);
    const isPlain = near.every((row) => one.values[row] === 1 || two.values[row] === 1);
    return near.length > rows.length * MOSTLY_PRODUCTS && !isPlain;
  };
  return others.some((one, at) => others.slice(at + 1).some((two) => isOf(one, two)));
}

const MOST_SUMMED = 40;
const SUMMED_ROWS = 200;
const MOST_OFF = 1e-6;

function sumsOfOthers(columns: readonly Candidate[]): ReadonlySet<Candidate> {
  if (columns.length > MOST_SUMMED) return new Set();
  const all = columns.map(({ values }) => values.subarray(0, SUMMED_ROWS));
  const parts = all.map((values) => values.map((value) => value || 0));
  const sums = columns.filter((_, index) => {
    // totals stand after what they sum up, or before it; what is no part of the sum may stand on its far side
    const [before, after] = [parts.slice(0, index).reverse(), parts.slice(index + 1)];
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
