/** Entry of a compute thread: runs one task at a time and posts its progress and its end. */
import { parentPort } from '#platform/thread';
import { expectedOf, RequestError } from '../errors.ts';
import type { NewDataset } from '../store/points.ts';
import type { OnProgress } from './series.ts';
import { type FromCompute, runners, type Task, type TaskResults, type Word } from './tasks.ts';

const port = parentPort;
if (!port) throw new Error('pool-thread.ts runs as a worker thread');
const post = (message: FromCompute) => {
  port.postMessage(message);
};

let goOn: () => void = () => undefined;
let isStopped = false;

/** Posts some of the series of a dataset, and resolves when they were taken. */
const onSeries = (series: NewDataset['series']): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  goOn = () => {
    resolve(undefined);
  };
  post({ type: 'series', series });
  return promise;
};

const onProgress: OnProgress = (progress) => {
  post({ type: 'progress', progress });
};

type Result = TaskResults[Task['kind']];
type Tell = [typeof onProgress, typeof onSeries, () => boolean];

async function perform(task: Task): Promise<void> {
  const run = runners[task.kind] as (task: Task, ...tell: Tell) => Result;
  isStopped = false;
  try {
    post({ type: 'done', result: await run(task, onProgress, onSeries, () => isStopped) });
  } catch (error) {
    const refused = error instanceof RequestError ? { status: error.status, errors: error.errors } : undefined;
    const message = error instanceof Error ? error.message : String(error);
    post({ type: 'failed', message, failure: expectedOf(error), refused });
  }
}

port.on('message', (message: Task | Word) => {
  if (message.kind === 'go-on') goOn();
  else if (message.kind === 'stop') isStopped = true;
  else {
    perform(message).catch((error: unknown) => {
      post({ type: 'failed', message: String(error) });
    });
  }
});
