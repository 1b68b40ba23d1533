import { defaultHorizon, seasonalPeriods } from '../../calendar/frequency.ts';
import type { Grid } from '../../calendar/grid.ts';
import type { SeriesPoint } from '../../contract/resources.ts';
import { isNeural } from '../../engine/models.ts';
import type { Bounds } from '../../engine/bounds/bounds.ts';
import type { EngineInput } from '../../engine/types.ts';
import { JobError } from '../errors.ts';
import { gridOf, type NumericSeries, toNumbers } from '../store/points.ts';
import { boundsOf, columnsOf } from './bounds.ts';
import { knownBeforehand, type KnownBeforehand } from './covariates.ts';
import type { ForecastTask } from './tasks.ts';

/** A series on its regular grid, and what the engine is asked about it. */
export interface Question {
  /** Up to the last one with a value, where more is known of their steps. */
  readonly points: readonly SeriesPoint[];
  readonly known: KnownBeforehand | undefined;
  readonly numbers: NumericSeries;
  readonly grid: Grid;
  /** Its values are the last ones of the grid: as many as the model sees. */
  readonly input: EngineInput;
  /** Where any were asked for. */
  readonly bounds: Bounds | undefined;
}

/** Reads the series of a task and puts it on a regular grid. @throws JobError where it has no observation */
export function readQuestion({
  points: json,
  model,
  contextLength,
  horizon,
  levels,
  samples,
  bounds: asked,
}: Omit<ForecastTask, 'kind'>): Question {
  const all = JSON.parse(json) as SeriesPoint[];
  const known = knownBeforehand(all, columnsOf(asked));
  const points = known?.history ?? all;
  const numbers = toNumbers(points);
  if (!numbers.values.some(Number.isFinite))
    throw new JobError('The series has no observed value, so there is nothing to forecast from.');
  const grid = gridOf(numbers);
  const { frequency, values } = grid;
  const input: EngineInput = {
    values: lastOf(values, contextLength),
    periods: frequency ? seasonalPeriods(frequency) : [],
    horizon: (horizon ?? known?.stepsAhead(grid)) || defaultHorizon(frequency, values.length),
    levels,
    // other models have exact quantiles, which sample paths could only blur
    samples: isNeural(model) ? samples : undefined,
    acrossZero: asked?.not_negative === false,
  };
  return { points, known, numbers, grid, input, bounds: asked && boundsOf(asked, input, grid, known) };
}

const lastOf = (values: Float64Array, count: number | undefined): Float64Array =>
  count === undefined || count >= values.length ? values : values.slice(values.length - count);
