import { HOUR, MINUTE } from '../../calendar/civil.ts';

/** Hours ahead of UTC of zone names that mean one offset everywhere they are used. */
const ZONES: Readonly<Record<string, number>> = {
  Z: 0, UTC: 0, GMT: 0, WET: 0, WEST: 1, BST: 1, CET: 1, MEZ: 1, CEST: 2, MESZ: 2, EET: 2, EEST: 3, MSK: 3,
  EST: -5, EDT: -4, CST: -6, CDT: -5, MST: -7, MDT: -6, PST: -8, PDT: -7, JST: 9, AEST: 10, AEDT: 11,
}; // prettier-ignore

const CLOCK =
  /^(\d{1,2})(?:[:.h](\d{2})(?:[:.](\d{2})(?:[.,](\d{1,9}))?)?)?(?:\s?([ap])\.?m\.?)?(?:\s?(Z|[A-Z]{3,4}|(?:UTC|GMT)?[+-]\d{2}(?::?\d{2})?)(?:\s?\([^)]*\))?)?$/i;

/** A reading of a clock: milliseconds since midnight of the written day, and the zone's distance from UTC if any. */
export interface Clock {
  readonly inDay: number;
  /** Milliseconds to subtract to get UTC; `undefined` where no zone is written. */
  readonly offset?: number;
}

function zoneOffset(zone: string): number | undefined {
  const named = ZONES[zone.toUpperCase()];
  if (named !== undefined) return named * HOUR;
  const parts = /^(?:UTC|GMT)?([+-])(\d{2}):?(\d{2})?$/i.exec(zone);
  if (!parts) return undefined;
  const size = Number(parts[2]) * HOUR + Number(parts[3] ?? 0) * MINUTE;
  return size > 15 * HOUR ? undefined : parts[1] === '-' ? -size : size;
}

/** Milliseconds of a written fraction of a second: digits after the sign. */
export function fractionMs(digits: string): number {
  return Number(`0.${digits}`) * 1000;
}

/**
 * Reads `13:00`, `1:00:05.25 PM`, `13h00`, `24:00`, each with or without a zone (`Z`, `+01:00`, `UTC`, `CET`). `undefined`
 * for anything else; a bare hour needs AM or PM.
 */
export function parseClock(text: string): Clock | undefined {
  const parts = CLOCK.exec(text);
  if (!parts) return undefined;
  const [, hourText = '', minuteText, secondText, fraction, half, zone] = parts;
  if (minuteText === undefined && half === undefined) return undefined;
  let hour = Number(hourText);
  const minute = Number(minuteText ?? 0);
  const second = Number(secondText ?? 0);
  if (half !== undefined) {
    if (hour < 1 || hour > 12) return undefined;
    hour = (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
  }
  const lastMidnight = hour === 24 && minute === 0 && second === 0;
  if ((hour > 23 && !lastMidnight) || minute > 59 || second > 60) return undefined;
  const inDay = hour * HOUR + minute * MINUTE + second * 1000 + (fraction === undefined ? 0 : fractionMs(fraction));
  if (zone === undefined) return { inDay };
  const offset = zoneOffset(zone);
  return offset === undefined ? undefined : { inDay, offset };
}
