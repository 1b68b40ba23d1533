import * as vscode from 'vscode';
import type { App } from '../app.ts';
import { targets } from '../files/document.ts';
import { createFineTunedModel } from './fine-tune.ts';
import { showFileFailure } from '../ui/failure.ts';
import { isNode, nodes, type Handlers } from '../arguments.ts';

/** The commands of this folder. */
export const trainingCommands = (app: App) =>
  ({
    createFineTunedModel: async (argument, selected) => {
      const datasets = nodes(argument, selected).filter((node) => isNode(node, 'dataset'));
      if (datasets.length > 0) await createFineTunedModel(app, { datasets });
      else if (argument instanceof vscode.Uri) await trainOnFiles(app, targets(argument, selected));
      else await createFineTunedModel(app, {});
    },
  }) satisfies Handlers;

async function trainOnFiles(app: App, files: readonly vscode.Uri[]): Promise<void> {
  try {
    await createFineTunedModel(app, { files });
  } catch (error) {
    await showFileFailure(app, files[0], error);
  }
}
