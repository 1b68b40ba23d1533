import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { LocalPrediction, Page } from '../../../../src/contract/resources.ts';
import { KeptService } from '../../../../src/service/host/service.ts';
import { newToken } from '../../../../src/service/store/token.ts';
import { StoreError } from '../../../../src/service/errors.ts';
import { monthly } from '../local-service.ts';
import { threads } from '../../threads.ts';

describe('service of a folder', () => {
  const token = newToken();
  const open: KeptService[] = [];
  let folder: string;
  const window = () => {
    const service = new KeptService({ folder, token, computeScript: threads.engine, report: () => undefined });
    open.push(service);
    return service;
  };
  const call = async <T>(service: KeptService, method: string, where: string, body?: object): Promise<T> => {
    const headers = { authorization: `Bearer ${token}` };
    const init = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) };
    const response = await (await service.open()).fetch(new Request(`http://local${where}`, init));
    assert.ok(response.ok, `${where}: ${response.status}`);
    return (await response.json()) as T;
  };
  const forecast = (service: KeptService) =>
    call<LocalPrediction>(service, 'POST', '/predictions', { series: monthly, ai_model_id: 'theta' });
  const list = async (service: KeptService) =>
    (await call<Page<LocalPrediction>>(service, 'GET', '/predictions')).items.map(({ id }) => id);

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'forecasts-kept-'));
  });
  afterEach(async () => {
    for (const service of open.splice(0)) await service.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  });

  it('is opened once for many callers', async () => {
    const service = window();
    const [first, second] = await Promise.all([service.open(), service.open()]);
    assert.equal(first, second);
    assert.equal(await service.open(), first);
  });

  it('switches to a database that another window repaired or created', async function () {
    if (process.platform === 'win32') this.skip(); // there a database that is open cannot be set aside
    const [first, second] = [window(), window()];
    const { id } = await forecast(first);
    assert.deepEqual(await list(second), [id]);
    const { tables } = await first.repair();
    assert.deepEqual(
      tables.find(({ name }) => name === 'predictions'),
      { name: 'predictions', saved: 1, lost: 0 },
    );
    const later = await forecast(second);
    assert.deepEqual(await list(first), [later.id, id]);
    for (const end of ['', '-wal', '-shm']) rmSync(path.join(folder, `forecasts.db${end}`), { force: true });
    const last = await forecast(second);
    assert.deepEqual(await list(first), [last.id]);
  });

  it('is repaired while requests wait, and reopened after a failure', async () => {
    const service = window();
    await forecast(service);
    await service.close();
    const broken = window();
    for (const end of ['-wal', '-shm']) rmSync(path.join(folder, `forecasts.db${end}`), { force: true });
    writeFileSync(path.join(folder, 'forecasts.db'), 'no database '.repeat(1000));
    for (let time = 0; time < 2; time++) {
      await assert.rejects(broken.open(), (error) => error instanceof StoreError && error.isDamaged);
    }
    const [one, other] = await Promise.allSettled([broken.open(), broken.open()]);
    assert.ok(one.status === 'rejected' && other.status === 'rejected' && one.reason === other.reason, 'tried once');
    const repairing = broken.repair();
    assert.deepEqual(await list(broken), []);
    assert.match((await repairing).aside ?? '', /set-aside/);
    await forecast(broken);
  });

  it('gives later callers the repaired one', async () => {
    const service = window();
    const first = service.open();
    const repairing = service.repair();
    const second = service.open();
    assert.notEqual(await second, await first);
    await repairing;
    assert.equal(await service.open(), await second);
    assert.deepEqual(await list(service), []);
  });

  it('deletes by the current retention setting', async () => {
    const service = window();
    await forecast(service);
    const { keep_days: before } = await call<{ keep_days: number | null }>(service, 'GET', '/storage');
    await service.keepFor(30);
    const { keep_days: after } = await call<{ keep_days: number | null }>(service, 'GET', '/storage');
    assert.deepEqual([before, after], [null, 30]);
    assert.equal((await list(service)).length, 1);
  });
});
