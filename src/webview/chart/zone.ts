/** A time zone as arithmetic: “wall” milliseconds are what a clock there shows, written as if it were UTC. */
export interface Zone {
  readonly name: string;
  toWall(time: number): number;
  /** The instant at which the clock shows `wall`; the earlier or later one where it does so twice or never. */
  fromWall(wall: number): number;
}

const UTC: Zone = { name: 'UTC', toWall: (time) => time, fromWall: (wall) => wall };

/** The zone of an IANA name; UTC for `UTC` and for a name that this browser does not know. */
export function zoneOf(name: string): Zone {
  if (name === 'UTC') return UTC;
  const format = formatIn(name);
  if (!format) return UTC;
  const toWall = (time: number) => {
    const part: Record<string, number> = {};
    for (const { type, value } of format.formatToParts(time)) part[type] = Number(value);
    const { year, month, day, hour, minute, second } = part;
    const milliseconds = ((time % 1000) + 1000) % 1000;
    return utc(year!, month! - 1, day!, hour!, minute!, second!) + milliseconds;
  };
  const fromWall = (wall: number) => {
    const guess = wall - (toWall(wall) - wall);
    return wall - (toWall(guess) - guess);
  };
  return { name, toWall, fromWall };
}

function formatIn(timeZone: string): Intl.DateTimeFormat | undefined {
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** `Date.UTC` that takes the years 0 to 99 as they are. */
export function utc(year: number, month: number, day = 1, hour = 0, minute = 0, second = 0): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month, day);
  date.setUTCHours(hour, minute, second);
  return date.getTime();
}
