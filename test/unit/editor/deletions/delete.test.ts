import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { ServiceError } from '../../../../src/client/errors.ts';
import type { App } from '../../../../src/editor/app.ts';
import { VIEWS } from '../../../../src/editor/names.ts';
import { PendingDeletions } from '../../../../src/editor/deletions/pending.ts';
import type { ResourceNode } from '../../../../src/editor/views/tree/kinds.ts';
import { now } from '../workbench/vscode.ts';
import { Window } from '../workbench/window.ts';

describe('deletion of several keys', () => {
  let deleted: string[];
  let refreshed: string[];
  beforeEach(() => {
    now.window = new Window();
    [deleted, refreshed] = [[], []];
  });
  afterEach(() => {
    now.window.person.verify();
  });

  const remove = async (failures: Readonly<Record<string, ServiceError>>, ...ids: string[]) => {
    const client = {
      delete: (_: string, id: string) => {
        const failure = failures[id];
        if (failure) return Promise.reject(failure);
        deleted.push(id);
        return Promise.resolve();
      },
    };
    const view = { refresh: () => Promise.resolve(refreshed.push('keys')) };
    const app = { connection: { session: () => ({ client }) }, trees: new Map([[VIEWS.keys, view]]) };
    const nodes = ids.map((id) => ({ kind: 'key', serviceId: 'https://team/', id, item: { id, name: id, created_at: '2024-05-01T00:00:00Z' }, offers: new Set(['deleteKey']) })); // prettier-ignore
    now.window.person.presses('Delete');
    const deletions = new PendingDeletions(() => app as unknown as App, tmpdir());
    await deletions.delete(nodes as unknown as ResourceNode[]);
  };
  const refused = new ServiceError('refused', 'team refused the request. It is in use.', { status: 409 });

  it('continues after a refusal, and reports what was deleted and what was not', async () => {
    await assert.rejects(remove({ b: refused }, 'a', 'b', 'c'), {
      kind: 'refused',
      message: '2 of 3 were deleted. team refused the request. It is in use.',
    });
    assert.deepEqual([deleted, refreshed], [['a', 'c'], ['keys']]);
  });

  it('reports that one key, or all of them, were not deleted', async () => {
    await assert.rejects(remove({ a: refused }, 'a'), { message: refused.message });
    await assert.rejects(remove({ a: refused, b: refused }, 'a', 'b'), { message: /^0 of 2 were deleted\. team/ }); // prettier-ignore
    assert.deepEqual(deleted, []);
  });

  it('stops if the service is unreachable, instead of waiting for each', async () => {
    const away = new ServiceError('unreachable', 'team cannot be reached.');
    await assert.rejects(remove({ b: away }, 'a', 'b', 'c'), {
      kind: 'unreachable',
      message: '1 of 3 were deleted. team cannot be reached.',
    });
    assert.deepEqual(deleted, ['a']);
  });
});
