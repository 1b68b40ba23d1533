import * as vscode from 'vscode';
import { inDigits } from '../../calendar/digits.ts';
import { toGrid } from '../../calendar/grid.ts';
import { zoneOf } from '../../calendar/zone.ts';
import { ServiceError } from '../../client/errors.ts';
import { lastPoints } from '../../reading/points.ts';
import type { ReadSeries } from '../../reading/types.ts';
import { type Remark, remark } from '../connection/memory.ts';
import type { Way } from '../ui/say.ts';

export interface Shape {
  /** Missing values are filled by linear interpolation, or all rows before the last one are left out. */
  readonly gaps?: 'fill' | 'after' | undefined;
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

export function shaped(series: ReadSeries, { gaps, most }: Shape) {
  if (gaps === 'fill') return filled(series);
  const end = series.values.findLastIndex((value) => !Number.isNaN(value)) + 1;
  const from = Math.max(gaps === 'after' ? afterLastGap(series) : 0, most === undefined ? 0 : end - most);
  if (from <= 0) return { series, remarks: [] };
  const text =
    gaps === 'after'
      ? vscode.l10n.t('Rows before the last gap were left out: {0}', inDigits(from))
      : vscode.l10n.t('Only the last {0} points were used', inDigits(end - from));
  const cut = lastPoints(series, series.times.length - from);
  return { series: cut, remarks: [remark('cut', from, text)] };
}

const gridOf = ({ times, values, frequency, timeZone = 'UTC' }: ReadSeries) =>
  toGrid(times, values, { frequency: frequency ?? null, zone: zoneOf(timeZone) });

function afterLastGap(series: ReadSeries): number {
  const { values, timeAt } = gridOf(series);
  const last = values.findLastIndex(Number.isFinite);
  const gap = values.subarray(0, last).findLastIndex(Number.isNaN);
  return gap < 0 ? 0 : series.times.findIndex((time) => time > timeAt(gap));
}

function filled(series: ReadSeries): { readonly series: ReadSeries; readonly remarks: Remark[] } {
  const { beside: _, ...bare } = series;
  const grid = gridOf(series);
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
  return { series: { ...kept, times, values }, remarks: [remark('missing', count, text)] };
}
