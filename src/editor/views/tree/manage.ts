import * as vscode from 'vscode';
import type { App } from '../../app.ts';
import { VIEWS } from '../../names.ts';
import { say } from '../../ui/say.ts';
import { MOST_COMPARED } from '../analysis/protocol.ts';
import { seriesKey } from '../chart/status.ts';
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
  app.trees.get(node.kind === 'prediction' ? VIEWS.predictions : VIEWS.models)?.relabel();
}

/** Keeps predictions at the top of their view; no more, where all of them are. */
export function togglePins(app: App, nodes: readonly ResourceNode[]): void {
  const isPinned = nodes.some((node) => node.kind === 'prediction' && node.isPinned !== true);
  for (const { kind, serviceId, id } of nodes) if (kind === 'prediction') app.memory.pin(serviceId, id, isPinned);
  app.trees.get(VIEWS.predictions)?.relabel();
}

/**
 * Lays chosen predictions of one series over each other. @param main whose chart it is
 */
export async function compareSelected(app: App, main: ResourceNode, chosen: readonly ResourceNode[]): Promise<void> {
  const all = [main, ...chosen.filter(({ id }) => id !== main.id)].filter((node) => node.kind === 'prediction');
  const done = all.filter(({ item }) => item.status === 'COMPLETED');
  const [first, ...others] = done;
  if (done.length < 2 || done.length > MOST_COMPARED) {
    await say.info(
      vscode.l10n.t('Select two to {0} finished predictions of one series to compare them.', MOST_COMPARED),
    );
    return;
  }
  const keyOf = ({ note, item }: (typeof done)[number]) => seriesKey(note, item) ?? item.input_series_id;
  const other = others.find((one) => keyOf(one) === undefined || keyOf(one) !== keyOf(first));
  if (other) {
    const [a, b] = [first, other].map((node) => `“${describeEntry(node, Date.now()).name}”`);
    await say.info(vscode.l10n.t('{0} and {1} are forecasts of different series, so they cannot be compared.', a, b));
    return;
  }
  const items = others.map(({ item }) => item);
  await app.panels.compare({ serviceId: first.serviceId, predictionId: first.id }, first.item, items);
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
