import * as z from 'zod/mini';
import { holds } from './failures.ts';
import * as requests from './requests.ts';
import * as resources from './resources.ts';

/** One operation of a service, from which its client, route, OpenAPI description and check follow. */
export interface Operation {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly summary: string;
  readonly status: 200 | 201 | 204;
  readonly query?: z.ZodMiniObject;
  readonly body?: z.core.$ZodType;
  readonly bodyLines?: z.core.$ZodType;
  readonly answerLines?: z.core.$ZodType;
  readonly isComputed?: boolean;
  readonly scope?: resources.KeyScope;
  readonly core?: readonly string[];
  readonly item?: z.core.$ZodType;
  readonly answer?: z.core.$ZodType;
}

export const TEXT_PATTERN = '^[^\\u0000]*$';
const CURSOR = /^[abAB]([0-9]{1,15})?$/;

const filter = (description: string) =>
  z.optional(z.string().check(z.regex(new RegExp(TEXT_PATTERN)), z.describe(description)));
const flag = (description: string, usual = true) => z._default(z.boolean().check(z.describe(description)), usual);
const whole = (description: string, least: number, most: number) =>
  z.int().check(z.gte(least), z.lte(most), z.describe(description));

const paging = {
  cursor: z.optional(
    z.string().check(
      holds((text) => CURSOR.test(text), 'query_pattern', 'cursor'),
      z.meta({ pattern: CURSOR.source, description: 'The cursor of a page, sent back unchanged.' }),
    ),
  ),
  size: z._default(whole('Items per page.', 1, 200), 50),
};

export const NDJSON = 'application/x-ndjson';

export const isCreation = ({ method, status }: Operation): boolean => method === 'POST' && status === 201;

const operation =
  <const O extends object>(of: O) =>
  <const M extends object = object>(path: string, summary: string, more = {} as M) => ({
    ...of,
    path,
    summary,
    ...more,
  });
const get = operation({ method: 'GET', status: 200 });
const list = operation({ method: 'GET', status: 200, query: z.object(paging) });
const create = operation({ method: 'POST', status: 201 });
const act = operation({ method: 'POST', status: 200 });
const remove = operation({ method: 'DELETE', status: 204 });

const prediction = { answer: resources.LocalPrediction };
const model = { answer: resources.LocalFineTunedModel };
const dataset = { answer: resources.LocalDataset };
const predictions = { answer: resources.DatasetPredictions };

const batch_id = filter('Only predictions of this batch, whose ID POST /datasets/{id}/predictions returned.');
const include_input = flag('false leaves input_series out.');

export const operations = {
  listPredictions: list('/predictions', 'List predictions, newest first', {
    core: [],
    query: z.object({
      ...paging,
      include_series: flag('false leaves input_series and prediction_series out.'),
      include_input,
      include_sparkline: flag(
        'true adds a sparkline: the last observations and the first steps of the forecast.',
        false,
      ),
      dataset_id: filter('Only predictions of the series of this dataset.'),
      status: z.optional(z.enum(resources.STATUSES).check(z.describe('Only predictions with this status.'))),
      batch_id,
    }),
    item: resources.LocalPrediction,
  }),
  createPrediction: create(
    '/predictions',
    'Create a prediction. Unless is_async is true, the response is sent when the prediction has ended; a client that disconnects before cancels it.',
    {
      core: ['ai_model_id', 'series_id', 'series', 'is_async', 'fine_tuning_epochs'],
      query: z.object({ include_input }),
      body: requests.CreatePrediction,
      ...prediction,
    },
  ),
  createFineTunedModel: create(
    '/fine_tuned_models',
    'Create a fine-tuned model. The training data is the union of everything that input_config selects, each stored series once.',
    { core: ['base_model', 'input_config', 'config'], body: requests.CreateFineTunedModel, ...model },
  ),
  listDatasets: list('/datasets', 'List datasets, newest first', {
    core: [],
    query: z.object({
      ...paging,
      for_jobs: flag('true also lists datasets that were stored only for forecasts or for training.', false),
    }),
    item: resources.LocalDataset,
  }),
  listKeys: list(
    '/keys',
    'List API keys, newest first: all keys of the tenant if the caller’s key has the scope admin, else only that key',
    { core: [], item: resources.LocalKey },
  ),

  getPrediction: get('/predictions/{id}', 'Read a prediction', { query: z.object({ include_input }), ...prediction }),
  deletePrediction: remove('/predictions/{id}', 'Delete a prediction; a running one is canceled'),
  listBaseModels: list('/base_models', 'List the models that come with the service', { item: resources.BaseModel }),
  listFineTunedModels: list('/fine_tuned_models', 'List fine-tuned models, newest first', {
    item: resources.LocalFineTunedModel,
  }),
  getFineTunedModel: get('/fine_tuned_models/{id}', 'Read a fine-tuned model', model),
  stopFineTunedModel: act(
    '/fine_tuned_models/{id}/stop',
    'Stop a training and keep the best epoch so far. A queued training fails; one that has ended is not changed',
    model,
  ),
  deleteFineTunedModel: remove('/fine_tuned_models/{id}', 'Delete a fine-tuned model; running training is canceled'),
  createDataset: create('/datasets', 'Create a dataset of one or many series', {
    body: requests.CreateDataset,
    ...dataset,
  }),
  getDataset: get('/datasets/{id}', 'Read a dataset', dataset),
  deleteDataset: remove('/datasets/{id}', 'Delete a dataset; predictions made from it are kept'),
  predictDataset: create(
    '/datasets/{id}/predictions',
    'Create a prediction for each series of a dataset, all or none. They are QUEUED behind predictions of single series.',
    { body: requests.PredictDataset, ...predictions },
  ),
  cancelDatasetPredictions: remove(
    '/datasets/{id}/predictions',
    'Delete the predictions of a dataset that have not ended; running ones are canceled',
    { query: z.object({ batch_id }) },
  ),
  listBatches: list('/batches', 'List batches of predictions of datasets, newest first', {
    query: z.object({ ...paging, dataset_id: filter('Only batches of this dataset.') }),
    item: resources.Batch,
  }),
  getBatch: get('/batches/{id}', 'Read a batch, with the number of its predictions that have ended', {
    answer: resources.Batch,
  }),
  repeatBatch: create(
    '/batches/{id}/predictions',
    'Repeat a batch on the current series of its dataset with the same options, all or none, as a new batch',
    predictions,
  ),
  listDatasetSeries: list('/datasets/{id}/series', 'List the series of a dataset', { item: resources.StoredSeries }),
  getSeries: get('/series/{id}', 'Read a stored series with its points', { answer: resources.StoredSeries }),
  addSeries: create(
    '/datasets/{id}/series',
    'Add series to a dataset, one per line. An invalid line is rejected and reported by its number; the others are stored. A line with an id, or in a request with an Idempotency-Key, is stored once, however often it is sent; with different points or another name it is rejected.',
    { bodyLines: requests.SeriesLine, answer: resources.AddedSeries },
  ),
  listForecasts: get(
    '/datasets/{id}/forecasts.ndjson',
    'Read the newest prediction of each series of a dataset, one per line, the newest series first; a prediction that has not ended has only its status',
    { answerLines: resources.DatasetForecast },
  ),
  getBacktest: get(
    '/predictions/{id}/backtest',
    'Backtest a prediction: forecast its series again from points in the past and return the actual values too; nothing is stored',
    {
      query: z.object({
        prediction_length: z.optional(
          whole('Steps ahead. Default: those of the prediction. Fewer if the history is short.', 1, 10_000),
        ),
        origins: z._default(whole('Number of points in the past, each one horizon before the next.', 1, 24), 3),
      }),
      isComputed: true,
      answer: resources.Backtest,
    },
  ),
  getDecomposition: get(
    '/predictions/{id}/decomposition',
    'Decompose the series of a prediction and its forecast into components that add up to them; nothing is stored',
    { isComputed: true, answer: resources.Decomposition },
  ),
  testCovariates: act('/covariate_tests', 'Test in a backtest which covariates of a series help; nothing is stored', {
    scope: 'read',
    body: requests.TestCovariates,
    answer: resources.CovariateTest,
  }),
  findAnomalies: act('/anomalies', 'Find the anomalies of a series; nothing is stored', {
    scope: 'read',
    body: requests.FindAnomalies,
    answer: resources.Anomalies,
  }),
  createKey: create('/keys', 'Create an API key', {
    scope: 'admin',
    body: requests.CreateKey,
    answer: resources.LocalKey,
  }),
  deleteKey: remove('/keys/{id}', 'Delete an API key, which is then rejected', { scope: 'admin' }),
  getStorage: get('/storage', 'Read how much is stored and how long it is kept', { answer: resources.Storage }),
} as const satisfies Record<string, Operation>;

export type OperationName = keyof typeof operations;
type Of<K extends OperationName> = (typeof operations)[K];
type With<F extends string> = { [K in OperationName]: Of<K> extends Record<F, unknown> ? K : never }[OperationName];

export type ListName = With<'item'>;
export type ItemOf<K extends ListName> = z.core.output<Of<K>['item']>;

type Part<K extends OperationName, F extends string, None> =
  Of<K> extends Record<F, infer T extends z.core.$ZodType> ? z.core.output<T> : None;
export type AnswerOf<K extends OperationName> = Part<K, 'answer', undefined>;
export type BodyOf<K extends OperationName> = Part<K, 'body', undefined>;
export type QueryValues<K extends OperationName> = Part<K, 'query', object>;

export type TakesLines = With<'bodyLines'>;
export type QueryOf<K extends OperationName> = Extract<keyof QueryValues<K>, string>;

export const answerSchema = ({ item, answer }: Operation): z.core.$ZodType | undefined =>
  item ? resources.page(item) : answer;
