import { said } from '../said.ts';
import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import {
  Batch,
  type LocalDataset,
  type LocalPrediction,
  type Page,
  type Storage,
} from '../../../../src/contract/resources.ts';
import { tokenOf } from '../../../../src/service/host/token-file.ts';
import { MIGRATIONS, openDatabase, sqliteStore } from '../../../../src/service/database/sqlite.ts';
import { repairStore } from '../../../../src/service/database/sqlite.ts';
import { StoreError, storeTrouble } from '../../../../src/service/errors.ts';
import { LocalService, monthly } from '../local-service.ts';

describe('damaged store', () => {
  const local = new LocalService();
  const { call } = local;
  const file = () => join(local.folder, 'forecasts.db');
  /** Only between turns of the event loop: the service, which is on this thread too, may be within a transaction. */
  const change = (sql: string) => {
    const database = new DatabaseSync(file());
    database.exec(sql);
    database.close();
  };
  const make = async (count: number, more: object = {}) => {
    const ids: string[] = [];
    for (let index = 0; index < count; index++) {
      const body = { series: monthly, ai_model_id: 'theta', name: `p${index}`, ...more };
      ids.push((await call<LocalPrediction>('POST', '/predictions', body)).body.id);
    }
    return ids;
  };

  it('lists readable rows, and reports each unreadable one', async () => {
    const ids = await make(4);
    await call('POST', '/datasets', { name: 'd', series: [{ series: monthly }] });
    await call('POST', '/fine_tuned_models', { base_model: 'theta', input_config: { series: monthly }, name: 'm' });
    await call('DELETE', `/predictions/none`);
    await new Promise(setImmediate);
    change(`update predictions set details = '{' where id = '${ids[0]}';
      update predictions set options = '{' where id = '${ids[1]}';
      update series set points = '[{' where id = (select input_series_id from predictions where id = '${ids[2]}');
      update datasets set tags = 'no'; update fine_tuned_models set config = '[', parameters = '{';
      update keys set sealed = 'x'`);
    const { status, body } = await call<Page<LocalPrediction>>('GET', '/predictions');
    assert.equal(status, 200);
    assert.deepEqual(
      body.items.map(({ error }) => said(error).slice(0, 15) || null),
      [null, 'Its stored data', null, 'Its stored data'],
    );
    assert.equal(body.items[0].prediction_series?.length, body.items[0].prediction_length);
    for (const path of ['/datasets', '/fine_tuned_models', '/keys']) {
      const list = await call<Page<{ id: string }>>('GET', path);
      assert.equal(list.status, 200, path);
      assert.ok(list.body.items.length > 0, path);
    }
    assert.equal((await call('GET', `/predictions/${ids[2]}`)).status, 200);
    for (const id of ids) assert.equal((await call('DELETE', `/predictions/${id}`)).status, 204);
  });

  it('lists other rows if a required column is empty', async () => {
    const [first] = await make(2);
    await local.service.close();
    const schema = readFileSync(file(), 'latin1');
    const definition = 'options text not null';
    writeFileSync(file(), schema.replaceAll(definition, 'options text'.padEnd(definition.length)), 'latin1');
    change(`update predictions set options = null, prediction_series_id = null where id = '${first}'`);
    local.service = await local.open();
    const { status, body } = await call<Page<LocalPrediction>>('GET', '/predictions');
    assert.deepEqual([status, body.items.length], [200, 2]);
  });

  /** Overwrites the page of the file that has a text, and those around it. */
  const damage = (text: string) => {
    const bytes = readFileSync(file());
    const at = bytes.indexOf(text);
    assert.ok(at > 4096, 'it is in the file');
    const page = Math.floor(at / 4096) * 4096;
    writeFileSync(file(), bytes.fill(0x5a, page, page + 4096));
  };

  /** Three predictions, of which the middle one is in a part of the file that is damaged. */
  const damaged = async () => {
    const wide = monthly.map((point) => ({ ...point, metadata: { note: 'x'.repeat(100) } }));
    const [first] = await make(1, { series: wide });
    const [second] = await make(1, { series: wide });
    const [third] = await make(1, { series: wide });
    change(`update predictions set details = '"' || hex(randomblob(6000)) || '"' where id = '${second}'`);
    await local.service.close();
    change('pragma wal_checkpoint(truncate)');
    return [first, second, third];
  };

  /** Damages the part of the file where the middle one of three predictions is. */
  const damageSecond = (second: string) => {
    const bytes = readFileSync(file());
    const database = new DatabaseSync(file());
    const text = String(
      database.prepare(`select substr(details, 5000, 40) t from predictions where id = ?`).get(second)?.t,
    );
    database.close();
    assert.ok(bytes.includes(text));
    damage(text);
  };

  it('uses the rows that damage to the file left', async () => {
    const [first, second, third] = await damaged();
    damageSecond(second);
    local.service = await local.open();
    const { status, body } = await call<Page<LocalPrediction>>('GET', '/predictions');
    assert.equal(status, 200);
    assert.deepEqual(
      body.items.map(({ id }) => id),
      [third, second, first],
    );
    assert.deepEqual(
      body.items.map(({ error }) => said(error).slice(0, 15) || null),
      [null, 'Its stored data', null],
    );
  });

  it('counts the rows and continues the list on both sides of the damage', async () => {
    const [first, second, third] = await damaged();
    damageSecond(second);
    local.service = await local.open();
    type Listed = Page<LocalPrediction>;
    const page = async (cursor = '') =>
      (await call<Listed>('GET', `/predictions?size=1${cursor && `&cursor=${cursor}`}`)).body;
    const newest = await page();
    const middle = await page(newest.next_page!);
    const ids = [middle, await page(middle.previous_page!), await page(middle.next_page!)].map(
      ({ items: [{ id }] }) => id,
    );
    assert.deepEqual(ids, [second, third, first]);
    assert.deepEqual([newest.total, middle.total], [3, 3]);
  });

  it('gives the required fields of an unreadable row', async () => {
    const long = `'"' || hex(randomblob(6000)) || '"'`;
    const { body: dataset } = await call<LocalDataset>('POST', '/datasets', {
      name: 'd',
      series: [{ series: monthly }],
    });
    await call('POST', `/datasets/${dataset.id}/predictions`, { ai_model_id: 'theta' });
    const { body: other } = await call<LocalDataset>('POST', '/datasets', { name: 'e', series: [{ series: monthly }] });
    await call('POST', `/datasets/${other.id}/predictions`, { ai_model_id: 'theta' });
    await local.service.close();
    change(`update datasets set tags = ${long} where name = 'd';
      update batches set request = ${long} where dataset_id = '${dataset.id}'; pragma wal_checkpoint(truncate)`);
    for (const [table, column] of [
      ['datasets', 'tags'],
      ['batches', 'request'],
    ] as const) {
      const database = new DatabaseSync(file());
      const row = database
        .prepare(`select substr(${column}, 5000, 40) t from ${table} order by length(${column}) desc`)
        .get();
      database.close();
      damage(String(row?.t));
    }
    local.service = await local.open();
    const batches = (await call<Page<object>>('GET', '/batches')).body.items;
    assert.equal(batches.length, 2);
    for (const batch of batches) assert.ok(Batch.safeParse(batch).success, JSON.stringify(batch));
    const datasets = (await call<Page<LocalDataset>>('GET', '/datasets')).body.items;
    assert.deepEqual(
      datasets.map(({ name, stats }) => [name, stats?.size ?? null]),
      [
        ['e', datasets[0].stats?.size],
        ['Dataset (damaged)', null],
      ],
    );
  });

  it('is set aside unchanged, and its readable rows are saved', async () => {
    const [first, second, third] = await damaged();
    const before = readFileSync(file());
    damageSecond(second);
    const bytes = readFileSync(file());
    assert.notDeepEqual(bytes, before);
    const repair = await repairStore(local.folder);
    const predictions = repair.tables.find(({ name }) => name === 'predictions');
    assert.deepEqual(predictions, { name: 'predictions', saved: 2, lost: 1 });
    const [aside] = readdirSync(local.folder).filter((name) => /^forecasts-set-aside-[\dTZ-]+\.db$/.test(name));
    assert.equal(repair.aside, join(local.folder, aside));
    assert.deepEqual(readFileSync(repair.aside), bytes);
    local.service = await local.open();
    const { body } = await call<Page<LocalPrediction>>('GET', '/predictions');
    assert.deepEqual(body.items.map(({ id }) => id).toSorted(), [first, third].toSorted());
    assert.equal(body.items.find(({ id }) => id === third)?.input_series?.length, 60);
    assert.equal((await call('GET', '/keys')).status, 200, 'the token is the one of before');
  });

  it('is set aside if it is no database at all', async () => {
    await local.service.close();
    for (const end of ['-wal', '-shm']) rmSync(file() + end, { force: true });
    writeFileSync(file(), 'nothing of a database '.repeat(500));
    await assert.rejects(local.open(), (error) => error instanceof StoreError && error.isDamaged);
    assert.deepEqual((await repairStore(local.folder)).tables, []);
    local.service = await local.open();
    assert.equal((await call<Page<unknown>>('GET', '/predictions')).body.total, 0);
  });

  it('returns disk space, and keeps predictions for the retention time', async () => {
    const series = Array.from({ length: 3000 }, () => ({ series: monthly }));
    const large = (await call<LocalDataset>('POST', '/datasets', { series })).body.id;
    await make(3);
    const { body: full } = await call<Storage>('GET', '/storage');
    assert.equal(full.predictions, 3);
    assert.equal(full.datasets, 1);
    assert.equal(full.keep_days, null);
    await call('DELETE', `/datasets/${large}`);
    change(`update predictions set created_at = '2020-01-01T00:00:00Z' where name <> 'p2'`);
    await local.service.close();
    local.service = await local.open({ keepDays: 1 });
    let { body } = await call<Storage>('GET', '/storage');
    const end = Date.now() + 30_000; // it says what is not as it should be before its own time is over
    while ((body.predictions !== 1 || body.bytes > full.bytes / 2) && Date.now() < end) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      ({ body } = await call<Storage>('GET', '/storage'));
    }
    assert.equal(body.predictions, 1);
    assert.ok(body.bytes <= full.bytes / 2, `${body.bytes} of ${full.bytes}`);
    assert.equal(body.keep_days, 1);
    const left = await call<Page<LocalPrediction>>('GET', '/predictions');
    assert.deepEqual(
      left.body.items.map(({ name }) => name),
      ['p2'],
    );
    assert.equal(left.body.items[0].input_series?.length, 60);
  });
});

describe('folder of the store', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'forecasts-folder-'));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  const refuses = (place: string, sentence: RegExp) =>
    assert.rejects(openDatabase(place), (error) => {
      assert.ok(error instanceof StoreError, String(error));
      assert.match(error.message, sentence);
      return true;
    });
  const mode = (name: string) => (statSync(name).mode & 0o777).toString(8);

  it('is refused with a message if it cannot be used', async () => {
    const file = join(folder, 'file');
    writeFileSync(file, '');
    await refuses(file, /cannot be stored in .*: it is a file\./);
    await refuses(join(file, 'below'), /part of the path is a file/);
    mkdirSync(join(folder, 'taken', 'forecasts.db'), { recursive: true });
    await refuses(join(folder, 'taken'), /it is a folder/);
    await refuses('', /^The folder of the stored forecasts has no name\. Choose a folder\.$/);
    await refuses(join(folder, 'x'.repeat(5_000)), /: (its name is too long|it does not exist)\. Choose/);
    for (const [errcode, status] of [
      [8, 500],
      [14, 500],
      [778, 507],
      [13, 507],
      [266, 500],
      [5, 503],
    ] as const) {
      const trouble = storeTrouble(Object.assign(new Error('x'), { code: 'ERR_SQLITE_ERROR', errcode }));
      assert.equal(trouble?.status, status, String(errcode));
    }
  });

  it('is left alone if it has the database of another program', async () => {
    const file = join(folder, 'forecasts.db');
    for (const sql of [
      'create table notes (x)',
      'pragma user_version = 2; create table notes (x)',
      'pragma application_id = 7',
      'pragma auto_vacuum = full; create table notes (x)',
    ]) {
      rmSync(file, { force: true });
      const other = new DatabaseSync(file);
      other.exec(sql);
      other.close();
      const bytes = readFileSync(file);
      await refuses(folder, /is a database of another program/);
      assert.deepEqual(readFileSync(file), bytes);
    }
  });

  it('is not written to by opening an up-to-date store', async () => {
    const first = await openDatabase(folder);
    const version = () => first.prepare('pragma data_version').get()?.data_version;
    const before = version();
    (await openDatabase(folder)).close();
    assert.equal(version(), before);
    first.close();
  });

  it('is released by an idle store', async () => {
    const database = await openDatabase(folder);
    await sqliteStore(database).close();
    assert.equal(database.isOpen, false);
  });

  it('is readable by this user alone', async () => {
    if (process.platform === 'win32') return;
    const place = join(folder, 'new');
    const database = await openDatabase(place);
    database.exec('create table t (x)');
    assert.equal(mode(place), '700');
    for (const name of readdirSync(place)) assert.equal(mode(join(place, name)), '600', name);
    database.close();
    chmodSync(join(place, 'forecasts.db'), 0o644);
    (await openDatabase(place)).close();
    assert.equal(mode(join(place, 'forecasts.db')), '600');
  });

  it('keeps a copy of the database before a migration, and refuses a newer version', async () => {
    (await openDatabase(folder)).close();
    const [first] = MIGRATIONS;
    const database = await openDatabase(folder, [first, 'create table added (x)']);
    assert.deepEqual(database.prepare('select * from added').all(), []);
    assert.equal(Object.values(database.prepare('pragma auto_vacuum').get() ?? {})[0], 2);
    database.close();
    const copies = readdirSync(folder).filter((name) => name.includes('before'));
    assert.deepEqual(copies, ['forecasts-before-version-2.db']);
    const copy = new DatabaseSync(join(folder, copies[0]));
    assert.equal(copy.prepare('pragma user_version').get()?.user_version, 1);
    copy.close();
    await refuses(folder, /made by a newer version/);
    assert.equal(mode(join(folder, copies[0])), '600');
    assert.deepEqual(readdirSync(folder).sort(), ['.gitignore', ...copies, 'forecasts.db']);
  });

  it('has a usable token, whatever a full disk left there', () => {
    const token = tokenOf(folder);
    assert.equal(tokenOf(folder), token);
    for (const left of ['', '\n', 'tsf_', 'tsf_x y'.repeat(5)]) {
      writeFileSync(join(folder, 'token'), left);
      const made = tokenOf(folder);
      assert.match(made, /^tsf_[\w-]{43}$/);
      assert.equal(tokenOf(folder), made);
    }
    assert.deepEqual(readdirSync(folder), ['.gitignore', 'token']);
    rmSync(join(folder, 'token'));
    mkdirSync(join(folder, 'token', 'x'), { recursive: true });
    assert.throws(() => tokenOf(folder), StoreError);
    assert.ok(existsSync(join(folder, 'token', 'x')));
    assert.equal(readdirSync(folder).length, 2);
  });
});
