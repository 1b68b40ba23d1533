import { said } from '../phrase.ts';
import { AMBIGUOUS, type WrittenZone, type ZoneMeaning } from '../../calendar/clock.ts';
import type { Zone } from '../../calendar/zone.ts';
import { searchZone, type Written } from './zone-search.ts';
import type { Choice, LayoutChoice } from '../types.ts';

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
    if (this.runs.length < MOST_RUNS) this.runs.push({ row, offset, name });
    else this.mixed = true;
  }
}

/** What was found out about the zone of a column of times. */
export interface FoundZone {
  readonly zone: Zone;
  /** Milliseconds to add to the times of the rows from this one on, where a name means another zone than it was read in. */
  readonly shifts: readonly { readonly row: number; readonly by: number }[];
  readonly choice?: Choice;
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
  column: string,
): FoundZone {
  const { runs } = zones;
  const names = new Set(runs.map(({ name }) => name));
  let meant: ZoneMeaning | undefined;
  let choice: Choice | undefined;
  const shifts: { row: number; by: number }[] = [];
  const meanings = new Map<string, ZoneMeaning>();
  for (const name of names) {
    const options = name === undefined || zones.mixed ? undefined : AMBIGUOUS[name];
    if (name === undefined || !options) continue;
    const told = options.find(({ beside }) => beside.some((other) => names.has(other)));
    meant = options.find(({ zone }) => zone === layout.timeZone) ?? told ?? options[0]!;
    meanings.set(name, meant);
    if (!told && options.every(({ zone }) => zone !== layout.timeZone)) choice = zoneChoice(column, name, options);
  }
  const actual = runs.map((run) => {
    const meaning = run.name === undefined ? undefined : meanings.get(run.name);
    shifts.push({ row: run.row, by: meaning ? (run.offset ?? 0) - meaning.offset : 0 });
    return { row: run.row, offset: meaning?.offset ?? run.offset ?? 0 };
  });
  const isShifted = shifts.some(({ by }) => by !== 0);
  const zone = searchZone(endsOf(actual, times, isShifted ? shifts : [], zones.mixed), meant?.zone);
  return { zone, shifts: isShifted ? shifts : [], ...(choice ? { choice } : {}) };
}

/** What is known of a column: the first and the last row of each run, each for half of its rows. */
function* endsOf(
  runs: readonly { row: number; offset: number }[],
  times: Float64Array,
  shifts: FoundZone['shifts'],
  cut: boolean,
): Generator<Written> {
  for (const [index, { row, offset }] of runs.entries()) {
    const by = shifts[index]?.by ?? 0;
    const end = runs[index + 1]?.row ?? (cut ? row + 1 : times.length);
    const rows = (end - row) / 2;
    yield { time: times[row]! + by, offset, rows };
    yield { time: times[end - 1]! + by, offset, rows };
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
  shifts.forEach(({ row, by }, index) => {
    const end = shifts[index + 1]?.row ?? times.length;
    if (by !== 0) for (let at = row; at < end; at++) times[at]! += by;
  });
}

/** How far the times of each row are ahead of UTC, as it is written; 0 where it is not. */
export function writtenOffsets({ runs }: WrittenZones, rows: number): Float64Array {
  const offsets = new Float64Array(rows);
  runs.forEach(({ row, offset = 0 }, index) => offsets.fill(offset, row, runs[index + 1]?.row ?? rows));
  return offsets;
}
