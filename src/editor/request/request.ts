import { createHash } from '#platform/hash';
import * as vscode from 'vscode';
import { inDigits } from '../../calendar/digits.ts';
import { ServiceError } from '../../client/errors.ts';
import { update } from '../../reading/fingerprint.ts';
import type { SendableSeries } from '../../reading/points.ts';
import type { App } from '../app.ts';
import { setting } from '../connection/settings.ts';
import { Cancelled, say } from '../ui/say.ts';
import { usualModel } from './pick-model.ts';

/** The options of a request for forecasts; what is absent is left to the service. */
export interface RequestOptions {
  readonly ai_model_id?: string | undefined;
  readonly prediction_length?: number | undefined;
  readonly quantile_levels?: number[] | undefined;
  /** Of a dataset: the totals and their parts, which add up. */
  readonly sums?: { total: string; parts: string[] }[] | undefined;
}

/**
 * These options with the defaults of the settings, as far as the service takes them.
 * @param asksModel whether the person is asked for a model that the service needs
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

/** The quantile levels of the limits of intervals and of the median. @param intervals in percent */
export function levelsOf(intervals: readonly number[]): number[] {
  if (intervals.length === 0) return [];
  const tails = intervals.map((interval) => Number(((1 - interval / 100) / 2).toPrecision(6)));
  const levels = [...tails, 0.5, ...tails.map((tail) => Number((1 - tail).toPrecision(6)))];
  return [...new Set(levels)].sort((a, b) => a - b);
}

export function fingerprint(series: readonly SendableSeries[], asked: object): string {
  const hash = createHash('sha256').update(JSON.stringify(asked));
  for (const one of series) update(hash, one);
  return hash.digest('base64url');
}

/** Longer names are cut for the service. */
export const MOST_LETTERS = 200;

/** Sends a request that creates something. If its answer is lost, the person decides whether to send it again. @throws Cancelled, ServiceError */
export async function sendOnce<T>(send: () => Promise<T>, what: 'predictions' | 'models'): Promise<T> {
  for (;;) {
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof ServiceError) || !error.outcomeUnknown) throw error;
      const searched =
        what === 'predictions' && error.looked !== undefined
          ? vscode.l10n.t(' It is not among the {0} predictions that were searched.', inDigits(error.looked))
          : '';
      const answer = await say.error(`${error.message}${searched}`, vscode.l10n.t('Send Again'));
      if (answer !== vscode.l10n.t('Send Again')) throw new Cancelled();
    }
  }
}
