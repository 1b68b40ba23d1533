import * as vscode from 'vscode';
import { inDigits } from '../../calendar/digits.ts';
import { isGone } from '../../client/errors.ts';
import { LONGEST_NAME, storeForJob, storeSeries } from '../../client/store-series.ts';
import { isPending, type LocalPrediction } from '../../contract/resources.ts';
import { besideOnly, fromPoints, lastPoints, stepsKnown, toPoints } from '../../reading/points.ts';
import type { ReadSeries } from '../../reading/types.ts';
import type { App, Asked } from '../app.ts';
import { type Session, sessionInUse, sessionOf } from '../connection/connection.ts';
import { readSeriesOf, sendingOf, type SeriesSet, setOf } from '../files/sources.ts';
import { VIEWS } from '../names.ts';
import { chooseModel } from '../request/pick-model.ts';
import { fingerprint, MOST_LETTERS, optionsOf, type RequestOptions } from '../forecast/forecast.ts';
import { createFineTunedModel } from '../training/fine-tune.ts';
import { Cancelled, inBackground, say, sentenceOf, withProgress, type Work } from '../ui/say.ts';
import { alone, askName, pickOne } from '../ui/steps.ts';
import { type Owner, Page, PageHost } from '../views/shared/page-host.ts';
import type { Handlers } from '../views/shared/protocol.ts';
import type { ForecastSet } from './forecast-set.ts';
import { forEach, noteKeyOf, predictAll, predictEach, readSet, saveAll, sourceOf } from './forecast-set.ts';
import { ACTIONS, type ManyAction, ManyIntent, type ManyState, rowOf, SetRef } from './protocol.ts';
import type { Capabilities } from '../../client/capabilities.ts';
import type { ServiceClient } from '../../client/client.ts';
import { takesCovariates } from '../../client/fit.ts';
import { type Family, findFamily, makeTotals, type SeriesSum, sumsOfNames } from '../../reading/sums.ts';
import type { OpenedDocument } from '../files/document.ts';
import { calendarFor, chooseCovariates, withCalendar } from '../request/covariates.ts';
import { columnsOf } from '../views/chart/controls.ts';
import { type Group, noteKeyOfRun, type ResourceNode } from '../views/tree/kinds.ts';

const POLL = 2000;

class ManyPage extends Page<ManyState, ManyIntent> {
  #predictions: readonly LocalPrediction[] = [];

  constructor(owner: Owner, ref: SetRef, known?: readonly LocalPrediction[]) {
    super(owner, { ref, title: '', actions: [], isLoading: true, rows: [], levels: null, problem: null });
    this.show(ref, known);
  }

  readonly intents: Handlers<ManyIntent> = {
    retry: () => this.start(() => this.#load()),
    open: ({ id }) => {
      const prediction = this.#predictions.find((one) => one.id === id);
      if (prediction) this.start(() => openChart(this.app, this.state.ref, prediction));
    },
    do: ({ action, ids }) => {
      const wanted = new Set(ids);
      const chosen = this.#predictions.filter(({ id }) => wanted.has(id));
      if (chosen.length > 0) this.start(() => this.#do(action, chosen));
    },
  };

  override show(ref: SetRef, known?: readonly LocalPrediction[]): void {
    this.set({ ref, title: vscode.l10n.t('Forecasts: {0}', ref.label) });
    this.start(() => this.#load(known));
  }

  async #load(known?: readonly LocalPrediction[]): Promise<void> {
    this.end('again');
    this.set({ problem: null, isLoading: true });
    const read = async (signal: AbortSignal) => {
      const session = sessionOf(this.app.connection, this.state.ref.serviceId);
      const offers = await session.client.capabilities();
      const isStorable = offers.has('createDataset') && offers.has('getPrediction');
      this.set({ actions: ACTIONS.filter((action) => action !== 'dataset' || isStorable) });
      const isShown = this.state.rows.length > 0;
      const onFirst = (first: readonly LocalPrediction[]) => {
        if (!signal.aborted && !isShown) this.set({ rows: first.map(rowOf) });
      };
      const read = known ?? (await readSet(session.client, this.state.ref, signal, onFirst)).predictions;
      if (signal.aborted) return;
      this.#predictions = read;
      const totals = this.#predictions.find(({ details }) => details?.totals)?.details?.totals;
      this.set({ isLoading: false, rows: this.#predictions.map(rowOf), levels: totals?.levels ?? null });
      if (this.#predictions.some(({ status }) => isPending(status))) this.later('again', () => this.#load(), POLL);
    };
    await this.latest('loading', read, (error) => this.set({ isLoading: false, problem: sentenceOf(error) }));
  }

  async #do(action: ManyAction, chosen: readonly LocalPrediction[]): Promise<void> {
    const { ref } = this.state;
    const session = sessionOf(this.app.connection, ref.serviceId);
    const { label, datasetId } = ref;
    const isAll = chosen.length === this.#predictions.length;
    const whole = { label, datasetId: isAll ? datasetId : undefined };
    switch (action) {
      case 'save-csv':
      case 'save-json':
      case 'save-xlsx':
        return saveAll(this.app, { ref, predictions: chosen }, action.slice('save-'.length) as 'csv' | 'json' | 'xlsx');
      case 'dataset':
        return storeSelected(this.app, session, label, chosen);
      case 'tune': {
        sessionInUse(this.app.connection, ref.serviceId);
        const ids = chosen.flatMap(({ input_series_id: id }) => (id === undefined ? [] : [id]));
        const name = isAll ? label : vscode.l10n.t('{0} series of {1}', inDigits(chosen.length), label);
        const input = isAll && datasetId !== undefined ? { dataset_ids: [datasetId] } : { series_ids: ids };
        return createFineTunedModel(this.app, { stored: { label: name, input } });
      }
      case 'again':
        return this.#showAnew(await forecastAnew(this.app, session, whole, chosen));
    }
  }

  /** What is shown of a dataset is the newest of each series from then on. @param made new ids by those of before */
  async #showAnew(made: ReadonlyMap<string, string>): Promise<void> {
    const { batchId: _, predictionIds, ...ref } = this.state.ref;
    const next = { ...ref, ...(predictionIds ? { predictionIds: predictionIds.map((id) => made.get(id) ?? id) } : {}) };
    const { memory } = this.app;
    const note = memory.recall(ref.serviceId, noteKeyOf(this.state.ref));
    if (predictionIds && note) memory.note(ref.serviceId, noteKeyOf(next), note);
    this.show(next);
  }
}

export class ManyPages extends PageHost<SetRef, ManyIntent, readonly LocalPrediction[], ManyPage> {
  constructor(app: () => App) {
    const keyOf = ({ serviceId, label, datasetId }: SetRef) => `${serviceId} ${datasetId ?? label}`;
    const kind = { viewType: 'forecasts.many', bundle: 'many', ref: SetRef, intent: ManyIntent } as const;
    super({ ...kind, keyOf, page: ManyPage }, app);
  }

  forecast(opened: OpenedDocument, chosen: readonly ReadSeries[], asked: Asked, session: Session): Promise<void> {
    return forecastMany(this.app(), setOf(opened, chosen), asked, session);
  }
}

async function openChart(app: App, ref: SetRef, prediction: LocalPrediction): Promise<void> {
  const { serviceId, label } = ref;
  const { id, name = id } = prediction;
  const source = sourceOf(app, ref);
  const valueColumn = source?.valueColumn ?? name;
  app.memory.note(serviceId, id, {
    label: name.startsWith(label) ? name : `${label} · ${name}`,
    valueLabel: valueColumn,
    source: source && { ...source, id: name, valueColumn },
  });
  const showing = { preserveFocus: true, viewColumn: vscode.ViewColumn.Beside };
  app.panels.open({ serviceId, predictionId: id }, prediction, showing);
}

/** With another model. @param whole with its dataset if all are chosen @returns new ids by former ones @throws Cancelled, ServiceError */
export async function forecastAnew(
  app: App,
  session: Session,
  { label, datasetId }: { readonly label: string; readonly datasetId?: string | undefined },
  chosen: readonly LocalPrediction[],
): Promise<ReadonlyMap<string, string>> {
  sessionInUse(app.connection, session.info.id);
  const count = inDigits(chosen.length);
  const place = alone(vscode.l10n.t('Forecast {0} Series Again', count));
  const { id: model } = await chooseModel(app, { session, place });
  const horizon = chosen[0]?.prediction_length;
  const options = await optionsOf(app, session, { model, horizon }, false);
  const offers = await session.client.capabilities();
  const again = new Map<string, string>();
  const title = vscode.l10n.t('Forecasting {0} series of {1}', count, label);
  const { shortfall } = await withProgress(title, async (work) => {
    if (datasetId !== undefined && offers.has('predictDataset')) {
      const wanted = { id: datasetId, label, options: { ...options, ...sumsAgain(chosen, offers) } };
      return predictAll(app, session, wanted, work);
    }
    const requests = chosen.map(({ name, input_series: series, input_series_id: series_id, prediction_length }) => ({
      ...options,
      ...(series_id === undefined ? { series } : { series_id }),
      prediction_length: prediction_length ?? options.prediction_length,
      name: name?.slice(0, MOST_LETTERS),
    }));
    const each = await predictEach(app, session, { label, requests }, work);
    for (const [index, one] of each.made.entries()) if (one) again.set(chosen[index].id, one.id);
    return each;
  });
  if (shortfall !== undefined) inBackground(app.log, say.warning(shortfall));
  inBackground(app.log, app.trees.get(VIEWS.predictions)?.refresh());
  return again;
}

/** Deleted forecasts are left out, which is said; if another cannot be read, nothing is stored. @throws Cancelled, ServiceError */
export async function storeSelected(app: App, { client }: Session, label: string, chosen: readonly LocalPrediction[]) {
  const count = inDigits(chosen.length);
  const name = await askName({
    place: alone(vscode.l10n.t('Create Dataset of {0} Series', count)),
    prompt: vscode.l10n.t('What should the dataset be called?'),
    value: vscode.l10n.t('{0} series of {1}', count, label),
  });
  const id = await withProgress(vscode.l10n.t('Storing {0}', name), async (work) => {
    const { found, failure, refusals } = await forEach<LocalPrediction, ReadSeries>(
      chosen,
      async (one, keep, either) => {
        const { input_series = [] } = one.input_series ? one : await client.getPrediction(one.id, either);
        keep(fromPoints(input_series, one.name ?? one.id));
      },
      work,
      isGone,
    );
    if (failure !== undefined) throw failure;
    const series = found.filter((one) => one !== undefined);
    const stored = await storeSeries(client, app.reader, { name, series }, sendingOf(app, name, work));
    const [refusal] = refusals;
    const counts = [inDigits(series.length), count, name] as const;
    if (refusal) {
      const text = vscode.l10n.t(
        '{0} of {1} series are stored in {2}. The others are not: {3}',
        ...counts,
        refusal.message,
      );
      inBackground(app.log, say.warning(text));
    }
    return stored.id;
  });
  const tree = app.trees.get(VIEWS.datasets);
  await tree?.refresh();
  await vscode.commands.executeCommand(`${VIEWS.datasets}.focus`);
  await tree?.reveal(id);
}

const MANY = 20; // more series than this are sent one by one to a remote service only after a confirmation
const MOST_SHOWN = 3;
const TITLE = vscode.l10n.t('Forecast All Series');

export async function forecastAll(app: App, uris: readonly vscode.Uri[], asked: Asked = {}): Promise<void> {
  const session = await app.connection.ready();
  await forecastMany(app, await readSeriesOf(app, uris), asked, session);
}

interface Settled {
  readonly read: SeriesSet;
  readonly options: RequestOptions;
}

/** As a dataset if the service offers that, else a request each; a complete earlier run is shown again. @throws Cancelled, SeriesError, ServiceError */
async function forecastMany(app: App, all: SeriesSet, asked: Asked, session: Session): Promise<void> {
  const offers = await session.client.capabilities();
  const isStored = offers.has('createDataset') && offers.has('predictDataset');
  const usual = { read: all, options: await optionsOf(app, session, asked, !isStored) };
  const settled = isStored
    ? await settleSums(app, await settleColumns(app, usual, session.client, asked.covariates), offers)
    : usual;
  const { read, options } = settled;
  const key = fingerprint(read.series, { ...options, label: read.label });
  const known = await madeBefore(app, session, key, read.label);
  if (known) return showForecasts(app, known);
  const { label, series, source } = read;
  const { id: serviceId, name } = session.info;
  const count = inDigits(series.length);
  const question = vscode.l10n.t(
    'Send {0} series of {1} to {2}? The service takes one series per request, so this makes {0} requests.',
    count,
    label,
    name,
  );
  const isAsked = !isStored && series.length > MANY;
  if (isAsked && !(await say.confirm(question, vscode.l10n.t('Send')))) throw new Cancelled();
  const throughDataset = async (work: Work): Promise<ForecastSet> => {
    work.report(vscode.l10n.t('storing'));
    const dataset = { name: label, series, tags: ['forecast', label] };
    const { id } = await storeForJob(session.client, app.reader, dataset, sendingOf(app, label, work));
    app.memory.note(serviceId, id, { label, source });
    return predictAll(app, session, { id, label, options, key }, work);
  };
  const oneByOne = async (work: Work): Promise<ForecastSet> => {
    const requests = series.map((one) => ({ ...options, series: toPoints(one), name: one.name }));
    const { made, shortfall } = await predictEach(app, session, { label, requests }, work);
    const predictions = made.flatMap((one, index) => (one ? [{ ...one, name: series[index].name }] : []));
    const ref = { serviceId, label, predictionIds: predictions.map(({ id }) => id) };
    app.memory.note(serviceId, noteKeyOf(ref), { label, source });
    return { ref, predictions, shortfall };
  };
  const title = vscode.l10n.t('Forecasting {0} series of {1}', count, label);
  const set = await withProgress(title, isStored ? throughDataset : oneByOne);
  for (const view of [VIEWS.predictions, VIEWS.datasets]) inBackground(app.log, app.trees.get(view)?.refresh());
  showForecasts(app, set);
}

async function madeBefore(app: App, { client, info }: Session, key: string, label: string) {
  const { made: datasetId, run } = app.memory.find(info.id, key) ?? {};
  if (datasetId === undefined || run === undefined) return undefined;
  try {
    const set = await readSet(client, { serviceId: info.id, label, datasetId, batchId: run.batchId });
    const isWhole = set.predictions.every(({ status }) => status === 'COMPLETED');
    return isWhole && set.predictions.length === run.count ? set : undefined;
  } catch (error) {
    if (isGone(error)) return undefined;
    throw error;
  }
}

/** Shows the forecasts of a stored dataset; offers to make them if there are none. @throws Cancelled, ServiceError */
export async function browseDataset(app: App, { id, item, serviceId }: ResourceNode & { kind: 'dataset' }) {
  const session = app.connection.session(serviceId) ?? app.connection.inUse;
  const label = item.name ?? id;
  const found = await withProgress(vscode.l10n.t('Reading the forecasts of {0}', label), ({ signal }) =>
    readSet(session.client, { serviceId: session.info.id, label, datasetId: id }, signal),
  );
  if (found.predictions.length > 0) return showForecasts(app, found);
  if (!(await say.info(vscode.l10n.t('The series of {0} have no forecasts yet.', label), TITLE))) return;
  const title = vscode.l10n.t('Forecasting the series of {0}', label);
  const made = await withProgress(title, (work) => predictAll(app, session, { id, label }, work));
  showForecasts(app, made);
}

function showForecasts(app: App, { ref, predictions, shortfall }: ForecastSet): void {
  if (shortfall !== undefined) inBackground(app.log, say.warning(shortfall));
  app.manyPages.open(ref, predictions);
}

export async function openRun(app: App, { entries, label, batchId = '' }: Group): Promise<void> {
  const [{ serviceId, item, offers }] = entries;
  const seriesId = 'input_series_id' in item && typeof item.input_series_id === 'string' ? item.input_series_id : '';
  const client = app.connection.session(serviceId)?.client;
  const noted = app.memory.recall(serviceId, noteKeyOfRun(batchId))?.made;
  const datasetId =
    noted ?? (offers.has('getSeries') ? (await client?.do('getSeries', { id: seriesId }))?.dataset_id : undefined);
  const which = datasetId === undefined ? { predictionIds: entries.map(({ id }) => id) } : { datasetId, batchId };
  app.manyPages.open({ serviceId, label, ...which });
}

async function settleColumns(
  app: App,
  { read, options }: Settled,
  client: ServiceClient,
  wanted: readonly string[] | undefined,
): Promise<Settled> {
  const { opened } = read;
  if (!opened || !takesCovariates(await client.capabilities(), 'createDataset')) return { read, options };
  const { uri, document } = opened;
  const byId = new Map(document.series.map((one) => [one.id, one]));
  const all = read.series.flatMap(({ name }) => byId.get(name) ?? []);
  const own = notAhead(all);
  const known = wanted ?? app.choices.recall(uri, document.shape)?.covariates;
  let names = known ?? [];
  if (!known && columnsOf(own).length > 0) {
    const question = { client, series: own, calendar: await calendarFor(app, uri), model: options.ai_model_id };
    names = await chooseCovariates(question, alone(TITLE));
    app.choices.change(uri, document.shape, { covariates: [...names] });
  }
  const series = all.filter(({ valueColumn }) => valueColumn === undefined || !names.includes(valueColumn));
  if (names.length === 0 || series.length === 0 || all.length < read.series.length) return { read, options };
  const { signal } = new AbortController();
  const sent: SeriesSet['series'][number][] = [];
  let horizon = 0;
  for (const one of series) {
    const { full, steps } = await withCalendar(app, uri, lastPoints(one), { names, asked: options, client, signal });
    sent.push({ ...full, name: one.id, known: besideOnly(full, names).beside });
    horizon = Math.max(horizon, steps ?? 0, stepsKnown(full, names) ?? 0);
  }
  const prediction_length = options.prediction_length ?? (horizon || undefined);
  return { read: { ...read, series: sent }, options: { ...options, prediction_length } };
}

function notAhead(all: readonly ReadSeries[]): readonly ReadSeries[] {
  const ends = new Map<string | undefined, number>();
  for (const { valueColumn, times } of all)
    ends.set(valueColumn, Math.max(ends.get(valueColumn) ?? -Infinity, times.at(-1) ?? -Infinity));
  const first = Math.min(...ends.values());
  return all.filter(({ valueColumn }) => ends.get(valueColumn) === first);
}

const takesSums = (offers: Capabilities): boolean => offers.takes('predictDataset', 'sums');

/** Reconciles the forecasts if the series or their names add up and the person wants it; asked once per file. @throws Cancelled */
async function settleSums(app: App, { read, options }: Settled, offers: Capabilities): Promise<Settled> {
  const { opened, series } = read;
  const family = opened && takesSums(offers) && !hasSeveralMeasures(read, opened) && findFamily(series);
  if (!family) return { read, options };
  const { uri, document } = opened;
  const before = app.choices.recall(uri, document.shape)?.sums;
  const isWanted = before ?? (await asksToAddUp(family));
  if (before === undefined) app.choices.change(uri, document.shape, { sums: isWanted });
  if (!isWanted) return { read, options };
  const made = await makeTotals(series, family);
  return { read: { ...read, series: [...made, ...series] }, options: { ...options, sums: asSent(family.sums) } };
}

function hasSeveralMeasures({ series }: SeriesSet, { document }: OpenedDocument): boolean {
  const names = new Set(series.map(({ name }) => name));
  const long = document.series.filter(({ id, idColumn }) => idColumn !== undefined && names.has(id));
  return new Set(long.map(({ valueColumn }) => valueColumn)).size > 1;
}

async function asksToAddUp({ sums, made }: Family): Promise<boolean> {
  const totals = made.length > 0 ? made.map(({ name }) => name) : sums.map(({ total }) => total);
  const named = totals.slice(0, MOST_SHOWN).map((name) => `“${name}”`);
  const shown = named.join(', ') + (totals.length > MOST_SHOWN ? ', …' : '');
  const detail = vscode.l10n.t(
    'Series and totals add up at every step. Totals ({0}): {1}',
    inDigits(totals.length),
    shown,
  );
  const addsUp = { label: vscode.l10n.t('Make Them Add Up'), detail };
  const apart = { label: vscode.l10n.t('Forecast Each Separately') };
  const items = made.length > 0 ? [apart, addsUp] : [addsUp, apart];
  const placeholder =
    made.length > 0
      ? vscode.l10n.t('The series names have levels. Forecast totals too, so that everything adds up?')
      : vscode.l10n.t('Some series are sums of others. Should the forecasts add up too?');
  return (await pickOne({ place: alone(TITLE), placeholder, items, picked: (one) => one === items[0] })) === addsUp;
}

const asSent = (sums: readonly SeriesSum[]): NonNullable<RequestOptions['sums']> => {
  const cut = (name: string): string => name.slice(0, LONGEST_NAME);
  return sums.map(({ total, parts }) => ({ total: cut(total), parts: parts.map(cut) }));
};

function sumsAgain(predictions: readonly LocalPrediction[], offers: Capabilities): Pick<RequestOptions, 'sums'> {
  if (!takesSums(offers) || !predictions.some(({ details }) => details?.totals)) return {};
  const named = predictions.map(({ id, name = id, details }) => ({ name, level: details?.totals?.level ?? 0 }));
  const sums = sumsOfNames(named.map(({ name }) => name));
  if (sums.length > 0) return { sums: asSent(sums) };
  const [totals, parts, further] = [0, 1, 2].map((at) => named.filter(({ level }) => level === at));
  const isPlain = totals.length === 1 && parts.length > 0 && further.length === 0;
  return isPlain ? { sums: asSent([{ total: totals[0].name, parts: parts.map(({ name }) => name) }]) } : {};
}
