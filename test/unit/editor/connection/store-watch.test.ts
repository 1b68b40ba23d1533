import assert from 'node:assert/strict';
import { watchStore } from '../../../../src/editor/connection/connection.ts';
import { LocalService, monthly } from '../../service/local-service.ts';

describe('store shared by two windows', () => {
  const local = new LocalService();

  it('notifies one window of the other’s changes until it is closed', async () => {
    let changes = 0;
    let reported = Promise.withResolvers<undefined>();
    const problems: unknown[] = [];
    const watch = watchStore(
      local.folder,
      () => {
        changes++;
        reported.resolve(undefined);
      },
      (problem) => problems.push(problem),
    );
    watch.start();
    watch.start();
    const other = await local.open();
    const headers = { authorization: `Bearer ${local.token}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ name: 'theirs', series: [{ name: 'a', series: monthly }] });
    reported = Promise.withResolvers();
    await other.fetch(new Request('http://local/datasets', { method: 'POST', headers, body }));
    await reported.promise;
    const { body: page } = await local.call<{ items: { name: string }[] }>('GET', '/datasets');
    assert.equal(page.items[0].name, 'theirs');
    watch.dispose();
    const before = changes;
    await other.fetch(new Request('http://local/datasets', { method: 'POST', headers, body }));
    await other.close();
    assert.deepEqual([changes, problems], [before, []]);
  });

  it('reports a folder that cannot be watched', () => {
    const problems: unknown[] = [];
    watchStore(
      '/dev/null/folder',
      () => undefined,
      (problem) => problems.push(problem),
    ).start();
    assert.equal(problems.length, 1);
  });
});
