import type { EngineForecast, EngineInput } from '../types.ts';
import { bent, type Edges, type Squash, unbent } from './squash.ts';

/** Between what a series lies, and whether it has whole numbers only. */
export interface Bounds {
  /** Of each step of the history and of the future; infinite where there is no bound. */
  readonly floor: Float64Array;
  readonly capacity: Float64Array;
  readonly whole: boolean;
}

/** Asks for a forecast of an input, which may be one on another scale. */
export type Make<F extends EngineForecast> = (input: EngineInput) => F;

/** Levels that say where a forecast is at a step, and how wide. */
const wide = [0.1, 0.5, 0.9] as const;

/** These levels and those that say where a forecast is, and how wide; rising. */
export const withWide = (levels: readonly number[]): number[] =>
  [...new Set([...levels, ...wide])].sort((a, b) => a - b);

/** The same on the scale of odds, and back; bounds hold but for a margin. */
export function onOdds<F extends EngineForecast>(input: EngineInput, { floor, capacity }: Bounds, make: Make<F>): F {
  const n = input.values.length;
  const edges = (i: number): Edges => ({ floor: floor[i], capacity: capacity[i] });
  const made = make({ ...input, values: input.values.map((value, i) => bent(value, edges(i))) });
  const back = (row: Float64Array): Float64Array => row.map((value, step) => unbent(value, edges(n + step)));
  return { ...made, point: back(made.point), quantiles: made.quantiles.map(back), demand: undefined };
}

/** How values of a step are brought within its bounds. @param levels of the forecast, as of {@link withWide} */
export function squashAt(
  { quantiles }: Pick<EngineForecast, 'quantiles'>,
  levels: readonly number[],
  step: number,
  edges: Edges,
  sharpness: number,
): Squash {
  const [low, middle, high] = wide.map((level) => quantiles[levels.indexOf(level)][step]);
  return { edges, middle, spread: (high - low) / 2, sharpness };
}
