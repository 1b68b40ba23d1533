import assert from 'node:assert/strict';
import type { ChartControls } from '../../../../src/editor/views/analysis/protocol.ts';
import { createControls, readBands } from '../../../../src/webview/chart/controls.ts';
import { button, find, usePage } from '../dom.ts';

const CONTROLS: ChartControls = {
  horizon: { steps: 24, most: 100, unit: 'months', picks: [{ steps: 12, label: '1 year' }] },
  model: {
    id: 'theta',
    choices: [
      { id: 'theta', label: 'Theta', isTuned: false },
      { id: 'm1', label: 'mine', isTuned: true },
    ],
  },
  bands: [80, 95],
  canCompare: true,
  looks: [],
  former: [],
};

describe('the row that changes a forecast', () => {
  usePage();

  function show(controls: ChartControls = CONTROLS) {
    const done: unknown[] = [];
    const row = createControls({
      change: (change) => done.push(change),
      back: () => done.push('back'),
      compare: (isOpen) => done.push(isOpen),
      testColumns: () => done.push('test'),
    });
    document.body.append(row.element);
    row.show(controls);
    const type = (selector: string, value: string) => {
      const input = find<HTMLInputElement>(selector);
      input.value = value;
      input.dispatchEvent(new Event('change'));
      return input.value;
    };
    return { done, row, type };
  }

  it('tells each change, and takes back what cannot be', () => {
    const { done, type } = show();
    type('#horizon', '36');
    assert.equal(type('#horizon', '101'), '24');
    assert.equal(type('#horizon', ''), '24');
    type('#model', 'm1');
    type('#levels', '90 %; 50');
    assert.equal(type('#levels', '80,95'), '80, 95');
    assert.equal(type('#levels', '120'), '80, 95');
    assert.deepEqual(done, [{ horizon: 36 }, { model: 'm1' }, { bands: [50, 90] }]);
  });

  it('has quick picks behind the unit', () => {
    const { done } = show();
    button('months').click();
    button('1 year').click();
    assert.deepEqual(done, [{ horizon: 12 }]);
  });

  it('shows only what can be done', () => {
    const { row, done } = show({ canCompare: false, looks: [], former: [] });
    const hidden = [...document.querySelectorAll<HTMLElement>('.control')].map((element) => element.hidden);
    assert.deepEqual(hidden, [true, true, true, true, false]);
    assert.ok(button('Back').hidden && button('Compare').hidden);
    row.show({ ...CONTROLS, back: 'Back to the Former Forecast' });
    button('Back').click();
    button('Compare').click();
    assert.deepEqual(done, ['back', true]);
    row.show(undefined);
    assert.ok(row.element.hidden);
  });

  it('reads bands as people type them', () => {
    assert.deepEqual(readBands('95, 50;80%'), [50, 80, 95]);
    assert.equal(readBands('fifty'), undefined);
    assert.equal(readBands(''), undefined);
  });
});
