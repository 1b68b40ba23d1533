import { DAY, HOUR, MINUTE, SECOND, WEEK } from './civil.ts';
import type { TaggedPoints } from './zone.ts';

/**
 * When something is open, as stretches `[from, to)` of the week in milliseconds since Monday 00:00 on the clock of the
 * wall: rising, none empty, none touching the next. Those of a day or longer have whole days.
 */
export type OpenTime = readonly (readonly [from: number, to: number])[];

export const BUSINESS_DAYS: OpenTime = [[0, 5 * DAY]];

/** 1970-01-05, a Monday. */
export const MONDAY = 4 * DAY;

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
  for (const stretch of open) if (time >= stretch[0] && time < stretch[1]) return true;
  return false;
}

/**
 * Open milliseconds from Monday 1970-01-05 to a time on the wall; closed time counts as the last open step before it.
 * Called for each row of a series, so it makes no objects. @param step its length: a clock may be half of it early or late
 */
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
  const groups = new Map<string, { weekdays: number[]; hours: OpenTime }>();
  for (let weekday = 0; weekday < 7; weekday++) {
    const [midnight, end] = [weekday * DAY, weekday === 6 ? 2 * WEEK : (weekday + 1) * DAY];
    const hours = open
      .filter(([from, to]) => from < end && to > midnight)
      .map(([from, to]) => [Math.max(from, midnight) - midnight, Math.min(to, end) - midnight] as const);
    if (hours.length === 0) continue;
    const group = groups.get(hours.join());
    if (group) group.weekdays.push(weekday);
    else groups.set(hours.join(), { weekdays: [weekday], hours });
  }
  return [...groups.values()];
}

export const isWholeDay = (hours: OpenTime): boolean =>
  hours.length === 1 && hours[0]![0] === 0 && hours[0]![1] === DAY;

export function weekdaysInRuns(
  weekdays: readonly number[],
  nameOf: (weekday: number) => string,
  dash: string,
): string[] {
  const runs: number[][] = [];
  for (const weekday of weekdays) {
    const run = runs.at(-1);
    if (run?.at(-1) === weekday - 1) run.push(weekday);
    else runs.push([weekday]);
  }
  return runs.flatMap((run) =>
    run.length > 2 ? [`${nameOf(run[0]!)}${dash}${nameOf(run.at(-1)!)}`] : run.map((weekday) => nameOf(weekday)),
  );
}

const pad = (value: number) => String(value).padStart(2, '0');

/** `08:00`, with seconds only where there are some. */
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

/** OpenStreetMap's word for what is always open. */
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

/** In order, those that touch or overlap as one. */
export function joined(stretches: readonly (readonly [number, number])[]): OpenTime | undefined {
  const result: [number, number][] = [];
  for (const [from, to] of stretches.toSorted((a, b) => a[0] - b[0])) {
    const last = result.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else result.push([from, to]);
  }
  return result.length > 0 ? result : undefined;
}
