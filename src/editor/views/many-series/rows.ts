import * as vscode from 'vscode';
import type { LocalPrediction } from '../../../contract/local.ts';
import { sketchOf } from '../../../contract/sketch.ts';
import type { LevelRow, SeriesRow } from './protocol.ts';

/** The errors of each level where the forecasts add up. */
export function levelsOf(predictions: readonly LocalPrediction[]): readonly LevelRow[] | undefined {
  const totals = predictions.find(({ details }) => details?.totals)?.details?.totals;
  return totals?.levels.map(({ series, mase, mase_alone: alone }) => ({ series, together: mase, alone }));
}

/** A prediction as a row of the list. Where its service sends no sketch, it is made of its series if they are there. */
export function rowOf(prediction: LocalPrediction): SeriesRow {
  const { id, name, ai_model_id: model, status, error, details, input_series, prediction_series } = prediction;
  const row = { id, name: name ?? id, model };
  if (status === 'FAILED') {
    const why = error ?? vscode.l10n.t('without a reason');
    return { ...row, state: vscode.l10n.t('failed: {0}', why), hasFailed: true };
  }
  if (status !== 'COMPLETED') return { ...row, state: status.toLowerCase().replaceAll('_', ' ') };
  const sketch =
    prediction.sketch ?? (input_series && prediction_series ? sketchOf(input_series, prediction_series) : undefined);
  const { smape, skill, coverage80 } = details?.backtest ?? {};
  return {
    ...row,
    ...(sketch ?? {}),
    last: sketch?.past.findLast((value) => value !== null) ?? undefined,
    next: sketch?.ahead[0] ?? undefined,
    error: smape,
    skill,
    held: coverage80,
  };
}
