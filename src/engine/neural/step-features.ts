import { type Restoring, samePhase, type View } from '../bank/view.ts';

/** What the net is told of a step ahead beside the candidate forecasts. */
export const stepOwnFeatureCount = 24;

/**
 * @param candidates the candidate forecasts of that step, in the scale of the window
 * @returns as many numbers as `stepOwnFeatureCount`, always in the same order
 */
export function describeStep(
  { values, adjusted, period, longPeriod }: View,
  { factors, offsets }: Restoring,
  step: number,
  candidates: Float32Array,
  location: number,
  scale: number,
): number[] {
  const n = values.length;
  // Steps further ahead look like this one to the net, as it hardly saw any in training.
  const known = Math.min(step, 320);
  const relative = (value: number): number => Math.asinh((value - location) / scale);
  const valueAt = (index: number): number => (index >= 0 && index < n ? relative(values[index]) : 0);
  const same = samePhase(n, period, step);
  const phase = phaseSummary(values, same, period);
  const long = longPeriod > 0 ? samePhase(n, longPeriod, step) : -1;
  const longPhase = phaseSummary(values, long, longPeriod);
  const all = phaseSummary(candidates, candidates.length - 1, 1, candidates.length);
  return Object.values({
    ahead: Math.min(known, 64) / 16,
    logAhead: Math.log(known),
    rootAhead: Math.sqrt(known / 4),
    cyclesAhead: Math.min(known / period, 4),
    seasonalFactor: Math.log(Math.max(factors[step - 1], 1e-3)),
    seasonalOffset: Math.asinh(offsets[step - 1] / scale),
    oneCycleAgo: valueAt(same),
    twoCyclesAgo: valueAt(same - period),
    threeCyclesAgo: valueAt(same - 2 * period),
    fourCyclesAgo: valueAt(same - 3 * period),
    beforeOneCycleAgo: valueAt(same - 1),
    afterOneCycleAgo: valueAt(same + 1),
    adjustedOneCycleAgo: same >= 0 ? relative(adjusted[same]) : 0,
    phaseMean: phase.count > 0 ? relative(phase.mean) : 0,
    phaseSpread: phase.count > 1 ? Math.log(0.01 + phase.spread / scale) : 0,
    oneLongCycleAgo: valueAt(long),
    twoLongCyclesAgo: valueAt(long >= 0 ? long - longPeriod : -1),
    longCyclesAhead: longPeriod > 0 ? Math.min(known / longPeriod, 4) : 0,
    longPhaseMean: longPhase.count > 0 ? relative(longPhase.mean) : 0,
    longPhaseSpread: longPhase.count > 1 ? Math.log(0.01 + longPhase.spread / scale) : 0,
    longPhaseToday: longPhase.count > 0 && phase.count > 0 ? Math.asinh((longPhase.mean - phase.mean) / scale) : 0,
    candidateSpread: Math.log(0.01 + all.spread),
    candidateMean: Math.asinh(all.mean),
    pastHorizon: Math.log(n / known) / 2,
  });
}

/** Mean and mean absolute deviation of the last values a period apart, of up to eight cycles. */
function phaseSummary(
  values: Float64Array | Float32Array,
  last: number,
  period: number,
  most = 8,
): { mean: number; spread: number; count: number } {
  let count = 0;
  let mean = 0;
  for (let at = last; at >= 0 && count < most; at -= period) {
    mean += values[at];
    count++;
  }
  mean /= Math.max(1, count);
  let spread = 0;
  for (let k = 0; k < count; k++) spread += Math.abs(values[last - k * period] - mean) / count;
  return { mean, spread, count };
}
