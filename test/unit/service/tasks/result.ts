import type { ForecastDetails, SeriesPoint } from '../../../../src/contract/resources.ts';
import { type ForecastTask, predict } from '../../../../src/service/tasks/predict.ts';

/** What comes of a forecast, read again as it is stored. */
export function resultOf(task: ForecastTask): { series: SeriesPoint[]; details: ForecastDetails } {
  const { stored, details } = predict(task, () => undefined);
  return { series: JSON.parse(stored.points) as SeriesPoint[], details: JSON.parse(details) as ForecastDetails };
}
