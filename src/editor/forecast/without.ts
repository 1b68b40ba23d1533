import * as vscode from 'vscode';
import { parseTimestamp } from '../../calendar/timestamp.ts';
import type { LocalPrediction } from '../../contract/local.ts';
import type { App } from '../app.ts';
import { showFailure } from '../ui/failure.ts';
import { withPatience } from '../ui/progress.ts';
import type { PredictionRef } from '../views/chart/protocol.ts';
import { makeForecast, noteOf } from './forecaster.ts';

/** Makes a forecast again without the observations at these times; its chart takes the place of the one before. */
export async function forecastWithout(
  app: App,
  ref: PredictionRef,
  prediction: LocalPrediction,
  times: ReadonlySet<number>,
): Promise<void> {
  const series = (prediction.input_series ?? []).map(({ value, ...point }) => ({
    ...point,
    value: times.has(parseTimestamp(point.timestamp)) ? null : (value ?? null),
  }));
  const text =
    times.size === 1
      ? vscode.l10n.t('1 odd observation was taken as missing')
      : vscode.l10n.t('{0} odd observations were taken as missing', times.size);
  const remark = { kind: 'missing' as const, rows: times.size, text, lines: [] };
  const source = { kind: 'prediction', ref, prediction, series, remark } as const;
  try {
    await withPatience(vscode.l10n.t('Forecasting {0}', noteOf(app, ref).label), (signal) =>
      makeForecast(app, { source, change: { isAnew: true }, show: { opened: 0, former: ref } }, signal),
    );
  } catch (error) {
    await showFailure(app, error);
  }
}
