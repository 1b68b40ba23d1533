import { TIME_FORMATS } from '../values/dates.ts';
import { isMissing } from '../values/numbers.ts';

/** Times that stand in a header, over columns of plain numbers: years, months or days across. */
export interface HeaderTimes {
  /** Epoch milliseconds for each cell, `NaN` for those that are no times. */
  readonly times: readonly number[];
  readonly period: boolean;
}

/** Formats that a header is written in; numbers of any other kind are too likely to be values. */
const FORMATS = TIME_FORMATS.filter(({ id }) => !/epoch|clock|cycle|compact|year-week|dotted/.test(id));
const FEWEST = 3;

/** Whether years stand at equal distances, as columns do and values do not. */
function isEven(years: readonly number[]): boolean {
  const steps = years.slice(1).map((year, index) => Math.round((year - years[index]!) / (365.25 * 86_400_000)));
  return steps.every((step) => step === steps[0]);
}

/**
 * The times of a header: at least three cells and half of all, rising, in one format, beside cells that are texts.
 * `undefined` for any other row.
 */
export function headerTimes(cells: readonly string[]): HeaderTimes | undefined {
  const texts = cells.map((cell) => cell.trim());
  let best: HeaderTimes | undefined;
  let most = Math.max(FEWEST, texts.length / 2) - 1;
  for (const { id, parse, period } of FORMATS) {
    const times = texts.map((text) => parse(text));
    const known = times.filter((time) => !Number.isNaN(time));
    if (known.length <= most || known.length === texts.length) continue;
    if (!known.every((time, index) => index === 0 || time > known[index - 1]!)) continue;
    if (id === 'year' && !isEven(known)) continue;
    const others = texts.filter((_, index) => Number.isNaN(times[index]!));
    if (!others.every(isLabel)) continue;
    most = known.length;
    best = { times, period: period === true || id === 'names' };
  }
  return best;
}

/** Words or nothing, neither a number nor a time. */
function isLabel(text: string): boolean {
  return isMissing(text) || (/\p{L}/u.test(text) && TIME_FORMATS.every(({ parse }) => Number.isNaN(parse(text))));
}
