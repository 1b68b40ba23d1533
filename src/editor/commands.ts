import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { ServiceError } from '../client/errors.ts';
import { FORECAST_FILE } from '../contract/forecast-file.ts';
import type { LocalPrediction } from '../contract/resources.ts';
import type { App } from './app.ts';
import { plotFiles, plotStored } from './charts/plots.ts';
import { targets } from './files/document.ts';
import { askForFiles, createDataset, seriesFilesOf } from './files/sources.ts';
import * as forecasts from './forecast/forecast.ts';
import { chooseCountry } from './forecast/country.ts';
import { toggleKept } from './forecast/kept.ts';
import { readOne } from './request/forecaster.ts';
import { forecastSelection } from './forecast/selection.ts';
import { exportForecast, insertForecast } from './forecast/export.ts';
import { forecastWithOptions } from './forecast/with-options.ts';
import { browseDataset, forecastAll, openRun } from './many-series/forecast-all.ts';
import { COMMANDS, FORECAST_EDITOR } from './names.ts';
import * as services from './services/services.ts';
import { createFineTunedModel } from './training/fine-tune.ts';
import {
  ADDRESS_ALONE,
  attempt,
  Cancelled,
  REPAIR,
  say,
  showFailure,
  showFileFailure,
  tryAgain,
  withProgress,
} from './ui/say.ts';
import { pagesOf } from './ui/paged-list.ts';
import { alone, pickOne } from './ui/steps.ts';
import type { PredictionRef } from './views/chart/protocol.ts';
import { isRecord } from './views/shared/protocol.ts';
import { compareSelected, copyId, filter, group, rename, togglePins } from './views/tree/actions.ts';
import { describeEntry, type Group, type Node, type ResourceNode } from './views/tree/kinds.ts';
import { showJobData, showsJobData } from './views/tree/sources.ts';

/** @param argument a file, an entry of a view, or the argument of a button @param selected the whole selection */
type Handler = (argument: unknown, selected: unknown) => unknown;

/** Every command by its ID without `forecasts.`; package.json has its title and menus. */
export const commandsOf = (app: App, output: () => vscode.OutputChannel) => ({
  ...ofFiles(app),
  ...ofPredictions(app),
  ...ofViews(app),
  ...ofServices(app, output),
});
export type CommandName = keyof ReturnType<typeof commandsOf>;

export function registerCommands(app: App): vscode.Disposable {
  let channel: vscode.OutputChannel | undefined;
  const output = () => (channel ??= vscode.window.createOutputChannel(vscode.l10n.t('Check of the Forecast Service')));
  const registered = Object.entries<Handler>(commandsOf(app, output)).map(([name, handler]) =>
    vscode.commands.registerCommand(`forecasts.${name}`, (argument: unknown, selected: unknown) =>
      attempt(app, () => handler(argument, selected)),
    ),
  );
  return vscode.Disposable.from({ dispose: () => channel?.dispose() }, ...registered);
}

const ofFiles = (app: App) =>
  ({
    forecast: async (argument, selected) => {
      if (isNode(argument, 'series'))
        return forecasts.forecastStoredSeries(app, argument.id, forecasts.storedLabel(argument.id, argument.item.name));
      const model = modelOf(app, argument);
      const title = vscode.l10n.t('Choose a File to Forecast with this Model');
      if (model !== undefined) return forecasts.forecastFiles(app, await askForFiles(title), { model });
      const chosen = await files(argument, selected);
      const isMade = ({ path }: vscode.Uri) => FORECAST_FILE.test(path);
      for (const file of chosen.filter(isMade)) await openForecastFile(file);
      return forecasts.forecastFiles(
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
    forecastAll: async (uri, selected) => {
      const chosen = await files(uri, selected);
      if (chosen.length > 0) await forecastAll(app, chosen);
    },
    plotSeries: async (uri, selected) =>
      plotFiles(app, await files(uri, selected, vscode.l10n.t('Choose a File to Plot'), vscode.l10n.t('Plot'))),
    trySample: async (what) => {
      const sample = (name: string) => vscode.Uri.joinPath(app.extensionUri, 'media', 'samples', name);
      if (what === 'train')
        await vscode.commands.executeCommand(COMMANDS.createFineTunedModel, sample('promotions.csv'));
      else await forecasts.forecastFiles(app, [sample('air-passengers.csv')]);
    },
    chooseHolidays: () => chooseCountry(app),
    createDataset: async (uri, selected) => {
      const chosen = await files(uri, selected, vscode.l10n.t('Choose a File to Store as a Dataset'));
      const title = vscode.l10n.t('Looking for series files');
      for (const file of await withProgress(title, (signal) => seriesFilesOf(chosen, signal)))
        await createDataset(app, file);
    },
    createFineTunedModel: (argument, selected) => fineTune(app, argument, selected),
    showReading: async (uri, selected) => {
      const title = vscode.l10n.t('Choose a File to Show How It Is Read');
      for (const file of await files(uri, selected, title, vscode.l10n.t('Show')))
        app.readings.open({ uri: file.toString() });
    },
    clearProblems: () => app.problems.clear(),
  }) satisfies Record<string, Handler>;

async function fineTune(app: App, argument: unknown, selected: unknown): Promise<void> {
  const datasets = nodes(argument, selected).filter((node) => isNode(node, 'dataset'));
  const label = datasets.map(({ item, id }) => item.name ?? id).join(', ');
  const of = argument instanceof vscode.Uri ? targets(argument, selected) : [];
  const stored = { label, input: { dataset_ids: datasets.map(({ id }) => id) } };
  try {
    await createFineTunedModel(app, datasets.length > 0 ? { stored } : { files: of });
  } catch (error) {
    if (of.length === 0) throw error;
    await showFileFailure(app, of[0], error);
  }
}

const ofPredictions = (app: App) =>
  ({
    open: (argument) => open(app, argument),
    export: async (argument) =>
      exportForecast(app, await chosenPrediction(app, argument, vscode.l10n.t('Export Forecast'))),
    insertForecast: async (node) =>
      insertForecast(app, await chosenPrediction(app, node, vscode.l10n.t('Insert Forecast'))),
    forecastAgain: async (argument) => {
      const [row, named, page] = [linked(app, argument), namedPrediction(argument), app.forecastFiles.active];
      if (row?.kind === 'prediction') return forecasts.forecastAgain(app, refOf(row));
      if (!named && page) return page.run();
      return forecasts.forecastAgain(app, await chosenPrediction(app, argument, vscode.l10n.t('Forecast Again')));
    },
    forecastAgainWith: (node, selected) => forecasts.forecastAgainWith(app, nodes(node, selected)),
    keepUpToDate: async (uri, selected) => {
      const made = nodes(uri, selected).filter((node) => node.kind === 'prediction');
      for (const node of made)
        if (node.note?.source?.uri) await toggleKept(app, vscode.Uri.parse(node.note.source.uri), node);
      if (made.length > 0) return;
      const { front } = app.panels;
      const shown = front && app.memory.recall(front.serviceId, front.predictionId)?.source?.uri;
      const asked = namedPrediction(uri) || uri === undefined ? shown && vscode.Uri.parse(shown) : uri;
      for (const file of await files(asked, selected)) await toggleKept(app, file);
    },
    rename: async (node) => rename(app, (await chosenNodes(app, node, undefined, vscode.l10n.t('Rename')))[0]),
    pin: async (node, selected) => togglePins(app, await chosenNodes(app, node, selected, vscode.l10n.t('Pin'))),
    compareSelected: (node, selected) =>
      isNode(node, 'prediction') ? compareSelected(app, node, nodes(node, selected)) : undefined,
    filterPredictions: () => filter(app),
    groupPredictions: () => group(app),
  }) satisfies Record<string, Handler>;

const ofViews = (app: App) =>
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
    copyId: async (node) => {
      const [chosen] = nodes(node);
      if (chosen) return copyId(chosen);
      const { predictionId } = await chosenPrediction(app, node, vscode.l10n.t('Copy ID'));
      await vscode.env.clipboard.writeText(predictionId);
    },
    // the key names its view, whose selection is meant
    delete: async (node, selected) => {
      const view = typeof node === 'string' ? app.trees.get(node)?.view : undefined;
      await app.deletions.delete(nodes(node, view?.selection ?? selected));
    },
    undoDelete: () => app.deletions.undo(),
    toggleJobData: () => showJobData(app, !showsJobData(app)),
  }) satisfies Record<string, Handler>;

const ofServices = (app: App, output: () => vscode.OutputChannel) =>
  ({
    setToken: async (node) => {
      const [key] = nodes(node);
      await (key?.kind === 'key' ? services.useKey(app, key) : services.setToken(app));
    },
    signOut: () => services.signOut(app),
    switchService: (what) => (what === ADDRESS_ALONE ? services.changeAddress(app) : services.switchService(app)),
    checkService: () => services.checkServiceInUse(app, output()),
    createKey: () => services.createKey(app),
    manageStorage: (what) => (what === REPAIR ? services.repairStorage(app) : services.manageStorage(app)),
    showLog: () => app.log.show(),
  }) satisfies Record<string, Handler>;

const openForecastFile = (file: vscode.Uri): Thenable<unknown> =>
  vscode.commands.executeCommand('vscode.openWith', file, FORECAST_EDITOR);

/** Opens an entry, a link or a forecast file; else the chart of a prediction that the person chooses. */
async function open(app: App, argument: unknown): Promise<void> {
  if (argument instanceof vscode.Uri) {
    for (const file of targets(argument, undefined)) await openForecastFile(file);
    return;
  }
  if (isGroup(argument) && argument.batchId !== undefined) return openRun(app, argument);
  const node = linked(app, argument);
  if (!node) app.panels.open(await chosenPrediction(app, undefined, vscode.l10n.t('Open Chart')));
  // the focus stays in the view, so that the next key is for its row
  else if (node.kind === 'prediction') app.panels.open(refOf(node), node.item, { preserveFocus: true });
  else if (node.kind === 'fineTunedModel')
    app.modelPages.open({ serviceId: node.serviceId, modelId: node.id }, node.item);
  else if (node.kind === 'dataset') await browseDataset(app, node);
  else if (node.kind === 'series') plotStored(app, node);
}

const NamedPrediction = z.object({ predictionId: z.string(), serviceId: z.string() });
const namedPrediction = (value: unknown) => NamedPrediction.safeParse(value).data;

const refOf = ({ serviceId, id }: ResourceNode): PredictionRef => ({ serviceId, predictionId: id });

/** The prediction of a button or a row, else of the chart in front, else one that the person chooses. @throws Cancelled, ServiceError */
async function chosenPrediction(app: App, argument: unknown, title: string): Promise<PredictionRef> {
  const named = namedPrediction(argument);
  if (named) return named;
  if (isNode(argument, 'prediction')) return refOf(argument);
  if (app.panels.front) return app.panels.front;
  const { client, info } = await app.connection.ready();
  const { id: serviceId } = info;
  const itemOf = (item: LocalPrediction) => {
    const note = app.memory.recall(serviceId, item.id);
    const { name: label, description } = describeEntry({ kind: 'prediction', id: item.id, item, note });
    return { label, description, id: item.id };
  };
  const more = pagesOf(
    (cursor) => client.listPredictions({ size: 200, cursor }, false),
    (all) => all.filter(({ id }) => !app.deletions.has(serviceId, id)).map(itemOf),
  );
  const { value: items = [] } = await withProgress(title, () => more.next());
  if (items.length === 0) {
    await say.info(vscode.l10n.t('There are no predictions yet.'));
    throw new Cancelled();
  }
  const placeholder = vscode.l10n.t('Which prediction?');
  const { id: predictionId } = await pickOne({ place: alone(title), placeholder, items, more });
  return { serviceId, predictionId };
}

/** The selected entries; else as {@link chosenPrediction}, as an entry of its view. @throws Cancelled, ServiceError */
async function chosenNodes(app: App, argument: unknown, selected: unknown, title: string): Promise<ResourceNode[]> {
  const chosen = nodes(argument, selected);
  if (chosen.length > 0) return chosen;
  const { serviceId, predictionId: id } = await chosenPrediction(app, argument, title);
  const session = app.connection.session(serviceId) ?? app.connection.inUse;
  const item = await readOne(session, id, new AbortController().signal);
  const isPinned = app.memory.pins(serviceId).includes(id);
  const offers = await session.client.capabilities();
  return [{ kind: 'prediction', id, item, note: app.memory.recall(serviceId, id), isPinned, serviceId, offers }];
}

async function files(
  uri: unknown,
  selected: unknown,
  title = vscode.l10n.t('Choose a File to Forecast'),
  button?: string,
) {
  const found = targets(uri, selected);
  return found.length > 0 ? found : askForFiles(title, button);
}

function modelOf(app: App, value: unknown): string | undefined {
  if (isNode(value, 'baseModel') || isNode(value, 'fineTunedModel')) return value.id;
  const { data: named } = z.object({ modelId: z.string(), serviceId: z.string() }).safeParse(value);
  if (named && named.serviceId !== app.connection.current.id)
    throw new ServiceError(
      'refused',
      vscode.l10n.t('This model belongs to a different service. Switch to that service to forecast with it.'),
    );
  return named?.modelId;
}

const isResource = (node: unknown): node is ResourceNode =>
  isRecord(node) && 'kind' in node && 'item' in node && 'serviceId' in node;

const isGroup = (node: unknown): node is Group => isRecord(node) && node['kind'] === 'group';

const isNode = <K extends ResourceNode['kind']>(node: unknown, kind: K): node is ResourceNode & { kind: K } =>
  isResource(node) && node.kind === kind;

function linked(app: App, argument: unknown): ResourceNode | undefined {
  if (isResource(argument)) return argument;
  const entries = [...app.trees.values()].flatMap((tree) => tree.entries);
  return isRecord(argument) ? entries.find(({ id }) => id === argument['id']) : undefined;
}

/** The selected entries, or the one a command was called on; of a group its entries. */
function nodes(node: unknown, selected?: unknown): ResourceNode[] {
  const several: unknown[] = Array.isArray(selected) && selected.length > 0 ? (selected as unknown[]) : [node];
  return several.flatMap((one) => (isGroup(one) ? one.entries : isResource(one) ? [one] : []));
}
