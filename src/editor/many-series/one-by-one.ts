import * as vscode from 'vscode';
import { ServiceError } from '../../client/errors.ts';
import { ended } from '../../client/poller.ts';
import type { LocalPrediction } from '../../contract/local.ts';
import { toPoints } from '../../reading/points.ts';
import type { App } from '../app.ts';
import type { Session } from '../connection/connection.ts';
import { type ForecastSet, type Report, writableForecast } from './forecasts.ts';
import type { RequestOptions } from '../forecast/request.ts';
import type { SeriesSet } from './sources.ts';
import { stoppedAfter } from './through-dataset.ts';

/** Requests to a remote service at a time. */
const AT_ONCE = 4;

/** Forecasts of one request whose names are kept here. */
const MOST_NOTED = 500;

/**
 * For a service that forecasts only one series at a time. A series that it refuses does not stop the others; a failure
 * that the others would meet too stops all of them, as does the person. What is done by then is kept.
 * @throws ServiceError, or the signal's reason, where nothing is done
 */
export async function oneByOne(
  app: App,
  session: Session,
  { label, series, source }: SeriesSet,
  options: RequestOptions,
  signal: AbortSignal,
  report: Report,
): Promise<ForecastSet> {
  const made: (LocalPrediction | undefined)[] = Array.from(series, () => undefined);
  const refusals: ServiceError[] = [];
  const stop = new AbortController();
  const either = AbortSignal.any([signal, stop.signal]);
  const queue = series.entries();
  // a service that keeps no names would list them as numbers; very many would crowd out what is known of others
  const isNoted =
    series.length <= MOST_NOTED && !(await session.client.capabilities()).takes('createPrediction', 'name');
  let done = 0;
  const work = async (): Promise<void> => {
    for (const [index, one] of queue) {
      either.throwIfAborted();
      try {
        const request = { ...options, series: toPoints(one), name: one.name };
        const first = await session.client.createPrediction(request, either);
        made[index] = { ...first, name: one.name };
        if (isNoted) await app.memory.note(session.info.id, first.id, { label: `${label} · ${one.name}` });
        made[index] = { ...(await ended(session.predictions, first, either)), name: one.name };
      } catch (error) {
        if (!(error instanceof ServiceError) || error.kind !== 'refused' || error.isAbout('ai_model_id')) {
          stop.abort(error);
          throw error;
        }
        refusals.push(error);
      }
      report(vscode.l10n.t('{0} of {1}', (++done).toLocaleString('en'), series.length.toLocaleString('en')));
    }
  };
  await Promise.allSettled(Array.from({ length: AT_ONCE }, work));
  const predictions = made.filter((prediction) => prediction !== undefined);
  for (const { message } of refusals) app.log.warn(`${label}: ${message}`);
  const failure: unknown = signal.aborted ? signal.reason : stop.signal.reason;
  if (predictions.length === 0 && (failure ?? refusals[0])) throw failure ?? refusals[0];
  return {
    label,
    session,
    source,
    predictions,
    forecasts: (writing) =>
      Promise.resolve(predictions.map((prediction) => writableForecast(prediction, source, writing))),
    shortfall: shortfallOf(predictions.length, series.length, label, signal.aborted ? undefined : failure, refusals),
  };
}

function shortfallOf(
  done: number,
  all: number,
  label: string,
  failure: unknown,
  [refusal]: readonly ServiceError[],
): string | undefined {
  if (done === all) return undefined;
  const why = failure ?? refusal;
  if (!(why instanceof Error)) return stoppedAfter(done, all, label);
  return vscode.l10n.t(
    '{0} of {1} series of {2} are forecast and kept. The others are not: {3}',
    done.toLocaleString('en'),
    all.toLocaleString('en'),
    label,
    why.message,
  );
}
