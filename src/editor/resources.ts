import * as vscode from 'vscode';
import { VIEWS } from './names.ts';
import { ServiceError } from '../client/errors.ts';
import { say } from './ui/say.ts';
import type { LocalPrediction } from '../contract/local.ts';
import type { ResourceNode } from './views/tree/node.ts';
import { describeEntry } from './views/tree/describe.ts';
import type { App } from './app.ts';
import { chooseSeries, settleLayout } from './files/choose-series.ts';
import { openAsBefore } from './files/document.ts';
import { storeSeries } from './files/store-series.ts';
import { Cancelled, showFileFailure } from './ui/failure.ts';
import { withPatience } from './ui/progress.ts';
import { alone, askText, type Part, pickOfMany, pickOne } from './ui/steps.ts';

/** Copies the id of a key, or its secret. @throws Cancelled */
export async function copyOfKey(node: ResourceNode & { kind: 'key' }): Promise<void> {
  const id = { label: vscode.l10n.t('ID'), description: node.id };
  const secret = { label: vscode.l10n.t('Secret…'), description: '' };
  const placeholder = vscode.l10n.t('What should be copied?');
  const chosen = await pickOne({ place: alone(vscode.l10n.t('Copy')), placeholder, items: [id, secret] });
  if (chosen === id) await vscode.env.clipboard.writeText(node.id);
  else await copySecret(node);
}

/** Copies the secret of a key, after asking: it is the only way a secret leaves the service. */
async function copySecret(node: ResourceNode): Promise<void> {
  if (node.kind !== 'key' || node.item.secret === undefined) return;
  const { label } = describeEntry(node, Date.now());
  const message = vscode.l10n.t(
    'Copy the secret of “{0}” to the clipboard? Whoever has it can use the service as you.',
    label,
  );
  if (!(await say.confirm(message, vscode.l10n.t('Copy Secret')))) return;
  const { secret } = node.item;
  await vscode.env.clipboard.writeText(secret);
  const answer = await say.info(vscode.l10n.t('The secret is on the clipboard.'), vscode.l10n.t('Clear Clipboard'));
  if (answer && (await vscode.env.clipboard.readText()) === secret) await vscode.env.clipboard.writeText('');
}

/** Lets the person choose a prediction, of the newest first. @throws Cancelled, ServiceError */
export async function choosePrediction(
  app: App,
  title: string,
): Promise<{ serviceId: string; prediction: LocalPrediction }> {
  const serviceId = app.connection.current.id;
  const { client } = await app.connection.ready();
  const read = async (cursor?: string): Promise<Part<vscode.QuickPickItem & { prediction: LocalPrediction }>> => {
    const { items: all, total, next } = await client.listPredictions({ size: AT_A_TIME, cursor }, false);
    const items = all.filter(({ id }) => !app.deletions.isHeld(serviceId, id));
    const choices = items.map((item) => {
      const note = app.memory.recall(serviceId, item.id);
      const { label, description } = describeEntry({ kind: 'prediction', id: item.id, item, note }, Date.now());
      return { label, description, prediction: item };
    });
    const isEnd = next === undefined || next === cursor || all.length === 0;
    return { items: choices, total, more: isEnd ? undefined : () => read(next) };
  };
  const first = await withPatience(title, () => read());
  if (first.items.length === 0) {
    await say.info(vscode.l10n.t('There are no predictions yet.'));
    throw new Cancelled();
  }
  const placeholder = vscode.l10n.t('Which prediction?');
  const { prediction } = await pickOfMany({ place: alone(title), placeholder }, first);
  return { serviceId, prediction };
}

/** Predictions that are listed at once. */
const AT_A_TIME = 50;

/** @throws Cancelled, ServiceError */
export async function createKey(app: App): Promise<void> {
  const name = await askText({
    place: alone(vscode.l10n.t('Create Key')),
    prompt: vscode.l10n.t('What is the key for?'),
    check: (text) =>
      text.trim() === ''
        ? vscode.l10n.t('Enter a name.')
        : text.length > 100
          ? vscode.l10n.t('At most 100 characters.')
          : undefined,
  });
  await (await app.connection.ready()).client.createKey(name);
  await app.trees.get(VIEWS.keys)?.refresh();
}

/** Shows among the datasets what was stored only for forecasts or a training, or hides it. */
export async function toggleJobData(app: App): Promise<void> {
  await app.jobData.show(!app.jobData.isShown);
  await app.trees.get(VIEWS.datasets)?.refresh();
}

/** Stores series of a file as a dataset of the service. */
export async function createDataset(app: App, uri: vscode.Uri): Promise<void> {
  const title = vscode.l10n.t('Create Dataset');
  try {
    const { client, info } = await app.connection.ready();
    if (!(await client.capabilities()).has('createDataset'))
      throw new ServiceError('refused', vscode.l10n.t('{0} takes no datasets.', info.name));
    const opened = await settleLayout(app, (await openAsBefore(app, uri)).opened, title);
    const chosen = await chooseSeries(opened, alone(title), 'store');
    const name = opened.fileName.replace(/\.\w+$/, '');
    await withPatience(vscode.l10n.t('Storing {0}', opened.fileName), (signal, report) =>
      storeSeries(app, client, name, chosen, signal, report),
    );
    await app.trees.get(VIEWS.datasets)?.refresh();
    await vscode.commands.executeCommand(`${VIEWS.datasets}.focus`);
  } catch (error) {
    await showFileFailure(app, uri, error);
  }
}
