import { bank, trimmedMean, View } from './bank.ts';
import { EngineError, baseSettings, type TunedParameters } from './types.ts';
import { etsOf } from './methods/ets.ts';
import { type CountForecast, observedForecast } from './methods/observed.ts';
import { baseModel, tunedModel } from './neural/model.ts';
import { isSmooth } from './prepare/seasons.ts';
import type { Series } from './prepare/series.ts';
import { around, mapRows, type Quantiles, type PointForecast, residualQuantiles } from './quantiles.ts';
import { allFinite } from './statistics.ts';

interface Outlook {
  readonly quantiles: Quantiles;
  readonly counts?: CountForecast | undefined;
  readonly isObserved?: boolean;
}

interface Model {
  readonly id: string;
  readonly name: string;
  readonly minPoints: number;
  readonly isTrainable?: boolean;
  readonly isRepeated?: boolean;
  /** @returns the quantiles of so many steps at rising levels, the median among them */
  readonly fit: (
    series: Series,
    tuned: TunedParameters | undefined,
  ) => (horizon: number, levels: readonly number[]) => Outlook;
}

/** Fewer points show a level, and hardly a growth; of them the net has next to nothing to read. */
const fewestForAll = 6;

/** The last cycle of the longest confirmed period; of a smooth one, such as a year of days, where there is no other. */
export function repeatedSeason({ observedValues: values, seasons, candidates }: Series, horizon: number): Float64Array {
  const n = values.length;
  const fitting = seasons.list.map(({ period }) => period).filter((period) => period <= n);
  const period = Math.round(fitting.findLast((one) => !isSmooth(one, candidates)) ?? fitting[0] ?? 1);
  return Float64Array.from({ length: horizon }, (_, i) => values[n - period + (i % period)]);
}

/** A candidate of the bank alone, or the trimmed mean of several; repeats the last season where none has a forecast. */
function ofCandidates(idsOf: (series: Series) => readonly string[]): PointForecast {
  return (series, horizon) => {
    const view = new View(series);
    const forecasts = idsOf(series).flatMap((id) => {
      const forecast = bank.find((candidate) => candidate.id === id)!.fit(view)(view, horizon);
      return forecast && allFinite(forecast) ? [forecast] : [];
    });
    return forecasts.length > 0 ? trimmedMean(forecasts) : repeatedSeason(series, horizon);
  };
}

const ensemble = ofCandidates(({ values, candidates }) => {
  const longest = candidates.at(-1) ?? 1;
  if (values.length < fewestForAll) return ['naive', 'naive', 'median-growth'];
  if (longest > 12) {
    const ridges = ['change-ridge', 'adjusted-ridge', 'lag-ridge', 'wide-ridge', 'cycle-ridge'];
    return ['seasonal-naive', ...ridges, 'long-phases-at-level'];
  }
  const always = ['log-theta', 'root-dynamic-theta', 'half-trend'];
  return longest > 1
    ? [...always, 'damped-trend', 'growth-ridge', 'seasonal-ets']
    : [...always, 'median-growth', 'recent-drift', 'log-autoregression'];
});

function ofPoints(forecast: PointForecast): Model['fit'] {
  return (series, tuned) => (horizon, levels) => {
    const { damping, width } = tuned?.settings ?? baseSettings;
    const last = ofCandidates(() => ['naive']);
    const damped: PointForecast = (seen, steps) => {
      const point = forecast(seen, steps);
      if (damping === 1) return point;
      const start = last(seen, steps);
      return point.map((value, i) => start[i] + damping ** (i + 1) * (value - start[i]));
    };
    const quantiles = residualQuantiles(series, horizon, levels, damped);
    return { quantiles: around(quantiles, (distance) => width * distance) };
  };
}

export function observed(series: Series, horizon: number, levels: readonly number[]): Outlook | undefined {
  const found = observedForecast(series, horizon);
  if (!found) return undefined;
  const rows = levels.map((level) =>
    level === 0.5 ? found.point : found.point.map((_, step) => found.quantile(level, step)),
  );
  return { quantiles: { levels, rows }, counts: 'total' in found ? found : undefined, isObserved: true };
}

const fitEnsemble: Model['fit'] = (series, tuned) => (horizon, levels) =>
  observed(series, horizon, levels) ?? ofPoints(ensemble)(series, tuned)(horizon, levels);

/** Counts and what stands still are forecast as observed, counts half so by a net that was trained on such series. */
export function besideObserved(past: Outlook | undefined, isTrained: boolean, net: () => Quantiles): Outlook {
  if (past && !(isTrained && past.counts)) return past;
  const quantiles = net();
  if (!past) return { quantiles };
  const both = mapRows(quantiles, (row, k) => row.map((value, i) => (value + past.quantiles.rows[k][i]) / 2));
  return { ...past, quantiles: both };
}

const fitNet: Model['fit'] = (series, tuned) => (horizon, levels) => {
  if (series.values.length < fewestForAll) return fitEnsemble(series, tuned)(horizon, levels);
  const net = tuned?.weights === undefined ? baseModel() : tunedModel(tuned.weights);
  const past = observed(series, horizon, levels);
  return besideObserved(past, tuned?.weights !== undefined, () => net.forecast(series, horizon, levels));
};

const models: readonly Model[] = [
  { id: 'hybrid', name: 'Hybrid', minPoints: 1, isTrainable: true, fit: fitNet },
  { id: 'ensemble', name: 'Ensemble', minPoints: 1, fit: fitEnsemble },
  { id: 'theta', name: 'Theta', minPoints: 1, fit: ofPoints(ofCandidates(() => ['log-theta'])) },
  { id: 'ets', name: 'ETS', minPoints: 1, fit: ofPoints(etsOf) },
  { id: 'seasonal-naive', name: 'Seasonal naive', minPoints: 1, isRepeated: true, fit: ofPoints(repeatedSeason) },
];

export const baseModels = models.map((model, place) => ({ ...model, isDefault: place === 0 }));

export function modelOf(id: string): Model {
  const model = models.find((one) => one.id === id);
  if (model) return model;
  throw new EngineError(`There is no model "${id}". The models are: ${models.map((one) => one.id).join(', ')}.`);
}

export function checkPoints({ name, minPoints }: Pick<Model, 'name' | 'minPoints'>, points: number): void {
  if (points < minPoints) throw new EngineError('few_points', name, minPoints, points);
}

export function isNeural(id: string): boolean {
  return models.some((model) => model.id === id && model.isTrainable === true);
}
