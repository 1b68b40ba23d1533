import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Scenario } from './scenario.ts';
import { remove, Served, temporary } from './served.ts';

/** Sends a body without an end. @returns how much was taken of it, in MB */
async function endless(served: Served): Promise<number> {
  let pulled = 0;
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      pulled += 1_000_000;
      controller.enqueue(new Uint8Array(1_000_000).fill(32));
    },
  });
  const headers = { authorization: `Bearer ${served.token}` };
  const init = { method: 'POST', body, duplex: 'half', headers };
  const outcome = await fetch(`${served.url}/datasets`, init as RequestInit).then(
    ({ status }) => status,
    () => 'cut off',
  );
  assert.ok(outcome === 413 || outcome === 'cut off');
  assert.ok(pulled < 400e6, `${pulled / 1e6} MB were taken`);
  return Math.round(pulled / 1e6);
}

/**
 * Stores so many points as series of 50.
 * @param looks seconds that the memory may take to go back to the system
 * @returns how others fared meanwhile
 */
async function store(served: Served, points: number, looks: number): Promise<string> {
  const daily = Array.from({ length: 50 }, (_, day) => ({
    timestamp: `${new Date(day * 86_400_000).toISOString().slice(0, 19)}Z`,
    value: day,
  }));
  const series = JSON.stringify(daily);
  const count = points / 50;
  // sent in pieces: a text of this size made at once would hold up the scenarios beside this one
  const pieces = function* () {
    yield '{"name":"huge","series":[';
    const piece = Array.from({ length: 100 }, () => `{"series":${series}}`).join(',');
    for (let sent = 0; sent < count; sent += 100) yield (sent > 0 ? ',' : '') + piece;
    yield ']}';
  };
  let isDone = false;
  const stored = fetch(`${served.url}/datasets`, {
    method: 'POST',
    headers: { authorization: `Bearer ${served.token}`, 'content-type': 'application/json' },
    body: ReadableStream.from(pieces()).pipeThrough(new TextEncoderStream()),
    duplex: 'half',
  } as RequestInit).finally(() => (isDone = true));
  const waits: number[] = [];
  let most = 0;
  while (!isDone) {
    const from = performance.now();
    assert.equal((await served.call('GET', '/keys')).status, 200);
    waits.push(performance.now() - from);
    most = Math.max(most, served.memory() ?? 0);
    await sleep(20);
  }
  const answer = await stored;
  assert.equal(answer.status, 201);
  assert.equal(((await answer.json()) as { series_count: number }).series_count, count);
  waits.sort((a, b) => a - b);
  const [usual, longest] = [waits[Math.floor(waits.length / 2)], waits[waits.length - 1]].map(Math.round);
  // it goes to the system little by little
  for (let look = 0; look < looks && (served.memory() ?? 0) > most / 2; look++) await sleep(1_000);
  const memory = most > 0 ? `, up to ${Math.round(most)} MB of memory, ${Math.round(served.memory() ?? 0)} later` : '';
  return `while ${points.toLocaleString('en')} points were stored, ${waits.length} other requests waited ${usual} ms, at most ${longest} ms${memory}`;
}

/** Forecasts two series of a quarter of a million points, and lists them. */
async function list(served: Served): Promise<void> {
  const series = Array.from({ length: 250_000 }, (_, index) => ({
    timestamp: new Date(index * 60_000).toISOString(),
    value: index % 60,
  }));
  const one = { series, ai_model_id: 'seasonal-naive', prediction_length: 2, is_async: true };
  for (let time = 0; time < 2; time++) assert.equal((await served.call('POST', '/predictions', one)).status, 201);
  await served.settled();
  const page = await served.call<{ items: { series_left_out: string | null }[] }>('GET', '/predictions');
  assert.equal(page.status, 200);
  assert.ok(page.body.items.every(({ series_left_out }) => series_left_out !== null));
}

export const sizes: Scenario = {
  name: 'huge bodies, huge datasets, pages of huge series',
  async run({ long }) {
    const folder = temporary();
    const served = await Served.start(folder);
    try {
      const taken = await endless(served);
      const reported = await store(served, long ? 2_500_000 : 400_000, long ? 15 : 0);
      await list(served);
      await served.end();
      return { tried: '4', outcome: `413 after ${taken} MB; ${reported}` };
    } finally {
      await served.end('SIGKILL');
      remove(folder);
    }
  },
};
