import * as vscode from 'vscode';
import { inBackground } from './background.ts';
import { say } from './say.ts';

/** For what this editor was to remember and cannot write: each time in the log, and once to the person. */
export function notKept(log: vscode.LogOutputChannel, folder: string): (error: unknown) => void {
  let isSaid = false;
  return (error) => {
    log.warn(`Not kept in ${folder}: ${String(error)}`);
    if (isSaid) return;
    isSaid = true;
    const message = vscode.l10n.t(
      'What this editor remembers about forecasts and models cannot be written to {0} and is lost when the window closes. Forecasts still work.',
      folder,
    );
    inBackground(log, say.warning(message));
  };
}
