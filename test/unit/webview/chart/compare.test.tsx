import assert from 'node:assert/strict';
import { render } from 'preact';
import type { CompareView } from '../../../../src/editor/views/chart/protocol.ts';
import { CompareTable } from '../../../../src/webview/chart/controls.tsx';
import { useBrowser } from '../browser.ts';
import { button, find } from '../dom.ts';
import { comparedRow } from '../open-page.ts';

const line = { times: Float64Array.of(1, 2), values: Float64Array.of(3, 4) };
const VIEW: CompareView = {
  rows: [
    comparedRow('p1', 'Hybrid', { isMain: true, line, scores: { mase: 1.234, smape: 5 } }),
    comparedRow('p2', 'Theta', { line, scores: { mase: 1, coverage80: 0.8 }, isBest: true }),
    comparedRow('p3', 'ETS', { state: 'failed', sentence: 'It is <b>too</b> short.' }),
  ],
  about: 'At the same 3 times.',
  most: 4,
  models: [{ id: 'naive', label: 'Naive' }],
  predictions: [{ id: 'p9', label: 'Theta · 12 months' }],
};

describe('table of compared forecasts', () => {
  useBrowser();

  function show(view: CompareView = VIEW) {
    const sent: object[] = [];
    render(<CompareTable view={view} send={(message) => sent.push(message)} />, find('#app'));
    return { sent };
  }

  it('shows scores, marks the best in words, and shows a failure as text', () => {
    show();
    const rows = [...document.querySelectorAll('tbody tr')].map(({ textContent }) => textContent);
    assert.deepEqual(rows, ['Hybrid–1.235.0%–', 'Thetabest–1.00–80%×', 'ETSIt is <b>too</b> short.––––×']);
    assert.equal(find('tbody tr').getAttribute('aria-current'), 'true');
  });

  it('makes a line the main one, removes one and adds another', () => {
    const { sent } = show();
    button('Theta').click();
    find('[aria-label="Remove ETS"]').click();
    const add = find<HTMLSelectElement>('select');
    for (const value of ['model naive', 'prediction p9']) {
      add.value = value;
      add.dispatchEvent(new Event('change'));
    }
    assert.deepEqual(sent, [
      { type: 'compare', do: 'main', id: 'p2' },
      { type: 'compare', do: 'remove', id: 'p3' },
      { type: 'compare', do: 'add-model', id: 'naive' },
      { type: 'compare', do: 'add-prediction', id: 'p9' },
    ]);
  });

  it('has at most four lines', () => {
    show({ ...VIEW, rows: [...VIEW.rows, { ...VIEW.rows[1], id: 'p4' }] });
    assert.ok(find<HTMLSelectElement>('select').disabled);
  });
});
