import * as vscode from 'vscode';
import { inDigits } from '../../calendar/digits.ts';
import { isGone } from '../../client/errors.ts';
import { LONGEST_NAME, storeSeries } from '../../client/store-series.ts';
import { isPending, type LocalPrediction } from '../../contract/resources.ts';
import { sketchOf } from '../../contract/sketch.ts';
import { fromPoints } from '../../reading/points.ts';
import type { ReadSeries } from '../../reading/types.ts';
import type { App } from '../app.ts';
import { type Session, sessionInUse, sessionOf } from '../connection/connection.ts';
import { sendingOf } from '../files/sources.ts';
import { VIEWS } from '../names.ts';
import { chooseModel } from '../request/pick-model.ts';
import { MOST_LETTERS, optionsOf } from '../request/forecaster.ts';
import { createFineTunedModel } from '../training/fine-tune.ts';
import { inBackground, say, sentenceOf, withProgress } from '../ui/say.ts';
import { alone, askName } from '../ui/steps.ts';
import { type Owner, Page, PageHost } from '../views/shared/page-host.ts';
import type { Handlers } from '../views/shared/protocol.ts';
import { sumsAgain } from './forecast-all.ts';
import { forEach, noteKeyOf, predictAll, predictEach, readSet, saveAll, sourceOf } from './forecast-set.ts';
import { ACTIONS, type ManyAction, ManyIntent, type ManyState, type SeriesRow, SetRef } from './protocol.ts';

const POLL = 2000;

class ManyPage extends Page<ManyState, ManyIntent> {
  #predictions: readonly LocalPrediction[] = [];
  #timer: NodeJS.Timeout | undefined;

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

  override dispose(): void {
    super.dispose();
    clearTimeout(this.#timer);
  }

  async #load(known?: readonly LocalPrediction[]): Promise<void> {
    clearTimeout(this.#timer);
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
      if (this.#predictions.some(({ status }) => isPending(status)))
        this.#timer = setTimeout(() => this.start(() => this.#load()), POLL);
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

/** The pages of many forecasts: one for each dataset, file or run. What is known of one is its forecasts. */
export const manyPages = (app: () => App) =>
  new PageHost(
    {
      viewType: 'forecasts.many',
      bundle: 'many',
      ref: SetRef,
      intent: ManyIntent,
      keyOf: ({ serviceId, label, datasetId }: SetRef) => `${serviceId} ${datasetId ?? label}`,
      page: ManyPage,
    },
    app,
  );

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
  const { id: model } = await chooseModel(app, { session, place, placeholder: vscode.l10n.t('Which model?') });
  const horizon = chosen[0]?.prediction_length;
  const options = await optionsOf(app, session, { model, horizon }, false);
  const offers = await session.client.capabilities();
  const again = new Map<string, string>();
  const title = vscode.l10n.t('Forecasting {0} series of {1}', count, label);
  const { shortfall } = await withProgress(title, async (signal, report) => {
    const work = { signal, report };
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
    most: LONGEST_NAME,
  });
  const id = await withProgress(vscode.l10n.t('Storing {0}', name), async (signal, report) => {
    const { found, failure, refusals } = await forEach<LocalPrediction, ReadSeries>(
      chosen,
      async (one, keep, either) => {
        const { input_series = [] } = one.input_series ? one : await client.getPrediction(one.id, either);
        keep(fromPoints(input_series, one.name ?? one.id));
      },
      { signal, report },
      isGone,
    );
    if (failure !== undefined) throw failure;
    const series = found.filter((one) => one !== undefined);
    const stored = await storeSeries(client, app.reader, { name, series }, sendingOf(app, name, { signal, report }));
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

/** A prediction as a row of the list. Where its service sends no sketch, it is made of its series if they are there. */
export function rowOf(prediction: LocalPrediction): SeriesRow {
  const { id, name = id, ai_model_id: model, status, error, details, input_series, prediction_series } = prediction;
  const row = { id, name, model };
  if (status === 'FAILED')
    return { ...row, state: vscode.l10n.t('failed: {0}', error ?? vscode.l10n.t('no reason given')), hasFailed: true };
  if (status !== 'COMPLETED') return { ...row, state: status.toLowerCase().replaceAll('_', ' ') };
  const made = input_series && prediction_series ? sketchOf(input_series, prediction_series) : undefined;
  const sketch = prediction.sketch ?? made;
  const { smape, skill, coverage80 } = details?.backtest ?? {};
  const last = sketch?.past.findLast((value) => value !== null) ?? undefined;
  return { ...row, ...sketch, last, next: sketch?.ahead[0] ?? undefined, error: smape, skill, coverage: coverage80 };
}
