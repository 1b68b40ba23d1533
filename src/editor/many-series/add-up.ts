import * as vscode from 'vscode';
import type { Capabilities } from '../../client/capabilities.ts';
import { LONGEST_NAME } from '../../client/store-series.ts';
import type { LocalPrediction } from '../../contract/local.ts';
import { type Family, findFamily, makeTotals, type SeriesSum, sumsOfNames } from '../../reading/sums.ts';
import type { SeriesDocument } from '../../reading/types.ts';
import type { App } from '../app.ts';
import type { RequestOptions } from '../request/request.ts';
import type { OpenedDocument } from '../files/document.ts';
import { alone, pickOne } from '../ui/steps.ts';
import type { SeriesSet } from '../files/sources.ts';
import { inDigits } from '../../calendar/digits.ts';

/** Names that are shown of very many. */
const MOST_SHOWN = 3;

/** Series to forecast together, and how they add up. */
export interface SummedSet {
  readonly read: SeriesSet;
  readonly sums: RequestOptions['sums'];
}

/** Whether a service makes forecasts of a dataset add up. */
export const takesSums = (offers: Capabilities): boolean => offers.takes('predictDataset', 'sums');

/**
 * Whether forecasts of these series are to add up, where they or their names do; asked once for each file. Totals that the
 * file does not have then go along.
 * @throws Cancelled
 */
export async function settleSums(app: App, read: SeriesSet, offers: Capabilities): Promise<SummedSet> {
  const plain = { read, sums: undefined };
  if (!takesSums(offers) || !read.opened) return plain;
  const { uri, document } = read.opened;
  const family = hasSeveralMeasures(read, document) ? undefined : findFamily(read.series);
  if (!family) return plain;
  const before = app.choices.recall(uri, document.shape) ?? { shape: document.shape, layout: {} };
  const isWanted = before.sums ?? (await ask(family));
  if (before.sums === undefined) await app.choices.remember(uri, { ...before, sums: isWanted });
  if (!isWanted) return plain;
  const made: SeriesSet['series'][number][] = [];
  for (const one of makeTotals(read.series, family)) {
    if (one) made.push(one);
    else await new Promise((resolve) => setImmediate(resolve));
  }
  return { read: { ...read, series: [...made, ...read.series] }, sums: asSent(family.sums) };
}

/** Sales and prices of the same shops are not summed up. */
function hasSeveralMeasures({ series }: SeriesSet, { series: all }: SeriesDocument): boolean {
  const names = new Set(series.map(({ name }) => name));
  const long = all.filter(({ id, idColumn }) => idColumn !== undefined && names.has(id));
  return new Set(long.map(({ valueColumn }) => valueColumn)).size > 1;
}

/** Lets the question come again. */
export async function forgetSums(app: App, { uri, document }: OpenedDocument): Promise<void> {
  const before = app.choices.recall(uri, document.shape);
  if (before?.sums !== undefined) await app.choices.remember(uri, { ...before, sums: undefined });
}

async function ask({ sums, made }: Family): Promise<boolean> {
  const names = (made.length > 0 ? made.map(({ name }) => name) : sums.map(({ total }) => total)).map((name) => `“${name}”`); // prettier-ignore
  const shown = names.slice(0, MOST_SHOWN).join(', ') + (names.length > MOST_SHOWN ? ', …' : '');
  const together = { label: vscode.l10n.t('Make Them Add Up'), detail: reason(made.length, shown), isWanted: true };
  const apart = { label: vscode.l10n.t('Forecast Each by Itself'), isWanted: false };
  const items = made.length === 0 ? [together, apart] : [apart, together];
  const [{ parts }] = sums;
  const placeholder =
    made.length > 0
      ? vscode.l10n.t('The names have levels. Are totals to be forecast too, so that all add up?')
      : sums.length === 1
        ? vscode.l10n.t('{0} is the sum of {1} other series. Are the forecasts to add up too?', shown, parts.length)
        : vscode.l10n.t('{0} are sums of other series. Are the forecasts to add up too?', shown);
  const place = alone(vscode.l10n.t('Forecast All Series'));
  return (await pickOne({ place, placeholder, items, picked: [items[0]] })).isWanted;
}

const reason = (made: number, shown: string): string =>
  made === 0
    ? vscode.l10n.t('Parts and totals are forecast together, and agree at every step')
    : vscode.l10n.t('Parts and totals agree at every step; {0} more: {1}', inDigits(made), shown);

/** Sums as a request has them; the service takes no longer names. */
const asSent = (sums: readonly SeriesSum[]): NonNullable<RequestOptions['sums']> =>
  sums.map(({ total, parts }) => ({
    total: total.slice(0, LONGEST_NAME),
    parts: parts.map((part) => part.slice(0, LONGEST_NAME)),
  }));

/** The sums of forecasts that add up, from the names of all of them, to be asked for again; nothing where they do not. */
export function sumsAgain(predictions: readonly LocalPrediction[], offers: Capabilities): RequestOptions['sums'] {
  if (!takesSums(offers) || !predictions.some(({ details }) => details?.totals)) return undefined;
  const names = predictions.map(({ id, name }) => name ?? id);
  const sums = sumsOfNames(names);
  if (sums.length > 0) return asSent(sums);
  // a total that is called like no total is told by its level
  const at = (level: number) => names.filter((_, i) => predictions[i].details?.totals?.level === level);
  const [[total, ...others], parts] = [at(0), at(1)];
  const isPlain = others.length === 0 && predictions.every(({ details }) => (details?.totals?.level ?? 0) <= 1);
  return isPlain && parts.length > 0 ? asSent([{ total, parts }]) : undefined;
}
