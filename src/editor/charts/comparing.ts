import * as vscode from 'vscode';
import type { LocalPrediction } from '../../contract/local.ts';
import type { App } from '../app.ts';
import type { Session } from '../connection/connection.ts';
import { finished, makeForecast, readOne } from '../forecast/forecaster.ts';
import { noChart } from '../request/request.ts';
import { inBackground } from '../ui/background.ts';
import { comparedTable, type Entry } from '../views/chart/comparison.ts';
import { askedFor } from '../views/chart/controls.ts';
import { nameParts, saveAs } from '../views/chart/export.ts';
import type { Chart, ChartEvent } from '../views/chart/reducer.ts';
import { type ChartFacts, seriesKey } from '../views/chart/state.ts';
import { Latest } from '../views/shared/latest.ts';

/** Predictions among which others of the same series are looked for. */
const LOOKED_AT = 50;

/** The page whose forecasts are compared. */
interface Compared {
  readonly chart: () => Chart;
  readonly facts: ChartFacts;
  /** @throws ServiceError if its service is no longer set up */
  readonly session: () => Session;
  readonly take: (event: ChartEvent) => void;
}

/** Makes what the comparison of a chart needs; what was made for one that was closed ends. */
export class ComparisonMaker {
  readonly #app: App;
  readonly #page: Compared;
  readonly #latest = new Latest();
  #making: { readonly run: number; readonly signal: AbortSignal; readonly keys: Set<string> } | undefined;

  constructor(app: App, page: Compared) {
    this.#app = app;
    this.#page = page;
  }

  /** Makes the entries that are not there yet, each once. */
  make(): void {
    const { comparison } = this.#page.chart();
    const { log } = this.#app;
    if (comparison?.run !== this.#making?.run) {
      this.#latest.end();
      this.#making = comparison && { run: comparison.run, signal: this.#latest.begin(), keys: new Set() };
      if (this.#making) inBackground(log, this.#findOthers(this.#making.signal));
    }
    const { signal, keys } = this.#making ?? {};
    for (const entry of comparison?.entries ?? []) {
      if (!signal || keys?.has(entry.key)) continue;
      keys?.add(entry.key);
      inBackground(log, this.#fill(entry, signal));
    }
  }

  /** Saves what is there beside each other as one file. */
  async save(): Promise<void> {
    const { comparison } = this.#page.chart();
    const made = comparison?.entries.flatMap(({ label, prediction }) => (prediction ? [{ label, prediction }] : []));
    if (!made?.length) return;
    const { label, source } = this.#page.facts.note ?? { label: made[0].label };
    const parts = [...nameParts(label), vscode.l10n.t('compared')];
    const bytes = new TextEncoder().encode(comparedTable(made));
    await saveAs(this.#app.log, { parts, extension: 'csv' }, bytes, source?.uri);
  }

  end(): void {
    this.#latest.end();
  }

  /** Finds other forecasts of the series. */
  async #findOthers(signal: AbortSignal): Promise<void> {
    const { chart, facts, session, take } = this.#page;
    const { ref, prediction: main } = chart();
    const series = seriesKey(facts.note, main);
    const isOther = (one: LocalPrediction) =>
      one.status === 'COMPLETED' &&
      one.id !== main?.id &&
      ((main?.input_series_id !== undefined && one.input_series_id === main.input_series_id) ||
        (series !== undefined && seriesKey(facts.noteOf({ ...ref, predictionId: one.id }), one) === series));
    try {
      const { items } = await session().client.listPredictions({ size: LOOKED_AT, signal }, false);
      if (!signal.aborted) take({ type: 'others', others: items.filter(isOther) });
    } catch (error) {
      this.#troubled(error, signal);
    }
  }

  async #fill(entry: Entry, signal: AbortSignal): Promise<void> {
    const { chart, facts, session, take } = this.#page;
    const { key, prediction } = entry;
    try {
      const made = prediction ?? (await finished(session(), await this.#made(entry, signal), signal));
      if (signal.aborted) return;
      const isScenario = facts.isScenario(made) || entry.isScenario === true;
      if (!prediction) take({ type: 'made', key, prediction: made, isScenario });
      const { client } = session();
      // the past of a scenario is that of the main line
      if (isScenario || !(await client.capabilities()).has('getBacktest')) return;
      const horizon = chart().comparison?.entries[0]?.prediction?.prediction_series?.length;
      const backtest = await client.do('getBacktest', {
        id: made.id,
        query: horizon ? { prediction_length: String(horizon) } : {},
        signal,
      });
      if (!signal.aborted) take({ type: 'scored', key, backtest });
    } catch (error) {
      this.#troubled(error, signal);
      const sentence = error instanceof Error ? error.message : String(error);
      if (!signal.aborted) take({ type: 'not-made', key, sentence });
    }
  }

  async #made({ make }: Entry, signal: AbortSignal): Promise<LocalPrediction> {
    const { chart, session } = this.#page;
    if (!make || 'id' in make) return readOne(session(), make?.id ?? '', signal);
    const { from, ...wanted } = make;
    const ref = { ...chart().ref, predictionId: from.id };
    const source = { kind: 'prediction', ref, prediction: from } as const;
    if ('scenario' in wanted)
      return makeForecast(this.#app, { source: { ...source, ...wanted }, show: noChart() }, signal);
    const { model, horizon } = wanted;
    const change = { ...askedFor(from), ...(model === undefined ? {} : { model }), ...(horizon ? { horizon } : {}) };
    return makeForecast(this.#app, { source, change, show: noChart() }, signal);
  }

  #troubled(problem: unknown, { aborted }: AbortSignal): void {
    if (!aborted) this.#app.log.warn(`Comparison of ${this.#page.chart().ref.predictionId}: ${String(problem)}`);
  }
}
