import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { keysCommand, migrateCommand } from '../../../src/cli/commands/serve.ts';
import { printed, ran } from './in-process.ts';

describe('keys', () => {
  let folder = '';
  before(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'keys-'));
  });
  after(() => {
    rmSync(folder, { recursive: true });
  });
  const keys = (...args: readonly string[]) => ran(keysCommand, [...args, '--data', folder]);
  const listed = async () => (await keys('list')).out.map((line) => JSON.parse(line) as Record<string, unknown>);

  it('are created with scope, tenant, expiry and limits; the secret is printed once and never listed', async () => {
    const limits = ['--expires-in-days', '30', '--requests-per-minute', '60', '--series-per-day', '1000'];
    const made = await keys('create', '--name', 'nightly', '--scope', 'read', '--tenant', 'retail', ...limits);
    assert.deepEqual([made.code, made.errors, made.out.length], [0, [], 1]);
    const [secret] = made.out;
    assert.match(secret!, /^\S{20,}$/);
    const list = await listed();
    const key = list.find(({ name }) => name === 'nightly')!;
    assert.deepEqual(
      [key.scope, key.tenant, key.requests_per_minute, key.series_per_day],
      ['read', 'retail', 60, 1000],
    );
    const days = (Date.parse(String(key.expires_at)) - Date.now()) / 86_400_000;
    assert.ok(days > 29 && days <= 30, String(key.expires_at));
    assert.ok(!JSON.stringify(list).includes(secret!));
  });

  it('are listed for all tenants', async () => {
    const before = (await listed()).length;
    for (const tenant of ['one', 'two']) await keys('create', '--tenant', tenant);
    const tenants = (await listed()).map(({ tenant }) => tenant);
    assert.equal(tenants.length, before + 2);
    assert.ok(tenants.includes('one') && tenants.includes('two'));
  });

  it('are revoked by id, with a message for an unknown id', async () => {
    await keys('create', '--name', 'short-lived');
    const { id } = (await listed()).find(({ name }) => name === 'short-lived')!;
    assert.deepEqual(await keys('revoke', String(id)), { code: 0, out: [], errors: [] });
    assert.ok((await listed()).every(({ name }) => name !== 'short-lived'));
    const again = await keys('revoke', String(id));
    assert.equal(again.code, 1);
    assert.match(again.errors.join(), /\S+ .*\.$/);
  });

  it('are refused for an invalid scope or number', async () => {
    for (const [args, sentence] of [
      [['create', '--scope', 'all'], /Allowed choices are read, write, admin/],
      [['create', '--expires-in-days', '0'], /Expected a whole number from 1 to 3650/],
      [['revoke'], /missing required argument 'id'/i],
    ] as const) {
      const { errors } = await printed(keysCommand, args);
      assert.match(errors, sentence);
    }
  });
});

describe('migrate', () => {
  it('creates the store of a folder, and does not change an existing one', async () => {
    const folder = path.join(mkdtempSync(path.join(tmpdir(), 'migrate-')), 'store');
    try {
      for (const _ of [1, 2]) {
        const { code, out } = await ran(migrateCommand, ['--data', folder]);
        assert.deepEqual([code, out], [0, ['The store is up to date.']]);
      }
      assert.ok(existsSync(folder));
      assert.equal((await ran(keysCommand, ['create', '--data', folder])).out.length, 1);
    } finally {
      rmSync(path.dirname(folder), { recursive: true });
    }
  });

  it('explains that a folder cannot be created, and exits with 1', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'migrate-'));
    try {
      writeFileSync(path.join(folder, 'file'), '');
      const { code, out, errors } = await ran(migrateCommand, ['--data', path.join(folder, 'file', 'store')]);
      assert.deepEqual([code, out], [1, []]);
      assert.match(errors.join('\n'), /file/);
      assert.doesNotMatch(errors.join('\n'), /at .*\.ts:/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
