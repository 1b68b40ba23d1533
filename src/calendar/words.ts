import * as l10n from '@vscode/l10n';
import { fixedFrequency, fixedStep, type Frequency, type FrequencyUnit, monthStep } from './frequency.ts';
import { inDigits } from './digits.ts';

/** How often, of a step of one unit and of several. */
const ADVERBS: Readonly<Record<FrequencyUnit, readonly [() => string, (count: number) => string]>> = {
  millisecond: [() => l10n.t('every millisecond'), (count) => l10n.t('every {0} milliseconds', count)],
  second: [() => l10n.t('every second'), (count) => l10n.t('every {0} seconds', count)],
  minute: [() => l10n.t('every minute'), (count) => l10n.t('every {0} minutes', count)],
  hour: [() => l10n.t('hourly'), (count) => l10n.t('every {0} hours', count)],
  day: [() => l10n.t('daily'), (count) => l10n.t('every {0} days', count)],
  week: [() => l10n.t('weekly'), (count) => l10n.t('every {0} weeks', count)],
  month: [() => l10n.t('monthly'), (count) => l10n.t('every {0} months', count)],
  quarter: [() => l10n.t('quarterly'), (count) => l10n.t('every {0} quarters', count)],
  year: [() => l10n.t('yearly'), (count) => l10n.t('every {0} years', count)],
};

/** One of a unit, and several. */
const SPANS: Readonly<
  Record<FrequencyUnit | 'business day' | 'point', readonly [() => string, (count: string) => string]>
> = {
  millisecond: [() => l10n.t('1 millisecond'), (count) => l10n.t('{0} milliseconds', count)],
  second: [() => l10n.t('1 second'), (count) => l10n.t('{0} seconds', count)],
  minute: [() => l10n.t('1 minute'), (count) => l10n.t('{0} minutes', count)],
  hour: [() => l10n.t('1 hour'), (count) => l10n.t('{0} hours', count)],
  day: [() => l10n.t('1 day'), (count) => l10n.t('{0} days', count)],
  week: [() => l10n.t('1 week'), (count) => l10n.t('{0} weeks', count)],
  month: [() => l10n.t('1 month'), (count) => l10n.t('{0} months', count)],
  quarter: [() => l10n.t('1 quarter'), (count) => l10n.t('{0} quarters', count)],
  year: [() => l10n.t('1 year'), (count) => l10n.t('{0} years', count)],
  'business day': [() => l10n.t('1 business day'), (count) => l10n.t('{0} business days', count)],
  point: [() => l10n.t('1 point'), (count) => l10n.t('{0} points', count)],
};

/** In words for a sentence: "monthly", "every 5 minutes", "business-daily", "half-hourly". */
export function describeFrequency(frequency: Frequency): string {
  const { unit, count } = frequency;
  if (frequency.businessDays) return count === 1 ? l10n.t('business-daily') : l10n.t('every {0} business days', count);
  if (unit === 'minute' && count === 30) return l10n.t('half-hourly');
  if (unit === 'month' && count === 6) return l10n.t('half-yearly');
  const [once, several] = ADVERBS[unit];
  return count === 1 ? once() : several(count);
}

/**
 * How long a number of steps is, in words: "24 months", "48 hours", "5 business days", "1 day" for 288 steps of 5 minutes,
 * and "5 points" for a series without a regular step.
 */
export function stepNoun(frequency: Frequency | undefined, steps: number): string {
  const plural = (n: number, noun: keyof typeof SPANS) => {
    const [one, several] = SPANS[noun];
    return n === 1 ? one() : several(inDigits(n));
  };
  if (!frequency) return plural(steps, 'point');
  if (frequency.businessDays) return plural(steps * frequency.count, 'business day');
  const { unit, count } = frequency;
  const months = monthStep(frequency);
  if (months !== undefined) {
    if (count === 1 || (steps * months) % 12 !== 0) return plural(steps * count, unit);
    return plural((steps * months) / 12, 'year');
  }
  const isPlain = count === 1 && (unit === 'hour' || unit === 'day' || unit === 'week');
  if (isPlain || unit === 'week') return plural(steps * count, unit);
  const whole = fixedFrequency(Number(((fixedStep(frequency) ?? 0) * steps).toFixed(6)));
  return whole.unit === 'week' ? plural(7 * whole.count, 'day') : plural(whole.count, whole.unit);
}
