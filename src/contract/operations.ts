import * as z from 'zod/mini';
import {
  AddedSeries,
  Backtest,
  BaseModel,
  Batch,
  CovariateTest,
  DatasetForecast,
  DatasetPredictions,
  LocalDataset,
  LocalFineTunedModel,
  LocalKey,
  LocalPrediction,
  Anomalies,
  Decomposition,
  Storage,
  StoredSeries,
} from './local.ts';
import {
  CreateDataset,
  CreateFineTunedModel,
  CreateKey,
  CreatePrediction,
  FindAnomalies,
  LocalCreateFineTunedModel,
  LocalCreatePrediction,
  PredictDataset,
  SeriesLine,
  TestCovariates,
} from './requests.ts';
import { flag, type Operation, paging, TEXT_PATTERN } from './operation.ts';
import { page, STATUSES } from './resources.ts';

/** Times in the past from which a series is forecast again at once. */
const MOST_ORIGINS = 24;

/** Tells the predictions of one request apart from those of others of the same dataset. */
const ofBatch = {
  batch_id: {
    description: 'Only predictions of this batch, whose ID POST /datasets/{id}/predictions returned.',
    schema: { type: 'string', pattern: TEXT_PATTERN },
  },
} as const;

const ofDataset = (description: string) => ({
  dataset_id: { description, schema: { type: 'string', pattern: TEXT_PATTERN } },
});

const withInput = { include_input: flag('false leaves input_series out.') };

/** All operations by name: the five of the interface, then what the local service adds. */
export const operations = {
  listPredictions: {
    method: 'GET',
    path: '/predictions',
    summary: 'List predictions, newest first',
    status: 200,
    core: {},
    query: {
      ...paging,
      include_series: flag('false leaves input_series and prediction_series out.'),
      ...withInput,
      include_sketch: flag('true adds a sketch: the last observations and the first steps of the forecast.', false),
      ...ofDataset('Only predictions of the series of this dataset.'),
      status: { description: 'Only predictions with this status.', schema: { type: 'string', enum: STATUSES } },
      ...ofBatch,
    },
    item: LocalPrediction,
  },
  createPrediction: {
    method: 'POST',
    path: '/predictions',
    summary:
      'Create a prediction. Unless is_async is true, the response is sent when the prediction has ended; a client that disconnects before cancels it.',
    status: 201,
    core: { body: CreatePrediction },
    query: withInput,
    body: LocalCreatePrediction,
    answer: LocalPrediction,
    noun: 'prediction',
  },
  createFineTunedModel: {
    method: 'POST',
    path: '/fine_tuned_models',
    summary:
      'Create a fine-tuned model. The training data is the union of everything that input_config selects, each stored series once.',
    status: 201,
    core: { body: CreateFineTunedModel },
    body: LocalCreateFineTunedModel,
    answer: LocalFineTunedModel,
    noun: 'fine-tuned model',
  },
  listDatasets: {
    method: 'GET',
    path: '/datasets',
    summary: 'List datasets, newest first',
    status: 200,
    core: {},
    query: {
      ...paging,
      for_jobs: flag('true also lists datasets that were stored only for forecasts or for training.', false),
    },
    item: LocalDataset,
  },
  listKeys: {
    method: 'GET',
    path: '/keys',
    summary:
      'List API keys, newest first: all keys of the tenant if the caller’s key has the scope admin, else only that key',
    status: 200,
    core: {},
    query: paging,
    item: LocalKey,
  },

  getPrediction: {
    method: 'GET',
    path: '/predictions/{id}',
    summary: 'Read a prediction',
    status: 200,
    query: withInput,
    answer: LocalPrediction,
    noun: 'prediction',
  },
  deletePrediction: {
    method: 'DELETE',
    path: '/predictions/{id}',
    summary: 'Delete a prediction; a running one is canceled',
    status: 204,
  },
  listBaseModels: {
    method: 'GET',
    path: '/base_models',
    summary: 'List the models that come with the service',
    status: 200,
    query: paging,
    item: BaseModel,
  },
  listFineTunedModels: {
    method: 'GET',
    path: '/fine_tuned_models',
    summary: 'List fine-tuned models, newest first',
    status: 200,
    query: paging,
    item: LocalFineTunedModel,
  },
  getFineTunedModel: {
    method: 'GET',
    path: '/fine_tuned_models/{id}',
    summary: 'Read a fine-tuned model',
    status: 200,
    answer: LocalFineTunedModel,
    noun: 'fine-tuned model',
  },
  stopFineTunedModel: {
    method: 'POST',
    path: '/fine_tuned_models/{id}/stop',
    summary:
      'Stop a training and keep the best epoch so far. A queued training fails; one that has ended is not changed',
    status: 200,
    answer: LocalFineTunedModel,
    noun: 'fine-tuned model',
  },
  deleteFineTunedModel: {
    method: 'DELETE',
    path: '/fine_tuned_models/{id}',
    summary: 'Delete a fine-tuned model; running training is canceled',
    status: 204,
  },
  createDataset: {
    method: 'POST',
    path: '/datasets',
    summary: 'Create a dataset of one or many series',
    status: 201,
    body: CreateDataset,
    answer: LocalDataset,
    noun: 'dataset',
  },
  getDataset: {
    method: 'GET',
    path: '/datasets/{id}',
    summary: 'Read a dataset',
    status: 200,
    answer: LocalDataset,
    noun: 'dataset',
  },
  deleteDataset: {
    method: 'DELETE',
    path: '/datasets/{id}',
    summary: 'Delete a dataset; predictions made from it are kept',
    status: 204,
  },
  predictDataset: {
    method: 'POST',
    path: '/datasets/{id}/predictions',
    summary:
      'Create a prediction for each series of a dataset, all or none. They are QUEUED behind predictions of single series.',
    status: 201,
    body: PredictDataset,
    answer: DatasetPredictions,
    noun: 'list of predictions',
  },
  cancelDatasetPredictions: {
    method: 'DELETE',
    path: '/datasets/{id}/predictions',
    summary: 'Delete the predictions of a dataset that have not ended; running ones are canceled',
    status: 204,
    query: ofBatch,
  },
  listBatches: {
    method: 'GET',
    path: '/batches',
    summary: 'List batches of predictions of datasets, newest first',
    status: 200,
    query: { ...paging, ...ofDataset('Only batches of this dataset.') },
    item: Batch,
  },
  getBatch: {
    method: 'GET',
    path: '/batches/{id}',
    summary: 'Read a batch, with the number of its predictions that have ended',
    status: 200,
    answer: Batch,
    noun: 'batch',
  },
  repeatBatch: {
    method: 'POST',
    path: '/batches/{id}/predictions',
    summary: 'Repeat a batch on the current series of its dataset with the same options, all or none, as a new batch',
    status: 201,
    answer: DatasetPredictions,
    noun: 'list of predictions',
  },
  listDatasetSeries: {
    method: 'GET',
    path: '/datasets/{id}/series',
    summary: 'List the series of a dataset',
    status: 200,
    query: paging,
    item: StoredSeries,
  },
  getSeries: {
    method: 'GET',
    path: '/series/{id}',
    summary: 'Read a stored series with its points',
    status: 200,
    answer: StoredSeries,
    noun: 'series',
  },
  addSeries: {
    method: 'POST',
    path: '/datasets/{id}/series',
    summary:
      'Add series to a dataset, one per line. An invalid line is rejected and reported by its number; the others are stored. A line with an id, or in a request with an Idempotency-Key, is stored once, however often it is sent; with different points or another name it is rejected.',
    status: 201,
    bodyLines: SeriesLine,
    answer: AddedSeries,
    noun: 'report on the lines',
  },
  listForecasts: {
    method: 'GET',
    path: '/datasets/{id}/forecasts.ndjson',
    summary:
      'Read the newest prediction of each series of a dataset, one per line, the newest series first; a prediction that has not ended has only its status',
    status: 200,
    answerLines: DatasetForecast,
  },
  getBacktest: {
    method: 'GET',
    path: '/predictions/{id}/backtest',
    summary:
      'Backtest a prediction: forecast its series again from points in the past and return the actual values too; nothing is stored',
    status: 200,
    query: {
      prediction_length: {
        description: 'Steps ahead. Default: those of the prediction. Fewer if the history is short.',
        schema: { type: 'integer', minimum: 1, maximum: 10_000 },
      },
      origins: {
        description: 'Number of points in the past, each one horizon before the next.',
        schema: { type: 'integer', minimum: 1, maximum: MOST_ORIGINS, default: 3 },
      },
    },
    isComputed: true,
    answer: Backtest,
    noun: 'backtest',
  },
  getDecomposition: {
    method: 'GET',
    path: '/predictions/{id}/decomposition',
    summary:
      'Decompose the series of a prediction and its forecast into components that add up to them; nothing is stored',
    status: 200,
    isComputed: true,
    answer: Decomposition,
    noun: 'decomposition',
  },
  testCovariates: {
    method: 'POST',
    path: '/covariate_tests',
    scope: 'read',
    summary: 'Test in a backtest which covariates of a series help; nothing is stored',
    status: 200,
    body: TestCovariates,
    answer: CovariateTest,
    noun: 'test of covariates',
  },
  findAnomalies: {
    method: 'POST',
    path: '/anomalies',
    scope: 'read',
    summary: 'Find the anomalies of a series; nothing is stored',
    status: 200,
    body: FindAnomalies,
    answer: Anomalies,
    noun: 'list of anomalies',
  },
  createKey: {
    method: 'POST',
    path: '/keys',
    summary: 'Create an API key',
    status: 201,
    scope: 'admin',
    body: CreateKey,
    answer: LocalKey,
    noun: 'key',
  },
  deleteKey: {
    method: 'DELETE',
    path: '/keys/{id}',
    summary: 'Delete an API key, which is then rejected',
    status: 204,
    scope: 'admin',
  },
  getStorage: {
    method: 'GET',
    path: '/storage',
    summary: 'Read how much is stored and how long it is kept',
    status: 200,
    answer: Storage,
    noun: 'storage report',
  },
} as const satisfies Record<string, Operation>;

export type OperationName = keyof typeof operations;
type Of<K extends OperationName> = (typeof operations)[K];

/** Operations whose answer is a page of items. */
export type ListName = { [K in OperationName]: Of<K> extends { item: unknown } ? K : never }[OperationName];
export type ItemOf<K extends ListName> = z.core.output<Of<K>['item']>;

/** What an operation answers with; nothing for a deletion. */
export type AnswerOf<K extends OperationName> =
  Of<K> extends { answer: infer T extends z.core.$ZodType } ? z.core.output<T> : undefined;

/** Operations whose body, or whose answer, is a stream of lines. */
export type TakesLines = { [K in OperationName]: Of<K> extends { bodyLines: unknown } ? K : never }[OperationName];
export type GivesLines = { [K in OperationName]: Of<K> extends { answerLines: unknown } ? K : never }[OperationName];

/** A body as its schema gives it. */
export type BodyOf<K extends OperationName> =
  Of<K> extends { body: infer T extends z.core.$ZodType } ? z.core.output<T> : undefined;

/** Names of the query parameters. */
export type QueryOf<K extends OperationName> = Of<K> extends { query: infer T } ? Extract<keyof T, string> : never;

/** The description of a success: a page for a list. */
export const answerSchema = ({ item, answer }: Operation): z.core.$ZodType | undefined => (item ? page(item) : answer);
