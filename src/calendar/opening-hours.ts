import { DAY, HOUR, MINUTE, SECOND, WEEK } from './civil.ts';
import type { OpenTime } from './open-time.ts';

const WEEKDAYS = ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su'];

export interface OpenDays {
  /** 0 Monday to 6 Sunday, rising. */
  readonly weekdays: readonly number[];
  /** In milliseconds since midnight, `[0, 24 h)` for a whole day; the last may end on the next day. */
  readonly hours: OpenTime;
}

/** The hours of each open weekday, those with the same ones together, by their first day. */
export function daysOf(open: OpenTime): OpenDays[] {
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

/** Weekdays in runs, `Mo-Fr`, and days by themselves. @param nameOf of a weekday @param dash between the ends of a run */
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

/** Points of the interface, as far as they may say when they are open. */
type Opened = readonly { readonly metadata?: Readonly<Record<string, unknown>> | null | undefined }[];

/** Opening hours from the metadata of the first point; `null` for `24/7`, `undefined` if absent or unreadable. */
export function openTimeOfPoints(points: Opened): OpenTime | null | undefined {
  const hours = points[0]?.metadata?.['opening_hours'];
  if (hours === ALWAYS) return null;
  return typeof hours === 'string' && hours.length <= LONGEST ? parseOpeningHours(hours) : undefined;
}

const LONGEST = 1000;

/** More stretches in a week are no opening hours. */
const MOST = 1000;

/** Reads what {@link formatOpeningHours} writes; `undefined` for anything else. */
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
function joined(stretches: [number, number][]): OpenTime | undefined {
  const rising = stretches.sort((a, b) => a[0] - b[0]);
  const result: [number, number][] = [];
  for (const stretch of rising) {
    const last = result.at(-1);
    if (last && stretch[0] <= last[1]) last[1] = Math.max(last[1], stretch[1]);
    else result.push([...stretch]);
  }
  return result.length > 0 ? result : undefined;
}
