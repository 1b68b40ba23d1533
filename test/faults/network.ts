import assert from 'node:assert/strict';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceClient } from '../../src/client/client.ts';
import { ServiceError } from '../../src/client/errors.ts';
import type { Random } from '../bench/training/random.ts';
import type { Scenario } from './scenario.ts';
import { monthly, remove, Served, temporary } from './served.ts';

/** A line to a service that can be bad: connections are cut in the middle, or nothing goes through. */
class Line {
  readonly #sockets = new Set<Socket>();
  readonly #server = createServer((socket) => {
    this.#join(socket);
  });
  readonly #to: number;
  readonly #random: Random;
  isDown = false;
  /** The share of connections that are cut. */
  cut = 0;
  /** How many were. */
  cuts = 0;

  constructor(to: string, random: Random) {
    this.#random = random;
    this.#to = Number(new URL(to).port);
  }

  async open(): Promise<URL> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return new URL(`http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`);
  }

  #join(socket: Socket): void {
    if (this.isDown) {
      socket.destroy();
      return;
    }
    const other = connect(this.#to, '127.0.0.1');
    for (const one of [socket, other]) {
      this.#sockets.add(one);
      one.on('error', () => undefined);
      one.on('close', () => {
        this.#sockets.delete(one);
        socket.destroy();
        other.destroy();
      });
    }
    // none lasts: a line that is bad cuts what is kept alive too
    const most = this.#random.chance(this.cut) ? 12_000 : 120_000;
    let left = this.cut > 0 ? this.#random.between(0, most) : Infinity;
    const count = (from: Socket, to: Socket) => (chunk: Buffer) => {
      left -= chunk.length;
      if (left < 0) {
        this.cuts++;
        from.resetAndDestroy();
      } else to.write(chunk);
    };
    socket.on('data', count(socket, other));
    other.on('data', count(socket, socket));
  }

  down(): void {
    this.isDown = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  close(): void {
    this.down();
    this.#server.close();
  }
}

export const network: Scenario = {
  name: 'a client whose connections are cut, whose service sleeps, is offline, and comes back',
  async run({ long, random }) {
    const calls = long ? 600 : 60;
    const folder = temporary();
    const served = await Served.start(folder);
    const line = new Line(served.url, random);
    try {
      const client = new ServiceClient({
        baseUrl: await line.open(),
        fetch,
        token: () => Promise.resolve(served.token),
        timeout: 20_000,
        sleep: (ms) => sleep(Math.min(ms, 50)),
      });
      line.cut = 0.3;
      let [done, reported, unknown] = [0, 0, 0];
      const made = new Set<string>();
      const work = async (first: number) => {
        for (let turn = first; turn < calls; turn += 4) {
          try {
            if (turn % 3 === 0) await client.call({ method: 'GET', path: '/predictions' });
            else {
              const body = { series: monthly, is_async: true, ai_model_id: 'theta', name: `call ${turn}` };
              const prediction = (await client.call({ method: 'POST', path: '/predictions', body })) as {
                id: string;
              };
              made.add(prediction.id);
            }
            done++;
          } catch (error) {
            assert.ok(error instanceof ServiceError, String(error));
            assert.ok(!error.message.includes(served.token));
            reported++;
            if (error.outcomeUnknown) unknown++;
          }
        }
      };
      await Promise.all([0, 1, 2, 3].map(work));
      line.cut = 0;
      const stored = await served.all('/predictions');
      const ids = new Set(stored.map(({ id }) => id));
      for (const id of made) assert.ok(ids.has(id), 'what was answered is there');
      assert.equal(new Set(stored.map(({ name }) => name)).size, stored.length, 'nothing was sent twice');
      assert.ok(stored.length - made.size <= unknown, 'what may have been done is told as such');
      if (process.platform !== 'win32') {
        served.child.kill('SIGSTOP');
        const late = client.call({ method: 'GET', path: '/keys' });
        await sleep(2_000);
        served.child.kill('SIGCONT');
        await late;
      }
      line.down();
      await assert.rejects(client.call({ method: 'GET', path: '/keys' }), ServiceError);
      line.isDown = false;
      await client.call({ method: 'GET', path: '/keys' });
      await served.end();
      return {
        tried: `${calls}`,
        outcome: `${line.cuts} connections cut; ${done} calls done, ${reported} told (${unknown} of them as perhaps done); nothing sent twice, nothing lost; goes on after sleep and offline`,
      };
    } finally {
      line.close();
      await served.end('SIGKILL');
      remove(folder);
    }
  },
};
