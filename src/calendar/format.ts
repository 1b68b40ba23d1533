import * as l10n from '@vscode/l10n';
import { MINUTE, SECOND, civilOf, timeOfDay, DAY, HOUR } from './civil.ts';
import { monthStep, type Frequency, fixedFrequency, fixedStep, type FrequencyUnit, isBelowDay } from './frequency.ts';
import { UTC, writeOffset, type Zone } from './zone.ts';
import type { OpenTime } from './open-time.ts';
import { BUSINESS_DAYS, isSameOpenTime, openDays, daysOf, isWholeDay, weekdaysInRuns } from './open-time.ts';
import { inDigits, inUnits } from './digits.ts';

const LONG = new Intl.DateTimeFormat('en', { month: 'long', timeZone: 'UTC' });

export const MONTH_NAMES = Array.from({ length: 12 }, (_, month) => LONG.format(Date.UTC(2000, month)));

export const shortMonth = (month: number): string => (MONTH_NAMES[month - 1] ?? '').slice(0, 3);

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
  const { year, month, day } = civilOf(whole);
  if (Number.isNaN(day)) throw new RangeError('There is no such instant.');
  const inDay = timeOfDay(whole);
  const clock = `${inTwo(inDay / HOUR)}:${inTwo((inDay % HOUR) / MINUTE)}:${inTwo((inDay % MINUTE) / SECOND)}`;
  const digits = String((inDay % SECOND) * 1000 + micros).padStart(6, '0');
  const fraction = digits === '000000' ? '' : `.${micros > 0 ? digits : digits.slice(0, 3)}`;
  const end = zone === UTC ? 'Z' : writeOffset(wall - time);
  return `${isoYear(year)}-${inTwo(month)}-${inTwo(day)}T${clock}${fraction}${end}`;
}

const inTwo = (number: number): string => (number < 10 ? `0${Math.floor(number)}` : `${Math.floor(number)}`);

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

const ADVERBS: Readonly<Record<FrequencyUnit, () => string>> = {
  millisecond: () => l10n.t('every millisecond'),
  second: () => l10n.t('every second'),
  minute: () => l10n.t('every minute'),
  hour: () => l10n.t('hourly'),
  day: () => l10n.t('daily'),
  week: () => l10n.t('weekly'),
  month: () => l10n.t('monthly'),
  quarter: () => l10n.t('quarterly'),
  year: () => l10n.t('yearly'),
};

function plural(count: number, unit: FrequencyUnit | 'business day' | 'open day' | 'point'): string {
  const digits = inDigits(count);
  if (unit === 'quarter') return count === 1 ? l10n.t('1 quarter') : l10n.t('{0} quarters', digits);
  if (unit === 'business day') return count === 1 ? l10n.t('1 business day') : l10n.t('{0} business days', digits);
  if (unit === 'open day') return count === 1 ? l10n.t('1 open day') : l10n.t('{0} open days', digits);
  if (unit === 'point') return count === 1 ? l10n.t('1 point') : l10n.t('{0} points', digits);
  return inUnits(count, unit);
}

const isBusinessDaily = ({ unit, open }: Frequency): boolean => unit === 'day' && isSameOpenTime(open, BUSINESS_DAYS);

/** A step in words: "monthly", "every 5 minutes", "business-daily", "half-hourly, Mon–Fri 8–18". */
export function describeFrequency(frequency: Frequency): string {
  const { unit, count, open } = frequency;
  const isBusiness = isBusinessDaily(frequency);
  if (open && !isBusiness) return `${describeFrequency({ unit, count })}, ${describeOpenTime(open)}`;
  if (isBusiness && count === 1) return l10n.t('business-daily');
  if (unit === 'minute' && count === 30) return l10n.t('half-hourly');
  if (unit === 'month' && count === 6) return l10n.t('half-yearly');
  return count === 1 ? ADVERBS[unit]() : l10n.t('every {0}', plural(count, isBusiness ? 'business day' : unit));
}

const weekdayName = (weekday: number): string =>
  [l10n.t('Mon'), l10n.t('Tue'), l10n.t('Wed'), l10n.t('Thu'), l10n.t('Fri'), l10n.t('Sat'), l10n.t('Sun')][weekday]!;

const MOST_GROUPS = 4;

/** "Mon–Sat", "Mon–Fri 8–18, Sat 9–13", "9:30–16:00" where every day has the same hours. */
export function describeOpenTime(open: OpenTime): string {
  const groups = daysOf(open);
  if (groups.length > MOST_GROUPS || groups.some(({ hours }) => hours.length > MOST_GROUPS)) {
    const hours = openDays(open).reduce((sum, day) => sum + day, 0) / HOUR;
    return l10n.t('{0} hours a week', Math.round(hours));
  }
  return groups
    .map(({ weekdays, hours }) => {
      const days = weekdaysInRuns(weekdays, weekdayName, '–').join(', ');
      if (isWholeDay(hours)) return days;
      const times = hours.map(hoursInWords).join(', ');
      return weekdays.length === 7 ? times : `${days} ${times}`;
    })
    .join(', ');
}

function hoursInWords([from, to]: OpenTime[number]): string {
  const isFull = from % HOUR === 0 && to % HOUR === 0;
  const clock = (time: number) => {
    const hour = time >= DAY && time % DAY < HOUR ? 24 : Math.floor(time / HOUR) % 24;
    return isFull ? `${hour}` : `${hour}:${String(Math.floor(time / MINUTE) % 60).padStart(2, '0')}`;
  };
  return `${clock(from)}–${clock(to)}`;
}

/** So many steps in words: "24 months", "5 business days", "1 day" for 288 steps of 5 minutes, "2 open days", "5 points". */
export function stepNoun(frequency: Frequency | undefined, steps: number): string {
  if (!frequency) return plural(steps, 'point');
  if (frequency.open) {
    const days = openDaysOf(frequency, steps);
    if (days !== undefined) return plural(days, isBusinessDaily(frequency) ? 'business day' : 'open day');
  }
  const { unit, count } = frequency;
  const months = monthStep(frequency);
  if (months !== undefined) {
    if (count === 1 || (steps * months) % 12 !== 0) return plural(steps * count, unit);
    return plural((steps * months) / 12, 'year');
  }
  const isPlain = count === 1 && (unit === 'hour' || unit === 'day' || unit === 'week');
  if (isPlain || unit === 'week') return plural(steps * count, unit);
  const length = Number(((fixedStep(frequency) ?? 0) * steps).toFixed(6));
  if (frequency.open && length % HOUR === 0) return plural(length / HOUR, 'hour');
  const whole = fixedFrequency(length);
  return whole.unit === 'week' ? plural(7 * whole.count, 'day') : plural(whole.count, whole.unit);
}

function openDaysOf(frequency: Frequency, steps: number): number | undefined {
  if (!isBelowDay(frequency)) return steps * frequency.count;
  const days = openDays(frequency.open ?? []).filter((length) => length > 0);
  const count = ((fixedStep(frequency) ?? 0) * steps) / (days[0] ?? 1);
  return Number.isInteger(count) && days.every((length) => length === days[0]) ? count : undefined;
}
