import * as vscode from 'vscode';
import { ServiceError } from '../../../client/errors.ts';
import { ended, readPredictions } from '../../../client/poller.ts';
import type { Frequency } from '../../../calendar/frequency.ts';
import { stepNoun } from '../../../calendar/words.ts';
import type { LocalPrediction } from '../../../contract/local.ts';
import type { Backtest } from '../../../contract/analysis.ts';
import type { Points } from '../../../chart/types.ts';
import type { Session } from '../../connection/connection.ts';
import { Latest } from '../shared/latest.ts';
import type { ModelChoice } from './controls.ts';
import { type Change, type CompareMessage, type CompareRow, type CompareView, type Choice, MOST_COMPARED } from './protocol.ts'; // prettier-ignore
import type { Compared } from './save-compared.ts';
import { differenceWords, totalOf } from './scenario.ts';
import { ago } from '../shared/ago.ts';
import { distinctLabels } from './distinct-labels.ts';
import { bestOf, commonOrigins, scoresOf } from './scores.ts';

/** What the comparison of a chart needs around it. */
export interface CompareHost {
  readonly session: () => Session;
  readonly models: () => readonly ModelChoice[];
  /** Makes a forecast of the same data without showing it. */
  readonly beside: (prediction: LocalPrediction, change: Change, signal: AbortSignal) => Promise<LocalPrediction>;
  /** Other predictions of the same series. */
  readonly others: (signal: AbortSignal) => Promise<readonly LocalPrediction[]>;
  readonly nameOf: (prediction: LocalPrediction) => string;
  readonly lineOf: (prediction: LocalPrediction) => Points;
  /** Whether something is supposed of its future. */
  readonly isScenario: (prediction: LocalPrediction) => boolean;
  /** A moment in words. */
  readonly at: (time: number) => string;
  readonly save: (compared: readonly Compared[]) => void;
  readonly frequency: () => Frequency | undefined;
  readonly show: (view: CompareView | undefined) => void;
  readonly makeMain: (prediction: LocalPrediction) => void;
  readonly log: (problem: unknown) => void;
}

interface Entry {
  id: string;
  label: string;
  /** Which model makes it; absent for what was stored. */
  model?: string;
  prediction?: LocalPrediction;
  backtest?: Backtest;
  /** Why it, or its backtest, could not be made. */
  sentence?: string;
}

/** Forecasts of one series that lie over each other. */
export class Comparison {
  readonly #host: CompareHost;
  readonly #work = new Latest();
  #signal: AbortSignal | undefined;
  #entries: Entry[] = [];
  #others: readonly LocalPrediction[] = [];

  constructor(host: CompareHost) {
    this.#host = host;
  }

  get isOpen(): boolean {
    return this.#signal !== undefined;
  }

  receive(message: CompareMessage, main: LocalPrediction): void {
    switch (message.do) {
      case 'open':
        this.#open(main);
        break;
      case 'close':
        this.close();
        break;
      case 'add-model':
        this.#addModel(message.id, main);
        break;
      case 'add-prediction': {
        const found = this.#others.find(({ id }) => id === message.id);
        if (found) this.#add({ id: found.id, label: this.#host.nameOf(found) }, () => this.#read(found.id));
        break;
      }
      case 'save': {
        const made = this.#entries.flatMap(({ label, prediction }) => (prediction ? [{ label, prediction }] : []));
        if (made.length > 0) this.#host.save(made);
        break;
      }
      case 'remove':
        this.#entries = this.#entries.filter(({ id }) => id !== message.id);
        this.#show();
        break;
      case 'main': {
        const chosen = this.#entries.find(({ id }) => id === message.id)?.prediction;
        if (chosen) this.#host.makeMain(chosen);
        break;
      }
    }
  }

  /**
   * Another one is the main line now. What lies beside it stays, with the former one where there is room; where the horizon is
   * another one, all of it is made again for that, and the new line takes the place of the former one.
   */
  turnTo(main: LocalPrediction): void {
    if (!this.isOpen) return;
    const known = this.#entries.find(({ id }) => id === main.id);
    if (known) {
      this.#entries = [known, ...this.#entries.filter((entry) => entry !== known)];
      this.#show();
      return;
    }
    const [former, ...others] = this.#entries;
    const horizon = main.prediction_series?.length;
    const isOtherHorizon = horizon !== former?.prediction?.prediction_series?.length;
    // the former one can be stepped back to; the others are what the person compares with
    if (isOtherHorizon || this.#entries.length >= MOST_COMPARED) this.#entries = others;
    this.#add(this.#entryOf(main), () => Promise.resolve(main), true);
    if (!isOtherHorizon || horizon === undefined) return;
    this.#entries = this.#entries.filter((entry) => !others.includes(entry));
    for (const entry of others) this.#again(entry, main, horizon);
  }

  /** Makes what lies beside the main line again, as far ahead as that. */
  #again({ id, label, model, prediction }: Entry, main: LocalPrediction, horizon: number): void {
    const { ai_model_id: made = model, input_series: sent = main.input_series } = prediction ?? {};
    const from = prediction ? { ...prediction, input_series: sent } : main;
    const entry = { id: `${id} ${String(horizon)}`, label, ...(model === undefined ? {} : { model }) };
    this.#add(entry, (signal) => this.#host.beside(from, { model: made, horizon }, signal));
  }

  close(): void {
    this.#work.end();
    this.#signal = undefined;
    this.#entries = [];
    this.#host.show(undefined);
  }

  /** Lays other stored forecasts of the series over the main one, and nothing else. */
  openWith(main: LocalPrediction, others: readonly LocalPrediction[]): void {
    this.#open(main);
    for (const one of others) this.#add({ id: one.id, label: this.#host.nameOf(one) }, () => this.#read(one.id));
  }

  #open(main: LocalPrediction): void {
    const signal = (this.#signal = this.#work.begin());
    this.#entries = [];
    this.#add(this.#entryOf(main), () => Promise.resolve(main));
    this.#host
      .others(signal)
      .then((found) => {
        this.#others = found;
        if (!signal.aborted) this.#show();
      })
      .catch(this.#host.log);
  }

  /** Lays a scenario over the main line; where there is no room, in the place of the last one. */
  addScenario(name: string, main: LocalPrediction, make: (signal: AbortSignal) => Promise<LocalPrediction>): void {
    if (!this.isOpen) this.#open(main);
    this.#entries = this.#entries.slice(0, MOST_COMPARED - 1);
    this.#add({ id: `scenario ${crypto.randomUUID()}`, label: name }, make);
  }

  #entryOf(main: LocalPrediction): Entry {
    return { id: main.id, label: this.#host.nameOf(main), prediction: main };
  }

  #addModel(model: string, main: LocalPrediction): void {
    const label = this.#host.models().find(({ id }) => id === model)?.label ?? model;
    const change = { model, horizon: main.prediction_series?.length ?? 1 };
    this.#add({ id: `model ${model}`, label, model }, (signal) => this.#host.beside(main, change, signal));
  }

  async #read(id: string): Promise<LocalPrediction> {
    const { jobs } = await readPredictions(this.#host.session().client, new Set([id]), this.#signal!);
    const [found] = jobs;
    if (found) return found;
    throw new ServiceError('not-found', vscode.l10n.t('The service does not have this prediction any more.'));
  }

  #add(entry: Entry, make: (signal: AbortSignal) => Promise<LocalPrediction>, isFirst = false): void {
    const signal = this.#signal;
    if (!signal || this.#entries.length >= MOST_COMPARED || this.#entries.some(({ id }) => id === entry.id)) return;
    this.#entries = isFirst ? [entry, ...this.#entries] : [...this.#entries, entry];
    this.#show();
    this.#fill(entry, make, signal).catch(this.#host.log);
  }

  async #fill(
    entry: Entry,
    make: (signal: AbortSignal) => Promise<LocalPrediction>,
    signal: AbortSignal,
  ): Promise<void> {
    try {
      const { predictions, client } = this.#host.session();
      const made = await ended(predictions, await make(signal), signal);
      if (made.status !== 'COMPLETED') throw new ServiceError('refused', made.error ?? made.status);
      entry.prediction = made.prediction_series ? made : await this.#read(made.id);
      entry.id = made.id;
      // the same scenario once more
      this.#entries = this.#entries.filter((one, index, all) => all.findIndex(({ id }) => id === one.id) === index);
      this.#show();
      // its past is that of the main line
      if (this.#host.isScenario(entry.prediction)) return;
      if (!(await client.capabilities()).has('getBacktest')) return;
      const horizon = this.#entries[0]?.prediction?.prediction_series?.length;
      entry.backtest = await client.getBacktest(made.id, horizon ? { prediction_length: horizon } : {}, signal);
    } catch (error) {
      if (signal.aborted) return;
      this.#host.log(error);
      entry.sentence = error instanceof Error ? error.message : String(error);
    }
    if (!signal.aborted) this.#show();
  }

  #show(): void {
    if (!this.#signal) return;
    const entries = this.#entries;
    const tested = entries.flatMap(({ backtest }) => (backtest ? [backtest] : []));
    const origins = commonOrigins(tested);
    const scores = entries.map(({ backtest }) => backtest && scoresOf(backtest, origins));
    const best = bestOf(scores);
    const lines = entries.map(({ prediction }) => prediction && this.#host.lineOf(prediction));
    const labelled = entries.map(({ label, prediction }, index) => {
      return { label, start: lines[index]?.times[0], made: ago(prediction?.created_at, Date.now()) };
    });
    const labels = distinctLabels(labelled, this.#host.at);
    const rows = entries.map((entry, index): CompareRow => {
      const line = lines[index];
      const { id, prediction, sentence } = entry;
      const scored = scores[index];
      return {
        id,
        label: labels[index],
        isMain: index === 0,
        state: prediction ? 'done' : sentence === undefined ? 'pending' : 'failed',
        ...(sentence === undefined ? {} : { sentence }),
        ...(line ? { line, total: totalOf(line, index === 0 ? undefined : lines[0]) } : {}),
        ...this.#difference(entry, line, entries[0], lines[0]),
        ...(scored ? { scores: scored } : {}),
        isBest: index === best,
      };
    });
    const about = tested.length > 0 ? this.#about(origins.size, tested[0].horizon) : undefined;
    this.#host.show({ rows, ...(about === undefined ? {} : { about }), ...this.#choices() });
  }

  /** In words, where one of both is a scenario. */
  #difference(entry: Entry, line: Points | undefined, main: Entry, mainLine: Points | undefined) {
    const { isScenario, at } = this.#host;
    if (entry === main || !line || !mainLine || !entry.prediction || !main.prediction) return {};
    if (!isScenario(entry.prediction) && !isScenario(main.prediction)) return {};
    const difference = differenceWords(entry.label, line, main.label, mainLine, at);
    return difference === undefined ? {} : { difference };
  }

  #about(origins: number, horizon: number): string {
    if (origins === 0)
      return vscode.l10n.t('These forecasts have no time in the past in common from which they could be compared.');
    const span = stepNoun(this.#host.frequency(), horizon);
    if (origins === 1)
      return vscode.l10n.t(
        'Scores of forecasts made again at one time in the past, {0} ahead. MASE and sMAPE: lower is better.',
        span,
      );
    return vscode.l10n.t(
      'Scores of forecasts made again at the same {0} times in the past, {1} ahead each. MASE and sMAPE: lower is better.',
      origins,
      span,
    );
  }

  #choices(): { models: Choice[]; predictions: Choice[] } {
    const used = new Set(this.#entries.flatMap(({ id, model, prediction }) => [id, model, prediction?.ai_model_id]));
    const models = this.#host.models().filter(({ id }) => !used.has(id));
    const predictions = this.#others.filter(({ id }) => !used.has(id));
    return {
      models: models.map(({ id, label }) => ({ id, label })),
      predictions: predictions.map((one) => ({ id: one.id, label: this.#host.nameOf(one) })),
    };
  }
}
