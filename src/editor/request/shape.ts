import * as vscode from 'vscode';
import { toGrid } from '../../calendar/grid.ts';
import { zoneOf } from '../../calendar/zone.ts';
import { ServiceError } from '../../client/errors.ts';
import { inDigits } from '../../calendar/digits.ts';
import type { Note } from '../connection/memory.ts';
import type { Way } from '../ui/say.ts';
import type { ReadSeries } from '../../reading/types.ts';

/** How a series is changed that a service refuses as it is. */
export interface Shape {
  /** Missing values are filled by linear interpolation, or all rows before the last one are left out. */
  readonly gaps?: 'fill' | 'after' | undefined;
  /** Only so many of its last points. */
  readonly most?: number | undefined;
}

export function shapeWays(error: unknown, again: (shape: Shape) => unknown): Way[] {
  const { sent, status } = error instanceof ServiceError ? error : {};
  if (!sent || !(error instanceof ServiceError) || error.isAbout('ai_model_id')) return [];
  if (status === 413) {
    const most = Math.floor(sent.points / 2);
    return [{ label: vscode.l10n.t('Send the Last {0} Points', inDigits(most)), go: () => again({ most }) }];
  }
  if (sent.gaps === 0 || (error.faults.length > 0 && !error.isAbout('series'))) return [];
  return [
    { label: vscode.l10n.t('Fill the Gaps'), go: () => again({ gaps: 'fill' }) },
    { label: vscode.l10n.t('Use Rows After the Last Gap'), go: () => again({ gaps: 'after' }) },
  ];
}

/** The series in this shape, and remarks on what was done. */
export function shaped(
  series: ReadSeries,
  { gaps, most }: Shape,
): { readonly series: ReadSeries; readonly remarks: NonNullable<Note['remarks']> } {
  if (gaps === 'fill') return filled(series);
  const end = series.values.findLastIndex((value) => !Number.isNaN(value)) + 1;
  const from = Math.max(gaps === 'after' ? afterLastGap(series, end) : 0, most === undefined ? 0 : end - most);
  if (from <= 0) return { series, remarks: [] };
  const text =
    gaps === 'after'
      ? vscode.l10n.t('Rows before the last gap were left out: {0}', inDigits(from))
      : vscode.l10n.t('Only the last {0} points were used', inDigits(end - from));
  return { series: since(series, from), remarks: [{ kind: 'cut', rows: from, text, lines: [] }] };
}

function since(series: ReadSeries, from: number): ReadSeries {
  const { beside } = series;
  const columns = beside?.columns.map((each) => ({ ...each, values: each.values.subarray(from) })) ?? [];
  return {
    ...series,
    times: series.times.subarray(from),
    values: series.values.subarray(from),
    ...(beside ? { beside: { ...beside, columns } } : {}),
  };
}

function afterLastGap({ times, values, ...series }: ReadSeries, end: number): number {
  const missing = values.subarray(0, end).findLastIndex((value) => Number.isNaN(value)) + 1;
  const { frequency } = series;
  if (!frequency) return missing;
  for (let row = end - 1; row > missing; row--) {
    const grid = toGrid(times.slice(row - 1, row + 1), values.slice(row - 1, row + 1), {
      frequency,
      zone: zoneOf(series.timeZone ?? 'UTC'),
    });
    if (grid.gaps > 0) return row;
  }
  return missing;
}

/** With linear interpolation on its grid. Other columns belong to its rows, and are dropped if steps are added. */
function filled(series: ReadSeries): { readonly series: ReadSeries; readonly remarks: NonNullable<Note['remarks']> } {
  const { beside: _, ...bare } = series;
  const zone = zoneOf(series.timeZone ?? 'UTC');
  const grid = toGrid(series.times, series.values, { frequency: series.frequency ?? null, zone });
  const values = grid.values.slice();
  let last = -1;
  let count = 0;
  for (let step = 0; step < values.length; step++) {
    if (Number.isNaN(values[step])) continue;
    for (let at = last + 1; last >= 0 && at < step; at++) {
      values[at] = values[last] + ((values[step] - values[last]) * (at - last)) / (step - last);
      count++;
    }
    last = step;
  }
  const times = Float64Array.from(values, (_value, step) => grid.timeAt(step));
  const kept = times.length === series.times.length ? series : bare;
  const text = vscode.l10n.t('{0} missing values were filled by linear interpolation', inDigits(count));
  return { series: { ...kept, times, values }, remarks: [{ kind: 'missing', rows: count, text, lines: [] }] };
}
