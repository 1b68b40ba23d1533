import * as l10n from '@vscode/l10n';
import { inDigits, inSignificant, inPercent } from '../../calendar/digits.ts';
import type { Scene } from '../../chart/scene.ts';
import { seriesTraces } from '../../chart/trace.ts';
import type { SeriesRow } from '../../editor/many-series/protocol.ts';
import { type Column, changeOf } from './order.ts';

/** A share with its sign: `+4.2 %`, `−0.3 %`. */
function signed(share: number): string {
  const digits = Math.abs(share) >= 10 ? 0 : 1;
  const isNone = Number(Math.abs(share * 100).toFixed(digits)) === 0;
  return inPercent((isNone ? '' : share < 0 ? '−' : '+') + inDigits(Math.abs(share * 100), digits));
}

const percent = (share: number): string => String(Math.round(Math.abs(share) * 100));

/** The words of a row, column by column; what is not known is a dash. */
export function cellsOf(row: SeriesRow): Readonly<Record<Exclude<Column, 'name'>, string>> {
  const formatted = (value: number | undefined, words: (value: number) => string) =>
    value === undefined ? '–' : words(value);
  return {
    last: formatted(row.last, (value) => inSignificant(value, 5)),
    next: formatted(row.next, (value) => inSignificant(value, 5)),
    change: formatted(changeOf(row), signed),
    error: formatted(row.error, (value) => inPercent(inDigits(value, 1))),
    coverage: formatted(row.coverage, (value) => inPercent(percent(value))),
  };
}

/** What the figures of a row mean, in a sentence each. */
export function aboutRow({ name, model, error, skill, coverage }: SeriesRow): string {
  const better = (gain: number): string =>
    gain >= 0
      ? l10n.t('{0}% better than the seasonal naive baseline', percent(gain))
      : l10n.t('{0}% worse than the seasonal naive baseline', percent(gain));
  return [
    model === undefined ? name : `${name} · ${model}`,
    ...(error === undefined ? [] : [l10n.t('{0}% error on the holdout', inDigits(error, 1))]),
    ...(skill === undefined ? [] : [better(skill)]),
    ...(coverage === undefined ? [] : [l10n.t('its 80% interval covered {0}%', percent(coverage))]),
  ].join('\n');
}

/** The end of a series and the fan of its forecast, step by step. */
export function sparklineOf({ past = [], ahead = [], lower, upper }: SeriesRow): Scene {
  const valuesOf = (values: readonly (number | null)[]) => Float64Array.from(values, (value) => value ?? NaN);
  const points = (values: readonly (number | null)[], start: number) => ({
    times: Float64Array.from(values, (_, index) => start + index),
    values: valuesOf(values),
  });
  const last = past.at(-1);
  const traces = seriesTraces({
    history: points(past, 0),
    forecast: ahead.length > 0 ? points(ahead, past.length) : undefined,
    // from the last observation on, so that no hole is between the two
    join: last == null ? undefined : { time: past.length - 1, value: last },
    intervals: lower && upper ? [{ lower: valuesOf(lower), upper: valuesOf(upper) }] : [],
    alpha: 0.28,
    widths: [1.2, 1.6],
  });
  return { traces, range: { min: 0, max: Math.max(1, past.length + ahead.length - 1) } };
}
