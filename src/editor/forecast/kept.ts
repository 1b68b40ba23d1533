import * as vscode from 'vscode';
import type { App } from '../app.ts';
import { fileNameOf } from '../files/document.ts';
import { say } from '../ui/say.ts';
import type { ResourceNode } from '../views/tree/kinds.ts';
import { forecastAgain } from './again.ts';
import { forecastFiles } from './forecast.ts';
import { inBackground } from '../ui/background.ts';

/** Milliseconds that the status bar says what is done at each save. */
const SAID = 5000;

/**
 * Forecasts a file again from now on whenever it is saved; where that is so already, no more.
 * @param as a prediction of it, whose model and horizon it is forecast with, from now on
 * @throws Cancelled, ServiceError
 */
export async function toggleKept(app: App, uri: vscode.Uri, as?: ResourceNode): Promise<void> {
  const address = uri.toString();
  if (app.kept.has(address)) {
    await app.kept.keep(address, false);
    inBackground(app.log, say.info(vscode.l10n.t('{0} is not kept up to date any more.', fileNameOf(uri))));
    return;
  }
  const before = app.kept.made(address);
  const { serviceId, model, horizon, intervals } = before ?? {};
  // as before, where it was kept up to date before
  const change = serviceId === app.connection.current.id ? { model, horizon, intervals } : {};
  await app.kept.begin(address);
  try {
    if (as) await forecastAgain(app, { serviceId: as.serviceId, predictionId: as.id });
    else await forecastFiles(app, [uri], change);
  } catch (error) {
    // who cancels the first one, or is told that it failed, begins again; how it was made before stays
    await app.kept.keep(address, false);
    throw error;
  }
  if (app.kept.has(address)) sayKept(app, uri);
}

/** In the status bar, for a moment: no longer than it is so. */
function sayKept({ kept }: App, uri: vscode.Uri): void {
  const sentence = vscode.l10n.t('{0} is forecast again whenever it is saved', fileNameOf(uri));
  const said = vscode.window.setStatusBarMessage(sentence);
  const end = (): void => {
    clearTimeout(timer);
    said.dispose();
    listening.dispose();
  };
  const timer = setTimeout(end, SAID);
  const listening = kept.onDidChange(() => {
    if (!kept.has(uri.toString())) end();
  });
}
