import * as vscode from 'vscode';
import type { LocalPrediction } from '../../contract/resources.ts';
import type { App } from '../app.ts';
import { type Session, sessionOf } from '../connection/connection.ts';
import { finished, makeForecast, noChart, readOne, sentOf } from '../forecast/forecaster.ts';

import { inBackground } from '../ui/say.ts';
import { comparedTable } from '../views/chart/comparison.ts';
import { nameParts, saveAs } from '../views/chart/export.ts';
import type { Chart, ChartEvent, Entry } from '../views/chart/reducer.ts';
import { seriesKey } from '../views/chart/state.ts';
import { Latest } from '../views/shared/page-host.ts';

const MOST_SEARCHED = 50;

/** Makes the forecasts and backtests of the comparison of a chart. Those of a closed comparison are canceled. */
export class ComparisonMaker {
  readonly #app: App;
  readonly #take: (event: ChartEvent) => void;
  readonly #latest = new Latest();
  #making: { readonly run: number; readonly signal: AbortSignal; readonly keys: Set<string> } | undefined;

  constructor(app: App, take: (event: ChartEvent) => void) {
    this.#app = app;
    this.#take = take;
  }

  make(chart: Chart): void {
    const { comparison } = chart;
    if (comparison?.run !== this.#making?.run) {
      this.#latest.end();
      this.#making = comparison && { run: comparison.run, signal: this.#latest.begin(), keys: new Set() };
      if (this.#making) inBackground(this.#app.log, this.#findOthers(chart, this.#making.signal));
    }
    const { signal, keys } = this.#making ?? {};
    for (const entry of comparison?.entries ?? []) {
      if (!signal || keys?.has(entry.key)) continue;
      keys?.add(entry.key);
      inBackground(this.#app.log, this.#fill(chart, entry, signal));
    }
  }

  async save({ ref, comparison }: Chart): Promise<void> {
    const made = comparison?.entries.flatMap(({ label, prediction }) => (prediction ? [{ label, prediction }] : []));
    if (!made?.length) return;
    const { label, source } = this.#app.memory.recall(ref.serviceId, ref.predictionId) ?? { label: made[0].label };
    const parts = [...nameParts(label), vscode.l10n.t('compared')];
    await saveAs(this.#app.log, { parts, extension: 'csv' }, comparedTable(made), source?.uri);
  }

  end(): void {
    this.#latest.end();
  }

  async #findOthers({ ref, prediction: main }: Chart, signal: AbortSignal): Promise<void> {
    const noteOf = (id: string) => this.#app.memory.recall(ref.serviceId, id);
    const series = seriesKey(noteOf(ref.predictionId), main);
    const isOther = (one: LocalPrediction) =>
      one.status === 'COMPLETED' &&
      one.id !== main?.id &&
      ((main?.input_series_id !== undefined && one.input_series_id === main.input_series_id) ||
        (series !== undefined && seriesKey(noteOf(one.id), one) === series));
    try {
      const { client } = sessionOf(this.#app.connection, ref.serviceId);
      const { items } = await client.listPredictions({ size: MOST_SEARCHED, signal }, false);
      if (!signal.aborted) this.#take({ type: 'others', others: items.filter(isOther) });
    } catch (error) {
      this.#warn(ref.predictionId, error, signal);
    }
  }

  async #fill({ ref, comparison }: Chart, entry: Entry, signal: AbortSignal): Promise<void> {
    const { key, prediction } = entry;
    const take = (result: Partial<Entry>) => {
      if (!signal.aborted) this.#take({ type: 'entry', key, result });
    };
    try {
      const session = sessionOf(this.#app.connection, ref.serviceId);
      const made = prediction ?? (await finished(session, await this.#make(session, entry, signal), signal));
      if (signal.aborted) return;
      const isScenario = entry.isScenario ?? this.#app.memory.recall(ref.serviceId, made.id)?.scenario !== undefined;
      if (!prediction) take({ prediction: made, isScenario });
      const { client } = session;
      // a scenario has the past of the main line
      if (isScenario || !(await client.capabilities()).has('getBacktest')) return;
      const horizon = comparison?.entries[0]?.prediction?.prediction_series?.length;
      const query = horizon ? { prediction_length: String(horizon) } : {};
      take({ backtest: await client.do('getBacktest', { id: made.id, query, signal }) });
    } catch (error) {
      this.#warn(ref.predictionId, error, signal);
      take({ sentence: error instanceof Error ? error.message : String(error) });
    }
  }

  async #make(session: Session, { make }: Entry, signal: AbortSignal): Promise<LocalPrediction> {
    if (!make || 'id' in make) return readOne(session, make?.id ?? '', signal);
    const { from, ...how } = make;
    const ref = { serviceId: session.info.id, predictionId: from.id };
    const [other, change] = 'scenario' in how ? [how, {}] : [{}, how];
    const wanted = { source: sentOf(this.#app, ref, from, other), change, show: noChart() };
    return makeForecast(this.#app, wanted, signal);
  }

  #warn(predictionId: string, problem: unknown, { aborted }: AbortSignal): void {
    if (!aborted) this.#app.log.warn(`Comparison of ${predictionId}: ${String(problem)}`);
  }
}
