import * as vscode from 'vscode';
import { nameParts, saveAs, writingOptions } from '../views/chart/save.ts';
import type { DocumentFormat } from '../../reading/types.ts';
import type { App } from '../app.ts';
import { showFailure } from '../ui/failure.ts';
import type { ForecastSet } from './forecasts.ts';
import { withPatience } from '../ui/progress.ts';

/** The format of forecasts whose file is not known. */
const PLAIN: DocumentFormat = {
  kind: 'csv',
  encoding: 'utf-8',
  delimiter: ',',
  decimal: '.',
  header: true,
  skippedLines: 0,
};

/** Saves all forecasts of a set in one file: CSV in the shape of its file, JSON, or an Excel workbook. */
export async function saveAll(
  app: App,
  set: Pick<ForecastSet, 'label' | 'source' | 'forecasts'>,
  kind: 'csv' | 'json' | 'xlsx',
): Promise<void> {
  try {
    const own = set.source?.members ? PLAIN : (set.source?.format ?? PLAIN);
    const { dateFormat, encoding } = own;
    const other: DocumentFormat = {
      ...PLAIN,
      kind: kind === 'json' ? kind : 'csv',
      encoding,
      ...(dateFormat ? { dateFormat } : {}),
    };
    const isWorkbook = kind === 'xlsx';
    const format = isWorkbook || own.kind === kind ? own : other;
    const bytes = await withPatience(vscode.l10n.t('Writing the forecasts of {0}', set.label), async () =>
      app.reader.write(await set.forecasts(writingOptions()), format, isWorkbook),
    );
    const beside = set.source?.members ? undefined : set.source?.uri;
    await saveAs(app.log, nameParts(set.label), kind, bytes, beside);
  } catch (error) {
    await showFailure(app, error);
  }
}
