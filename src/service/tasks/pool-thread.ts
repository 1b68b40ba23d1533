/** Entry of a compute thread: runs one task at a time and posts its progress and its end. */
import { parentPort } from 'node:worker_threads';
import { EngineError } from '../../engine/forecast.ts';
import { forecastBases, sharedGridOf } from './bases.ts';
import { addUpForecasts } from './sums.ts';
import { runBacktest } from './backtest.ts';
import { runForecast, runForecasts, runTune } from './forecast.ts';
import { JobError, RequestError } from '../errors.ts';
import { readInSlices } from './bodies.ts';
import { forecastLines } from './forecast-lines.ts';
import { testCovariates } from './tested-covariates.ts';
import { readLines } from './read-lines.ts';
import { findOddPoints } from './odd-points.ts';
import { splitParts } from './parts.ts';
import type { FromCompute, GoOn, ReadTask, Task, TaskProgress, TaskResult } from './tasks.ts';

const port = parentPort;
if (!port) throw new Error('compute.ts runs as a worker thread');
const post = (message: FromCompute) => {
  port.postMessage(message);
};

/** What is long goes as JSON. */
function resultOf(task: Exclude<Task, ReadTask>, onProgress: (progress: TaskProgress) => void): TaskResult {
  switch (task.kind) {
    case 'forecast':
      return JSON.stringify(runForecast(task, onProgress));
    case 'forecasts':
      return runForecasts(task);
    case 'backtest':
      return JSON.stringify(runBacktest(task));
    case 'parts':
      return JSON.stringify(splitParts(task));
    case 'covariates':
      return JSON.stringify(testCovariates(task));
    case 'odd-points':
      return JSON.stringify(findOddPoints(task));
    case 'tune':
      return runTune(task, onProgress);
    case 'lines':
      return forecastLines(task);
    case 'shared-grid':
      return sharedGridOf(task.points, task.horizon, task.count);
    case 'bases':
      return forecastBases(task);
    case 'sums':
      return addUpForecasts(task, onProgress);
    case 'read-lines':
      return readLines(task);
  }
}

let goOn: () => void = () => undefined;

/** Reads a body; posts the series of a dataset in parts, each when the one before was taken. */
async function read({ name, blocks }: ReadTask): Promise<TaskResult> {
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
  try {
    const onProgress = (progress: TaskProgress) => {
      post({ type: 'progress', progress });
    };
    post({ type: 'done', result: task.kind === 'read' ? await read(task) : resultOf(task, onProgress) });
  } catch (error) {
    const expected = error instanceof JobError || error instanceof EngineError;
    const refusal = error instanceof RequestError ? { status: error.status, detail: error.detail } : undefined;
    post({ type: 'failed', message: error instanceof Error ? error.message : String(error), expected, refusal });
  }
}

port.on('message', (message: Task | GoOn) => {
  if (message.kind === 'go-on') goOn();
  else {
    perform(message).catch((error: unknown) => {
      post({ type: 'failed', message: String(error), expected: false, refusal: undefined });
    });
  }
});
