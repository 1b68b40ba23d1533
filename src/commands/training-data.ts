import type * as vscode from 'vscode';
import type { CreateFineTunedModel } from '../contract/requests.ts';
import { VIEWS } from '../connection/names.ts';
import { toPoints } from '../series/points.ts';
import type { App } from './app.ts';
import { chooseSeries, settleLayout } from './choose-series.ts';
import { askForFiles, fileNameOf, openAsBefore, type OpenedDocument } from './document.ts';
import { withPatience } from './progress.ts';
import { askText, pickMany, pickOne, type Place } from './steps.ts';
import { ServiceError } from '../client/errors.ts';
import { type PanelSource, readPanel } from './panel-source.ts';
import { seriesFilesOf } from './series-files.ts';
import type { ReadSeries } from '../series/types.ts';

type InputConfig = NonNullable<CreateFineTunedModel['input_config']>;

/** What a model is to learn from, and what a person calls it. */
export interface TrainingData {
  readonly label: string;
  /** Made when the model is: several series of a file are first stored as a dataset. */
  readonly input: () => Promise<InputConfig>;
}

interface SourceItem extends vscode.QuickPickItem {
  readonly ask: (app: App, place: Place) => Promise<TrainingData>;
}

const SOURCES: readonly SourceItem[] = [
  { label: '$(file) Series of a file…', ask: fromChosenFile },
  { label: '$(database) Datasets of the service…', ask: fromDatasets },
  {
    label: '$(tag) Datasets with tags…',
    ask: (_app, place) => fromIds(place, 'dataset_tags', 'Tags, separated by commas'),
  },
  {
    label: '$(graph-line) Stored series by id…',
    ask: (_app, place) => fromIds(place, 'series_ids', 'Ids of series, separated by commas'),
  },
];

/** Asks what to learn from. @throws Cancelled, ServiceError, SeriesError */
export async function chooseTrainingData(app: App, place: Place): Promise<TrainingData> {
  const { ask } = await pickOne({ place, placeholder: 'What should the model learn from?', items: SOURCES });
  return ask(app, place);
}

/** The series of a file; asked for only where there are several. @throws Cancelled, SeriesError */
export async function fromFile(app: App, uri: vscode.Uri, place: Place): Promise<TrainingData> {
  const opened = await settleLayout((await openAsBefore(app, uri)).opened, place.title);
  const chosen = await chooseSeries(opened, place, 'learn');
  return { label: opened.fileName, input: () => inputOf(app, opened, chosen) };
}

/** All series of several files, or of folders. @throws Cancelled, SeriesError */
export async function fromFiles(app: App, uris: readonly vscode.Uri[]): Promise<TrainingData> {
  const label = uris.length === 1 ? fileNameOf(uris[0]) : `${uris.length} files and folders`;
  const read = await withPatience(`Reading ${label}`, async (signal, report) =>
    readPanel(app, await seriesFilesOf(uris), label, signal, report),
  );
  return { label: read.label, input: () => storePanel(app, read) };
}

async function storePanel(app: App, { label, series }: PanelSource): Promise<InputConfig> {
  const { client } = await app.connection.ready();
  if (!(await client.capabilities()).has('post', '/datasets')) throw takesOneSeries(label);
  const { id } = await withPatience(`Storing ${label} as a dataset`, async (signal) => {
    const fields = { name: label.slice(0, 200), tags: [label.slice(0, 100)] };
    return client.createDatasetFrom(await app.reader.bodyOf(fields, series, signal), signal);
  });
  void app.trees.get(VIEWS.datasets)?.refresh();
  return { dataset_ids: [id] };
}

const takesOneSeries = (what: string) =>
  new ServiceError(
    'refused',
    `This service takes one series with a request, and announces no way to store more. Choose one series of ${what}, or datasets that the service has.`,
  );

async function fromChosenFile(app: App, place: Place): Promise<TrainingData> {
  const uris = await askForFiles('Learn from');
  if (uris.length > 1) return fromFiles(app, uris);
  return uris[0] ? fromFile(app, uris[0], place) : chooseTrainingData(app, place);
}

async function fromDatasets(app: App, place: Place): Promise<TrainingData> {
  const { items } = await (await app.connection.ready()).client.listDatasets({ size: 200 });
  const choices = items.map((item) => ({
    label: item.name ?? item.tags?.join(', ') ?? item.id,
    description: item.stats?.rows === undefined ? item.id : `${item.stats.rows.toLocaleString('en')} rows`,
    id: item.id,
  }));
  const placeholder = choices.length > 0 ? 'Which datasets?' : 'The service has no datasets yet.';
  const chosen = await pickMany({ place, placeholder, items: choices });
  const ids = chosen.map((choice) => choice.id);
  return { label: chosen.map((choice) => choice.label).join(', '), input: () => Promise.resolve({ dataset_ids: ids }) };
}

async function fromIds(place: Place, field: 'dataset_tags' | 'series_ids', prompt: string): Promise<TrainingData> {
  const split = (text: string) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '');
  const text = await askText({
    place,
    prompt,
    check: (input) => (split(input).length > 0 ? undefined : 'Enter at least one.'),
  });
  return { label: split(text).join(', '), input: () => Promise.resolve({ [field]: split(text) }) };
}

/** One series goes along with the request; several need a dataset, as the interface takes only one. */
async function inputOf(app: App, { fileName }: OpenedDocument, chosen: readonly ReadSeries[]): Promise<InputConfig> {
  if (chosen.length === 1) return { series: toPoints(chosen[0]) };
  const { client } = await app.connection.ready();
  if (!(await client.capabilities()).has('post', '/datasets')) throw takesOneSeries(fileName);
  const series = chosen.map((one) => ({ name: one.name.slice(0, 200), series: toPoints(one) }));
  const dataset = await withPatience(`Storing ${fileName} as a dataset`, (signal) =>
    client.createDataset({ name: fileName.slice(0, 200), series }, signal),
  );
  void app.trees.get(VIEWS.datasets)?.refresh();
  return { dataset_ids: [dataset.id] };
}
