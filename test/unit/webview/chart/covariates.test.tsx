import assert from 'node:assert/strict';
import type { ChartControls } from '../../../../src/editor/views/chart/protocol.ts';
import { render } from 'preact';
import { Covariates } from '../../../../src/webview/chart/controls.tsx';
import { useBrowser } from '../browser.ts';
import { button, find } from '../dom.ts';

type Columns = NonNullable<ChartControls['columns']>;

const COLUMNS: Columns = {
  choices: [
    { name: 'promo', isUsed: true, about: 'known until 9 May 2024 · +61 from 0 to 1' },
    { name: 'visitors', isUsed: false, about: 'known for the past only' },
  ],
  worth: 'In a backtest the error was 42% smaller with them: 1.2 instead of 2.1.',
  canTest: true,
};

describe('covariate checkboxes', () => {
  useBrowser();

  function show(columns: Columns = COLUMNS) {
    const done: unknown[] = [];
    const update = (now: Columns) => {
      render(
        <Covariates columns={now} change={({ covariates }) => done.push(covariates)} test={() => done.push('test')} />,
        find('#app'),
      );
    };
    update(columns);
    const boxes = () => [...document.querySelectorAll<HTMLInputElement>('input[type=checkbox]')];
    const tick = (index: number) => {
      boxes()[index]!.checked = !boxes()[index]!.checked;
      boxes()[index]!.dispatchEvent(new Event('change'));
    };
    return { update, done, boxes, tick };
  }

  it('show used covariates with their effect, and forecast with another choice', () => {
    const { done, boxes, tick } = show({ ...COLUMNS, canTest: false });
    button('Covariates: 1 of 2').click();
    assert.match(find('.panel').textContent, /promo.*\+61 from 0 to 1.*visitors.*past only.*42% smaller/);
    assert.deepEqual(boxes().map(({ checked }) => checked), [true, false]); // prettier-ignore
    assert.equal(button('Forecast with These').hasAttribute('disabled'), true, 'nothing is changed yet');
    tick(1);
    button('Forecast with These').click();
    assert.deepEqual(done, [['promo', 'visitors']]);
    assert.equal(document.querySelector('.panel[data-open]'), null);
  });

  it('request a test once when opened, and keep what is checked meanwhile', () => {
    const { update, done, boxes, tick } = show();
    const open = button('Covariates: 1 of 2');
    open.click();
    tick(0);
    open.click();
    open.click();
    assert.deepEqual(done, ['test']);
    const [promo, visitors] = COLUMNS.choices as [Columns['choices'][number], Columns['choices'][number]];
    const reported = { ...visitors, about: `${visitors.about} · Did not help in a backtest` };
    update({ ...COLUMNS, choices: [promo, reported], canTest: false });
    assert.match(find('.panel').textContent, /Did not help/);
    assert.deepEqual(boxes().map(({ checked }) => checked), [false, false]); // prettier-ignore
    update({
      ...COLUMNS,
      canTest: false,
      choices: [
        { ...promo, isUsed: false },
        { ...visitors, isUsed: true },
      ],
    });
    assert.deepEqual(boxes().map(({ checked }) => checked), [false, true], 'another forecast is shown'); // prettier-ignore
  });

  it('close on Escape', () => {
    show();
    const open = button('Covariates: 1 of 2');
    open.click();
    find('.panel').dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
    assert.equal(document.querySelector('.panel[data-open]'), null);
  });
});
