import { DAY, HOUR, MINUTE, SECOND, WEEK } from './civil.ts';
import type { TaggedPoints } from './zone.ts';

/** Stretches `[from, to)` of the week in ms since Monday 00:00 on the wall: rising, apart, none empty; those of a day whole days. */
export type OpenTime = readonly (readonly [from: number, to: number])[];

export const BUSINESS_DAYS: OpenTime = [[0, 5 * DAY]];

export const MONDAY = 4 * DAY; // 1970-01-05, a Monday

export function isSameOpenTime(a: OpenTime | undefined, b: OpenTime | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return a.length === b.length && a.every(([from, to], place) => from === b[place]![0] && to === b[place]![1]);
}

export function openWeek(open: OpenTime): number {
  return open.reduce((sum, [from, to]) => sum + to - from, 0);
}

export function longestClosed(open: OpenTime): number {
  const opens = (place: number) => open[place]?.[0] ?? (open[0]?.[0] ?? 0) + WEEK;
  return open.reduce((longest, [, to], place) => Math.max(longest, opens(place + 1) - to), 0);
}

export function openDays(open: OpenTime): number[] {
  return Array.from({ length: 7 }, (_, weekday) =>
    open.reduce((sum, [from, to]) => {
      const inDay = Math.min(to, (weekday + 1) * DAY) - Math.max(from, weekday * DAY);
      return sum + Math.max(0, inDay);
    }, 0),
  );
}

const overlapOf = (open: OpenTime): number => Math.max(0, (open[open.length - 1]?.[1] ?? 0) - WEEK);

/** Whether a step of a length begins in open time; a clock may be up to half a step early or late. */
export function isOpen(wall: number, open: OpenTime, step: number): boolean {
  const over = overlapOf(open);
  const nearest = wall - MONDAY + step / 2 - over;
  const time = nearest - Math.floor(nearest / WEEK) * WEEK + over;
  return open.some(([from, to]) => time >= from && time < to);
}

/** Open ms since Monday 1970-01-05, without objects, as each row asks. @param step long: a clock may be half of it early or late */
export function openTimeAt(wall: number, open: OpenTime, step: number): number {
  const over = overlapOf(open);
  const nearest = wall - MONDAY + step / 2 - over;
  const week = Math.floor(nearest / WEEK);
  const time = nearest - week * WEEK + over;
  let total = 0;
  let passed = 0;
  let since = -step;
  for (const stretch of open) {
    const from = stretch[0];
    const to = stretch[1];
    total += to - from;
    if (time >= to) passed += to - from;
    else if (time >= from) since = Math.max(0, time - step / 2 - from);
  }
  return week * total + passed + since;
}

export function wallAtOpenTime(passed: number, open: OpenTime): number {
  const total = openWeek(open);
  const week = Math.floor(passed / total);
  let left = passed - week * total;
  for (const [from, to] of open) {
    if (left < to - from) return MONDAY + week * WEEK + from + left;
    left -= to - from;
  }
  return MONDAY + (week + 1) * WEEK + (open[0]?.[0] ?? 0);
}

const WEEKDAYS = ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su'];

/** The hours of each open weekday (0 Monday), in milliseconds since midnight; those with the same ones together. */
export function daysOf(open: OpenTime): { readonly weekdays: readonly number[]; readonly hours: OpenTime }[] {
  const hoursOf = (weekday: number): OpenTime => {
    const [midnight, end] = [weekday * DAY, weekday === 6 ? 2 * WEEK : (weekday + 1) * DAY];
    return open
      .filter(([from, to]) => from < end && to > midnight)
      .map(([from, to]) => [Math.max(from, midnight) - midnight, Math.min(to, end) - midnight] as const);
  };
  const days = [0, 1, 2, 3, 4, 5, 6].map((weekday) => ({ weekday, hours: hoursOf(weekday) }));
  const groups = Map.groupBy(
    days.filter(({ hours }) => hours.length > 0),
    ({ hours }) => hours.join(),
  );
  return [...groups.values()].map((same) => ({ weekdays: same.map(({ weekday }) => weekday), hours: same[0]!.hours }));
}

export const isWholeDay = (hours: OpenTime): boolean =>
  hours.length === 1 && hours[0]![0] === 0 && hours[0]![1] === DAY;

export function weekdaysInRuns(weekdays: readonly number[], nameOf: (weekday: number) => string, dash: string) {
  const runs = [...Map.groupBy(weekdays.keys(), (place) => weekdays[place]! - place).values()];
  return runs.flatMap((places) => {
    const names = places.map((place) => nameOf(weekdays[place]!));
    return names.length > 2 ? [`${names[0]}${dash}${names.at(-1)}`] : names;
  });
}

const pad = (value: number) => String(value).padStart(2, '0');

function clock(time: number): string {
  const minutes = `${pad(Math.floor(time / HOUR))}:${pad(Math.floor(time / MINUTE) % 60)}`;
  return time % MINUTE === 0 ? minutes : `${minutes}:${pad(Math.floor(time / SECOND) % 60)}`;
}

/** Open time as OpenStreetMap writes it: `Mo-Sa`, `Mo-Fr 08:00-12:00,13:00-17:00; Sa 09:00-13:00`. */
export function formatOpeningHours(open: OpenTime): string {
  return daysOf(open)
    .map(({ weekdays, hours }) => {
      const days = weekdaysInRuns(weekdays, (weekday) => WEEKDAYS[weekday]!, '-').join(',');
      return isWholeDay(hours) ? days : `${days} ${hours.map((pair) => pair.map(clock).join('-')).join(',')}`;
    })
    .join('; ');
}

export const ALWAYS = '24/7';

/** Opening hours from the metadata of the first point; `null` for `24/7`, `undefined` if absent or unreadable. */
export function openTimeOfPoints(points: TaggedPoints): OpenTime | null | undefined {
  const hours = points[0]?.metadata?.['opening_hours'];
  if (hours === ALWAYS) return null;
  return typeof hours === 'string' && hours.length <= LONGEST ? parseOpeningHours(hours) : undefined;
}

const LONGEST = 1000;
const MOST = 1000;

export function parseOpeningHours(text: string): OpenTime | undefined {
  const stretches: [number, number][] = [];
  for (const rule of text.split(';')) {
    const [, days = '', hours = '00:00-24:00'] = /^ ?([A-Za-z,-]{2,40})(?: ([0-9:,-]+))?$/.exec(rule) ?? [];
    const weekdays = weekdaysIn(days);
    const ranges = hours.split(',').map(rangeOf);
    if (!weekdays || stretches.length + weekdays.length * ranges.length > MOST) return undefined;
    for (const range of ranges) {
      if (!range) return undefined;
      for (const weekday of weekdays) stretches.push([weekday * DAY + range[0], weekday * DAY + range[1]]);
    }
  }
  return joined(stretches);
}

function weekdaysIn(text: string): number[] | undefined {
  const weekdays: number[] = [];
  for (const part of text.split(',')) {
    const [first, last] = part.split('-').map((name) => WEEKDAYS.indexOf(name));
    if (first === undefined || first < 0 || (last !== undefined && last < first)) return undefined;
    for (let weekday = first; weekday <= (last ?? first); weekday++) weekdays.push(weekday);
  }
  return weekdays;
}

function rangeOf(text: string): readonly [number, number] | undefined {
  const parts = /^(\d\d):(\d\d)(?::(\d\d))?-(\d\d):(\d\d)(?::(\d\d))?$/.exec(text);
  if (!parts) return undefined;
  const at = (place: number) =>
    Number(parts[place]) * HOUR + Number(parts[place + 1]) * MINUTE + Number(parts[place + 2] ?? 0) * SECOND;
  const [from, to] = [at(1), at(4)];
  return from < to && to <= 2 * DAY ? [from, to] : undefined;
}

export function joined(stretches: readonly (readonly [number, number])[]): OpenTime | undefined {
  const result: [number, number][] = [];
  for (const [from, to] of stretches.toSorted((a, b) => a[0] - b[0])) {
    const last = result.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else result.push([from, to]);
  }
  return result.length > 0 ? result : undefined;
}

/** Weekdays and hours must be seen so often without a row to be closed; a weekend needs to be seen once. */
const CYCLES = 3;
/** Closed time may have a row in one of ten weeks: German law lets a shop open on four Sundays a year. */
const MOST_EXCEPTIONS = 0.1;
const MOST_OUTSIDE = 0.03; // share of rows that may lie in closed time at most
const LEAST_FILLED = 0.5;
/** Less than half an hour a week is no closed time, and need not be looked for in series without gaps. */
const LEAST_OPEN = 1 - 0.5 / 168;
const BY_CHANCE = 0.01; // how improbable it is at most that closed time is empty by chance

interface Tally {
  readonly filled: number;
  readonly seen: number;
}

/**
 * Open time, inferred from the data: weekdays and hours that never have a row, or so rarely that it is an exception, over
 * enough cycles and more reliably than by chance. A weekday that was not seen yet is as the others.
 * @param wall distinct instants on the clock of the wall, rising @param step in milliseconds
 */
export function inferOpenTime(wall: Float64Array, step: number): OpenTime | undefined {
  if (!(step >= SECOND && step <= DAY && DAY % step === 0) || wall.length < 2) return undefined;
  const cells = (wall.at(-1)! - wall[0]!) / step + 1;
  if (cells < (CYCLES * DAY) / step || wall.length > cells * LEAST_OPEN) return undefined;
  // opening hours are precise to the minute: the fewest steps that span at least one and divide a day
  let grain = Math.ceil(MINUTE / step) * step;
  while (DAY % grain !== 0) grain += step;
  const perDay = DAY / grain;
  const phase = phaseOf(wall, step);
  const weeks = countWeek(wall, grain, step === DAY ? 0 : phase - step / 2);
  const openDays = openWeekdays(weeks);
  const mask = openDays ? openHours(weeks, openDays, perDay) : [];
  const inside = sumOf(weeks.steps.filter((_, slot) => mask[slot]));
  const outside = sumOf(weeks.steps.filter((_, slot) => !mask[slot])).filled;
  const isPlausible = isOften(inside) && outside <= (inside.filled + outside) * MOST_OUTSIDE;
  if (mask.every(Boolean) || !isPlausible) return undefined;
  return joined(mask.flatMap((isOpen, slot) => (isOpen ? [[slot * grain + phase, (slot + 1) * grain + phase]] : [])));
}

function phaseOf(wall: Float64Array, step: number): number {
  if (step === DAY) return 0;
  const inStep = (time: number) => time - Math.floor(time / step) * step;
  const off = wall.filter((time) => Math.min(inStep(time), step - inStep(time)) > 0.3 * step);
  return off.length * 2 > wall.length ? inStep(wall[0]!) : 0;
}

type Week = ReturnType<typeof countWeek>;

/** The steps of a week, Monday first, and its days. @param grain of a step of the mask @param since when it begins in it */
function countWeek(wall: Float64Array, grain: number, since: number) {
  const perDay = DAY / grain;
  const perWeek = 7 * perDay;
  const filled = new Uint32Array(perWeek);
  const recent = new Uint8Array(perWeek);
  const present = new Uint32Array(7);
  const numberOf = (time: number) => Math.floor((time - MONDAY - since) / grain);
  const place = (number: number, length: number) => ((number % length) + length) % length;
  const [first, last] = [numberOf(wall[0]!), numberOf(wall.at(-1)!)];
  let [previous, day] = [first - 1, NaN];
  for (const time of wall) {
    const number = numberOf(time);
    if (number === previous) continue;
    previous = number;
    const slot = place(number, perWeek);
    filled[slot]!++;
    if (number > last - CYCLES * perWeek) recent[slot]!++;
    const today = Math.floor(number / perDay);
    if (today !== day) present[place(today, 7)]!++;
    day = today;
  }
  const seen = (slot: number, from: number, to: number, length: number) =>
    Math.floor((to - slot) / length) - Math.ceil((from - slot) / length) + 1;
  const [firstDay, lastDay] = [Math.floor(first / perDay), Math.floor(last / perDay)];
  return {
    steps: Array.from(filled, (count, slot) => ({ filled: count, seen: seen(slot, first, last, perWeek) })),
    days: Array.from(present, (count, weekday) => ({ filled: count, seen: seen(weekday, firstDay, lastDay, 7) })),
    isRecent: Array.from(recent, (count) => count >= 2),
    present: Array.from(present),
  };
}

const isRare = ({ filled, seen }: Tally) => filled <= seen * MOST_EXCEPTIONS;

const isOften = ({ filled, seen }: Tally) => filled >= seen * LEAST_FILLED;

const sumOf = (tallies: readonly Tally[]): Tally => ({
  filled: tallies.reduce((sum, { filled }) => sum + filled, 0),
  seen: tallies.reduce((sum, { seen }) => sum + seen, 0),
});

/** How probable it is that a step of which a share has rows is filled as rarely as seen. */
function chanceOf({ filled, seen }: Tally, usual: Tally): number {
  const share = (usual.filled + 0.5) / (usual.seen + 1);
  let term = (1 - share) ** seen;
  let chance = term;
  for (let rows = 1; rows <= filled; rows++) {
    term *= ((seen - rows + 1) / rows) * (share / (1 - share));
    chance += term;
  }
  return chance;
}

const SATURDAY = 5;
function openWeekdays({ days, isRecent, steps }: Week): boolean[] | undefined {
  const perDay = steps.length / 7;
  const isLate = (weekday: number) => isRecent.slice(weekday * perDay, (weekday + 1) * perDay).some(Boolean);
  const isQuiet = days.map((day, weekday) => day.seen > 0 && isRare(day) && !isLate(weekday));
  const usual = sumOf(days.filter((_, weekday) => !isQuiet[weekday]));
  if (usual.filled < usual.seen * LEAST_FILLED) return undefined;
  const weekend = days.slice(SATURDAY);
  const isWeekend = isQuiet.every((quiet, weekday) => quiet === (days[weekday]!.seen > 0 && weekday >= SATURDAY));
  const isBare = weekend.every(({ seen, filled }) => seen > 0 && filled === 0);
  if (isWeekend && isBare && chanceOf(sumOf(weekend), usual) < BY_CHANCE)
    return days.map((_, weekday) => weekday < SATURDAY);
  return days.map((day, weekday) => !(isQuiet[weekday] && day.seen >= CYCLES && chanceOf(day, usual) < BY_CHANCE / 7));
}

/** The steps of the week that are open: the hours of all open days, and where a weekday shows others, its own. */
function openHours({ steps, isRecent, present }: Week, openDays: readonly boolean[], perDay: number): boolean[] {
  const mask = steps.map((_, slot) => openDays[Math.floor(slot / perDay)]!);
  if (perDay === 1) return mask;
  const weekdays = openDays.flatMap((isOpen, weekday) => (isOpen && present[weekday]! > 0 ? [weekday] : []));
  const ownOf = (weekday: number, hour: number): Tally => ({
    filled: steps[weekday * perDay + hour]!.filled,
    seen: present[weekday]!,
  });
  const daily = Array.from({ length: perDay }, (_, hour) => sumOf(weekdays.map((weekday) => ownOf(weekday, hour))));
  const usual = sumOf(daily.filter((hour) => !isRare(hour)));
  for (let hour = 0; hour < perDay; hour++) {
    const all = daily[hour]!;
    const isClosed = isRare(all) && all.seen > CYCLES && chanceOf(all, usual) < BY_CHANCE / perDay;
    const known = weekdays.map((weekday) => ownOf(weekday, hour)).filter(({ seen }) => seen >= CYCLES);
    // an hour that each weekday always or never has is inferred by weekday; one that occurs now and then is not
    const isSharp = known.some(isOften) && known.every((own) => isRare(own) || isOften(own));
    for (let weekday = 0; weekday < 7; weekday++) {
      const slot = weekday * perDay + hour;
      if (!mask[slot]) continue;
      const own = ownOf(weekday, hour);
      const isSeen = own.seen >= CYCLES;
      if (isClosed) mask[slot] = (isSeen && isOften(own)) || isRecent[slot]!;
      else if (isSeen && isRare(own) && !isRecent[slot]) {
        mask[slot] = chanceOf(own, isSharp ? usual : all) >= BY_CHANCE / mask.length;
      }
    }
  }
  return mask;
}
