import type { Grid } from '../../calendar/grid.ts';
import type { Bounds as AskedBounds } from '../../contract/requests.ts';
import type { Bounds } from '../../engine/bounds/bounds.ts';
import type { EngineInput } from '../../engine/types.ts';
import { JobError } from '../errors.ts';
import type { KnownBeforehand } from './covariates.ts';

/** The covariates that bounds are named by. */
export const columnsOf = ({ floor, capacity }: AskedBounds = {}): string[] =>
  [floor, capacity].filter((bound) => typeof bound === 'string');

/** Whether a forecast has no negative values: as was asked, else as the history has none. */
export const isNotNegative = ({ not_negative: asked }: AskedBounds, values: Float64Array): boolean =>
  asked ?? !values.some((value) => value < 0);

/**
 * The bounds of each step of history and future. A column that ends early stays as it was.
 * @returns undefined where nothing bounds the forecast
 * @throws JobError for a column that the points do not have
 */
export function boundsOf(
  asked: AskedBounds,
  { values, horizon }: EngineInput,
  grid: Grid,
  known: KnownBeforehand | undefined,
): Bounds | undefined {
  const length = values.length + horizon;
  const side = (bound: number | string | null | undefined, without: number): Float64Array => {
    if (typeof bound !== 'string') return new Float64Array(length).fill(bound ?? without);
    const column = known?.numbersOn(bound, grid, values.length);
    if (!column) throw new JobError(`The bound “${bound}” is no covariate of the points that has numbers.`);
    let last = column.find(Number.isFinite) ?? without;
    return Float64Array.from({ length }, (_, i) => (last = Number.isFinite(column[i]) ? column[i] : last));
  };
  const least = isNotNegative(asked, values) ? 0 : -Infinity;
  const floor = side(asked.floor, -Infinity).map((value) => Math.max(value, least));
  const capacity = side(asked.capacity, Infinity);
  const whole = asked.whole === true;
  return whole || [...floor].some((value) => value > -Infinity) || [...capacity].some((value) => value < Infinity)
    ? { floor, capacity, whole }
    : undefined;
}
