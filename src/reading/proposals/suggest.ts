import { isIdName, isIndexName } from '../columns/names.ts';

/** A column of values that could be forecast; `NaN` where a value is missing. */
export interface Candidate {
  readonly name: string;
  readonly values: Float64Array;
}

/** What a person most often means, by how sure the name is. */
const TARGET =
  /^(?:y|target|values?|_value|obs_?value|close|close\/last|last|zamkniecie|adj[ ._]?close|adjusted[ ._]?close|cnt|count|sales|demand|wert|valor|valeur|valore)$/i;
const MEASURE =
  /(?:^|[^a-z])(?:sales|demand|revenue|turnover|price|load|consumption|production|passengers|visits|visitors|users|orders|quantity|qty|units|volume|amount|count|cnt|traffic|umsatz|absatz|verkäufe|preis|menge|ventas|ventes|vendite|vendas|precio|prix)(?:[^a-z]|$)/i;
const TOTAL = /^(?:grand[ _]?)?(?:total|gesamt|totale|totaal|all)$/i;
/** Parts of the calendar, in the spellings of data sets. */
const CALENDAR =
  /^(?:is_?)?(?:year|yr|quarter|qtr|month|mnth|mon|week|weekday|week_?day|day_?of_?(?:week|month|year)|dow|doy|dom|day|hour|hr|minute|season|holidays?|nth (?:hour|day|week|month|year)|(?:hour|day|week|month) index|working_?day|weekend|business_?day|school_?holiday|state_?holiday|promo|promotion|jahr|monat|woche|wochentag|tag|stunde|feiertag)(?:_?(?:no|num|nr|number|sin|cos))?$/i;
/** What was made from the series, or of it: not the series itself. */
const DERIVED =
  /(?:^|[^a-z])(?:lag\d*|rolling|moving|ma\d+|ewm|ema\d*|sma\d*|diff|pct|change|chg|cum|cumulative|cumsum|running|ytd|forecast|predicted|prediction|pred|yhat|fitted|residual|error|lower|upper|stderr|std|margin|weight|rank)(?:[^a-z]|$)/i;

/** Rows looked at: enough to tell flags, ids and sums. */
const SAMPLE = 20_000;

/**
 * The column that a person most likely wants to forecast: a measure by its name, and no flag, id, constant, part of the
 * calendar, running or other total, or anything derived from another column.
 * @param stem the file's name without its ending, which often says what was measured
 * @returns its index; 0 where nothing speaks for another
 */
export function suggestColumn(candidates: readonly Candidate[], stem = ''): number {
  const columns = candidates.map(({ name, values }) => ({ name: name.trim(), values: values.subarray(0, SAMPLE) }));
  const scores = columns.map((column) => scoreOf(column, stem));
  for (const index of sumsOfOthers(columns.map(({ values }) => values))) scores[index]! -= 2;
  return scores.reduce((best, score, index) => (score > scores[best]! ? index : best), 0);
}

/**
 * A name without the unit or remark behind it, and without the signs around it: `<CLOSE>`, `Sales (€)`, `Adj Close**`. Shares
 * are left as they are.
 */
const bareName = (name: string): string =>
  name.replace(/^<(.+)>$/, '$1').replace(/ ?(?:\([^()%]{1,20}\)|\[[^[\]%]{1,20}\]|\*{1,3})$/, '');

function scoreOf({ name: written, values }: Candidate, stem: string): number {
  const name = bareName(written);
  const traits = traitsOf(values);
  let score = TARGET.test(name) ? 4 : MEASURE.test(name.replaceAll('_', ' ')) ? 2 : TOTAL.test(name) ? 1 : 0;
  if (isWordOf(name, stem)) score += 1.5;
  if (traits.filled < 0.5) score -= 2;
  if (traits.distinct <= 1) score -= 12;
  else if (traits.distinct === 2) score -= traits.isWhole ? 8 : 4;
  else if (traits.isWhole && traits.distinct <= 7 && values.length >= 50) score -= 3;
  if (CALENDAR.test(name)) score -= 6;
  if (DERIVED.test(written.replaceAll('_', ' '))) score -= 5;
  if (traits.isWhole && (traits.isCounter || isIndexName(name)) && !TARGET.test(name)) score -= 6;
  else if (traits.isWhole && isIdName(name) && !MEASURE.test(name)) score -= TARGET.test(name) ? 0 : 4;
  if (traits.isRising && values.length >= 20) score -= 2.5;
  return score;
}

/** Whether a name is one of the words of a file's name: "users" of bicimad_users.csv. */
function isWordOf(name: string, stem: string): boolean {
  const words = (text: string) => text.toLowerCase().split(/[^\p{L}\p{N}]+/u);
  return name.length > 2 && words(name).some((word) => word.length > 2 && words(stem).includes(word));
}

function traitsOf(values: Float64Array) {
  const seen = new Set<number>();
  let [last, filled, rising, steps] = [NaN, 0, 0, 0];
  let isWhole = true;
  let isCounter = true;
  for (const value of values) {
    if (Number.isNaN(value)) continue;
    filled++;
    if (seen.size <= 50) seen.add(value);
    isWhole &&= Number.isInteger(value);
    if (!Number.isNaN(last)) {
      steps++;
      if (value >= last) rising++;
      isCounter &&= value === last + 1;
    }
    last = value;
  }
  return {
    filled: values.length === 0 ? 0 : filled / values.length,
    distinct: seen.size,
    isWhole,
    isCounter: isCounter && steps > 1,
    /** Never falls, as running totals do. */
    isRising: steps > 0 && rising === steps && seen.size > 2,
  };
}

/** Sums of many columns take long to look for, and few files have them. */
const MOST_SUMMED = 40;

/** The columns that are, in every row, the sum of two or more neighbours, or of all others of the same kind. */
function sumsOfOthers(columns: readonly Float64Array[]): number[] {
  if (columns.length < 3 || columns.length > MOST_SUMMED) return [];
  return columns.flatMap((column, index) => {
    // totals stand after what they sum up, or before it; what is no part of the sum may stand on its far side
    const before = columns.slice(0, index).reverse();
    const after = columns.slice(index + 1);
    return [before, after, [...before, ...after]].some((others) => isRunOf(others, column)) ? [index] : [];
  });
}

/** Whether the first two, three, … of these columns add up to a total in every row. */
function isRunOf(others: readonly Float64Array[], total: Float64Array): boolean {
  for (let size = 2; size <= others.length; size++) {
    if (isSum(others.slice(0, size), total)) return true;
  }
  return false;
}

function isSum(parts: readonly Float64Array[], total: Float64Array): boolean {
  let compared = 0;
  for (let row = 0; row < total.length; row++) {
    const value = total[row]!;
    let sum = 0;
    let size = 0;
    for (const part of parts) {
      const each = part[row]!;
      if (Number.isNaN(each)) continue;
      sum += each;
      size += Math.abs(each);
    }
    if (Number.isNaN(value)) continue;
    if (Math.abs(sum - value) > 1e-6 * Math.max(size, Math.abs(value))) return false;
    // zeros add up to anything
    if (size > 0 && parts.filter((part) => part[row] !== 0).length > 1) compared++;
  }
  return compared >= 5;
}
