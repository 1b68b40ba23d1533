import type { LocalPrediction } from '../contract/local.ts';

/** What ended does not change: within so many milliseconds it is not read again. */
const FRESH = 60_000;
/** Predictions that are held, and their points. */
const MOST = { predictions: 20, points: 500_000 };

/** Predictions that have ended and were just read with their series. */
export class RecentPredictions {
  readonly #held = new Map<string, { readonly at: number; readonly prediction: LocalPrediction }>();

  get(id: string): LocalPrediction | undefined {
    const held = this.#held.get(id);
    return held && performance.now() - held.at < FRESH ? held.prediction : undefined;
  }

  add(prediction: LocalPrediction): void {
    const { id, status, input_series, prediction_series } = prediction;
    if (status !== 'COMPLETED' || !input_series || !prediction_series) return;
    this.#held.delete(id);
    this.#held.set(id, { at: performance.now(), prediction });
    let points = 0;
    for (const [at, [known, { prediction: one }]] of [...this.#held].reverse().entries()) {
      points += one.input_series?.length ?? 0;
      if (at > 0 && (at >= MOST.predictions || points > MOST.points)) this.#held.delete(known);
    }
  }

  delete(id: string): void {
    this.#held.delete(id);
  }
}
