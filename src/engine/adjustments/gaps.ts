import type { Series } from '../prepare/series.ts';
import { clamp, mean } from '../statistics.ts';

/** What is near the end counts half, as it does in what the bands are made from. */
const nearPoints = 64;
const nearCycles = 3;
/** Fewer steps near the end tell too little of how much the series moves now. */
const fewestSteps = 6;
const mostWidth = 6;
/** With which exponent of the steps between them observations are taken to differ: more than a walk, less than a line. */
const growth = 0.7;

/** Where gaps recur, so much of the variance of what is missing goes by the place in the cycle: more than chance gives. */
const recurring = 0.3;
const fewestCycles = 4;

/** Whether mostly the same places of each cycle are missing, as nights and Sundays on which nobody is there. */
function recur(filledIn: Uint8Array, period: number): boolean {
  const cycles = Math.floor(filledIn.length / period);
  if (period < 2 || cycles < fewestCycles) return false;
  const missing = new Float64Array(period);
  for (let i = filledIn.length - cycles * period; i < filledIn.length; i++)
    missing[i % period] += (1 / cycles) * filledIn[i];
  const share = mean(missing);
  const explained = mean(missing.map((each) => (each - share) ** 2)) / (share * (1 - share));
  return (cycles * explained - 1) / (cycles - 1) >= recurring;
}

/**
 * The factor on the bands of a series with gaps: what has been filled in runs smoothly from one observation to the next,
 * so that bands made from its movement believe too much. It is how much the series moves between neighbouring
 * observations, as it would over one step, beside how much it seems to; 1 where nothing was missing, and where gaps recur in
 * each cycle: what is forecast there then is as little asked for as it was observed.
 */
export function widthForGaps({ filledIn, candidates, seasons: { adjusted } }: Series): number {
  if (!filledIn?.includes(1) || candidates.some((period) => recur(filledIn, Math.round(period)))) return 1;
  const n = adjusted.length;
  const near = n - Math.min(n, Math.max(nearPoints, nearCycles * Math.round(candidates[0] ?? 1)));
  const seen = [0, near].map((from) => stepsSince(from));
  const known = seen.map(({ known, count }) => (count < fewestSteps ? seen[0].known : known));
  const width = (known[0] + known[1]) / (seen[0].all + seen[1].all);
  return Number.isFinite(width) ? clamp(width, 1, mostWidth) : 1;

  /** The mean step between observations, and between all points. */
  function stepsSince(from: number): { known: number; count: number; all: number } {
    let sum = 0;
    let count = 0;
    let all = 0;
    let before = -1;
    for (let i = from; i < n; i++) {
      if (i > from) all += Math.abs(adjusted[i] - adjusted[i - 1]) / (n - 1 - from);
      if (filledIn?.[i] === 1) continue;
      if (before >= 0) {
        sum += Math.abs(adjusted[i] - adjusted[before]) / (i - before) ** growth;
        count++;
      }
      before = i;
    }
    return { known: sum / count, count, all };
  }
}
