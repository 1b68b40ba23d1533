import { isPending } from '../contract/operation.ts';
import type { LocalPrediction } from '../contract/local.ts';
import type { SeriesPoint } from '../contract/resources.ts';

/** Of more predictions at once, as where many series go one by one, the service sends the series back. */
const MOST_SENT = 20;
/** What ended does not change: within so many milliseconds it is not read again. */
const FRESH = 60_000;
/** Predictions that have ended and are kept, and the points of their series. */
const MOST_ENDED = { predictions: 20, points: 500_000 };

type Points = readonly { readonly timestamp: string; readonly value?: unknown; readonly metadata?: unknown }[];

/** What need not be read again: the series that were sent for predictions that have not ended, and what was just read. */
export class KnownPredictions {
  readonly #sent = new Map<string, SeriesPoint[]>();
  readonly #ended = new Map<string, { readonly at: number; readonly prediction: LocalPrediction }>();

  hasSeriesOf(id: string): boolean {
    return this.#sent.has(id);
  }

  /** The prediction with the series that was sent for it, where its service has left that out. */
  made(prediction: LocalPrediction, sent: Points): LocalPrediction {
    if (prediction.input_series) return prediction;
    this.#sent.set(prediction.id, sent.map(asAnswered));
    const [oldest] = this.#sent.keys();
    if (this.#sent.size > MOST_SENT) this.#sent.delete(oldest);
    return this.whole(prediction);
  }

  /** As {@link made}, of one that is read again. */
  whole(prediction: LocalPrediction): LocalPrediction {
    const { id, status, input_series } = prediction;
    const sent = this.#sent.get(id);
    if (!isPending(status)) this.#sent.delete(id);
    return sent && !input_series ? { ...prediction, input_series: sent } : prediction;
  }

  /** One that ended and was just read with its series. */
  recent(id: string): LocalPrediction | undefined {
    const ended = this.#ended.get(id);
    return ended && performance.now() - ended.at < FRESH ? ended.prediction : undefined;
  }

  read(prediction: LocalPrediction): void {
    const { id, status, input_series, prediction_series } = prediction;
    if (status !== 'COMPLETED' || !input_series || !prediction_series) return;
    this.#ended.delete(id);
    this.#ended.set(id, { at: performance.now(), prediction });
    const points = () => [...this.#ended.values()].reduce((sum, one) => sum + one.prediction.input_series!.length, 0);
    for (const oldest of this.#ended.keys())
      if (this.#ended.size > MOST_ENDED.predictions || points() > MOST_ENDED.points) this.#ended.delete(oldest);
  }

  delete(id: string): void {
    this.#ended.delete(id);
  }
}

/** A point as a service answers it: `null` is the same as absent. */
const asAnswered = ({ timestamp, value, metadata }: Points[number]): SeriesPoint => ({
  timestamp,
  value: typeof value === 'number' ? value : undefined,
  ...(metadata ? { metadata: metadata as Record<string, unknown> } : {}),
});
