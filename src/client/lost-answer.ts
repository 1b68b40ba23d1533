import type { LocalFineTunedModel, LocalPrediction } from '../contract/local.ts';
import type { CreateFineTunedModel, LocalCreatePrediction } from '../contract/requests.ts';
import type { SeriesPoint } from '../contract/resources.ts';
import { parseTimestamp } from '../calendar/timestamp.ts';

/** Whether what was sent and what the service tells contradict each other; what is not told contradicts nothing. */
const isOther = (sent: unknown, told: unknown): boolean => sent != null && told !== undefined && sent !== told;

/** Whether a prediction of the list can be what this request has made whose answer was lost. */
export function isPredictionOf(request: LocalCreatePrediction, item: LocalPrediction): boolean {
  if (isOther(request.ai_model_id, item.ai_model_id) || isOther(request.name, item.name)) return false;
  if (isOther(request.prediction_length, item.prediction_length)) return false;
  if (request.series_id) return item.input_series_id === request.series_id;
  return sameSeries(request.series ?? [], item.input_series ?? []);
}

/** As {@link isPredictionOf}, for a fine-tuned model. */
export function isModelOf(
  request: CreateFineTunedModel & { readonly name?: string | undefined },
  item: LocalFineTunedModel,
): boolean {
  return !isOther(request.name, item.name) && !isOther(request.base_model, item.base_model);
}

function sameSeries(sent: NonNullable<LocalCreatePrediction['series']>, stored: readonly SeriesPoint[]): boolean {
  return (
    sent.length > 0 &&
    sent.length === stored.length &&
    sent.every(({ timestamp, value }, index) => {
      const other = stored[index];
      return parseTimestamp(timestamp) === parseTimestamp(other.timestamp) && (value ?? undefined) === other.value;
    })
  );
}
