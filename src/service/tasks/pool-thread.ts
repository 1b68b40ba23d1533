/** Entry of a compute thread: the tasks that the service asks of it, by the functions that do them. */
import { parentPort } from '#platform/thread';
import { answerCalls, type Talk } from '../../platform/calls.ts';
import { expectedOf, RequestError } from '../errors.ts';
import { decompose, findAnomalies, runBacktest, testCovariates } from './analyses.ts';
import { readInParts, readLines } from './bodies.ts';
import { predict, predictAll } from './predict.ts';
import type { OnProgress } from './series.ts';
import { forecastLines } from './stream.ts';
import { addUpForecasts, forecastBases, sharedGridOf } from './sums.ts';
import { train } from './train.ts';

const inJson =
  <T>(analyze: (task: T) => object) =>
  (task: T): string =>
    JSON.stringify(analyze(task));

const runners = {
  forecast: predict,
  forecasts: predictAll,
  lines: forecastLines,
  backtest: inJson(runBacktest),
  decomposition: inJson(decompose),
  covariates: inJson(testCovariates),
  anomalies: inJson(findAnomalies),
  tune: train,
  'shared-grid': sharedGridOf,
  bases: forecastBases,
  sums: addUpForecasts,
  read: readInParts,
  'read-lines': readLines,
} as const satisfies Record<string, (task: never, onProgress: OnProgress, stop: AbortSignal) => unknown>;

type Kind = keyof typeof runners;
export type Task = { [K in Kind]: { readonly kind: K } & Parameters<(typeof runners)[K]>[0] }[Kind];
export type TaskResults = { readonly [K in Kind]: Awaited<ReturnType<(typeof runners)[K]>> };

/** Why a task has no result: without a `failure` by a defect of the program, with a `status` by one of a request. */
export type Thrown = ReturnType<typeof thrownOf>;

const thrownOf = (error: unknown) => ({
  message: error instanceof Error ? error.message : String(error),
  failure: expectedOf(error),
  ...(error instanceof RequestError && { status: error.status, errors: error.errors }),
});

answerCalls<Task>(
  parentPort,
  (task, { tell, stop }) => {
    const run = runners[task.kind] as (task: Task, tell: Talk['tell'], stop: AbortSignal) => unknown;
    return run(task, tell, stop);
  },
  thrownOf,
);
