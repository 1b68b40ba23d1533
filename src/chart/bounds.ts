import type { Frame, Range } from './frame.ts';

/** What a chart may be scrolled and zoomed to. */
export interface Bounds {
  readonly whole: Range;
  /** What is shown until the person zooms. */
  readonly initial: Range;
  /** The shortest visible part. */
  readonly shortest: number;
}

/** Up to this many observations the whole history is shown at first. */
export const WHOLE_UP_TO = 500;
const LAST_POINTS = 200;
const LAST_HORIZONS = 5;
const SINGLE_POINT = 24 * 60 * 60 * 1000;

/**
 * Where a chart begins: with the whole series where that is legible, else with the forecast and the last part of the
 * history, at least 200 points and five horizons.
 */
export function boundsOf({ times, history, forecast }: Frame): Bounds {
  const first = times[0] ?? 0;
  const last = times.at(-1) ?? 0;
  const span = last - first;
  const margin = span > 0 ? span * 0.01 : SINGLE_POINT;
  const whole = { min: first - margin, max: last + margin };
  const shortest = span > 0 ? Math.min(span, 2 * smallestStep(times)) : margin;
  if (history.times.length <= WHOLE_UP_TO) return { whole, initial: whole, shortest };
  const points = Math.max(LAST_POINTS, LAST_HORIZONS * (forecast?.times.length ?? 0));
  const from = history.times[Math.max(0, history.times.length - points)]!;
  const initial = { min: Math.max(from, whole.min), max: last + Math.min(margin, (last - from) * 0.01) };
  return { whole, initial, shortest };
}

function smallestStep(times: Float64Array): number {
  let smallest = Infinity;
  for (let index = 1; index < times.length; index++) smallest = Math.min(smallest, times[index]! - times[index - 1]!);
  return smallest;
}
