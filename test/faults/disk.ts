import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, statfsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { NotHere, type Scenario } from './scenario.ts';
import { monthly, NotServed, remove, Served, temporary } from './served.ts';

/** Writes until there is no room. @returns where what was acknowledged is found */
async function fill(served: Served): Promise<string[]> {
  const acknowledged: string[] = [];
  let refused = 0;
  for (let turn = 0; refused < 12; turn++) {
    assert.ok(turn < 5_000, 'the disk becomes full');
    const isLarge = turn % 3 !== 0;
    const body = isLarge
      ? { series: Array.from({ length: 40 }, () => ({ series: monthly })) }
      : { series: monthly, is_async: true };
    const where = isLarge ? '/datasets' : '/predictions';
    const { status, body: answer } = await served.call<{ id: string; detail?: unknown }>('POST', where, body);
    assert.ok(status === 201 || status === 507, `${status}: ${JSON.stringify(answer.detail)}`);
    if (status === 201) acknowledged.push(`${where}/${answer.id}`);
    else refused++;
  }
  return acknowledged;
}

/** On a full disk: reads are answered, and the processor is not kept busy for nothing. */
async function holds(served: Served): Promise<string> {
  await sleep(1_500);
  const before = served.processorTime();
  const from = Date.now();
  await sleep(3_000);
  const share = ((served.processorTime() ?? 0) - (before ?? 0)) / (Date.now() - from);
  assert.equal((await served.call('GET', '/predictions')).status, 200);
  assert.equal((await served.call('GET', '/datasets')).status, 200);
  assert.ok(share < 0.5, `${Math.round(share * 100)} % of a processor`);
  return before === undefined ? '' : `, ${Math.round(share * 100)} % of a processor meanwhile`;
}

async function kept(served: Served, acknowledged: readonly string[]): Promise<void> {
  assert.deepEqual(await served.settled(), [], 'nothing is stuck');
  for (const where of acknowledged) {
    const { status, body } = await served.call<{ status?: string }>('GET', where);
    assert.equal(status, 200, `${where} was acknowledged and is lost`);
    assert.notEqual(body.status, 'FAILED');
  }
}

export const fileLimit: Scenario = {
  name: 'no file may grow any further (ulimit -f)',
  async run({ long }) {
    if (process.platform === 'win32') throw new NotHere('no ulimit');
    const rounds = long ? 8 : 1;
    let writes = 0;
    let share = '';
    for (let round = 0; round < rounds; round++) {
      const folder = temporary();
      try {
        const starved = await Served.start(folder, { blocks: 1500 + 300 * round });
        const acknowledged = await fill(starved);
        share = await holds(starved);
        await starved.end(round % 2 ? 'SIGKILL' : 'SIGTERM');
        const served = await Served.start(folder);
        await kept(served, acknowledged);
        await served.end();
        writes += acknowledged.length;
      } finally {
        remove(folder);
      }
    }
    return {
      tried: `${rounds}`,
      outcome: `507; ${writes} acknowledged writes, all there and done after a restart${share}`,
    };
  },
};

/** A disk of its own of so many KB; only root may have one. */
function mount(folder: string, kilobytes: number, how = 'size'): void {
  const options = how === 'size' ? `size=${kilobytes}k` : `remount,size=${kilobytes}k`;
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    throw new NotHere('only root on Linux can have a small disk');
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder]);
  if (status !== 0) throw new NotHere('a small disk cannot be mounted');
}

export const smallDisk: Scenario = {
  name: 'a full disk on which room is made again',
  async run({ long }) {
    const rounds = long ? 8 : 1;
    let writes = 0;
    let share = '';
    for (let round = 0; round < rounds; round++) {
      const folder = temporary();
      try {
        mount(folder, 2_000 + 150 * round);
        const served = await Served.start(folder);
        const acknowledged = await fill(served);
        share = await holds(served);
        mount(folder, 100_000, 'remount');
        await kept(served, acknowledged);
        assert.equal((await served.call('POST', '/predictions', { series: monthly })).status, 201);
        await served.end();
        writes += acknowledged.length;
      } finally {
        spawnSync('umount', ['-l', folder]);
        remove(folder);
      }
    }
    return {
      tried: `${rounds}`,
      outcome: `507; goes on by itself, ${writes} acknowledged writes there and done${share}`,
    };
  },
};

export const fullAtStart: Scenario = {
  name: 'a disk that is full at the first start',
  async run({ long }) {
    const folder = temporary();
    const sizes = long ? [16, 24, 32, 48, 64, 96, 128, 160, 200] : [16, 48, 128];
    let refused = 0;
    try {
      for (const size of sizes) {
        mkdirSync(path.join(folder, String(size)));
        const place = path.join(folder, String(size));
        mount(place, 1_000);
        try {
          const { bsize, bavail } = statfsSync(place);
          writeFileSync(path.join(place, 'ballast'), Buffer.alloc(bsize * bavail - size * 1024));
          const first = await Served.start(place).catch((error: unknown) => {
            if (!(error instanceof NotServed)) throw error;
            assert.match(error.message, /full|room/i);
            assert.doesNotMatch(error.message, /^\s+at /m);
            return undefined;
          });
          if (!first) refused++;
          await first?.end();
          mount(place, 50_000, 'remount');
          const served = await Served.start(place);
          assert.equal((await served.call('GET', '/keys')).status, 200, 'its token is valid');
          assert.equal((await served.call('POST', '/predictions', { series: monthly })).status, 201);
          await served.end();
        } finally {
          spawnSync('umount', ['-l', place]);
        }
      }
    } finally {
      remove(folder);
    }
    return { tried: `${sizes.length}`, outcome: `${refused} refused in a sentence; all serve once there is room` };
  },
};
