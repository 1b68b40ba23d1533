import { approximateStep, type Frequency } from './frequency.ts';

/** What a seasonal naive forecast repeats: one value, a span that has a name, or so many steps. */
export type Season = 'value' | 'year' | 'week' | 'day' | 'hour' | { readonly steps: number };

/** The span of a season of `period` steps. */
export function seasonOf(frequency: Frequency | undefined, period: number | undefined): Season {
  if (period === undefined || period <= 1) return 'value';
  const days = frequency && (approximateStep(frequency) * period) / 86_400_000;
  const near = (length: number) => days !== undefined && Math.abs(days / length - 1) < 0.02;
  if (near(365.25)) return 'year';
  if (near(7)) return 'week';
  if (near(1)) return 'day';
  if (near(1 / 24)) return 'hour';
  return { steps: Math.round(period) };
}
