import * as l10n from '@vscode/l10n';
import { HOUR, MINUTE, DAY, daysFromCivil, daysInMonth } from './civil.ts';

export interface WrittenZone {
  offset: number | undefined;
  /** `CET` or an IANA name, where one is written; with an IANA name alone the time that was read is local. */
  name: string | undefined;
}

/** Names of zones after their hours ahead of UTC; those that mean several are read as the first of their meanings. */
const NAMES = [
  '-10 HST, -9 AKST, -8 PST AKDT, -7 MST PDT, -6 CST MDT, -5 EST CDT COT PET, -4 EDT AST BOT VET CLT',
  '-3.5 NST, -3 BRT ART ADT CLST UYT, -2.5 NDT, -2 BRST, 0 Z UTC GMT WET, 1 WEST BST CET MEZ WAT',
  '2 CEST MESZ EET SAST CAT, 3 EEST MSK IDT EAT TRT, 3.5 IRST, 4 MSD, 4.5 IRDT, 5 PKT, 5.5 IST',
  '5.75 NPT, 7 ICT WIB, 8 SGT HKT AWST WITA MYT PHT, 9 JST KST WIT, 9.5 ACST, 10 AEST, 10.5 ACDT',
  '11 AEDT, 12 NZST, 13 NZDT',
];
const ZONES: Readonly<Record<string, number>> = Object.fromEntries(
  NAMES.flatMap((line) => line.split(', ')).flatMap((each) => {
    const [hours, ...names] = each.split(' ');
    return names.map((name) => [name, Number(hours)]);
  }),
);

const SEASONS = [
  ...['EST/EDT', 'CST/CDT', 'MST/MDT', 'PST/PDT', 'AKST/AKDT', 'AST/ADT', 'NST/NDT', 'CLT/CLST', 'WET/WEST'],
  ...['GMT/BST', 'CET/CEST', 'MEZ/MESZ', 'EET/EEST', 'IRST/IRDT', 'ACST/ACDT', 'AEST/AEDT', 'NZST/NZDT'],
].map((pair) => pair.split('/') as [winter: string, summer: string]);

/** The words for a clock in winter and in summer, given one of them; `undefined` where it has but one. */
export function seasonWords(word: string): readonly [string, string] | undefined {
  return SEASONS.find((words) => words.includes(word));
}

/** @param beside names of its other clock: beside one of them it is the one that is meant */
const meaning = (zone: string, hours: number, label: () => string, ...beside: readonly string[]) => ({
  zone,
  offset: hours * HOUR,
  label,
  beside,
});
export type ZoneMeaning = ReturnType<typeof meaning>;

/** Names that are in use for several zones, each with the most common meaning first. */
export const AMBIGUOUS: Readonly<Record<string, readonly ZoneMeaning[]>> = {
  AST: [
    meaning('America/Halifax', -4, () => l10n.t('Atlantic Standard Time'), 'ADT'),
    meaning('Asia/Riyadh', 3, () => l10n.t('Arabia Standard Time')),
  ],
  CST: [
    meaning('America/Chicago', -6, () => l10n.t('Central Standard Time (North America)'), 'CDT'),
    meaning('Asia/Shanghai', 8, () => l10n.t('China Standard Time')),
    meaning('America/Havana', -5, () => l10n.t('Cuba Standard Time')),
  ],
  BST: [
    meaning('Europe/London', 1, () => l10n.t('British Summer Time'), 'GMT', 'UTC', 'Z'),
    meaning('Asia/Dhaka', 6, () => l10n.t('Bangladesh Standard Time')),
  ],
  IST: [
    meaning('Asia/Kolkata', 5.5, () => l10n.t('India Standard Time')),
    meaning('Asia/Jerusalem', 2, () => l10n.t('Israel Standard Time'), 'IDT'),
    meaning('Europe/Dublin', 1, () => l10n.t('Irish Standard Time'), 'GMT', 'UTC', 'Z'),
  ],
};

const LONGEST_CLOCK = 80;
export const CLOCK =
  /^(\d{1,2})(?:[:.h](\d{2})(?:[:.](\d{2})(?:[.,](\d{1,9}))?)?)?(?:\s?([ap]\.?m\.?|(?<=:\d\d)[ap](?![a-z]))(?![a-z]+\/))?(?:\s?(?:uhr|(?<!\.\d\d\s?)(?:hrs|h))(?![a-z]))?(?:\s?([a-z+[-].*))?$/i;
const NAMED_ZONE = /^([A-Z]{1,4})(?:\s?\([^()]*\))?$/i;
const OFFSET_ZONE = /^(UTC|GMT)?([+-])(\d{1,2})(?::?(\d{2}))?(?:\s?\([^()]*\))?$/i;
const IANA_ZONE = /^[A-Z][A-Za-z]+(?:\/[A-Za-z][\w+-]*){1,2}$/;
/** As RFC 9557 and Java write a zone after its offset, with further tags after it: `[Europe/Berlin][u-ca=gregory]`. */
const BRACKETED = /^([^[]*)\[!?([^[\]=]+)\](?:\[[^[\]]*\])*$/;

export function isIanaName(name: string | undefined): name is string {
  return name?.includes('/') === true;
}

/** Milliseconds ahead of UTC of `+01:00`, `GMT-5`, `CET`, `+01:00[Europe/Berlin]`; 0 of an IANA name alone. */
export function readZone(text: string, written?: WrittenZone): number | undefined {
  const [, before = '', inside = text] = BRACKETED.exec(text) ?? [];
  const found = zoneIn(before === '' ? inside : before.trim());
  if (!found) return undefined;
  const isNamed = before !== '' && IANA_ZONE.test(inside);
  if (written) [written.offset, written.name] = [found.offset, isNamed ? inside : found.name];
  return found.offset ?? 0;
}

function zoneIn(text: string): WrittenZone | undefined {
  if (IANA_ZONE.test(text)) return { offset: undefined, name: text };
  const name = NAMED_ZONE.exec(text)?.[1]?.toUpperCase();
  const hours = name === undefined ? undefined : ZONES[name];
  if (hours !== undefined) return { offset: hours * HOUR, name };
  const [, prefix, sign, hour, minute = '0'] = OFFSET_ZONE.exec(text) ?? [];
  if (hour === undefined || (hour.length < 2 && prefix === undefined)) return undefined;
  const size = Number(hour) * HOUR + Number(minute) * MINUTE;
  if (size > 15 * HOUR || Number(minute) > 59) return undefined;
  return { offset: sign === '-' && size > 0 ? -size : size, name: undefined };
}

/** Reads `1:00:05.25 PM`, `13h00 Uhr`, `24:00+02`: milliseconds since midnight of the written day, and those to take off for UTC. */
export function parseClock(text: string, written?: WrittenZone) {
  const parts = text.length > LONGEST_CLOCK ? null : CLOCK.exec(text);
  if (!parts) return undefined;
  const [, hourText = '', minuteText, secondText = '0', fraction = '0', half, zone] = parts;
  if (minuteText === undefined && half === undefined) return undefined;
  const hour = half === undefined ? Number(hourText) : hourOfHalf(Number(hourText), half);
  const [minute, second] = [Number(minuteText ?? 0), Number(secondText)];
  const lastMidnight = hour === 24 && minute === 0 && second === 0;
  if (!(hour <= 23 || lastMidnight) || minute > 59 || second > 60) return undefined;
  const inDay = hour * HOUR + minute * MINUTE + second * 1000 + Number(`0.${fraction}`) * 1000;
  if (zone === undefined) return { inDay, offset: 0 };
  const offset = readZone(zone, written);
  return offset === undefined ? undefined : { inDay, offset };
}

const hourOfHalf = (hour: number, half: string): number =>
  hour >= 1 && hour <= 12 ? (hour % 12) + (/^p/i.test(half) ? 12 : 0) : NaN;

const FIRST_YEAR = 1;
const LAST_YEAR = 9999;

/** Midnight UTC of a civil day of the years 1 to 9999 in epoch milliseconds, or `NaN` where there is no such day. */
export function instantOf(year: number, month: number, day: number): number {
  return year >= FIRST_YEAR && year <= LAST_YEAR ? midnightOf(year, month, day) : NaN;
}

function midnightOf(year: number, month: number, day: number): number {
  if (!(month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month))) return NaN;
  return daysFromCivil(year, month, day) * DAY;
}

export function withClock(day: number, text: string, written?: WrittenZone): number {
  if (text === '' || Number.isNaN(day)) return day;
  const clock = parseClock(text, written);
  return clock ? day + clock.inDay - clock.offset : NaN;
}

const USUAL = /^\d{4}-\d\d-\d\d(?:[T ](?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?(?:Z|[+-](?:0\d|1[0-4]):[0-5]\d)?)?$/;

/** ISO 8601 by its digits, as groups of a pattern would cost the most; `undefined` for unusual forms, `NaN` for no day. */
export function parseUsual(text: string, written?: WrittenZone): number | undefined {
  if (!USUAL.test(text)) return undefined;
  const two = (at: number) => text.charCodeAt(at) * 10 + text.charCodeAt(at + 1) - 528;
  const day = instantOf(two(0) * 100 + two(2), two(5), two(8));
  if (text.length === 10) return day;
  const wall = day + two(11) * HOUR + two(14) * MINUTE + (text[16] === ':' ? two(17) * 1000 : 0);
  const sign = text.at(text.length < 22 ? -1 : -6)!;
  if (!'Z+-'.includes(sign)) return wall;
  const size = sign === 'Z' ? 0 : two(text.length - 5) * HOUR + two(text.length - 2) * MINUTE;
  const offset = sign === '-' ? -size || 0 : size;
  if (written) [written.offset, written.name] = [offset, undefined];
  return wall - offset;
}

const ISO =
  /^(\d{4}|[+-]\d{6})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s?(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i;

/** Epoch milliseconds of ISO 8601, UTC without an offset, or `NaN`; years beyond 9999 have a sign and six digits. */
export const parseTimestamp = (text: string): number => parseZoned(text);

export function parseZoned(text: string, written?: WrittenZone): number {
  const usual = parseUsual(text, written);
  if (usual !== undefined) return usual;
  const match = ISO.exec(text.length > LONGEST ? '' : text.trim());
  if (!match) return NaN;
  const [, year, month, day, hour, minute = '', second = '00', fraction = '0', zone = 'Z'] = match;
  const midnight = midnightOf(Number(year), Number(month), Number(day));
  if (hour === undefined) return midnight;
  return withClock(midnight, `${hour}:${minute}:${second}.${fraction}${zone}`, written);
}

/** The longest timestamp is shorter: one with the weekday, names in full, nine digits of a second and a zone's long name. */
export const LONGEST = 100;
