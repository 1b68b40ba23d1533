import type { AgentService, Call } from './context.ts';
import { Poller, readPredictions } from '../client/poller.ts';
import { isPending } from '../contract/operation.ts';
import type { LocalPrediction } from '../contract/local.ts';

/** Waits until a prediction has ended. @throws ServiceError where it is gone; the signal's reason when aborted */
export async function finished(
  { client }: AgentService,
  made: LocalPrediction,
  { signal, progress }: Call,
): Promise<LocalPrediction> {
  if (!isPending(made.status)) return made;
  const poller = new Poller<LocalPrediction>(
    (ids, stop) => readPredictions(client, ids, stop),
    () => 2_000,
  );
  const { promise, resolve, reject } = Promise.withResolvers<LocalPrediction>();
  const onAbort = () => {
    reject(signal.reason as Error);
  };
  signal.addEventListener('abort', onAbort);
  try {
    signal.throwIfAborted();
    poller.watch(made.id, {
      onChange: (now) => {
        if (!isPending(now.status)) resolve(now);
        else progress(now.progress ?? 0, `The forecast is ${now.status === 'QUEUED' ? 'waiting' : 'being made'}.`);
      },
      onProblem: (problem) => {
        if (problem.kind === 'not-found') reject(problem);
      },
    });
    return await promise;
  } finally {
    signal.removeEventListener('abort', onAbort);
    poller.stop();
  }
}
