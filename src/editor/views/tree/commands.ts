import * as vscode from 'vscode';
import type { App } from '../../app.ts';
import { copyOfKey, toggleJobData } from '../../resources.ts';
import { showFailure, tryAgain } from '../../ui/failure.ts';
import { compareSelected, filterPredictions, groupPredictions, rename, togglePins } from './manage.ts';
import type { Node } from './node.ts';
import { chosenPrediction, isNode, nodes, predictionNode, type Handlers } from '../../arguments.ts';

/** The commands of this folder. */
export const treeCommands = (app: App) =>
  ({
    refresh: async () => {
      if (!(await app.connection.missing())) app.connection.again();
      await Promise.all([...app.trees.values()].map((tree) => tree.refresh()));
    },
    loadMore: async (node) => {
      const more = node as Node | undefined;
      if (more?.kind === 'more') await app.trees.get(more.viewId)?.loadMore(more);
    },
    explainProblem: async (node) => {
      const problem = node as Node | undefined;
      if (problem?.kind === 'problem') await showFailure(app, problem.error, tryAgain);
    },
    rename: async (node) => {
      const [chosen] = nodes(node, undefined);
      await rename(app, chosen ?? (await predictionNode(app, node, vscode.l10n.t('Rename'))));
    },
    compareSelected: (node, selected) =>
      isNode(node, 'prediction') ? compareSelected(app, node, nodes(node, selected)) : undefined,
    pin: async (node, selected) => {
      const chosen = nodes(node, selected);
      togglePins(app, chosen.length > 0 ? chosen : [await predictionNode(app, node, vscode.l10n.t('Pin'))]);
    },
    filterPredictions: () => filterPredictions(app),
    groupPredictions: () => groupPredictions(app),
    toggleJobData: () => toggleJobData(app),
    copyId: async (node) => {
      const [chosen] = nodes(node, undefined);
      if (chosen?.kind === 'key' && chosen.item.secret !== undefined) return copyOfKey(chosen);
      const id = chosen?.id ?? (await chosenPrediction(app, node, vscode.l10n.t('Copy ID'))).predictionId;
      return vscode.env.clipboard.writeText(id);
    },
  }) satisfies Handlers;
