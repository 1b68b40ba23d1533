import type { LocalPrediction } from '../contract/local.ts';
import type { SeriesPoint } from '../contract/resources.ts';
import { isPending } from '../contract/operation.ts';

/** Of more predictions at once, as where many series go one by one, the service sends the series back. */
const MOST_HELD = 20;

type Points = readonly { readonly timestamp: string; readonly value?: unknown; readonly metadata?: unknown }[];

/** The series that predictions were just asked for with, until those have ended: what was sent need not be read back. */
export class SentSeries {
  readonly #held = new Map<string, SeriesPoint[]>();

  has(id: string): boolean {
    return this.#held.has(id);
  }

  /** The prediction with the series that was sent for it, where its service has left that out. */
  made(prediction: LocalPrediction, sent: Points): LocalPrediction {
    if (prediction.input_series) return prediction;
    this.#held.set(prediction.id, sent.map(asAnswered));
    for (const oldest of this.#held.keys()) if (this.#held.size > MOST_HELD) this.#held.delete(oldest);
    return this.whole(prediction);
  }

  /** As {@link made}, of one that is read again. */
  whole(prediction: LocalPrediction): LocalPrediction {
    const { id, status, input_series } = prediction;
    const sent = this.#held.get(id);
    if (!isPending(status)) this.#held.delete(id);
    return sent && !input_series ? { ...prediction, input_series: sent } : prediction;
  }
}

/** A point as a service answers it: `null` is the same as absent. */
const asAnswered = ({ timestamp, value, metadata }: Points[number]): SeriesPoint => ({
  timestamp,
  value: typeof value === 'number' ? value : undefined,
  ...(metadata ? { metadata: metadata as Record<string, unknown> } : {}),
});
