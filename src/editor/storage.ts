import { inDigits } from '../calendar/digits.ts';
import { runtime } from '#platform/scripts';
import * as vscode from 'vscode';
import type { App } from './app.ts';
import { COMMANDS } from './names.ts';
import { saveSetting, setting } from './connection/settings.ts';
import { say, withProgress } from './ui/say.ts';
import { alone, askWhole, pickOne } from './ui/steps.ts';

export async function manageStorage(app: App): Promise<void> {
  const { client } = app.connection.local;
  const stored = await withProgress(vscode.l10n.t('Reading the stored forecasts'), (signal) =>
    client.do('getStorage', { signal }),
  );
  const { bytes, free_bytes: free = 0, predictions = 0, datasets = 0 } = stored;
  const used = vscode.l10n.t('{0} predictions and {1} datasets in {2}', predictions, datasets, sizeText(bytes));
  const days = setting('keepPredictionsForDays');
  const keep = {
    label: vscode.l10n.t('$(history) Keep Predictions for…'),
    description: days === 0 ? vscode.l10n.t('now: forever') : vscode.l10n.t('now: {0} days', days),
    detail: vscode.l10n.t('Older predictions are deleted and their disk space is freed'),
  };
  const copy = { label: vscode.l10n.t('$(copy) Copy Folder Path'), detail: app.folder };
  const repair = {
    label: vscode.l10n.t('$(tools) Repair…'),
    detail: vscode.l10n.t('Keeps the database as a backup and copies everything readable into a new one'),
  };
  const chosen = await pickOne<vscode.QuickPickItem>({
    place: alone(vscode.l10n.t('Stored Forecasts on This Machine')),
    placeholder: free < 1e6 ? used : vscode.l10n.t('{0}, of which {1} is free', used, sizeText(free)),
    // a browser shows nobody its files
    items: runtime === undefined ? [keep, repair] : [keep, copy, repair],
  });
  if (chosen === copy) await vscode.env.clipboard.writeText(app.folder);
  else if (chosen === repair) await repairStorage(app);
  else await chooseDays(predictions);
}

const sizeText = (bytes: number): string => `${inDigits(bytes / 1e6, bytes < 1e7 ? 1 : 0)} MB`;

const MOST_DAYS = 36_500;

/** @param predictions how many are stored now */
async function chooseDays(predictions: number): Promise<void> {
  const prompt = vscode.l10n.t('Days after which finished predictions are deleted; 0 keeps them forever');
  const place = alone(vscode.l10n.t('Keep Predictions for…'));
  const days = await askWhole({ place, prompt, value: String(setting('keepPredictionsForDays')) }, 0, MOST_DAYS);
  const question = vscode.l10n.t(
    'Delete predictions of the local service {0} days after they were made? Older ones are deleted now.',
    days,
  );
  if (days > 0 && predictions > 0 && !(await say.confirm(question, vscode.l10n.t('Delete')))) return;
  await saveSetting('keepPredictionsForDays', days === 0 ? undefined : days);
}

export async function repairStorage(app: App): Promise<void> {
  const question = vscode.l10n.t(
    'Repair the stored forecasts on this machine? The database is kept as a backup, and everything readable is copied into a new one. Nothing is deleted; running jobs start over.',
  );
  if (!(await say.confirm(question, vscode.l10n.t('Repair')))) return;
  const { aside, tables } = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title: vscode.l10n.t('Repairing the stored forecasts') },
    () => app.connection.repairLocal(),
  );
  await vscode.commands.executeCommand(COMMANDS.refresh);
  if (aside === undefined) {
    await say.info(vscode.l10n.t('Nothing is stored yet, so there is nothing to repair.'));
    return;
  }
  const saved = (name: string): number => tables.find((table) => table.name === name)?.saved ?? 0;
  const lost = tables.reduce((sum, table) => sum + table.lost, 0);
  const counts = vscode.l10n.t(
    'Recovered: {0} predictions, {1} datasets, and {2} models.',
    saved('predictions'),
    saved('datasets'),
    saved('fine_tuned_models'),
  );
  const losses = lost === 0 ? vscode.l10n.t('Nothing was lost.') : vscode.l10n.t('{0} rows could not be read.', lost);
  const path = vscode.l10n.t('Copy Path');
  const answer = await say.info(
    `${counts} ${losses} ${vscode.l10n.t('The previous database is kept as {0}.', aside)}`,
    path,
  );
  if (answer === path) await vscode.env.clipboard.writeText(aside);
}
