/** Autoregressions on chosen lags, fitted once by ridge regression (Hoerl and Kennard 1970). */
import { continueLags, fitLagRidge, type LagFit, type RidgeOptions } from '../methods/ridge.ts';
import type { Candidate, Predict } from './candidate.ts';
import { lastOf, unscaled, type View } from './view.ts';

/** What an autoregression works on, and how its forecast becomes one of the series. */
interface Domain {
  readonly of: (view: View) => Float64Array;
  readonly back: (forecast: Float64Array, now: View) => Float64Array | undefined;
}

const onValues: Domain = { of: ({ values }) => values, back: (forecast) => forecast };
const onLogs: Domain = { of: ({ logs }) => logs.values, back: (forecast, { logs }) => unscaled(forecast, logs) };
const onAdjusted: Domain = { of: ({ adjusted }) => adjusted, back: (forecast, now) => now.inSeason(forecast) };
const onAdjustedLogs: Domain = {
  of: ({ adjustedLogs }) => adjustedLogs.values,
  back: (forecast, now) => now.inSeason(unscaled(forecast, now.adjustedLogs)),
};

interface Plan extends RidgeOptions {
  readonly domain: Domain;
  readonly lags: readonly number[];
  /** Points that are looked back; 3,000 or three long cycles where nothing is said, as more hardly make it better. */
  readonly memory?: number | undefined;
}

/** @param plan of a view; without a season the same candidate may be another autoregression */
function ridge(plan: (view: View) => Plan): (view: View) => Predict {
  return (view) => {
    const { domain, lags, memory = Math.max(3000, 3 * view.longPeriod), ...options } = plan(view);
    const used = [...new Set(lags)].filter((lag) => lag > 0).sort((a, b) => a - b);
    const fit: LagFit | undefined = fitLagRidge(lastOf(domain.of(view), memory), used, options);
    return (now, horizon) => fit && domain.back(continueLags(fit, domain.of(now), horizon), now);
  };
}

const longLags = ({ period, longPeriod }: View): number[] =>
  longPeriod > 0 ? [longPeriod - 1, longPeriod, longPeriod + 1] : [2 * period];

export const ridges: readonly Candidate[] = [
  {
    id: 'growth-ridge',
    description: 'Growth from its last three steps, on logarithms.',
    fit: ridge(() => ({ domain: onAdjustedLogs, lags: [1, 2, 3], memory: 300, penalty: 0.02, difference: 1 })),
  },
  {
    id: 'adjusted-ridge',
    description: 'The seasonally adjusted values from their last six.',
    fit: ridge(({ period, longPeriod }) => ({
      domain: onAdjusted,
      lags: [1, 2, 3, 4, 5, 6, ...(longPeriod > 0 ? [period, longPeriod].flatMap((p) => [p - 1, p, p + 1]) : [])],
      memory: longPeriod > 0 ? undefined : 600,
      penalty: 1e-3,
    })),
  },
  {
    id: 'lag-ridge',
    description: 'The values from the last ones and from those one and two cycles before.',
    isSeasonal: true,
    fit: ridge((view) => {
      const { period: p } = view;
      return p > 1
        ? { domain: onLogs, lags: [1, 2, 3, p - 1, p, p + 1, ...longLags(view)], penalty: 0.002 }
        : { domain: onValues, lags: [1, 2, 3, 4], penalty: 0.01 };
    }),
  },
  {
    id: 'change-ridge',
    description: 'The changes over a cycle from the last ones.',
    isSeasonal: true,
    fit: ridge((view) => {
      const { period: p } = view;
      return p > 1
        ? { domain: onLogs, lags: [1, 2, 3, p, p + 1, ...longLags(view)], penalty: 0.02, difference: p }
        : { domain: onValues, lags: [1, 2, 3], penalty: 0.05, difference: 1 };
    }),
  },
  {
    id: 'cycle-ridge',
    description: 'The values from those one to seven cycles before.',
    isSeasonal: true,
    fit: ridge(({ period: p, longPeriod }) => ({
      domain: onValues,
      lags:
        p > 1
          ? [...[1, 2, 3, 4, 5, 6, 7].map((k) => k * p), ...(longPeriod > 0 ? [longPeriod, 2 * longPeriod] : [])]
          : [1, 2, 3, 4, 6, 8, 12, 16, 24],
      penalty: 0.01,
    })),
  },
  {
    id: 'wide-ridge',
    description: 'The values from many lags around one to three cycles.',
    isSeasonal: true,
    fit: ridge((view) => {
      const { period: p } = view;
      const around = [p - 1, p, p + 1, 2 * p - 1, 2 * p, 2 * p + 1, 3 * p, ...longLags(view)];
      return p > 1
        ? { domain: onValues, lags: [1, 2, 3, 4, 6, ...around], penalty: 1e-3 }
        : { domain: onValues, lags: [1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14], penalty: 1e-3, difference: 1 };
    }),
  },
  {
    id: 'log-autoregression',
    description: 'A stationary autoregression of the logarithms of the seasonally adjusted values.',
    fit: ridge(() => ({ domain: onAdjustedLogs, lags: [1, 2, 3, 4], memory: 300, penalty: 0.01 })),
  },
];
