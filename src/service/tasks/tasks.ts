/** What the service asks of a compute thread: tasks by the functions that do them, which threads alone load. */
import type { Failure } from '../../contract/failures.ts';
import type { RequestError } from '../errors.ts';
import type { NewDataset } from '../store/points.ts';
import { decompose, findAnomalies, runBacktest, testCovariates } from './analyses.ts';
import { readInParts, readLines, type ReadTask } from './bodies.ts';
import { forecastLines } from './stream.ts';
import { predict, predictAll } from './predict.ts';
import type { OnProgress, TaskProgress } from './series.ts';
import { addUpForecasts, forecastBases, sharedGridOf } from './sums.ts';
import { train } from './train.ts';

type OnSeries = (series: NewDataset['series']) => Promise<void>;
type IsStopped = () => boolean;

/** For what is answered as it is. */
const inJson =
  <T>(analyze: (task: T) => object) =>
  (task: T): string =>
    JSON.stringify(analyze(task));

/** What goes to a thread and comes from it can be cloned. */
export const runners = {
  forecast: predict,
  /** Without those that could not be made, which are tried again by themselves to say why. */
  forecasts: predictAll,
  lines: forecastLines,
  backtest: inJson(runBacktest),
  decomposition: inJson(decompose),
  covariates: inJson(testCovariates),
  anomalies: inJson(findAnomalies),
  tune: (task: Parameters<typeof train>[0], onProgress: OnProgress, _: OnSeries, isStopped: IsStopped) =>
    train(task, onProgress, isStopped),
  'shared-grid': sharedGridOf,
  bases: forecastBases,
  sums: addUpForecasts,
  read: (task: ReadTask, _: OnProgress, onSeries: OnSeries) => readInParts(task, onSeries),
  'read-lines': readLines,
} as const satisfies Record<
  string,
  (task: never, onProgress: OnProgress, onSeries: OnSeries, isStopped: IsStopped) => unknown
>;

type Kind = keyof typeof runners;
export type Task = { [K in Kind]: { readonly kind: K } & Parameters<(typeof runners)[K]>[0] }[Kind];
export type TaskResults = { readonly [K in Kind]: Awaited<ReturnType<(typeof runners)[K]>> };

export interface TaskEvents {
  /** Whether it goes before others of its tenant that wait for a thread. */
  readonly isFirst?: boolean;
  /** The tenant that it is done for: tenants take turns. */
  readonly tenant?: string | undefined;
  /** Once it is aborted, a training ends with the best so far. */
  readonly stop?: AbortSignal | undefined;
  readonly onStart: () => void;
  readonly onProgress: OnProgress;
  /** Some of the series of a dataset, before the result that is then without them. */
  readonly onSeries?: ((series: NewDataset['series']) => void) | undefined;
}

export type FromCompute =
  | { readonly type: 'progress'; readonly progress: TaskProgress }
  /** A message is taken in whole before anything else is done, so a large dataset comes in parts, each asked for. */
  | { readonly type: 'series'; readonly series: NewDataset['series'] }
  | { readonly type: 'done'; readonly result: TaskResults[keyof TaskResults] }
  /** Without a `failure` it is a defect of the program; `refused`: of a request. */
  | {
      readonly type: 'failed';
      readonly message: string;
      readonly failure?: Failure | undefined;
      readonly refused?: Pick<RequestError, 'status' | 'errors'> | undefined;
    };

/** Asks for what comes after a part of the result, or for the best so far. */
export type Word = { readonly kind: 'go-on' } | { readonly kind: 'stop' };
