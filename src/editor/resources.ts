import * as vscode from 'vscode';
import { ServiceError } from '../client/errors.ts';
import type { App } from './app.ts';
import { chooseSeries, settleLayout } from './files/choose-series.ts';
import { openAsBefore } from './files/document.ts';
import { storeSeries } from './files/store-series.ts';
import { VIEWS } from './names.ts';
import { Cancelled, showFileFailure } from './ui/failure.ts';
import { withPatience } from './ui/progress.ts';
import { say } from './ui/say.ts';
import { alone, askName, type Listing, pickOne } from './ui/steps.ts';
import type { PredictionRef } from './views/chart/protocol.ts';
import { describeEntry, type ResourceNode } from './views/tree/kinds.ts';

/** Predictions that are listed at once. */
const AT_A_TIME = 50;

/** Copies the id of a key, or after asking its secret: it is the only way a secret leaves the service. @throws Cancelled */
export async function copyOfKey(node: ResourceNode & { kind: 'key' }): Promise<void> {
  const { clipboard } = vscode.env;
  const id = { label: vscode.l10n.t('ID'), description: node.id };
  const secretItem = { label: vscode.l10n.t('Secret…'), description: '' };
  const placeholder = vscode.l10n.t('What should be copied?');
  const items = [id, secretItem];
  const { secret } = node.item;
  if ((await pickOne({ place: alone(vscode.l10n.t('Copy')), placeholder, items })) === id || secret === undefined)
    return clipboard.writeText(node.id);
  const { label } = describeEntry(node);
  const question = vscode.l10n.t(
    'Copy the secret of “{0}” to the clipboard? Anyone who has it can use the service as you.',
    label,
  );
  if (!(await say.confirm(question, vscode.l10n.t('Copy Secret')))) return;
  await clipboard.writeText(secret);
  const answer = await say.info(vscode.l10n.t('The secret is on the clipboard.'), vscode.l10n.t('Clear Clipboard'));
  if (answer && (await clipboard.readText()) === secret) await clipboard.writeText('');
}

/** Lets the person choose a prediction: of the newest, or of all by what is typed. @throws Cancelled, ServiceError */
export async function choosePrediction(app: App, title: string): Promise<PredictionRef> {
  const { id: serviceId } = app.connection.current;
  const { client } = await app.connection.ready();
  type Item = vscode.QuickPickItem & { readonly id: string };
  const read = async (before: readonly Item[], cursor?: string): Promise<Listing<Item>> => {
    const { items, total, next } = await client.listPredictions({ size: AT_A_TIME, cursor }, false);
    const seen = items.filter(({ id }) => !app.deletions.has(serviceId, id));
    const choices = seen.map((item): Item => {
      const note = app.memory.recall(serviceId, item.id);
      const { name: label, description } = describeEntry({ kind: 'prediction', id: item.id, item, note });
      return { label, description, id: item.id };
    });
    const all = [...before, ...choices];
    const isEnd = next === undefined || next === cursor || items.length === 0;
    return { items: all, total, more: isEnd ? undefined : () => read(all, next) };
  };
  const first = await withPatience(title, () => read([]));
  if (first.items.length === 0) {
    await say.info(vscode.l10n.t('There are no predictions yet.'));
    throw new Cancelled();
  }
  const placeholder = vscode.l10n.t('Which prediction?');
  const { id: predictionId } = await pickOne({ place: alone(title), placeholder, ...first });
  return { serviceId, predictionId };
}

/** @throws Cancelled, ServiceError */
export async function createKey(app: App): Promise<void> {
  const place = alone(vscode.l10n.t('Create Key'));
  const name = await askName({ place, prompt: vscode.l10n.t('What is the key for?'), most: 100 });
  await (await app.connection.ready()).client.do('createKey', { body: { name } });
  await app.trees.get(VIEWS.keys)?.refresh();
}

/** Stores series of a file as a dataset of the service. */
export async function createDataset(app: App, uri: vscode.Uri): Promise<void> {
  const title = vscode.l10n.t('Create Dataset');
  try {
    const { client, info } = await app.connection.ready();
    if (!(await client.capabilities()).has('createDataset'))
      throw new ServiceError('refused', vscode.l10n.t('{0} takes no datasets.', info.name));
    const opened = await settleLayout(app, (await openAsBefore(app, uri)).opened, title);
    const series = await chooseSeries(opened, alone(title), 'store');
    const name = opened.fileName.replace(/\.\w+$/, '');
    await withPatience(vscode.l10n.t('Storing {0}', opened.fileName), (signal, report) =>
      storeSeries(app, client, { name, series }, { signal, report }),
    );
    await app.trees.get(VIEWS.datasets)?.refresh();
    await vscode.commands.executeCommand(`${VIEWS.datasets}.focus`);
  } catch (error) {
    await showFileFailure(app, uri, error);
  }
}
