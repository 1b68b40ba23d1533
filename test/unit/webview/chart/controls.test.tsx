import assert from 'node:assert/strict';
import type { ChartControls } from '../../../../src/editor/views/chart/protocol.ts';
import { render } from 'preact';
import { Controls, readLevels } from '../../../../src/webview/chart/controls.tsx';
import { useBrowser } from '../browser.ts';
import { button, find } from '../dom.ts';

const CONTROLS: ChartControls = {
  horizon: { steps: 24, most: 100, unit: 'months', picks: [{ steps: 12, label: '1 year' }] },
  model: {
    id: 'theta',
    choices: [
      { id: 'theta', label: 'Theta', isTuned: false },
      { id: 'm1', label: 'mine', isTuned: true },
    ],
  },
  intervals: [80, 95],
  canCompare: true,
  analyses: [],
};

describe('controls of a forecast', () => {
  useBrowser();

  function show(controls: ChartControls = CONTROLS) {
    const done: unknown[] = [];
    const send = (intent: object) => done.push('change' in intent ? intent.change : intent);
    document.body.innerHTML = '<main id="app"></main>';
    let now: { controls: ChartControls | null; isComparing: boolean } = { controls, isComparing: false };
    const draw = (more: Partial<typeof now>) => {
      now = { ...now, ...more };
      render(<Controls {...now} send={send} />, find('#app'));
    };
    draw({});
    const row = { show: (next: ChartControls | undefined) => { draw({ controls: next ?? null }); }, compare: (isComparing: boolean) => { draw({ isComparing }); } }; // prettier-ignore
    const type = (selector: string, value: string) => {
      const input = find<HTMLInputElement>(selector);
      input.value = value;
      input.dispatchEvent(new Event('input'));
      input.dispatchEvent(new Event('change'));
      return input.value;
    };
    return { done, row, type };
  }

  it('sends each change, and reverts invalid input', () => {
    const { done, type } = show();
    type('#horizon', '36');
    assert.equal(type('#horizon', '101'), '24');
    assert.equal(type('#horizon', ''), '24');
    type('#model', 'm1');
    type('#levels', '90%; 50');
    assert.equal(type('#levels', '80,95'), '80, 95');
    assert.equal(type('#levels', '120'), '80, 95');
    assert.deepEqual(done, [{ horizon: 36 }, { model: 'm1' }, { intervals: [50, 90] }]);
  });

  it('keeps what was taken until the forecast is there, or was not made', () => {
    const { done, row, type } = show();
    for (const steps of ['25', '26', '27']) assert.equal(type('#horizon', steps), steps, 'each step of an arrow key');
    const input = find<HTMLInputElement>('#horizon');
    input.dispatchEvent(new Event('blur'));
    assert.equal(input.value, '27');
    assert.deepEqual(done, [{ horizon: 25 }, { horizon: 26 }, { horizon: 27 }]);
    row.show({ ...CONTROLS });
    assert.equal(input.value, '24', 'none was made');
  });

  it('does not overwrite input while the forecast updates', () => {
    const { row, done } = show();
    for (const [selector, typed, shown, again] of [
      ['#horizon', '3', '12', { ...CONTROLS, horizon: { ...CONTROLS.horizon!, steps: 12 } }],
      ['#levels', '80, 9', '50', { ...CONTROLS, intervals: [50] }],
    ] as const) {
      const input = find<HTMLInputElement>(selector);
      input.focus();
      input.value = typed;
      input.dispatchEvent(new Event('input'));
      row.show(again);
      assert.equal(input.value, typed, selector);
      input.dispatchEvent(new Event('change'));
      row.show({ ...again });
      assert.equal(input.value, shown, 'what is shown is said again where nothing came of it');
      input.blur();
    }
    assert.deepEqual(done, [{ horizon: 3 }, { intervals: [9, 80] }]);
  });

  it('ignores input that changes nothing', () => {
    const { row } = show();
    const input = find<HTMLInputElement>('#horizon');
    input.focus();
    input.value = '3';
    input.dispatchEvent(new Event('input'));
    input.value = '24';
    input.blur();
    row.show({ ...CONTROLS, horizon: { ...CONTROLS.horizon!, steps: 12 } });
    assert.equal(input.value, '12');
  });

  it('names the future covariates, and offers to test them', () => {
    const columns = { choices: [{ name: 'promo', isUsed: true, about: 'known until May' }, { name: 'sky', isUsed: false, about: '' }], canTest: true }; // prettier-ignore
    const { done } = show({ ...CONTROLS, columns });
    button('Covariates: 1 of 2').click();
    find<HTMLInputElement>('.tick:nth-of-type(2) input').click();
    button('Forecast with These').click();
    assert.deepEqual(done, [{ type: 'test-columns' }, { covariates: ['promo', 'sky'] }]);
  });

  it('groups fine-tuned models, and shows the current one', () => {
    show({ ...CONTROLS, model: { ...CONTROLS.model!, id: 'm1' } });
    assert.equal(find('optgroup').getAttribute('label'), 'Fine-tuned models');
    assert.equal(find('optgroup').textContent, 'mine');
    assert.equal(find<HTMLSelectElement>('#model').value, 'm1');
  });

  it('keeps the suggestions open while the same ones are sent again', () => {
    const { row } = show();
    button('months').click();
    row.show({ ...CONTROLS, horizon: { ...CONTROLS.horizon!, steps: 12 } });
    find('.unit .menu[data-open]');
    row.show({ ...CONTROLS, horizon: { ...CONTROLS.horizon!, unit: 'days' } });
    assert.equal(document.querySelector('.unit .menu[data-open]'), null);
    assert.equal(button('days').getAttribute('aria-label'), 'days: suggestions');
  });

  it('requests no forecast that is shown already', () => {
    const { done, type } = show();
    type('#horizon', '24');
    assert.deepEqual(done, []);
    const other = show({ ...CONTROLS, horizon: { ...CONTROLS.horizon!, steps: 12 } });
    button('months').click();
    button('1 year').click();
    assert.deepEqual(other.done, []);
  });

  it('toggles a compared forecast by the same button', () => {
    const { row, done } = show();
    button('Compare').click();
    row.compare(true);
    assert.equal(button('Compare').getAttribute('aria-pressed'), 'true');
    button('Compare').click();
    assert.deepEqual(done, [
      { type: 'compare', do: 'open' },
      { type: 'compare', do: 'close' },
    ]);
  });

  it('has quick picks for the unit', () => {
    const { done } = show();
    button('months').click();
    button('1 year').click();
    assert.deepEqual(done, [{ horizon: 12 }]);
  });

  it('shows only available controls', () => {
    const { row, done } = show({ canCompare: false, analyses: [] });
    assert.equal(document.querySelectorAll('.controls button, .controls input, .controls select').length, 0);
    row.show({ ...CONTROLS, back: 'Back to the Previous Forecast' });
    button('Back').click();
    button('Compare').click();
    assert.deepEqual(done, [{ type: 'back' }, { type: 'compare', do: 'open' }]);
    row.show(undefined);
    assert.equal(document.querySelector('.controls'), null);
  });

  it('parses intervals as people type them', () => {
    assert.deepEqual(readLevels('95, 50;80%'), [50, 80, 95]);
    assert.equal(readLevels('fifty'), undefined);
    assert.equal(readLevels(''), undefined);
  });
});
