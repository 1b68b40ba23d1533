import * as vscode from 'vscode';
import { formatInstant } from '../../../calendar/format.ts';
import { parseDuration } from '../../../calendar/duration.ts';
import type { Frequency } from '../../../calendar/frequency.ts';
import { stepNoun } from '../../../calendar/words.ts';
import { zoneOf } from '../../../calendar/zone.ts';
import { chartView } from '../../../chart/chart-view.ts';
import type { Points } from '../../../chart/types.ts';
import type { LocalPrediction } from '../../../contract/local.ts';
import type { Memory, Note } from '../../connection/memory.ts';
import type { ModelChoice } from '../analysis/controls.ts';
import { type Compared, comparedTable } from '../analysis/save-compared.ts';
import { nameParts, saveAs } from './save.ts';
import { seriesKey } from './status.ts';
import type { PredictionRef } from './protocol.ts';
import type { Session } from '../../connection/connection.ts';

/** Predictions among which others of the same series are looked for. */
const LOOKED_AT = 50;

/** The chart whose series it is. */
export interface SeriesHost {
  readonly ref: () => PredictionRef;
  readonly prediction: () => LocalPrediction | undefined;
  readonly session: () => Session;
}

/** The predictions of the series of a chart. */
export class SameSeries {
  readonly #host: SeriesHost;
  readonly #memory: Memory;
  readonly #models: () => readonly ModelChoice[];

  constructor(host: SeriesHost, memory: Memory, models: () => readonly ModelChoice[]) {
    this.#host = host;
    this.#memory = memory;
    this.#models = models;
  }

  noteOf(id: string): Note | undefined {
    return this.#memory.recall(this.#host.ref().serviceId, id);
  }

  /** Whether the forecast is made again from its file; one of a part of it, and a scenario, from what was sent. */
  isOfFile(): boolean {
    const { source, scenario } = this.noteOf(this.#host.ref().predictionId) ?? {};
    return source?.uri !== undefined && !source.isPart && scenario === undefined;
  }

  /** Whether both were made of the same series of one file. */
  areOfOneFile(a: PredictionRef, b: PredictionRef): boolean {
    const [one, other] = [a, b].map(
      ({ serviceId, predictionId }) => this.#memory.recall(serviceId, predictionId)?.source,
    );
    return one?.uri !== undefined && one.uri === other?.uri && one.id === other.id;
  }

  async others(signal: AbortSignal): Promise<LocalPrediction[]> {
    const main = this.#host.prediction();
    if (!main) return [];
    const key = (one: LocalPrediction) => seriesKey(this.noteOf(one.id), one);
    const { items } = await this.#host.session().client.listPredictions({ size: LOOKED_AT, signal }, false);
    const isSame = (one: LocalPrediction) =>
      (main.input_series_id !== undefined && one.input_series_id === main.input_series_id) ||
      (key(one) !== undefined && key(one) === key(main));
    return items.filter((one) => one.status === 'COMPLETED' && one.id !== main.id && isSame(one));
  }

  /** The scenario, or the model and how far it goes. */
  nameOf(prediction: LocalPrediction): string {
    const { scenario } = this.noteOf(prediction.id) ?? {};
    if (scenario !== undefined) return scenario;
    const { ai_model_id: id = '', prediction_length: length, prediction_series: series } = prediction;
    const known = this.#models().find((model) => model.id === id)?.label;
    const model = known ?? this.noteOf(id)?.label ?? id;
    const steps = series?.length ?? length;
    const span = steps === undefined ? undefined : stepNoun(frequencyOf(prediction), steps);
    return [model, span].filter(Boolean).join(' · ');
  }

  /** A moment of the series in words. */
  at(time: number): string {
    const zone = zoneOf(this.noteOf(this.#host.ref().predictionId)?.source?.timeZone ?? 'UTC');
    return formatInstant(time, frequencyOf(this.#host.prediction()), zone);
  }

  /** Saves forecasts beside each other as one file. */
  async save(log: Pick<vscode.LogOutputChannel, 'error'>, compared: readonly Compared[]): Promise<void> {
    const { label, source } = this.noteOf(this.#host.ref().predictionId) ?? { label: compared[0].label };
    const bytes = new TextEncoder().encode(comparedTable(compared));
    await saveAs(log, [...nameParts(label), vscode.l10n.t('compared')], 'csv', bytes, source?.uri);
  }
}

export const frequencyOf = (prediction: LocalPrediction | undefined): Frequency | undefined =>
  prediction?.details?.frequency ? parseDuration(prediction.details.frequency) : undefined;

export function lineOf(prediction: LocalPrediction): Points {
  const { forecast } = chartView({ ...prediction, input_series: [] }, { timeZone: 'UTC' });
  return { times: forecast?.times ?? new Float64Array(), values: forecast?.values ?? new Float64Array() };
}
