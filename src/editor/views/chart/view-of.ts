import { chartView } from '../../../chart/chart-view.ts';
import type { ChartView } from '../../../chart/types.ts';
import type { LocalPrediction } from '../../../contract/local.ts';
import type { Memory } from '../../connection/memory.ts';
import { setting } from '../../connection/settings.ts';
import type { KeptFiles } from '../../files/kept-files.ts';
import type { PredictionRef } from './protocol.ts';
import { keptRemark } from './status.ts';

/** Seasonal naive, as the local service calls it. */
const NAIVE = 'seasonal-naive';

/**
 * The chart of a prediction, with what this editor knows of it.
 * @param isCurrent whether the file still holds the series that was forecast
 */
export function viewOf(
  prediction: LocalPrediction,
  { serviceId, predictionId }: PredictionRef,
  { memory, kept }: { readonly memory: Memory; readonly kept: KeptFiles },
  isCurrent: boolean,
): ChartView {
  const note = memory.recall(serviceId, predictionId);
  const chart = chartView(prediction, {
    ...note,
    modelLabel: memory.recall(serviceId, prediction.ai_model_id ?? '')?.label,
    naiveModel: serviceId === 'local' ? NAIVE : undefined,
    timeZone: setting('timeZone'),
    fileZone: note?.source?.timeZone,
  });
  // an old one that is looked at again is not the one that follows the file
  const remark = isCurrent ? keptRemark(kept, note?.source) : undefined;
  return remark ? { ...chart, remarks: [remark, ...(chart.remarks ?? [])] } : chart;
}
