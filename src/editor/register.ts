import * as vscode from 'vscode';
import { isPassing, ServiceError } from '../client/errors.ts';
import { FORECAST_FILE } from '../contract/forecast-file.ts';
import { COMMANDS, FORECAST_EDITOR, VIEWS } from './connection/names.ts';
import { deleteResources, undoDeletion } from './deletions/delete.ts';
import { saveForecastFile } from './forecast-file/save.ts';
import { compareSelected, filterPredictions, groupPredictions, pin, rename } from './views/tree/manage.ts';
import { say } from './ui/say.ts';
import { canDelete, isUsable, type Node, type ResourceNode } from './views/tree/node.ts';
import type { App } from './app.ts';
import type { PredictionRef } from './views/chart/protocol.ts';
import { askForFiles } from './files/ask-for-files.ts';
import { seriesFilesOf } from './files/series-files.ts';
import { targets } from './files/document.ts';
import { showFailure, showFileFailure, tryAgain } from './ui/failure.ts';
import { createFineTunedModel } from './training/fine-tune.ts';
import { forecastStoredSeries } from './forecast/create.ts';
import { chooseCountry } from './forecast/country.ts';
import { forecastFiles, forecastWithModel, takeTotals } from './forecast/forecast.ts';
import { forecastWithOptions } from './forecast/with-options.ts';
import { keepAsMade, keepUpToDate, stopKeeping } from './forecast/kept.ts';
import { plotFiles, plotStored } from './forecast/plot.ts';
import { Reports } from './ui/reports.ts';
import { choosePrediction, copySecret, createDataset, createKey, showJobData } from './resources.ts';
import { browseDataset, forecastAll } from './many-series/forecast-all.ts';
import { type Changes, forecastAgain, forecastAgainWith } from './forecast/again.ts';
import { copyRequest, insertForecast, saveWorkbook } from './forecast/take-out.ts';
import { forecastSelection } from './forecast/selection.ts';
import { changeAddress } from './services/address.ts';
import { checkServiceInUse, switchService } from './services/switch.ts';
import { setToken, signOut, useKey } from './services/token.ts';
import { manageStorage, repairStorage } from './storage.ts';

type Handler = (argument: unknown, selected: unknown) => unknown;

/** Registers every command. A failure of any of them ends in one sentence for the person. */
export function registerCommands(app: App): vscode.Disposable {
  const reports = new Reports();
  const handlers: Record<keyof typeof COMMANDS, Handler> = {
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
    forecastAll: async (uri, selected) => {
      const chosen = await files(uri, selected);
      if (chosen.length > 0) await forecastAll(app, chosen);
    },
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
    browseForecasts: (node) => (isNode(node, 'dataset') ? browseDataset(app, node) : undefined),
    forecastAgain: (ref) => {
      const chosen = linked(app, ref);
      const wanted = isNode(chosen, 'prediction')
        ? { serviceId: chosen.serviceId, predictionId: chosen.id }
        : predictionRef(ref);
      return wanted && forecastAgain(app, wanted, wanted);
    },
    plotSeries: async (node, selected) => {
      if (isNode(node, 'series')) plotStored(app, node);
      else
        await plotFiles(
          app,
          await files(node, selected, vscode.l10n.t('Choose a File to Plot'), vscode.l10n.t('Plot')),
        );
    },
    forecastSeries: (node) => (isNode(node, 'series') ? forecastStoredSeries(app, node) : undefined),
    openModel: (argument) => {
      const node = linked(app, argument);
      if (isNode(node, 'fineTunedModel')) app.modelPanels.open(node.serviceId, node.item, isUsable(node));
    },
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
    trySample: async () => {
      const sample = vscode.Uri.joinPath(app.extensionUri, 'media', 'samples', 'air-passengers.csv');
      await forecastFiles(app, [sample]);
    },
    createFineTunedModel: async (argument, selected) => {
      const datasets = nodes(argument, selected).filter((node) => isNode(node, 'dataset'));
      if (datasets.length > 0) await createFineTunedModel(app, { datasets });
      else if (argument instanceof vscode.Uri) await trainOnFiles(app, targets(argument, selected));
      else await createFineTunedModel(app, {});
    },
    createDataset: async (uri, selected) => {
      const chosen = await files(uri, selected, vscode.l10n.t('Choose a File to Store as a Dataset'));
      for (const file of await seriesFilesOf(chosen)) await createDataset(app, file);
    },
    createKey: () => createKey(app),
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
    forecastAgainWith: (node, selected) => forecastAgainWith(app, nodes(node, selected)),
    copyRequest: async (node) => copyRequest(app, await chosenPrediction(app, node, vscode.l10n.t('Copy Request'))),
    saveWorkbook: async (node) =>
      saveWorkbook(app, await chosenPrediction(app, node, vscode.l10n.t('Save Forecast as Excel'))),
    saveForecastFile: async (node) =>
      saveForecastFile(app, await chosenPrediction(app, node, vscode.l10n.t('Save as Forecast File'))),
    runAgain: () => app.forecastFiles.runActive(),
    showAsChart: async (uri) => {
      const [file] = targets(uri, undefined);
      if (file) await vscode.commands.executeCommand('vscode.openWith', file, FORECAST_EDITOR);
    },
    insertForecast: async (node) =>
      insertForecast(app, await chosenPrediction(app, node, vscode.l10n.t('Insert Forecast'))),
    copyId: async (node) => {
      const [chosen] = nodes(node, undefined);
      const id = chosen ? chosen.id : (await choosePrediction(app, vscode.l10n.t('Copy ID'))).prediction.id;
      await vscode.env.clipboard.writeText(id);
    },
    copySecret: async (node) => {
      const [chosen] = nodes(node, undefined);
      if (chosen) await copySecret(chosen);
    },
    undoDelete: () => undoDeletion(app),
    // the key names its view, whose selection is meant
    delete: async (node, selected) => {
      const view = typeof node === 'string' ? app.trees.get(node)?.view : undefined;
      await deleteResources(app, (view ? view.selection.filter(isResource) : nodes(node, selected)).filter(canDelete));
    },
    setToken: () => setToken(app),
    signOut: () => signOut(app),
    switchService: () => switchService(app),
    changeAddress: () => changeAddress(app),
    checkService: () => checkServiceInUse(app, reports),
    manageStorage: () => manageStorage(app),
    repairStorage: () => repairStorage(app),
    showJobData: () => showJobData(app, true),
    hideJobData: () => showJobData(app, false),
    useKey: async (node) => {
      const [chosen] = nodes(node, undefined);
      if (chosen) await useKey(app, chosen);
    },
    takeTotals: async (uri) => {
      if (uri instanceof vscode.Uri) await takeTotals(app, uri);
    },
    clearProblems: () => {
      app.problems.clear();
    },
    showLog: () => {
      app.log.show();
    },
  };
  const registered = Object.entries(handlers).map(([name, handler]) =>
    vscode.commands.registerCommand(
      COMMANDS[name as keyof typeof COMMANDS],
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

const OTHER_SERVICE = vscode.l10n.t(
  'This model belongs to another service than the one in use. Switch to its service to forecast with it.',
);

/** What the link on a model’s page names. */
function modelLink(value: unknown): { serviceId: string; modelId: string } | undefined {
  if (typeof value !== 'object' || value === null || !('modelId' in value) || !('serviceId' in value)) return undefined;
  const { modelId, serviceId } = value;
  return typeof modelId === 'string' && typeof serviceId === 'string' ? { modelId, serviceId } : undefined;
}

/** What a button on the chart of a prediction names. */
function predictionRef(value: unknown): (PredictionRef & Changes) | undefined {
  if (typeof value !== 'object' || value === null || !('predictionId' in value) || !('serviceId' in value)) return;
  const { predictionId, serviceId } = value;
  if (typeof predictionId !== 'string' || typeof serviceId !== 'string') return;
  const model = 'model' in value && typeof value.model === 'string' ? value.model : undefined;
  const horizon = 'horizon' in value && typeof value.horizon === 'number' ? value.horizon : undefined;
  const bands = 'bands' in value && Array.isArray(value.bands) ? (value.bands as number[]) : undefined;
  const isOtherModel = 'isOtherModel' in value && value.isOtherModel === true;
  const covariates =
    'covariates' in value && Array.isArray(value.covariates) ? (value.covariates as string[]) : undefined;
  const areColumnsChosen = 'areColumnsChosen' in value && value.areColumnsChosen === true;
  return { predictionId, serviceId, model, isOtherModel, horizon, bands, covariates, areColumnsChosen };
}

/** The prediction a command is for; asked for where there is none. @throws Cancelled, ServiceError */
async function chosenPrediction(app: App, argument: unknown, title: string): Promise<PredictionRef> {
  const named = predictionRef(argument);
  if (named) return { serviceId: named.serviceId, predictionId: named.predictionId };
  if (isNode(argument, 'prediction')) return { serviceId: argument.serviceId, predictionId: argument.id };
  const { serviceId, prediction } = await choosePrediction(app, title);
  return { serviceId, predictionId: prediction.id };
}

async function trainOnFiles(app: App, files: readonly vscode.Uri[]): Promise<void> {
  try {
    await createFineTunedModel(app, { files });
  } catch (error) {
    await showFileFailure(app, files[0], error);
  }
}

/** The files a command is for; asked for where there are none. */
async function files(
  uri: unknown,
  selected: unknown,
  title = vscode.l10n.t('Choose a File to Forecast'),
  button?: string,
): Promise<vscode.Uri[]> {
  const found = targets(uri, selected);
  return found.length > 0 ? found : askForFiles(title, button);
}

const isResource = (node: unknown): node is ResourceNode =>
  typeof node === 'object' && node !== null && 'kind' in node && 'item' in node && 'serviceId' in node;

function isNode<K extends ResourceNode['kind']>(node: unknown, kind: K): node is ResourceNode & { kind: K } {
  return isResource(node) && node.kind === kind;
}

/** The entry that a command is for: itself, or by the link of a hover. */
function linked(app: App, argument: unknown): ResourceNode | undefined {
  if (isResource(argument)) return argument;
  if (typeof argument !== 'object' || argument === null || !('id' in argument)) return undefined;
  const entries = [...app.trees.values()].flatMap((tree) => tree.entries);
  return entries.find(({ id }) => id === argument.id);
}

/** The file that a prediction was made from, if it was. */
function fileOf(node: ResourceNode): vscode.Uri[] {
  const uri = node.kind === 'prediction' ? node.note?.source?.uri : undefined;
  return uri === undefined ? [] : [vscode.Uri.parse(uri)];
}

/** The tree nodes a command is for: the selected ones, or the one it was called on. */
function nodes(node: unknown, selected: unknown): ResourceNode[] {
  const several: unknown[] = Array.isArray(selected) && selected.length > 0 ? (selected as unknown[]) : [node];
  return several.filter(isResource);
}
