import * as vscode from 'vscode';
import { ServiceError } from '../../client/errors.ts';
import { LONGEST_NAME } from '../../client/store-series.ts';
import type { LocalFineTunedModel } from '../../contract/local.ts';
import type { App } from '../app.ts';
import { isSeriesFile } from '../files/document.ts';
import { VIEWS } from '../names.ts';
import { chooseModel, type ModelItem } from '../request/pick-model.ts';
import { sendOnce } from '../request/request.ts';
import { inBackground } from '../ui/background.ts';
import { showFailure } from '../ui/failure.ts';
import { tellWhenDone } from '../ui/notify.ts';
import { withPatience } from '../ui/progress.ts';
import { askName, askText, Back, pickAny, pickOne, type Place, runSteps, type Step, type Steps } from '../ui/steps.ts';
import { describeEntry } from '../views/tree/kinds.ts';
import { loadModels } from '../views/tree/sources.ts';
import {
  chooseDataSource,
  type DataSource,
  fromFile,
  fromFiles,
  type StoredData,
  storedData,
  type TrainingData,
} from './training-data.ts';

interface Answers extends Settings {
  readonly source?: DataSource;
  /** The source that the data is of. */
  readonly answered?: DataSource;
  readonly data?: TrainingData;
  readonly base?: ModelItem;
  readonly settings?: readonly SettingItem[];
  readonly name?: string;
  readonly suggested?: string;
}

const TITLE = vscode.l10n.t('Create Fine-Tuned Model');
/** Measured: 11 to 14 s of one core for 100 monthly series with the default settings; statistical models take a second. */
const ESTIMATE = vscode.l10n.t('Training takes a few seconds, or up to about 15 with many series.');
/** More pages of models would keep the person waiting for a name. */
const MOST_PAGES = 20;

/** What a model is to be trained on; the person is asked where it is nothing of these. */
export interface TrainedOn {
  readonly files?: readonly vscode.Uri[];
  readonly stored?: StoredData;
}

/**
 * Trains a model: on files or folders, on what the service has stored, or on what the person chooses. Where the service
 * refuses it, the person can change the answers.
 * @throws Cancelled, ServiceError, SeriesError
 */
export async function createFineTunedModel(app: App, from: TrainedOn): Promise<void> {
  const start = from.stored ? { data: storedData(from.stored) } : {};
  await runSteps<Answers>(
    TITLE,
    start,
    (state) => stepsOf(app, from, state),
    (answers) => create(app, answers),
  );
}

function stepsOf(app: App, { files = [], stored }: TrainedOn, { settings = [], base }: Answers): Steps<Answers> {
  const [file] = files;
  const isLocal = app.connection.current.kind === 'local';
  const askSource: Step<Answers> = async (_state, place, before) => ({
    source: await chooseDataSource(place, before.source),
  });
  const askData: Step<Answers> = async ({ source }, place, before) => {
    if (files.length > 1 || (file && !isSeriesFile(file))) return { data: await fromFiles(app, files) };
    if (file) return { data: await fromFile(app, file, place, before.data?.picked) };
    // what was picked of another source says nothing here
    const picked = before.answered === source ? before.data?.picked : undefined;
    return source && { data: await source.ask(app, place, picked), answered: source };
  };
  const askBase: Step<Answers> = async (_state, place, before) => ({
    base: await chooseModel(app, {
      place,
      placeholder: vscode.l10n.t('Which base model?'),
      before: before.base,
      isBase: true,
    }),
  });
  const askSettings: Step<Answers> = async (_state, place, before) => ({
    settings: await chooseSettings(place, isLocal, before.settings),
  });
  const askItsName: Step<Answers> = async (state, place, before) => {
    const taken = await namesOfModels(app);
    const suggested = freeName(vscode.l10n.t('{0} on {1}', state.base?.id ?? 'model', state.data?.label ?? ''), taken);
    const isOwn = before.name !== undefined && before.name !== before.suggested;
    const question = vscode.l10n.t('What should the model be called?');
    const name = await askName({
      place,
      prompt: isLocal ? `${question} ${ESTIMATE}` : question,
      value: isOwn ? before.name : suggested,
      most: LONGEST_NAME,
      taken: (text) =>
        taken.has(text) ? vscode.l10n.t('A model with this name already exists. Enter another name.') : undefined,
    });
    return { name, suggested };
  };
  return [
    !file && !stored && askSource,
    !stored && askData,
    askBase,
    askSettings,
    ...settings.map((item) => askSetting(app, item, base?.leastContext)),
    askItsName,
  ];
}

/** @throws Back where the service does not make the model and the person goes back to the answers */
async function create(app: App, answers: Answers): Promise<void> {
  const { data, base, settings = [], name = '' } = answers;
  if (!data) return;
  const { input, stored } = await data.prepare();
  const config = Object.fromEntries(settings.map(({ field }) => [field, answers[field]]));
  const request = { base_model: base?.id, input_config: input, config: settings.length > 0 ? config : undefined, name };
  try {
    const made = await send(app, app.connection.current.id, name, request);
    await app.trees.get(VIEWS.models)?.refresh();
    await vscode.commands.executeCommand(`${VIEWS.models}.focus`);
    app.log.info(`Fine-tuned model ${made.id} is ${made.status}`);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    // it is certain that there is no model
    if (stored !== undefined) await discard(app, stored);
    const change = () => {
      throw new Back();
    };
    await showFailure(app, inWords(error), { label: vscode.l10n.t('Change Answers'), go: change });
  }
}

async function send(
  app: App,
  serviceId: string,
  name: string,
  request: Parameters<App['connection']['inUse']['client']['createFineTunedModel']>[0],
): Promise<LocalFineTunedModel> {
  const session = app.connection.session(serviceId) ?? (await app.connection.ready());
  const made = await withPatience(vscode.l10n.t('Creating {0}', name), (signal) =>
    sendOnce(() => session.client.createFineTunedModel(request, signal), 'models'),
  );
  await app.memory.note(serviceId, made.id, { label: name });
  await app.madeModels.keep(serviceId, made);
  tellWhenDone(app, { serviceId, kind: 'model', id: made.id, label: name }, made.status);
  return made;
}

/** Deletes a dataset that nothing needs, where the service offers that. */
async function discard(app: App, id: string): Promise<void> {
  const { client } = app.connection.inUse;
  try {
    if (!(await client.capabilities()).has('deleteDataset')) return;
    await client.delete('deleteDataset', id);
    inBackground(app.log, app.trees.get(VIEWS.datasets)?.refresh());
  } catch (error) {
    app.log.warn(`The dataset ${id} stays at the service: ${String(error)}`);
  }
}

/** Trains a model from where it was, with the same data and settings, as a model of its own, and opens its page. */
export async function trainFurther(app: App, serviceId: string, model: LocalFineTunedModel): Promise<void> {
  const known = app.memory.recall(serviceId, model.id)?.label ?? model.name;
  const name = furtherName(known ?? vscode.l10n.t('Model {0}', model.id.slice(-6)), await namesOfModels(app));
  const made = await send(app, serviceId, name, { start_model: model.id, name });
  await app.trees.get(VIEWS.models)?.refresh();
  app.modelPages.show(serviceId, made);
}

/** “Retail, further” and then “Retail, further 2”, at most 200 characters. */
export function furtherName(name: string, taken: ReadonlySet<string>): string {
  const end = vscode.l10n.t(', continued');
  const at = name.lastIndexOf(end);
  const plain = at < 0 ? name : name.slice(0, at);
  return freeName(`${plain.slice(0, LONGEST_NAME - end.length)}${end}`, taken);
}

/** The names that fine-tuned models have already, as far as they are known. @throws ServiceError */
async function namesOfModels(app: App): Promise<ReadonlySet<string>> {
  const { client } = await app.connection.ready();
  const { signal } = new AbortController();
  const names = new Set<string>();
  let cursor: string | undefined;
  for (let pages = 0; pages < MOST_PAGES; pages++) {
    const { items, next } = await loadModels(client, { cursor, signal }, app);
    for (const entry of items) if (entry.kind === 'fineTunedModel') names.add(describeEntry(entry).name);
    if (next === undefined || next === cursor) break;
    cursor = next;
  }
  return names;
}

/** This name, or where a model has it already the first one after it that none has: “theta on retail.csv 2”. */
export function freeName(name: string, taken: ReadonlySet<string>): string {
  const plain = name.slice(0, LONGEST_NAME);
  for (let number = 2, free = plain; ; number++) {
    if (!taken.has(free)) return free;
    const end = ` ${String(number)}`;
    free = `${plain.slice(0, LONGEST_NAME - end.length)}${end}`;
  }
}

const LABELS: Readonly<Record<string, string>> = {
  base_model: vscode.l10n.t('Base model'),
  dataset_tags: vscode.l10n.t('Tags'),
  dataset_ids: vscode.l10n.t('Datasets'),
  series_ids: vscode.l10n.t('Stored series'),
  series: vscode.l10n.t('Series'),
};

/** A service names the place of a fault by its fields; the person knows them by the words of the inputs. */
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
  const { kind, status, outcomeUnknown } = error;
  return new ServiceError(kind, message, { status, outcomeUnknown, cause: error });
}

/** Training settings, as far as the person set them. */
export interface Settings {
  readonly prediction_length?: number;
  readonly context_length?: number;
  readonly max_epochs?: number;
  readonly num_samples?: number;
  readonly use_rope_scaling?: boolean;
}

export interface SettingItem extends vscode.QuickPickItem {
  readonly field: keyof Settings;
  readonly detail: string;
}

const item = (field: keyof Settings, label: string, detail: string): SettingItem => ({
  field,
  label,
  detail,
  description: field,
});

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

/** What a person calls the setting of a field of the interface. */
export const labelOfSetting = (field: string): string | undefined =>
  SETTINGS.find((item) => item.field === field)?.label;

/**
 * Asks which training settings to set; none of them is set for the person.
 * @param isLocal the local service has no model with position encoding
 * @param before what was chosen earlier, to begin with
 * @throws Cancelled
 */
export function chooseSettings(
  place: Place,
  isLocal: boolean,
  before: readonly SettingItem[] = [],
): Promise<readonly SettingItem[]> {
  const placeholder = vscode.l10n.t(
    'Which settings do you want to change? The service’s defaults apply to the others.',
  );
  const items = SETTINGS.filter((item) => !isLocal || item.field !== 'use_rope_scaling');
  return pickAny({ place, placeholder, items, picked: before });
}

/** The input of one setting. @param leastContext points that the base model must see at least, where that is known */
export function askSetting(app: App, { field, detail }: SettingItem, leastContext = 0): Step<Settings> {
  if (field === 'use_rope_scaling') {
    return async (_state, place, before) => {
      const items = [{ label: vscode.l10n.t('Yes') }, { label: vscode.l10n.t('No') }];
      const picked = before[field] === undefined ? [] : [items[before[field] ? 0 : 1]];
      return { [field]: (await pickOne({ place, placeholder: detail, items, picked })) === items[0] };
    };
  }
  return async (_state, place, before) => {
    const offers = await app.connection.client().capabilities();
    const { minimum = 0, maximum = Number.MAX_SAFE_INTEGER } =
      offers.rules('createFineTunedModel', 'config', field) ?? {};
    const least = Math.max(0, Math.ceil(minimum), field === 'context_length' ? leastContext : 0);
    const most = Math.min(Math.floor(maximum), Number.MAX_SAFE_INTEGER);
    const check = (text: string) => wholeNumber(text, least, most);
    const value = before[field]?.toString() ?? '';
    return { [field]: Number(await askText({ place, prompt: detail, value, check })) };
  };
}

function wholeNumber(text: string, least: number, most: number): string | undefined {
  const isWithin = /^\d{1,15}$/.test(text.trim()) && Number(text) >= least && Number(text) <= most;
  if (isWithin) return undefined;
  if (most < Number.MAX_SAFE_INTEGER) return vscode.l10n.t('Enter a whole number from {0} to {1}.', least, most);
  return least > 0
    ? vscode.l10n.t('Enter a whole number of {0} or more.', least)
    : vscode.l10n.t('Enter a whole number.');
}
