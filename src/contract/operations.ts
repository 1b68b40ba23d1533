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
    description: 'Only predictions of this batch, as POST /datasets/{id}/predictions answered it.',
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
      include_sketch: flag('true adds a sketch: the last observations and the first steps ahead.', false),
      ...ofDataset('Only predictions of the series of this dataset.'),
      status: { description: 'Only predictions of this status.', schema: { type: 'string', enum: STATUSES } },
      ...ofBatch,
    },
    item: LocalPrediction,
  },
  createPrediction: {
    method: 'POST',
    path: '/predictions',
    summary:
      'Create a prediction. Unless is_async is true the answer comes when it has ended; a client that leaves before cancels it.',
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
      'Create a fine-tuned model. The training data is the union of all that input_config selects, each stored series once.',
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
      for_jobs: flag('true lists those too that were stored only for forecasts or a training.', false),
    },
    item: LocalDataset,
  },
  listKeys: {
    method: 'GET',
    path: '/keys',
    summary: 'List API keys, newest first: all of the tenant with a key of scope admin, else the key itself',
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
    summary: 'Delete a prediction; one that runs is cancelled',
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
    summary: 'Stop a training: the best epoch so far is kept. One that waits fails; one that has ended stays as it is',
    status: 200,
    answer: LocalFineTunedModel,
    noun: 'fine-tuned model',
  },
  deleteFineTunedModel: {
    method: 'DELETE',
    path: '/fine_tuned_models/{id}',
    summary: 'Delete a fine-tuned model; training that runs is cancelled',
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
    summary: 'Delete a dataset; predictions made from it stay',
    status: 204,
  },
  predictDataset: {
    method: 'POST',
    path: '/datasets/{id}/predictions',
    summary:
      'Create a prediction of each series of a dataset, all or none. They are QUEUED behind predictions of single series.',
    status: 201,
    body: PredictDataset,
    answer: DatasetPredictions,
    noun: 'list of predictions',
  },
  cancelDatasetPredictions: {
    method: 'DELETE',
    path: '/datasets/{id}/predictions',
    summary: 'Delete those predictions of a dataset that have not ended; those that run are cancelled',
    status: 204,
    query: ofBatch,
  },
  listBatches: {
    method: 'GET',
    path: '/batches',
    summary: 'List runs over the series of datasets, newest first',
    status: 200,
    query: { ...paging, ...ofDataset('Only runs over the series of this dataset.') },
    item: Batch,
  },
  getBatch: {
    method: 'GET',
    path: '/batches/{id}',
    summary: 'Read a run over the series of a dataset, with how many of its predictions have ended',
    status: 200,
    answer: Batch,
    noun: 'batch',
  },
  repeatBatch: {
    method: 'POST',
    path: '/batches/{id}/predictions',
    summary:
      'Create a prediction of each series of the dataset of a batch as it is now, as was asked for then, all or none: a batch of its own',
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
      'Add series to a dataset, one a line, in batches: a line at fault is refused and told by its number, the others are stored. A line with an id of its own, or of a request with an Idempotency-Key, is stored once, however often it comes; with other points or another name it is refused.',
    status: 201,
    bodyLines: SeriesLine,
    answer: AddedSeries,
    noun: 'account of the lines',
  },
  listForecasts: {
    method: 'GET',
    path: '/datasets/{id}/forecasts.ndjson',
    summary:
      'Read the newest prediction of each series of a dataset that has one, one a line, the newest series first; what has not ended has its status alone',
    status: 200,
    answerLines: DatasetForecast,
  },
  getBacktest: {
    method: 'GET',
    path: '/predictions/{id}/backtest',
    summary:
      'Forecast the series of a prediction again from times in its past, and give what then came; nothing is stored',
    status: 200,
    query: {
      prediction_length: {
        description: 'Steps ahead; those of the prediction where it is absent. Fewer where the history is short.',
        schema: { type: 'integer', minimum: 1, maximum: 10_000 },
      },
      origins: {
        description: 'Times in the past, each one horizon before the next.',
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
    summary: 'Find out on a backtest which covariates of a series help; nothing is stored',
    status: 200,
    body: TestCovariates,
    answer: CovariateTest,
    noun: 'test of covariates',
  },
  findAnomalies: {
    method: 'POST',
    path: '/anomalies',
    scope: 'read',
    summary: 'Find the observations of a series that those before them did not let expect; nothing is stored',
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
    summary: 'Delete an API key; from then on it is refused',
    status: 204,
    scope: 'admin',
  },
  getStorage: {
    method: 'GET',
    path: '/storage',
    summary: 'Read how much is stored, and for how long',
    status: 200,
    answer: Storage,
    noun: 'size of what is stored',
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
