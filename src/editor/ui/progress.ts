import * as vscode from 'vscode';
import { plain } from './say.ts';
import { Cancelled } from './failure.ts';

/** Work that can be canceled and reports its progress. */
export interface Work {
  readonly signal: AbortSignal;
  readonly report: (message: string) => void;
}

/** Milliseconds. */
const DELAY = 500;

/**
 * Shows a progress notification with Cancel only for work that takes longer than half a second.
 * @throws Cancelled if the person cancels; the work is notified by the signal
 */
export async function withPatience<T>(
  title: string,
  work: (signal: AbortSignal, report: (message: string) => void) => Promise<T>,
): Promise<T> {
  const abort = new AbortController();
  let report: (message: string) => void = () => undefined;
  const working = work(abort.signal, (message) => report(message));
  const late = Symbol('late');
  const timer = new Promise<typeof late>((resolve) => setTimeout(resolve, DELAY, late));
  const first = await Promise.race([working, timer]);
  if (first !== late) return first as T;
  const options = { location: vscode.ProgressLocation.Notification, title: plain(title), cancellable: true };
  return vscode.window.withProgress(options, async (progress, token) => {
    report = (message) => progress.report({ message: plain(message) });
    token.onCancellationRequested(() => abort.abort(new Cancelled()));
    return working;
  });
}
