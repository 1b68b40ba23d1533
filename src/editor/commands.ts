import * as vscode from 'vscode';
import { ServiceError } from '../client/errors.ts';
import { FORECAST_FILE } from '../contract/forecast-file.ts';
import type { LocalPrediction } from '../contract/resources.ts';
import type { App, Asked } from './app.ts';
import { plotFiles, plotStored } from './charts/plots.ts';
import { askAgain } from './connection/connection.ts';
import { targets } from './files/document.ts';
import { askForFiles, createDataset, seriesFilesOf } from './files/sources.ts';
import * as forecasts from './forecast/again.ts';
import { forecastFiles, MANY, readOne } from './forecast/forecast.ts';
import { chooseCountry } from './request/covariates.ts';
import { toggleKept } from './forecast/again.ts';
import { forecastSelection } from './forecast/selection.ts';
import { forecastWithOptions } from './forecast/with-options.ts';
import { browseDataset, forecastAll, openRun } from './many-series/page.ts';
import { COMMANDS, FORECAST_EDITOR, VIEWS } from './names.ts';
import * as services from './services/services.ts';
import { createFineTunedModel } from './training/fine-tune.ts';
import { ADDRESS_ALONE, attempt, REPAIR, say, showFailure, showFileFailure, tryAgain, withProgress } from './ui/say.ts';
import { pagesOf } from './ui/paged-list.ts';
import { alone, askName, askText, pickOne } from './ui/steps.ts';
import { MOST_COMPARED } from './views/chart/comparison.ts';
import { PredictionRef } from './views/chart/protocol.ts';
import { exportForecast, insertForecast, noteOf } from './views/chart/export.ts';
import { seriesKey } from './views/chart/state.ts';
import { ModelRef } from './views/model/view.ts';
import { isRecord } from './views/shared/protocol.ts';
import { describeEntry, type Group, type Node, type ResourceNode } from './views/tree/kinds.ts';
import type { ResourceTree } from './views/tree/resource-tree.ts';
import { showJobData, showsJobData } from './views/tree/sources.ts';

/** @param argument a file, an entry of a view, or the argument of a button @param selected the whole selection */
type Handler = (argument: unknown, selected: unknown) => unknown;

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
        return forecasts.forecastStoredSeries(app, argument.id, describeEntry(argument).name);
      const model = modelOf(app, argument);
      const title = vscode.l10n.t('Choose a File to Forecast with this Model');
      if (model !== undefined) return forecastChosen(app, await askForFiles(title), { model });
      const chosen = await files(argument, selected);
      const isMade = ({ path }: vscode.Uri) => FORECAST_FILE.test(path);
      for (const file of chosen.filter(isMade)) await openForecastFile(file);
      const others = chosen.filter((file) => !isMade(file));
      return forecastChosen(app, others);
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
      else await forecastFiles(app, [sample('air-passengers.csv')]);
    },
    chooseHolidays: () => chooseCountry(app),
    createDataset: async (uri, selected) => {
      const chosen = await files(uri, selected, vscode.l10n.t('Choose a File to Store as a Dataset'));
      const title = vscode.l10n.t('Looking for series files');
      for (const file of await withProgress(title, ({ signal }) => seriesFilesOf(chosen, signal)))
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

const forecastChosen = (app: App, uris: readonly vscode.Uri[], asked?: Asked): Promise<void> =>
  uris.length < MANY ? forecastFiles(app, uris, asked) : forecastAll(app, uris, asked);

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
      const page = namedPrediction(argument) ? undefined : app.forecastFiles.active;
      if (page) return page.run();
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
    rename: (node) => rename(app, node),
    pin: async (node, selected) => {
      const rows = nodes(node, selected).filter(({ kind }) => kind === 'prediction');
      const chosen = rows.length > 0 ? rows.map(refOf) : [await chosenPrediction(app, node, vscode.l10n.t('Pin'))];
      const pins = new Set(app.memory.pins(chosen[0].serviceId));
      const isPinned = chosen.some(({ predictionId }) => !pins.has(predictionId));
      for (const { serviceId, predictionId } of chosen) app.memory.pin(serviceId, predictionId, isPinned);
      app.trees.get(VIEWS.predictions)?.relabel();
    },
    compareSelected: (node, selected) =>
      isNode(node, 'prediction') ? compareSelected(app, node, nodes(node, selected)) : undefined,
    filterPredictions: () => filter(app.trees.get(VIEWS.predictions)),
    groupPredictions: () => group(app.trees.get(VIEWS.predictions)),
  }) satisfies Record<string, Handler>;

const ofViews = (app: App) =>
  ({
    refresh: async () => {
      if (!(await app.connection.missing())) askAgain(app.connection.inUse);
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

async function open(app: App, argument: unknown): Promise<unknown> {
  if (argument instanceof vscode.Uri) return openForecastFile(argument);
  if (isGroup(argument) && argument.batchId !== undefined) return openRun(app, argument);
  if (isNode(argument, 'dataset')) return browseDataset(app, argument);
  if (isNode(argument, 'series')) return plotStored(app, argument);
  if (isNode(argument, 'baseModel') || isNode(argument, 'key')) return undefined;
  const [prediction, model] = [namedPrediction(argument), namedModel(argument)];
  if (prediction)
    return app.panels.open(prediction, isNode(argument, 'prediction') ? argument.item : undefined, {
      preserveFocus: true,
    });
  if (model) return app.modelPages.open(model, isNode(argument, 'fineTunedModel') ? argument.item : undefined);
  return app.panels.open(await chosenPrediction(app, undefined, vscode.l10n.t('Open Chart')));
}

const refOf = ({ serviceId, id }: ResourceNode): PredictionRef => ({ serviceId, predictionId: id });

const namedPrediction = (value: unknown): PredictionRef | undefined =>
  isNode(value, 'prediction') ? refOf(value) : PredictionRef.safeParse(value).data;

const namedModel = (value: unknown) =>
  isNode(value, 'baseModel') || isNode(value, 'fineTunedModel')
    ? { serviceId: value.serviceId, modelId: value.id }
    : ModelRef.safeParse(value).data;

/** The prediction that is named, else that of the chart in front, else one that the person chooses. @throws Cancelled, ServiceError */
async function chosenPrediction(app: App, argument: unknown, title: string): Promise<PredictionRef> {
  const known = namedPrediction(argument) ?? app.panels.front;
  if (known) return known;
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
  const [placeholder, none] = [vscode.l10n.t('Which prediction?'), vscode.l10n.t('There are no predictions yet.')];
  const { id: predictionId } = await pickOne({ place: alone(title), placeholder, none, more });
  return { serviceId, predictionId };
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
  const named = namedModel(value);
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

function nodes(node: unknown, selected?: unknown): ResourceNode[] {
  const several: unknown[] = Array.isArray(selected) && selected.length > 0 ? (selected as unknown[]) : [node];
  return several.flatMap((one) => (isGroup(one) ? one.entries : isResource(one) ? [one] : []));
}

async function filter(tree: ResourceTree | undefined): Promise<void> {
  const words = await askText({
    place: alone(vscode.l10n.t('Filter Predictions')),
    prompt: vscode.l10n.t('Words of a name, model, or status, such as: sales theta failed. Leave empty to show all.'),
    value: tree?.filter ?? '',
  });
  await tree?.setFilter(words);
}

async function group(tree: ResourceTree | undefined): Promise<void> {
  const items = [
    { grouping: 'none', label: vscode.l10n.t('Ungrouped') },
    { grouping: 'file', label: vscode.l10n.t('By file') },
    { grouping: 'day', label: vscode.l10n.t('By day') },
  ] as const;
  const picked = ({ grouping }: (typeof items)[number]) => grouping === tree?.grouping;
  const placeholder = vscode.l10n.t('How should predictions be grouped?');
  const place = alone(vscode.l10n.t('Group Predictions'));
  await tree?.setGrouping((await pickOne({ place, placeholder, items, picked })).grouping);
}

async function rename(app: App, argument: unknown): Promise<void> {
  const [node] = nodes(argument);
  if (node && node.kind !== 'prediction' && node.kind !== 'fineTunedModel') return;
  const ref = node ? refOf(node) : await chosenPrediction(app, argument, vscode.l10n.t('Rename'));
  const { serviceId, predictionId: id } = ref;
  const read = async () => {
    const session = app.connection.session(serviceId) ?? app.connection.inUse;
    return (await readOne(session, id, new AbortController().signal)).name ?? noteOf(app, ref).label;
  };
  const name = node ? describeEntry(node).name : (app.memory.recall(serviceId, id)?.label ?? (await read()));
  const label = await askName({
    place: alone(vscode.l10n.t('Rename {0}', name)),
    prompt: vscode.l10n.t('Enter a name. It is stored only in this editor.'),
    value: name,
  });
  app.memory.note(serviceId, id, { ...app.memory.recall(serviceId, id), label });
  for (const tree of app.trees.values()) tree.relabel();
}

async function compareSelected(app: App, main: ResourceNode, chosen: readonly ResourceNode[]): Promise<void> {
  const all = [main, ...chosen.filter(({ id }) => id !== main.id)].filter((node) => node.kind === 'prediction');
  const [first, ...others] = all.filter(({ item }) => item.status === 'COMPLETED');
  if (others.length < 1 || others.length >= MOST_COMPARED) {
    const text = vscode.l10n.t(
      'Select two to {0} finished predictions of the same series to compare them.',
      MOST_COMPARED,
    );
    await say.info(text);
    return;
  }
  const keyOf = ({ note, item }: typeof first) => seriesKey(note, item) ?? item.input_series_id;
  const other = others.find((one) => keyOf(one) === undefined || keyOf(one) !== keyOf(first));
  if (other) {
    const [a, b] = [first, other].map((node) => `“${describeEntry(node).name}”`);
    await say.info(vscode.l10n.t('{0} and {1} are forecasts of different series, so they cannot be compared.', a, b));
    return;
  }
  const items = others.map(({ item }) => item);
  app.panels.compare(refOf(first), first.item, items);
}

async function copyId(node: ResourceNode): Promise<void> {
  const { clipboard } = vscode.env;
  const secret = node.kind === 'key' ? node.item.secret : undefined;
  if (secret === undefined) return clipboard.writeText(node.id);
  const id = { label: vscode.l10n.t('ID'), description: node.id };
  const secretItem = { label: vscode.l10n.t('Secret…'), description: '' };
  const placeholder = vscode.l10n.t('What should be copied?');
  const items = [id, secretItem];
  if ((await pickOne({ place: alone(vscode.l10n.t('Copy')), placeholder, items })) === id)
    return clipboard.writeText(node.id);
  const { label } = describeEntry(node);
  const question = vscode.l10n.t(
    'Copy the secret of “{0}” to the clipboard? Anyone who has it can use the service as you.',
    label,
  );
  if (!(await say.confirm(question, vscode.l10n.t('Copy Secret')))) return;
  await clipboard.writeText(secret);
  const answer = await say.info(vscode.l10n.t('The secret is on the clipboard.'), vscode.l10n.t('Clear Clipboard'));
  if (answer && (await clipboard.readText()) === secret) await clipboard.writeText('');
}
