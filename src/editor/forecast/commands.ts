import * as vscode from 'vscode';
import { ServiceError } from '../../client/errors.ts';
import { FORECAST_FILE } from '../../contract/forecast-file.ts';
import type { App } from '../app.ts';
import { COMMANDS, FORECAST_EDITOR } from '../names.ts';
import { forecastAgain, forecastAgainWith } from './again.ts';
import { chooseCountry } from './country.ts';
import { forecastStoredSeries, storedLabel, forecastFiles, forecastWithModel } from './forecast.ts';
import { toggleKept } from './kept.ts';
import { plotFiles } from './plot.ts';
import { forecastSelection } from './selection.ts';
import { insertForecast } from './take-out.ts';
import { forecastWithOptions } from './with-options.ts';
import { say } from '../ui/say.ts';
import type { ResourceNode } from '../views/tree/kinds.ts';
import { chosenPrediction, files, isNode, linked, nodes, predictionRef, type Handlers } from '../arguments.ts';

/** The commands of this folder. */
export const forecastCommands = (app: App) =>
  ({
    forecast: async (argument, selected) => {
      if (isNode(argument, 'series'))
        return forecastStoredSeries(app, argument.id, storedLabel(argument.id, argument.item.name));
      const model = modelOf(app, argument);
      if (model !== undefined) return forecastWithModel(app, model);
      const chosen = await files(argument, selected);
      const isMade = (file: vscode.Uri) => FORECAST_FILE.test(file.path);
      for (const file of chosen.filter(isMade))
        await vscode.commands.executeCommand('vscode.openWith', file, FORECAST_EDITOR);
      return forecastFiles(
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
      for (const node of made) for (const file of fileOf(node)) await toggleKept(app, file, node);
      if (made.length === 0)
        for (const file of await files(predictionRef(uri) || uri === undefined ? fileInFront(app) : uri, selected))
          await toggleKept(app, file);
    },
    forecastAgain: async (ref) => {
      const chosen = linked(app, ref);
      const page = app.forecastFiles.active;
      if (isNode(chosen, 'prediction'))
        await forecastAgain(app, { serviceId: chosen.serviceId, predictionId: chosen.id });
      else if (predictionRef(ref) === undefined && page) await page.run();
      else
        await forecastAgain(app, await chosenPrediction(app, ref, vscode.l10n.t('Forecast Again')), predictionRef(ref));
    },
    forecastAgainWith: (node, selected) => forecastAgainWith(app, nodes(node, selected)),
    plotSeries: async (uri, selected) => {
      const chosen = await files(uri, selected, vscode.l10n.t('Choose a File to Plot'), vscode.l10n.t('Plot'));
      await plotFiles(app, chosen);
    },
    trySample: async (what) => {
      const sample = (name: string) => vscode.Uri.joinPath(app.extensionUri, 'media', 'samples', name);
      // series on which fine-tuning pays
      if (what === 'train')
        await vscode.commands.executeCommand(COMMANDS.createFineTunedModel, sample('promotions.csv'));
      else await forecastFiles(app, [sample('air-passengers.csv')]);
    },
    insertForecast: async (node) =>
      insertForecast(app, await chosenPrediction(app, node, vscode.l10n.t('Insert Forecast'))),
  }) satisfies Handlers;

/** The file that a prediction was made from, if it was. */
function fileOf(node: ResourceNode): vscode.Uri[] {
  const uri = node.kind === 'prediction' ? node.note?.source?.uri : undefined;
  return uri === undefined ? [] : [vscode.Uri.parse(uri)];
}

/** The file of the chart in front. */
function fileInFront({ panels, memory }: App): vscode.Uri | undefined {
  const uri = panels.front && memory.recall(panels.front.serviceId, panels.front.predictionId)?.source?.uri;
  return uri === undefined ? undefined : vscode.Uri.parse(uri);
}

const OTHER_SERVICE = vscode.l10n.t(
  'This model belongs to another service than the one in use. Switch to its service to forecast with it.',
);

/** The model that a row of the views or the link on a model’s page names. @throws ServiceError */
function modelOf(app: App, value: unknown): string | undefined {
  if (isNode(value, 'baseModel') || isNode(value, 'fineTunedModel')) return value.id;
  if (typeof value !== 'object' || value === null || !('modelId' in value) || !('serviceId' in value)) return undefined;
  if (typeof value.modelId !== 'string') return undefined;
  if (value.serviceId !== app.connection.current.id) throw new ServiceError('refused', OTHER_SERVICE);
  return value.modelId;
}
