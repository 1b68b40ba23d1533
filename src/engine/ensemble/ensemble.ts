import {
  blockLogTheta,
  dampedTrend,
  dynamicTheta,
  fittedRidgeOnAdjusted,
  fittedRidgeOnValues,
  lastValue,
  logAutoregression,
  logTheta,
  medianDrift,
  naive,
  recentDrift,
  ridgeOnAdjusted,
  ridgeOnValues,
  rootTheta,
  seasonalEts,
  seasonalNaive,
  shortestPeriod,
  type Method,
} from '../methods/methods.ts';
import { adjustedLags, dailyLags, longLags, seasonalLags, shortLags, sparseDailyLags, weeklyLags } from './lags.ts';
import { isWild, withinLimits, type Limits } from './plausible.ts';
import { analogues, meanCycle } from '../methods/past.ts';
import { unfitted, weighedForecast, type Expert, type Weighed } from './weighed.ts';
import { isMultiple } from '../prepare/seasons.ts';
import type { Series } from '../prepare/series.ts';
import { allFinite } from '../statistics.ts';

/** Kinds of series by their calendar; each has its own members in the ensemble and its own table of intervals. */
export type Family = 'plain' | 'quarter' | 'month' | 'long' | 'intraday';

/** Fewer points than this are too few for the methods on long lags. */
const fewestForLong = 60;

export function familyOf({ candidates, values }: Series): Family {
  if (candidates.length === 0) return 'plain';
  const shortest = candidates[0];
  const longest = candidates[candidates.length - 1];
  if (longest > 12 && values.length >= fewestForLong) {
    return longest > shortest && isMultiple(longest, shortest) ? 'intraday' : 'long';
  }
  return shortest < 7 ? 'quarter' : 'month';
}

/** A method of the ensemble, with the name that tuned settings know it by. */
interface Member {
  readonly name: string;
  readonly method: Method;
}

const member = (name: string, method: Method): Member => ({ name, method });

const logThetaMember = member('log-theta', logTheta);
const dynamicThetaMember = member('dynamic-theta', dynamicTheta);
const dampedTrendMember = member('damped-trend', dampedTrend);
const naiveMember = member('naive', naive);
const medianDriftMember = member('median-drift', medianDrift);
const seasonalEtsMember = member('seasonal-ets', seasonalEts);
const growthRidge = member('growth-ridge', ridgeOnValues(shortLags, { penalty: 0.02, difference: 1 }, true));
const changeRidge = member('change-ridge', ridgeOnValues(longLags, { penalty: 3e-3, difference: 1 }));
const adjustedRidge = member('adjusted-ridge', ridgeOnAdjusted(adjustedLags, { penalty: 1e-3 }));

/** The members for each family, as measured on the M4, M3, M1 and Tourism series (see `test/bench`). */
const members: Readonly<Record<Family, readonly Member[]>> = {
  plain: [
    logThetaMember,
    dynamicThetaMember,
    medianDriftMember,
    member('root-theta', rootTheta),
    member('recent-drift', recentDrift),
    member('log-autoregression', logAutoregression),
  ],
  quarter: [
    logThetaMember,
    dynamicThetaMember,
    dampedTrendMember,
    member('step-ridge', ridgeOnValues(shortLags, { penalty: 0.02, difference: 1 })),
    growthRidge,
    seasonalEtsMember,
    medianDriftMember,
  ],
  month: [
    logThetaMember,
    dynamicThetaMember,
    growthRidge,
    seasonalEtsMember,
    member('block-log-theta', blockLogTheta),
    member('year-on-year-ridge', (series, horizon) =>
      ridgeOnValues(seasonalLags, { penalty: 0.05, difference: shortestPeriod(series) }, true)(series, horizon),
    ),
  ],
  long: [
    logThetaMember,
    dampedTrendMember,
    changeRidge,
    adjustedRidge,
    member('lag-ridge', ridgeOnValues(longLags, { penalty: 3e-4 })),
  ],
  intraday: [
    member('seasonal-naive', seasonalNaive),
    changeRidge,
    adjustedRidge,
    member('day-ridge', ridgeOnAdjusted(dailyLags, { penalty: 1e-3 })),
    member('day-on-day-ridge', (series, horizon) =>
      ridgeOnValues(sparseDailyLags, { penalty: 1e-3, difference: shortestPeriod(series) })(series, horizon),
    ),
    member('week-ridge', ridgeOnValues(weeklyLags, { penalty: 1e-4 }, true)),
  ],
};

const lagExpert: Expert = { name: 'lag-ridge', fit: fittedRidgeOnValues(longLags, { penalty: 3e-4 }) };
const adjustedExpert: Expert = { name: 'adjusted-ridge', fit: fittedRidgeOnAdjusted(adjustedLags, { penalty: 1e-3 }) };
const dayExpert: Expert = { name: 'day-ridge', fit: fittedRidgeOnAdjusted(dailyLags, { penalty: 1e-3 }) };
const simpleExperts: readonly Expert[] = [
  adjustedExpert,
  { name: 'last-value', fit: unfitted(lastValue) },
  { name: 'naive', fit: unfitted(naive) },
  { name: 'seasonal-naive', fit: unfitted(seasonalNaive) },
  { name: 'short-cycle', fit: unfitted(meanCycle(0)) },
  { name: 'long-cycle', fit: unfitted(meanCycle(1)) },
  { name: 'analogues', fit: unfitted(analogues(false)) },
  { name: 'cycle-analogues', fit: unfitted(analogues(true)) },
];

/** What forecasts long histories, each as far as it has done well on the series at hand. */
const experts: Readonly<Partial<Record<Family, readonly Expert[]>>> = {
  long: [...simpleExperts, lagExpert, { name: 'log-theta', fit: unfitted(logTheta) }],
  intraday: [...simpleExperts, dayExpert],
};
/** So many points, and cycles of the shortest period, must lie before all that the experts are judged by. */
const fewestBefore = 80;
const fewestCycles = 2.5;

/** The weighed experts, for families that have them, where the history is long enough. */
export function weighedExperts(series: Series, horizon: number, limits: Limits): Weighed | undefined {
  const chosen = experts[familyOf(series)];
  const least = Math.max(fewestBefore, Math.ceil(fewestCycles * shortestPeriod(series)));
  return chosen && weighedForecast(chosen, series, horizon, limits, least);
}

/** Fewer points than this tell of a level, and hardly of a growth. */
const fewestForAll = 6;
const tinySeriesMembers = [naiveMember, naiveMember, medianDriftMember];

/** Names of the members of the ensemble for a kind of series. */
export function memberNames(family: Family): string[] {
  return [...new Set([...members[family], ...(experts[family] ?? [])].map(({ name }) => name))];
}

/** The forecasts of all members that suit the series and are plausible; never none. */
export function memberForecasts(
  series: Series,
  horizon: number,
  limits?: Limits,
): { name: string; forecast: Float64Array }[] {
  const chosen = series.values.length < fewestForAll ? tinySeriesMembers : members[familyOf(series)];
  const suited = chosen.flatMap(({ name, method }) => {
    const forecast = method(series, horizon);
    if (!forecast || !allFinite(forecast)) return [];
    if (!limits) return { name, forecast };
    return isWild(forecast, limits) ? [] : { name, forecast: withinLimits(forecast, limits) };
  });
  if (suited.length > 0) return suited;
  return [{ name: 'naive', forecast: new Float64Array(horizon).fill(series.values[series.values.length - 1]) }];
}

/** The mean of the members at each step, without the highest and the lowest. */
export function trimmedMean(forecasts: readonly Float64Array[]): Float64Array {
  const count = forecasts.length;
  const trim = count < 4 ? 0 : 1;
  const row = new Float64Array(count);
  return forecasts[0].map((_, i) => {
    for (let k = 0; k < count; k++) row[k] = forecasts[k][i];
    row.sort();
    let sum = 0;
    for (let k = trim; k < count - trim; k++) sum += row[k];
    return sum / (count - 2 * trim);
  });
}
