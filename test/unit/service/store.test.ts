import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { mock } from 'node:test';
import { Arrivals } from '../../../src/service/http/arrivals.ts';
import { createApp } from '../../../src/service/http/routes.ts';
import { openDatabase } from '../../../src/service/database/database.ts';
import { storeTrouble, StoreError } from '../../../src/service/database/trouble.ts';
import { Datasets } from '../../../src/service/store/datasets.ts';
import { Creations } from '../../../src/service/store/creations.ts';
import { Keys } from '../../../src/service/store/keys.ts';
import { newToken } from '../../../src/service/store/token.ts';
import { Limits } from '../../../src/service/store/limits.ts';
import { Models } from '../../../src/service/resources/models.ts';
import { Predictions } from '../../../src/service/resources/predictions.ts';
import { Upkeep } from '../../../src/service/store/upkeep.ts';
import { EmbeddedQueue } from '../../../src/service/jobs/embedded-queue.ts';
import type { JobKind } from '../../../src/service/jobs/queue.ts';
import type { Home } from '../../../src/service/database/home.ts';
import { sqliteHome } from '../../../src/service/database/sqlite-home.ts';
import { Threads } from '../../../src/service/tasks/pool.ts';
import { until } from '../editor/until.ts';

describe('store in trouble', () => {
  let folder: string;
  let file: string;
  let database: DatabaseSync;
  let home: Home;
  let other: DatabaseSync;
  let reports: unknown[];
  const report = (error: unknown) => reports.push(error);

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'forecasts-store-'));
    file = join(folder, 'forecasts.db');
    database = await openDatabase(folder);
    database.exec('pragma busy_timeout = 20');
    home = sqliteHome(database);
    other = new DatabaseSync(file);
    reports = [];
  });

  afterEach(async () => {
    mock.timers.reset();
    await home.close();
    other.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** What can be done at once on this store is done before the next turn of the event loop. */
  const settled = () => new Promise(setImmediate);

  /** A kind of job whose runs are counted; its result is written as `fail` writes, into nothing. */
  function counted(run: JobKind['run'] = () => Promise.resolve(() => Promise.resolve())) {
    const state = { runs: 0, failed: [] as string[] };
    const kind: JobKind = {
      mark: () => Promise.resolve(),
      progress: () => Promise.resolve(),
      run: (...args) => {
        state.runs++;
        return run(...args);
      },
      fail: async (_db, _id, message) => void state.failed.push(message),
    };
    return { state, kind };
  }

  it('takes jobs up once another program has let go of it, and throws out of no timer', async () => {
    mock.timers.enable({ apis: ['setInterval'] });
    const { state, kind } = counted();
    const queue = new EmbeddedQueue(home, { kind }, { threads: 1, long: ['kind'] }, report);
    await queue.add(home.db, { kind: 'kind', target: 'a', turn: 'training', space: 'default' });
    other.exec('begin immediate');
    queue.wake();
    await settled();
    mock.timers.tick(5_000);
    await settled();
    assert.deepEqual(
      reports.map((error) => storeTrouble(error)?.status),
      [503, 503],
    );
    assert.equal(state.runs, 0);
    other.exec('commit');
    mock.timers.tick(5_000);
    await queue.ended('a');
    assert.equal(state.runs, 1);
    await queue.close();
  });

  it('renews its leases later where it is held, and survives progress and cancellation meanwhile', async () => {
    mock.timers.enable({ apis: ['setInterval'] });
    const go = Promise.withResolvers<undefined>();
    const { state, kind } = counted(async (_id, _signal, { onProgress }) => {
      await go.promise;
      onProgress({ fraction: 0.5 });
      return () => Promise.resolve();
    });
    const queue = new EmbeddedQueue(home, { kind }, { threads: 1, long: ['kind'] }, report);
    await queue.add(home.db, { kind: 'kind', target: 'a', turn: 'training', space: 'default' });
    await queue.add(home.db, { kind: 'kind', target: 'b', turn: 'training', space: 'default' });
    queue.wake();
    await settled();
    other.exec('begin immediate');
    mock.timers.tick(5_000);
    const cancelled = queue.cancel('b', 'Cancelled.');
    await settled();
    assert.equal(reports.length, 3, 'the renewal, the look for further jobs, the cancellation');
    go.resolve(undefined);
    // what comes after it meets the lock as well
    await until(
      () => reports.length,
      (count) => count >= 5,
    );
    other.exec('commit');
    assert.deepEqual(new Set(reports.map((error) => storeTrouble(error)?.status)), new Set([503]));
    await cancelled;
    await queue.ended('a');
    assert.deepEqual(state.failed, ['Cancelled.']);
    assert.equal(state.runs, 1);
    await queue.close();
  });

  it('stores a result that met a lock once it can, without computing it again', async () => {
    const { state, kind } = counted(async () => {
      await settled();
      if (state.runs === 1) other.exec('begin immediate');
      return () => Promise.resolve();
    });
    const queue = new EmbeddedQueue(home, { kind }, { threads: 1, long: ['kind'] }, (error) => {
      report(error);
      if (other.isTransaction) other.exec('commit');
    });
    await queue.add(home.db, { kind: 'kind', target: 'a', turn: 'training', space: 'default' });
    queue.wake();
    await queue.ended('a');
    assert.equal(state.runs, 1);
    assert.deepEqual(state.failed, []);
    assert.equal(reports.length, 1);
    await queue.close();
  });

  /** The answer to making a dataset. */
  async function makeDataset() {
    const threads = new Threads('none', 1);
    const datasets = new Datasets(home);
    const models = new Models(home, datasets);
    const predictions = new Predictions(home, datasets, models);
    const token = newToken();
    const keys = await Keys.open(home, token);
    const creations = new Creations(home);
    const queue = new EmbeddedQueue(home, {}, { threads: 1 }, report);
    const limits = new Limits(home);
    const upkeep = new Upkeep({ home, keys, limits, datasets, creations, report });
    const fetch = createApp(
      { keys, limits, creations, datasets, models, predictions, queue, upkeep, threads, closing: AbortSignal.any([]) },
      new Arrivals(threads),
      report,
    );
    return async (points = 1) => {
      const series = Array.from({ length: points }, () => ({ timestamp: '2024-01-01T00:00:00Z', value: 1 }));
      const response = await fetch(
        new Request('http://local/datasets', {
          method: 'POST',
          headers: { authorization: `Bearer ${token}` },
          body: JSON.stringify({ series: [{ series }] }),
        }),
      );
      const { detail } = (await response.json()) as { detail?: string };
      return { status: response.status, detail };
    };
  }

  it('answers 503 with a sentence while another program writes', async () => {
    const make = await makeDataset();
    assert.equal((await make()).status, 201, 'the queue has had its first look');
    other.exec('begin immediate');
    const { status, detail } = await make();
    assert.equal(status, 503);
    assert.match(detail ?? '', /^Another window is writing .*Try again in a moment\.$/);
    assert.equal(reports.length, 1);
    other.exec('commit');
    assert.equal((await make()).status, 201);
  });

  it('answers 507 with a sentence where the disk is full', async () => {
    const make = await makeDataset();
    const pages = Number(database.prepare('pragma page_count').get()?.page_count);
    database.exec(`pragma max_page_count = ${pages + 2}`);
    const { status, detail } = await make(2000);
    assert.equal(status, 507);
    assert.match(detail ?? '', /disk is full/);
    assert.equal((await make()).status, 201);
  });

  it('names a file that is no database, and leaves it as it is', async () => {
    const place = join(folder, 'damaged');
    const bytes = 'not a database, '.repeat(500);
    (await openDatabase(place)).close();
    const damaged = join(place, 'forecasts.db');
    writeFileSync(damaged, bytes);
    await assert.rejects(openDatabase(place), (error) => {
      assert.ok(error instanceof StoreError);
      assert.ok(error.message.includes(damaged));
      assert.match(error.message, /sets it aside/);
      return true;
    });
    assert.equal(readFileSync(damaged, 'utf8'), bytes);
  });

  it('names a database that is damaged', async () => {
    const place = join(folder, 'damaged');
    const made = await openDatabase(place);
    made.exec('pragma user_version = 0; pragma wal_checkpoint(truncate)');
    made.close();
    const damaged = join(place, 'forecasts.db');
    const bytes = readFileSync(damaged);
    writeFileSync(damaged, bytes.fill(0x5a, 100, 4096));
    await assert.rejects(
      openDatabase(place),
      (error) => error instanceof StoreError && error.message.includes(damaged),
    );
  });
});
