import * as vscode from 'vscode';
import { isGone } from '../../client/errors.ts';
import type { App } from '../app.ts';
import { VIEWS } from '../names.ts';
import { inBackground, say, showFailure } from '../ui/say.ts';
import { canDelete, describeEntry, kindOf, type ResourceNode } from '../views/tree/kinds.ts';
import { deleteEach, type DeletionItem, type PendingOptions } from './pending.ts';

type Undoable = ResourceNode & { readonly kind: DeletionItem['kind'] };

const MOST_NAMED = 3;

/** Deletes resources of one view: keys at once, all else with Undo. Predictions are not confirmed. @throws ServiceError */
export async function deleteResources(app: App, chosen: readonly ResourceNode[]): Promise<void> {
  const all = chosen.filter(canDelete);
  if (all.length === 0) return;
  const names = all.slice(0, MOST_NAMED).map((node) => `“${describeEntry(node).label}”`);
  const more = all.length - names.length;
  const named = more > 0 ? vscode.l10n.t('{0} and {1} more', names.join(', '), String(more)) : names.join(', ');
  const [{ kind }] = all;
  const question =
    kind === 'key' ? vscode.l10n.t('Delete {0}? This cannot be undone.', named) : vscode.l10n.t('Delete {0}?', named);
  if (kind !== 'prediction' && !(await say.confirm(question, vscode.l10n.t('Delete')))) return;
  const undoable = all.filter((node): node is Undoable => node.kind !== 'key');
  if (undoable.length > 0) {
    inBackground(app.log, deleteLater(app, undoable, named));
    return;
  }
  try {
    await deleteEach(all, (node) => deleteAtService(app, node));
  } finally {
    await app.trees.get(VIEWS.keys)?.refresh();
  }
}

async function deleteAtService(
  { connection }: App,
  { serviceId, kind, id }: Pick<ResourceNode, 'serviceId' | 'kind' | 'id'>,
  signal?: AbortSignal,
): Promise<void> {
  const { deletion } = kindOf({ kind });
  if (deletion) await connection.session(serviceId)?.client.delete(deletion, id, signal);
}

async function deleteLater(app: App, all: readonly Undoable[], named: string): Promise<void> {
  const open = all.filter((node) => pageOf(app, node)?.close());
  const items = all.map(({ serviceId, kind, id }) => ({ serviceId, kind, id }));
  const pending = app.deletions.add(items, () => {
    for (const node of open) pageOf(app, node)?.open();
  });
  const text = all.length === 1 ? vscode.l10n.t('{0} was deleted.', named) : vscode.l10n.t('{0} were deleted.', named);
  if (await say.info(text, vscode.l10n.t('Undo'))) await undoDeletion(app, pending);
  else await app.deletions.commit(pending);
}

function pageOf({ panels, modelPages }: App, { kind, serviceId, id, item }: Undoable) {
  if (kind === 'dataset') return undefined;
  if (kind === 'prediction') {
    const ref = { serviceId, predictionId: id };
    return { close: () => panels.close(ref), open: () => panels.open(ref, item, { preserveFocus: true }) };
  }
  const ref = { serviceId, modelId: id };
  return { close: () => modelPages.close(ref), open: () => modelPages.open(ref, item) };
}

export async function undoDeletion(app: App, pending = app.deletions.latest): Promise<void> {
  if (pending !== undefined && app.deletions.undo(pending)) return;
  await say.info(vscode.l10n.t('There is no deletion to undo. Deletions become permanent after 20 seconds.'));
}

export const deletionsOf = (app: () => App): Pick<PendingOptions, 'remove' | 'onDone'> => ({
  remove: async (item, signal) => {
    try {
      await deleteAtService(app(), item, signal);
    } catch (error) {
      if (!isGone(error)) throw error;
    }
    if (item.kind === 'fineTunedModel') app().madeModels.forget(item.serviceId, item.id);
  },
  onDone: async (items, problem) => {
    const views = new Set(items.map((item) => kindOf(item).view));
    await Promise.all([...views].map((view) => app().trees.get(view)?.refresh()));
    if (problem !== undefined) inBackground(app().log, showFailure(app(), problem));
  },
});
