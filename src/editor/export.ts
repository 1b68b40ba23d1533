import * as vscode from 'vscode';
import type { App } from './app.ts';
import { saveForecastFile } from './forecast-file/file.ts';
import { alone, pickOne } from './ui/steps.ts';
import type { PredictionRef } from './views/chart/protocol.ts';
import { LANGUAGES } from './forecast/request-code.ts';
import { copyRequest, saveWorkbook } from './forecast/take-out.ts';

/** What a forecast can be taken out as. */
const FORMS = ['xlsx', 'file', ...LANGUAGES] as const;
export type Form = (typeof FORMS)[number];

const WORDS: Readonly<Record<Form, () => readonly [label: string, description: string]>> = {
  xlsx: () => [vscode.l10n.t('Excel Workbook…'), '.xlsx'],
  file: () => [vscode.l10n.t('Forecast File…'), '.forecast.json'],
  curl: () => ['curl', vscode.l10n.t('its request, copied')],
  python: () => [vscode.l10n.t('Python (requests)'), vscode.l10n.t('its request, copied')],
  typescript: () => ['TypeScript (fetch)', vscode.l10n.t('its request, copied')],
};

/** The form that a button names. */
export const asOf = (argument: unknown): Form | undefined =>
  typeof argument === 'object' && argument !== null && 'as' in argument
    ? FORMS.find((form) => form === argument.as)
    : undefined;

/** Saves a forecast, or copies its request as code, as the person chooses. @throws Cancelled, ServiceError */
export async function exportForecast(app: App, ref: PredictionRef, as?: Form): Promise<void> {
  const items = FORMS.map((form) => {
    const [label, description] = WORDS[form]();
    return { label, description, form };
  });
  const placeholder = vscode.l10n.t('As what?');
  const form = as ?? (await pickOne({ place: alone(vscode.l10n.t('Export Forecast')), placeholder, items })).form;
  if (form === 'xlsx') await saveWorkbook(app, ref);
  else if (form === 'file') await saveForecastFile(app, ref);
  else await copyRequest(app, ref, form);
}
