import * as vscode from 'vscode';
import type { App } from '../app.ts';
import { say } from '../ui/say.ts';
import { forecastFiles } from './forecast.ts';

const KEY = 'forecasts.keptUpToDate';

/** The files that are forecast again when they are saved, by their addresses. */
export function keptFiles(state: vscode.Memento): readonly string[] {
  const kept = state.get<unknown>(KEY);
  return Array.isArray(kept) ? kept.filter((uri) => typeof uri === 'string') : [];
}

/** Forecasts a file again from now on whenever it is saved; where that is so already, no more. */
export async function keepUpToDate(app: App, state: vscode.Memento, uri: vscode.Uri): Promise<void> {
  const address = uri.toString();
  const name = uri.path.split('/').pop() ?? '';
  const kept = keptFiles(state);
  if (kept.includes(address)) {
    await state.update(
      KEY,
      kept.filter((one) => one !== address),
    );
    void say.info(vscode.l10n.t('{0} is not kept up to date any more.', name));
    return;
  }
  await state.update(KEY, [...kept, address]);
  await forecastFiles(app, [uri]);
  vscode.window.setStatusBarMessage(vscode.l10n.t('{0} is forecast again whenever it is saved', name), 5000);
}
