import { defaultHorizon, type Frequency, seasonalPeriods } from '../../calendar/frequency.ts';
import { toGrid } from '../../calendar/grid.ts';
import type { Bounds as AskedBounds, SeriesPoint, TrainingRecord } from '../../contract/resources.ts';
import { failure, type FailureCode } from '../../contract/failures.ts';
import { type CovariateCell, covariateOf } from '../../engine/covariates/effect.ts';
import { isNeural } from '../../engine/models.ts';
import type { Bounds, EngineInput, TunedParameters } from '../../engine/types.ts';
import { JobError } from '../errors.ts';
import { gridOf, type NewDataset, type NumericSeries, toNumbers, unpacked } from '../store/points.ts';

export interface ForecastOptions {
  readonly model: string;
  readonly parameters?: TunedParameters | undefined;
  readonly contextLength?: number | undefined;
  readonly horizon?: number | undefined;
  readonly levels: readonly number[];
  readonly samples?: number | undefined;
  readonly fineTuningEpochs?: number | undefined;
  readonly origins?: number | undefined;
  readonly bounds?: AskedBounds | undefined;
}

export interface OfSeries {
  readonly points: string;
}

export interface TaskProgress {
  readonly fraction: number;
  readonly training?: TrainingRecord | undefined;
  readonly series?: NewDataset['series'];
}
export type OnProgress = (progress: TaskProgress) => unknown;

export type TaskSeries = ReturnType<typeof onGrid>;

type Wanted = Omit<ForecastOptions, 'parameters' | 'fineTuningEpochs' | 'origins'>;

interface Further {
  readonly frequency?: Frequency | undefined;
  readonly unobserved?: FailureCode;
  readonly row?: number | undefined;
  readonly known?: Known;
}

interface Known {
  readonly numbers: NumericSeries;
  readonly cells: readonly (Readonly<Record<string, CovariateCell>> | null | undefined)[];
  readonly columns: readonly string[];
}

export const readPoints = (stored: string): SeriesPoint[] => JSON.parse(unpacked(stored)) as SeriesPoint[];

/** @param points as they are stored, or were read @throws JobError where none has a value; RequestError for a timestamp */
export function seriesOf(points: string | readonly SeriesPoint[], wanted: Wanted, further: Further = {}): TaskSeries {
  const all = typeof points === 'string' ? readPoints(points) : points;
  const numbers = toNumbers(all, ['series']);
  const { times, values, rows } = numbers;
  const cells = all.map(({ metadata }) => metadata?.covariates as Known['cells'][number]);
  const columns = [...new Set(cells.flatMap((each) => Object.keys(each ?? {})))];
  if (columns.length === 0) return onGrid(numbers, wanted, { ...further, row: rows ? rowOf(all.at(-1)) : undefined });
  const last = times.reduce(
    (latest, time, i) => (Number.isNaN(values[i]) ? latest : Math.max(latest, time)),
    -Infinity,
  );
  const isPast = (_: unknown, i: number) => times[i] <= last;
  const history = { ...numbers, times: times.filter(isPast), values: values.filter(isPast) };
  const row = rows ? rowOf(all.findLast(isPast)) : undefined;
  return onGrid(history, wanted, { ...further, row, known: { numbers, cells, columns } });
}

const rowOf = (point: SeriesPoint | undefined): number => Number(point?.metadata?.row);

export function onGrid(
  numbers: NumericSeries,
  { model, contextLength = Infinity, horizon, levels, samples, bounds: asked }: Wanted,
  { frequency: given, unobserved = 'unobserved', row, known }: Further = {},
) {
  if (!numbers.values.some(Number.isFinite)) throw new JobError(failure(unobserved));
  const grid = gridOf(numbers, given);
  const { frequency, values } = grid;
  const unseen = Math.max(0, values.length - contextLength);
  /** One value for each point that is known, on the grid, over the steps that the model sees and those ahead. */
  const spread = (of: Float64Array, { times, zone } = known!.numbers): Float64Array =>
    toGrid(times, of, { frequency: frequency ?? null, zone }).values.slice(unseen);
  const seen = values.subarray(unseen);
  const ahead = known ? spread(known.numbers.values).length - seen.length : 0;
  const input: EngineInput = {
    values: seen,
    periods: frequency ? seasonalPeriods(frequency) : [],
    horizon: (horizon ?? ahead) || defaultHorizon(frequency, values.length),
    levels,
    samples: isNeural(model) ? samples : undefined,
  };
  const named = [asked?.floor, asked?.capacity];
  const offered = known?.columns.filter((name) => !named.includes(name));
  const sources = new Map<string, string>();
  const cellsOf = (name: string) => (known?.cells ?? []).map((each) => each?.[name]);
  const covariates = (offered ?? []).flatMap((name) => {
    const found = covariateOf(name, cellsOf(name));
    for (const each of found) sources.set(each.name, name);
    return found.map((each) => ({ ...each, values: spread(each.values) }));
  });
  const column = (name: string): Float64Array | undefined => {
    const cells = Float64Array.from(cellsOf(name), (cell) => (typeof cell === 'number' ? cell : NaN));
    return cells.some(Number.isFinite) ? spread(cells) : undefined;
  };
  return {
    count: numbers.times.length,
    grid,
    input: { ...input, bounds: asked && boundsOf(asked, input, column) },
    offered,
    covariates,
    sourceOf: (name: string) => sources.get(name) ?? name,
    row,
  };
}

export const isNotNegative = ({ not_negative: asked }: AskedBounds, values: Float64Array): boolean =>
  asked ?? !values.some((value) => value < 0);

/** The bounds of each step. A column that ends early keeps its last value. @throws JobError for an unknown column */
function boundsOf(
  asked: AskedBounds,
  { values, horizon }: EngineInput,
  columnOf: (name: string) => Float64Array | undefined,
): Bounds {
  const length = values.length + horizon;
  const side = (bound: number | string | null | undefined, without: number): Float64Array => {
    if (typeof bound !== 'string') return new Float64Array(length).fill(bound ?? without);
    const column = columnOf(bound);
    if (!column) throw new JobError(failure('bound_not_covariate', bound));
    let last = column.find(Number.isFinite) ?? without;
    return Float64Array.from({ length }, (_, i) => (last = Number.isFinite(column[i]) ? column[i] : last));
  };
  const least = isNotNegative(asked, values) ? 0 : -Infinity;
  const floor = side(asked.floor, -Infinity).map((value) => Math.max(value, least));
  return { floor, capacity: side(asked.capacity, Infinity), whole: asked.whole === true };
}
