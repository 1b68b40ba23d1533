import { DAY, daysFromCivil, daysInMonth } from './civil.ts';
import { isBelowDay, monthStep, type Frequency, parseDuration, addSteps, stepIndex } from './frequency.ts';
import { MONTH_NAMES } from './format.ts';
import { parseTimestamp } from './timestamp.ts';
import { UTC, type Zone } from './zone.ts';

/** `none`: the text is no horizon; `past`: it ends before the series; `irregular`: the series has no step. */
export type Horizon = { readonly steps: number } | { readonly problem: 'none' | 'past' | 'irregular' };

const LONGEST = 60;
const UNTIL = /^(?:until|till|til|to|through|bis)\s+(?=\S)/i;

/** Reads `90` open steps, `36h`, `P1Y`, `10 business days` (the whole steps within), `until Q2 2027` (to its end). */
export function parseHorizon(
  text: string,
  {
    last,
    frequency,
    zone = UTC,
  }: { readonly last: number; readonly frequency: Frequency | undefined; readonly zone?: Zone },
): Horizon {
  const typed = text.trim();
  if (typed === '' || typed.length > LONGEST) return { problem: 'none' };
  const plain = /^(\d{1,9})(?:\s?(?:steps?|points?|rows?))?$/i.exec(typed);
  if (plain) return Number(plain[1]) > 0 ? { steps: Number(plain[1]) } : { problem: 'past' };
  const wall = zone.toWall(last);
  const date = typed.replace(UNTIL, '');
  const limit = date === typed ? endOfSpan(typed, wall, frequency) : endOfDate(date);
  if (limit === undefined) return { problem: 'none' };
  if (!frequency) return { problem: 'irregular' };
  let steps = stepIndex(wall, limit, frequency) + 1;
  while (steps > 0 && addSteps(wall, frequency, steps) > limit) steps--;
  return steps > 0 ? { steps } : { problem: 'past' };
}

function endOfSpan(text: string, wall: number, frequency: Frequency | undefined): number | undefined {
  // “30 m” is half an hour for what is measured by the minute, and months for all that is slower
  const isFast = frequency !== undefined && isBelowDay(frequency);
  const words = text.replace(/,/g, '').replace(/^an?\s/i, '1 ');
  const span = parseDuration(isFast ? words.replace(/(\d\s?)m$/i, '$1min') : words);
  if (!span) return undefined;
  const { anchor: _, ...plain } = span;
  const isAnchored = frequency?.anchor !== undefined && monthStep(span) !== undefined;
  return addSteps(wall, isAnchored ? { ...plain, anchor: frequency.anchor } : plain, 1);
}

const DATES = [
  /^(?<year>\d{4})$/,
  /^Q(?<quarter>[1-4])[\s-]?(?<year>\d{4})$/i,
  /^(?<year>\d{4})[\s-]?Q(?<quarter>[1-4])$/i,
  /^(?<year>\d{4})[-/](?<month>\d{1,2})$/,
  /^(?<year>\d{4})[-/.](?<month>\d{1,2})[-/.](?<day>\d{1,2})$/,
  /^(?:(?<day>\d{1,2})\.?\s)?(?<name>\p{L}{3,12})\.?\s(?<year>\d{4})$/u,
  /^(?<name>\p{L}{3,12})\.?\s(?<day>\d{1,2}),?\s(?<year>\d{4})$/u,
];

/** The last moment of a day, month, quarter or year, or the moment that is named. */
function endOfDate(text: string): number | undefined {
  const found = DATES.map((pattern) => pattern.exec(text)?.groups).find((groups) => groups !== undefined);
  if (!found) {
    const time = parseTimestamp(text);
    return Number.isNaN(time) ? undefined : time;
  }
  const { year, quarter, name, day } = found;
  const written = name?.toLowerCase().replace(/^sept$/, 'sep') ?? '';
  const month = quarter
    ? Number(quarter) * 3
    : name
      ? MONTH_NAMES.findIndex((month) => month.toLowerCase().startsWith(written)) + 1
      : Number(found['month'] ?? 12);
  if (!(month >= 1 && month <= 12)) return undefined;
  const last = daysInMonth(Number(year), month);
  if (Number(day ?? last) > last || day === '0') return undefined;
  return (daysFromCivil(Number(year), month, Number(day ?? last)) + 1) * DAY - 1;
}
