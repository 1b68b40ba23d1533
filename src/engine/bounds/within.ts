import type { EngineForecast, EngineInput } from '../types.ts';
import { type Bounds, type Make, onOdds, squashAt, withWide } from './bounds.ts';
import { type Edges, squashed, wholeWithin } from './squash.ts';
import { bendOf, type Bend } from './trial.ts';

/**
 * A forecast within bounds, and all its quantiles, which stay in order and apart. Where none comes near a bound it is
 * the forecast as it is. Else quantiles are bent before the bound; how much, or whether the forecast is made on the scale of
 * odds between the two bounds, is what erred least on the last origins of the series.
 *
 * @param make the forecast with all that belongs to it
 * @param alone one that is quick, for the last origins
 * @param canBend whether `make` may be asked on another scale
 * @throws as `make`
 */
export function forecastWithin<F extends EngineForecast>(
  input: EngineInput,
  bounds: Bounds,
  make: Make<F>,
  alone: Make<EngineForecast>,
  canBend: boolean,
): F {
  const n = input.values.length;
  const at = (step: number): Edges => ({ floor: bounds.floor[n + step], capacity: bounds.capacity[n + step] });
  const levels = withWide(input.levels);
  const asked = { ...input, levels, acrossZero: true };
  const free = make(asked);
  const isNear = [free.point, ...free.quantiles].some((row) =>
    row.some((value, step) => {
      const { floor, capacity } = at(step);
      const { spread } = squashAt(free, levels, step, at(step), 1);
      return value <= floor + spread || value >= capacity - spread;
    }),
  );
  const bend: Bend = isNear ? bendOf(asked, bounds, alone, canBend) : { isOdds: false, sharpness: Infinity };
  const made = bend.isOdds ? onOdds(asked, bounds, make) : free;
  // counts are 0 as often as they are: there is nothing to keep apart
  const sharpness = made.demand === undefined ? bend.sharpness : Infinity;
  const inside = (row: Float64Array, freely: Float64Array): Float64Array =>
    row.map((value, step) => {
      const edges = at(step);
      // a step that is closed by the calendar is so on any scale
      const isOpen = squashAt(free, levels, step, edges, 1).spread > 0;
      const held = squashed(
        isOpen ? value : freely[step],
        squashAt(isOpen ? made : free, levels, step, edges, sharpness),
      );
      return bounds.whole ? wholeWithin(held, edges) : held;
    });
  return {
    ...made,
    point: inside(made.point, free.point),
    quantiles: input.levels.map((level) => {
      const l = levels.indexOf(level);
      return inside(made.quantiles[l], free.quantiles[l]);
    }),
    demand: made.demand && {
      mean: made.demand.mean,
      total: input.levels.map((level) => made.demand!.total[levels.indexOf(level)]),
    },
  };
}
