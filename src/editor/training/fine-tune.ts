import * as vscode from 'vscode';
import type { ServiceClient } from '../../client/client.ts';
import { ServiceError } from '../../client/errors.ts';
import type { LocalFineTunedModel } from '../../contract/local.ts';
import { VIEWS } from '../names.ts';
import type { ResourceNode } from '../views/tree/node.ts';
import type { App } from '../app.ts';
import { showFailure } from '../ui/failure.ts';
import { chooseModel, type ModelItem } from '../request/pick-model.ts';
import { tellWhenDone } from '../ui/notify.ts';
import { withPatience } from '../ui/progress.ts';
import { sendOnce } from '../request/send.ts';
import { askText, Back, runSteps, type Step } from '../ui/steps.ts';
import { isSeriesFile } from '../files/document.ts';
import {
  chooseDataSource,
  type DataSource,
  fromFile,
  fromFiles,
  ofDatasets,
  ofStored,
  type StoredData,
  type TrainingData,
} from './training-data.ts';
import { freeName, LONGEST_NAME, namesOfModels } from './model-names.ts';
import { askSetting, chooseSettings, labelOfSetting, type SettingItem, type Settings } from './training-settings.ts';
import { inBackground } from '../ui/background.ts';

interface Answers extends Settings {
  readonly source?: DataSource;
  /** The source that the data is of. */
  readonly answered?: DataSource;
  readonly data: TrainingData;
  readonly base: ModelItem;
  /** Which settings to set. */
  readonly settings: readonly SettingItem[];
  readonly name: string;
  /** The name that was suggested. */
  readonly suggested?: string;
}

const TITLE = vscode.l10n.t('Create Fine-Tuned Model');
/** Measured: 11 to 14 s of one core for 100 monthly series with the default settings; statistical models take a second. */
const ESTIMATE = vscode.l10n.t('The training takes a few seconds, up to about 15 with many series.');

/**
 * Trains a model: on files or folders, on datasets, or on what the person chooses. Where the service refuses it, the
 * person can change the answers.
 * @throws Cancelled, ServiceError, SeriesError
 */
export async function createFineTunedModel(
  app: App,
  from: {
    readonly files?: readonly vscode.Uri[];
    readonly datasets?: readonly (ResourceNode & { kind: 'dataset' })[];
    readonly stored?: StoredData;
  },
): Promise<void> {
  const { files = [], datasets = [], stored } = from;
  const [file] = files;
  const isPanel = files.length > 1 || (file !== undefined && !isSeriesFile(file));
  const start: Answers = {
    data: stored
      ? ofStored(stored)
      : ofDatasets(
          datasets.map((node) => node.item.name ?? node.id).join(', '),
          datasets.map((node) => node.id),
        ),
    base: { label: '', id: undefined },
    settings: [],
    name: '',
  };
  const isLocal = app.connection.current.kind === 'local';
  const isStored = stored !== undefined || datasets.length > 0;
  const isChosen = file !== undefined || isStored;
  const boundsOf = async (field: keyof Settings) =>
    (await app.connection.client().capabilities()).rules('createFineTunedModel', 'config', field);
  const source: Step<Answers> = async (_state, place, before) => ({
    source: await chooseDataSource(place, before.source),
  });
  const data: Step<Answers> = async (state, place, before) => {
    if (isPanel) return { data: await fromFiles(app, files) };
    if (file) return { data: await fromFile(app, file, place, before.data?.picked) };
    // what was picked of another source says nothing here
    const picked = before.answered === state.source ? before.data?.picked : undefined;
    return state.source && { data: await state.source.ask(app, place, picked), answered: state.source };
  };
  const base: Step<Answers> = async (_state, place, before) => ({
    base: await chooseModel(app, place, vscode.l10n.t('Which base model?'), before.base, 'base'),
  });
  const settings: Step<Answers> = async (_state, place, before) => ({
    settings: await chooseSettings(place, isLocal, before.settings),
  });
  const name: Step<Answers> = async (state, place, before) => {
    const taken = await namesOfModels(app);
    const suggested = freeName(vscode.l10n.t('{0} on {1}', state.base.id ?? 'model', state.data.label), taken);
    const isOwn = before.name !== undefined && before.name !== before.suggested;
    const chosen = await askText({
      place,
      prompt: isLocal
        ? vscode.l10n.t('What should the model be called? {0}', ESTIMATE)
        : vscode.l10n.t('What should the model be called?'),
      value: isOwn ? before.name : suggested,
      check: (text) => nameFault(text.trim(), taken),
    });
    return { name: chosen, suggested };
  };
  await runSteps<Answers>(
    TITLE,
    start,
    (state) => [
      ...(isChosen ? [] : [source]),
      ...(isStored ? [] : [data]),
      base,
      settings,
      ...state.settings.map((item) => askSetting(item, boundsOf, state.base.leastContext)),
      name,
    ],
    (answers) => create(app, answers),
  );
}

function nameFault(name: string, taken: ReadonlySet<string>): string | undefined {
  if (name === '') return vscode.l10n.t('Enter a name.');
  if (name.length > LONGEST_NAME) return vscode.l10n.t('At most {0} characters.', LONGEST_NAME);
  return taken.has(name) ? vscode.l10n.t('A model is called that already. Enter another name.') : undefined;
}

/** @throws Back where the service does not make the model and the person goes back to the answers */
async function create(app: App, answers: Answers): Promise<void> {
  const { name } = answers;
  let made: LocalFineTunedModel;
  const { client, info } = await app.connection.ready();
  try {
    made = await send(app, client, answers);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const change = () => {
      throw new Back();
    };
    await showFailure(app, inWords(error), { label: vscode.l10n.t('Change Answers'), go: change });
    return;
  }
  await app.memory.note(info.id, made.id, { label: name });
  await app.madeModels.keep(info.id, made);
  app.log.info(`Fine-tuned model ${made.id} is ${made.status}`);
  await app.trees.get(VIEWS.models)?.refresh();
  await vscode.commands.executeCommand(`${VIEWS.models}.focus`);
  tellWhenDone(app, { serviceId: info.id, kind: 'model', id: made.id, label: name }, made.status);
}

/** Creates the model. What was stored for it alone goes again where it is certain that there is no model. */
async function send(app: App, client: ServiceClient, answers: Answers): Promise<LocalFineTunedModel> {
  const { data, base, settings, name } = answers;
  const config = Object.fromEntries(settings.map(({ field }) => [field, answers[field]]));
  const { input, stored } = await data.prepare();
  const request = {
    base_model: base.id,
    input_config: input,
    config: settings.length > 0 ? config : undefined,
    name,
  };
  try {
    return await withPatience(vscode.l10n.t('Creating {0}', name), (signal) =>
      sendOnce(() => client.createFineTunedModel(request, signal), 'models'),
    );
  } catch (error) {
    if (stored !== undefined && error instanceof ServiceError) await discard(app, client, stored);
    throw error;
  }
}

/** Deletes a dataset that nothing needs, where the service offers that. */
async function discard(app: App, client: ServiceClient, id: string): Promise<void> {
  try {
    if (!(await client.capabilities()).has('deleteDataset')) return;
    await client.delete('deleteDataset', id);
    inBackground(app.log, app.trees.get(VIEWS.datasets)?.refresh());
  } catch (error) {
    app.log.warn(`The dataset ${id} stays at the service: ${String(error)}`);
  }
}

const LABELS: ReadonlyMap<string, string> = new Map([
  ['base_model', vscode.l10n.t('Base model')],
  ['dataset_tags', vscode.l10n.t('Tags')],
  ['dataset_ids', vscode.l10n.t('Datasets')],
  ['series_ids', vscode.l10n.t('Stored series')],
  ['series', vscode.l10n.t('Series')],
]);

/** A service names the place of a fault by its fields; the person knows them by the words of the inputs. */
export function inWords(error: ServiceError): ServiceError {
  let { message } = error;
  for (const { place } of error.faults) {
    const field = place.findLast((part) => !/^\d+$/.test(part)) ?? '';
    const label = labelOfSetting(field) ?? LABELS.get(field);
    if (label === undefined) continue;
    // as `errorOfAnswer` writes it; a sentence that begins with the field itself has its name once
    const written = `${place.join('.')}: `;
    message = message.replaceAll(`${written}${field} `, `${label} `).replaceAll(written, `${label}: `);
  }
  const { kind, status, outcomeUnknown } = error;
  return new ServiceError(kind, message, { status, outcomeUnknown, cause: error });
}
