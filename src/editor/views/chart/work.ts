import * as vscode from 'vscode';
import type { LocalPrediction } from '../../../contract/local.ts';
import { Comparison } from '../analysis/compare.ts';
import { bandsOf, controlsOf, type ModelChoice } from '../analysis/controls.ts';
import type { ReadSeries } from '../../../reading/types.ts';
import { Beforehand } from '../analysis/beforehand.ts';
import { offeredTo } from '../analysis/columns.ts';
import { scenarioName, supposedSeries } from '../analysis/scenario.ts';
import { outcomeOf } from '../analysis/held.ts';
import { Looks } from '../analysis/looks.ts';
import type { Change, Supposed, WorkMessage } from '../analysis/protocol.ts';
import type { Memory } from '../../connection/memory.ts';
import { COMMANDS } from '../../names.ts';
import { Latest } from '../shared/latest.ts';
import { inBackground } from '../../ui/background.ts';
import type { ChartDeeds } from './deeds.ts';
import { dispatch } from '../shared/protocol.ts';
import type { HostMessage, PredictionRef } from './protocol.ts';
import { frequencyOf, lineOf, SameSeries, type SeriesHost } from './same-series.ts';
import { showFailure } from '../../ui/failure.ts';

/** The chart that is worked with. */
export interface WorkHost extends SeriesHost {
  /** Whether its service is the one in use: only there a forecast can be made. */
  readonly isInUse: () => boolean;
  readonly post: (message: HostMessage) => void;
  readonly turnTo: (ref: PredictionRef, known: LocalPrediction | undefined) => void;
}

/** More steps back than this are not kept. */
const MOST_FORMER = 20;

/** Work with the forecast of one chart: changing it in place, stepping back, laying others over it. */
export class ChartWork {
  readonly #host: WorkHost;
  readonly #memory: Memory;
  readonly #deeds: ChartDeeds;
  readonly #log: vscode.LogOutputChannel;
  readonly #asking = new Latest();
  readonly #comparison: Comparison;
  /** What is to be laid over the forecast that comes. */
  #toCompare: LocalPrediction[] = [];
  readonly #looks: Looks;
  readonly #series: SameSeries;
  readonly #known = new Beforehand();
  #models: readonly ModelChoice[] = [];
  #former: string[];
  /** The series as its file has it now, where it comes from one. */
  #observed: ReadSeries | undefined;

  constructor(
    host: WorkHost,
    { memory, deeds, log }: { memory: Memory; deeds: ChartDeeds; log: vscode.LogOutputChannel },
    former: readonly string[],
  ) {
    this.#host = host;
    this.#memory = memory;
    this.#deeds = deeds;
    this.#log = log;
    this.#former = [...former];
    this.#series = new SameSeries(host, memory, () => this.#models);
    this.#looks = new Looks({
      session: host.session,
      frequency: () => frequencyOf(host.prediction()),
      post: host.post,
      leaveOut: (prediction, times) => deeds.leaveOut(host.ref(), prediction, times),
      mark: (points) => deeds.mark(host.ref(), points),
      canMark: () => this.#memory.recall(host.ref().serviceId, host.ref().predictionId)?.source?.uri !== undefined,
      isInUse: host.isInUse,
    });
    this.#comparison = new Comparison({
      session: host.session,
      models: () => this.#models,
      beside: (prediction, change, signal) =>
        deeds.beside({ ...host.ref(), predictionId: prediction.id }, prediction, this.#whole(change), signal),
      others: (signal) => this.#series.others(signal),
      nameOf: (prediction) => this.#series.nameOf(prediction),
      lineOf,
      isScenario: (prediction) => this.#series.noteOf(prediction.id)?.scenario !== undefined,
      at: (time) => this.#series.at(time),
      save: (compared) => {
        inBackground(log, this.#series.save(log, compared));
      },
      frequency: () => frequencyOf(host.prediction()),
      show: (compared) => {
        host.post({ type: 'compared', compared });
      },
      makeMain: (prediction) => {
        host.turnTo({ ...host.ref(), predictionId: prediction.id }, prediction);
      },
      log: (problem) => {
        log.warn(`Comparison of ${host.ref().predictionId}: ${String(problem)}`);
      },
    });
  }

  /** The chart turns from one prediction to another one. */
  turned(from: PredictionRef, to: PredictionRef): void {
    // what is still found out of the one before would be told as if it were of the next
    this.#asking.end();
    this.#observed = undefined;
    if (!this.#series.areOfOneFile(from, to)) this.#known.turn();
    if (from.serviceId !== to.serviceId) {
      this.#former = [];
      this.#comparison.close();
    } else if (this.#former.at(-1) === to.predictionId) this.#former.pop();
    else this.#former = [...this.#former, from.predictionId].slice(-MOST_FORMER);
  }

  /** A forecast is there: what can be done with it is told. */
  async show(prediction: LocalPrediction): Promise<void> {
    this.#comparison.turnTo(prediction);
    this.#account(prediction);
    await this.#tell(prediction);
    const others = this.#toCompare.splice(0);
    // another one may be shown by now
    if (others.length > 0 && this.#host.prediction()?.id === prediction.id)
      this.#comparison.openWith(prediction, others);
  }

  /** Lays these over the forecast, once that is there. */
  async compareWith(others: readonly LocalPrediction[]): Promise<void> {
    this.#toCompare = [...others];
    const prediction = this.#host.prediction();
    if (prediction?.prediction_series) await this.show(prediction);
  }

  /** The file of the series was read. */
  came(series: ReadSeries): void {
    this.#observed = series;
    this.#known.came(series);
    const prediction = this.#host.prediction();
    if (prediction?.prediction_series) this.#account(prediction);
    this.#start(this.#tellColumns(series));
  }

  /** Tells the columns of the file, and what the calendar says of its days. */
  async #tellColumns(series: ReadSeries): Promise<void> {
    const { serviceId, predictionId } = this.#host.ref();
    try {
      const steps = this.#host.prediction()?.prediction_series?.length ?? 1;
      const full = await this.#deeds.withCalendar({ serviceId, predictionId }, series, steps);
      if (this.#observed === series) this.#known.came(full);
    } catch (error) {
      this.#log.warn(`The calendar of ${predictionId} is not known: ${String(error)}`);
    }
    const prediction = this.#host.prediction();
    if (this.#observed === series && this.#known.hasColumns && prediction?.prediction_series)
      await this.#tell(prediction);
  }

  /** Where the file says another future now than the forecast was given. */
  changedAhead(): readonly Supposed[] {
    const prediction = this.#host.prediction();
    const isScenario = this.#series.noteOf(this.#host.ref().predictionId)?.scenario !== undefined;
    return prediction?.prediction_series && !isScenario ? this.#known.changed(prediction) : [];
  }

  /** Holds the forecast against what has come since. */
  #account(prediction: LocalPrediction): void {
    const outcome = this.#observed && outcomeOf(prediction, this.#observed);
    const actuals = outcome && { line: outcome.actual, sentence: outcome.sentence };
    this.#host.post({ type: 'actuals', actuals });
    const { serviceId } = this.#host.ref();
    if (outcome && this.#memory.hold(serviceId, prediction.id, outcome.held)) this.#deeds.held();
  }

  /** There is no forecast to work with. */
  hide(): void {
    this.#asking.end();
    this.#host.post({ type: 'controls' });
  }

  dispose(): void {
    this.#asking.end();
    this.#looks.dispose();
    this.#known.dispose();
    this.#comparison.close();
  }

  receive(message: WorkMessage): void {
    const prediction = this.#host.prediction();
    dispatch(message, {
      change: ({ change }) => {
        this.#start(this.#change(change));
      },
      back: () => {
        const [id] = this.#former.slice(-1);
        if (id !== undefined) this.#host.turnTo({ ...this.#host.ref(), predictionId: id }, undefined);
      },
      look: (wanted) => {
        if (prediction) this.#start(this.#looks.show(prediction, wanted.look, wanted.rarity));
      },
      odd: (wanted) => {
        if (prediction) this.#start(this.#looks.act(prediction, wanted.do));
      },
      'test-columns': () => {
        if (prediction) this.#start(this.#test(prediction));
      },
      suppose: ({ name, cells }) => {
        this.suppose(name, cells);
      },
      compare: (wanted) => {
        if (prediction) this.#comparison.receive(wanted, prediction);
      },
    });
  }

  /** What the person asked for on the page; a failure is told. */
  #start(work: PromiseLike<unknown>): void {
    const log = this.#log;
    inBackground(
      log,
      work.then(undefined, (error: unknown) => showFailure({ log }, error)),
    );
  }

  async #tell(prediction: LocalPrediction): Promise<void> {
    const signal = this.#asking.begin();
    try {
      if (!this.#host.isInUse()) {
        this.#host.post({
          type: 'controls',
          controls: { canCompare: false, looks: [], former: this.#former, ...this.#back() },
        });
        return;
      }
      const session = this.#host.session();
      const offers = await session.client.capabilities();
      this.#models = await this.#deeds.models(session);
      if (signal.aborted) return;
      const past = { former: this.#former, ...this.#back() };
      const controls = controlsOf(prediction, frequencyOf(prediction), offers, this.#models, past);
      this.#host.post({
        type: 'controls',
        controls: { ...controls, ...this.#known.controls(prediction, offers, this.#series.isOfFile()) },
      });
      if (offers.has('findOddPoints')) inBackground(this.#log, this.#looks.mark(prediction));
    } catch (error) {
      this.#log.warn(`What can be changed of ${prediction.id} is not known: ${String(error)}`);
    }
  }

  async #test(prediction: LocalPrediction): Promise<void> {
    try {
      await this.#known.test(this.#host.session(), prediction);
    } catch (error) {
      this.#log.warn(`Columns of ${prediction.id} are not tested: ${String(error)}`);
    }
    if (this.#host.prediction()?.id === prediction.id) await this.#tell(prediction);
  }

  /** Forecasts as if the future were another one, and lays that over the chart. */
  suppose(name: string, cells: readonly Supposed[]): void {
    const prediction = this.#host.prediction();
    if (!prediction || cells.length === 0) return;
    const scenario = { name: name.trim() || scenarioName(cells), series: supposedSeries(prediction, cells) };
    this.#comparison.addScenario(scenario.name, prediction, (signal) =>
      this.#deeds.suppose(this.#host.ref(), prediction, scenario, signal),
    );
  }

  #back(): { back: string } | undefined {
    return this.#former.length > 0 ? { back: vscode.l10n.t('Back to the Former Forecast') } : undefined;
  }

  async #change(change: Change): Promise<void> {
    const prediction = this.#host.prediction();
    if (!prediction) return;
    const areColumnsChosen = change.covariates !== undefined;
    const wanted = { ...this.#host.ref(), covariates: offeredTo(prediction), ...this.#whole(change), areColumnsChosen };
    await vscode.commands.executeCommand(COMMANDS.forecastAgain, wanted);
    // where nothing came of it, the controls say again what is shown
    const shown = this.#host.prediction();
    if (shown?.id === prediction.id && shown.status === 'COMPLETED') await this.#tell(shown);
  }

  /** A change with all that stays as it is. */
  #whole(change: Change): Change {
    const prediction = this.#host.prediction();
    const bands = prediction && bandsOf(prediction);
    const horizon = prediction?.prediction_series?.length;
    const model = prediction?.ai_model_id;
    return {
      ...(model === undefined ? {} : { model }),
      ...(horizon ? { horizon } : {}),
      ...(bands && bands.length > 0 ? { bands } : {}),
      ...change,
    };
  }
}
