import assert from 'node:assert/strict';
import { readSetRef, readWebviewMessage } from '../../../../../src/editor/views/many-series/protocol.ts';
import { rowOf } from '../../../../../src/editor/views/many-series/rows.ts';

describe('messages of the page of many series', () => {
  it('are read, and what is none is not', () => {
    const deed = { type: 'deed', deed: 'tune', ids: ['a'] };
    assert.deepEqual(readWebviewMessage(deed), deed);
    for (const wrong of [null, {}, { type: 'open' }, { ...deed, deed: 'delete' }, { ...deed, ids: [1] }])
      assert.equal(readWebviewMessage(wrong), undefined);
  });

  it('name forecasts by their dataset or their ids', () => {
    const set = { serviceId: 'local', label: 'a.csv', datasetId: 'd' };
    assert.deepEqual(readSetRef({ ...set, filter: 'x' }), set);
    assert.deepEqual(readSetRef({ serviceId: 'local', label: 'a', predictionIds: ['p'] })?.predictionIds, ['p']);
    for (const wrong of [undefined, { serviceId: 'local', label: 'a' }, { ...set, label: 1 }])
      assert.equal(readSetRef(wrong), undefined);
  });

  it('say why there is no forecast, and draw one from its series where the service sends no sketch', () => {
    const points = (...values: number[]) => values.map((value) => ({ timestamp: '2024-01-01', value }));
    const quantiles = { '0.1': 3, '0.5': 4, '0.9': 6 };
    const row = rowOf({
      id: 'p',
      status: 'COMPLETED',
      input_series: points(1, 2),
      prediction_series: [{ timestamp: '2024-02-01', value: 5, metadata: { quantiles } }],
    });
    assert.deepEqual([row.last, row.next, row.past, row.lower, row.upper], [2, 4, [1, 2], [3], [6]]);
    assert.equal(rowOf({ id: 'p', status: 'FAILED', error: 'it is too short' }).state, 'failed: it is too short');
    assert.equal(rowOf({ id: 'p', status: 'IN_PROGRESS' }).state, 'in progress');
  });
});
