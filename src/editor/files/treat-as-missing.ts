import * as vscode from 'vscode';
import { SeriesError } from '../../reading/types.ts';
import type { App } from '../app.ts';
import { inBackground } from '../ui/background.ts';
import { Cancelled, showFileFailure, type Way } from '../ui/failure.ts';

/** What becomes of cells that are neither a value nor a word for a missing one. */
export type Unreadable = 'error' | 'treat-as-missing';

/** What is done about failures of work on a file. */
export interface FileFailures {
  /** The ways out of another failure than unreadable cells. */
  readonly ways?: (error: unknown) => readonly Way[];
  /** Collects notifications, so that work on several files does not wait until they are read. */
  readonly notices?: Promise<unknown>[];
}

/**
 * Works on a file and shows failures. If only unreadable cells are in the way, they are marked, and the person can
 * treat them as missing to repeat the work.
 * @returns the result; undefined if a failure was shown
 * @throws Cancelled
 */
export async function onFile<T>(
  app: Pick<App, 'log' | 'problems' | 'choices'>,
  uri: vscode.Uri,
  work: (unreadable: Unreadable) => Promise<T>,
  { ways, notices }: FileFailures = {},
): Promise<T | undefined> {
  const attempt = async (unreadable: Unreadable): Promise<T | undefined> => {
    try {
      return await work(unreadable);
    } catch (error) {
      if (error instanceof Cancelled) throw error;
      const isRepairable = error instanceof SeriesError && error.canBePassedOver && unreadable === 'error';
      if (isRepairable) inBackground(app.log, app.problems.showFaults(uri, app.choices.latest(uri)?.layout));
      let repaired: T | undefined;
      const repair = {
        label: vscode.l10n.t('Treat as Missing'),
        go: async () => {
          repaired = await attempt('treat-as-missing');
        },
      };
      const notice = showFileFailure(app, uri, error, isRepairable ? [repair] : (ways?.(error) ?? []));
      if (notices) notices.push(notice);
      else await notice;
      return repaired;
    }
  };
  return attempt('error');
}
