import * as vscode from 'vscode';
import { inDigits } from '../../calendar/digits.ts';
import { ServiceError } from '../../client/errors.ts';
import { type DatasetToStore, LONGEST_NAME, storeForJob } from '../../client/store-series.ts';
import type { CreateFineTunedModel } from '../../contract/requests.ts';
import type { LocalDataset, LocalFineTunedModel } from '../../contract/resources.ts';
import { type SendableSeries, toPoints } from '../../reading/points.ts';
import type { App } from '../app.ts';
import { type Session, sessionOf } from '../connection/connection.ts';
import { chooseSeries, isSeriesFile, onFile, openSettled } from '../files/document.ts';
import { askForFiles, isFolder, labelOf, readSeriesOf, sendingOf } from '../files/sources.ts';
import { VIEWS } from '../names.ts';
import { chooseModel, type ModelItem } from '../request/pick-model.ts';
import { sendOnce } from '../forecast/forecast.ts';
import { Cancelled, inBackground, showFailure, withProgress } from '../ui/say.ts';
import { notifyWhenDone } from '../ui/notify.ts';
import { allItems, pagesOf } from '../ui/paged-list.ts';
import * as steps from '../ui/steps.ts';
import { describeEntry } from '../views/tree/kinds.ts';
import { loadModels } from '../views/tree/sources.ts';

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

interface TrainingData {
  readonly label: string;
  /** What the request says of it; absent: the series are first stored as a dataset. */
  readonly input?: NonNullable<CreateFineTunedModel['input_config']>;
  readonly dataset?: DatasetToStore<SendableSeries & { readonly name: string }>;
  readonly picked?: readonly string[];
  readonly source?: DataSource | undefined;
}

interface Training {
  readonly app: App;
  readonly session: Session;
}

interface DataSource extends vscode.QuickPickItem {
  readonly ask: (training: Training, place: steps.Place, before?: readonly string[]) => Promise<TrainingData>;
}

const TITLE = vscode.l10n.t('Create Fine-Tuned Model');
/** Measured: 11 to 14 s of one core for 100 monthly series with the default settings; statistical models take a second. */
const ESTIMATE = vscode.l10n.t('Training takes a few seconds, or up to about 15 with many series.');

/** If the service refuses it, the person can change the answers. @throws Cancelled, ServiceError, SeriesError */
export async function createFineTunedModel(
  app: App,
  { files = [], stored }: { readonly files?: readonly vscode.Uri[]; readonly stored?: TrainingData },
): Promise<void> {
  const training = { app, session: await app.connection.ready() };
  await steps.runSteps<Answers>(
    TITLE,
    stored ? { data: stored } : {},
    (answers) => [...(stored ? [] : stepsOfData(training, files)), ...stepsOfModel(training, answers)],
    (answers) => create(training, answers),
  );
}

const stepsOfData = (training: Training, files: readonly vscode.Uri[]): steps.Steps<Answers> => [
  files.length === 0 &&
    (async (_state, place, before) => ({
      source: await steps.pickOne({
        place,
        placeholder: vscode.l10n.t('What should the model be trained on?'),
        items: SOURCES,
        picked: (one) => one === before.source,
      }),
    })),
  async ({ source }, place, before) => {
    const picked = before.data?.source === source ? before.data?.picked : undefined;
    if (source) return { data: { ...(await source.ask(training, place, picked)), source } };
    return { data: await fromFiles(training, files, place, picked) };
  },
];

function stepsOfModel({ app, session }: Training, { settings = [], base }: Answers): steps.Steps<Answers> {
  const isLocal = session.info.kind === 'local';
  const placeholder = vscode.l10n.t('Which base model?');
  return [
    async (_state, place, { base: before }) => ({
      base: await chooseModel(app, { session, place, placeholder, before, isBase: true }),
    }),
    async (_state, place, before) => ({
      settings: await steps.pickAny({
        place,
        placeholder: vscode.l10n.t('Which settings do you want to change? The service’s defaults apply to the others.'),
        // the local service has no model with position encoding
        items: SETTINGS.filter(({ field }) => !isLocal || field !== 'use_rope_scaling'),
        picked: (one) => before.settings?.includes(one) ?? false,
      }),
    }),
    ...settings.map((item) => askSetting(session, item, base?.leastContext)),
    async (state, place, { name: before, suggested: offered }) => {
      const taken = await namesOfModels(app, session);
      const on = vscode.l10n.t('{0} on {1}', state.base?.id ?? 'model', state.data?.label ?? '');
      const suggested = freeName(on, taken);
      const question = vscode.l10n.t('What should the model be called?');
      const refusal = vscode.l10n.t('A model with this name already exists. Enter another name.');
      const name = await steps.askName({
        place,
        prompt: isLocal ? `${question} ${ESTIMATE}` : question,
        value: before === undefined || before === offered ? suggested : before,
        taken: (text) => (taken.has(text) ? refusal : undefined),
      });
      return { name, suggested };
    },
  ];
}

/** @throws Back if the service refuses the model and the person goes back to the answers */
async function create({ app, session }: Training, answers: Answers): Promise<void> {
  const { data, base, settings = [], name = '' } = answers;
  if (!data) return;
  const { dataset, label } = data;
  const stored =
    dataset &&
    (await withProgress(vscode.l10n.t('Storing {0}', label), (work) =>
      storeForJob(session.client, app.reader, dataset, sendingOf(app, label, work)),
    ));
  if (stored) inBackground(app.log, app.trees.get(VIEWS.datasets)?.refresh());
  const input = stored ? { dataset_ids: [stored.id] } : data.input;
  const config = Object.fromEntries(settings.map(({ field }) => [field, answers[field]]));
  const request = { base_model: base?.id, input_config: input, config: settings.length > 0 ? config : undefined, name };
  try {
    const made = await send(app, session, request);
    await vscode.commands.executeCommand(`${VIEWS.models}.focus`);
    app.log.info(`Fine-tuned model ${made.id} is ${made.status}`);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    if (stored?.isOwn) await discard(app, session, stored.id);
    const go = () => Promise.reject(new steps.Back());
    await showFailure(app, inWords(error), { label: vscode.l10n.t('Change Answers'), go });
  }
}

async function send(app: App, { info, client }: Session, request: CreateFineTunedModel & { readonly name: string }) {
  const { name: label } = request;
  const made = await withProgress(vscode.l10n.t('Creating {0}', label), ({ signal }) =>
    sendOnce(() => client.createFineTunedModel(request, signal), 'models'),
  );
  app.memory.note(info.id, made.id, { label });
  app.madeModels.keep(info.id, made);
  notifyWhenDone(app, { serviceId: info.id, kind: 'model', id: made.id, label }, made.status);
  await app.trees.get(VIEWS.models)?.refresh();
  return made;
}

async function discard(app: App, { client }: Session, id: string): Promise<void> {
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
  const name = furtherName(known ?? vscode.l10n.t('Model {0}', model.id.slice(-6)), await namesOfModels(app, session));
  const made = await send(app, session, { start_model: model.id, name });
  app.modelPages.open({ serviceId, modelId: made.id }, made);
}

/** “Retail, continued” and then “Retail, continued 2”, at most 200 characters. */
export function furtherName(name: string, taken: ReadonlySet<string>): string {
  const end = vscode.l10n.t(', continued');
  const [plain] = name.split(new RegExp(`${end}[ \\d]*$`));
  return freeName(`${plain.slice(0, LONGEST_NAME - end.length)}${end}`, taken);
}

/** The first of this name and those numbered after it that no model has: “theta on retail.csv 2”. */
export function freeName(name: string, taken: ReadonlySet<string>): string {
  for (let number = 1; ; number++) {
    const end = number === 1 ? '' : ` ${String(number)}`;
    const free = `${name.slice(0, LONGEST_NAME - end.length)}${end}`;
    if (!taken.has(free)) return free;
  }
}

async function namesOfModels(app: App, session: Session): Promise<ReadonlySet<string>> {
  const items = await allItems((cursor, signal) => loadModels(session, { cursor, signal }, app));
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

const askSetting =
  ({ client }: Session, { field, detail }: SettingItem, leastContext = 0): steps.Step<Answers> =>
  async (_state, place, before) => {
    if (field === 'use_rope_scaling') {
      const items = [
        { label: vscode.l10n.t('Yes'), value: true },
        { label: vscode.l10n.t('No'), value: false },
      ];
      const picked = (one: (typeof items)[number]) => one.value === before[field];
      return { [field]: (await steps.pickOne({ place, placeholder: detail, items, picked })).value };
    }
    const rules = (await client.capabilities()).rules('createFineTunedModel', 'config', field);
    const least = Math.max(0, Math.ceil(rules?.minimum ?? 0), field === 'context_length' ? leastContext : 0);
    const value = before[field]?.toString() ?? '';
    return { [field]: await steps.askWhole({ place, prompt: detail, value }, least, rules?.maximum) };
  };

/** The datasets of a service, and below them the tags that they have. */
function storedItems(datasets: readonly LocalDataset[]) {
  const item = (field: 'dataset_ids' | 'dataset_tags', id: string, label: string, description: string) => {
    return { field, id, label, description, key: `${field} ${id}` };
  };
  const words = ({ id, stats }: LocalDataset) =>
    stats?.rows === undefined ? id : vscode.l10n.t('{0} rows', inDigits(stats.rows));
  const labelOf = (one: LocalDataset) => describeEntry({ kind: 'dataset', id: one.id, item: one }).label;
  const tags = [...new Set(datasets.flatMap((one) => one.tags ?? []))];
  return [
    ...datasets.map((one) => item('dataset_ids', one.id, labelOf(one), words(one))),
    ...tags.map((tag) => item('dataset_tags', tag, tag, vscode.l10n.t('all datasets with this tag'))),
  ];
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
  {
    label: vscode.l10n.t('$(database) Datasets of the service…'),
    ask: async ({ session }, place, before = []) => {
      const more = pagesOf((cursor) => session.client.listDatasets({ size: 200, cursor }), storedItems);
      const isEnough = (items: readonly { readonly key: string }[]) =>
        items.length > 0 && before.every((one) => items.some(({ key }) => key === one));
      const placeholder = vscode.l10n.t('Which datasets, by name or by tag?');
      const none = vscode.l10n.t(
        'The service has no datasets yet. Create one from a file, or train on the file itself.',
      );
      const wasPicked = ({ key }: { readonly key: string }) => before.includes(key);
      const chosen = await steps.pickMany({ place, placeholder, none, more, isEnough, picked: wasPicked });
      const byField = [...Map.groupBy(chosen, ({ field }) => field)];
      const input = Object.fromEntries(byField.map(([field, all]) => [field, all.map(({ id }) => id)]));
      return { label: chosen.map(({ label }) => label).join(', '), picked: chosen.map(({ key }) => key), input };
    },
  },
  {
    label: vscode.l10n.t('$(graph-line) Stored series by ID…'),
    ask: async (_training, place, before = []) => {
      const idsIn = (text: string) => text.split(',').flatMap((id) => id.trim() || []);
      const prompt = vscode.l10n.t('Series IDs, separated by commas');
      const check = (text: string) => (idsIn(text).length > 0 ? undefined : vscode.l10n.t('Enter at least one.'));
      const picked = idsIn(await steps.askText({ place, prompt, value: before.join(', '), check }));
      return { label: picked.join(', '), picked, input: { series_ids: picked } };
    },
  },
];

/** Chosen series of a file, or all of several files and of folders. @throws Cancelled, SeriesError */
async function fromFiles(
  { app, session }: Training,
  uris: readonly vscode.Uri[],
  place: steps.Place,
  before: readonly string[] = [],
): Promise<TrainingData> {
  // to train on more series than the one that a request holds, the service has to store them
  const takesMany = (await session.client.capabilities()).has('createDataset');
  const [uri] = uris;
  if (uris.length > 1 || (!isSeriesFile(uri) && (await isFolder(uri)))) {
    const refusal = vscode.l10n.t(
      'This service takes one series per request and offers no way to store more. Choose one series of {0}, or datasets that the service already has.',
      labelOf(uris),
    );
    if (!takesMany) throw new ServiceError('refused', refusal);
    const { label, series } = await readSeriesOf(app, uris);
    return { label, dataset: { name: label, series, tags: [label] } };
  }
  const data = await onFile(app, uri, async (missing): Promise<TrainingData> => {
    const opened = await openSettled(app, uri, place.title, { missing });
    const series = await chooseSeries(opened, place, takesMany ? 'train' : 'train-one', { series: [...before] });
    const known = { label: opened.fileName, picked: series.map(({ id }) => id) };
    return series.length === 1
      ? { ...known, input: { series: toPoints(series[0]) } }
      : { ...known, dataset: { name: known.label, series } };
  });
  if (!data) throw new Cancelled();
  return data;
}
