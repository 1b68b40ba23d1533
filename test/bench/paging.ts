/** `npm run bench:paging`: what “Load more” costs the extension host on a service with 100,000 predictions. */
import { performance } from 'node:perf_hooks';
import { Worker } from 'node:worker_threads';
import { parseBaseUrl } from '../../src/client/address.ts';
import { ServiceClient } from '../../src/client/client.ts';
import { describeEntry } from '../../src/editor/views/tree/kinds.ts';
import { PagedList } from '../../src/editor/ui/paged-list.ts';
import { readArguments } from './arguments.ts';

readArguments({});
const awkward = new URL('../harness/awkward.ts', import.meta.url).href;
const script = `import('${awkward}').then(async ({ startAwkwardService }) => {
  const service = await startAwkwardService();
  require('node:worker_threads').parentPort.postMessage({ url: service.base('many'), token: service.token });
});`;
const server = new Worker(script, { eval: true });
const { url, token } = await new Promise<{ url: string; token: string }>((resolve) => server.once('message', resolve));

for (const size of [20, 200]) {
  const client = new ServiceClient({ baseUrl: parseBaseUrl(url), fetch, token: () => Promise.resolve(token) });
  const list = new PagedList(
    (cursor) => client.listPredictions({ cursor, size }, false),
    () => undefined,
  );
  // paints all that is loaded, as VS Code does after each reading
  const paint = () => list.items.map((item) => describeEntry({ kind: 'prediction', id: item.id, item }, Date.now()));
  const busy = async (work: () => Promise<void>) => {
    const before = performance.eventLoopUtilization();
    await work();
    paint();
    return performance.eventLoopUtilization(before).active;
  };
  globalThis.gc?.();
  const memory = process.memoryUsage().heapUsed;
  const first = await busy(() => list.first());
  const more: number[] = [];
  for (let i = 0; i < 20; i++) more.push(await busy(() => list.more()));
  globalThis.gc?.();
  const grown = (process.memoryUsage().heapUsed - memory) / 1e6;
  const sorted = more.toSorted((a, b) => a - b);
  console.log(
    `${size} to a page, ${list.items.length} of ${list.read.total} loaded: first page ${first.toFixed(1)} ms busy, ` +
      `each “Load more” ${sorted[10].toFixed(1)} ms (median), ${sorted[19].toFixed(1)} ms (longest), memory +${grown.toFixed(1)} MB`,
  );
}
await server.terminate();
