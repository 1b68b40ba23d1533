import assert from 'node:assert/strict';
import { BossQueue, openBoss } from '../../../../src/service/jobs/boss-queue.ts';
import { openPostgres } from '../../../../src/service/store/postgres-home.ts';
import { startPostgres } from '../../../harness/postgres.ts';

describe('the queue on PostgreSQL', function () {
  this.timeout(60_000);

  it('keeps the names that programs of other versions know its turns by', async () => {
    const postgres = await startPostgres();
    const database = await postgres.database();
    const report = (error: unknown) => assert.fail(String(error));
    const home = await openPostgres({ database, connections: 2, report });
    const boss = await openBoss(database, 1, report);
    const queue = new BossQueue(boss, home.db, {}, report);
    try {
      for (const turn of ['forecast', 'training', 'dataset'] as const) {
        await queue.addAll(home.db, 'prediction', [`prediction_${turn}`], turn);
      }
      for (const name of ['forecast', 'training', 'panel', 'given-up']) {
        const jobs = await boss.findJobs<{ targets: string[] }>(name);
        const targets = jobs.flatMap(({ data }) => data.targets);
        assert.deepEqual(targets, name === 'given-up' ? [] : [`prediction_${name === 'panel' ? 'dataset' : name}`]);
      }
      // one that an older service has left, and one that was given up and waits for nobody
      await boss.send('panel', { kind: 'prediction', targets: ['prediction_older'] });
      await boss.send('given-up', { kind: 'prediction', targets: ['prediction_lost'] });
      const waiting = await queue.waiting();
      assert.deepEqual(
        Object.fromEntries(waiting.map(({ turn, jobs }) => [turn, Number(jobs)])),
        { forecast: 1, training: 1, dataset: 2 }, // prettier-ignore
      );
    } finally {
      await queue.close();
      await home.close();
      await postgres.remove();
    }
  });
});
