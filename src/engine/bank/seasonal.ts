/** Candidates that repeat what was in the same phase of a cycle. */
import { mean } from '../statistics.ts';
import { unfitted, type Candidate } from './candidate.ts';
import { lastOf, samePhase, type View } from './view.ts';

/** The last period again and again; the last value where there is no whole period. */
export function repeated(values: Float64Array, period: number, horizon: number): Float64Array {
  return meanOfPhases(values, period, 1, horizon);
}

/** The mean of the last `most` values in the same phase; the last value where there is no whole period. */
export function meanOfPhases(values: Float64Array, period: number, most: number, horizon: number): Float64Array {
  const n = values.length;
  const result = new Float64Array(horizon);
  for (let i = 0; i < horizon; i++) {
    let sum = 0;
    let count = 0;
    const first = samePhase(n, period, i + 1);
    for (let at = first; at >= 0 && count < most && i < period; at -= period, count++) sum += values[at];
    result[i] = i >= period ? result[i - period] : count > 0 ? sum / count : values[n - 1];
  }
  return result;
}

/** The mean of the values in the same phase of the long period, or of all in the same phase where there is none. */
function longMeanOf(now: View, horizon: number): Float64Array | undefined {
  if (now.longPeriod === 0 && now.period < 2) return undefined;
  const { period, cycles } = longCyclesOf(now);
  return meanOfPhases(now.values, period, cycles, horizon);
}

/** Eight long cycles, or else twelve cycles. */
function longCyclesOf({ values, period, longPeriod }: View): { readonly period: number; readonly cycles: number } {
  return longPeriod > 0 && values.length > longPeriod ? { period: longPeriod, cycles: 8 } : { period, cycles: 12 };
}

export const seasonal: readonly Candidate[] = [
  {
    id: 'seasonal-naive',
    description: 'Repeats the last cycle, or the last value where there is none.',
    fit: unfitted(({ values, period }, horizon) => repeated(values, period, horizon)),
  },
  {
    id: 'recent-phases',
    description: 'The mean of the last four cycles, phase by phase.',
    fit: unfitted(({ values, period }, horizon) => meanOfPhases(values, period, 4, horizon)),
  },
  {
    id: 'long-naive',
    description: 'Repeats the last long cycle, such as the week in hours.',
    minPoints: 2,
    isSeasonal: true,
    fit: unfitted(({ values, longPeriod }, horizon) =>
      longPeriod > 0 && values.length > longPeriod ? repeated(values, longPeriod, horizon) : undefined,
    ),
  },
  {
    id: 'seasonal-naive-at-level',
    description: 'The last cycle, moved to the level where the series is now.',
    fit: unfitted((now, horizon) => {
      const { factors } = now.restoring(horizon);
      const { best } = now.smoothed;
      return repeated(now.values, now.period, horizon).map((value, i) => {
        const at = Math.max(0, samePhase(now.values.length, now.period, i + 1));
        return value + (best.level - now.adjusted[at]) * factors[i];
      });
    }),
  },
  {
    id: 'long-phases',
    description: 'The mean of the last eight long cycles, or twelve cycles, phase by phase.',
    minPoints: 2,
    isSeasonal: true,
    fit: unfitted(longMeanOf),
  },
  {
    id: 'long-phases-at-level',
    description: 'The mean of long cycles, moved to the level where the series is now.',
    minPoints: 2,
    isSeasonal: true,
    fit: unfitted((now, horizon) => {
      const { period, cycles } = longCyclesOf(now);
      const level = mean(lastOf(now.adjusted, period * cycles));
      const { factors } = now.restoring(horizon);
      return longMeanOf(now, horizon)?.map((value, i) => value + (now.smoothed.best.level - level) * factors[i]);
    }),
  },
];
