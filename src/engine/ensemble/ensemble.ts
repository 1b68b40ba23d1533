import {
  blockLogTheta,
  dampedTrend,
  dynamicTheta,
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
import { isWild, withinLimits, type Limits } from './plausible.ts';
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

/** The lags 1 to `count`. */
const nearest = (count: number): number[] => Array.from({ length: count }, (_, i) => i + 1);

const rising = (lags: readonly number[]): number[] => [...new Set(lags)].filter((lag) => lag > 0).sort((a, b) => a - b);

const shortLags = (series: Series): number[] => {
  const period = shortestPeriod(series);
  return period > 1 ? rising([1, 2, 3, period, period + 1]) : nearest(3);
};

const seasonalLags = (series: Series): number[] => {
  const period = shortestPeriod(series);
  return rising([1, 2, 3, 4, period, period + 1, 2 * period]);
};

/** A few steps, and around each period, that lags may reach. */
const longLags = (series: Series): number[] =>
  rising([...nearest(4), ...reachable(series).flatMap((p) => [p - 1, p, p + 1, 2 * p])]);

/** The steps of one day, then around whole days and the week. */
const dailyLags = (series: Series): number[] => {
  const [day, week] = dayAndWeek(series);
  const first = day <= 48 ? nearest(day + 2) : [...nearest(24), day - 1, day, day + 1];
  return rising([...first, ...multiples(day, 6), 2 * day - 1, 2 * day + 1, ...[-2, -1, 0, 1, 2].map((d) => week + d)]);
};

/** Around the first days and around the week. */
const weeklyLags = (series: Series): number[] => {
  const [day, week] = dayAndWeek(series);
  const around = [-2, -1, 0, 1, 2];
  return rising([
    ...nearest(6),
    ...around.flatMap((d) => [day + d, 2 * day + d]),
    ...multiples(day, 6),
    ...[-3, ...around, 3].map((d) => week + d),
    week + day,
    2 * week - 1,
    2 * week,
    2 * week + 1,
  ]);
};

const sparseDailyLags = (series: Series): number[] => {
  const [day, week] = dayAndWeek(series);
  return rising([1, 2, 3, day - 1, day, day + 1, ...multiples(day, 6), week - 1, week, week + 1]);
};

const adjustedLags = (series: Series): number[] => rising([...nearest(6), shortestPeriod(series)]);

const multiples = (period: number, last: number): number[] =>
  nearest(last)
    .slice(1)
    .map((k) => k * period);

function dayAndWeek({ candidates }: Series): [number, number] {
  return [Math.round(candidates[0]), Math.round(candidates[candidates.length - 1])];
}

function reachable({ candidates }: Series): number[] {
  return candidates.filter((period) => period <= 100).map(Math.round);
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

/** Fewer points than this tell of a level, and hardly of a growth. */
const fewestForAll = 6;
const tinySeriesMembers = [naiveMember, naiveMember, medianDriftMember];

/** Names of the members of the ensemble for a kind of series. */
export function memberNames(family: Family): string[] {
  return members[family].map(({ name }) => name);
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
