import * as vscode from 'vscode';
import { isPassing } from '../client/errors.ts';
import type { App } from './app.ts';
import { chosenPrediction, files, type Handler } from './arguments.ts';
import { asOf, exportForecast } from './export.ts';
import { open } from './open.ts';
import { COMMANDS, ROWS } from './names.ts';
import { deletionCommands } from './deletions/delete.ts';
import { fileCommands } from './files/commands.ts';
import { forecastCommands } from './forecast/commands.ts';
import { forecastAll } from './many-series/forecast-all.ts';
import { serviceCommands } from './services/commands.ts';
import { trainingCommands } from './training/commands.ts';
import { showFailure } from './ui/failure.ts';
import { Reports } from './ui/reports.ts';
import { treeCommands } from './views/tree/commands.ts';

/** Registers every command. A failure of any of them ends in one sentence for the person. */
export function registerCommands(app: App): vscode.Disposable {
  const reports = new Reports();
  const handlers: Record<keyof typeof COMMANDS | keyof typeof ROWS, Handler> = {
    ...forecastCommands(app),
    ...fileCommands(app),
    ...trainingCommands(app),
    ...treeCommands(app),
    ...deletionCommands(app),
    ...serviceCommands(app, reports),
    forecastAll: async (uri, selected) => {
      const chosen = await files(uri, selected);
      if (chosen.length > 0) await forecastAll(app, chosen);
    },
    open: (argument) => open(app, argument),
    export: async (argument) => {
      const ref = await chosenPrediction(app, argument, vscode.l10n.t('Export Forecast'));
      await exportForecast(app, ref, asOf(argument));
    },
    showLog: () => {
      app.log.show();
    },
  };
  const registered = Object.entries(handlers).map(([name, handler]) =>
    vscode.commands.registerCommand(
      { ...COMMANDS, ...ROWS }[name as keyof typeof handlers],
      async (argument: unknown, selected: unknown) => {
        try {
          await handler(argument, selected);
        } catch (error) {
          const again = { label: vscode.l10n.t('Try Again'), go: () => handler(argument, selected) };
          await showFailure(app, error, ...(isPassing(error) ? [again] : []));
        }
      },
    ),
  );
  return vscode.Disposable.from(reports, ...registered);
}
