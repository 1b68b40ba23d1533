import { nextTurn } from '#platform/turn';
import * as vscode from 'vscode';
import { inDigits } from '../../calendar/digits.ts';
import type { Capabilities } from '../../client/capabilities.ts';
import { storesCovariates } from '../../client/fit.ts';
import { LONGEST_NAME } from '../../client/store-series.ts';
import type { LocalPrediction } from '../../contract/local.ts';
import { lastPoints } from '../../reading/last-points.ts';
import { besideOnly, stepsKnown } from '../../reading/points.ts';
import { type Family, findFamily, makeTotals, type SeriesSum, sumsOfNames } from '../../reading/sums.ts';
import type { ReadSeries } from '../../reading/types.ts';
import type { App } from '../app.ts';
import type { OpenedDocument } from '../files/document.ts';
import type { SeriesSet } from '../files/sources.ts';
import { calendarFor, chooseCovariates, withCalendar } from '../request/covariates.ts';
import type { RequestOptions } from '../request/request.ts';
import { alone, pickOne } from '../ui/steps.ts';
import { columnsOf } from '../views/chart/controls.ts';

/** Names that are shown of very many. */
const MOST_SHOWN = 3;

/** Series to forecast together, and what their request says besides them. */
export interface Settled {
  readonly read: SeriesSet;
  readonly options: RequestOptions;
}

/**
 * What forecasts of all series of a file make use of besides their values: the columns that were chosen for the file, asked
 * once where some are known further ahead than the values.
 * @param wanted those that were chosen just now
 * @throws Cancelled, SeriesError, ServiceError
 */
export async function settleColumns(
  app: App,
  { read, options }: Settled,
  offers: Capabilities,
  wanted: readonly string[] | undefined,
): Promise<Settled> {
  const { opened } = read;
  if (!opened || !storesCovariates(offers)) return { read, options };
  const byId = new Map(opened.document.series.map((one) => [one.id, one]));
  const all = read.series.flatMap(({ name }) => byId.get(name) ?? []);
  const names = wanted ?? (await columnsFor(app, opened, notAhead(all), options.ai_model_id));
  // what others make use of is no series to forecast
  const series = all.filter(({ valueColumn }) => valueColumn === undefined || !names.includes(valueColumn));
  if (names.length === 0 || series.length === 0 || all.length < read.series.length) return { read, options };
  const { signal } = new AbortController();
  const known: SeriesSet['series'][number][] = [];
  let horizon = 0;
  for (const one of series) {
    const { full, steps } = await withCalendar(app, opened.uri, lastPoints(one), { names, asked: options, signal });
    const { times, values, timeKind, timeZone, closed } = full;
    const own = { name: one.id, times, values, timeKind, timeZone, ...(closed === undefined ? {} : { closed }) };
    known.push({ ...own, known: besideOnly(full, names).beside });
    horizon = Math.max(horizon, steps ?? 0, stepsKnown(full, names) ?? 0);
  }
  const prediction_length = options.prediction_length ?? (horizon || undefined);
  return { read: { ...read, series: known }, options: { ...options, prediction_length } };
}

/** The series whose columns end first: those that go on further may be future covariates of them. */
function notAhead(all: readonly ReadSeries[]): readonly ReadSeries[] {
  const ends = new Map<string | undefined, number>();
  for (const { valueColumn, times } of all)
    ends.set(valueColumn, Math.max(ends.get(valueColumn) ?? -Infinity, times.at(-1) ?? -Infinity));
  const first = Math.min(...ends.values());
  return all.filter(({ valueColumn }) => ends.get(valueColumn) === first);
}

/** The columns that were chosen for a file, which is asked where it has some and none were chosen. */
async function columnsFor(
  app: App,
  { uri, document: { shape } }: OpenedDocument,
  series: readonly ReadSeries[],
  model: string | undefined,
): Promise<readonly string[]> {
  const before = app.choices.recall(uri, shape)?.covariates;
  if (before) return before;
  if (columnsOf(series).length === 0) return [];
  const place = alone(vscode.l10n.t('Forecast All Series'));
  const names = await chooseCovariates(app, { series, calendar: await calendarFor(app, uri), model }, place);
  app.choices.change(uri, shape, { covariates: [...names] });
  return names;
}

/** Whether a service makes forecasts of a dataset add up. */
const takesSums = (offers: Capabilities): boolean => offers.takes('predictDataset', 'sums');

/**
 * Whether forecasts of these series are to add up, where they or their names do; asked once for each file. Totals that the
 * file does not have then go along.
 * @throws Cancelled
 */
export async function settleSums(app: App, { read, options }: Settled, offers: Capabilities): Promise<Settled> {
  const { opened, series } = read;
  const family = opened && takesSums(offers) && !hasSeveralMeasures(read, opened) && findFamily(series);
  if (!family) return { read, options };
  const { uri, document } = opened;
  const before = app.choices.recall(uri, document.shape)?.sums;
  const isWanted = before ?? (await asksToAddUp(family));
  if (before === undefined) app.choices.change(uri, document.shape, { sums: isWanted });
  if (!isWanted) return { read, options };
  const made: SeriesSet['series'][number][] = [];
  for (const one of makeTotals(series, family)) {
    if (one) made.push(one);
    else await nextTurn();
  }
  return { read: { ...read, series: [...made, ...series] }, options: { ...options, sums: asSent(family.sums) } };
}

/** Sales and prices of the same shops are not summed up. */
function hasSeveralMeasures({ series }: SeriesSet, { document }: OpenedDocument): boolean {
  const names = new Set(series.map(({ name }) => name));
  const long = document.series.filter(({ id, idColumn }) => idColumn !== undefined && names.has(id));
  return new Set(long.map(({ valueColumn }) => valueColumn)).size > 1;
}

async function asksToAddUp({ sums, made }: Family): Promise<boolean> {
  const names = (made.length > 0 ? made.map(({ name }) => name) : sums.map(({ total }) => total)).map(
    (name) => `“${name}”`,
  );
  const shown = names.slice(0, MOST_SHOWN).join(', ') + (names.length > MOST_SHOWN ? ', …' : '');
  const detail =
    made.length === 0
      ? vscode.l10n.t('Series and totals are forecast together and add up at every step')
      : vscode.l10n.t(
          'Series and totals add up at every step; {0} totals are added: {1}',
          inDigits(made.length),
          shown,
        );
  const together = { label: vscode.l10n.t('Make Them Add Up'), detail, isWanted: true };
  const apart = { label: vscode.l10n.t('Forecast Each Separately'), isWanted: false };
  const items = made.length === 0 ? [together, apart] : [apart, together];
  const placeholder =
    made.length > 0
      ? vscode.l10n.t('The series names have levels. Forecast totals too, so that everything adds up?')
      : sums.length === 1
        ? vscode.l10n.t(
            '{0} is the sum of {1} other series. Should the forecasts add up too?',
            shown,
            sums[0].parts.length,
          )
        : vscode.l10n.t('{0} are sums of other series. Should the forecasts add up too?', shown);
  const place = alone(vscode.l10n.t('Forecast All Series'));
  return (await pickOne({ place, placeholder, items, picked: [items[0]] })).isWanted;
}

/** Sums as a request has them; the service takes no longer names. */
const asSent = (sums: readonly SeriesSum[]): NonNullable<RequestOptions['sums']> => {
  const cut = (name: string): string => name.slice(0, LONGEST_NAME);
  return sums.map(({ total, parts }) => ({ total: cut(total), parts: parts.map(cut) }));
};

/** The sums of forecasts that add up, from the names of all of them, to be asked for again; nothing where they do not. */
export function sumsAgain(predictions: readonly LocalPrediction[], offers: Capabilities): Pick<RequestOptions, 'sums'> {
  if (!takesSums(offers) || !predictions.some(({ details }) => details?.totals)) return {};
  const named = predictions.map(({ id, name = id, details }) => ({ name, level: details?.totals?.level ?? 0 }));
  const sums = sumsOfNames(named.map(({ name }) => name));
  if (sums.length > 0) return { sums: asSent(sums) };
  // a total without a usual name is identified by its level
  const [totals, parts, further] = [0, 1, 2].map((at) => named.filter(({ level }) => level === at));
  const isPlain = totals.length === 1 && parts.length > 0 && further.length === 0;
  return isPlain ? { sums: asSent([{ total: totals[0].name, parts: parts.map(({ name }) => name) }]) } : {};
}
