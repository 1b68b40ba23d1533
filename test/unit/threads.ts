import path from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * The programs of threads, to be asked for while tests run: by then `hand-in-vscode.mjs` has bundled them for all files
 * of a run, since a thread that reads sources takes longer to start than most tests take.
 */
export const threads = {
  get engine(): URL {
    return script('engine.mjs', 'service/tasks/pool-thread.ts');
  },
  get service(): URL {
    return script('service.mjs', 'service/host/service-worker.ts');
  },
  get series(): URL {
    return script('series.mjs', 'reading/thread/thread.ts');
  },
};

function script(bundle: string, source: string): URL {
  const { TEST_THREADS: folder } = process.env;
  return folder ? pathToFileURL(path.join(folder, bundle)) : new URL(`../../src/${source}`, import.meta.url);
}
