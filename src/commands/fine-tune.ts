import * as vscode from 'vscode';
import type { CreateFineTunedModel } from '../contract/requests.ts';
import { VIEWS } from '../connection/names.ts';
import { toPoints } from '../series/points.ts';
import type { ReadSeries } from '../series/types.ts';
import type { ResourceNode } from '../tree/node.ts';
import type { App } from './app.ts';
import { chooseSeries, settleLayout } from './choose-series.ts';
import { openDocument } from './document.ts';
import { showFailure, showFileFailure } from './failure.ts';
import { forecastWithModel } from './forecast.ts';
import { chooseModel, type ModelItem } from './models.ts';
import { tellWhenTrained } from './notify.ts';
import { withPatience } from './progress.ts';
import { sendOnce } from './send.ts';
import { askText, type Place, runSteps } from './steps.ts';

type InputConfig = NonNullable<CreateFineTunedModel['input_config']>;

interface Answers {
  readonly chosen: readonly ReadSeries[];
  readonly base: ModelItem;
  readonly name: string;
  /** `undefined`: left to the service. */
  readonly horizon: number | undefined;
}

const TITLE = 'Create Fine-Tuned Model';
const START: Answers = { chosen: [], base: { label: '', id: undefined }, name: '', horizon: undefined };

/** Trains a model on series of a file. */
export async function fineTuneOnFile(app: App, uri: vscode.Uri): Promise<void> {
  try {
    const opened = await settleLayout(app, await openDocument(app.reader, uri), TITLE);
    const { series } = opened.document;
    const answers = await runSteps<Answers>(TITLE, { ...START, chosen: series }, [
      async (_state, place) =>
        series.length > 1 ? { chosen: await chooseSeries(opened, place, 'learn from') } : undefined,
      ...commonSteps(app, opened.fileName),
    ]);
    const input = await trainingInput(app, opened.fileName, answers.chosen);
    if (input) await create(app, answers, input);
  } catch (error) {
    await showFileFailure(app, uri, error);
  }
}

/** Trains a model on stored datasets. */
export async function fineTuneOnDatasets(
  app: App,
  datasets: readonly (ResourceNode & { kind: 'dataset' })[],
): Promise<void> {
  try {
    const what = datasets.map((node) => node.item.name ?? node.id).join(', ');
    const answers = await runSteps<Answers>(TITLE, START, commonSteps(app, what));
    await create(app, answers, { dataset_ids: datasets.map((node) => node.id) });
  } catch (error) {
    await showFailure(app, error);
  }
}

function commonSteps(app: App, what: string) {
  return [
    async (_state: Answers, place: Place) => ({ base: await chooseModel(app, place, 'Which base model?', 'base') }),
    async (state: Answers, place: Place) => ({
      name: await askText({
        place,
        prompt: 'What should the model be called?',
        value: `${state.base.id ?? 'model'} on ${what}`.slice(0, 200),
        check: (text) =>
          text.trim() === '' ? 'Enter a name.' : text.length > 200 ? 'At most 200 characters.' : undefined,
      }),
    }),
    async (_state: Answers, place: Place) => {
      const text = await askText({
        place,
        prompt: 'How many steps ahead shall it forecast? Leave empty for the service’s default.',
        check: (input) =>
          input.trim() === '' || (/^\d{1,5}$/.test(input.trim()) && Number(input) >= 1 && Number(input) <= 10_000)
            ? undefined
            : 'Enter a whole number from 1 to 10000, or nothing.',
      });
      return { horizon: text === '' ? undefined : Number(text) };
    },
  ];
}

/** One series goes along with the request; several need a dataset, as the interface takes only one. */
async function trainingInput(
  app: App,
  fileName: string,
  chosen: readonly ReadSeries[],
): Promise<InputConfig | undefined> {
  if (chosen.length === 1) return { series: toPoints(chosen[0]) };
  const client = app.connection.client();
  if (!(await client.capabilities()).has('post', '/datasets')) {
    const message = `This service takes one series with a request, and does not announce a way to store more. Choose one series of ${fileName}, or datasets that it has.`;
    await vscode.window.showErrorMessage(message);
    return undefined;
  }
  const dataset = await withPatience(`Storing ${fileName} as a dataset`, (signal) =>
    client.createDataset(
      { name: fileName, series: chosen.map((one) => ({ name: one.name, series: toPoints(one) })) },
      signal,
    ),
  );
  void app.trees.get(VIEWS.datasets)?.refresh();
  return { dataset_ids: [dataset.id] };
}

async function create(app: App, { base, name, horizon }: Answers, input_config: InputConfig): Promise<void> {
  const session = app.connection.inUse;
  const { client, info } = session;
  const request = { base_model: base.id, input_config, config: { prediction_length: horizon }, name };
  const made = await withPatience(`Creating ${name}`, (signal) =>
    sendOnce(() => client.createFineTunedModel(request, signal), 'models'),
  );
  await app.memory.note(info.id, made.id, { label: name });
  await app.madeModels.keep(info.id, made);
  app.log.info(`Fine-tuned model ${made.id} is ${made.status}`);
  await app.trees.get(VIEWS.models)?.refresh();
  await vscode.commands.executeCommand(`${VIEWS.models}.focus`);
  tellWhenTrained(app, session, made, name, () => void forecastWithModel(app, made.id));
}
