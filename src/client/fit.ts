import { parseTimestamp } from '../calendar/timestamp.ts';
import { isObject } from '../contract/json.ts';
import { type Operation, operations } from '../contract/operations.ts';
import type { Capabilities } from './capabilities.ts';

export type Creation = 'createPrediction' | 'createFineTunedModel';

const SERIES = {
  createPrediction: ['series'],
  createFineTunedModel: ['input_config', 'series'],
  createDataset: ['series', 'series'],
} as const;

export const takesCovariates = (offers: Capabilities, name: keyof typeof SERIES): boolean =>
  offers.rules(name, ...SERIES[name], 'metadata', 'covariates') !== undefined;

/** Points as a service takes them: missing values, covariates and points of the future only if it announces them. */
export function fitPoints<T extends { readonly value?: unknown; readonly metadata?: unknown }>(
  points: readonly T[],
  offers: Capabilities,
  name: Creation,
): T[] {
  const hasValue = ({ value }: T) => value !== null && value !== undefined;
  const nullable = offers.rules(name, ...SERIES[name], 'value')?.nullable ?? false;
  if (nullable && takesCovariates(offers, name)) return [...points];
  const hasCovariates = ({ metadata }: T) => isObject(metadata) && metadata.covariates !== undefined;
  const end = points.some(hasCovariates) ? points.findLastIndex(hasValue) + 1 : points.length;
  return points.slice(0, end).flatMap((point) => {
    if (!nullable && !hasValue(point)) return [];
    if (!hasCovariates(point)) return [point];
    const { metadata, ...rest } = point;
    const { covariates: _, ...others } = metadata as Record<string, unknown>;
    return [(Object.keys(others).length > 0 ? { ...rest, metadata: others } : rest) as T];
  });
}

export function shapeOf(points: readonly { readonly timestamp: string; readonly value?: unknown }[]) {
  const values = points.slice(0, points.findLastIndex(({ value }) => typeof value === 'number') + 1);
  const times = values.map(({ timestamp }) => parseTimestamp(timestamp));
  const steps = times.slice(1).map((time, index) => time - times[index]);
  const usual = steps.toSorted((a, b) => a - b)[steps.length >> 1];
  const missing = steps.filter((step) => step > 1.5 * usual).length;
  return { points: values.length, gaps: missing + values.filter(({ value }) => typeof value !== 'number').length };
}

const NEUTRAL: Readonly<Record<string, unknown>> = { is_async: false, fine_tuning_epochs: 0, config: {} };
export const NEUTRAL_FIELDS: readonly string[] = [...Object.keys(NEUTRAL), 'metadata'];

/** A body as a service takes it: further fields if announced, neutral required ones. @param learned from a refusal */
export function fitBody(
  request: Readonly<Record<string, unknown>>,
  offers: Capabilities,
  name: Creation,
  learned: readonly string[] = [],
): Record<string, unknown> {
  const { core }: Operation = operations[name];
  const isDescribed = offers.takes(name, SERIES[name][0]);
  const isCore = (field: string) => core?.includes(field) && !(field === 'is_async' && isDescribed);
  const set = Object.entries(request).filter(([, value]) => value !== undefined && value !== null);
  const body = Object.fromEntries(set.filter(([field]) => isCore(field) || offers.takes(name, field)));
  for (const field of [...offers.required(name), ...learned]) if (field in NEUTRAL) body[field] ??= NEUTRAL[field];
  const input = isObject(body.input_config) ? { ...body.input_config } : undefined;
  if (input) {
    body.input_config = input;
    for (const field of offers.required(name, 'input_config'))
      if (offers.rules(name, 'input_config', field)?.isList) input[field] ??= [];
  }
  const holder = name === 'createPrediction' ? body : input;
  const needsMetadata = [...offers.required(name, ...SERIES[name]), ...learned].includes('metadata');
  if (holder && needsMetadata && Array.isArray(holder.series))
    holder.series = holder.series.map((point: object) => ({ metadata: {}, ...point }));
  return body;
}
