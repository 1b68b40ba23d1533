/**
 * `node test/bench/held-up.ts`: for how long large requests hold up the event loop of a service on SQLite, and what memory
 * they take. Each request goes to a service of its own process.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { readArguments } from './arguments.ts';
import { openService } from '../../src/service/host/service.ts';

const token = 'tsf_bench_of_what_holds_up_others';
const CHUNK = 65_536;

/** Points of a year and more, one a minute. */
const pointsOf = (count: number): string =>
  Array.from(
    { length: count },
    (_, n) => `{"timestamp":"${new Date(n * 60_000).toISOString().slice(0, 19)}Z","value":${n % 1440}}`,
  ).join();

const REQUESTS: Readonly<Record<string, () => readonly [path: string, body: string]>> = {
  'a dataset of 100,000 series of 2 points': () => [
    '/datasets',
    `{"series":[${Array.from({ length: 100_000 }, (_, n) => `{"name":"s${n}","series":[${pointsOf(2)}]}`).join()}]}`,
  ],
  'a dataset of 100,000 series of 50 points': () => {
    const points = pointsOf(50);
    return ['/datasets', `{"series":[${Array.from({ length: 100_000 }, () => `{"series":[${points}]}`).join()}]}`];
  },
  'a series of 1,000,000 points': () => [
    '/predictions',
    `{"ai_model_id":"seasonal-naive","prediction_length":2,"is_async":true,"series":[${pointsOf(1_000_000)}]}`,
  ],
  'a series of 2,400,000 points, as long as a body may be': () => [
    '/predictions',
    `{"ai_model_id":"seasonal-naive","prediction_length":2,"is_async":true,"series":[${pointsOf(2_400_000)}]}`,
  ],
};

async function one(name: string): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'forecasts-held-'));
  const computeScript = new URL('../../src/service/tasks/pool-thread.ts', import.meta.url);
  const service = await openService({ folder, token, computeScript, report: console.error });
  const [where, text] = REQUESTS[name]();
  const bytes = Buffer.from(text);
  const send = async (where: string, body: Buffer) => {
    const delay = monitorEventLoopDelay({ resolution: 1 });
    const before = process.memoryUsage.rss();
    let most = 0;
    const timer = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 20);
    delay.enable();
    let at = 0;
    const stream = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        if (at >= body.length) controller.close();
        else controller.enqueue(new Uint8Array(body.subarray(at, (at += CHUNK))));
      },
    });
    const from = performance.now();
    const request = new Request(`http://localhost${where}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: stream,
      duplex: 'half',
    } as RequestInit);
    const answer = await service.fetch(request);
    const took = performance.now() - from;
    await new Promise((resolve) => setTimeout(resolve, 50));
    delay.disable();
    clearInterval(timer);
    const json = (await answer.json()) as { id?: string; detail?: unknown };
    const mb = (bytes: number) => Math.round(bytes / 1e6);
    console.log(
      `${name}, ${where.replace(/dataset_\w+/, '{id}')}: ${answer.status} after ${Math.round(took)} ms, others held up ${Math.round(delay.max / 1e6)} ms, memory ${mb(before)} MB before, ${mb(most)} MB at most`,
    );
    if (answer.status >= 400) console.log(JSON.stringify(json).slice(0, 200));
    return json.id;
  };
  const id = await send(where, bytes);
  if (where === '/datasets' && id)
    await send(`/datasets/${id}/predictions`, Buffer.from('{"ai_model_id":"seasonal-naive"}'));
  await service.close();
  rmSync(folder, { recursive: true, force: true });
}

const { positionals } = readArguments({ allowPositionals: true });
const asked = positionals[0];
if (asked !== undefined && process.send) await one(asked);
else {
  for (const name of Object.keys(REQUESTS).filter((name) => name.includes(asked ?? ''))) {
    await once(fork(import.meta.filename, [name]), 'exit');
  }
}
