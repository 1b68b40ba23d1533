import { AMBIGUOUS, isIanaName, type WrittenZone, type ZoneMeaning } from '../../calendar/timestamp.ts';
import { UTC, findZone, fixedZone, offsetsIn, zoneOf, type Zone } from '../../calendar/zone.ts';
import { said } from '../phrase.ts';
import { SeriesError, type Choice, type LayoutChoice, choiceOf } from '../types.ts';

/** Clocks change twice a year, in a table of many series for each of them; what comes after so many tells no more. */
const MOST_RUNS = 20_000;

export class WrittenZones {
  readonly cell: WrittenZone = { offset: undefined, name: undefined };
  readonly runs: (Readonly<WrittenZone> & { readonly row: number })[] = [];
  mixed = false;

  take(row: number): void {
    const { offset, name } = this.cell;
    this.cell.offset = undefined;
    this.cell.name = undefined;
    const last = this.runs.at(-1);
    if (offset === last?.offset && name === last?.name) return;
    const isNeeded = isIanaName(name) || isIanaName(last?.name);
    if (this.runs.length < MOST_RUNS || isNeeded) this.runs.push({ row, offset, name });
    else this.mixed = true;
  }

  offsets(rows: number): Float64Array {
    const offsets = new Float64Array(rows);
    this.runs.forEach(({ row, offset = 0 }, index) => offsets.fill(offset, row, this.runs[index + 1]?.row ?? rows));
    return offsets;
  }
}

interface Span {
  readonly from: number;
  readonly to: number;
  readonly offsetAt: (time: number) => number;
  readonly instantOf?: ((read: number) => number) | undefined;
}

/** The zone of a column of times: an offset, or the zone whose clocks changed so; UTC where none explains them. */
export function findColumnZone(
  { runs, mixed }: WrittenZones,
  read: Float64Array,
  layout: LayoutChoice,
  column: { readonly name: string; readonly samples: readonly string[] },
) {
  const names = new Set(runs.flatMap(({ name }) => name ?? []));
  const clocks = new Map(
    [...names].filter(isIanaName).map((name) => {
      const zone = findZone(name);
      if (!zone) throw unknownZoneError(column.samples.find((cell) => cell.includes(name)) ?? name, name);
      return [name, zone] as const;
    }),
  );
  const { meanings, choice } = meaningsOf(mixed ? new Set() : names, layout, column.name);
  const spans = runs.map(({ row: from, offset, name = '' }, index): Span => {
    const clock = offset === undefined ? clocks.get(name) : undefined;
    const actual = meanings.get(name)?.offset ?? offset ?? 0;
    const shift = (offset ?? 0) - actual;
    return {
      from,
      to: runs[index + 1]?.row ?? (mixed && !clock ? from + 1 : read.length),
      offsetAt: clock ? (time) => clock.toWall(time) - time : () => actual,
      instantOf: clock ? clock.fromWall : shift === 0 ? undefined : (time) => time + shift,
    };
  });
  const times = spans.some(({ instantOf }) => instantOf) ? read.slice() : read;
  for (const { from, to, instantOf } of spans)
    for (let row = from; instantOf && row < to; row++) times[row] = instantOf(times[row]!);
  const [named] = clocks.keys();
  const zone = searchZone(askedOf(spans, times), [...meanings.values()].at(-1)?.zone ?? named);
  const otherOffsets = otherOffsetsOf(spans, times, zone);
  return { zone, times, ...(choice ? { choice } : {}), ...(otherOffsets ? { otherOffsets } : {}) };
}

function meaningsOf(names: ReadonlySet<string>, { timeZone }: LayoutChoice, column: string) {
  const meanings = new Map<string, ZoneMeaning>();
  let choice: Choice | undefined;
  for (const name of names) {
    const options = AMBIGUOUS[name];
    if (!options) continue;
    const known =
      options.find(({ zone }) => zone === timeZone) ??
      options.find(({ beside }) => beside.some((other) => names.has(other)));
    meanings.set(name, known ?? options[0]!);
    if (known) continue;
    const zones = options.map(({ zone, label }) => [label(), { timeZone: zone }, zone] as const);
    choice = choiceOf('time-zone', said`Which zone does ${name} mean in “${column}”?`, zones);
  }
  return { meanings, choice };
}

function otherOffsetsOf(spans: readonly Span[], times: Float64Array, zone: Zone): Float64Array | undefined {
  if (spans.length < 2) return undefined;
  const rows = new Map<number, number>();
  for (const { from, to, offsetAt } of spans) rows.set(offsetAt(0), (rows.get(offsetAt(0)) ?? 0) + to - from);
  const [usual] = [...rows].reduce((most, each) => (each[1] > most[1] ? each : most));
  const rest = zone === UTC ? fixedZone(usual) : zone;
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

const USUAL = [
  ...['Europe/Berlin', 'Europe/London', 'America/New_York', 'America/Chicago', 'America/Denver', 'America/Los_Angeles'],
  ...['Europe/Athens', 'Europe/Lisbon', 'Australia/Sydney', 'Australia/Adelaide', 'Pacific/Auckland'],
  ...['America/Halifax', 'America/St_Johns', 'America/Anchorage', 'America/Santiago', 'America/Sao_Paulo'],
  ...['America/Mexico_City', 'America/Asuncion', 'America/Havana', 'Asia/Jerusalem', 'Asia/Beirut', 'Africa/Cairo'],
  ...['Africa/Casablanca', 'Asia/Tehran', 'Europe/Moscow', 'Europe/Istanbul', 'Europe/Chisinau', 'Atlantic/Azores'],
];
/** Hundreds of zones are asked for each: more would hold up the reading of a file, and tell no more. */
const MOST_ASKED = 200;
/** A zone that explains fewer rows than the rest of these is none: those of two places stand below each other. */
const MOST_LOST = 0.4;

/** The first and the last time of each span with its offset, and how many rows it stands for; a few that tell of all. */
function askedOf(spans: readonly Span[], times: Float64Array) {
  const ends = spans.flatMap(({ from, to, offsetAt }) =>
    [times[from]!, times[to - 1]!]
      .filter((time) => !Number.isNaN(time))
      .map((time) => ({ time, offset: offsetAt(time), rows: (to - from) / 2 })),
  );
  const byTime = Map.groupBy(ends, ({ time, offset }) => `${offset} ${time}`).values();
  const distinct = Array.from(byTime, (same) => ({ ...same[0]!, rows: same.reduce((sum, { rows }) => sum + rows, 0) }));
  const stride = Math.ceil(distinct.length / MOST_ASKED) | 1;
  const asked = distinct.sort((a, b) => a.offset - b.offset).filter((_, index) => index % stride === 0);
  return asked.sort((a, b) => b.rows - a.rows);
}

type Asked = ReturnType<typeof askedOf>;

function* candidates(named: string | undefined, asked: Asked): Generator<string | number> {
  if (named !== undefined) yield named;
  yield* new Set(asked.map(({ offset }) => offset));
  yield new Intl.DateTimeFormat().resolvedOptions().timeZone;
  yield* USUAL;
  yield* Intl.supportedValuesOf('timeZone');
}

/** The offset or zone that explains the most rows; UTC where none explains six in ten. @param named by the column itself */
function searchZone(asked: Asked, named: string | undefined): Zone {
  let fewest = asked.reduce((sum, { rows }) => sum + rows, 0) * MOST_LOST;
  let best: string | number = 0;
  for (const zone of candidates(named, asked)) {
    if (fewest === 0) break;
    const offsetAt = typeof zone === 'number' ? () => zone : offsetsIn(zone);
    if (!offsetAt) continue;
    let lost = 0;
    for (const { time, offset, rows } of asked) {
      if (offsetAt(time) !== offset) lost += rows;
      if (lost >= fewest) break;
    }
    if (lost < fewest) [best, fewest] = [zone, lost];
  }
  return typeof best === 'number' ? fixedZone(best) : zoneOf(best);
}

export function unknownZoneError(cell: string, zone: string): SeriesError {
  const words = said`Unknown time zone in “${cell}”. Write “${zone}” as an offset such as +01:00 or a name such as Europe/Berlin.`;
  return new SeriesError('not-a-time', words);
}
