import * as vscode from 'vscode';
import type { App } from '../../app.ts';
import { VIEWS } from '../../names.ts';
import { choosePrediction, showJobData } from '../../resources.ts';
import { showFailure, tryAgain } from '../../ui/failure.ts';
import { compareSelected, filterPredictions, groupPredictions, pin, rename } from './manage.ts';
import { isUsable, type Node } from './node.ts';
import { isNode, linked, nodes, type Handlers } from '../../arguments.ts';

/** The commands of this folder. */
export const treeCommands = (app: App) =>
  ({
    refresh: async () => {
      if (!(await app.connection.missing())) app.connection.client().forgetCapabilities();
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
    openChart: async (node) => {
      const chosen = linked(app, node);
      if (isNode(chosen, 'prediction')) {
        // the focus stays in the view, so that the next key is for its row
        app.panels.open({ serviceId: chosen.serviceId, predictionId: chosen.id }, chosen.item, true);
      } else {
        const { serviceId, prediction } = await choosePrediction(app, vscode.l10n.t('Open Chart'));
        app.panels.open({ serviceId, predictionId: prediction.id }, prediction);
      }
    },
    openModel: (argument) => {
      const node = linked(app, argument);
      if (isNode(node, 'fineTunedModel')) app.modelPanels.open(node.serviceId, node.item, isUsable(node));
    },
    rename: async (node) => {
      const [chosen] = nodes(node, undefined);
      if (chosen) await rename(app, chosen);
    },
    compareSelected: (node, selected) =>
      isNode(node, 'prediction') ? compareSelected(app, node, nodes(node, selected)) : undefined,
    pin: (node, selected) => pin(app, nodes(node, selected), true),
    unpin: (node, selected) => pin(app, nodes(node, selected), false),
    filterPredictions: () => filterPredictions(app),
    clearFilter: () => app.trees.get(VIEWS.predictions)?.setFilter(''),
    groupPredictions: () => groupPredictions(app),
    showJobData: () => showJobData(app, true),
    hideJobData: () => showJobData(app, false),
    copyId: async (node) => {
      const [chosen] = nodes(node, undefined);
      const id = chosen ? chosen.id : (await choosePrediction(app, vscode.l10n.t('Copy ID'))).prediction.id;
      await vscode.env.clipboard.writeText(id);
    },
  }) satisfies Handlers;
