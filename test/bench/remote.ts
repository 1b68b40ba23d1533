/**
 * `npm run bench:remote`: requests and bytes of one forecast, of 60 and of a file that is kept up to date, at a service that
 * has 1,000 predictions of 15,000 points each: oldest first and newest first, with a description of itself and without.
 */
import { writeFileSync } from 'node:fs';
import { parseBaseUrl } from '../../src/client/address.ts';
import { ServiceClient } from '../../src/client/client.ts';
import { ended, Poller } from '../../src/client/poller.ts';
import { type Mood, startStrictService } from '../harness/strict.ts';
import type { State } from '../unit/editor/chart-page.ts';
import { until } from '../unit/editor/until.ts';
import { stateOf } from '../unit/editor/views/panels.ts';
import { readArguments } from './arguments.ts';

readArguments({});
/** The hooks of mocha, by which the extension of the unit tests starts and stops. */
const hooks: Record<string, (() => unknown)[]> = { before: [], beforeEach: [], afterEach: [], after: [] };
for (const [name, list] of Object.entries(hooks))
  Object.assign(globalThis, { [name]: (hook: () => unknown) => list.push(hook) });
const run = async (...names: string[]) => {
  for (const name of names) for (const hook of hooks[name]) await hook();
};
const { Extension } = await import('../unit/editor/extension.ts');
const extension = new Extension();
await run('before', 'beforeEach');
const chart = () => stateOf<State>(extension.window.panels.at(-1)!).shown?.chart;
const POINTS = 15_000;
/** Of a measurement that does not end by itself, in milliseconds. */
const LONGEST = 120_000;

/** A file of so many hours. */
const table = (count: number): string =>
  ['time,load', ...series(count).map(({ timestamp, value }) => `${timestamp},${value}`)].join('\n');

const series = (count: number) =>
  Array.from({ length: count }, (_, hour) => ({
    timestamp: new Date(Date.UTC(2024, 0, 1, hour)).toISOString(),
    value: 100 + (hour % 24),
  }));

const WAYS: Readonly<Record<string, Partial<Mood>>> = {
  'oldest first': { order: 'oldest', page: { usual: 10, most: 100 } },
  'oldest first, nothing said, cursors of items': { order: 'oldest', page: { usual: 10, most: 100 }, description: 404, cursors: 'items' }, // prettier-ignore
  'newest first': {},
};

for (const [name, ways] of Object.entries(WAYS)) {
  const service = await startStrictService({ ...ways, work: 2_000 });
  service.seed(1_000, POINTS);
  const client = new ServiceClient({
    baseUrl: parseBaseUrl(service.url),
    fetch,
    token: () => Promise.resolve(service.token),
    isAsync: true,
  });
  const poller = new Poller((ids: ReadonlySet<string>, signal) => client.findPredictions(ids, signal));
  const forecast = async (points: number, signal: AbortSignal) => {
    const made = await client.createPrediction({ ai_model_id: 'chronos-small', series: series(points) }, signal);
    return ended(poller, made, signal);
  };
  const measure = async (what: string, work: (signal: AbortSignal) => Promise<unknown>) => {
    service.requests.length = service.sent.bytes = 0;
    const began = performance.now();
    const ending = await work(AbortSignal.timeout(LONGEST)).then(
      () => 'done',
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    const bytes = (service.sent.bytes / 1e6).toFixed(2);
    console.log(`${name}: ${what}: ${service.requests.length} requests, ${bytes} MB, ${seconds} s (${ending})`);
  };
  await measure(`one forecast of ${POINTS} points`, (signal) => forecast(POINTS, signal));
  await measure(`one more`, (signal) => forecast(POINTS, signal));
  await measure('60 forecasts of 200 points, four at a time', async (signal) => {
    let left = 60;
    await Promise.all([1, 2, 3, 4].map(async () => { while (left-- > 0) await forecast(200, signal); })); // prettier-ignore
  });
  poller.stop();
  const { app, window, person } = extension;
  await app.tokens.set(new URL(service.url).origin, service.token);
  window.setSetting('forecasts.remoteServices', { [name]: service.url });
  window.setSetting('forecasts.service', name);
  const kept = extension.file(`${Object.keys(WAYS).indexOf(name)}.csv`, table(POINTS));
  person.picks('Another model…').types('chronos-small');
  await measure(`a file of ${POINTS} points that begins to be kept up to date`, async () => {
    await extension.run('keepUpToDate', kept);
    window.panels.at(-1)!.says({ type: 'ready' });
    await until(chart, (shown) => shown?.forecast !== undefined, LONGEST);
  });
  await measure('a save of it', async () => {
    writeFileSync(kept.fsPath, table(POINTS + 3));
    window.savedDocument.fire({ uri: kept });
    await until(chart, (shown) => shown?.forecast !== undefined && shown.history.times.length === POINTS + 3, LONGEST);
  });
  await extension.run('keepUpToDate', kept);
  await service.close();
}
await run('after');
process.exit();
