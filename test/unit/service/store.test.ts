import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { mock } from 'node:test';
import { failure } from '../../../src/contract/failures.ts';
import { RequestBodies } from '../../../src/service/http/request-bodies.ts';
import { createApp } from '../../../src/service/http/routes.ts';
import { openDatabase, sqliteStore } from '../../../src/service/database/sqlite.ts';
import { BusyError, storeTrouble, StoreError } from '../../../src/service/errors.ts';
import { Datasets } from '../../../src/service/store/datasets.ts';
import { newToken } from '../../../src/service/store/token.ts';
import { Keys } from '../../../src/service/store/keys.ts';
import { Models } from '../../../src/service/resources/models.ts';
import { Predictions } from '../../../src/service/resources/predictions.ts';
import { Maintenance } from '../../../src/service/store/maintenance.ts';
import { openEmbedded } from '../../../src/service/jobs/embedded.ts';
import type { Store } from '../../../src/service/database/store.ts';
import { Threads } from '../../../src/service/tasks/pool.ts';
import { until } from '../editor/until.ts';
import { addPending, kindOf } from './jobs/pending-rows.ts';
import { settled } from './turns.ts';

describe('store errors during jobs', () => {
  let folder: string;
  let file: string;
  let database: DatabaseSync;
  let store: Store;
  let other: DatabaseSync;
  let reports: unknown[];
  const report = (error: unknown) => reports.push(error);

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'forecasts-store-'));
    file = join(folder, 'forecasts.db');
    database = await openDatabase(folder);
    database.exec('pragma busy_timeout = 20');
    store = sqliteStore(database);
    other = new DatabaseSync(file);
    reports = [];
  });

  afterEach(async () => {
    mock.timers.reset();
    await store.close();
    other.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** A kind of job whose runs are counted. */
  function counted(run: NonNullable<Parameters<typeof kindOf>[0]> = () => Promise.resolve()) {
    const state = { runs: 0 };
    const kind = kindOf(async (...args) => {
      state.runs++;
      await run(...args);
    });
    return { state, kind };
  }
  const training = (target: string) =>
    ({ kind: 'kind', targets: [target], lane: 'training', tenant: 'default' }) as const;
  const statusOf = (id: string) =>
    database.prepare('select status from fine_tuned_models where id = ?').get(id)?.status;

  it('delay jobs until another program unlocks the store, without uncaught errors', async () => {
    mock.timers.enable({ apis: ['setInterval'] });
    const { state, kind } = counted();
    const queue = await openEmbedded(store.db, { kind }, { threads: 1, report });
    await addPending(store.db, 'model_a');
    await queue.add(store.db, training('model_a'));
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
    await queue.ended('model_a');
    assert.equal(state.runs, 1);
    await queue.close();
  });

  it('do not arise from looking for jobs while another program writes', async () => {
    mock.timers.enable({ apis: ['setInterval'] });
    other.exec('begin immediate');
    const queue = await openEmbedded(store.db, {}, { threads: 1, report });
    await settled();
    mock.timers.tick(5_000);
    await settled();
    await queue.close();
    assert.deepEqual(reports, []);
    other.exec('commit');
  });

  it('allow progress and cancellation while the store is locked', async () => {
    mock.timers.enable({ apis: ['setInterval'] });
    const go = Promise.withResolvers<undefined>();
    const { state, kind } = counted(async (_id, _signal, { onProgress }) => {
      await go.promise;
      onProgress({ fraction: 0.5 });
    });
    const kinds = { kind, fine_tuned_model: kind };
    const queue = await openEmbedded(store.db, kinds, { threads: 1, report });
    await addPending(store.db, 'model_a', 'model_b');
    for (const id of ['model_a', 'model_b']) await queue.add(store.db, training(id));
    queue.wake();
    await settled();
    other.exec('begin immediate');
    mock.timers.tick(5_000);
    const cancelled = queue.cancel('model_b', failure('cancelled'));
    await settled();
    assert.ok(reports.length >= 2, 'the renewal, the cancellation');
    go.resolve(undefined);
    // what comes after it meets the lock as well
    const before = reports.length;
    await until(
      () => reports.length,
      (count) => count > before,
    );
    other.exec('commit');
    assert.deepEqual(new Set(reports.map((error) => storeTrouble(error)?.status)), new Set([503]));
    await cancelled;
    await queue.ended('model_a');
    assert.deepEqual([statusOf('model_a'), statusOf('model_b'), state.runs], ['COMPLETED', 'FAILED', 1]);
    await queue.close();
  });

  it('delay a result until the lock is released, without computing it again', async () => {
    const { state, kind } = counted(async () => {
      await settled();
      if (state.runs === 1) other.exec('begin immediate');
    });
    const letGo = (error: unknown) => {
      report(error);
      if (other.isTransaction) other.exec('commit');
    };
    const queue = await openEmbedded(store.db, { kind }, { threads: 1, report: letGo });
    await addPending(store.db, 'model_a');
    await queue.add(store.db, training('model_a'));
    queue.wake();
    await queue.ended('model_a');
    assert.deepEqual([statusOf('model_a'), state.runs, reports.length], ['COMPLETED', 1, 1]);
    await queue.close();
  });

  /** The answer to making a dataset. */
  async function makeDataset() {
    const threads = new Threads('none', 1);
    const datasets = new Datasets(store);
    const models = new Models(store);
    const predictions = new Predictions(store);
    const token = newToken();
    const keys = await Keys.open(store, token);
    const queue = await openEmbedded(store.db, {}, { threads: 1, report });
    const maintenance = new Maintenance({ store, report });
    const fetch = createApp(
      {
        keys,
        datasets,
        models,
        predictions,
        queue,
        maintenance,
        threads,
        closing: AbortSignal.any([]),
      },
      new RequestBodies(threads),
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

  it('give 503 with a message while another program writes', async () => {
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

  it('let keys in while another program writes, and count their requests later', async () => {
    const keys = await Keys.open(store, newToken());
    const { secret } = await keys.create({ requests_per_minute: 1 });
    const caller = (await keys.caller(secret!))!;
    other.exec('begin immediate');
    for (let request = 0; request < 2; request++) await keys.admit(caller);
    other.exec('commit');
    await keys.admit(caller);
    await assert.rejects(keys.admit(caller), (error) => error instanceof BusyError);
  });

  it('give 507 with a message if the disk is full', async () => {
    const make = await makeDataset();
    const pages = Number(database.prepare('pragma page_count').get()?.page_count);
    database.exec(`pragma max_page_count = ${pages + 2}`);
    const { status, detail } = await make(2000);
    assert.equal(status, 507);
    assert.match(detail ?? '', /disk is full/);
    assert.equal((await make()).status, 201);
  });

  it('name a file that is not a database, and leave it unchanged', async () => {
    const place = join(folder, 'damaged');
    const bytes = 'not a database, '.repeat(500);
    (await openDatabase(place)).close();
    const damaged = join(place, 'forecasts.db');
    writeFileSync(damaged, bytes);
    await assert.rejects(openDatabase(place), (error) => {
      assert.ok(error instanceof StoreError);
      assert.ok(error.message.includes(damaged));
      assert.match(error.message, /keeps it as a backup/);
      return true;
    });
    assert.equal(readFileSync(damaged, 'utf8'), bytes);
  });

  it('name a damaged database', async () => {
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
