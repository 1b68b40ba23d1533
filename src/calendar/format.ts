import * as l10n from '@vscode/l10n';
import { MINUTE, civilOf, inFirstEra, timeOfDay } from './civil.ts';
import { monthStep, type Frequency } from './frequency.ts';
import { UTC, writeOffset, type Zone } from './zone.ts';

const LONG = new Intl.DateTimeFormat('en', { month: 'long', timeZone: 'UTC' });

export const MONTH_NAMES = Array.from({ length: 12 }, (_, month) => LONG.format(Date.UTC(2000, month)));

export const shortMonth = (month: number): string => (MONTH_NAMES[month - 1] ?? '').slice(0, 3);

/** A year in ISO 8601, with a sign and six digits beyond 0 to 9999. */
const isoYear = (year: number): string =>
  year >= 0 && year <= 9999
    ? String(year).padStart(4, '0')
    : `${year < 0 ? '-' : '+'}${String(Math.abs(year)).padStart(6, '0')}`;

export function writeYear(value: number): string {
  return value > 0 && value < 1000 ? l10n.t('year {0}', value) : isoYear(value);
}

/** ISO 8601 in UTC or with the offset of a zone; with milliseconds or microseconds only where there are any. */
export function isoInstant(time: number, zone: Zone = UTC): string {
  const wall = zone.toWall(time);
  const whole = Math.floor(wall);
  const micros = Math.round((wall - whole) * 1000);
  if (micros === 1000) return isoInstant(Math.ceil(time), zone);
  const written = inFirstEra(whole)
    .toISOString()
    .slice(4, -1)
    .replace(/\.000$/, micros === 0 ? '' : '.000');
  const end = zone === UTC ? 'Z' : writeOffset(wall - time);
  return `${isoYear(civilOf(whole).year)}${written}${micros === 0 ? '' : String(micros).padStart(3, '0')}${end}`;
}

/** An instant as people of that frequency write it: "Jan 1949", "Q1 1982", "1990", "3 May 2021", "2021-05-03 13:00". */
export function formatInstant(time: number, frequency?: Frequency, zone: Zone = UTC): string {
  if (!Number.isFinite(time)) return '–';
  const wall = zone.toWall(time);
  const { year: y, month, day } = civilOf(wall);
  const months = frequency && monthStep(frequency);
  if (months !== undefined) {
    if (months % 12 === 0) return writeYear(y);
    if (months === 3) return `Q${Math.ceil(month / 3)} ${writeYear(y)}`;
    return `${shortMonth(month)} ${writeYear(y)}`;
  }
  if (timeOfDay(wall) === 0 && (!frequency || frequency.unit === 'day' || frequency.unit === 'week')) {
    return `${day} ${shortMonth(month)} ${writeYear(y)}`;
  }
  const iso = isoInstant(wall).replace('T', ' ').replace('Z', '');
  return wall % MINUTE === 0 ? iso.slice(0, -3) : iso;
}
