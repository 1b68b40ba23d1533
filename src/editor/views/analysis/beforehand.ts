import { takesCovariates } from '../../../client/fit.ts';
import type { Capabilities } from '../../../client/capabilities.ts';
import type { LocalPrediction } from '../../../contract/local.ts';
import { lastPoints } from '../../../reading/last-points.ts';
import { toPoints } from '../../../reading/points.ts';
import type { ReadSeries } from '../../../reading/types.ts';
import type { Session } from '../../connection/connection.ts';
import { Latest } from '../shared/latest.ts';
import { changedAhead, columnsOf, columnsView } from './columns.ts';
import type { ChartControls, Supposed } from './protocol.ts';

/** What is known beforehand of the series of a chart, in its file and in its forecast. */
export class Beforehand {
  readonly #testing = new Latest();
  #series: ReadSeries | undefined;
  #tests: ReadonlyMap<string, boolean> | undefined;

  /** The forecast of another series is shown; of its file nothing is known yet, and no column of it was tested. */
  turn(): void {
    this.#testing.end();
    this.#series = undefined;
    this.#tests = undefined;
  }

  /** The file was read. */
  came(series: ReadSeries): void {
    this.#series = series;
  }

  get hasColumns(): boolean {
    return this.#series?.beside !== undefined;
  }

  /**
   * What the service in use lets be changed.
   * @param isOfFile whether it is forecast again from its file, so that further columns of that can be taken
   */
  controls(
    prediction: LocalPrediction,
    offers: Capabilities,
    isOfFile: boolean,
  ): Pick<ChartControls, 'columns' | 'canSuppose'> {
    if (!takesCovariates(offers, 'createPrediction')) return {};
    const columns = columnsView(
      prediction,
      isOfFile ? this.#series : undefined,
      this.#tests,
      offers.has('testCovariates'),
    );
    return columns ? { columns, canSuppose: true } : {};
  }

  /** Finds out which columns help. @throws ServiceError */
  async test({ client }: Session, prediction: LocalPrediction): Promise<void> {
    const series = this.#series;
    if (!series) return;
    const names = columnsOf([series]).map(({ name }) => name);
    const { ai_model_id: model } = prediction;
    const request = { series: toPoints(lastPoints(series), names), ...(model ? { ai_model_id: model } : {}) };
    const signal = this.#testing.begin();
    const { covariates } = await client.testCovariates(request, signal);
    if (!signal.aborted) this.#tests = new Map(covariates.map(({ name, helps }) => [name, helps]));
  }

  /** Where the file says another future now than the forecast was given. */
  changed(prediction: LocalPrediction): readonly Supposed[] {
    return this.#series ? changedAhead(prediction, this.#series) : [];
  }

  dispose(): void {
    this.#testing.end();
  }
}
