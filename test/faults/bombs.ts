import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import type { Scenario } from './scenario.ts';
import { remove, Served, temporary } from './served.ts';

const POINT = '{"timestamp":"2024-01-01T00:00:00Z","value":1}';
const MOST_MEMORY = 500;

/** Bodies that are small to send and large to hold: how each begins, what is repeated, how it ends. */
const BOMBS: readonly (readonly [path: string, start: string, repeated: string, megabytes: number, end: string])[] = [
  ['/keys', '{"name":"', 'x', 132, '"}'],
  ['/predictions', `{"series":[${POINT}],"name":"`, 'x', 132, '"}'],
  ['/predictions', `{"series":[${POINT}],"x":[`, '{},', 200, '0]}'],
  ['/predictions', '{"series":[', '{},', 200, '{}]}'],
  ['/predictions', `{"series":[${POINT},{"timestamp":"2024","metadata":{"x":[`, '{},', 200, '0]}}]}'],
  ['/predictions', '{"series":', '[', 200, ''],
  ['/datasets', '{"series":[', `{"series":[${POINT}]},`, 200, `{"series":[${POINT}]}]}`],
  ['/datasets', '{"series":[', '[],', 200, '[]]}'],
  ['/fine_tuned_models', '{"input_config":{"series":[', `${POINT},`, 200, `${POINT}]}}`],
];

function* pieces(start: string, repeated: string, megabytes: number, end: string): Generator<Uint8Array> {
  yield Buffer.from(start);
  const piece = Buffer.from(repeated.repeat(Math.ceil(65_536 / repeated.length)));
  for (let sent = 0; sent < megabytes * 1e6; sent += piece.length) yield new Uint8Array(piece);
  yield Buffer.from(end);
}

/** The most memory that the program had, in MB; `undefined` where the system does not say. */
function peak({ child }: Served): number | undefined {
  const file = `/proc/${child.pid}/status`;
  if (!existsSync(file)) return undefined;
  return Math.round(Number(/VmHWM:\s+(\d+)/.exec(readFileSync(file, 'latin1'))?.[1]) / 1024);
}

export const bombs: Scenario = {
  name: 'bodies of up to 200 MB that are small to send and large to hold',
  async run() {
    let most = 0;
    for (const [path, ...parts] of BOMBS) {
      const folder = temporary();
      const served = await Served.start(folder);
      try {
        const text = pieces(...parts);
        const body = new ReadableStream<Uint8Array>({
          pull: (controller) => {
            const { done, value } = text.next();
            if (done) controller.close();
            else controller.enqueue(value);
          },
        });
        const headers = { authorization: `Bearer ${served.token}`, 'content-type': 'application/json' };
        const init = { method: 'POST', body, duplex: 'half', headers } as RequestInit;
        const outcome = await fetch(served.url + path, init).then(
          ({ status }) => status,
          () => 'cut off',
        );
        const reported = `${path} ${parts[0]}${parts[1]}…: ${outcome}`;
        assert.ok(outcome === 413 || outcome === 422 || outcome === 'cut off', reported);
        assert.equal((await served.call('GET', '/keys')).status, 200, reported);
        most = Math.max(most, peak(served) ?? 0);
        assert.ok(most <= MOST_MEMORY, `${reported}: ${most} MB`);
        assert.ok(!served.toldDefect, served.said);
        await served.end();
      } finally {
        await served.end('SIGKILL');
        remove(folder);
      }
    }
    const memory = most > 0 ? `; at most ${most} MB of memory` : '';
    return { tried: `${BOMBS.length}`, outcome: `refused, the service answers others${memory}` };
  },
};
