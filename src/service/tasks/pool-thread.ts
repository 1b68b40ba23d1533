/** Entry of a compute thread: runs one task at a time and posts its progress and its end. */
import { parentPort } from 'node:worker_threads';
import { expectedOf, RequestError } from '../errors.ts';
import { decompose, findAnomalies, runBacktest, testCovariates } from './analyses.ts';
import { readInSlices, readLines } from './bodies.ts';
import { forecastLines } from './forecast-lines.ts';
import { predict, predictAll } from './predict.ts';
import { addUpForecasts, forecastBases, sharedGridOf } from './sums.ts';
import type { FromCompute, GoOn, ReadTask, Task, TaskProgress, TaskResults } from './tasks.ts';
import { train } from './train.ts';

const port = parentPort;
if (!port) throw new Error('compute.ts runs as a worker thread');
const post = (message: FromCompute) => {
  port.postMessage(message);
};

type Runners = {
  readonly [K in keyof TaskResults]: (
    task: Task & { kind: K },
    onProgress: (progress: TaskProgress) => void,
  ) => TaskResults[K] | Promise<TaskResults[K]>;
};

const runners: Runners = {
  forecast: predict,
  forecasts: ({ tasks }) => predictAll(tasks),
  lines: forecastLines,
  backtest: runBacktest,
  decomposition: decompose,
  covariates: testCovariates,
  anomalies: findAnomalies,
  tune: train,
  'shared-grid': sharedGridOf,
  bases: forecastBases,
  sums: addUpForecasts,
  read,
  'read-lines': readLines,
};

let goOn: () => void = () => undefined;

/** Reads a body; posts the series of a dataset in parts, each when the one before was taken. */
async function read({ name, blocks }: ReadTask): Promise<TaskResults['read']> {
  const slices = readInSlices(name, taken(blocks));
  for (;;) {
    const { done, value } = slices.next();
    if (done) return value;
    const { promise, resolve } = Promise.withResolvers<undefined>();
    goOn = () => {
      resolve(undefined);
    };
    post({ type: 'series', series: value });
    await promise;
  }
}

/** Each is let go of once it is read. */
function* taken(blocks: Uint8Array[]): Generator<Uint8Array> {
  for (let block; (block = blocks.shift());) yield block;
}

async function perform(task: Task): Promise<void> {
  const run = runners[task.kind] as (
    task: Task,
    onProgress: (progress: TaskProgress) => void,
  ) => TaskResults[keyof TaskResults];
  try {
    const onProgress = (progress: TaskProgress) => {
      post({ type: 'progress', progress });
    };
    post({ type: 'done', result: await run(task, onProgress) });
  } catch (error) {
    const refused = error instanceof RequestError ? { status: error.status, errors: error.errors } : undefined;
    const message = error instanceof Error ? error.message : String(error);
    post({ type: 'failed', message, failure: expectedOf(error), refused });
  }
}

port.on('message', (message: Task | GoOn) => {
  if (message.kind === 'go-on') goOn();
  else {
    perform(message).catch((error: unknown) => {
      post({ type: 'failed', message: String(error) });
    });
  }
});
