/** Entry of a compute thread: runs one task at a time and posts its progress and its end. */
import { parentPort } from 'node:worker_threads';
import { EngineError } from '../../engine/forecast.ts';
import { runForecast, runTune } from './forecast-job.ts';
import { JobError } from '../errors.ts';
import type { FromCompute, Task, TaskProgress } from './tasks.ts';

const port = parentPort;
if (!port) throw new Error('compute.ts runs as a worker thread');
const post = (message: FromCompute) => {
  port.postMessage(message);
};

port.on('message', (task: Task) => {
  try {
    const onProgress = (progress: TaskProgress) => {
      post({ type: 'progress', progress });
    };
    const result = task.kind === 'forecast' ? JSON.stringify(runForecast(task, onProgress)) : runTune(task, onProgress);
    post({ type: 'done', result });
  } catch (error) {
    const expected = error instanceof JobError || error instanceof EngineError;
    post({ type: 'failed', message: error instanceof Error ? error.message : String(error), expected });
  }
});
