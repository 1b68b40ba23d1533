import { type Failure, failure, readAs } from '../../../src/contract/failures.ts';
import assert from 'node:assert/strict';
import type { DatabaseSync } from 'node:sqlite';
import * as z from 'zod/mini';
import { CreateFineTunedModel, CreatePrediction, PredictDataset } from '../../../src/contract/requests.ts';
import { encodeWeights, isReadable, weightsVersion } from '../../../src/engine/neural/weights.ts';
import { baseModel } from '../../../src/engine/neural/model.ts';
import { baseSettings } from '../../../src/engine/types.ts';
import { openDatabase, sqliteStore } from '../../../src/service/database/sqlite.ts';
import { Datasets } from '../../../src/service/store/datasets.ts';
import { RequestError } from '../../../src/service/errors.ts';
import { type BodyName, readBody } from '../../../src/service/tasks/bodies.ts';
import type { Store } from '../../../src/service/database/store.ts';
import { Models, trainingJobs } from '../../../src/service/resources/models.ts';
import { predictionKinds, Predictions } from '../../../src/service/resources/predictions.ts';
import { train } from '../../../src/service/tasks/train.ts';
import { resultOf } from './tasks/result.ts';
import { EmbeddedEngine, openEmbedded } from '../../../src/service/jobs/embedded.ts';
import { type JobKind, type Kinds, Queue } from '../../../src/service/jobs/queue.ts';
import { Threads } from '../../../src/service/tasks/pool.ts';

const monthly = Array.from({ length: 60 }, (_, month) => ({
  timestamp: new Date(Date.UTC(2019, month, 1)).toISOString(),
  value: 100 + month + 20 * Math.sin((month * Math.PI) / 6) + ((month * 7919) % 13),
}));

describe('jobs of the service', () => {
  const reports: unknown[] = [];
  const report = (error: unknown) => reports.push(error);
  let database: DatabaseSync;
  let store: Store;
  let datasets: Datasets;
  let models: Models;
  let predictions: Predictions;
  let forecasts: Kinds;
  let trainings: JobKind;
  /** Takes jobs and does none. */
  let waiting: Queue;

  beforeEach(async () => {
    database = await openDatabase(':memory:');
    store = sqliteStore(database);
    datasets = new Datasets(store);
    const threads = new Threads('none', 1);
    models = new Models(store);
    predictions = new Predictions(store);
    forecasts = predictionKinds(store, models, threads);
    trainings = trainingJobs(models, threads);
    const engine = new EmbeddedEngine(store.db, 'nobody', report);
    waiting = new Queue(engine, store.db, report, false);
  });

  afterEach(async () => {
    await waiting.close();
    await store.close();
    assert.deepEqual(reports.splice(0), []);
  });

  const read = <N extends BodyName>(name: N, body: object) => readBody(name, [Buffer.from(JSON.stringify(body))]);
  const create = (request: z.input<typeof CreateFineTunedModel>) =>
    models.create(z.parse(CreateFineTunedModel, request), waiting);
  const predict = (request: z.input<typeof CreatePrediction>) =>
    predictions.create(read('createPrediction', request), waiting).then(({ id }) => id);
  const refuses = async (work: () => Promise<unknown>, place: string, message: RegExp) => {
    await assert.rejects(work, (error) => {
      assert.ok(error instanceof RequestError && error.errors);
      assert.equal(error.errors[0].loc.join('.'), place);
      assert.match(error.message, message);
      return true;
    });
  };
  const workOff = async (...ids: string[]) => {
    const kinds = { ...forecasts, fine_tuned_model: trainings };
    const queue = await openEmbedded(store.db, kinds, { threads: 1, report });
    await Promise.all(ids.map((id) => queue.ended(id)));
    await queue.close();
  };
  const addModel = (parameters: object, base = 'theta', weights: string | null = null) => {
    database
      .prepare(
        `insert into fine_tuned_models (id, status, name, base_model, config, input_config, parameters, weights, created_at, updated_at)
         values ('m', 'COMPLETED', 'Mine', ?, '{}', '{}', ?, ?, '2024', '2024')`,
      )
      .run(base, JSON.stringify(parameters), weights);
  };

  it('name training data that was deleted before they began', async () => {
    const add = async () =>
      (await datasets.create(read('createDataset', { tags: ['retail'], series: [{ series: monthly }] }))).id;
    const [first, second] = [await add(), await add()];
    const series = (await datasets.series.list({ size: 1 }, { dataset_id: second })).items[0].id;
    const selections = [{ dataset_ids: [first] }, { dataset_tags: ['retail'] }, { series_ids: [series] }];
    const ids: string[] = [];
    for (const input_config of selections) ids.push((await create({ base_model: 'theta', input_config })).id);
    const mixed = { dataset_ids: [first], series: monthly };
    const other = (await create({ base_model: 'theta', input_config: mixed })).id;
    await datasets.remove(first);
    await datasets.remove(second);
    await workOff(...ids, other);
    const ended = await Promise.all([...ids, other].map((id) => models.get(id)));
    const errors = ended.map(({ status, error }) => `${status} ${(error as Failure).detail}`);
    const rest = 'It was deleted before the training was done. Create the model again from stored series.';
    assert.deepEqual(errors, [
      `FAILED There is no dataset “${first}”. ${rest}`,
      `FAILED There is no dataset with the tag “retail”. ${rest}`,
      `FAILED There is no series “${series}”. ${rest}`,
      `FAILED There is no dataset “${first}”. ${rest}`,
    ]);
  });

  it('report that the model of a prediction was deleted', async () => {
    addModel({ tuned: { version: 2, settings: baseSettings }, horizon: 3 });
    const id = await predict({ ai_model_id: 'm', series: monthly });
    await models.remove('m', waiting);
    await workOff(id);
    const { status, error } = await predictions.get(id);
    assert.equal(status, 'FAILED');
    assert.deepEqual(error, failure('model_deleted', 'm'));
  });

  it('refuse a model of another version, which lists mark', async () => {
    addModel({ tuned: { version: 2, settings: baseSettings }, horizon: 3 });
    assert.equal((await models.get('m')).warnings, undefined);
    assert.equal((await models.get('m')).horizon, 3);
    const id = await predict({ ai_model_id: 'm', series: monthly });
    database.exec(`update fine_tuned_models set parameters = json_set(parameters, '$.tuned.version', 0)`);
    const sentence = /^The model “Mine” was trained by another version, .* Train it again\.$/;
    await refuses(() => predict({ ai_model_id: 'm', series: monthly }), 'body.ai_model_id', sentence);
    assert.deepEqual((await models.get('m')).warnings, [failure('model_of_other_version', 'Mine')]);
    const [listed] = (await models.list({ size: 5 })).items;
    assert.deepEqual(listed, await models.get('m'));
    await workOff(id);
    assert.match((await predictions.get(id)).error?.detail ?? '', sentence);
  });

  it('recognize weights of another version by their header', async () => {
    const { weights } = baseModel();
    const text = encodeWeights(weights, weights.parameters);
    const tuned = { version: 2, settings: baseSettings };
    addModel({ tuned, horizon: 3 }, 'hybrid', text);
    assert.equal((await models.get('m')).warnings, undefined);
    assert.equal((await models.usable('m')).model, 'hybrid');
    const others = [weightsVersion - 1, weightsVersion + 1, 10 * weightsVersion].map((version) =>
      text.replace(/"version":\d+/, `"version":${version}`),
    );
    for (const other of [...others, 'VFNGVwQAAACW']) assert.equal(isReadable(2, other.slice(0, 16)), false, other);
    database.prepare(`update fine_tuned_models set weights = ?`).run(others[0]);
    await refuses(() => models.usable('m'), 'body.ai_model_id', /Train it again/);
    assert.equal((await models.get('m')).warnings?.length, 1);
  });

  it('refuse options that they would ignore', async () => {
    const request0 = read('createDataset', { tags: ['retail'], series: [{ series: monthly }] });
    const dataset = (await datasets.create(request0)).id;
    await refuses(
      () => create({ input_config: { dataset_tags: ['retail', 'retial'], series: monthly } }),
      'body.input_config.dataset_tags.1',
      /There is no dataset with the tag “retial”/,
    );
    await refuses(
      () =>
        predictions.createOfDataset(
          dataset,
          z.parse(PredictDataset, { ai_model_id: 'theta', fine_tuning_epochs: 3 }),
          waiting,
        ),
      'body.fine_tuning_epochs',
      /is not trained in epochs/,
    );
    const request = z.parse(PredictDataset, { ai_model_id: 'hybrid', fine_tuning_epochs: 3 });
    const { ids } = await predictions.createOfDataset(dataset, request, waiting);
    const [id] = ids;
    const { options } = database.prepare('select options from predictions where id = ?').get(id) ?? {};
    assert.equal((JSON.parse(String(options)) as { fineTuningEpochs: number }).fineTuningEpochs, 3);
    assert.equal(
      database.prepare('select kind from jobs where targets = ?').get(JSON.stringify([id]))?.kind,
      'tuned_prediction',
    );
  });

  it('warn about unknown fields and store them', async () => {
    const config = { max_epoch: 1, context_length: 24 };
    const input_config = { series: monthly, dataset_tag: 'x' };
    const model = await create({ base_model: 'hybrid', modell: 'theta', config, input_config });
    assert.deepEqual(model.warnings, [
      failure('unknown_field', 'modell'),
      failure('unknown_field', 'config.max_epoch'),
      failure('unknown_field', 'input_config.dataset_tag'),
    ]);
    assert.deepEqual(model.config, config);
  });

  it('refuse a context that the base model cannot be trained on, and too few sample paths', async () => {
    const wish = (base_model: string, config: Record<string, number>) => () =>
      create({ base_model, config, input_config: { series: monthly } });
    await refuses(wish('hybrid', { context_length: 5 }), 'body.config.context_length', /at least 6 for hybrid/);
    await wish('hybrid', { context_length: 6, num_samples: 100 })();
    await wish('theta', { context_length: 4 })();
    const faults = (config: object) => {
      const request = { base_model: 'theta', config, input_config: { series: monthly } };
      return readAs(CreateFineTunedModel, request).error?.issues.map(({ path, message }) => [path.join('.'), message]);
    };
    assert.equal(faults({ context_length: 3 })?.[0][0], 'config.context_length');
    const [[place, message]] = faults({ num_samples: 99 }) ?? [];
    assert.equal(place, 'config.num_samples');
    assert.match(message, /num_samples must be at least 100: .*outer quantiles/);
    assert.deepEqual(
      models.listBase().items.map(({ min_context_length }) => min_context_length),
      [6, 4, 4, 4, 4],
    );
  });

  const nothing = () => undefined;

  it('draw sample paths only for nets', () => {
    const levels = [0.1, 0.5, 0.9];
    const of = (model: string, samples?: number) =>
      resultOf({ kind: 'forecast', points: JSON.stringify(monthly), model, horizon: 3, levels, samples }).series;
    assert.deepEqual(of('theta', 100), of('theta'));
    assert.notDeepEqual(of('hybrid', 100), of('hybrid'));
  });

  it('fine-tune on the whole series before a forecast with a short context', () => {
    const task = {
      kind: 'forecast',
      points: JSON.stringify(monthly),
      model: 'hybrid',
      levels: [],
      fineTuningEpochs: 1,
    } as const;
    const { details } = resultOf({ ...task, contextLength: 12, horizon: 12 });
    assert.equal(details.warnings, undefined);
    assert.equal(details.fine_tuning?.series, 1);
  });

  it('fail a training that cannot be scored, with the reason', async () => {
    const tune = (points: typeof monthly) => () =>
      train({ model: 'theta', dataset: [JSON.stringify(points)], horizon: 6 }, nothing);
    await assert.rejects(tune(monthly.map((point) => ({ ...point, value: 5 }))), /no_change/);
    await assert.rejects(tune(monthly.slice(0, 3)), /few_observations/);
    await assert.rejects(train({ model: 'theta', dataset: [] }, nothing), /no.* observed value/i);
  });
});
