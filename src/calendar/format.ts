import { DAY, HOUR, MINUTE, civilOf, timeOfDay } from './civil.ts';
import { monthStep, type Frequency } from './frequency.ts';

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

const pad = (value: number, width = 2) => String(Math.abs(value)).padStart(width, '0');

function year(value: number): string {
  return value < 0 ? `-${pad(value, 6)}` : value > 9999 ? `+${pad(value, 6)}` : pad(value, 4);
}

/**
 * The full ISO 8601 instant in UTC: `2021-03-28T01:00:00Z`, with milliseconds or microseconds only where there are any.
 * Years beyond 0 to 9999 are written with a sign and six digits.
 */
export function isoInstant(time: number): string {
  const { year: y, month, day } = civilOf(time);
  const inDay = timeOfDay(time);
  const micros = Math.round((inDay % 1000) * 1000);
  if (micros === 1_000_000) return isoInstant(Math.ceil(time));
  const fraction = micros === 0 ? '' : micros % 1000 === 0 ? `.${pad(micros / 1000, 3)}` : `.${pad(micros, 6)}`;
  const clock = [Math.floor(inDay / HOUR), Math.floor(inDay / MINUTE) % 60, Math.floor(inDay / 1000) % 60];
  return `${year(y)}-${pad(month)}-${pad(day)}T${clock.map((part) => pad(part)).join(':')}${fraction}Z`;
}

/**
 * An instant as people of that frequency write it, in UTC: "Jan 1949", "Q1 1982", "1990", "3 May 2021" for days and weeks,
 * "2021-05-03 13:00" below a day (with seconds or milliseconds where needed) and without a frequency.
 */
export function formatInstant(time: number, frequency?: Frequency): string {
  if (!Number.isFinite(time)) return '–';
  const { year: y, month, day } = civilOf(time);
  const months = frequency && monthStep(frequency);
  if (months !== undefined) {
    if (months % 12 === 0) return year(y);
    if (months === 3) return `Q${Math.ceil(month / 3)} ${year(y)}`;
    return `${MONTHS[month - 1]} ${year(y)}`;
  }
  if (timeOfDay(time) === 0 && (!frequency || frequency.unit === 'day' || frequency.unit === 'week')) {
    return `${day} ${MONTHS[month - 1]} ${year(y)}`;
  }
  const iso = isoInstant(time).replace('T', ' ').replace('Z', '');
  return time % MINUTE === 0 ? iso.slice(0, -3) : iso;
}

/** Whether an instant is midnight UTC. */
export function isMidnight(time: number): boolean {
  return time % DAY === 0;
}
