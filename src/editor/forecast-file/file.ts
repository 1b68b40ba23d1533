import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { parseTimestamp } from '../../calendar/timestamp.ts';
import { FORECAST_ENDING, FORECAST_FILE, ForecastFile } from '../../contract/forecast-file.ts';
import { PointQuantiles, type LocalPrediction } from '../../contract/local.ts';
import type { App } from '../app.ts';
import type { Note } from '../connection/memory.ts';
import { MessageError } from '../ui/failure.ts';
import { LANGUAGES } from '../forecast/request-code.ts';
import { askedOf, copyRequest, readStored, saveWorkbook } from '../forecast/take-out.ts';
import { alone, pickOne } from '../ui/steps.ts';
import { nameParts, saveAs } from '../views/chart/export.ts';
import type { PredictionRef } from '../views/chart/protocol.ts';

/** A file that holds no forecast. The message is a sentence for the person. */
export class ForecastFileError extends MessageError {
  override readonly name = 'ForecastFileError';
}

/** What a prediction and what is known of it say, as a file. */
export function fileOf(prediction: LocalPrediction, note: Note | undefined): ForecastFile {
  const { ai_model_id, created_at, details, prediction_series } = prediction;
  const { name: _, ...request } = askedOf(prediction);
  const zone = note?.source?.timeZone;
  return {
    name: (note?.label ?? prediction.name ?? prediction.id).replace(FORECAST_FILE, ''),
    ...(note?.valueLabel === undefined ? {} : { value_name: note.valueLabel }),
    ...(zone === undefined ? {} : { time_zone: zone }),
    request: request as ForecastFile['request'],
    prediction: { ai_model_id, created_at, details, prediction_series },
  };
}

/** Saves a forecast as a file that opens as its chart, with what was asked for. @throws ServiceError, Cancelled */
export async function saveForecastFile(app: App, ref: PredictionRef): Promise<void> {
  const { prediction, note, label } = await readStored(app, ref);
  const bytes = new TextEncoder().encode(forecastFileText(fileOf(prediction, note)));
  await saveAs(app.log, { parts: nameParts(label), extension: FORECAST_ENDING }, bytes, note?.source?.uri);
}

/** @throws ForecastFileError */
export function readForecastFile(text: string, fileName: string): ForecastFile {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new ForecastFileError(vscode.l10n.t('{0} is not valid JSON: {1}', fileName, (error as Error).message));
  }
  const parsed = z.safeParse(ForecastFile, value);
  if (parsed.success) return parsed.data;
  const [{ path }] = parsed.error.issues;
  const where = path.map(String).join('.');
  const there = path.reduce<unknown>((inner, key) => (inner as Record<PropertyKey, unknown> | undefined)?.[key], value);
  throw new ForecastFileError(
    where === ''
      ? vscode.l10n.t('{0} is not a forecast: it must be an object with a “request”.', fileName)
      : there === undefined
        ? vscode.l10n.t('{0} is not a forecast: “{1}” is missing.', fileName, where)
        : vscode.l10n.t(
            '{0} is not a forecast: “{1}” is not valid. Open it as JSON to see its problems.',
            fileName,
            where,
          ),
  );
}

/** Lists of points have a line for each, so that a difference shows which have changed. */
const LISTS = new Set(['series', 'prediction_series']);

/** The text of a file, with a line for each point. */
export const forecastFileText = (file: ForecastFile): string => `${jsonOf(file, '', '')}\n`;

function jsonOf(value: unknown, indent: string, key: string): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null);
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]';
    if (LISTS.has(key)) return `[\n${value.map((one) => inner + JSON.stringify(one)).join(',\n')}\n${indent}]`;
    const isPlain = value.every((one) => typeof one !== 'object');
    const items = value.map((one) => jsonOf(one, inner, ''));
    return isPlain ? `[${items.join(', ')}]` : `[\n${items.map((item) => inner + item).join(',\n')}\n${indent}]`;
  }
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  if (fields.length === 0) return '{}';
  const lines = fields.map(([name, field]) => `${inner}${JSON.stringify(name)}: ${jsonOf(field, inner, name)}`);
  return `{\n${lines.join(',\n')}\n${indent}}`;
}

/** The prediction that a file holds; of one that was not made yet only its series. */
export const predictionOf = ({ name, request, prediction }: ForecastFile): LocalPrediction => ({
  id: name,
  name,
  status: prediction?.prediction_series ? 'COMPLETED' : 'PLOTTED',
  input_series: request.series,
  ...(request.prediction_length === undefined ? {} : { prediction_length: request.prediction_length }),
  ...prediction,
});

type Made = Pick<LocalPrediction, 'prediction_series'>;

/** Smaller differences are those of another machine’s arithmetic. */
const SAME = 1e-9;

/** How a forecast that was made again differs from the one before: not at all, in some steps, or in its very times. */
export type Difference =
  | { readonly kind: 'none' }
  | { readonly kind: 'times' }
  | { readonly kind: 'values'; readonly steps: number; readonly of: number; readonly most: number };

/** @returns `most` as a share of the value before */
export function differenceOf(
  { prediction_series: before = [] }: Made,
  { prediction_series: now = [] }: Made,
): Difference {
  const isSameTime = (step: number) => parseTimestamp(before[step].timestamp) === parseTimestamp(now[step].timestamp);
  if (before.length !== now.length || !before.every((_, step) => isSameTime(step))) return { kind: 'times' };
  const shares = before.map((point, step) => {
    const [a, b] = [numbersOf(point), numbersOf(now[step])];
    const names = new Set([...Object.keys(a), ...Object.keys(b)]);
    return Math.max(0, ...[...names].map((name) => shareOf(a[name], b[name])));
  });
  const steps = shares.filter((share) => share > SAME).length;
  if (steps === 0) return { kind: 'none' };
  return { kind: 'values', steps, of: before.length, most: Math.max(...shares) };
}

function numbersOf({
  value,
  metadata,
}: NonNullable<Made['prediction_series']>[number]): Partial<Record<string, number>> {
  const parsed = PointQuantiles.safeParse(metadata);
  return { value, ...(parsed.success ? parsed.data.quantiles : {}) };
}

const shareOf = (before: number | undefined, now: number | undefined): number => {
  if (before === now) return 0;
  if (before === undefined || now === undefined) return 1;
  return Math.abs(now - before) / (Math.abs(before) || Math.abs(now));
};

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
export const formOf = (argument: unknown): Form | undefined =>
  typeof argument === 'object' && argument !== null && 'as' in argument
    ? FORMS.find((form) => form === argument.as)
    : undefined;

/** Saves a forecast, or copies its request as code, as the person chooses. @throws Cancelled, ServiceError */
export async function exportForecast(app: App, ref: PredictionRef, as?: Form): Promise<void> {
  const items = FORMS.map((form) => {
    const [label, description] = WORDS[form]();
    return { label, description, form };
  });
  const placeholder = vscode.l10n.t('Choose a format');
  const form = as ?? (await pickOne({ place: alone(vscode.l10n.t('Export Forecast')), placeholder, items })).form;
  if (form === 'xlsx') await saveWorkbook(app, ref);
  else if (form === 'file') await saveForecastFile(app, ref);
  else await copyRequest(app, ref, form);
}
