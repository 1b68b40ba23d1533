import * as vscode from 'vscode';
import { chartView } from '../../../chart/chart-view.ts';
import { type Action, CHANGE_STEPS, type ChartView, SHOW_READING } from '../../../chart/types.ts';
import type { LocalPrediction } from '../../../contract/local.ts';
import type { Memory, Source } from '../../connection/memory.ts';
import { setting } from '../../connection/settings.ts';
import type { KeptFiles } from '../../files/kept-files.ts';
import type { PredictionRef } from './protocol.ts';
import { keptRemark } from './status.ts';

/** Seasonal naive, as the local service calls it. */
const NAIVE = 'seasonal-naive';

/** The commands that the menu of a chart has, by the ids of {@link MENU_COMMANDS}. */
function menuOf({ forecast }: ChartView, source: Source | undefined, kept: KeptFiles): Action[] {
  const isOfFile = source?.uri !== undefined && source.isPart !== true;
  const keep = kept.has(source?.uri) ? vscode.l10n.t('Stop Keeping Up to Date') : vscode.l10n.t('Keep Up to Date');
  return [
    ...(forecast && isOfFile ? [{ id: 'insert', label: vscode.l10n.t('Insert Forecast into File') }] : []),
    ...(forecast ? [{ id: 'request', label: vscode.l10n.t('More Ways to Export…') }] : []),
    { id: 'forecast-again', label: vscode.l10n.t('Forecast Again') },
    ...(isOfFile ? [{ id: 'keep', label: keep }] : []),
    { id: 'rename', label: vscode.l10n.t('Rename…') },
    { id: 'pin', label: vscode.l10n.t('Pin or Unpin') },
    { id: 'copy-id', label: vscode.l10n.t('Copy ID') },
  ];
}

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
  const reading = note?.source?.uri === undefined ? {} : { reading: showReading() };
  // an old one that is looked at again is not the one that follows the file
  const remark = isCurrent ? keptRemark(kept, note?.source) : undefined;
  return {
    ...chart,
    menu: menuOf(chart, note?.source, kept),
    ...(note?.source && !chart.rows ? { change: { id: CHANGE_STEPS, label: vscode.l10n.t('Change Steps…') } } : {}),
    ...reading,
    ...(remark ? { remarks: [remark, ...(chart.remarks ?? [])] } : {}),
  };
}

/** The link of a chart to how its file is read. */
export const showReading = (): Action => ({ id: SHOW_READING, label: vscode.l10n.t('How It Is Read') });
