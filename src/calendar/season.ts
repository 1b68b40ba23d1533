import { HOUR, WEEK } from './civil.ts';
import { cycleLengths, fixedStep, monthStep, type Frequency } from './frequency.ts';

/** What a seasonal naive forecast repeats: one value, a span that has a name, or so many steps. */
export type Season = 'value' | 'year' | 'week' | 'day' | 'hour' | { readonly steps: number };

/** The span of a season of `period` steps. */
export function seasonOf(frequency: Frequency | undefined, period: number | undefined): Season {
  if (period === undefined || period <= 1) return 'value';
  const length = frequency && lengthIn(frequency, period);
  const near = (cycle: number) => length !== undefined && Math.abs(length / cycle - 1) < 0.02;
  if (near(YEAR)) return 'year';
  if (near(1)) return 'week';
  if (frequency && near(cycleLengths(frequency).day / cycleLengths(frequency).week)) return 'day';
  if (frequency && near(HOUR / cycleLengths(frequency).week)) return 'hour';
  return { steps: Math.round(period) };
}

/** Weeks of a year. */
const YEAR = 365.25 / 7;

/** How many weeks so many steps take; of open time, where some is closed. */
function lengthIn(frequency: Frequency, steps: number): number {
  const months = monthStep(frequency);
  if (months !== undefined) return (months * steps * YEAR) / 12;
  return ((fixedStep(frequency) ?? WEEK) * steps) / cycleLengths(frequency).week;
}
