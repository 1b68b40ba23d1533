import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { ServiceClient } from '../../src/client/client.ts';
import { ThreadReader } from '../../src/reading/thread/reader.ts';
import { newToken } from '../../src/service/store/token.ts';
import { ServiceThread } from '../../src/service/host/service-thread.ts';

/**
 * The reader of files and the local service, each in a thread as in the extension; the service keeps its data in `folder`.
 *
 * @param bundles where the programs of threads were bundled; Node strips the sources of their types without
 */
export function startThreads(folder: string, bundles?: string) {
  const src = new URL('../../src/', import.meta.url);
  const scriptOf = (name: string, source: string): URL =>
    bundles === undefined ? new URL(source, src) : pathToFileURL(join(bundles, `${name}.mjs`));
  const reader = new ThreadReader(scriptOf('series', 'reading/thread/thread.ts'));
  const token = newToken();
  const service = new ServiceThread(
    scriptOf('service', 'service/host/service-worker.ts'),
    () =>
      Promise.resolve({
        folder,
        token,
        computeScript: fileURLToPath(scriptOf('engine', 'service/tasks/pool-thread.ts')),
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
