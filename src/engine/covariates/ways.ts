import { forecast } from '../forecast.ts';
import type { TunedParameters } from '../tuning/tuned.ts';
import type { EngineForecast, EngineInput } from '../types.ts';
import { ridgeEffect } from './ridge-effect.ts';
import { treeEffect } from './tree-effect.ts';
import type { Effect, Lesson } from './types.ts';

/** A scale on which effects add up. */
interface Scale {
  readonly to: (value: number) => number;
  readonly from: (value: number) => number;
}
const plain: Scale = { to: (value) => value, from: (value) => value };
const root: Scale = { to: (value) => Math.sqrt(Math.max(0, value)), from: (value) => Math.max(0, value) ** 2 };

/** A way to take covariates into account. */
export interface Way {
  readonly scale: Scale;
  readonly study: (lesson: Lesson) => Effect;
}

/** The model of which a forecast is made, with what was tuned of it. */
export interface Model {
  readonly id: string;
  readonly tuned: TunedParameters | undefined;
}

/** Effects that grow with the level add up on the scale of roots. */
export function waysOf(values: Float64Array): Way[] {
  const ways: Way[] = [
    { scale: plain, study: ridgeEffect },
    { scale: plain, study: treeEffect },
  ];
  return values.some((value) => value < 0) ? ways : [...ways, { scale: root, study: treeEffect }];
}

export function learn({ scale, study }: Way, lesson: Lesson): Effect {
  return study({ ...lesson, values: lesson.values.map(scale.to) });
}

/** The forecast of the remainder before an index, with the effect put back. @param effect of each step, the future too */
export function forecastAround(
  { scale }: Way,
  effect: Float64Array,
  input: EngineInput,
  end: number,
  { id, tuned }: Model,
): EngineForecast {
  const remainder = input.values.subarray(0, end).map((value, i) => scale.to(value) - effect[i]);
  const result = forecast(id, { ...input, values: remainder }, tuned);
  const back = (row: Float64Array): Float64Array => row.map((value, i) => scale.from(value + effect[end + i]));
  return { ...result, point: back(result.point), quantiles: result.quantiles.map(back) };
}
