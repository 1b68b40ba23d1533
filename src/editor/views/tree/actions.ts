import * as vscode from 'vscode';
import type { App } from '../../app.ts';
import { VIEWS } from '../../names.ts';
import { say } from '../../ui/say.ts';
import { alone, askName, askText, pickOne } from '../../ui/steps.ts';
import { MOST_COMPARED } from '../chart/comparison.ts';
import { seriesKey } from '../chart/state.ts';
import { describeEntry, type ResourceNode } from './kinds.ts';

export async function filter({ trees }: App): Promise<void> {
  const tree = trees.get(VIEWS.predictions);
  const words = await askText({
    place: alone(vscode.l10n.t('Filter Predictions')),
    prompt: vscode.l10n.t('Words of a name, model, or status, such as: sales theta failed. Leave empty to show all.'),
    value: tree?.filter ?? '',
  });
  await tree?.setFilter(words);
}

export async function group({ trees }: App): Promise<void> {
  const tree = trees.get(VIEWS.predictions);
  const items = [
    { grouping: 'none', label: vscode.l10n.t('Ungrouped') },
    { grouping: 'file', label: vscode.l10n.t('By file') },
    { grouping: 'day', label: vscode.l10n.t('By day') },
  ] as const;
  const picked = items.filter(({ grouping }) => grouping === tree?.grouping);
  const placeholder = vscode.l10n.t('How should predictions be grouped?');
  const place = alone(vscode.l10n.t('Group Predictions'));
  await tree?.setGrouping((await pickOne({ place, placeholder, items, picked })).grouping);
}

export async function rename(app: App, node: ResourceNode): Promise<void> {
  if (node.kind !== 'prediction' && node.kind !== 'fineTunedModel') return;
  const { name } = describeEntry(node);
  const label = await askName({
    place: alone(vscode.l10n.t('Rename {0}', name)),
    prompt: vscode.l10n.t('Enter a name. It is stored only in this editor.'),
    value: name,
    most: 200,
  });
  app.memory.note(node.serviceId, node.id, { ...app.memory.recall(node.serviceId, node.id), label });
  app.trees.get(node.kind === 'prediction' ? VIEWS.predictions : VIEWS.models)?.relabel();
}

/** Pins predictions to the top of their view, or unpins them if all of them are pinned. */
export function togglePins(app: App, chosen: readonly ResourceNode[]): void {
  const isPinned = chosen.some((node) => node.kind === 'prediction' && node.isPinned !== true);
  for (const { kind, serviceId, id } of chosen) if (kind === 'prediction') app.memory.pin(serviceId, id, isPinned);
  app.trees.get(VIEWS.predictions)?.relabel();
}

export async function compareSelected(app: App, main: ResourceNode, chosen: readonly ResourceNode[]): Promise<void> {
  const all = [main, ...chosen.filter(({ id }) => id !== main.id)].filter((node) => node.kind === 'prediction');
  const [first, ...others] = all.filter(({ item }) => item.status === 'COMPLETED');
  if (others.length < 1 || others.length >= MOST_COMPARED) {
    const text = vscode.l10n.t(
      'Select two to {0} finished predictions of the same series to compare them.',
      MOST_COMPARED,
    );
    await say.info(text);
    return;
  }
  const keyOf = ({ note, item }: typeof first) => seriesKey(note, item) ?? item.input_series_id;
  const other = others.find((one) => keyOf(one) === undefined || keyOf(one) !== keyOf(first));
  if (other) {
    const [a, b] = [first, other].map((node) => `“${describeEntry(node).name}”`);
    await say.info(vscode.l10n.t('{0} and {1} are forecasts of different series, so they cannot be compared.', a, b));
    return;
  }
  const items = others.map(({ item }) => item);
  app.panels.compare({ serviceId: first.serviceId, predictionId: first.id }, first.item, items);
}

export async function copyId(node: ResourceNode): Promise<void> {
  const { clipboard } = vscode.env;
  const secret = node.kind === 'key' ? node.item.secret : undefined;
  if (secret === undefined) return clipboard.writeText(node.id);
  const id = { label: vscode.l10n.t('ID'), description: node.id };
  const secretItem = { label: vscode.l10n.t('Secret…'), description: '' };
  const placeholder = vscode.l10n.t('What should be copied?');
  const items = [id, secretItem];
  if ((await pickOne({ place: alone(vscode.l10n.t('Copy')), placeholder, items })) === id)
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
