import * as vscode from 'vscode';
import type { LocalPrediction } from '../../../contract/local.ts';
import type { Source } from '../../connection/memory.ts';
import { forecastTable, type Table, writeForecast } from './export.ts';
import type { ChartView } from '../../../chart/types.ts';
import type { DataExport, ImageExport } from './protocol.ts';
import { nameParts, openUntitled, saveAs, writingOptions } from './save.ts';

/** Makes an Excel workbook of a table. */
export type ToWorkbook = (table: Table) => Promise<Uint8Array>;

export interface Deliverer {
  readonly log: Pick<vscode.LogOutputChannel, 'error'>;
  readonly toWorkbook: ToWorkbook;
}

/** Saves, opens or copies a forecast as the person wants it. */
export async function deliver(
  { log, toWorkbook }: Deliverer,
  chart: ChartView,
  prediction: LocalPrediction,
  source: Source | undefined,
  wanted: { readonly kind: DataExport | ImageExport; readonly data?: Uint8Array },
): Promise<void> {
  const { kind } = wanted;
  const { title } = chart;
  if (kind === 'png' || kind === 'svg') {
    if (wanted.data) await saveAs(log, nameParts(title), kind, wanted.data, source?.uri);
    return;
  }
  if (kind === 'xlsx') {
    await saveAs(
      log,
      nameParts(title),
      kind,
      await toWorkbook(forecastTable(chart, source, writingOptions())),
      source?.uri,
    );
    return;
  }
  const form = kind === 'csv' || kind === 'json' ? kind : 'same';
  const { text, extension, language } = writeForecast(chart, prediction, source, form, writingOptions());
  if (kind === 'copy') {
    await vscode.env.clipboard.writeText(text);
    vscode.window.setStatusBarMessage(vscode.l10n.t('Forecast copied'), 3000);
  } else if (kind === 'untitled') await openUntitled(text, language);
  else await saveAs(log, nameParts(title), extension, new TextEncoder().encode(text), source?.uri);
}
