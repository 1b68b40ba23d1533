import { LONGEST } from '../../calendar/timestamp.ts';
import { startOfSpan, TIME_FORMATS, type TimeFormat } from './dates.ts';

const CLOCK = String.raw`.{6,60}?\d:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?(?:\s?[AaPp]\.?[Mm]\.?(?!\p{L}))?`;
const CLOCK_AND_ZONE = new RegExp(
  String.raw`^(${CLOCK})(?:\s(?!\p{Ll}[^/]*$))?(\p{L}[\p{L}\d_/+-]*(?:(?: \p{L}+){0,2} [Tt]ime)?)$`,
  'u',
);
const CLOCK_AND_WORD = new RegExp(String.raw`^(${CLOCK})\s?(Z|[+-]\d{2}:?\d{2})?\s?(\p{L}[\p{L}\d_-]*)$`, 'u');
/** As C and `date` write it. */
const C_TIME = /^(\p{L}{3}\s.{4,20}\d:\d{2})\s([A-Z]{2,5})(\s\d{4})$/u;

/** As zones are abbreviated: the letters of three words, or a few of which the last one is Time or, in German, Zeit. */
const ABBREVIATED = /^(?:[A-Z]{3}|[A-Z][A-Za-z]{0,3}T|[A-Z]{2,4}Z)$/;
/** Words of logs, calendars and markets that are written so too. */
const NO_ZONES =
  /^(?:ALERT|ERR|EVENT|EXIT|FAULT|HALT|INIT|LOG|PUT|RESET|START|TEST|RUN|END|NEW|OLD|YES|OFF|OUT|ACK|MIN|MAX|AVG|SUM|NAN|MON|TUE|WED|THU|FRI|SAT|SUN|DAY|ASK|BID|BUY|LOW|LIMIT|SHORT|EUR|USD|GBP)$/;

/** The names of IANA that are one word; asking the runtime for each word of a file would take many times as long as to read it. */
const ALONE =
  /^(?:Cuba|Egypt|Eire|EST5EDT|CST6CDT|MST7MDT|PST8PDT|GB|GB-Eire|Greenwich|Hongkong|Iceland|Iran|Israel|Jamaica|Japan|Kwajalein|Libya|Navajo|NZ|NZ-CHAT|Poland|Portugal|PRC|ROC|ROK|Singapore|Turkey|UCT|Universal|W-SU|Zulu)$/;

const DATES = TIME_FORMATS.filter(({ id }) => id !== 'clock');

/** Whether a cell is a time and not a clock alone. @param formats in which it may be written */
export const isTime = (text: string, formats: readonly TimeFormat[] = DATES) =>
  formats.some(({ parse }) => !Number.isNaN(parse(text)));

function isLikeZone(word: string): boolean {
  if (/[/+]| time$|^(?:UTC|GMT)/i.test(word)) return true;
  if (NO_ZONES.test(word)) return false;
  return ABBREVIATED.test(word) || ALONE.test(word);
}

/** What looks like the name of a zone, which is not known, after the clock of a cell that would be a time without it. */
export function unknownZone(text: string): string | undefined {
  if (text.length > LONGEST) return undefined;
  const [, time, word, year = ''] = CLOCK_AND_ZONE.exec(text) ?? C_TIME.exec(text) ?? [];
  if (time === undefined || word === undefined || isTime(text) || !isLikeZone(word)) return undefined;
  return isTime(time + year) ? word : undefined;
}

/** Whether a cell is a time and a word after it that is no zone. @param formats in which it may be written */
export const hasWord = (text: string, formats: readonly TimeFormat[] = DATES): boolean =>
  withoutWord(text, formats) !== text;

/**
 * The time of a cell that says more: the start of a span, or what stands before a word that is no zone, such as a
 * weekday.
 */
export function bareTime(text: string, formats: readonly TimeFormat[] = DATES): string {
  const start = startOfSpan(text);
  return start === text ? withoutWord(text, formats) : start;
}

function withoutWord(text: string, formats: readonly TimeFormat[]): string {
  const [, clock, offset = '', word] = text.length > LONGEST ? [] : (CLOCK_AND_WORD.exec(text) ?? []);
  if (clock === undefined || word === undefined || isTime(text, formats)) return text;
  if (offset === '' && isLikeZone(word)) return text;
  return isTime(clock + offset, formats) ? clock + offset : text;
}
