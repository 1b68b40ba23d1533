import { DAY, WEEK } from './civil.ts';

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

/** The longest time that is closed at a stretch, in milliseconds. */
export function longestClosed(open: OpenTime): number {
  const opens = (place: number) => open[place]?.[0] ?? (open[0]?.[0] ?? 0) + WEEK;
  return open.reduce((longest, [, to], place) => Math.max(longest, opens(place + 1) - to), 0);
}

/** Open milliseconds of each weekday, Monday first. */
export function openDays(open: OpenTime): number[] {
  return Array.from({ length: 7 }, (_, weekday) =>
    open.reduce((sum, [from, to]) => {
      const inDay = Math.min(to, (weekday + 1) * DAY) - Math.max(from, weekday * DAY);
      return sum + Math.max(0, inDay);
    }, 0),
  );
}

/** How far the last stretch goes on into the next week, in milliseconds. */
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

/** The time on the wall at which so much open time has passed; the inverse of {@link openTimeAt}. */
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
