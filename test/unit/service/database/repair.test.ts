import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { LocalKey, LocalPrediction } from '../../../../src/contract/resources.ts';
import { repairStore } from '../../../../src/service/database/sqlite.ts';
import { LocalService, monthly } from '../local-service.ts';

describe('store repair', () => {
  const local = new LocalService();
  const { call } = local;

  it('keeps idempotency keys and the usage counts of keys', async () => {
    const body = JSON.stringify({ series: monthly, ai_model_id: 'theta', is_async: true });
    const { body: key } = await call<Required<LocalKey>>('POST', '/keys', { series_per_day: 1 });
    const send = async () => {
      const headers = { authorization: `Bearer ${key.secret}`, 'idempotency-key': 'k' };
      const answer = await local.service.fetch(
        new Request('http://local/predictions', { method: 'POST', headers, body }),
      );
      return { status: answer.status, id: ((await answer.json()) as LocalPrediction).id };
    };
    const made = await send();
    assert.equal(made.status, 201);
    await local.service.close();
    const { tables } = await repairStore(local.folder);
    const ofBoth = tables.filter(({ name }) => name === 'creations' || name === 'usage');
    assert.deepEqual(ofBoth, [{ name: 'usage', saved: 1, lost: 0 }, { name: 'creations', saved: 1, lost: 0 }]); // prettier-ignore
    local.service = await local.open();
    assert.deepEqual(await send(), made);
    assert.equal((await call('POST', '/predictions', body, key.secret)).status, 429);
  });

  it('saves rows whose index is damaged', async () => {
    const { body: dataset } = await call<{ id: string }>('POST', '/datasets', { series: [{ series: monthly }] });
    await local.service.close();
    const file = join(local.folder, 'forecasts.db');
    const old = new DatabaseSync(file);
    const index = old.prepare(`select rootpage from sqlite_schema where name = 'sqlite_autoindex_datasets_1'`).get();
    old.close();
    const page = Number(index?.rootpage);
    writeFileSync(file, readFileSync(file).fill(0x5a, (page - 1) * 4096, page * 4096));
    const { tables } = await repairStore(local.folder);
    assert.deepEqual(tables.map(({ name, saved, lost }) => [name, saved, lost]), [['keys', 1, 0], ['datasets', 1, 0], ['series', 1, 0]]); // prettier-ignore
    local.service = await local.open();
    assert.equal((await call('GET', `/datasets/${dataset.id}`)).status, 200);
  });

  for (const ever of ['as it was', '1e15', `'x'`, '-3'])
    it(`reports how many rows of a table with damaged indexes are lost; its counter is ${ever}`, async () => {
      const series = Array.from({ length: 400 }, (_, n) => ({ name: `row ${n} of many`, series: monthly.slice(0, 8) }));
      await call('POST', '/datasets', { series });
      await local.service.close();
      const file = join(local.folder, 'forecasts.db');
      const old = new DatabaseSync(file);
      const indexes = old
        .prepare(`select rootpage from sqlite_schema where type = 'index' and tbl_name = 'series'`)
        .all();
      if (ever !== 'as it was') old.exec(`update sqlite_sequence set seq = ${ever} where name = 'series'`);
      old.exec('pragma wal_checkpoint(truncate)');
      old.close();
      const bytes = readFileSync(file);
      const leaf = Math.floor(bytes.indexOf('row 200 of many') / 4096) + 1;
      for (const page of [leaf, ...indexes.map(({ rootpage }) => Number(rootpage))])
        bytes.fill(0x5a, (page - 1) * 4096, page * 4096);
      writeFileSync(file, bytes);
      const { tables } = await repairStore(local.folder);
      const { saved = 0, lost = 0 } = tables.find(({ name }) => name === 'series') ?? {};
      assert.ok(saved > 350 && lost > 0, `${saved} saved, ${lost} lost`);
      assert.equal(saved + lost, series.length);
      local.service = await local.open();
    });
});
