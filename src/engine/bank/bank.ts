import type { Candidate } from './candidate.ts';
import { levels } from './levels.ts';
import { ridges } from './ridges.ts';
import { seasonal } from './seasonal.ts';
import { seasonalEts } from './smooth-season.ts';
import { trends } from './trends.ts';
import type { View } from './view.ts';

/** The simple forecasts that the net weighs, in the order that its weights know. A new one needs the net trained anew. */
export const bank: readonly Candidate[] = [...levels, ...trends, ...seasonal, ...ridges, seasonalEts];

/** What forecasts seasonally, or else level, where a candidate has no forecast. */
const seasonalStandIn = bank.findIndex(({ id }) => id === 'seasonal-naive');
const standIn = bank.findIndex(({ id }) => id === 'naive');

/** The members of the robust middle, which is the last row of what a fitted bank forecasts. */
const middleOf: readonly string[] = [
  'log-theta',
  'root-dynamic-theta',
  'damped-trend',
  'median-growth',
  'growth-ridge',
  'lag-ridge',
  'seasonal-ets',
];
const middleMembers = middleOf.map((id) => bank.findIndex((candidate) => candidate.id === id));
export const candidateCount = bank.length + 1;

/** What the candidates have learned from a view. */
export interface FittedBank {
  /** A forecast of `horizon` steps by each candidate, then their trimmed middle; all finite, in the units of the series. */
  forecasts(now: View, horizon: number): Float64Array[];
}

export function fitBank(view: View): FittedBank {
  const fitted = bank.map(({ fit, minPoints = 1 }) => (view.values.length >= minPoints ? fit(view) : undefined));
  return {
    forecasts(now, horizon) {
      const own = fitted.map((predict) => usable(predict?.(now, horizon)));
      const all = own.map((forecast, k) => forecast ?? own[bank[k].isSeasonal ? seasonalStandIn : standIn]!);
      all.push(trimmedMean(middleMembers.map((k) => all[k])));
      return all;
    },
  };
}

function usable(forecast: Float64Array | undefined): Float64Array | undefined {
  return forecast?.every(Number.isFinite) ? forecast : undefined;
}

/** The mean of the forecasts at each step, without the highest and the lowest where there are four or more. */
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
