import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { inDigits } from '../../../calendar/digits.ts';
import { formatInstant } from '../../../calendar/format.ts';
import { parseTimestamp } from '../../../calendar/timestamp.ts';
import type { Action } from '../../../chart/chart-view.ts';
import type { Capabilities } from '../../../client/capabilities.ts';
import { isPending, type LocalFineTunedModel, type TrainingRecord } from '../../../contract/resources.ts';
import { labelOfSetting, trainFurther } from '../../training/fine-tune.ts';
import { better, gainOf, isUsable, statusWords } from '../tree/kinds.ts';
import { ServiceError } from '../../../client/errors.ts';
import type { App } from '../../app.ts';
import { sessionOf } from '../../connection/connection.ts';
import { COMMANDS, VIEWS } from '../../names.ts';
import { sentenceOf } from '../../ui/say.ts';
import { allItems } from '../../ui/paged-list.ts';
import { type Owner, Page, PageHost } from '../shared/page-host.ts';
import type { Handlers } from '../shared/protocol.ts';
import { showJobData, showsJobData } from '../tree/sources.ts';

export const ModelRef = z.object({ serviceId: z.string(), modelId: z.string() });
export type ModelRef = z.infer<typeof ModelRef>;

export const ModelIntent = z.discriminatedUnion('type', [z.object({ type: z.literal('action'), id: z.string() })]);
export type ModelIntent = z.infer<typeof ModelIntent>;

export const DATASET = 'dataset:';

const action = (id: 'forecast' | 'stop' | 'further' | 'retry', label: string): Action => ({ id, label });

interface ModelContext {
  readonly datasetNames: ReadonlyMap<string, string>;
  readonly startLabel?: string | undefined;
  readonly offers?: Pick<Capabilities, 'has' | 'takes' | 'tellsOfModels'> | undefined;
  readonly problem?: string | undefined;
}

type Whole = Extract<ReturnType<typeof modelView>, { readonly status: string }>;
export type ModelView = Partial<Whole> & Pick<Whole, 'actions' | 'lists' | 'notes'>;
export type Curve = NonNullable<Whole['training']>['curves'][number];

export interface ModelState {
  readonly ref: ModelRef;
  readonly title: string;
  readonly model: ModelView;
}

/** What a page shows of a model: of one that is not loaded yet, or could not be, only the problem and the way out. */
export function modelView(model: LocalFineTunedModel | undefined, { problem, ...context }: ModelContext) {
  const retry = problem === undefined ? [] : [action('retry', vscode.l10n.t('Try Again'))];
  if (!model) return { problem, actions: retry, lists: [], notes: [] };
  const { status, training, progress, error, horizon } = model;
  const { offers, datasetNames } = context;
  const isTrained = status === 'COMPLETED';
  const canForecast = isTrained || (offers !== undefined && isUsable(model, offers));
  const canStop = isPending(status) && offers?.has('stopFineTunedModel') === true;
  const canTrainFurther = isTrained && offers?.takes('createFineTunedModel', 'start_model') === true;
  const actions: Action[] = [
    ...(canForecast ? [action('forecast', vscode.l10n.t('Forecast a File with this Model…'))] : []),
    ...(canStop ? [action('stop', vscode.l10n.t('Stop'))] : []),
    ...(canTrainFurther ? [action('further', vscode.l10n.t('Continue Training'))] : []),
    ...retry,
  ];
  const ofModel = rows([
    [vscode.l10n.t('Base model'), model.base_model],
    [vscode.l10n.t('Horizon (steps)'), horizon && inDigits(horizon)],
    [vscode.l10n.t('Created'), moment(model.created_at)],
    [vscode.l10n.t('Updated'), moment(model.updated_at)],
    [vscode.l10n.t('ID'), model.id],
  ]);
  return {
    status: statusLine(model),
    progress: status === 'IN_PROGRESS' ? progress : undefined,
    problem: [error, problem].filter(Boolean).join(' ') || undefined,
    verdict: verdictOf(model),
    actions,
    training: training && trainingView(training, canTrainFurther && wasFalling(training), startOf(model)),
    lists: [
      { title: vscode.l10n.t('Training data'), rows: dataRows(model, datasetNames) },
      { title: vscode.l10n.t('Training settings'), rows: settingRows(model, context) },
      { title: vscode.l10n.t('Model'), rows: ofModel },
    ].filter((list) => list.rows.length > 0),
    notes: model.warnings ?? [],
  };
}

function statusLine({ status, progress, base_model, training }: LocalFineTunedModel): string {
  const epochs =
    training &&
    status === 'IN_PROGRESS' &&
    vscode.l10n.t('epoch {0} of up to {1}', String(training.epoch), String(training.max_epochs));
  const base = vscode.l10n.t('Fine-tuned from {0}', base_model ?? vscode.l10n.t('a base model'));
  return [base, statusWords({ status, progress }), epochs].filter(Boolean).join(' · ');
}

const startOf = ({ config }: LocalFineTunedModel): string =>
  config?.['start_model'] === undefined
    ? vscode.l10n.t('its base model')
    : vscode.l10n.t('the model it was continued from');

function verdictOf(model: LocalFineTunedModel) {
  const { scores } = model;
  if (!scores?.base_mase || scores.mase === undefined) return undefined;
  const { series, base_mase: base, mase, best, worst } = scores;
  const than = startOf(model);
  const gain = gainOf(base, mase);
  const on =
    series === 1 ? vscode.l10n.t('the training series') : vscode.l10n.t('{0} training series', inDigits(series));
  // only a shorter context can make a model worse: its base model was scored with all points
  const before = gain < 0 ? vscode.l10n.t('with all points') : vscode.l10n.t('before');
  const ofSeries = (words: string, one: typeof best) =>
    one && series > 1
      ? [vscode.l10n.t('{0}: {1}, {2} than {3}.', words, one.name, better(gainOf(one.base_mase, one.mase)), than)]
      : [];
  const sentences = [
    vscode.l10n.t('On the holdout of {0}: MASE {1}, {2} {3}.', on, inDigits(mase, 3), before, inDigits(base, 3)),
    ...ofSeries(vscode.l10n.t('Best'), best),
    ...ofSeries(vscode.l10n.t('Worst'), worst),
  ];
  const kind = gain > 0 ? 'better' : gain < 0 ? 'worse' : 'same';
  const headline =
    gain === 0 ? vscode.l10n.t('No better than {0}', than) : vscode.l10n.t('{0} than {1}', better(gain), than);
  return { kind, headline, sentences };
}

const TREND = 0.002;

/** Whether the loss was still falling at the last epoch, and the holdout error was not rising. */
function wasFalling({ record, max_epochs }: TrainingRecord): boolean {
  const losses = record.flatMap(({ loss }) => loss ?? []);
  const [before, last] = losses.slice(-2);
  const lowest = Math.min(...record.map(({ validation }) => validation));
  const isRising = record[record.length - 1]?.validation > lowest * (1 + TREND);
  return losses.length >= Math.min(2, max_epochs) && last !== undefined && last < before * (1 - TREND) && !isRising;
}

function trainingView({ record, chosen_epochs }: TrainingRecord, isFalling: boolean, start: string) {
  if (record.length === 0) return undefined;
  const chosen = record.find(({ epoch }) => epoch === chosen_epochs)?.epoch;
  const loss = record.flatMap(({ epoch, loss }) => (loss === undefined ? [] : [{ epoch, value: loss }]));
  const validation = record.map(({ epoch, validation }) => ({ epoch, value: validation }));
  const curves = [
    { name: 'loss', title: vscode.l10n.t('Training loss'), points: loss, digits: 4 },
    { name: 'validation', title: vscode.l10n.t('MASE on the holdout'), points: validation, digits: 3 },
  ];
  const why =
    chosen === 0
      ? vscode.l10n.t('no later epoch was better by more than chance explains')
      : vscode.l10n.t('it was the best on the holdout');
  const sentences: string[] = [];
  if (chosen !== undefined)
    sentences.push(vscode.l10n.t('Epoch 0 is {0}. The dot marks epoch {1}: {2}.', start, String(chosen), why));
  if (isFalling) sentences.push(vscode.l10n.t('The loss was still falling at the last epoch; more training may help.'));
  return { curves: curves.filter(({ points }) => points.length > 0), chosen, sentences };
}

interface Row {
  readonly name: string;
  readonly values: readonly { readonly text: string; readonly id?: string }[];
}

const rows = (entries: readonly (readonly [string, unknown])[]): Row[] =>
  entries.flatMap(([name, value]) =>
    value === undefined || value === null || value === '' ? [] : [{ name, values: [{ text: String(value) }] }],
  );

function settingRows({ config = {} }: LocalFineTunedModel, { startLabel }: ModelContext): Row[] {
  const valueOf = (value: unknown) =>
    typeof value === 'boolean' ? (value ? vscode.l10n.t('Yes') : vscode.l10n.t('No')) : value;
  const rowOf = ([name, value]: [string, unknown]) =>
    name === 'start_model'
      ? ([vscode.l10n.t('Continued from'), startLabel ?? value] as const)
      : ([labelOfSetting(name) ?? name, valueOf(value)] as const);
  return rows(Object.entries(config).map(rowOf));
}

/** An instant to the second, in UTC; other text unchanged. */
function moment(text: string | undefined): string | undefined {
  const time = parseTimestamp(text ?? '');
  return Number.isNaN(time) ? text : `${formatInstant(Math.floor(time / 1000) * 1000)} UTC`;
}

function dataRows({ input_config: input }: LocalFineTunedModel, names: ReadonlyMap<string, string>): Row[] {
  const ids = input?.dataset_ids ?? [];
  const values = ids.map((id) => ({ text: names.get(id) ?? id, id: `${DATASET}${id}` }));
  const points = input?.series?.length;
  return [
    ...(values.length > 0 ? [{ name: vscode.l10n.t('Datasets'), values }] : []),
    ...rows([
      [vscode.l10n.t('Tags'), input?.dataset_tags?.join(', ')],
      [vscode.l10n.t('Series'), input?.series_ids?.join(', ')],
      [vscode.l10n.t('Series in the request'), points ? vscode.l10n.t('{0} points', inDigits(points)) : undefined],
    ]),
  ];
}

type Known = ModelContext & { readonly model?: LocalFineTunedModel | undefined };

class ModelPage extends Page<ModelState, ModelIntent> {
  #known: Known = { datasetNames: new Map() };

  constructor(owner: Owner, ref: ModelRef, model?: LocalFineTunedModel, title?: string) {
    const start = title ?? vscode.l10n.t('Model {0}', ref.modelId.slice(-6));
    super(owner, { ref, title: start, model: modelView(undefined, { datasetNames: new Map() }) });
    this.disposables.push(
      this.app.connection.onDidChange(() => {
        const { model: now } = this.#known;
        if (!now || isPending(now.status)) this.start(() => this.#load());
      }),
    );
    this.#show({ model });
    this.start(() => this.#load(model));
  }

  readonly intents: Handlers<ModelIntent> = { action: ({ id }) => this.start(() => this.#act(id)) };

  async #load(known?: LocalFineTunedModel): Promise<void> {
    if (this.#known.problem !== undefined) this.#show({ problem: undefined });
    const read = (signal: AbortSignal) => this.#read(signal, known);
    await this.latest('loading', read, (error) => this.#show({ problem: sentenceOf(error) }));
  }

  async #read(signal: AbortSignal, known?: LocalFineTunedModel): Promise<void> {
    const { serviceId, modelId } = this.state.ref;
    const { connection } = this.app;
    if (known && !connection.session(serviceId)) return;
    const { client, info, models } = sessionOf(connection, serviceId);
    const offers = await client.capabilities();
    const made = this.app.madeModels.of(serviceId).map(({ model }) => model);
    const found = known
      ? [known]
      : offers.tellsOfModels
        ? (await client.findModels(new Set([modelId]), signal)).jobs
        : made.filter(({ id }) => id === modelId);
    signal.throwIfAborted();
    const [model] = found;
    if (!model) throw new ServiceError('not-found', vscode.l10n.t('{0} no longer has this model.', info.name));
    this.#show({ model, offers });
    const whole = offers.has('getFineTunedModel')
      ? await client.do('getFineTunedModel', { id: modelId, signal })
      : undefined;
    signal.throwIfAborted();
    if (whole) this.#show({ model: whole });
    if (isPending(model.status))
      signal.addEventListener('abort', models.watch(modelId, { onChange: (now) => this.#show({ model: now }) }));
    if (!this.#known.model?.input_config?.dataset_ids?.length) return;
    const datasets = await allItems((cursor) => client.listDatasets({ size: 200, cursor, signal }, true));
    signal.throwIfAborted();
    this.#show({ datasetNames: new Map(datasets.flatMap(({ id, name }) => (name ? [[id, name]] : []))) });
  }

  async #act(id: string): Promise<void> {
    const { serviceId, modelId } = this.state.ref;
    const { connection, trees } = this.app;
    if (id === 'retry') await this.#load();
    else if (id === 'forecast') await vscode.commands.executeCommand(COMMANDS.forecast, { serviceId, modelId });
    else if (id.startsWith(DATASET)) await showDataset(this.app, id.slice(DATASET.length));
    else if (id === 'stop') {
      await connection.session(serviceId)?.client.do('stopFineTunedModel', { id: modelId });
      await trees.get(VIEWS.models)?.refresh();
    } else if (this.#known.model && id === 'further') await trainFurther(this.app, serviceId, this.#known.model);
  }

  #show(change: Partial<Known>): void {
    const { model: before } = this.#known;
    const { model: now = before } = change;
    const input = now?.input_config?.series ? undefined : before?.input_config;
    const model = now && input ? { ...now, input_config: input } : now;
    this.#known = { ...this.#known, ...(change.model && { problem: undefined }), ...change, model };
    const { serviceId, modelId } = this.state.ref;
    const labelOf = (id: string) => this.app.memory.recall(serviceId, id)?.label;
    const startLabel = labelOf(String(model?.config?.['start_model'] ?? ''));
    const title = labelOf(modelId) ?? model?.name ?? this.state.title;
    this.set({ title, model: modelView(model, { ...this.#known, startLabel }) });
  }
}

export const modelPages = (app: () => App) =>
  new PageHost(
    { viewType: 'forecasts.model', bundle: 'model', ref: ModelRef, intent: ModelIntent, page: ModelPage },
    app,
  );

async function showDataset(app: App, id: string): Promise<void> {
  await vscode.commands.executeCommand(`${VIEWS.datasets}.focus`);
  const tree = app.trees.get(VIEWS.datasets);
  if ((await tree?.reveal(id)) !== false || showsJobData(app)) return;
  await showJobData(app, true);
  await tree?.reveal(id);
}
