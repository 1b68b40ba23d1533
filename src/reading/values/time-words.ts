import { HOUR } from '../../calendar/civil.ts';

/** Languages of statistics files, without Croatian, whose October is the November of Poland and Czechia. Of a word in two, the first counts. */
const LANGUAGES =
  'en|de|de-AT|fr|es|it|pt|nl|sv|da|nb|pl|cs|hu|tr|ru|uk|bg|el|fi|ro|sk|sl|lt|lv|et|ca|id|ja|ko|zh'.split('|');
/** Months of these may be shortened to three letters or more; of others, three Latin letters are too often a word. */
const SHORTENED = LANGUAGES.slice(0, 15);
const LEAST_LETTERS = 3;
const LONGEST_MONTH = 20;
const LONGEST_PLAIN = 60; // the longest date in words has 50 letters

const folded = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll('ä', 'ae')
    .replaceAll('ı', 'i')
    .normalize('NFD')
    .replace(/[\u0300-\u036f.]/g, '');

/** The words of one part of a date in a language, as it stands alone and within a date. */
function wordsOf(language: string, part: 'month' | 'weekday', days: readonly number[]): readonly (readonly string[])[] {
  const styles = [{ [part]: 'long' }, { [part]: 'long', day: 'numeric' }, { [part]: 'short' }] as const;
  return styles.map((style) => {
    const format = new Intl.DateTimeFormat(language, { ...style, timeZone: 'UTC' });
    return days.map((day) => format.formatToParts(day).find(({ type }) => type === part)?.value ?? '');
  });
}

const memo = <T>(make: () => T): (() => T) => {
  let made: T | undefined;
  return () => (made ??= make());
};

const MONTHS = memo((): ReadonlyMap<string, number> => {
  const months = new Map<string, number>([['mrz', 3]]);
  for (const language of LANGUAGES) {
    const days = Array.from({ length: 12 }, (_, month) => Date.UTC(2024, month));
    const names = wordsOf(language, 'month', days).map((style) => style.map(folded));
    const own = new Map<string, number | undefined>();
    const parts = names.slice(0, 2).flatMap((style) => style.map((name, index) => ({ name, month: index + 1 })));
    for (const { name, month } of parts) {
      const least = SHORTENED.includes(language) || /[^a-z]/.test(name) ? LEAST_LETTERS : name.length;
      for (let length = least; length < name.length; length++) {
        const start = name.slice(0, length);
        own.set(start, own.has(start) && own.get(start) !== month ? undefined : month);
      }
    }
    if (SHORTENED.includes(language)) names[2]!.forEach((name, index) => own.set(name, index + 1));
    for (const { name, month } of parts) own.set(name, month);
    for (const [name, month] of own) {
      if (month !== undefined && name.length >= LEAST_LETTERS && !months.has(name)) months.set(name, month);
    }
  }
  return months;
});

export function monthOfName(text: string): number | undefined {
  if (text.length > LONGEST_MONTH) return undefined;
  const months = MONTHS();
  return months.get(text.toLowerCase()) ?? months.get(folded(text));
}

const WEEKDAYS = memo((): ReadonlyMap<string, number> => {
  const days = new Map(Object.entries({ tues: 1, thur: 3, thurs: 3, sonnabend: 5, nd: 6 }));
  for (const language of LANGUAGES) {
    const week = Array.from({ length: 7 }, (_, day) => Date.UTC(2024, 0, 1 + day));
    for (const style of wordsOf(language, 'weekday', week)) {
      style.map(folded).forEach((name, day) => days.has(name) || days.set(name, day));
    }
  }
  return days;
});

export const weekdayOf = (text: string): number | undefined => WEEKDAYS().get(folded(text));

const BEFORE = /^(\p{L}[\p{L}-]{1,15})\.?,?\s(?=\d)/u;
const BEHIND = /(?:\s?\((\p{L}{1,12})\.?\)|,?\s(\p{L}{2,12})\.?)$/u;

/** A date without the day of the week before or behind it: `Mo, 01.07.2024`, `2024/7/1(月)`, `1 Şubat 2024 Perşembe`. */
export function withoutWeekday(text: string): string {
  if (text.length > LONGEST_PLAIN || /^\d.*\d$/.test(text)) return text;
  const [before = '', first = ''] = BEFORE.exec(text) ?? [];
  if (isWeekday(first)) return text.slice(before.length);
  const [behind = '', inBrackets, last = ''] = BEHIND.exec(text) ?? [];
  return isWeekday(inBrackets ?? last) ? text.slice(0, -behind.length) : text;
}

/** Words that are a month or a week in another language are rather those. */
const isWeekday = (word: string): boolean =>
  weekdayOf(word) !== undefined && monthOfName(word) === undefined && SIGNS().get(folded(word)) !== 'W';

/** The parts of a time, by Unicode's CLDR, and what stands for their words in plain dates; of ideographs, behind a number. */
const FIELDS = [
  ['quarter', 'quarter', 'Q', 'Q'],
  ['week', 'weekOfYear', 'W', 'W'],
  ['month', 'month', 'M', '-'],
  ['year', 'year', '', '-'],
  ['weekday', 'weekday', '', ''],
  ['day', 'day', '', ' '],
  ['hour', 'hour', ':', ':'],
  ['minute', 'minute', ':', ':'],
] as const;

function fieldWords(language: string, style: 'long' | 'short') {
  const names = new Intl.DisplayNames(language, { type: 'dateTimeField', style });
  return FIELDS.map(([part, field, sign, behind]) => ({ word: names.of(field) ?? '', part, sign, behind }));
}

const PARTS = memo((): ReadonlyMap<string, string> => {
  const words = LANGUAGES.flatMap((language) => fieldWords(language, 'long'));
  return new Map(words.reverse().map(({ word, part }) => [folded(word), part]));
});

export const partOfWord = (word: string): string | undefined => PARTS().get(folded(word));

const LEAST_NAME = 2; // letters of a word, as `t` and `k` are of anything
const IDEOGRAPHS = /^[\p{Script=Han}\p{Script=Hangul}]+$/u;
const HALVES = { AM: 9 * HOUR, PM: 15 * HOUR };

/** What a cell may say besides: that of which follows, a period of a fiscal year, that a clock follows, ordinals. */
const FURTHER = [
  ...['kw', 'wk', 'cw'].map((word) => [word, 'W'] as const),
  ...['qtr', 'quartal', 'kv', 'k'].map((word) => [word, 'Q'] as const),
  ...['period', 'p'].map((word) => [word, 'M'] as const),
  ...['of', 'the', 'del', 'las', 'hs', 'hrs', 'uhr', '第', '차'].map((word) => [word, ''] as const),
];

const SIGNS = memo((): ReadonlyMap<string, string> => {
  const signs = new Map<string, string>(FURTHER);
  const add = (word: string, sign: string) => {
    const key = IDEOGRAPHS.test(word) ? word : folded(word);
    if ((key.length >= LEAST_NAME || IDEOGRAPHS.test(word)) && !signs.has(key)) signs.set(key, sign);
  };
  for (const language of LANGUAGES) {
    for (const { word, sign, behind } of [...fieldWords(language, 'long'), ...fieldWords(language, 'short')]) {
      if (IDEOGRAPHS.test(word)) add(word, behind);
      else if (sign !== ':') add(word, sign);
    }
    const full = new Intl.DateTimeFormat(language, { dateStyle: 'full', timeStyle: 'short', timeZone: 'UTC' });
    const half = new Intl.DateTimeFormat(language, { hour: 'numeric', hour12: true, timeZone: 'UTC' });
    const between = full.formatToParts(0).filter(({ type }) => type === 'literal');
    for (const word of between.flatMap(({ value }) => value.match(/\p{L}+/gu) ?? [])) add(word, '');
    for (const [sign, time] of Object.entries(HALVES)) {
      add(half.formatToParts(time).find(({ type }) => type === 'dayPeriod')?.value ?? '', sign);
    }
  }
  return signs;
});

const OF_IDEOGRAPHS = memo(() => {
  const words = [...SIGNS().keys()].filter((word) => IDEOGRAPHS.test(word));
  return new RegExp(words.sort((a, b) => b.length - a.length).join('|'), 'g');
});

const WORD = /[\p{Script=Han}\p{Script=Hangul}]+|\p{L}+\.?/gu;
const YEAR = /(?<!\d)(?:1[89]|20)\d{2}(?!\d)|FY/;

function signFor(word: string, at: number, text: string): string {
  if (monthOfName(word) !== undefined) return word;
  if (!IDEOGRAPHS.test(word)) return SIGNS().get(folded(word)) ?? word;
  const isBeforeNumber = /^\s*\d/.test(text.slice(at + word.length));
  const signs = word.replace(OF_IDEOGRAPHS(), (each) => SIGNS().get(each)!);
  return isBeforeNumber ? signs : signs.replace(/[-:]$/, '');
}

/** A letter of a language that nobody knows, between a year and a number of two digits: that of weeks, by what it gives. */
const LETTERED = [
  /^(\d{4})[-/. ]?\p{L}{1,2}\.?[-/. ]?(\d\d)$/u,
  /^\p{L}{1,2}\.?[-/. ]?(\d\d)[-/, ]{1,3}(\d{4})$/u,
] as const;
const NO_WEEK = /(?<!\p{L})(?:[mpqw]|kw|cw|wk)(?!\p{L})/iu;

export const isLettered = (text: string): boolean =>
  !NO_WEEK.test(text) && LETTERED.some((pattern) => pattern.test(text));

const ROMANS = ['I', 'II', 'III', 'IV'];
/** Quarters in Roman numbers, also beside an abbreviation that others have for weeks. */
const ROMAN = /(?<!\p{L})(?:[QW] ?(I{1,3}|IV)|(I{1,3}|IV)\.? ?[QW])(?!\p{L})/u;

function inPlain(text: string): string {
  const bare = withoutWeekday(text)
    .replace(/(?<=\d)(?:st|nd|rd|th|er|[eºª°]|-?[йя])(?=[\s.,])/giu, '')
    .replace(/(?<=\d)\s?([ap])\.?\s?m\.?(?!\p{L})/giu, ' $1M')
    .replace(/(?<=\d)\s?\p{L}\.(?![\p{L}\d])|\s\p{L}(?=\s\d{1,2}:\d)/gu, '');
  const words = YEAR.test(bare) ? bare.replace(WORD, signFor) : bare;
  const signs = words
    .replace(ROMAN, (_, first = '', second = '') => `Q${ROMANS.indexOf(first || second) + 1}`)
    .replace(/([AP]M)\s?(\d{1,2}:[\d:.]+)/, '$2 $1')
    .replace(/\s+/g, ' ')
    .replace(/(?<=\d)(?: [-|/–]|[,.])? (?=\d{1,2}:\d)/, ' ')
    .replace(/^(?=.*\.(?: |$))(\d{4})\. ?(\d\d?)\.?$/, '$1-$2')
    .replace(/(?<=\d) ?([-/._\\·]) ?(?=\d)(?!\d{1,2}:\d)/g, (_, sign: string) => (/[_\\·]/.test(sign) ? '-' : sign))
    .replace(/(?<= \d\d?) ?h$/i, ':00')
    .replace(/[ .,]{1,4}$/, '')
    .trimStart();
  if (!isLettered(text) || !isLettered(signs)) return signs;
  const [early, late] = LETTERED.map((pattern) => pattern.exec(signs));
  if (early) return `${early[1]!}-W${early[2]!}`;
  return late && monthOfName(signs.split(/[^\p{L}]/u)[0]!) === undefined ? `W${late[1]!}/${late[2]!}` : signs;
}

/** A date as a grammar without words reads it: without weekdays, ordinals, words and blanks; else the text itself. */
export const plainTime = (text: string): string =>
  text.length > LONGEST_PLAIN || !/\d\D*\d/.test(text) ? text : inPlain(text);
