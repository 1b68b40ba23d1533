import type { App } from '../app.ts';
import { deleteResources, undoDeletion } from './delete.ts';
import { canDelete } from '../views/tree/node.ts';
import { isResource, nodes, type Handlers } from '../arguments.ts';

/** The commands of this folder. */
export const deletionCommands = (app: App) =>
  ({
    // the key names its view, whose selection is meant
    delete: async (node, selected) => {
      const view = typeof node === 'string' ? app.trees.get(node)?.view : undefined;
      await deleteResources(app, (view ? view.selection.filter(isResource) : nodes(node, selected)).filter(canDelete));
    },
    undoDelete: () => undoDeletion(app),
  }) satisfies Handlers;
