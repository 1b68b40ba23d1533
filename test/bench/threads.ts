import { fileURLToPath } from 'node:url';
import { ServiceClient } from '../../src/client/client.ts';
import { ThreadReader } from '../../src/reading/thread/reader.ts';
import { newToken } from '../../src/service/store/token.ts';
import { ServiceThread } from '../../src/service/host/service-thread.ts';

/** The reader of files and the local service, each in a thread as in the extension; the service keeps its data in `folder`. */
export function startThreads(folder: string) {
  const src = new URL('../../src/', import.meta.url);
  const reader = new ThreadReader(new URL('reading/thread/thread.ts', src));
  const token = newToken();
  const service = new ServiceThread(
    new URL('service/host/service-worker.ts', src),
    () =>
      Promise.resolve({
        folder,
        token,
        computeScript: fileURLToPath(new URL('service/tasks/pool-thread.ts', src)),
        keepDays: 0,
      }),
    console.error,
  );
  const client = new ServiceClient({
    baseUrl: new URL('http://localhost'),
    fetch: service.fetch,
    token: () => Promise.resolve(token),
  });
  const stop = (): Promise<void> => {
    reader.dispose();
    return service.stop();
  };
  return { reader, client, stop };
}
