/** Candidates that repeat what was in the same phase of a cycle. */
import { mean } from '../statistics.ts';
import { unfitted, type Candidate } from './candidate.ts';
import { meanOfPhases, repeated } from './profiles.ts';
import { lastOf, samePhase, type View } from './view.ts';

/** Long cycles, or else cycles, that a mean over phases takes. */
const longCycles = 8;
const shortCycles = 12;

/** The mean of the values in the same phase of the long period, or of all in the same phase where there is none. */
function longMeanOf({ values, period, longPeriod }: View, horizon: number): Float64Array | undefined {
  if (longPeriod === 0 && period < 2) return undefined;
  return longPeriod > 0 && values.length > longPeriod
    ? meanOfPhases(values, longPeriod, longCycles, horizon)
    : meanOfPhases(values, period, shortCycles, horizon);
}

/** How many points such a mean stands for. */
function reachOfLongMean({ values, period, longPeriod }: View): number {
  return longPeriod > 0 && values.length > longPeriod ? longCycles * longPeriod : shortCycles * period;
}

export const seasonal: readonly Candidate[] = [
  {
    id: 'seasonal-naive',
    description: 'Repeats the last cycle, or the last value where there is none.',
    minPoints: 1,
    fit: unfitted(({ values, period }, horizon) => repeated(values, period, horizon)),
  },
  {
    id: 'recent-phases',
    description: 'The mean of the last four cycles, phase by phase.',
    minPoints: 1,
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
    minPoints: 1,
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
      const level = mean(lastOf(now.adjusted, reachOfLongMean(now)));
      const { factors } = now.restoring(horizon);
      return longMeanOf(now, horizon)?.map((value, i) => value + (now.smoothed.best.level - level) * factors[i]);
    }),
  },
];
