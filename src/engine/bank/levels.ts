/** Candidates that stay where the series is. */
import { mean, median } from '../statistics.ts';
import { along, seasonalLevel, unfitted, type Candidate } from './candidate.ts';
import { lastOf } from './view.ts';

export const levels: readonly Candidate[] = [
  {
    id: 'naive',
    description: 'The last seasonally adjusted value, put back in season.',
    fit: seasonalLevel(
      ({ adjusted }) =>
        () =>
          adjusted[adjusted.length - 1],
    ),
  },
  {
    id: 'last-value',
    description: 'The last value as it is.',
    fit: unfitted(({ values }, horizon) => along(horizon, () => values[values.length - 1])),
  },
  {
    id: 'usual-level',
    description: 'Simple exponential smoothing with the weight 0.3 (Brown 1959).',
    fit: seasonalLevel(
      ({ smoothed }) =>
        () =>
          smoothed.usual.level,
    ),
  },
  {
    id: 'best-level',
    description: 'Simple exponential smoothing with the one of five weights that erred least.',
    fit: seasonalLevel(
      ({ smoothed }) =>
        () =>
          smoothed.best.level,
    ),
  },
  {
    id: 'recent-median',
    description: 'The median of the last two cycles.',
    fit: unfitted(({ values, period }, horizon) => {
      const level = median(lastOf(values, Math.max(2 * period, 12)));
      return along(horizon, () => level);
    }),
  },
  {
    id: 'long-mean',
    description: 'The mean of all seasonally adjusted values, put back in season.',
    fit: seasonalLevel(({ adjusted }) => {
      const level = mean(adjusted);
      return () => level;
    }),
  },
];
