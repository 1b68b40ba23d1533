import assert from 'node:assert/strict';
import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';
import type { JobKind, Together } from '../../../../src/service/jobs/queue.ts';
import { watched } from '../../../../src/service/jobs/watched.ts';
import type { Tables } from '../../../../src/service/database/tables.ts';

describe('watched jobs', () => {
  it('done together are told of one by one, as far as they were still wanted', async () => {
    const written: string[] = [];
    const together: Together = {
      parts: (ids) => Promise.resolve([ids]),
      run: (part) =>
        Promise.resolve({ ids: part, write: (_db, wanted) => Promise.resolve(void written.push(...wanted)) }),
    };
    const nothing = () => Promise.resolve();
    const kind: JobKind = {
      mark: nothing,
      progress: nothing,
      run: () => Promise.resolve(nothing),
      fail: nothing,
      together,
    };
    const told: string[] = [];
    const kinds = watched({ together: kind, single: { ...kind, together: undefined } }, (name, outcome, seconds) => {
      assert.ok(seconds >= 0);
      told.push(`${name} ${outcome}`);
    });
    assert.equal(kinds.single.together, undefined);
    const db = new Kysely<Tables>({
      dialect: {
        createDriver: () => new DummyDriver(),
        createAdapter: () => new SqliteAdapter(),
        createQueryCompiler: () => new SqliteQueryCompiler(),
        createIntrospector: (db) => new SqliteIntrospector(db),
      },
    });
    const [part] = await kinds.together.together!.parts(['a', 'b', 'c']);
    const { ids, write } = await kinds.together.together!.run(part, new AbortController().signal);
    assert.deepEqual([ids, told], [['a', 'b', 'c'], []]);
    await write(db, new Set(['a', 'c']));
    assert.deepEqual(written, ['a', 'c']);
    assert.deepEqual(told, ['together completed', 'together completed']);
  });
});
