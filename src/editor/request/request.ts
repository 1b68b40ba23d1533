import { createHash } from '#platform/hash';
import * as vscode from 'vscode';
import { inDigits } from '../../calendar/digits.ts';
import { ServiceError } from '../../client/errors.ts';
import { fitPoints } from '../../client/fit.ts';
import type { LocalPrediction } from '../../contract/local.ts';
import type { LocalCreatePrediction } from '../../contract/requests.ts';
import { update } from '../../reading/fingerprint.ts';
import type { SendableSeries } from '../../reading/points.ts';
import type { App } from '../app.ts';
import type { Note, Source } from '../connection/memory.ts';
import { setting } from '../connection/settings.ts';
import { VIEWS } from '../names.ts';
import { inBackground } from '../ui/background.ts';
import { Cancelled } from '../ui/failure.ts';
import { tellWhenDone } from '../ui/notify.ts';
import { say } from '../ui/say.ts';
import type { PredictionRef } from '../views/chart/protocol.ts';
import { noteModelUse, usualModel } from './pick-model.ts';

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

/** Longer names are cut for the service. */
export const MOST_LETTERS = 200;

/** More charts than this at once would bury the editor; the others wait in the Predictions view. */
const MOST_CHARTS = 4;

export interface Charts {
  opened: number;
  /** Whose chart the first one takes the place of. */
  readonly former?: PredictionRef;
  /** Only a chart that is open already turns to what is made, and nothing comes to the front. */
  readonly isFollowing?: boolean;
}

/** No chart of what is made is opened. */
export const noChart = (): Charts => ({ opened: MOST_CHARTS });

/** Opens the chart of a forecast that is being made, where it gets a new one. */
export const expectChart = ({ panels }: App, charts: Charts, source: Source) =>
  charts.isFollowing || charts.former || charts.opened >= MOST_CHARTS ? undefined : panels.expect(source);

/** Shows the chart of a prediction that was made, or made before in the same way. */
export function showChart({ panels }: App, charts: Charts, ref: PredictionRef, known: LocalPrediction): void {
  if (charts.isFollowing) panels.follow(ref, known);
  else if (charts.opened++ < MOST_CHARTS) panels.open(ref, known, { former: charts.former });
}

/** Creates a prediction, keeps what it was made from, and shows its chart. */
export async function createPrediction(
  app: App,
  { request, note }: { readonly request: LocalCreatePrediction; readonly note: Note },
  charts: Charts,
  signal: AbortSignal,
): Promise<LocalPrediction> {
  const session = await app.connection.ready();
  const { client } = session;
  const serviceId = session.info.id;
  const { ai_model_id: model, series = [] } = request;
  const sendable = fitPoints(series ?? [], await client.capabilities(), 'createPrediction');
  const leftOut = (series?.length ?? 0) - sendable.length;
  const made = await sendOnce(() => client.createPrediction(request, signal), 'predictions').catch(
    async (error: unknown) => {
      if (model && !request.series_id) await noted(app, noteModelUse(app, serviceId, model, error));
      throw error;
    },
  );
  if (model) await noted(app, noteModelUse(app, serviceId, model));
  const remarks = [...(note.remarks ?? []), ...(leftOut > 0 ? [leftOutRemark(leftOut)] : [])];
  await app.memory.note(serviceId, made.id, { ...note, ...(remarks.length > 0 ? { remarks } : {}) });
  showChart(app, charts, { serviceId, predictionId: made.id }, made);
  const { input_series: _, ...item } = made;
  const tree = app.trees.get(VIEWS.predictions);
  if (session.info.kind === 'local') inBackground(app.log, tree?.refresh());
  else tree?.add({ kind: 'prediction', id: made.id, item, serviceId, offers: await client.capabilities() });
  app.log.info(`${note.label}: prediction ${made.id} is ${made.status}`);
  tellWhenDone(app, { serviceId, kind: 'prediction', id: made.id, label: note.label }, made.status);
  return made;
}

/** A failure to write a note must not break a forecast. */
const noted = ({ log }: App, noting: Promise<void>): Promise<void> =>
  noting.catch((error: unknown) => {
    log.warn(String(error));
  });

/** For points that had to stay here, as the service takes numbers only. */
const leftOutRemark = (count: number): NonNullable<Note['remarks']>[number] => ({
  kind: 'left-out',
  rows: count,
  text:
    count === 1
      ? vscode.l10n.t('1 point without a value was left out because the service accepts only numbers.')
      : vscode.l10n.t(
          '{0} points without a value were left out because the service accepts only numbers.',
          inDigits(count),
        ),
  lines: [],
});

/**
 * Sends a request that creates something. Where its answer was lost and nothing of it is found, only the person decides
 * whether it is sent again. @throws Cancelled where they do not; ServiceError for any other failure
 */
export async function sendOnce<T>(send: () => Promise<T>, what: 'predictions' | 'models'): Promise<T> {
  for (;;) {
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof ServiceError) || !error.outcomeUnknown) throw error;
      const looked =
        what === 'predictions' && error.looked !== undefined
          ? vscode.l10n.t(' It is not among the {0} predictions that were searched.', inDigits(error.looked))
          : '';
      const answer = await say.error(`${error.message}${looked}`, vscode.l10n.t('Send Again'));
      if (answer !== vscode.l10n.t('Send Again')) throw new Cancelled();
    }
  }
}
