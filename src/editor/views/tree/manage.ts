import * as vscode from 'vscode';
import type { App } from '../../app.ts';
import { VIEWS } from '../../connection/names.ts';
import { alone, askText, pickOne } from '../../ui/steps.ts';
import { type Grouping, GROUPINGS } from './arrange.ts';
import { describeEntry } from './describe.ts';
import type { ResourceNode } from './node.ts';

const LONGEST_NAME = 200;

/** Gives a prediction or a fine-tuned model another name, in this editor. @throws Cancelled */
export async function rename(app: App, node: ResourceNode): Promise<void> {
  if (node.kind !== 'prediction' && node.kind !== 'fineTunedModel') return;
  const { name } = describeEntry(node, Date.now());
  const label = await askText({
    place: alone(vscode.l10n.t('Rename {0}', name)),
    prompt: vscode.l10n.t('What should it be called? The name is kept in this editor.'),
    value: name,
    check: (text) => {
      if (text.trim() === '') return vscode.l10n.t('Enter a name.');
      return text.length > LONGEST_NAME ? vscode.l10n.t('At most 200 characters.') : undefined;
    },
  });
  await app.memory.note(node.serviceId, node.id, { ...app.memory.recall(node.serviceId, node.id), label });
  await app.trees.get(node.kind === 'prediction' ? VIEWS.predictions : VIEWS.models)?.refresh();
}

/** Keeps predictions at the top of their view, or no more. */
export async function pin(app: App, nodes: readonly ResourceNode[], isPinned: boolean): Promise<void> {
  for (const { kind, serviceId, id } of nodes) if (kind === 'prediction') await app.memory.pin(serviceId, id, isPinned);
  await app.trees.get(VIEWS.predictions)?.refresh();
}

/** Shows only the predictions whose row has some words. @throws Cancelled */
export async function filterPredictions(app: App): Promise<void> {
  const tree = app.trees.get(VIEWS.predictions);
  const words = await askText({
    place: alone(vscode.l10n.t('Filter Predictions')),
    prompt: vscode.l10n.t('Words of a name, a model or a status, such as: sales theta failed. Nothing shows all.'),
    value: tree?.filter ?? '',
  });
  await tree?.setFilter(words);
}

const GROUP_NAMES: Readonly<Record<Grouping, () => string>> = {
  none: () => vscode.l10n.t('One list'),
  file: () => vscode.l10n.t('By file'),
  day: () => vscode.l10n.t('By day'),
};

/** Lets the person choose how predictions are put together. @throws Cancelled */
export async function groupPredictions(app: App): Promise<void> {
  const tree = app.trees.get(VIEWS.predictions);
  if (!tree) return;
  const items = GROUPINGS.map((grouping) => ({ label: GROUP_NAMES[grouping](), grouping }));
  const picked = items.filter(({ grouping }) => grouping === tree.grouping);
  const placeholder = vscode.l10n.t('How should the predictions be listed?');
  const { grouping } = await pickOne({ place: alone(vscode.l10n.t('Group Predictions')), placeholder, items, picked });
  await tree.setGrouping(grouping);
}
