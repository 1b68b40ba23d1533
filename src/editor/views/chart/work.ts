import * as vscode from 'vscode';
import type { Frequency } from '../../../calendar/frequency.ts';
import { stepNoun } from '../../../calendar/words.ts';
import { parseDuration } from '../../../calendar/duration.ts';
import type { LocalPrediction } from '../../../contract/local.ts';
import { Comparison } from '../analysis/compare.ts';
import { bandsOf, controlsOf, type ModelChoice } from '../analysis/controls.ts';
import type { Points } from '../../../chart/types.ts';
import { outcomeOf } from '../analysis/held.ts';
import { Looks } from '../analysis/looks.ts';
import type { Change, OddView, WorkMessage } from '../analysis/protocol.ts';
import type { Session } from '../../connection/connection.ts';
import type { Memory } from '../../connection/memory.ts';
import { COMMANDS } from '../../connection/names.ts';
import { chartView } from '../../../chart/chart-view.ts';
import { Latest } from '../shared/latest.ts';
import { dispatch } from '../shared/protocol.ts';
import type { HostMessage, PredictionRef } from './protocol.ts';
import { seriesKey } from './status.ts';

/** What the rest of the editor does for work with a forecast. */
export interface ChartDeeds {
  /** The models to choose from at the service in use. */
  readonly models: (session: Session) => Promise<readonly ModelChoice[]>;
  /** Makes a forecast of the same data without showing it. */
  readonly beside: (
    ref: PredictionRef,
    prediction: LocalPrediction,
    change: Change,
    signal: AbortSignal,
  ) => Promise<LocalPrediction>;
  /** Forecasts again without the observations at these times. */
  readonly leaveOut: (ref: PredictionRef, prediction: LocalPrediction, times: ReadonlySet<number>) => Promise<void>;
  /** What has come of a forecast is news for its row in the view. */
  readonly held: () => void;
  /** Shows odd points as problems of the file. */
  readonly mark: (ref: PredictionRef, points: readonly OddView[]) => Promise<void>;
}

/** The chart that is worked with. */
export interface WorkHost {
  readonly ref: () => PredictionRef;
  readonly prediction: () => LocalPrediction | undefined;
  readonly session: () => Session;
  /** Whether its service is the one in use: only there a forecast can be made. */
  readonly isInUse: () => boolean;
  readonly post: (message: HostMessage) => void;
  readonly turnTo: (ref: PredictionRef, known: LocalPrediction | undefined) => void;
}

/** More steps back than this are not kept. */
const MOST_FORMER = 20;
/** Predictions among which others of the same series are looked for. */
const LOOKED_AT = 50;

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
  #models: readonly ModelChoice[] = [];
  #former: string[];
  /** The series as its file has it now, where it comes from one. */
  #observed: Points | undefined;

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
      beside: (prediction, change, signal) => deeds.beside(host.ref(), prediction, this.#whole(change), signal),
      others: (signal) => this.#others(signal),
      nameOf: (prediction) => this.#nameOf(prediction),
      lineOf,
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
    this.#observed = undefined;
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
  came(series: Points): void {
    this.#observed = series;
    const prediction = this.#host.prediction();
    if (prediction?.prediction_series) this.#account(prediction);
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
    this.#comparison.close();
  }

  receive(message: WorkMessage): void {
    const prediction = this.#host.prediction();
    dispatch(message, {
      change: ({ change }) => void this.#change(change),
      back: () => {
        const [id] = this.#former.slice(-1);
        if (id !== undefined) this.#host.turnTo({ ...this.#host.ref(), predictionId: id }, undefined);
      },
      look: (wanted) => {
        if (prediction) void this.#looks.show(prediction, wanted.look, wanted.rarity);
      },
      odd: (wanted) => {
        if (prediction) void this.#looks.act(prediction, wanted.do);
      },
      compare: (wanted) => {
        if (prediction) this.#comparison.receive(wanted, prediction);
      },
    });
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
      this.#host.post({ type: 'controls', controls });
    } catch (error) {
      this.#log.warn(`What can be changed of ${prediction.id} is not known: ${String(error)}`);
    }
  }

  #back(): { back: string } | undefined {
    return this.#former.length > 0 ? { back: vscode.l10n.t('Back to the Former Forecast') } : undefined;
  }

  async #change(change: Change): Promise<void> {
    const prediction = this.#host.prediction();
    if (!prediction) return;
    await vscode.commands.executeCommand(COMMANDS.forecastAgain, { ...this.#host.ref(), ...this.#whole(change) });
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

  async #others(signal: AbortSignal): Promise<LocalPrediction[]> {
    const main = this.#host.prediction();
    const { serviceId } = this.#host.ref();
    if (!main) return [];
    const key = (one: LocalPrediction) => seriesKey(this.#memory.recall(serviceId, one.id), one);
    const { items } = await this.#host.session().client.listPredictions({ size: LOOKED_AT, signal }, false);
    const isSame = (one: LocalPrediction) =>
      (main.input_series_id !== undefined && one.input_series_id === main.input_series_id) ||
      (key(one) !== undefined && key(one) === key(main));
    return items.filter((one) => one.status === 'COMPLETED' && one.id !== main.id && isSame(one));
  }

  #nameOf(prediction: LocalPrediction): string {
    const { ai_model_id: id = '', prediction_length: length, prediction_series: series } = prediction;
    const known = this.#models.find((model) => model.id === id)?.label;
    const model = known ?? this.#memory.recall(this.#host.ref().serviceId, id)?.label ?? id;
    const steps = series?.length ?? length;
    const span = steps === undefined ? undefined : stepNoun(frequencyOf(prediction), steps);
    return [model, span].filter(Boolean).join(' · ');
  }
}

const frequencyOf = (prediction: LocalPrediction | undefined): Frequency | undefined =>
  prediction?.details?.frequency ? parseDuration(prediction.details.frequency) : undefined;

function lineOf(prediction: LocalPrediction): { times: Float64Array; values: Float64Array } {
  const { forecast } = chartView({ ...prediction, input_series: [] }, { timeZone: 'UTC' });
  return { times: forecast?.times ?? new Float64Array(), values: forecast?.values ?? new Float64Array() };
}
