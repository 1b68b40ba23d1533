import * as vscode from 'vscode';
import type { App } from '../app.ts';
import { seriesFilesOf } from './find-files.ts';
import { createDataset } from '../resources.ts';
import { withPatience } from '../ui/progress.ts';
import { files, type Handlers } from '../arguments.ts';

/** The commands of this folder. */
export const fileCommands = (app: App) =>
  ({
    createDataset: async (uri, selected) => {
      const chosen = await files(uri, selected, vscode.l10n.t('Choose a File to Store as a Dataset'));
      const found = await withPatience(vscode.l10n.t('Looking for series files'), (signal) =>
        seriesFilesOf(chosen, signal),
      );
      for (const file of found) await createDataset(app, file);
    },
    showReading: async (uri, selected) => {
      const title = vscode.l10n.t('Choose a File to Show How It Is Read');
      for (const file of await files(uri, selected, title, vscode.l10n.t('Show')))
        app.readings.open({ uri: file.toString() });
    },
    clearProblems: () => {
      app.problems.clear();
    },
  }) satisfies Handlers;
