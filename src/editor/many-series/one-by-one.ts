import * as vscode from 'vscode';
import { ServiceError } from '../../client/errors.ts';
import { ended } from '../../client/poller.ts';
import type { LocalPrediction } from '../../contract/local.ts';
import { toPoints } from '../../reading/points.ts';
import type { App } from '../app.ts';
import type { Session } from '../connection/connection.ts';
import { type ForecastSet, type Report, writableForecast } from './forecasts.ts';
import type { RequestOptions } from '../request/request.ts';
import type { SeriesSet } from '../files/sources.ts';
import { type Ends, shortfallOf } from './shortfall.ts';
import { inDigits } from '../../calendar/digits.ts';

/** Requests to a remote service at a time. */
const AT_ONCE = 4;

/** Forecasts of one request whose names are kept here. */
const MOST_NOTED = 500;

/** A request that is refused for its own series says nothing of the others. */
const isRefused = (error: ServiceError): boolean => error.kind === 'refused' && !error.isAbout('ai_model_id');

/**
 * Sends a request for each of many. A failure of one alone does not stop the others; one that the others would meet too
 * stops all of them, as does the signal. Never rejects.
 */
export async function forEach<T>(
  all: Iterable<T>,
  send: (one: T, signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
  isOfOne: (error: ServiceError) => boolean = isRefused,
): Promise<Ends> {
  const refusals: ServiceError[] = [];
  const stop = new AbortController();
  const either = AbortSignal.any([signal, stop.signal]);
  const queue = all[Symbol.iterator]();
  const work = async (): Promise<void> => {
    for (let next = queue.next(); !next.done && !either.aborted; next = queue.next()) {
      try {
        await send(next.value, either);
      } catch (error) {
        if (error instanceof ServiceError && isOfOne(error)) refusals.push(error);
        else stop.abort(error);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return { failure: signal.aborted ? signal.reason : stop.signal.reason, refusals };
}

/**
 * For a service that forecasts only one series at a time. What is done when it is stopped, or fails, is kept.
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
  // a service that keeps no names would list them as numbers; very many would crowd out what is known of others
  const isNoted =
    series.length <= MOST_NOTED && !(await session.client.capabilities()).takes('createPrediction', 'name');
  let done = 0;
  const { failure, refusals } = await forEach(
    series.entries(),
    async ([index, one], either) => {
      const request = { ...options, series: toPoints(one), name: one.name };
      const first = await session.client.createPrediction(request, either);
      made[index] = { ...first, name: one.name };
      if (isNoted) await app.memory.note(session.info.id, first.id, { label: `${label} · ${one.name}` });
      made[index] = { ...(await ended(session.predictions, first, either)), name: one.name };
      report(vscode.l10n.t('{0} of {1}', inDigits(++done), inDigits(series.length)));
    },
    signal,
  );
  const predictions = made.filter((prediction) => prediction !== undefined);
  for (const { message } of refusals) app.log.warn(`${label}: ${message}`);
  if (predictions.length === 0 && (failure ?? refusals[0])) throw failure ?? refusals[0];
  return {
    label,
    session,
    source,
    predictions,
    forecasts: (writing) =>
      Promise.resolve(predictions.map((prediction) => writableForecast(prediction, source, writing))),
    shortfall: shortfallOf(predictions.length, series.length, label, { failure, refusals }),
  };
}
