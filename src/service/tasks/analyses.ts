/** What is worked out about a series or a forecast, and answered as it is: each as JSON. */
import { isoInstant } from '../../calendar/format.ts';
import { failure } from '../../contract/failures.ts';
import type { Anomalies, Backtest, Component, CovariateTest, Decomposition } from '../../contract/resources.ts';
import { backtestWithCovariates, contributionsOf, helpOf } from '../../engine/covariates/forecast.ts';
import { anomalousEpisodes, anomalyScores, rarityOf, SIGNS, surpriseOf } from '../../engine/anomalies.ts';
import { decomposition } from '../../engine/decomposition.ts';
import { JobError } from '../errors.ts';
import { atLevels, gainOf } from './predict.ts';
import { type ForecastOptions, type OfSeries, readPoints, seriesOf } from './series.ts';

/** Forecasts the series of a prediction again from times in its past. @throws JobError where it is too short for that */
export function runBacktest(task: ForecastOptions & OfSeries & { readonly id: string }): Backtest {
  const { id, levels } = task;
  const { grid, input, covariates } = seriesOf(task.points, task);
  const asked = { ...input, samples: undefined };
  const tested = backtestWithCovariates(task.model, asked, covariates, task, task.parameters);
  if (!tested) throw new JobError(failure('short_backtest'));
  const unseen = grid.values.length - input.values.length;
  const at = (index: number) => isoInstant(grid.timeAt(unseen + index));
  return {
    prediction_id: id,
    horizon: tested.horizon,
    folds: tested.folds.map(({ end, point, quantiles, naive, halfScale }) => ({
      cutoff: at(end - 1),
      ...(halfScale > 0 ? { scale: 2 * halfScale } : {}),
      points: Array.from(point, (value, step) => {
        const actual = input.values[end + step];
        return {
          timestamp: at(end + step),
          ...(Number.isFinite(actual) ? { actual } : {}),
          value,
          seasonal_naive: naive[step],
          quantiles: atLevels(levels, quantiles, step),
        };
      }),
    })),
  };
}

interface DecompositionTask extends OfSeries {
  readonly id: string;
  readonly forecast: string;
  readonly periods: readonly number[];
  readonly made?: ForecastOptions | undefined;
}

/** Decomposes a series and its forecast. @throws JobError where nothing was observed */
export function decompose({ id, points, forecast, periods, made }: DecompositionTask): Decomposition {
  const ahead = readPoints(forecast);
  const values = Float64Array.from(ahead, ({ value }) => value ?? NaN);
  const wanted = { ...made, model: made?.model ?? '', levels: made?.levels ?? [], horizon: values.length };
  const { grid, input, covariates, sourceOf } = seriesOf(points, wanted);
  const effects = made ? contributionsOf(made.model, input, covariates, values, sourceOf, made.parameters) : [];
  const length = effects[0]?.values.length ?? grid.values.length + values.length;
  const sum = (i: number) => effects.reduce((total, each) => total + each.values[i], 0);
  const unseen = grid.values.length + values.length - length;
  const history = grid.values.slice(unseen).map((value, i) => value - sum(i));
  const future = values.map((value, i) => value - sum(history.length + i));
  const split = decomposition(history, future, periods);
  if (!split) throw new JobError(failure('unobserved'));
  const { trend, seasons, shifts, remainder } = split;
  const from = unseen + split.from;
  const past = grid.values.length - from;
  const part = (kind: string, numbers: Float64Array, about: Pick<Component, 'period' | 'names'> = {}): Component => ({
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
    components: [
      part('trend', trend),
      ...(shifts ? [part('shift', shifts)] : []),
      ...seasons.map(({ period, values }) => part('seasonal', values, { period })),
      ...effects.map(({ names, values }) => part('covariate', values.subarray(split.from), { names: [...names] })),
      part('remainder', remainder),
    ],
  };
}

/** Judges the observations of a series by those before them. @param rarity one in so many is an anomaly by chance */
export function findAnomalies({ points: json, rarity }: OfSeries & { readonly rarity: number }): Anomalies {
  const points = readPoints(json);
  const isObserved = points.some(({ value }) => typeof value === 'number');
  if (!isObserved) return { rarity, judged: 0, points: [] };
  const { grid, input, row } = seriesOf(points, { model: '', levels: [] });
  const { expected, scale, surprise, sign } = anomalyScores({ values: grid.values, periods: input.periods });
  return {
    rarity,
    judged: surprise.reduce((count, one) => count + (one > 0 ? 1 : 0), 0),
    points: anomalousEpisodes(surprise, surpriseOf(rarity)).map((index) => ({
      timestamp: isoInstant(grid.timeAt(index)),
      value: grid.values[index],
      expected: expected[index],
      scale: scale[index],
      rarity: Math.round(rarityOf(surprise[index])),
      sign: SIGNS[sign[index]],
      ...(row === undefined ? {} : { metadata: { row: row - grid.values.length + 1 + index } }),
    })),
  };
}

export function testCovariates(task: ForecastOptions & OfSeries): CovariateTest {
  const none: CovariateTest = { covariates: [] };
  const points = readPoints(task.points);
  if (!points.some(({ value }) => typeof value === 'number')) return none;
  const { input, offered = [], covariates, sourceOf } = seriesOf(points, task);
  if (offered.length === 0) return none;
  const help = helpOf(task.model, input, covariates, task.parameters);
  const helping = new Set(help?.names.map(sourceOf));
  return {
    covariates: offered.map((name) => ({ name, helps: helping.has(name) })),
    ...(help ? { backtest: gainOf(help, input) } : {}),
  };
}
