import { PointQuantiles, type LocalPrediction } from '../../contract/local.ts';
import type { Bounds } from '../../contract/requests.ts';
import type { OutgoingPoint } from '../../reading/points.ts';

/** What was asked for to make a prediction, as far as it tells. */
export interface Asked {
  readonly ai_model_id?: string;
  readonly prediction_length?: number;
  readonly quantile_levels?: readonly number[];
  readonly bounds?: Bounds;
  readonly name?: string;
  readonly series: readonly OutgoingPoint[];
}

export function askedOf(prediction: LocalPrediction): Asked {
  const { bounds } = prediction.details ?? {};
  const { input_series = [], ai_model_id, prediction_length, prediction_series, name } = prediction;
  const length = prediction_length ?? prediction_series?.length;
  const quantiles = PointQuantiles.safeParse(prediction_series?.[0]?.metadata).data?.quantiles ?? {};
  const levels = Object.keys(quantiles).map(Number).sort((a, b) => a - b); // prettier-ignore
  return {
    ...(ai_model_id === undefined ? {} : { ai_model_id }),
    ...(length === undefined ? {} : { prediction_length: length }),
    ...(levels.length > 0 ? { quantile_levels: levels } : {}),
    ...(bounds ? { bounds } : {}),
    ...(name === undefined ? {} : { name }),
    series: input_series.map(({ timestamp, value, metadata }) => ({
      timestamp,
      value: value ?? null,
      ...(metadata ? { metadata } : {}),
    })),
  };
}
