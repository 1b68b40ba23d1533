import assert from 'node:assert/strict';
import { type AnswerOf, isCreation, type Operation, operations } from '../../../../src/contract/operations.ts';
import type { LocalDataset, Page } from '../../../../src/contract/resources.ts';
import { LocalService, monthly } from '../local-service.ts';

describe('requests of disconnected clients', () => {
  const local = new LocalService();
  const { call, token } = local;

  it('create nothing', async () => {
    const series = { series: monthly };
    const stored = async (list: string) => (await call<Page<unknown>>('GET', list)).body.total;
    const { body: dataset } = await call<LocalDataset>('POST', '/datasets', { series: [series] });
    const { body: run } = await call<AnswerOf<'predictDataset'>>('POST', `/datasets/${dataset.id}/predictions`, {});
    for (const id of run.prediction_ids) await call('DELETE', `/predictions/${id}`);
    const counted = await Promise.all(['/datasets', '/keys'].map(stored));
    const creations = Object.values(operations as Record<string, Operation>).filter(isCreation);
    const creating = new Set(creations.map(({ path }) => path));
    for (const [path, asked] of Object.entries<object>({
      '/datasets': { series: [series] },
      '/predictions': { ...series, is_async: true },
      '/fine_tuned_models': { base_model: 'global', input_config: { dataset_ids: [dataset.id] } },
      '/keys': { name: 'lost' },
      [`/datasets/${dataset.id}/predictions`]: {},
      [`/batches/${run.batch_id}/predictions`]: {},
      [`/datasets/${dataset.id}/series`]: { id: 'lost', ...series },
    })) {
      assert.ok(creating.delete(path.replace(/(dataset|batch)_[0-9a-f]+/, '{id}')), path);
      const type = path.endsWith('/series') ? 'application/x-ndjson' : 'application/json';
      const body = JSON.stringify(asked);
      const request = new Request(`http://local${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': type },
        body,
        signal: AbortSignal.abort(),
      });
      const { status } = await local.service.fetch(request);
      assert.equal(status, 400, path);
    }
    assert.deepEqual([...creating], [], 'are tried neither');
    assert.deepEqual(await Promise.all(['/datasets', '/keys'].map(stored)), counted);
    for (const list of ['/predictions', '/fine_tuned_models']) assert.equal(await stored(list), 0, list);
  });
});
