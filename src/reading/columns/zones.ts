import { AMBIGUOUS, isIanaName, type WrittenZone, type ZoneMeaning } from '../../calendar/clock.ts';
import { UTC, findZone, fixedZone, type Zone } from '../../calendar/zone.ts';
import { said } from '../phrase.ts';
import { SeriesError, type Choice, type LayoutChoice } from '../types.ts';
import { searchZone, type Written } from './zone-search.ts';

/** Clocks change twice a year, in a table of many series for each of them; what comes after so many tells no more. */
const MOST_RUNS = 20_000;

/** The zones that the times of a column are written with, in the order of the rows. */
export class WrittenZones {
  /** Set by the reader of each cell. */
  readonly cell: WrittenZone = { offset: undefined, name: undefined };
  /** Rows from one on that write the same zone. */
  readonly runs: (Readonly<WrittenZone> & { readonly row: number })[] = [];
  /** Whether there are more changes than are kept. */
  mixed = false;

  /** Takes what the cell of a row said, and makes ready for the next. */
  take(row: number): void {
    const { offset, name } = this.cell;
    this.cell.offset = undefined;
    this.cell.name = undefined;
    const last = this.runs.at(-1);
    if (offset === last?.offset && name === last?.name) return;
    // times with a name alone are no instants yet
    const isNeeded = isIanaName(name) || isIanaName(last?.name);
    if (this.runs.length < MOST_RUNS || isNeeded) this.runs.push({ row, offset, name });
    else this.mixed = true;
  }

  /** How far the times of each row are ahead of UTC, as it is written; 0 where it is not. */
  offsets(rows: number): Float64Array {
    const offsets = new Float64Array(rows);
    this.runs.forEach(({ row, offset = 0 }, index) => offsets.fill(offset, row, this.runs[index + 1]?.row ?? rows));
    return offsets;
  }
}

/** Rows that are written in one zone. */
interface Span {
  readonly from: number;
  /** The one after the last. */
  readonly to: number;
  /** Milliseconds to add, where a name means another zone than it was read in. */
  readonly by: number;
  /** Milliseconds ahead of UTC of an instant. */
  readonly offsetAt: (time: number) => number;
  /** The zone whose clocks show what was read, where that is no instant yet. */
  readonly clock: Zone | undefined;
}

/** What was found out about the zone of a column of times. */
export interface FoundZone {
  readonly zone: Zone;
  /** The instants of the rows; the same array where all were read as such. */
  readonly times: Float64Array;
  readonly choice?: Choice;
  /** {@link TimeAxis.otherOffsets} */
  readonly otherOffsets?: Float64Array;
}

/**
 * The zone of a column of times: the offset that all of them have, or the zone whose clocks changed as they do, or did but
 * for fewer than half of them. UTC where none is written or no zone explains them. Of a name that is in use for several
 * zones the person has the choice, unless another name beside it tells.
 * @param read the times as their cells say them, without the meaning of names
 */
export function findColumnZone(
  zones: WrittenZones,
  read: Float64Array,
  layout: LayoutChoice,
  column: { readonly name: string; readonly samples: readonly string[] },
): FoundZone {
  const { runs, mixed } = zones;
  const names = new Set(runs.flatMap(({ name }) => name ?? []));
  const clocks = new Map([...names].filter(isIanaName).map((name) => [name, knownZone(name, column.samples)]));
  const { meanings, choice } = meaningsOf(mixed ? new Set() : names, layout, column.name);
  const spans = runs.map(({ row, offset, name = '' }, index): Span => {
    const meaning = meanings.get(name);
    const clock = offset === undefined ? clocks.get(name) : undefined;
    const actual = meaning?.offset ?? offset ?? 0;
    return {
      from: row,
      // what comes after the last run that was kept is not known
      to: runs[index + 1]?.row ?? (mixed && !clock ? row + 1 : read.length),
      by: meaning ? (offset ?? 0) - meaning.offset : 0,
      offsetAt: clock ? (time) => clock.toWall(time) - time : () => actual,
      clock,
    };
  });
  const times = moved(read, spans);
  const [named] = clocks.keys();
  const zone = searchZone(endsOf(spans, times), [...meanings.values()].at(-1)?.zone ?? named);
  const otherOffsets = otherOffsetsOf(spans, times, zone);
  return { zone, times, ...(choice ? { choice } : {}), ...(otherOffsets ? { otherOffsets } : {}) };
}

/** What names that are in use for several zones mean here, and the question which where nothing tells. */
function meaningsOf(names: ReadonlySet<string>, { timeZone }: LayoutChoice, column: string) {
  const meanings = new Map<string, ZoneMeaning>();
  let choice: Choice | undefined;
  for (const name of names) {
    const options = AMBIGUOUS[name];
    if (!options) continue;
    const chosen = options.find(({ zone }) => zone === timeZone);
    const implied = options.find(({ beside }) => beside.some((other) => names.has(other)));
    meanings.set(name, chosen ?? implied ?? options[0]!);
    if (!implied && !chosen) choice = zoneChoice(column, name, options);
  }
  return { meanings, choice };
}

/** The times as instants. */
function moved(read: Float64Array, spans: readonly Span[]): Float64Array {
  if (spans.every(({ by, clock }) => by === 0 && !clock)) return read;
  const times = read.slice();
  for (const { from, to, by, clock } of spans)
    for (let row = from; row < to; row++) times[row] = clock ? clock.fromWall(times[row]!) : times[row]! + by;
  return times;
}

/** Offsets of the rows that are not written in the zone, or, where that is none of theirs, as most are. */
function otherOffsetsOf(spans: readonly Span[], times: Float64Array, zone: Zone): Float64Array | undefined {
  if (spans.length < 2) return undefined;
  const rest = zone === UTC ? fixedZone(mostWritten(spans)) : zone;
  let others: Float64Array | undefined;
  for (const { from, to, offsetAt } of spans) {
    for (let row = from; row < to; row++) {
      const time = times[row]!;
      const own = offsetAt(time);
      if (Number.isNaN(time) || rest.toWall(time) - time === own) continue;
      others ??= new Float64Array(times.length).fill(NaN);
      others[row] = own;
    }
  }
  return others;
}

/** The offset of the most rows. */
function mostWritten(spans: readonly Span[]): number {
  const rows = new Map<number, number>();
  for (const { from, to, offsetAt } of spans) rows.set(offsetAt(0), (rows.get(offsetAt(0)) ?? 0) + to - from);
  return [...rows].reduce((most, each) => (each[1] > most[1] ? each : most))[0];
}

/** What is known of a column: the first and the last row of each run, each for half of its rows. */
function* endsOf(spans: readonly Span[], times: Float64Array): Generator<Written> {
  for (const { from, to, offsetAt } of spans) {
    for (const row of [from, to - 1]) {
      const time = times[row]!;
      yield { time, offset: offsetAt(time), rows: (to - from) / 2 };
    }
  }
}

function zoneChoice(column: string, name: string, meanings: readonly ZoneMeaning[]): Choice {
  return {
    kind: 'time-zone',
    question: said`Which zone does ${name} mean in “${column}”?`.message,
    options: meanings.map(({ zone, label }) => ({ label: label(), detail: zone, layout: { timeZone: zone } })),
    suggested: 0,
  };
}

function knownZone(name: string, cells: readonly string[]): Zone {
  const zone = findZone(name);
  if (!zone) throw unknownZoneError(cells.find((cell) => cell.includes(name)) ?? name, name);
  return zone;
}

/** The error for times with the name of a zone that nobody knows. */
export function unknownZoneError(cell: string, zone: string): SeriesError {
  return new SeriesError(
    'not-a-time',
    said`Unknown time zone in “${cell}”. Write “${zone}” as an offset such as +01:00 or a name such as Europe/Berlin.`,
  );
}
