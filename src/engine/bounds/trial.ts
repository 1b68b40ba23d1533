import type { EngineForecast, EngineInput } from '../types.ts';
import { type Bounds, type Make, onOdds, squashAt } from './bounds.ts';
import { squashed } from './squash.ts';

/** How a forecast is brought within its bounds. */
export interface Bend {
  /** Whether it is made on the scale of odds between two bounds. */
  readonly isOdds: boolean;
  /** As in `Squash`. */
  readonly sharpness: number;
}

/** What is taken where nothing can be tried. */
export const usual: Bend = { isOdds: false, sharpness: 2 };
const sharpnesses = [1, 2, 4];
/** Something else than the usual must have erred less by this share; the scale of odds, with which all is another, by more. */
const leastGain = 0.01;
const leastGainOfOdds = 0.03;
const mostOrigins = 4;
const fewestSeen = 16;
/** So many values on the bound itself say that a forecast may pile up there. */
const oftenOnBound = 0.05;
const levels = [0.025, 0.1, 0.25, 0.5, 0.75, 0.9, 0.975];

/**
 * The way that erred least on the last origins, by the mean quantile loss.
 * @param canBend whether the scale of odds is tried
 */
export function bendOf(input: EngineInput, bounds: Bounds, alone: Make<EngineForecast>, canBend: boolean): Bend {
  const { values } = input;
  const n = values.length;
  const horizon = Math.min(input.horizon, Math.floor(n / 4));
  if (horizon < 1) return usual;
  const { floor, capacity } = bounds;
  const isBetween = floor.every((value, i) => Number.isFinite(value) && Number.isFinite(capacity[i]) && value < capacity[i]); // prettier-ignore
  const onBound = values.reduce((count, value, i) => count + Number(value === floor[i] || value === capacity[i]), 0);
  const ways: Bend[] = [...sharpnesses, ...(onBound > oftenOnBound * n ? [Infinity] : [])].map((sharpness) => ({
    isOdds: false,
    sharpness,
  }));
  if (canBend && isBetween) ways.push({ isOdds: true, sharpness: usual.sharpness });
  const losses = ways.map(() => 0);
  let origins = 0;
  for (let end = n - horizon; end >= Math.max(fewestSeen, n / 2) && origins < mostOrigins; end -= horizon) {
    const seen = values.subarray(0, end);
    if (!seen.some(Number.isFinite)) break;
    origins++;
    const question = { ...input, values: seen, horizon, levels };
    const upTo = { ...bounds, floor: floor.subarray(0, end + horizon), capacity: capacity.subarray(0, end + horizon) };
    const free = alone(question);
    const odds = canBend && isBetween ? onOdds(question, upTo, alone) : free;
    ways.forEach(({ isOdds, sharpness }, k) => {
      losses[k] += lossOf(isOdds ? odds : free, sharpness, values.subarray(end, end + horizon), upTo);
    });
  }
  if (origins === 0) return usual;
  const atUsual = losses[ways.findIndex((way) => !way.isOdds && way.sharpness === usual.sharpness)];
  let best = usual;
  let least = atUsual;
  ways.forEach((way, k) => {
    const share = way.isOdds ? leastGainOfOdds : leastGain;
    if (losses[k] < least && losses[k] < (1 - share) * atUsual) {
      best = way;
      least = losses[k];
    }
  });
  return best;
}

function lossOf(made: EngineForecast, sharpness: number, actual: Float64Array, { floor, capacity }: Bounds): number {
  const end = floor.length - actual.length;
  let loss = 0;
  actual.forEach((value, step) => {
    if (!Number.isFinite(value)) return;
    const edges = { floor: floor[end + step], capacity: capacity[end + step] };
    const squash = squashAt(made, levels, step, edges, sharpness);
    levels.forEach((level, l) => {
      const miss = value - squashed(made.quantiles[l][step], squash);
      loss += miss > 0 ? level * miss : (level - 1) * miss;
    });
  });
  return loss;
}
