import { DAY, HOUR, MINUTE, SECOND } from './civil.ts';

/** A time zone as arithmetic: “wall” milliseconds are what a clock there shows, written as if it were UTC. */
export interface Zone {
  readonly name: string;
  readonly fixed: boolean;
  toWall(time: number): number;
  /** The instant at which the clock shows `wall`: the earlier one of two, and where clocks skip it as much later. */
  fromWall(wall: number): number;
}

export const UTC: Zone = { name: 'UTC', fixed: true, toWall: (time) => time, fromWall: (wall) => wall };

export function fixedZone(offset: number): Zone {
  if (offset === 0) return UTC;
  const [toWall, fromWall] = [(time: number) => time + offset, (wall: number) => wall - offset];
  return { name: writeOffset(offset), fixed: true, toWall, fromWall };
}

export const zoneOf = (name: string): Zone => findZone(name) ?? UTC; // UTC for an unknown name

export function findZone(name: string): Zone | undefined {
  if (name === 'UTC') return UTC;
  if (/^[+-]\d{2}:\d{2}$/.test(name)) return fixedZone(offsetIn(name));
  const offsetAt = offsetsIn(name);
  return offsetAt && changing(name, offsetAt);
}

/** Points of the interface, as far as the first one says how all are written. */
export type TaggedPoints = readonly { readonly metadata?: Readonly<Record<string, unknown>> | null | undefined }[];

/** The zone that a series of the interface says it is written in, by `metadata.time_zone` of its first point; else UTC. */
export function zoneOfPoints(points: TaggedPoints): Zone {
  const name = points[0]?.metadata?.['time_zone'];
  return typeof name === 'string' ? zoneOf(name) : UTC;
}

export function writeOffset(offset: number): string {
  const minutes = Math.round(Math.abs(offset) / MINUTE);
  const pad = (value: number) => String(value).padStart(2, '0');
  return `${offset < 0 ? '-' : '+'}${pad(Math.floor(minutes / 60))}:${pad(minutes % 60)}`;
}

const OFFSET = /([+-])(\d{2}):(\d{2})(?::(\d{2}))?$/;

/** Milliseconds of the offset that a text ends in; 0 for `GMT` alone. */
function offsetIn(text: string): number {
  const [, sign, hours = 0, minutes = 0, seconds = 0] = OFFSET.exec(text) ?? [];
  const size = Number(hours) * HOUR + Number(minutes) * MINUTE + Number(seconds) * SECOND;
  return sign === '-' ? -size : size;
}

const SPAN = 14 * DAY; // clocks are asked this far apart; between, they change at most once
const LAST = 8.64e15 - 2 * SPAN;

/** Milliseconds that an IANA zone is ahead of UTC, each looked up by itself; `undefined` for a name that is not known. */
export function offsetsIn(name: string): ((time: number) => number) | undefined {
  try {
    const format = new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' });
    return (time) => (Number.isNaN(time) ? NaN : offsetIn(format.format(Math.min(LAST, Math.max(-LAST, time)))));
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** A zone whose clocks change: each span of time is looked up once, as that costs much more than the arithmetic. */
function changing(name: string, look: (time: number) => number): Zone {
  const spanAt = (index: number) => {
    let [low, high] = [index * SPAN, (index + 1) * SPAN];
    const [before, after] = [look(low), look(high)];
    while (before !== after && high - low > SECOND) {
      const middle = low + Math.floor((high - low) / 2 / SECOND) * SECOND;
      if (look(middle) === before) low = middle;
      else high = middle;
    }
    return { before, change: high, after };
  };
  const known = new Map<number, ReturnType<typeof spanAt>>();
  let lastIndex = NaN;
  let last = { before: 0, change: 0, after: 0 };
  const offsetAt = (instant: number): number => {
    const time = Math.min(LAST, Math.max(-LAST, instant));
    const index = Math.floor(time / SPAN);
    if (index !== lastIndex) {
      let span = known.get(index);
      if (!span) known.set(index, (span = spanAt(index)));
      [last, lastIndex] = [span, index];
    }
    return time < last.change ? last.before : last.after;
  };
  return {
    name,
    fixed: false,
    toWall: (time) => time + offsetAt(time),
    fromWall: (wall) => {
      const [before, after] = [wall - offsetAt(wall - DAY), wall - offsetAt(wall + DAY)];
      const isAfter = before + offsetAt(before) !== wall && after + offsetAt(after) === wall;
      return isAfter ? after : before;
    },
  };
}

const CHANGING = [
  ...['Europe/Berlin', 'Europe/London', 'Europe/Athens', 'Europe/Moscow', 'America/New_York', 'America/Chicago'],
  ...['America/Denver', 'America/Los_Angeles', 'America/Sao_Paulo', 'America/Santiago', 'America/Mexico_City'],
  ...['Australia/Sydney', 'Australia/Adelaide', 'Pacific/Auckland', 'Asia/Jerusalem', 'Asia/Tehran', 'Africa/Cairo'],
];
/** A city whose clocks skip what is between two times of local time or, of twice the same time, show it twice. */
export function clockChange(from: number, to: number): string | undefined {
  for (const name of CHANGING) {
    const zone = findZone(name);
    if (!zone) continue;
    const first = zone.fromWall(from);
    // the clock jumps from the last time on (or soon after it) to one that is not after the next row
    const passed = zone.fromWall(to) - first;
    const isChange =
      from === to
        ? [HOUR / 2, HOUR].some((late) => zone.toWall(first + late) === from)
        : passed > 0 && passed < to - from;
    if (isChange) return name.slice(name.indexOf('/') + 1).replaceAll('_', ' ');
  }
  return undefined;
}
