import { createHash } from 'node:crypto';
import { update } from '../../reading/fingerprint.ts';
import type { SendableSeries } from '../../reading/points.ts';
import type { App } from '../app.ts';
import { usualModel } from './pick-model.ts';
import { setting } from '../connection/settings.ts';

/** What a request for forecasts says beyond their series; everything absent is left to the service. */
export interface RequestOptions {
  readonly ai_model_id?: string | undefined;
  readonly prediction_length?: number | undefined;
  readonly quantile_levels?: number[] | undefined;
  /** Of a dataset: its totals and their parts, which are to add up. */
  readonly sums?: { total: string; parts: string[] }[] | undefined;
}

/**
 * These options, and what the settings say of the others, as far as the service in use takes them.
 * @param asksModel whether a service that needs a model is asked for one where none is set
 * @throws Cancelled
 */
export async function withDefaults(app: App, options: RequestOptions, asksModel = true): Promise<RequestOptions> {
  const { client } = await app.connection.ready();
  const offers = await client.capabilities();
  const takes = (field: string) => offers.takes('createPrediction', field);
  const preferred = options.ai_model_id ?? setting('defaultModel');
  const model = preferred || (asksModel ? await usualModel(app) : undefined);
  const horizon = options.prediction_length ?? setting('defaultHorizon');
  const levels = options.quantile_levels ?? levelsOf(setting('intervals'));
  return {
    ...(model ? { ai_model_id: model } : {}),
    ...(horizon && takes('prediction_length') ? { prediction_length: horizon } : {}),
    ...(levels.length > 0 && takes('quantile_levels') ? { quantile_levels: levels } : {}),
  };
}

/** Both limits of each interval and the median. @param intervals in per cent */
export function levelsOf(intervals: readonly number[]): number[] {
  if (intervals.length === 0) return [];
  const tails = intervals.map((interval) => Number(((1 - interval / 100) / 2).toPrecision(6)));
  const levels = [...tails, 0.5, ...tails.map((tail) => Number((1 - tail).toPrecision(6)))];
  return [...new Set(levels)].sort((a, b) => a - b);
}

/** Equal for the same points of series of the same names, asked for in the same way. */
export function fingerprint(series: readonly SendableSeries[], asked: object): string {
  const hash = createHash('sha256').update(JSON.stringify(asked));
  for (const one of series) update(hash, one);
  return hash.digest('base64url');
}
