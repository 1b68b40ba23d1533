import * as vscode from 'vscode';
import type { App } from '../app.ts';
import { type Handlers, isNode, nodes } from '../arguments.ts';
import { targets } from '../files/document.ts';
import { showFileFailure } from '../ui/failure.ts';
import { createFineTunedModel } from './fine-tune.ts';

/** The commands of this folder. */
export const trainingCommands = (app: App) =>
  ({
    createFineTunedModel: async (argument, selected) => {
      const datasets = nodes(argument, selected).filter((node) => isNode(node, 'dataset'));
      const label = datasets.map(({ item, id }) => item.name ?? id).join(', ');
      const files = argument instanceof vscode.Uri ? targets(argument, selected) : [];
      const stored = { label, datasetIds: datasets.map(({ id }) => id) };
      try {
        await createFineTunedModel(app, datasets.length > 0 ? { stored } : { files });
      } catch (error) {
        if (files.length === 0) throw error;
        await showFileFailure(app, files[0], error);
      }
    },
  }) satisfies Handlers;
