import { allPositive, median } from './statistics.ts';
import { confirmSeasons } from './seasons.ts';

/** A step counts as a spike beyond this many typical steps. */
const spikeLimit = 6;
/** Where a series hardly moves, a step of this share of its level is still no spike. */
const leastShare = 0.2;

/**
 * Cuts spikes, so that one wrong reading does not bend the forecast: single points that jump away and back by more than
 * six typical steps, and a last point that has jumped away by as much. A cut point keeps the jump that is still
 * ordinary; a jump that lasts for two points or more is a shift of the level, and stays.
 *
 * Typical is the larger of a robust and a plain mean of the steps between neighbours, after seasonal adjustment, on the
 * log scale for positive values; a series of counts that is mostly zero therefore has no spikes.
 *
 * @returns the values themselves where there is nothing to cut
 */
export function withoutSpikes(values: Float64Array, candidates: readonly number[]): Float64Array {
  const n = values.length;
  if (n < 5) return values;
  const logarithmic = allPositive(values);
  const scaled = logarithmic ? values.map(Math.log) : values;
  if (spikesIn(scaled, logarithmic).length === 0) return values;
  const { adjusted } = confirmSeasons(scaled, candidates);
  const spikes = spikesIn(adjusted, logarithmic);
  if (spikes.length === 0) return values;
  const result = Float64Array.from(values);
  for (const { index, excess } of spikes) {
    const value = scaled[index] - excess;
    result[index] = logarithmic ? Math.exp(value) : value;
  }
  return result;
}

interface Spike {
  readonly index: number;
  /** How far the value lies beyond what is still ordinary. */
  readonly excess: number;
}

function spikesIn(values: Float64Array, logarithmic: boolean): Spike[] {
  const n = values.length;
  const steps = new Float64Array(n - 1);
  for (let i = 1; i < n; i++) steps[i - 1] = values[i] - values[i - 1];
  const sorted = steps.map(Math.abs).sort();
  const kept = sorted.length - Math.max(2, Math.floor(sorted.length / 50));
  let plain = 0;
  for (let i = 0; i < kept; i++) plain += sorted[i] / kept;
  const level = logarithmic ? 1 : Math.abs(median(values));
  const typical = Math.max(1.4826 * sorted[sorted.length >> 1], plain);
  const limit = Math.max(spikeLimit * typical, leastShare * level);
  const spikes: Spike[] = [];
  if (sorted[sorted.length - 1] <= limit || limit === 0) return spikes;
  for (let i = 1; i < n - 1; i++) {
    const before = steps[i - 1];
    const after = steps[i];
    if (before * after >= 0) continue;
    const height = Math.min(Math.abs(before), Math.abs(after));
    if (height > limit) spikes.push({ index: i, excess: Math.sign(before) * (height - typical) });
  }
  const last = steps[n - 2];
  // The way back from a spike is none.
  if (Math.abs(last) > limit && spikes.at(-1)?.index !== n - 2) {
    spikes.push({ index: n - 1, excess: Math.sign(last) * (Math.abs(last) - limit) });
  }
  return spikes;
}
