import * as vscode from 'vscode';
import { inDigits } from '../../calendar/digits.ts';
import { ServiceError } from '../../client/errors.ts';
import { Cancelled } from '../ui/failure.ts';

/** Called off by its signal, tells how far it is. */
export interface Work {
  readonly signal: AbortSignal;
  readonly report: (message: string) => void;
}

/** What came of many requests. */
export interface Ends {
  /** What ended them before their time: a failure that the others would meet too, or the signal's reason. */
  readonly failure: unknown;
  readonly refusals: readonly ServiceError[];
}

/** Requests to a remote service at a time. */
const AT_ONCE = 4;

/** A request that is refused for its own series says nothing of the others. */
const isRefused = (error: ServiceError): boolean => error.kind === 'refused' && !error.isAbout('ai_model_id');

/**
 * Sends a request for each of many, and tells how many are done. A failure of one alone does not stop the others; one that
 * the others would meet too stops all of them, as does the signal. Never rejects.
 */
export async function forEach<T>(
  all: readonly T[],
  send: (one: T, index: number, signal: AbortSignal) => Promise<void>,
  { signal, report }: Work,
  isOfOne: (error: ServiceError) => boolean = isRefused,
): Promise<Ends> {
  const refusals: ServiceError[] = [];
  const stop = new AbortController();
  const either = AbortSignal.any([signal, stop.signal]);
  const queue = all.entries();
  let done = 0;
  const work = async (): Promise<void> => {
    for (let next = queue.next(); !next.done && !either.aborted; next = queue.next()) {
      const [index, one] = next.value;
      try {
        await send(one, index, either);
        report(vscode.l10n.t('{0} of {1}', inDigits(++done), inDigits(all.length)));
      } catch (error) {
        if (error instanceof ServiceError && isOfOne(error)) refusals.push(error);
        else stop.abort(error);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return { failure: signal.aborted ? signal.reason : stop.signal.reason, refusals };
}

/** What is said where not all of many series were forecast. */
export function shortfallOf(done: number, all: number, label: string, ends: Ends): string | undefined {
  if (done === all) return undefined;
  const [some, whole] = [done, all].map((count) => inDigits(count));
  const why = ends.failure ?? ends.refusals[0];
  return !(why instanceof Error) || why instanceof Cancelled
    ? vscode.l10n.t('Stopped. {0} of {1} series of {2} are forecast and kept.', some, whole, label)
    : vscode.l10n.t(
        '{0} of {1} series of {2} are forecast and kept. The others are not: {3}',
        some,
        whole,
        label,
        why.message,
      );
}
