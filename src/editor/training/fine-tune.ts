import * as vscode from 'vscode';
import { inDigits } from '../../calendar/digits.ts';
import { ServiceError } from '../../client/errors.ts';
import { LONGEST_NAME } from '../../client/store-series.ts';
import type { CreateFineTunedModel } from '../../contract/requests.ts';
import type { LocalFineTunedModel } from '../../contract/resources.ts';
import { toPoints } from '../../reading/points.ts';
import type { App } from '../app.ts';
import { type Session, sessionOf } from '../connection/connection.ts';
import { chooseSeries, openSettled } from '../files/choose-series.ts';
import { isSeriesFile, onFile } from '../files/document.ts';
import { askForFiles, isFolder, labelOf, readSeriesOf, storeForJob } from '../files/sources.ts';
import { VIEWS } from '../names.ts';
import { chooseModel, type ModelItem } from '../request/pick-model.ts';
import { sendOnce } from '../request/request.ts';
import { Cancelled, inBackground, say, showFailure, withProgress } from '../ui/say.ts';
import { notifyWhenDone } from '../ui/notify.ts';
import { allDatasets, allItems } from '../ui/paged-list.ts';
import * as steps from '../ui/steps.ts';
import { describeEntry } from '../views/tree/kinds.ts';
import { loadModels } from '../views/tree/sources.ts';

type Place = steps.Place;
type Step = steps.Step<Answers>;

type Field = 'prediction_length' | 'context_length' | 'max_epochs' | 'num_samples' | 'use_rope_scaling';

interface SettingItem extends vscode.QuickPickItem {
  readonly field: Field;
  readonly detail: string;
}

interface Answers extends Partial<Record<Field, number | boolean>> {
  readonly source?: DataSource;
  readonly data?: TrainingData;
  readonly base?: ModelItem;
  readonly settings?: readonly SettingItem[];
  readonly name?: string;
  readonly suggested?: string;
}

type Input = NonNullable<CreateFineTunedModel['input_config']>;

interface TrainingData {
  readonly label: string;
  /** What the request says of it; absent: the series are first stored as a dataset. */
  readonly input?: Input;
  readonly dataset?: Parameters<typeof storeForJob>[2];
  readonly picked?: readonly string[];
  readonly source?: DataSource | undefined;
}

interface Training {
  readonly app: App;
  readonly session: Session;
}

interface DataSource extends vscode.QuickPickItem {
  readonly ask: (training: Training, place: Place, before?: readonly string[]) => Promise<TrainingData>;
}

const TITLE = vscode.l10n.t('Create Fine-Tuned Model');
/** Measured: 11 to 14 s of one core for 100 monthly series with the default settings; statistical models take a second. */
const ESTIMATE = vscode.l10n.t('Training takes a few seconds, or up to about 15 with many series.');
const MOST_NAMED = 8;

/** If the service refuses it, the person can change the answers. @throws Cancelled, ServiceError, SeriesError */
export async function createFineTunedModel(
  app: App,
  { files = [], stored }: { readonly files?: readonly vscode.Uri[]; readonly stored?: TrainingData },
): Promise<void> {
  const training = { app, session: await app.connection.ready() };
  await steps.runSteps<Answers>(
    TITLE,
    stored ? { data: stored } : {},
    (answers) => stepsOf(training, files, stored !== undefined, answers),
    (answers) => create(training, answers),
  );
}

function stepsOf(
  training: Training,
  files: readonly vscode.Uri[],
  isStored: boolean,
  { settings = [], base }: Answers,
): steps.Steps<Answers> {
  const { app, session } = training;
  const [file] = files;
  const isLocal = session.info.kind === 'local';
  const askSource: Step = async (_state, place, before) => ({
    source: await steps.pickOne({
      place,
      placeholder: vscode.l10n.t('What should the model be trained on?'),
      items: SOURCES,
      ...(before.source ? { picked: [before.source] } : {}),
    }),
  });
  const askData: Step = async ({ source }, place, before) => {
    // what was picked of another source means nothing here
    const picked = before.data?.source === source ? before.data?.picked : undefined;
    if (file) return { data: await fromFiles(training, files, place, picked) };
    return source && { data: { ...(await source.ask(training, place, picked)), source } };
  };
  const placeholder = vscode.l10n.t('Which base model?');
  const askBase: Step = async (_state, place, { base: before }) => ({
    base: await chooseModel(app, { place, placeholder, before, isBase: true }),
  });
  const askSettings: Step = async (_state, place, before) => ({
    settings: await steps.pickAny({
      place,
      placeholder: vscode.l10n.t('Which settings do you want to change? The service’s defaults apply to the others.'),
      // the local service has no model with position encoding
      items: SETTINGS.filter(({ field }) => !isLocal || field !== 'use_rope_scaling'),
      picked: before.settings ?? [],
    }),
  });
  const askItsName: Step = async (state, place, { name: before, suggested: offered }) => {
    const taken = await namesOfModels(training);
    const on = vscode.l10n.t('{0} on {1}', state.base?.id ?? 'model', state.data?.label ?? '');
    const suggested = freeName(on, taken);
    const question = vscode.l10n.t('What should the model be called?');
    const refusal = vscode.l10n.t('A model with this name already exists. Enter another name.');
    const name = await steps.askName({
      place,
      prompt: isLocal ? `${question} ${ESTIMATE}` : question,
      value: before === undefined || before === offered ? suggested : before,
      most: LONGEST_NAME,
      taken: (text) => (taken.has(text) ? refusal : undefined),
    });
    return { name, suggested };
  };
  return [
    !file && !isStored && askSource,
    !isStored && askData,
    askBase,
    askSettings,
    ...settings.map((item) => askSetting(session, item, base?.leastContext)),
    askItsName,
  ];
}

/** @throws Back if the service refuses the model and the person goes back to the answers */
async function create(training: Training, answers: Answers): Promise<void> {
  const { app, session } = training;
  const { data, base, settings = [], name = '' } = answers;
  if (!data) return;
  const { dataset } = data;
  const store = (signal: AbortSignal, report: (message: string) => void) =>
    dataset ? storeForJob(app, session.client, dataset, { signal, report }) : Promise.resolve(undefined);
  const stored = await withProgress(vscode.l10n.t('Storing {0}', data.label), store);
  if (stored) inBackground(app.log, app.trees.get(VIEWS.datasets)?.refresh());
  const input = stored ? { dataset_ids: [stored.id] } : data.input;
  const config = Object.fromEntries(settings.map(({ field }) => [field, answers[field]]));
  const request = { base_model: base?.id, input_config: input, config: settings.length > 0 ? config : undefined, name };
  try {
    const made = await send(app, session, request);
    await app.trees.get(VIEWS.models)?.refresh();
    await vscode.commands.executeCommand(`${VIEWS.models}.focus`);
    app.log.info(`Fine-tuned model ${made.id} is ${made.status}`);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    // there certainly is no model
    if (stored?.isOwn) await discard(training, stored.id);
    const go = () => Promise.reject(new steps.Back());
    await showFailure(app, inWords(error), { label: vscode.l10n.t('Change Answers'), go });
  }
}

async function send(app: App, { info, client }: Session, request: CreateFineTunedModel & { readonly name: string }) {
  const { name: label } = request;
  const made = await withProgress(vscode.l10n.t('Creating {0}', label), (signal) =>
    sendOnce(() => client.createFineTunedModel(request, signal), 'models'),
  );
  app.memory.note(info.id, made.id, { label });
  app.madeModels.keep(info.id, made);
  notifyWhenDone(app, { serviceId: info.id, kind: 'model', id: made.id, label }, made.status);
  return made;
}

async function discard({ app, session: { client } }: Training, id: string): Promise<void> {
  try {
    if (!(await client.capabilities()).has('deleteDataset')) return;
    await client.delete('deleteDataset', id);
    inBackground(app.log, app.trees.get(VIEWS.datasets)?.refresh());
  } catch (error) {
    app.log.warn(`The dataset ${id} stays at the service: ${String(error)}`);
  }
}

export async function trainFurther(app: App, serviceId: string, model: LocalFineTunedModel): Promise<void> {
  const session = sessionOf(app.connection, serviceId);
  const known = app.memory.recall(serviceId, model.id)?.label ?? model.name;
  const taken = await namesOfModels({ app, session });
  const name = furtherName(known ?? vscode.l10n.t('Model {0}', model.id.slice(-6)), taken);
  const made = await send(app, session, { start_model: model.id, name });
  await app.trees.get(VIEWS.models)?.refresh();
  app.modelPages.open({ serviceId, modelId: made.id }, made);
}

/** “Retail, continued” and then “Retail, continued 2”, at most 200 characters. */
export function furtherName(name: string, taken: ReadonlySet<string>): string {
  const end = vscode.l10n.t(', continued');
  const at = name.lastIndexOf(end);
  const plain = at < 0 ? name : name.slice(0, at);
  return freeName(`${plain.slice(0, LONGEST_NAME - end.length)}${end}`, taken);
}

/** The first of this name and those numbered after it that no model has: “theta on retail.csv 2”. */
export function freeName(name: string, taken: ReadonlySet<string>): string {
  const plain = name.slice(0, LONGEST_NAME);
  for (let number = 2, free = plain; ; number++) {
    if (!taken.has(free)) return free;
    const end = ` ${String(number)}`;
    free = `${plain.slice(0, LONGEST_NAME - end.length)}${end}`;
  }
}

async function namesOfModels({ app, session }: Training): Promise<ReadonlySet<string>> {
  const { signal } = new AbortController();
  const { items } = await allItems((cursor) => loadModels(session, { cursor, signal }, app));
  return new Set(items.filter(({ kind }) => kind === 'fineTunedModel').map((entry) => describeEntry(entry).name));
}

const item = (field: Field, label: string, detail: string) => ({ field, label, detail, description: field });

const SETTINGS: readonly SettingItem[] = [
  item('prediction_length', vscode.l10n.t('Horizon'), vscode.l10n.t('Number of steps the model forecasts ahead')),
  item('context_length', vscode.l10n.t('Context length'), vscode.l10n.t('Number of most recent points the model sees')),
  item('max_epochs', vscode.l10n.t('Epochs'), vscode.l10n.t('Maximum number of passes over the training data')),
  item('num_samples', vscode.l10n.t('Samples'), vscode.l10n.t('Number of sample paths drawn for the quantiles')),
  item(
    'use_rope_scaling',
    vscode.l10n.t('Position scaling'),
    vscode.l10n.t('Stretches the trained window over a longer context'),
  ),
];

const LABELS: Readonly<Record<string, string>> = {
  base_model: vscode.l10n.t('Base model'),
  dataset_tags: vscode.l10n.t('Tags'),
  dataset_ids: vscode.l10n.t('Datasets'),
  series_ids: vscode.l10n.t('Stored series'),
  series: vscode.l10n.t('Series'),
};

export const labelOfSetting = (field: string): string | undefined =>
  SETTINGS.find((setting) => setting.field === field)?.label;

/** A failure with the labels of the inputs instead of the names of fields. */
export function inWords(error: ServiceError): ServiceError {
  let { message } = error;
  for (const { place } of error.faults) {
    const field = place.findLast((part) => !/^\d+$/.test(part)) ?? '';
    const label = labelOfSetting(field) ?? LABELS[field];
    if (label === undefined) continue;
    // as `errorOfAnswer` writes it; a sentence that begins with the field itself has its name once
    const written = `${place.join('.')}: `;
    message = message.replaceAll(`${written}${field} `, `${label} `).replaceAll(written, `${label}: `);
  }
  return error.with({}, message);
}

function askSetting({ client }: Session, { field, detail }: SettingItem, leastContext = 0): Step {
  if (field === 'use_rope_scaling') {
    return async (_state, place, before) => {
      const items = [{ label: vscode.l10n.t('Yes') }, { label: vscode.l10n.t('No') }];
      const picked = before[field] === undefined ? [] : [items[before[field] ? 0 : 1]];
      return { [field]: (await steps.pickOne({ place, placeholder: detail, items, picked })) === items[0] };
    };
  }
  return async (_state, place, before) => {
    const offers = await client.capabilities();
    const { minimum = 0, maximum = Number.MAX_SAFE_INTEGER } =
      offers.rules('createFineTunedModel', 'config', field) ?? {};
    const least = Math.max(0, Math.ceil(minimum), field === 'context_length' ? leastContext : 0);
    const most = Math.min(Math.floor(maximum), Number.MAX_SAFE_INTEGER);
    const check = (text: string): string | undefined => {
      if (/^\d{1,15}$/.test(text.trim()) && Number(text) >= least && Number(text) <= most) return undefined;
      if (most < Number.MAX_SAFE_INTEGER) return vscode.l10n.t('Enter a whole number from {0} to {1}.', least, most);
      return least > 0
        ? vscode.l10n.t('Enter a whole number of {0} or more.', least)
        : vscode.l10n.t('Enter a whole number.');
    };
    const value = before[field]?.toString() ?? '';
    return { [field]: Number(await steps.askText({ place, prompt: detail, value, check })) };
  };
}

const SOURCES: readonly DataSource[] = [
  {
    label: vscode.l10n.t('$(file) Series of a file…'),
    ask: async (training, place, before) => {
      const uris = await askForFiles(vscode.l10n.t('Choose Files to Train On'), vscode.l10n.t('Train on These'));
      if (uris.length === 0) throw new steps.Back();
      return fromFiles(training, uris, place, before);
    },
  },
  { label: vscode.l10n.t('$(database) Datasets of the service…'), ask: fromDatasets },
  { label: vscode.l10n.t('$(tag) Datasets with tags…'), ask: fromTags },
  {
    label: vscode.l10n.t('$(graph-line) Stored series by ID…'),
    ask: (_training, place, before) =>
      fromList('series_ids', { place, prompt: vscode.l10n.t('Series IDs, separated by commas') }, before),
  },
];

/** Chosen series of a file, or all of several files and of folders. @throws Cancelled, SeriesError */
async function fromFiles(
  { app, session }: Training,
  uris: readonly vscode.Uri[],
  place: Place,
  before: readonly string[] = [],
): Promise<TrainingData> {
  // to train on more series than the one that a request holds, the service has to store them
  const takesMany = (await session.client.capabilities()).has('createDataset');
  const [uri] = uris;
  if (uris.length > 1 || (!isSeriesFile(uri) && (await isFolder(uri)))) {
    if (!takesMany)
      throw new ServiceError(
        'refused',
        vscode.l10n.t(
          'This service takes one series per request and offers no way to store more. Choose one series of {0}, or datasets that the service already has.',
          labelOf(uris),
        ),
      );
    const { label, series } = await readSeriesOf(app, uris);
    return { label, dataset: { name: label, series, tags: [label] } };
  }
  // failures are shown here, so that the input goes on after a repair
  const data = await onFile(app, uri, async (missing): Promise<TrainingData> => {
    const opened = await openSettled(app, uri, place.title, { missing });
    const series = await chooseSeries(opened, place, takesMany ? 'train' : 'train-one', { series: [...before] });
    const known = { label: opened.fileName, picked: series.map(({ id }) => id) };
    const isOne = series.length === 1;
    return isOne
      ? { ...known, input: { series: toPoints(series[0]) } }
      : { ...known, dataset: { name: known.label, series } };
  });
  if (!data) throw new Cancelled();
  return data;
}

const readDatasets = ({ session }: Training) =>
  withProgress(vscode.l10n.t('Reading the datasets'), (signal) => allDatasets(session.client, signal));

function goBack({ app }: Training, reason: string): never {
  inBackground(app.log, say.info(reason));
  throw new steps.Back();
}

async function fromDatasets(training: Training, place: Place, before: readonly string[] = []): Promise<TrainingData> {
  const { items: datasets, isAll } = await readDatasets(training);
  if (datasets.length === 0)
    goBack(
      training,
      vscode.l10n.t('The service has no datasets yet. Create one from a file, or train on the file itself.'),
    );
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
  const chosen = await steps.pickMany({ place, placeholder, items, picked });
  const ids = chosen.map(({ id }) => id);
  return { label: chosen.map(({ label }) => label).join(', '), picked: ids, input: { dataset_ids: ids } };
}

async function fromTags(training: Training, place: Place, before?: readonly string[]): Promise<TrainingData> {
  const { items: datasets, isAll } = await readDatasets(training);
  const known = new Set(datasets.flatMap(({ tags }) => tags ?? []));
  if (isAll && known.size === 0) goBack(training, vscode.l10n.t('None of the service’s datasets has a tag.'));
  const few = `${listOf([...known].slice(0, MOST_NAMED))}${known.size > MOST_NAMED ? ', …' : ''}`;
  const available = known.size > 0 ? vscode.l10n.t('. Available: {0}', few) : '';
  const prompt = vscode.l10n.t('Tags, separated by commas{0}', available);
  const fault = (tag: string) =>
    isAll && !known.has(tag) ? vscode.l10n.t('No dataset has the tag “{0}”. Available tags: {1}', tag, few) : undefined;
  return fromList('dataset_tags', { place, prompt, fault }, before);
}

async function fromList(
  field: 'dataset_tags' | 'series_ids',
  question: { readonly place: Place; readonly prompt: string; readonly fault?: (part: string) => string | undefined },
  before: readonly string[] = [],
) {
  const { place, prompt, fault = () => undefined } = question;
  const check = (input: string): string | undefined => {
    const entered = partsOf(input);
    if (entered.length === 0) return vscode.l10n.t('Enter at least one.');
    return entered.map(fault).find((found) => found !== undefined);
  };
  const picked = partsOf(await steps.askText({ place, prompt, value: listOf(before), check }));
  return { label: picked.join(', '), picked, input: { [field]: picked } };
}

/** A list separated by commas; a name with a comma is quoted. */
const listOf = (names: readonly string[]): string =>
  names.map((name) => (name.includes(',') ? `"${name}"` : name)).join(', ');

const partsOf = (text: string): string[] =>
  [...text.matchAll(/(?<=^|,)\s*"([^"]*)(?:"\s*(?=,|$)|$)|[^,]+/g)]
    .map(([part, quoted = part]) => quoted.trim())
    .filter(Boolean);
