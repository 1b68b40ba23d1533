import type { Capabilities } from '../../client/capabilities.ts';
import { storesCovariates } from '../../client/fit.ts';
import { lastPoints } from '../../reading/last-points.ts';
import { besideOnly, stepsKnown } from '../../reading/points.ts';
import type { ReadSeries } from '../../reading/types.ts';
import * as vscode from 'vscode';
import type { App } from '../app.ts';
import type { OpenedDocument } from '../files/document.ts';
import { calendarFor, withCalendar } from '../request/calendar.ts';
import { chooseCovariates } from '../request/covariates.ts';
import type { RequestOptions } from '../request/request.ts';
import { alone } from '../ui/steps.ts';
import { columnsOf } from '../views/analysis/columns.ts';
import type { SeriesSet } from '../files/sources.ts';

/** Series with what is known beforehand of each, and how far that is known. */
export interface KnownSet {
  readonly read: SeriesSet;
  readonly steps?: number | undefined;
}

/**
 * What forecasts of all series of a file make use of besides their values: the columns that were chosen for the file, asked
 * once where some are known further ahead than the values.
 * @param wanted those that were chosen just now
 * @throws Cancelled, SeriesError, ServiceError
 */
export async function settleColumns(
  app: App,
  read: SeriesSet,
  offers: Capabilities,
  asked: RequestOptions,
  wanted: readonly string[] | undefined,
): Promise<KnownSet> {
  const { opened } = read;
  if (!opened || !storesCovariates(offers)) return { read };
  const byId = new Map(opened.document.series.map((one) => [one.id, one]));
  const all = read.series.flatMap(({ name }) => byId.get(name) ?? []);
  const names = wanted ?? (await chosenFor(app, opened, notAhead(all), asked));
  // what others make use of is no series to forecast
  const series = all.filter(({ valueColumn }) => valueColumn === undefined || !names.includes(valueColumn));
  if (names.length === 0 || series.length === 0 || all.length < read.series.length) return { read };
  const { signal } = new AbortController();
  const known: SeriesSet['series'][number][] = [];
  let steps: number | undefined;
  for (const one of series) {
    const { full, steps: needed } = await withCalendar(app, opened.uri, lastPoints(one), names, asked, signal);
    const { times, values, timeKind, timeZone, closed } = full;
    const own = { name: one.id, times, values, timeKind, timeZone, ...(closed === undefined ? {} : { closed }) };
    known.push({ ...own, known: besideOnly(full, names).beside });
    steps = Math.max(steps ?? 0, needed ?? stepsKnown(full, names) ?? 0);
  }
  return { read: { ...read, series: known }, steps: asked.prediction_length ?? (steps || undefined) };
}

/** The series whose columns end first: those that go on further may be what is known beforehand of them. */
function notAhead(all: readonly ReadSeries[]): readonly ReadSeries[] {
  const ends = new Map<string | undefined, number>();
  for (const { valueColumn, times } of all) {
    ends.set(valueColumn, Math.max(ends.get(valueColumn) ?? -Infinity, times.at(-1) ?? -Infinity));
  }
  const first = Math.min(...ends.values());
  return all.filter(({ valueColumn }) => ends.get(valueColumn) === first);
}

/** The columns that were chosen for a file, which is asked where it has some and none were chosen. */
async function chosenFor(
  app: App,
  { uri, document }: OpenedDocument,
  series: readonly ReadSeries[],
  { ai_model_id: model }: RequestOptions,
): Promise<readonly string[]> {
  const before = app.choices.recall(uri, document.shape) ?? { shape: document.shape, layout: {} };
  if (before.covariates) return before.covariates;
  if (columnsOf(series).length === 0) return [];
  const place = alone(vscode.l10n.t('Forecast All Series'));
  const names = await chooseCovariates(app, series, await calendarFor(app, uri), place, { model }, undefined);
  await app.choices.remember(uri, { ...before, covariates: [...names] });
  return names;
}
