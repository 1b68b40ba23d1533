import * as vscode from 'vscode';
import { isGone } from '../../client/errors.ts';
import type { App } from '../app.ts';
import { VIEWS } from '../names.ts';
import { inBackground } from '../ui/background.ts';
import { showFailure } from '../ui/failure.ts';
import { say } from '../ui/say.ts';
import { describeEntry } from '../views/tree/describe.ts';
import { DELETIONS, isUsable, type ResourceNode } from '../views/tree/node.ts';
import { deleteEach } from './each.ts';
import type { DeletionItem, HeldOptions } from './held.ts';

/** What is asked before; predictions are made again in a second, so nothing is asked of them. */
const QUESTIONS = {
  fineTunedModel: {
    one: (name: string) => vscode.l10n.t('Delete the model {0}?', name),
    many: (count: number, names: string) => vscode.l10n.t('Delete {0} models: {1}?', count, names),
  },
  dataset: {
    one: (name: string) => vscode.l10n.t('Delete the dataset {0}?', name),
    many: (count: number, names: string) => vscode.l10n.t('Delete {0} datasets: {1}?', count, names),
  },
  key: {
    one: (name: string) => vscode.l10n.t('Delete the key {0}? This cannot be undone.', name),
    many: (count: number, names: string) => vscode.l10n.t('Delete {0} keys: {1}? This cannot be undone.', count, names),
  },
} as const;

const DONE = {
  prediction: {
    one: (name: string) => vscode.l10n.t('The prediction {0} was deleted.', name),
    many: (count: number) => vscode.l10n.t('{0} predictions were deleted.', count),
  },
  fineTunedModel: {
    one: (name: string) => vscode.l10n.t('The model {0} was deleted.', name),
    many: (count: number) => vscode.l10n.t('{0} models were deleted.', count),
  },
  dataset: {
    one: (name: string) => vscode.l10n.t('The dataset {0} was deleted.', name),
    many: (count: number) => vscode.l10n.t('{0} datasets were deleted.', count),
  },
} as const;

const VIEW_OF = {
  prediction: VIEWS.predictions,
  fineTunedModel: VIEWS.models,
  dataset: VIEWS.datasets,
  key: VIEWS.keys,
} as const;

type Deletable = ResourceNode & { readonly kind: keyof typeof DELETIONS };
type Undoable = ResourceNode & { readonly kind: DeletionItem['kind'] };
const isDeletable = (node: ResourceNode): node is Deletable => node.kind in DELETIONS;
const isUndoable = (node: Deletable): node is Undoable => node.kind !== 'key';

/** Labels that a question names before it only counts the rest. */
const MOST_NAMED = 3;

function namesOf(nodes: readonly ResourceNode[]): string {
  const labels = nodes.slice(0, MOST_NAMED).map((node) => `“${describeEntry(node, Date.now()).label}”`);
  const more = nodes.length - labels.length;
  return more > 0 ? vscode.l10n.t('{0} and {1} more', labels.join(', '), String(more)) : labels.join(', ');
}

/**
 * Deletes resources of one view. Keys go at once, after a question, as one that was given away must not stay. All else can
 * be undone for some seconds, several things by one Undo. @throws ServiceError
 */
export async function deleteResources(app: App, chosen: readonly ResourceNode[]): Promise<void> {
  const nodes = chosen.filter(isDeletable);
  if (nodes.length === 0) return;
  const { kind } = nodes[0];
  const named = namesOf(nodes);
  if (kind !== 'prediction') {
    const { one, many } = QUESTIONS[kind];
    const question = nodes.length === 1 ? one(named) : many(nodes.length, named);
    if (!(await say.confirm(question, vscode.l10n.t('Delete')))) return;
  }
  const undoable = nodes.filter(isUndoable);
  if (undoable.length > 0) {
    inBackground(app.log, hold(app, undoable, named));
    return;
  }
  try {
    await deleteEach(nodes, async ({ serviceId, kind: one, id }) => {
      await app.connection.session(serviceId)?.client.delete(DELETIONS[one], id);
    });
  } finally {
    await app.trees.get(VIEWS.keys)?.refresh();
  }
}

async function hold(app: App, nodes: readonly Undoable[], named: string): Promise<void> {
  const open = nodes.filter((node) => closePage(app, node));
  const items = nodes.map(({ serviceId, kind, id }) => ({ serviceId, kind, id }));
  const held = app.deletions.hold(items, () => {
    for (const node of open) openPage(app, node);
  });
  const { one, many } = DONE[nodes[0].kind];
  const undo = vscode.l10n.t('Undo');
  const answer = await say.info(nodes.length === 1 ? one(named) : many(nodes.length), undo);
  if (answer === undo) await undoDeletion(app, held);
  else await app.deletions.commit(held);
}

/** Undoes a deletion, where it is not too late. @param held the newest one where it is left out */
export async function undoDeletion(app: App, held = app.deletions.latest): Promise<void> {
  if (held !== undefined && app.deletions.undo(held)) return;
  await say.info(vscode.l10n.t('There is no deletion that can still be undone: after 20 seconds it is for good.'));
}

/** @returns whether it was open */
function closePage(app: App, { kind, serviceId, id }: Undoable): boolean {
  if (kind === 'fineTunedModel') return app.modelPanels.close({ serviceId, modelId: id, isUsableAnyway: false });
  return kind === 'prediction' && app.panels.close({ serviceId, predictionId: id });
}

function openPage(app: App, node: Undoable): void {
  const { serviceId, id } = node;
  if (node.kind === 'fineTunedModel') app.modelPanels.show(serviceId, node.item, isUsable(node));
  else if (node.kind === 'prediction') app.panels.open({ serviceId, predictionId: id }, node.item, true);
}

/** What holding deletions needs of the extension. */
export const deletionDeeds = (app: () => App): Pick<HeldOptions, 'remove' | 'onDone'> => ({
  remove: async ({ serviceId, kind, id }, signal) => {
    const { connection, madeModels } = app();
    try {
      await connection.session(serviceId)?.client.delete(DELETIONS[kind], id, signal);
    } catch (error) {
      if (!isGone(error)) throw error;
    }
    if (kind === 'fineTunedModel') await madeModels.forget(serviceId, id);
  },
  onDone: async (items, problem) => {
    const views = new Set(items.map(({ kind }) => VIEW_OF[kind]));
    await Promise.all([...views].map((view) => app().trees.get(view)?.refresh()));
    if (problem !== undefined) inBackground(app().log, showFailure(app(), problem));
  },
});
