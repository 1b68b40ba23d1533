import assert from 'node:assert/strict';
import {
  DEFAULT_VIEW,
  readPanelState,
  readWebviewMessage,
  type WebviewMessage,
} from '../../../../../src/editor/views/chart/protocol.ts';
import { dispatch } from '../../../../../src/editor/views/shared/protocol.ts';

const state = {
  predictionId: 'p1',
  serviceId: 'local',
  view: { tab: 'table', range: { min: 1, max: 2 }, hiddenBands: [95] },
  former: ['p0'],
} as const;

describe('messages of the chart panel', () => {
  it('reads every message the page sends', () => {
    const messages: WebviewMessage[] = [
      { type: 'ready' },
      { type: 'state', state },
      { type: 'export', kind: 'csv' },
      { type: 'export', kind: 'png', data: new Uint8Array([1, 2]) },
      { type: 'action', id: 'retry' },
      { type: 'copied' },
      { type: 'change', change: { horizon: 3, model: 'theta', bands: [80] } },
      { type: 'change', change: { covariates: ['promo'] } },
      { type: 'back' },
      { type: 'test-columns' },
      {
        type: 'suppose',
        name: 'Promo in week 3',
        cells: [
          { column: 'promo', time: 5, value: 1 },
          { column: 'sky', time: 5, value: 'rain' },
          { column: 'price', time: 6, value: null },
        ],
      },
      { type: 'compare', do: 'open' },
      { type: 'compare', do: 'save' },
      { type: 'look', look: 'odd', rarity: 100 },
      { type: 'odd', do: 'mark' },
      { type: 'compare', do: 'add-model', id: 'theta' },
      { type: 'lines', first: 3, last: 12 },
      { type: 'problem', message: 'oh' },
    ];
    for (const message of messages) assert.deepEqual(readWebviewMessage(message), message);
  });

  it('reads nothing else', () => {
    const others = [
      undefined,
      null,
      7,
      'ready',
      {},
      { type: 'toString' },
      { type: 'export', kind: 'exe' },
      { type: 'export', kind: 'png', data: 'text' },
      { type: 'action', id: 5 },
      { type: 'change', change: { covariates: 'promo' } },
      { type: 'suppose', name: 'x', cells: [] },
      { type: 'suppose', name: 'x'.repeat(101), cells: [{ column: 'promo', time: 5, value: 1 }] },
      { type: 'suppose', name: 'x', cells: [{ column: 'promo', time: 5, value: Infinity }] },
      { type: 'suppose', name: 'x', cells: [{ column: 'promo', value: 1 }] },
      { type: 'lines', first: 3 },
      { type: 'lines', first: 0, last: 2 },
      { type: 'lines', first: 4, last: 2 },
      { type: 'state', state: { predictionId: 'p1' } },
    ];
    for (const other of others) assert.equal(readWebviewMessage(other), undefined);
  });

  it('keeps the prediction of a saved state whose view is unreadable', () => {
    const view = { tab: 'pie', range: { min: 5, max: null }, hiddenBands: ['x', 80] };
    assert.deepEqual(readPanelState({ predictionId: 'p1', serviceId: 'local', view }), {
      predictionId: 'p1',
      serviceId: 'local',
      view: { tab: 'chart', hiddenBands: [80] },
      former: [],
    });
    assert.deepEqual(readPanelState({ predictionId: 'p1', serviceId: 'local' })?.view, DEFAULT_VIEW);
    assert.equal(readPanelState({ predictionId: 1, serviceId: 'local' }), undefined);
  });

  it('keeps what was supposed in the table, without what is none of it', () => {
    const supposed = [{ column: 'promo', time: 5, value: 1 }, { column: 'sky', time: 5, value: null }]; // prettier-ignore
    assert.deepEqual(readPanelState({ ...state, supposed }), { ...state, supposed });
    const spoilt = [{ column: 'promo', time: '5', value: 1 }, 7, supposed[1]];
    assert.deepEqual(readPanelState({ ...state, supposed: spoilt })?.supposed, [supposed[1]]);
    assert.deepEqual(readPanelState({ ...state, supposed: 'x' }), state);
    const named = { ...state, supposed, supposedName: 'Promo in week 1' };
    assert.deepEqual(readPanelState(named), named);
    for (const supposedName of ['', 7, 'x'.repeat(101)])
      assert.deepEqual(readPanelState({ ...named, supposedName }), { ...state, supposed });
    assert.deepEqual(readPanelState({ ...state, supposedName: 'of nothing' }), state);
  });

  it('hands a message to its own handler and leaves an unknown one alone', () => {
    const seen: string[] = [];
    const handlers = {
      ready: () => seen.push('ready'),
      state: () => seen.push('state'),
      export: () => seen.push('export'),
      action: ({ id }: { id: string }) => seen.push(`action ${id}`),
      lines: () => 0,
      copied: () => 0,
      change: () => 0,
      back: () => 0,
      'test-columns': () => 0,
      suppose: () => 0,
      compare: () => 0,
      look: () => 0,
      odd: () => 0,
      problem: () => seen.push('problem'),
    };
    dispatch<WebviewMessage>({ type: 'action', id: 'retry' }, handlers);
    dispatch<WebviewMessage>({ type: 'hasOwnProperty' } as never, handlers);
    assert.deepEqual(seen, ['action retry']);
  });
});
