import * as vscode from 'vscode';
import type { CreateFineTunedModel } from '../../contract/requests.ts';
import { allDatasets } from '../connection/datasets.ts';
import { VIEWS } from '../names.ts';
import { say } from '../ui/say.ts';
import { toPoints } from '../../reading/points.ts';
import type { App } from '../app.ts';
import { describeEntry } from '../views/tree/kinds.ts';
import { chooseSeries, settleLayout } from '../files/choose-series.ts';
import { askForFiles } from '../files/find-files.ts';
import { openAsBefore } from '../files/document.ts';
import { inBackground } from '../ui/background.ts';
import { onFile } from '../files/treat-as-missing.ts';
import { Cancelled } from '../ui/failure.ts';
import { withPatience } from '../ui/progress.ts';
import { askText, Back, pickMany, pickOne, type Place } from '../ui/steps.ts';
import { ServiceError } from '../../client/errors.ts';
import { labelOf, readSeriesOf } from '../files/sources.ts';
import { storeForJob } from '../files/store-series.ts';
import { inDigits } from '../../calendar/digits.ts';

type InputConfig = NonNullable<CreateFineTunedModel['input_config']>;

/** Tags that an input names before it only hints at the rest. */
const MOST_NAMED = 8;

/** What a model is to learn from, and what a person calls it. */
export interface TrainingData {
  readonly label: string;
  /** What was entered or picked, to begin with where it is asked again. */
  readonly picked?: readonly string[];
  /** Made when the model is: several series of a file are first stored as a dataset. */
  readonly prepare: () => Promise<Prepared>;
}

export interface Prepared {
  readonly input: InputConfig;
  /** The dataset stored only for this training, if the service does not clean it up. */
  readonly stored?: string;
}

export interface DataSource extends vscode.QuickPickItem {
  /** @throws Back, Cancelled, ServiceError, SeriesError */
  readonly ask: (app: App, place: Place, before?: readonly string[]) => Promise<TrainingData>;
}

const SOURCES: readonly DataSource[] = [
  { label: vscode.l10n.t('$(file) Series of a file…'), ask: fromChosenFile },
  { label: vscode.l10n.t('$(database) Datasets of the service…'), ask: fromDatasets },
  { label: vscode.l10n.t('$(tag) Datasets with tags…'), ask: fromTags },
  {
    label: vscode.l10n.t('$(graph-line) Stored series by ID…'),
    ask: (_app, place, before) =>
      fromIds({ place, prompt: vscode.l10n.t('Series IDs, separated by commas'), field: 'series_ids', before }),
  },
];

export const chooseDataSource = (place: Place, before?: DataSource): Promise<DataSource> =>
  pickOne({
    place,
    placeholder: vscode.l10n.t('What should the model be trained on?'),
    items: SOURCES,
    ...(before ? { picked: [before] } : {}),
  });

/** What the service has stored: whole datasets, or some series by their ids. */
export type StoredData = { readonly label: string } & (
  { readonly datasetIds: readonly string[] } | { readonly ids: readonly string[] }
);

export function storedData(stored: StoredData): TrainingData {
  const input = 'ids' in stored ? { series_ids: [...stored.ids] } : { dataset_ids: [...stored.datasetIds] };
  return { label: stored.label, picked: Object.values(input).flat(), prepare: () => Promise.resolve({ input }) };
}

/**
 * The series of a file; asked for only where there are several. What is wrong with the file is said here, so that after
 * a repair the input goes on.
 * @throws Cancelled
 */
export async function fromFile(
  app: App,
  uri: vscode.Uri,
  place: Place,
  before: readonly string[] = [],
): Promise<TrainingData> {
  const data = await onFile(app, uri, async (unreadable): Promise<TrainingData> => {
    const opened = await settleLayout(app, (await openAsBefore(app, uri, unreadable)).opened, place.title);
    const purpose = (await takesMany(app)) ? 'learn' : 'learn-one';
    const chosen = await chooseSeries(opened, place, purpose, { series: [...before] });
    const picked = chosen.map(({ id }) => id);
    const { fileName: name } = opened;
    const [first, ...others] = chosen;
    // one series goes along with the request; several need a dataset, as the interface takes only one
    const prepare = (): Promise<Prepared> =>
      others.length === 0
        ? Promise.resolve({ input: { series: toPoints(first) } })
        : stored(app, { name, series: chosen });
    return { label: name, picked, prepare };
  });
  if (data) return data;
  throw new Cancelled();
}

/** All series of several files, or of folders. @throws Cancelled, SeriesError */
export async function fromFiles(app: App, uris: readonly vscode.Uri[]): Promise<TrainingData> {
  if (!(await takesMany(app))) throw takesOneSeries(labelOf(uris));
  const { label: name, series } = await readSeriesOf(app, uris);
  return { label: name, prepare: () => stored(app, { name, series, tags: [name] }) };
}

/** What was stored alone for this training, or was there already. */
async function stored(app: App, dataset: Parameters<typeof storeForJob>[2]): Promise<Prepared> {
  const { client } = await app.connection.ready();
  const { id, isOwn } = await withPatience(vscode.l10n.t('Storing {0}', dataset.name), (signal, report) =>
    storeForJob(app, client, dataset, { signal, report }),
  );
  inBackground(app.log, app.trees.get(VIEWS.datasets)?.refresh());
  return { input: { dataset_ids: [id] }, ...(isOwn ? { stored: id } : {}) };
}

/** Whether series can be stored, to learn from more than the one that goes along with a request. */
const takesMany = async (app: App): Promise<boolean> =>
  (await (await app.connection.ready()).client.capabilities()).has('createDataset');

const takesOneSeries = (what: string) =>
  new ServiceError(
    'refused',
    vscode.l10n.t(
      'This service takes one series per request and offers no way to store more. Choose one series of {0}, or datasets that the service already has.',
      what,
    ),
  );

async function fromChosenFile(app: App, place: Place, before?: readonly string[]): Promise<TrainingData> {
  const uris = await askForFiles(vscode.l10n.t('Choose Files to Train On'), vscode.l10n.t('Train on These'));
  if (uris.length > 1) return fromFiles(app, uris);
  if (uris.length === 0) throw new Back();
  return fromFile(app, uris[0], place, before);
}

async function readDatasets(app: App) {
  const { client } = await app.connection.ready();
  return withPatience(vscode.l10n.t('Reading the datasets'), (signal) => allDatasets(client, signal));
}

async function fromDatasets(app: App, place: Place, before: readonly string[] = []): Promise<TrainingData> {
  const { datasets, isAll } = await readDatasets(app);
  if (datasets.length === 0) {
    inBackground(
      app.log,
      say.info(vscode.l10n.t('The service has no datasets yet. Create one from a file, or train on the file itself.')),
    );
    throw new Back();
  }
  const items = datasets.map((item) => ({
    label: describeEntry({ kind: 'dataset', id: item.id, item }).label,
    description: item.stats?.rows === undefined ? item.id : vscode.l10n.t('{0} rows', inDigits(item.stats.rows)),
    id: item.id,
  }));
  const count = inDigits(datasets.length);
  const placeholder = isAll
    ? vscode.l10n.t('Which datasets?')
    : vscode.l10n.t('Which datasets? The service has more than the {0} listed; use tags to find the others.', count);
  const picked = items.filter(({ id }) => before.includes(id));
  const chosen = await pickMany({ place, placeholder, items, picked });
  return storedData({ label: chosen.map(({ label }) => label).join(', '), datasetIds: chosen.map(({ id }) => id) });
}

async function fromTags(app: App, place: Place, before?: readonly string[]): Promise<TrainingData> {
  const { datasets, isAll } = await readDatasets(app);
  const known = new Set(datasets.flatMap(({ tags }) => tags ?? []));
  if (isAll && known.size === 0) {
    inBackground(app.log, say.info(vscode.l10n.t('None of the service’s datasets has a tag.')));
    throw new Back();
  }
  const named = listOf([...known].slice(0, MOST_NAMED));
  const few = `${named}${known.size > MOST_NAMED ? ', …' : ''}`;
  const prompt = vscode.l10n.t(
    'Tags, separated by commas{0}',
    known.size > 0 ? vscode.l10n.t('. Available: {0}', few) : '',
  );
  const fault = (tag: string) =>
    isAll && !known.has(tag) ? vscode.l10n.t('No dataset has the tag “{0}”. Available tags: {1}', tag, few) : undefined;
  return fromIds({ place, prompt, field: 'dataset_tags', before, fault });
}

async function fromIds({
  place,
  prompt,
  field,
  before = [],
  fault = () => undefined,
}: {
  readonly place: Place;
  readonly prompt: string;
  readonly field: 'dataset_tags' | 'series_ids';
  readonly before?: readonly string[] | undefined;
  readonly fault?: (part: string) => string | undefined;
}): Promise<TrainingData> {
  const text = await askText({
    place,
    prompt,
    value: listOf(before),
    check: (input) => {
      const parts = partsOf(input);
      return parts.length > 0
        ? parts.map(fault).find((found) => found !== undefined)
        : vscode.l10n.t('Enter at least one.');
    },
  });
  const picked = partsOf(text);
  return { label: picked.join(', '), picked, prepare: () => Promise.resolve({ input: { [field]: picked } }) };
}

/** Names as a person writes them one after the other: one with a comma stands in quotation marks. */
const listOf = (names: readonly string[]): string =>
  names.map((name) => (name.includes(',') ? `"${name}"` : name)).join(', ');

function partsOf(text: string): string[] {
  const parts = [''];
  let isQuoted = false;
  for (const sign of text) {
    if (sign === '"' && (isQuoted || parts[parts.length - 1].trim() === '')) isQuoted = !isQuoted;
    else if (sign === ',' && !isQuoted) parts.push('');
    else parts[parts.length - 1] += sign;
  }
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}
