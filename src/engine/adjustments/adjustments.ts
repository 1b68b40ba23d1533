import { medianRow, mapRows, movedTo, uncrossed, type Quantiles } from '../quantiles.ts';
import { restoreSeasons } from '../prepare/seasons.ts';
import type { Series } from '../prepare/series.ts';
import { clamp, mean, meanAbsolute } from '../statistics.ts';
import type { EngineInput } from '../types.ts';
import { oneCountOf } from '../bank/pieces.ts';
import { bounded } from './bounds.ts';
import { closedSteps } from './closed.ts';
import { limitsOf } from './limits.ts';
import { restrained } from './restraint.ts';

/** What an adjustment may know of a forecast beside its series. */
export interface Context {
  readonly input: EngineInput;
  /** Whether the quantiles are those of observations, of counts or of a series that stands still. */
  readonly isObserved: boolean;
  /** Whether the model repeats what was, which cannot leave it. */
  readonly isRepeated: boolean;
  /** Whether the model was trained on such series, and so has reason to depart from what they did. */
  readonly isTrained: boolean;
}

export interface Adjustment {
  readonly id: string;
  readonly description: string;
  /** Brings the quantiles of a prepared series, whose steps begin after its last observation, in line with what is known. */
  readonly adjust: (quantiles: Quantiles, series: Series, context: Context) => Quantiles;
}

/** In this order, the same for a forecast and its backtest. */
export const adjustments: readonly Adjustment[] = [
  {
    id: 'restraint',
    description: 'Without a season, no farther from the last value than the history gives reason for.',
    adjust(quantiles, series, { isObserved, isRepeated, isTrained }) {
      if (isObserved || isRepeated || isTrained) return quantiles;
      const median = medianRow(quantiles);
      const drawn = restrained(median, series);
      return drawn === median ? quantiles : movedTo(quantiles, drawn);
    },
  },
  {
    id: 'tails',
    description: 'Without a drift, the outer quantiles reach a tenth of the way to those of the history.',
    adjust(quantiles, { seasons, values }, { isObserved, isRepeated }) {
      if (isObserved || isRepeated || values.length < 100) return quantiles;
      const near = seasons.adjusted.subarray(-500);
      const half = near.length >> 1;
      const [before, after, centre] = [near.subarray(0, half), near.subarray(half), near].map(mean);
      const drift = Math.abs(after - before) / meanAbsolute(near.map((value) => value - centre));
      const share = 0.1 * Math.max(0, 1 - 3 * drift);
      if (!(share > 0)) return quantiles;
      const sorted = near.slice().sort();
      const at = (level: number): number => sorted[Math.round(level * (sorted.length - 1))];
      return mapRows(quantiles, (row, k) => {
        const level = quantiles.levels[k];
        const side = level < 0.06 ? -1 : level > 0.94 ? 1 : 0;
        if (side === 0) return row;
        const past = restoreSeasons(new Float64Array(row.length).fill(at(level)), seasons.list, values.length);
        return row.map((value, i) => value + side * share * Math.max(0, side * (past[i] - value)));
      });
    },
  },
  {
    id: 'limits',
    description: 'Within what the records and movements of the history make plausible.',
    adjust(quantiles, series, { isObserved, isRepeated }) {
      if (isObserved && series.intermittent) return quantiles;
      const median = medianRow(quantiles);
      const { low, high, reach, outer } = limitsOf(series.values, series.observedValues, median.length);
      const kept = isObserved || isRepeated ? median : median.map((value, i) => clamp(value, low[i], high[i]));
      return mapRows(quantiles, (row) =>
        row.map((value, i) => clamp(kept[i] + clamp(value - median[i], -reach[i], reach[i]), ...outer)),
      );
    },
  },
  {
    id: 'whole-counts',
    description: 'Whole where the series counts a few things.',
    adjust(quantiles, series, { isObserved }) {
      const one = isObserved ? 0 : oneCountOf(series);
      return one > 0 ? mapRows(quantiles, (row) => row.map((value) => Math.round(value / one) * one)) : quantiles;
    },
  },
  {
    id: 'closed',
    description: 'Zero at places of the calendar that were zero each of the last times.',
    adjust(quantiles, { missingAtEnd, intermittent }, { input, isObserved }) {
      if (isObserved && intermittent) return quantiles;
      const closed = closedSteps(input.values, input.periods, input.horizon);
      if (!closed) return quantiles;
      return mapRows(quantiles, (row) => row.map((value, i) => (closed[i - missingAtEnd] === 1 ? 0 : value)));
    },
  },
  {
    id: 'bounds',
    description: 'Within the bounds that were asked for, or else on the side of zero on which all observations are.',
    adjust: (quantiles, series, { input, isObserved }) => bounded(uncrossed(quantiles), input, isObserved, series),
  },
];

/** All adjustments, one after the other. */
export function adjusted(quantiles: Quantiles, series: Series, context: Context): Quantiles {
  return adjustments.reduce((before, { adjust }) => adjust(before, series, context), quantiles);
}
