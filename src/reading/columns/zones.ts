import { said } from '../phrase.ts';
import { AMBIGUOUS, isIanaName, type WrittenZone, type ZoneMeaning } from '../../calendar/clock.ts';
import { findZone, fixedZone, UTC, type Zone } from '../../calendar/zone.ts';
import { searchZone, type Written } from './zone-search.ts';
import { SeriesError, type Choice, type LayoutChoice } from '../types.ts';

/** Rows from one on that write the same zone. */
interface Run {
  readonly row: number;
  readonly offset: number | undefined;
  readonly name: string | undefined;
}

/** Clocks change twice a year, in a table of many series for each of them; what comes after so many tells no more. */
const MOST_RUNS = 20_000;

/** The zones that the times of a column are written with, in the order of the rows. */
export class WrittenZones {
  /** Set by the reader of each cell. */
  readonly cell: WrittenZone = { offset: undefined, name: undefined };
  readonly runs: Run[] = [];
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
}

/** How times that were read become instants. */
interface Shift {
  readonly row: number;
  /** Milliseconds to add, where a name means another zone than it was read in. */
  readonly by: number;
  /** The zone whose clocks show what was read. */
  readonly clock?: Zone;
}

const shifted = (time: number, { by, clock }: Omit<Shift, 'row'>) => (clock ? clock.fromWall(time) : time + by);

/** What was found out about the zone of a column of times. */
export interface FoundZone {
  readonly zone: Zone;
  /** What is to be done with the times of the rows from each of these on; empty where there is nothing to do. */
  readonly shifts: readonly Shift[];
  readonly choice?: Choice;
  /** {@link TimeAxis.otherOffsets} */
  readonly otherOffsets?: Float64Array;
}

/**
 * The zone of a column of times: the offset that all of them have, or the zone whose clocks changed as they do, or did but
 * for fewer than half of them. UTC where none is written or no zone explains them. Of a name that is in use for several zones the person has the choice, unless
 * another name beside it tells.
 */
export function findColumnZone(
  zones: WrittenZones,
  times: Float64Array,
  layout: LayoutChoice,
  column: { readonly name: string; readonly samples: readonly string[] },
): FoundZone {
  const { runs } = zones;
  const names = new Set(runs.map(({ name }) => name));
  let meant: ZoneMeaning | undefined;
  let choice: Choice | undefined;
  const shifts: Shift[] = [];
  const clocks = new Map<string, Zone>();
  const meanings = new Map<string, ZoneMeaning>();
  for (const name of names) {
    if (isIanaName(name)) clocks.set(name, knownZone(name, column.samples));
    const options = name === undefined || zones.mixed ? undefined : AMBIGUOUS[name];
    if (name === undefined || !options) continue;
    const told = options.find(({ beside }) => beside.some((other) => names.has(other)));
    meant = options.find(({ zone }) => zone === layout.timeZone) ?? told ?? options[0]!;
    meanings.set(name, meant);
    if (!told && options.every(({ zone }) => zone !== layout.timeZone)) choice = zoneChoice(column.name, name, options);
  }
  const actual = runs.map((run) => {
    const meaning = run.name === undefined ? undefined : meanings.get(run.name);
    const clock = run.offset === undefined && run.name !== undefined ? clocks.get(run.name) : undefined;
    shifts.push({ row: run.row, by: meaning ? (run.offset ?? 0) - meaning.offset : 0, ...(clock ? { clock } : {}) });
    return { row: run.row, offset: meaning?.offset ?? run.offset ?? 0 };
  });
  const isShifted = shifts.some(({ by, clock }) => by !== 0 || clock);
  const [named] = clocks.keys();
  const written = { runs: actual, times, shifts, isCut: zones.mixed };
  const zone = searchZone(endsOf(written), meant?.zone ?? named);
  const otherOffsets = otherOffsetsOf(written, zone);
  return {
    zone,
    shifts: isShifted ? shifts : [],
    ...(choice ? { choice } : {}),
    ...(otherOffsets ? { otherOffsets } : {}),
  };
}

/** The offsets of a column as they are written, those of names as what they mean, with the times before they are moved. */
interface WrittenOffsets {
  readonly runs: readonly { readonly row: number; readonly offset: number }[];
  readonly times: Float64Array;
  readonly shifts: readonly Shift[];
  /** Whether there are more runs than are known. */
  readonly isCut: boolean;
}

/** Rows of a run, from the first to the one after the last. */
const boundsOf = ({ runs, times, isCut }: WrittenOffsets, index: number): readonly [from: number, to: number] => {
  const { row } = runs[index]!;
  return [row, runs[index + 1]?.row ?? (isCut ? row + 1 : times.length)];
};

const offsetAt = (time: number, offset: number, { clock }: Shift) => (clock ? clock.toWall(time) - time : offset);

/** Offsets of the rows that are not written in the zone, or, where that is none of theirs, as most are; of no rows as yet unknown. */
function otherOffsetsOf(written: WrittenOffsets, zone: Zone): Float64Array | undefined {
  const { runs, times, shifts } = written;
  if (runs.length < 2) return undefined;
  const rest = zone === UTC ? fixedZone(mostWritten(written)) : zone;
  let others: Float64Array | undefined;
  for (const [index, { offset }] of runs.entries()) {
    const shift = shifts[index]!;
    const [from, to] = boundsOf(written, index);
    for (let row = from; row < to; row++) {
      const time = shifted(times[row]!, shift);
      if (Number.isNaN(time)) continue;
      const own = offsetAt(time, offset, shift);
      if (rest.toWall(time) - time === own) continue;
      others ??= new Float64Array(times.length).fill(NaN);
      others[row] = own;
    }
  }
  return others;
}

function mostWritten(written: WrittenOffsets): number {
  const rows = new Map<number, number>();
  written.runs.forEach(({ offset }, index) => {
    const [from, to] = boundsOf(written, index);
    rows.set(offset, (rows.get(offset) ?? 0) + to - from);
  });
  return [...rows].reduce((most, each) => (each[1] > most[1] ? each : most))[0];
}

/** What is known of a column: the first and the last row of each run, each for half of its rows. */
function* endsOf(written: WrittenOffsets): Generator<Written> {
  const { runs, times, shifts } = written;
  for (const [index, { offset }] of runs.entries()) {
    const shift = shifts[index]!;
    const [row, end] = boundsOf(written, index);
    for (const at of [row, end - 1]) {
      const time = shifted(times[at]!, shift);
      yield { time, offset: offsetAt(time, offset, shift), rows: (end - row) / 2 };
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

/** Moves times by what {@link findColumnZone} says. The array is changed. */
export function shiftTimes(times: Float64Array, shifts: FoundZone['shifts']): void {
  shifts.forEach((shift, index) => {
    const end = shifts[index + 1]?.row ?? times.length;
    if (shift.by !== 0 || shift.clock) for (let at = shift.row; at < end; at++) times[at] = shifted(times[at]!, shift);
  });
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
    said`The time zone in “${cell}” is not known: write “${zone}” as an offset such as +01:00 or a name such as Europe/Berlin.`,
  );
}

/** How far the times of each row are ahead of UTC, as it is written; 0 where it is not. */
export function writtenOffsets({ runs }: WrittenZones, rows: number): Float64Array {
  const offsets = new Float64Array(rows);
  runs.forEach(({ row, offset = 0 }, index) => offsets.fill(offset, row, runs[index + 1]?.row ?? rows));
  return offsets;
}
