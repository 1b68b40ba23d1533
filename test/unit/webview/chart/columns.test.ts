import assert from 'node:assert/strict';
import type { ChartControls } from '../../../../src/editor/views/analysis/protocol.ts';
import { createColumnTicks } from '../../../../src/webview/chart/columns.ts';
import { button, find, usePage } from '../dom.ts';

type Columns = NonNullable<ChartControls['columns']>;

const COLUMNS: Columns = {
  choices: [
    { name: 'promo', isUsed: true, about: 'known until 9 May 2024 · +61 from 0 to 1' },
    { name: 'visitors', isUsed: false, about: 'known of the past only' },
  ],
  worth: 'On a backtest the error was 42 % smaller than without: 1.2 instead of 2.1.',
  canTest: true,
};

describe('the ticks of what is known beforehand', () => {
  usePage();

  function show(columns: ChartControls['columns'] = COLUMNS) {
    const done: unknown[] = [];
    const ticks = createColumnTicks(
      (names) => done.push(names),
      () => done.push('test'),
    );
    document.body.append(ticks.element);
    ticks.show(columns);
    const boxes = () => [...document.querySelectorAll<HTMLInputElement>('input[type=checkbox]')];
    const tick = (index: number) => {
      boxes()[index]!.checked = !boxes()[index]!.checked;
      boxes()[index]!.dispatchEvent(new Event('change'));
    };
    return { ticks, done, boxes, tick };
  }

  it('are absent where nothing is known', () => {
    const { ticks } = show();
    ticks.show(undefined);
    assert.equal(ticks.element.hidden, true);
  });

  it('say what is used and what it was worth, and forecast with another choice', () => {
    const { done, boxes, tick } = show({ ...COLUMNS, canTest: false });
    button('Known beforehand: 1 of 2').click();
    assert.equal(find('.panel').hidden, false);
    assert.match(find('.panel').textContent, /promo.*\+61 from 0 to 1.*visitors.*past only.*42 % smaller/);
    assert.deepEqual(boxes().map(({ checked }) => checked), [true, false]); // prettier-ignore
    assert.equal(button('Forecast with These').hasAttribute('disabled'), true, 'nothing is changed yet');
    tick(1);
    button('Forecast with These').click();
    assert.deepEqual(done, [['promo', 'visitors']]);
    assert.equal(find('.panel').hidden, true);
  });

  it('ask once what each is worth when they are opened, and keep what is ticked meanwhile', () => {
    const { ticks, done, boxes, tick } = show();
    const open = button('Known beforehand: 1 of 2');
    open.click();
    tick(0);
    open.click();
    open.click();
    assert.deepEqual(done, ['test']);
    const [promo, visitors] = COLUMNS.choices as [Columns['choices'][number], Columns['choices'][number]];
    const told = { ...visitors, about: `${visitors.about} · Did not help on a backtest` };
    ticks.show({ ...COLUMNS, choices: [promo, told], canTest: false });
    assert.match(find('.panel').textContent, /Did not help/);
    assert.deepEqual(boxes().map(({ checked }) => checked), [false, false]); // prettier-ignore
    ticks.show({
      ...COLUMNS,
      choices: [
        { ...promo, isUsed: false },
        { ...visitors, isUsed: true },
      ],
    });
    assert.deepEqual(boxes().map(({ checked }) => checked), [false, true], 'another forecast is shown'); // prettier-ignore
  });

  it('close with Escape and when the focus leaves', () => {
    show();
    const open = button('Known beforehand: 1 of 2');
    open.click();
    const escape = new Event('keydown', { bubbles: true });
    Object.defineProperty(escape, 'key', { value: 'Escape' });
    find('.panel').dispatchEvent(escape);
    assert.equal(find('.panel').hidden, true);
    assert.equal(open.getAttribute('aria-expanded'), 'false');
  });
});
