import { DAY, HOUR, MINUTE } from '../../calendar/civil.ts';

const CLOCK = /^(\d{1,2})[:h](\d{2})(?::00)?(?:\s?(?:-|–|to|bis)\s?\d{1,2}[:h]\d{2}(?::00)?)?$/i;
const NUMBERED =
  /^(h|he|hr|hour|hour[_ ]?ending|hh|half[_ -]?hour|sp|settlement[_ ]?period|period|slot|interval|stunde|hora|heure|uur)?[_ -]?0?(\d{1,2})$/i;
/** Hours, half hours and quarters of an hour of a day, where they are only numbered. */
const PARTS = [24, 48, 96];
const FEWEST = 12;

/**
 * The time of day of columns that are all parts of a day, as meters and markets write a day to each row: `00:00`, `00:30`,
 * … or `H01` to `H24`, in milliseconds since midnight; `NaN` for the columns beside them. Clocks from the end of the first
 * part to midnight are left as they say. `undefined` where columns are no such parts.
 */
export function hoursOfNames(names: readonly string[]): readonly number[] | undefined {
  const texts = names.map((name) => name.trim());
  return fromClocks(texts) ?? fromNumbers(texts);
}

function fromClocks(texts: readonly string[]): readonly number[] | undefined {
  const times = texts.map((text) => {
    const [, hour, minute] = CLOCK.exec(text) ?? [];
    return hour === undefined || Number(hour) > 24 ? NaN : Number(hour) * HOUR + Number(minute) * MINUTE;
  });
  const known = times.filter((time) => !Number.isNaN(time));
  const step = DAY / known.length;
  const [first] = known;
  if (known.length < FEWEST || (first !== 0 && first !== step)) return undefined;
  if (!known.every((time, part) => time % DAY === (first + part * step) % DAY)) return undefined;
  const last = times.findLastIndex((time) => !Number.isNaN(time));
  return first === 0 ? times : times.map((time, index) => (index === last ? DAY : time));
}

function fromNumbers(texts: readonly string[]): readonly number[] | undefined {
  const parts = texts.map((text) => NUMBERED.exec(text));
  const known = parts.filter((each) => each !== null);
  const [first] = known;
  if (!first || !PARTS.includes(known.length) || known.length < texts.length / 2) return undefined;
  const start = Number(first[2]);
  const isNext = (each: RegExpExecArray, index: number) => each[1] === first[1] && Number(each[2]) === start + index;
  const isLabel = (text: string, index: number) => parts[index] !== null || /^\p{L}/u.test(text);
  if (start > 1 || !known.every(isNext) || known.length === texts.length) return undefined;
  // numbers alone are the head of a table only beside words: a first row may count too
  if (first[1] === undefined && !texts.every(isLabel)) return undefined;
  return parts.map((each) => (each ? ((Number(each[2]) - start) * DAY) / known.length : NaN));
}
