import { createHash } from '#platform/hash';
import * as vscode from 'vscode';
import { inDigits } from '../../calendar/digits.ts';
import { ServiceError } from '../../client/errors.ts';
import { withLimits } from '../../contract/resources.ts';
import { update } from '../../reading/fingerprint.ts';
import { lastPoints, type SendableSeries } from '../../reading/points.ts';
import type { App } from '../app.ts';
import type { Session } from '../connection/connection.ts';
import { setting } from '../connection/settings.ts';
import { Cancelled, say, type Way } from '../ui/say.ts';
import { usualModel } from './pick-model.ts';
import { toGrid } from '../../calendar/grid.ts';
import { zoneOf } from '../../calendar/zone.ts';
import { type Remark, remark } from '../connection/memory.ts';
import type { ReadSeries } from '../../reading/types.ts';

/** What is asked of forecasts. What is absent is left to the settings and the service. */
export interface Asked {
  /** Empty: the default of the service. */
  readonly model?: string | undefined;
  readonly horizon?: number | undefined;
  /** In percent. */
  readonly intervals?: readonly number[] | undefined;
  /** Absent: those that were chosen for the file before. */
  readonly covariates?: readonly string[] | undefined;
}

export interface RequestOptions {
  readonly ai_model_id?: string | undefined;
  readonly prediction_length?: number | undefined;
  readonly quantile_levels?: number[] | undefined;
  readonly sums?: { total: string; parts: string[] }[] | undefined;
}

/** As asked, with the defaults of the settings, as far as the service takes them. @throws Cancelled */
export async function optionsOf(app: App, session: Session, asked: Asked, asksModel = true): Promise<RequestOptions> {
  const offers = await session.client.capabilities();
  const takes = (field: string) => offers.takes('createPrediction', field);
  const preferred = asked.model || setting('defaultModel');
  const model = preferred || (asksModel ? await usualModel(app, session) : undefined);
  const horizon = asked.horizon ?? setting('defaultHorizon');
  const levels = levelsOf(asked.intervals ?? setting('intervals'));
  return {
    ...(model ? { ai_model_id: model } : {}),
    ...(horizon && takes('prediction_length') ? { prediction_length: horizon } : {}),
    ...(levels.length > 0 && takes('quantile_levels') ? { quantile_levels: levels } : {}),
  };
}

/** The quantile levels of the limits of intervals and of the median. @param intervals in percent */
export const levelsOf = (intervals: readonly number[]): number[] =>
  intervals.length === 0 ? [] : withLimits([0.5], intervals);

export function fingerprint(series: readonly SendableSeries[], asked: object): string {
  const hash = createHash('sha256').update(JSON.stringify(asked));
  for (const one of series) update(hash, one);
  return hash.digest('base64url');
}

export const MOST_LETTERS = 200;

/** Sends a request that creates something. If its answer is lost, the person decides whether to send it again. @throws Cancelled, ServiceError */
export async function sendOnce<T>(send: () => Promise<T>, what: 'predictions' | 'models'): Promise<T> {
  for (;;) {
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof ServiceError) || !error.outcomeUnknown) throw error;
      const searched =
        what === 'predictions' && error.looked !== undefined
          ? vscode.l10n.t(' It is not among the {0} predictions that were searched.', inDigits(error.looked))
          : '';
      const answer = await say.error(`${error.message}${searched}`, vscode.l10n.t('Send Again'));
      if (answer !== vscode.l10n.t('Send Again')) throw new Cancelled();
    }
  }
}

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

/** With linear interpolation on its grid. Other columns belong to its rows, and are dropped if steps are added. */
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
