import assert from 'node:assert/strict';
import { openDatabase, sqliteStore } from '../../../../src/service/database/sqlite.ts';
import { Models } from '../../../../src/service/resources/models.ts';
import { predictionKinds } from '../../../../src/service/resources/predictions.ts';
import { Threads } from '../../../../src/service/tasks/pool.ts';
import type { Task, TaskResults } from '../../../../src/service/tasks/pool-thread.ts';

describe('predictions in bulk', () => {
  /** Threads that forecast nothing, and note what they were given at a time. */
  class Noting extends Threads {
    readonly given: number[] = [];
    override run<K extends Task['kind']>(task: Task & { kind: K }): Promise<TaskResults[K]> {
      const tasks = 'tasks' in task ? (task.tasks as readonly unknown[]) : undefined;
      this.given.push(tasks?.length ?? 1);
      return Promise.resolve(tasks?.map(() => undefined) as unknown as TaskResults[K]);
    }
  }

  /** Sizes of the parts that so many threads get, of series with so many points each; and what a thread has at a time. */
  const cut = async (threads: number, points: readonly number[]) => {
    const noting = new Noting('none', threads);
    const database = await openDatabase(':memory:');
    const store = sqliteStore(database);
    try {
      const series = database.prepare(`insert into series (id, rows, points) values (?, ?, '[]')`);
      const prediction = database.prepare(
        `insert into predictions (id, ai_model_id, status, input_series_id, options, created_at)
         values (?, 'theta', ?, ?, '{}', '2024')`,
      );
      const ids = points.map((rows, i) => {
        series.run(`series_${i}`, rows);
        prediction.run(`prediction_${i}`, rows === 0 ? 'COMPLETED' : 'QUEUED', `series_${i}`);
        return `prediction_${i}`;
      });
      const kind = predictionKinds(store, new Models(store), noting).prediction;
      const parts = await kind.slices!(ids);
      assert.deepEqual(
        parts.flat(),
        ids.filter((_, i) => points[i] > 0),
        'each that is still to be done once, in their order',
      );
      for (const part of parts) {
        const events = { tenant: 'default', onStart: () => undefined, onProgress: () => undefined };
        const write = await kind.run(part, new AbortController().signal, events);
        // one by itself has a result, or the thread throws
        if (part.length > 1) assert.equal((await write(store.db)).size, 0);
      }
      return { parts: parts.map(({ length }) => length), given: noting.given };
    } finally {
      await store.close();
    }
  };
  const sizesOf = async (threads: number, points: readonly number[]) => (await cut(threads, points)).parts;
  const same = (count: number, points: number) => Array.from({ length: count }, () => points);

  it('are divided so that every thread has some', async () => {
    assert.deepEqual(await sizesOf(2, same(300, 60)), same(6, 50));
    assert.deepEqual(await sizesOf(8, same(300, 60)), [...same(23, 13), 1]);
    assert.deepEqual(await sizesOf(2, [60, 0, 60, 60]), [1, 1, 1]);
    assert.deepEqual(await sizesOf(2, [0]), []);
  });

  it('go to a thread in small groups, so that a single forecast waits little', async () => {
    assert.deepEqual((await cut(1, same(50, 60))).given, [...same(2, 8), 1, ...same(2, 8), 1, 8, 8]);
    assert.deepEqual((await cut(1, [400, 90, 20, 3_000, 5, 5])).given, [2, 1, 1, 2]);
    assert.deepEqual((await cut(1, [...same(9, 400), 1, 1, 1])).given, [...same(8, 1), 4]);
  });

  it('go in smaller groups if series are long', async () => {
    assert.deepEqual(await sizesOf(1, [...same(30, 1_000), 100_000, ...same(8, 10)]), [...same(10, 3), 1, 8]);
  });
});
