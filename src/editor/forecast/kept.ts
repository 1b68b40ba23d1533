import * as vscode from 'vscode';
import type { App } from '../app.ts';
import { fileNameOf } from '../files/document.ts';
import { say } from '../ui/say.ts';
import { alone, pickOne } from '../ui/steps.ts';
import type { ResourceNode } from '../views/tree/node.ts';
import { forecastAgain } from './again.ts';
import { forecastFiles } from './forecast.ts';
import { inBackground } from '../ui/background.ts';

/** Milliseconds that the status bar says what is done at each save. */
const SAID = 5000;

/** Forecasts a file again from now on whenever it is saved; where that is so already, no more. @throws Cancelled */
export async function keepUpToDate(app: App, uri: vscode.Uri): Promise<void> {
  const address = uri.toString();
  if (app.kept.has(address)) {
    await stopKeeping(app, uri);
    return;
  }
  const { serviceId, model, horizon, bands } = app.kept.made(address) ?? {};
  // as before, where it was kept up to date before
  const change = serviceId === app.connection.current.id ? { model, horizon, bands } : {};
  await keepFrom(app, address, () => forecastFiles(app, [uri], change));
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

/** The same with the model and the horizon of a prediction of it, which is made again at once. @throws Cancelled, ServiceError */
export async function keepAsMade(app: App, uri: vscode.Uri, { serviceId, id }: ResourceNode): Promise<void> {
  await keepFrom(app, uri.toString(), () => forecastAgain(app, { serviceId, predictionId: id }));
}

/** Keeps a file up to date from its next forecast on. */
async function keepFrom({ kept }: App, address: string, forecast: () => Promise<void>): Promise<void> {
  await kept.keep(address, true);
  try {
    await forecast();
  } catch (error) {
    // who cancels the first one does not want the next ones; one that fails is told, and tried again at the next save
    await kept.keep(address, false);
    throw error;
  }
}

/** Ends it. @param uri asked for where it is left out @throws Cancelled */
export async function stopKeeping(app: App, uri?: vscode.Uri): Promise<void> {
  const { all } = app.kept;
  if (!uri && all.length === 0) {
    await say.info(vscode.l10n.t('No file of this workspace is kept up to date.'));
    return;
  }
  const chosen = uri ?? (await chooseKept(all));
  await app.kept.keep(chosen.toString(), false);
  inBackground(app.log, say.info(vscode.l10n.t('{0} is not kept up to date any more.', fileNameOf(chosen))));
}

async function chooseKept(addresses: readonly string[]): Promise<vscode.Uri> {
  const items = addresses.map((address) => {
    const uri = vscode.Uri.parse(address);
    return { label: fileNameOf(uri), description: vscode.workspace.asRelativePath(uri), uri };
  });
  const place = alone(vscode.l10n.t('Stop Keeping Up to Date'));
  return (await pickOne({ place, placeholder: vscode.l10n.t('Which file?'), items })).uri;
}
