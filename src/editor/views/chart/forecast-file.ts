import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { inSignificant } from '../../../calendar/digits.ts';
import { parseTimestamp } from '../../../calendar/timestamp.ts';
import { FORECAST_FILE, ForecastFile } from '../../../contract/forecast-file.ts';
import { type LocalPrediction, PointQuantiles } from '../../../contract/resources.ts';
import type { Note } from '../../connection/memory.ts';
import { MessageError } from '../../ui/say.ts';
import { quantileLevels } from './controls.ts';

export function requestOf(prediction: LocalPrediction) {
  const { input_series = [], ai_model_id, prediction_length, prediction_series, details } = prediction;
  const levels = quantileLevels(prediction);
  return {
    ai_model_id,
    prediction_length: prediction_length ?? prediction_series?.length,
    quantile_levels: levels.length > 0 ? levels : undefined,
    bounds: details?.bounds,
    series: input_series.map(({ timestamp, value, metadata }) => ({
      timestamp,
      value: value ?? null,
      ...(metadata ? { metadata } : {}),
    })),
  };
}

export const resultOf = ({ ai_model_id, created_at, details, prediction_series }: LocalPrediction) => ({
  ai_model_id,
  created_at,
  details,
  prediction_series,
});

export const forecastFileOf = (prediction: LocalPrediction, note: Note | undefined): ForecastFile => ({
  name: (note?.label ?? prediction.name ?? prediction.id).replace(FORECAST_FILE, ''),
  value_name: note?.valueLabel,
  time_zone: note?.source?.timeZone,
  request: requestOf(prediction) as ForecastFile['request'],
  prediction: resultOf(prediction),
});

/** @throws MessageError */
export function readForecastFile(text: string, fileName: string): ForecastFile {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new MessageError(vscode.l10n.t('{0} is not valid JSON: {1}', fileName, (error as Error).message));
  }
  const parsed = z.safeParse(ForecastFile, value);
  if (parsed.success) return parsed.data;
  const where = parsed.error.issues[0].path.map(String).join('.') || 'request';
  const sentence = vscode.l10n.t(
    '{0} is not a forecast: “{1}” is missing or not valid. Open it as JSON to see its problems.',
    fileName,
    where,
  );
  throw new MessageError(sentence);
}

/** Lists with a line for each point, so that a diff shows which ones changed. */
const LISTS = new Set(['series', 'prediction_series']);

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

/** The prediction of a file; only its series if it was not run yet. */
export const predictionOf = ({ name, request, prediction }: ForecastFile): LocalPrediction => ({
  id: name,
  name,
  status: prediction?.prediction_series ? 'COMPLETED' : 'PLOTTED',
  input_series: request.series,
  ...(request.prediction_length === undefined ? {} : { prediction_length: request.prediction_length }),
  ...prediction,
});

type Made = NonNullable<LocalPrediction['prediction_series']>;

/** Smaller differences come from the arithmetic of another machine. */
const SAME = 1e-9;

export function differenceOf(name: string, before: Made, now: Made): { isSame: boolean; sentence: string } {
  const isSameTime = (step: number) => parseTimestamp(before[step].timestamp) === parseTimestamp(now[step].timestamp);
  if (before.length !== now.length || !before.every((_, step) => isSameTime(step)))
    return { isSame: false, sentence: vscode.l10n.t('The forecast of {0} has different steps now.', name) };
  const shares = before.map((point, step) => {
    const [a, b] = [numbersOf(point), numbersOf(now[step])];
    const names = new Set([...Object.keys(a), ...Object.keys(b)]);
    return Math.max(0, ...[...names].map((quantile) => shareOf(a[quantile], b[quantile])));
  });
  const steps = shares.filter((share) => share > SAME).length;
  const most = inSignificant(Math.max(...shares) * 100, 2);
  const sentence =
    steps === 0
      ? vscode.l10n.t('{0} was reproduced: the numbers are the same.', name)
      : vscode.l10n.t('{0} of {1} steps of {2} differ, by up to {3}%.', steps, before.length, name, most);
  return { isSame: steps === 0, sentence };
}

const numbersOf = ({ value, metadata }: Made[number]): Partial<Record<string, number>> => ({
  value,
  ...PointQuantiles.safeParse(metadata).data?.quantiles,
});

const shareOf = (before: number | undefined, now: number | undefined): number => {
  if (before === now) return 0;
  if (before === undefined || now === undefined) return 1;
  return Math.abs(now - before) / (Math.abs(before) || Math.abs(now));
};
