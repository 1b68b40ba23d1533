import * as vscode from 'vscode';
import { CONFIG_BOUNDS } from '../contract/requests.ts';
import { VIEWS } from '../connection/names.ts';
import type { ResourceNode } from '../tree/node.ts';
import type { App } from './app.ts';
import { chooseModel, type ModelItem } from './models.ts';
import { tellWhenDone } from './notify.ts';
import { withPatience } from './progress.ts';
import { sendOnce } from './send.ts';
import { askText, runSteps } from './steps.ts';
import { isSeriesFile } from './document.ts';
import { chooseTrainingData, fromFile, fromFiles, type TrainingData } from './training-data.ts';
import { chooseSettings, type Config } from './training-settings.ts';

interface Answers {
  readonly data: TrainingData;
  readonly base: ModelItem;
  readonly name: string;
  readonly config: Config;
}

const TITLE = 'Create Fine-Tuned Model';
/** Measured: 11 to 14 s of one core for 100 monthly series with the default settings; statistical models take a second. */
const ESTIMATE = 'The training takes a few seconds, up to about 15 with many series.';

/**
 * Trains a model: on files or folders, on datasets, or on what the person chooses.
 * @throws Cancelled, ServiceError, SeriesError
 */
export async function createFineTunedModel(
  app: App,
  from: { readonly files?: readonly vscode.Uri[]; readonly datasets?: readonly (ResourceNode & { kind: 'dataset' })[] },
): Promise<void> {
  const { files = [], datasets = [] } = from;
  const [file] = files;
  const isPanel = files.length > 1 || (file !== undefined && !isSeriesFile(file));
  const start: Answers = {
    data: ofDatasets(datasets),
    base: { label: '', id: undefined },
    name: '',
    config: {},
  };
  const isLocal = app.connection.current.kind === 'local';
  const answers = await runSteps<Answers>(TITLE, start, [
    async (_state, place) => {
      if (datasets.length > 0) return undefined;
      if (isPanel) return { data: await fromFiles(app, files) };
      return { data: file ? await fromFile(app, file, place) : await chooseTrainingData(app, place) };
    },
    async (_state, place) => ({ base: await chooseModel(app, place, 'Which base model?', 'base') }),
    async (_state, place) => ({ config: await chooseSettings(place, isLocal ? CONFIG_BOUNDS : undefined) }),
    async ({ base, data }, place) => ({
      name: await askText({
        place,
        prompt: isLocal ? `What should the model be called? ${ESTIMATE}` : 'What should the model be called?',
        value: `${base.id ?? 'model'} on ${data.label}`.slice(0, 200),
        check: (text) =>
          text.trim() === '' ? 'Enter a name.' : text.length > 200 ? 'At most 200 characters.' : undefined,
      }),
    }),
  ]);
  await create(app, answers);
}

const ofDatasets = (datasets: readonly (ResourceNode & { kind: 'dataset' })[]): TrainingData => ({
  label: datasets.map((node) => node.item.name ?? node.id).join(', '),
  input: () => Promise.resolve({ dataset_ids: datasets.map((node) => node.id) }),
});

async function create(app: App, { data, base, name, config }: Answers): Promise<void> {
  const session = await app.connection.ready();
  const { client, info } = session;
  const settings = Object.keys(config).length > 0 ? config : undefined;
  const request = { base_model: base.id, input_config: await data.input(), config: settings, name };
  const made = await withPatience(`Creating ${name}`, (signal) =>
    sendOnce(() => client.createFineTunedModel(request, signal), 'models'),
  );
  await app.memory.note(info.id, made.id, { label: name });
  await app.madeModels.keep(info.id, made);
  app.log.info(`Fine-tuned model ${made.id} is ${made.status}`);
  await app.trees.get(VIEWS.models)?.refresh();
  await vscode.commands.executeCommand(`${VIEWS.models}.focus`);
  tellWhenDone(app, { serviceId: session.info.id, kind: 'model', id: made.id, label: name }, made.status);
}
