import { isoInstant } from '../../calendar/format.ts';
import type { Part, Parts } from '../../contract/analysis.ts';
import type { SeriesPoint } from '../../contract/resources.ts';
import { contributionsOf, type Contribution } from '../../engine/covariates/contributions.ts';
import { partsOf } from '../../engine/parts.ts';
import { JobError } from '../errors.ts';
import { gridOf, toNumbers } from '../store/points.ts';
import { knownBeforehand } from './covariates.ts';
import { readQuestion } from './question.ts';
import type { PartsTask } from './tasks.ts';

/** Splits a series, put on its regular grid, and its forecast. @throws JobError where nothing was observed */
export function splitParts({ id, points, forecast, periods, made }: PartsTask): Parts {
  const all = JSON.parse(points) as SeriesPoint[];
  const grid = gridOf(toNumbers(knownBeforehand(all)?.history ?? all));
  const ahead = JSON.parse(forecast) as SeriesPoint[];
  const values = Float64Array.from(ahead, ({ value }) => value ?? NaN);
  const effects = made ? effectsOf(made, values) : [];
  const length = effects[0]?.values.length ?? grid.values.length + values.length;
  const sum = (i: number) => effects.reduce((total, each) => total + each.values[i], 0);
  const unseen = grid.values.length + values.length - length;
  const history = grid.values.slice(unseen).map((value, i) => value - sum(i));
  const future = values.map((value, i) => value - sum(history.length + i));
  const split = partsOf(history, future, periods);
  if (!split) throw new JobError('The series has no observed value that could be split.');
  const { trend, seasons, shifts, remainder } = split;
  const from = unseen + split.from;
  const past = grid.values.length - from;
  const part = (kind: string, numbers: Float64Array, about: Pick<Part, 'period' | 'names'> = {}): Part => ({
    kind,
    ...about,
    values: Array.from(numbers, (value) => (Number.isFinite(value) ? value : null)),
  });
  return {
    prediction_id: id,
    timestamps: [
      ...Array.from({ length: past }, (_, index) => isoInstant(grid.timeAt(from + index))),
      ...ahead.map(({ timestamp }) => timestamp),
    ],
    forecast_from: past,
    parts: [
      part('trend', trend),
      ...(shifts ? [part('shift', shifts)] : []),
      ...seasons.map(({ period, values }) => part('season', values, { period })),
      ...effects.map(({ names, values }) => part('covariate', values.subarray(split.from), { names: [...names] })),
      part('remainder', remainder),
    ],
  };
}

/** What covariates add, over the last steps of the history and the forecast. */
function effectsOf(made: NonNullable<PartsTask['made']>, forecast: Float64Array): Contribution[] {
  const { known, grid, input } = readQuestion({ ...made, horizon: forecast.length });
  const covariates = known?.covariatesOn(grid, input.values.length) ?? [];
  const sourceOf = (name: string) => known?.sourceOf(name) ?? name;
  return contributionsOf(made.model, input, covariates, forecast, sourceOf, made.parameters);
}
