import { isoInstant } from '../../calendar/format.ts';
import type { BacktestSummary, ForecastDetails, TotalsSummary } from '../../contract/local.ts';
import type { SeriesPoint } from '../../contract/resources.ts';
import { type Base, type Coherent, forecastTotals } from '../../engine/totals/reconcile.ts';
import { type Structure, structureOf } from '../../engine/totals/structure.ts';
import { JobError } from '../errors.ts';
import { prepareSeries } from '../store/points.ts';
import type { ReadyForecast, SumBase, SumsTask, TaskProgress } from './tasks.ts';

/** A history adds up where a total is off its parts by less than this share of it, at nearly all steps. */
const MOST_OFF = 0.01;
const MOST_STEPS_OFF = 0.1;
/** Of the 80 % band, which is only counted. */
const LIMITS = [0.1, 0.9];
const FOLD_PATHS = 64;

/**
 * Makes forecasts of series add up with those of their totals, and says of each level what that came to one horizon before.
 * @throws JobError where a total was not the sum of its parts in the past
 */
export function addUpForecasts(
  { bases, sums, names, levels }: SumsTask,
  onProgress: (progress: TaskProgress) => void,
): ReadyForecast[] {
  const structure = structureOf(bases.length, sums);
  checkHistory(structure, bases, names);
  const nonNegative = !bases.some(({ isNegative }) => isNegative);
  const made = forecastTotals({
    structure,
    bases,
    levels,
    nonNegative,
    paths: bases.length > 1_000 ? 128 : 256,
    onProgress: (fraction) => {
      onProgress({ fraction });
    },
  });
  const folds = bases.flatMap(({ fold }) => (fold ? [fold] : []));
  const tested =
    folds.length === bases.length
      ? forecastTotals({ structure, bases: folds, levels: LIMITS, nonNegative, paths: FOLD_PATHS })
      : undefined;
  const scores = tested && bases.map((base, i) => scoreOf(base, tested[i]));
  const levelScores = levelsOf(structure, scores);
  return bases.map((base, i) => {
    const level = structure.levels[i];
    const totals: TotalsSummary = {
      level,
      levels: levelScores,
      ...(scores?.[i] ? { mase_alone: scores[i].alone.mase } : {}),
    };
    const details: ForecastDetails = {
      ...base.details,
      backtest: scores?.[i]?.summary,
      ...(level < 0 ? {} : { totals }),
    };
    return { stored: prepareSeries(pointsOf(base, made[i], levels)), details: JSON.stringify(details) };
  });
}

function pointsOf(
  { times, mean, row }: SumBase,
  { point, quantiles }: Coherent,
  levels: readonly number[],
): SeriesPoint[] {
  return Array.from(point, (value, step) => {
    const rows = Object.fromEntries(levels.map((level, l) => [String(level), quantiles[l][step]]));
    return {
      timestamp: isoInstant(times[step]),
      value,
      metadata: {
        ...(levels.length > 0 ? { quantiles: rows } : {}),
        ...(mean === undefined ? {} : { mean: value }),
        ...(row === undefined ? {} : { row: row + step + 1 }),
      },
    };
  });
}

/** @throws JobError that names the first total that is not the sum of its parts */
function checkHistory({ bottoms, totals }: Structure, bases: readonly SumBase[], names: readonly string[]): void {
  for (const { series, members } of totals) {
    const whole = bases[series].recent;
    let [looked, off] = [0, 0];
    for (let i = 1; i <= whole.length; i++) {
      const total = whole[whole.length - i];
      let [sum, size] = [0, 0];
      for (const place of members) {
        const { recent } = bases[bottoms[place]];
        // what is before the start of a part is none of it, what is missing is not known
        const value = i <= recent.length ? recent[recent.length - i] : 0;
        sum += value;
        size += Math.abs(value);
      }
      if (!Number.isFinite(total - sum)) continue;
      looked++;
      if (Math.abs(total - sum) > MOST_OFF * Math.max(size, Math.abs(total))) off++;
    }
    if (off > MOST_STEPS_OFF * looked)
      throw new JobError(
        `“${names[series]}” is not the sum of its parts: it differs from them at ${off} of the last ${looked} steps. Forecast without sums, or mend the series.`,
      );
  }
}

interface Scored {
  readonly mase?: number | undefined;
  readonly rmsse?: number | undefined;
}

interface Scores {
  readonly alone: Scored;
  readonly together: Scored;
  readonly summary: BacktestSummary;
}

/** How a forecast did at the last horizon, alone and added up. */
function scoreOf({ fold }: SumBase, coherent: Coherent): Scores | undefined {
  if (!fold) return undefined;
  const { actual, scale, squareScale, naive } = fold;
  const seen = Array.from(actual.keys()).filter((step) => Number.isFinite(actual[step]));
  if (seen.length === 0) return undefined;
  const meanOf = (of: (step: number) => number) => seen.reduce((sum, step) => sum + of(step), 0) / seen.length;
  const scored = (point: (step: number) => number): Scored => ({
    mase: scale > 0 ? meanOf((step) => Math.abs(actual[step] - point(step))) / scale : undefined,
    rmsse: squareScale > 0 ? Math.sqrt(meanOf((step) => (actual[step] - point(step)) ** 2) / squareScale) : undefined,
  });
  const alone = scored(aloneAt(fold));
  const together = scored((step) => coherent.point[step]);
  const { mase: usual } = scored((step) => naive[step]);
  const { mase } = together;
  const [low, high] = coherent.quantiles;
  const smape = meanOf((step) => {
    const [value, point] = [actual[step], coherent.point[step]];
    return value === point ? 0 : (200 * Math.abs(value - point)) / (Math.abs(value) + Math.abs(point));
  });
  const summary: BacktestSummary = {
    origins: 1,
    horizon: actual.length,
    smape,
    mase,
    mase_seasonal_naive: usual,
    coverage80: meanOf((step) => (actual[step] >= low[step] && actual[step] <= high[step] ? 1 : 0)),
    skill: mase !== undefined && usual !== undefined && usual > 0 ? 1 - mase / usual : undefined,
  };
  return { alone, together, summary };
}

const aloneAt =
  ({ point, mean }: Base) =>
  (step: number): number =>
    mean ?? point[step];

/** The mean scores of each level, a whole first. */
function levelsOf({ levels }: Structure, scores: readonly (Scores | undefined)[] | undefined): TotalsSummary['levels'] {
  const count = levels.reduce((most, level) => Math.max(most, level), 0) + 1;
  return Array.from({ length: count }, (_, level) => {
    const those = (scores ?? []).filter((_one, i) => levels[i] === level).filter((one) => one !== undefined);
    const mean = (of: (one: Scores) => number | undefined): number | undefined => {
      const known = those.map(of).filter((value) => value !== undefined);
      return known.length > 0 ? known.reduce((sum, value) => sum + value, 0) / known.length : undefined;
    };
    return {
      series: levels.filter((one) => one === level).length,
      mase: mean(({ together }) => together.mase),
      mase_alone: mean(({ alone }) => alone.mase),
      rmsse: mean(({ together }) => together.rmsse),
      rmsse_alone: mean(({ alone }) => alone.rmsse),
    };
  });
}
