/** What lists ask of the database, counted, and how it finds it, as it says itself. */
import assert from 'node:assert/strict';
import { CompiledQuery, type RootOperationNode, sql } from 'kysely';
import { type Store, snapshot } from '../../../../src/service/database/store.ts';
import { Predictions } from '../../../../src/service/resources/predictions.ts';
import { onEachStore } from './stores.ts';

const POINTS = JSON.stringify([
  { timestamp: '2024-01-01T00:00:00.000Z', value: 1 },
  { timestamp: '2024-02-01T00:00:00.000Z', value: 2 },
]);
const MANY = 20_000;

/** Half of them of another tenant, and of each hundred one that failed; ten datasets. */
async function fill({ db }: Store): Promise<void> {
  const numbers = sql`with recursive numbers (n) as (select 0 union all select n + 1 from numbers where n < ${MANY - 1})`;
  const tenant = sql`case when n % 2 = 0 then 'default' else 'other' end`;
  const dataset = sql`'dataset_' || (n / 4000 * 2 + n % 2)`;
  await sql`insert into datasets (id, tags, created_at) ${numbers}
    select 'dataset_' || n, '[]', '' from numbers where n < 10`.execute(db);
  for (const kind of ['in', 'out']) {
    await sql`insert into series (id, dataset_id, rows, points, tenant) ${numbers}
      select ${sql.lit(`${kind}_`)} || n, ${kind === 'in' ? dataset : sql`null`}, 2, ${POINTS}, ${tenant} from numbers`.execute(
      db,
    );
  }
  await sql`insert into predictions (id, ai_model_id, status, input_series_id, prediction_series_id, dataset_id, options,
      sparkline, created_at, tenant) ${numbers}
    select 'prediction_' || n, 'theta', case when n % 100 < 2 then 'FAILED' else 'COMPLETED' end, 'in_' || n, 'out_' || n,
      ${dataset}, '{"levels":[0.5]}', '{"past":[1],"ahead":[2]}', '2024-01-01T00:00:00Z', ${tenant} from numbers`.execute(
    db,
  );
}

onEachStore('a list of predictions', (counted, name) => {
  let store: Store;
  let asked: RootOperationNode[];
  let predictions: Predictions;

  /** Plans of what is listed before the database has looked at what was stored, which takes it a minute or more. */
  const early: Record<string, string> = {};

  before(async () => {
    ({ store, asked } = counted());
    predictions = new Predictions(store).in('default');
    if (name === 'PostgreSQL') await sql`alter table predictions set (autovacuum_enabled = false)`.execute(store.db);
    await fill(store);
    for (const [which, filter] of Object.entries(filters)) early[which] = await planOf(filter);
    await counted().analyze();
  });

  const none = { include_series: false, include_input: false, include_sparkline: false };
  const list = (shown: typeof none, filter = {}, seq?: number, direction: 'after' | 'before' = 'after') => {
    asked.length = 0;
    return predictions.listed({ cursor: `${direction[0]}${seq ?? ''}`, size: 50, ...shown, ...filter });
  };

  const filters = {
    'of all': {},
    'of a status': { status: 'FAILED' },
    'of a status that most have': { status: 'COMPLETED' },
    'of the oldest dataset': { dataset_id: 'dataset_0' },
    'of no dataset': { dataset_id: 'dataset_none' },
  };
  /** How the list of a page in the midst is found, as the database says that it did. */
  const planOf = async (filter: object): Promise<string> => {
    await list(none, filter, 15_000);
    const explain = name === 'SQLite' ? 'explain query plan ' : 'explain (analyze, buffers off) ';
    return snapshot(store.in('default'), async (db) => {
      const { sql: text, parameters } = db.getExecutor().compileQuery(asked[0], { queryId: 'q' });
      const { rows } = await db.executeQuery<Record<string, string>>(
        CompiledQuery.raw(explain + text, [...parameters]),
      );
      return rows.map((row) => row.detail ?? row['QUERY PLAN']).join('\n');
    });
  };
  const WALKS = /Seq Scan|SCAN (predictions|series)\b(?! USING)|TEMP B-TREE/;
  const most = (plan: string, what: RegExp) => Math.max(0, ...[...plan.matchAll(what)].map(([, rows]) => Number(rows)));

  it('takes one statement at any position', async () => {
    const first = await list(none);
    assert.equal(asked.length, 1);
    assert.deepEqual([first.items.length, first.previous_page], [50, undefined]);
    assert.ok(first.next_page);
    assert.equal(first.total, MANY / 2);
    const midst = await list(none, {}, 10_001);
    assert.equal(asked.length, 1);
    assert.ok(midst.previous_page && midst.next_page);
    assert.equal(midst.items[0].id, 'prediction_9998');
    const upwards = await list(none, {}, 10_001, 'before');
    assert.equal(asked.length, 1);
    assert.deepEqual([upwards.items.at(-1)?.id, upwards.items.length], ['prediction_10002', 50]);
    assert.ok(upwards.previous_page && upwards.next_page);
    const end = await list(none, {}, 21);
    assert.deepEqual([end.items.length, end.next_page], [10, undefined]);
  });

  it('takes one more for points, and none for any number of sparklines', async () => {
    const { items } = await list({ ...none, include_series: true, include_input: true });
    assert.equal(asked.length, 2);
    assert.ok(items.every((one) => one.input_series?.stored === POINTS && one.prediction_series?.stored === POINTS));
    const drawn = await list({ ...none, include_sparkline: true });
    assert.equal(asked.length, 1);
    assert.ok(drawn.items.every(({ sparkline, prediction_length }) => sparkline && prediction_length === 2));
  });

  it('is empty with a total for an empty list', async () => {
    const { items, total, next_page, previous_page } = await list(none, { status: 'QUEUED' });
    assert.deepEqual([items, total, next_page, previous_page], [[], 0, undefined, undefined]);
    assert.equal(asked.length, 2);
  });

  for (const [which, filter] of Object.entries(filters)) {
    it(`uses an index: ${which}`, async () => {
      const plan = await planOf(filter);
      assert.doesNotMatch(plan, WALKS, plan);
      assert.ok(most(plan, /Rows Removed by Filter: (\d+)/g) <= 51, plan);
      assert.ok(most(plan, /Heap Fetches: (\d+)/g) <= 51, plan);
    });

    it(`uses an index although the database has no statistics yet: ${which}`, () => {
      const plan = early[which];
      assert.doesNotMatch(plan, WALKS, plan);
      assert.ok(most(plan, /Rows Removed by Filter: (\d+)/g) <= 51, plan);
      // a sort is of no more than a page
      assert.ok(most(plan, /(?:Sort|Bitmap).*rows=(\d+)\S* loops/g) <= 51, plan);
    });
  }
});
