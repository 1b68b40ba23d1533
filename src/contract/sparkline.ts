import { PointQuantiles, type SeriesPoint, type Sparkline } from './resources.ts';

export const SPARKLINE_POINTS = { past: 48, ahead: 24 } as const;

/** @param past at least the last {@link SPARKLINE_POINTS} points */
export function sparklineOf(past: readonly SeriesPoint[], ahead: readonly SeriesPoint[]): Sparkline {
  const steps = ahead.slice(0, SPARKLINE_POINTS.ahead).map(({ value, metadata }) => {
    const { data } = PointQuantiles.safeParse(metadata);
    return { value, quantiles: data?.quantiles ?? {} };
  });
  const levels = Object.keys(steps[0]?.quantiles ?? {}).sort((a, b) => Number(a) - Number(b));
  const [low, high] = levels.includes('0.1') && levels.includes('0.9') ? ['0.1', '0.9'] : [levels[0], levels.at(-1)];
  const limits = (level: string) => steps.map(({ quantiles }) => short(quantiles[level]));
  return {
    past: past.slice(-SPARKLINE_POINTS.past).map(({ value }) => short(value)),
    ahead: steps.map(({ value, quantiles }) => short(quantiles['0.5'] ?? value)),
    ...(low !== undefined && high !== undefined && low !== high ? { lower: limits(low), upper: limits(high) } : {}),
  };
}

const short = (value: number | null | undefined): number | null =>
  value === undefined || value === null || !Number.isFinite(value) ? null : Number(value.toPrecision(9));
