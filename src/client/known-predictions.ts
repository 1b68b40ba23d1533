import type { LocalPrediction } from '../contract/resources.ts';

const FRESH = 60_000;
const MOST = { predictions: 20, points: 500_000 };

type Points = readonly { readonly timestamp: string; readonly value?: unknown; readonly metadata?: unknown }[];

/** Predictions with their series, so that nothing that was just sent or read is read again. */
export class KnownPredictions extends Map<string, { readonly at: number; readonly prediction: LocalPrediction }> {
  /** The prediction with its series, where the service has left that out. @param sent the series that was sent for it */
  keep(prediction: LocalPrediction, sent?: Points): LocalPrediction {
    const { id } = prediction;
    const input_series = prediction.input_series ?? sent?.map(asAnswered) ?? this.get(id)?.prediction.input_series;
    if (!input_series) return prediction;
    const whole = { ...prediction, input_series };
    this.delete(id);
    this.set(id, { at: performance.now(), prediction: whole });
    const points = () => [...this.values()].reduce((sum, one) => sum + one.prediction.input_series!.length, 0);
    for (const oldest of this.keys()) if (this.size > MOST.predictions || points() > MOST.points) this.delete(oldest);
    return whole;
  }

  recent(id: string): LocalPrediction | undefined {
    const { at = 0, prediction } = this.get(id) ?? {};
    const hasEnded = prediction?.status === 'COMPLETED' && prediction.prediction_series !== undefined;
    return hasEnded && performance.now() - at < FRESH ? prediction : undefined;
  }
}

/** A point as a service answers it: `null` is the same as absent. */
const asAnswered = ({ timestamp, value, metadata }: Points[number]) => ({
  timestamp,
  value: typeof value === 'number' ? value : undefined,
  ...(metadata ? { metadata: metadata as Record<string, unknown> } : {}),
});
