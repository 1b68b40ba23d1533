import { UTC, fixedZone, offsetsIn, zoneOf, type Zone } from '../../calendar/zone.ts';

/** How far ahead of UTC an instant is written, in milliseconds, and how many rows speak for it. */
export interface Written {
  readonly time: number;
  readonly offset: number;
  readonly rows: number;
}

/** The zones that most files with two offsets come from; that of this machine is tried before them. */
const USUAL = [
  'Europe/Berlin',
  'Europe/London',
  'America/New_York',
  'America/Chicago',
  'America/Denver',
  'America/Los_Angeles',
  'Europe/Athens',
  'Europe/Lisbon',
  'Australia/Sydney',
  'Australia/Adelaide',
  'Pacific/Auckland',
  'America/Halifax',
  'America/St_Johns',
  'America/Anchorage',
  'America/Santiago',
  'America/Sao_Paulo',
  'America/Mexico_City',
  'America/Asuncion',
  'America/Havana',
  'Asia/Jerusalem',
  'Asia/Beirut',
  'Africa/Cairo',
  'Africa/Casablanca',
  'Asia/Tehran',
  'Europe/Moscow',
  'Europe/Istanbul',
  'Europe/Chisinau',
  'Atlantic/Azores',
  'America/Nuuk',
];

/** Hundreds of zones are asked for each: more would hold up the reading of a file, and tell no more. */
const MOST_ASKED = 200;
/** The fractional parts of its multiples are spread evenly, whatever comes around in what is picked by them. */
const GOLDEN = (Math.sqrt(5) - 1) / 2;
/** A zone that explains fewer rows than the rest of these is none: those of two places stand below each other. */
const MOST_LOST = 0.4;

/** What was written, each instant with each offset once; of many a part that stands for all of them. */
function distinct(written: Iterable<Written>): Written[] {
  const byOffset = new Map<number, Map<number, Written>>();
  for (const { time, offset, rows } of written) {
    if (!(time > -Infinity)) continue;
    const known = byOffset.get(offset) ?? new Map<number, Written>();
    byOffset.set(offset, known);
    known.set(time, { time, offset, rows: rows + (known.get(time)?.rows ?? 0) });
  }
  const each = [...byOffset.values()].flatMap((known) => [...known.values()]);
  if (each.length <= MOST_ASKED) return each;
  const picked = each.map((one, index) => ({ one, by: (index * GOLDEN) % 1 })).sort((a, b) => a.by - b.by);
  return picked.slice(0, MOST_ASKED).map(({ one }) => one);
}

/** First the zone that a name stands for, then the offsets themselves, the usual zones, and all others that there are. */
function* candidates(named: string | undefined, asked: readonly Written[]): Generator<string | number> {
  if (named !== undefined) yield named;
  yield* new Set(asked.map(({ offset }) => offset));
  yield new Intl.DateTimeFormat().resolvedOptions().timeZone;
  yield* USUAL;
  yield* Intl.supportedValuesOf('timeZone');
}

/**
 * The zone in which times are written with these offsets: the one that explains all of them, else the offset or the zone
 * that explains the most rows, as a few may be written wrong. UTC where none explains six in ten of them.
 * @param named IANA name of a zone that the column itself names; it is preferred to others that explain as much
 */
export function searchZone(written: Iterable<Written>, named: string | undefined): Zone {
  const asked = distinct(written).sort((a, b) => b.rows - a.rows);
  let fewest = asked.reduce((sum, { rows }) => sum + rows, 0) * MOST_LOST;
  let best: string | number | undefined;
  const attempt = (zone: string | number, offsetAt: (time: number) => number) => {
    let lost = 0;
    for (const { time, offset, rows } of asked) {
      if (offsetAt(time) !== offset) lost += rows;
      if (lost >= fewest) return;
    }
    [best, fewest] = [zone, lost];
  };
  for (const zone of candidates(named, asked)) {
    if (fewest === 0) break;
    const offsetAt = typeof zone === 'number' ? () => zone : offsetsIn(zone);
    if (offsetAt) attempt(zone, offsetAt);
  }
  return best === undefined ? UTC : typeof best === 'number' ? fixedZone(best) : zoneOf(best);
}
