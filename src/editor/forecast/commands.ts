import * as vscode from 'vscode';
import { ServiceError } from '../../client/errors.ts';
import { FORECAST_FILE } from '../../contract/forecast-file.ts';
import type { App } from '../app.ts';
import { COMMANDS, FORECAST_EDITOR } from '../names.ts';
import { forecastAgain, forecastAgainWith } from './again.ts';
import { chooseCountry } from './country.ts';
import { forecastStoredSeries } from './stored.ts';
import { forecastFiles, forecastWithModel, takeTotals } from './forecast.ts';
import { keepAsMade, keepUpToDate, stopKeeping } from './kept.ts';
import { plotFiles, plotStored } from './plot.ts';
import { forecastSelection } from './selection.ts';
import { copyRequest, insertForecast, saveWorkbook } from './take-out.ts';
import { forecastWithOptions } from './with-options.ts';
import { say } from '../ui/say.ts';
import type { ResourceNode } from '../views/tree/node.ts';
import { chosenPrediction, files, isNode, linked, nodes, predictionRef, type Handlers } from '../arguments.ts';

/** The commands of this folder. */
export const forecastCommands = (app: App) =>
  ({
    forecast: async (uri, selected) => {
      const chosen = await files(uri, selected);
      const isMade = (file: vscode.Uri) => FORECAST_FILE.test(file.path);
      for (const file of chosen.filter(isMade))
        await vscode.commands.executeCommand('vscode.openWith', file, FORECAST_EDITOR);
      await forecastFiles(
        app,
        chosen.filter((file) => !isMade(file)),
      );
    },
    forecastWithOptions: async (uri, selected) => {
      for (const file of await files(uri, selected)) await forecastWithOptions(app, file);
    },
    forecastSelection: async () => {
      const editor = vscode.window.activeTextEditor;
      if (editor) await forecastSelection(app, editor);
      else await say.info(vscode.l10n.t('Open a file and select the rows to forecast.'));
    },
    chooseHolidays: () => chooseCountry(app),
    keepUpToDate: async (uri, selected) => {
      const made = nodes(uri, selected).filter((node) => node.kind === 'prediction');
      for (const node of made) for (const file of fileOf(node)) await keepAsMade(app, file, node);
      if (made.length === 0) for (const file of await files(uri, selected)) await keepUpToDate(app, file);
    },
    stopKeeping: async (argument, selected) => {
      const own = argument instanceof vscode.Uri ? [argument] : nodes(argument, selected).flatMap(fileOf);
      for (const file of own) await stopKeeping(app, file);
      if (own.length === 0) await stopKeeping(app);
    },
    forecastAgain: (ref) => {
      const chosen = linked(app, ref);
      const wanted = isNode(chosen, 'prediction')
        ? { serviceId: chosen.serviceId, predictionId: chosen.id }
        : predictionRef(ref);
      return wanted && forecastAgain(app, wanted, wanted);
    },
    forecastAgainWith: (node, selected) => forecastAgainWith(app, nodes(node, selected)),
    plotSeries: async (node, selected) => {
      if (isNode(node, 'series')) plotStored(app, node);
      else
        await plotFiles(
          app,
          await files(node, selected, vscode.l10n.t('Choose a File to Plot'), vscode.l10n.t('Plot')),
        );
    },
    forecastSeries: (node) => (isNode(node, 'series') ? forecastStoredSeries(app, node) : undefined),
    forecastWithModel: async (node) => {
      const link = modelLink(node);
      if (link) {
        if (link.serviceId !== app.connection.current.id) throw new ServiceError('refused', OTHER_SERVICE);
        await forecastWithModel(app, link.modelId);
      }
      if (isNode(node, 'baseModel') || isNode(node, 'fineTunedModel')) {
        await forecastWithModel(app, node.id);
      }
    },
    trySample: async (what) => {
      const sample = (name: string) => vscode.Uri.joinPath(app.extensionUri, 'media', 'samples', name);
      // series on which fine-tuning pays
      if (what === 'train')
        await vscode.commands.executeCommand(COMMANDS.createFineTunedModel, sample('promotions.csv'));
      else await forecastFiles(app, [sample('air-passengers.csv')]);
    },
    takeTotals: async (uri) => {
      if (uri instanceof vscode.Uri) await takeTotals(app, uri);
    },
    copyRequest: async (node) => copyRequest(app, await chosenPrediction(app, node, vscode.l10n.t('Copy Request'))),
    saveWorkbook: async (node) =>
      saveWorkbook(app, await chosenPrediction(app, node, vscode.l10n.t('Save Forecast as Excel'))),
    insertForecast: async (node) =>
      insertForecast(app, await chosenPrediction(app, node, vscode.l10n.t('Insert Forecast'))),
  }) satisfies Handlers;

/** The file that a prediction was made from, if it was. */
function fileOf(node: ResourceNode): vscode.Uri[] {
  const uri = node.kind === 'prediction' ? node.note?.source?.uri : undefined;
  return uri === undefined ? [] : [vscode.Uri.parse(uri)];
}

const OTHER_SERVICE = vscode.l10n.t(
  'This model belongs to another service than the one in use. Switch to its service to forecast with it.',
);

/** What the link on a model’s page names. */
function modelLink(value: unknown): { serviceId: string; modelId: string } | undefined {
  if (typeof value !== 'object' || value === null || !('modelId' in value) || !('serviceId' in value)) return undefined;
  const { modelId, serviceId } = value;
  return typeof modelId === 'string' && typeof serviceId === 'string' ? { modelId, serviceId } : undefined;
}
