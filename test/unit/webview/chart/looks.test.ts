import assert from 'node:assert/strict';
import type { BacktestView } from '../../../../src/editor/views/analysis/protocol.ts';
import { frameOf } from '../../../../src/chart/frame.ts';
import { createBacktestTab } from '../../../../src/webview/chart/backtest-tab.ts';
import { createOddTab } from '../../../../src/webview/chart/odd-tab.ts';
import { createPartsTab } from '../../../../src/webview/chart/parts-tab.ts';
import { createTabs } from '../../../../src/webview/chart/tabs.ts';
import { monthly } from '../../chart/charts.ts';
import { button, find, usePage } from '../dom.ts';

const frame = frameOf(monthly);
const points = (...values: number[]) => ({
  times: frame.times.slice(0, values.length),
  values: Float64Array.from(values),
});
const texts = (selector: string) => [...document.querySelectorAll(selector)].map(({ textContent }) => textContent);

describe('the tabs that tell more of a forecast', () => {
  usePage();

  it('ask when they are first seen, and again after a failure', () => {
    let asked = 0;
    const tab = createPartsTab(frame, () => asked++);
    document.body.append(tab.element);
    tab.open();
    tab.open();
    assert.deepEqual([asked, texts('.empty')], [1, ['Being computed…']]);
    tab.fail('The service is <b>away</b>.');
    assert.equal(find('[role="alert"]').textContent, 'The service is <b>away</b>.');
    tab.open();
    assert.equal(asked, 2);
  });

  it('draw folds, errors by step and what the bands held', () => {
    const view: BacktestView = {
      sentences: ['52 % better.'],
      folds: [
        {
          origin: frame.times[0]!,
          forecast: points(1, 2),
          naive: points(2, 3),
          lower: Float64Array.of(0, 1),
          upper: Float64Array.of(2, 3),
        },
      ],
      level: 80,
      scores: [{ label: 'Forecast', mase: 0.5, smape: 4.25 }, { label: 'Repeating last year' }],
      errors: { model: Float64Array.of(1, 2), naive: Float64Array.of(2, NaN) },
      coverage: [{ level: 80, held: 66.6 }],
      naiveLabel: 'Repeating last year',
    };
    const tab = createBacktestTab(frame, () => undefined);
    document.body.append(tab.element);
    tab.show(view);
    assert.deepEqual(texts('.sentence'), ['52 % better.']);
    const charts = [...document.querySelectorAll('svg[role="img"]')];
    assert.equal(charts.length, 2);
    assert.deepEqual(
      [...charts[0]!.querySelectorAll('.line')].map((line) => line.getAttribute('class')),
      ['line history', 'line naive', 'line forecast'],
    );
    assert.deepEqual(
      [charts[0]!.querySelectorAll('.area').length, charts[0]!.querySelectorAll('.rule').length],
      [1, 1],
    );
    assert.deepEqual(texts('tbody tr'), ['Forecast0.504.3 %', 'Repeating last year––', '80 %67 %']);
  });

  it('draw each part with its forecast on one axis', () => {
    const tab = createPartsTab(frame, () => undefined);
    document.body.append(tab.element);
    const part = (label: string, isAroundZero: boolean) => ({
      label,
      isAroundZero,
      history: { times: frame.history.times, values: Float64Array.of(-1, 0, 1) },
      forecast: { times: frame.forecast!.times, values: Float64Array.of(2, 3) },
    });
    tab.show({ sentences: ['Rises 2 a month', 'July is high'], parts: [part('Trend', false), part('Season', true)] });
    assert.deepEqual(texts('.sentence'), ['Rises 2 a month; July is high.']);
    assert.deepEqual(texts('h2'), ['Trend', 'Season']);
    const [trend, season] = [...document.querySelectorAll('svg')];
    assert.equal(season!.querySelectorAll('.axis').length, trend!.querySelectorAll('.axis').length + 2);
    // the forecast is tied on to the last observation
    assert.equal(trend!.querySelector('.line.forecast')!.getAttribute('d')!.match(/[ML]/g)!.length, 3);
  });

  it('list odd points, ask for rarer ones, and do what is wanted', () => {
    const done: unknown[] = [];
    const tab = createOddTab(frame, {
      first: () => done.push('first'),
      ask: (rarity) => done.push(rarity),
      leaveOut: () => done.push('without'),
      mark: () => done.push('mark'),
      goTo: (time) => done.push(new Date(time).toISOString().slice(0, 10)),
    });
    document.body.append(tab.element);
    tab.open();
    const time = frame.times[1]!;
    tab.show({
      sentence: 'One of 3.',
      points: [{ time, after: 1, value: 118, expected: 90, about: '1 in 4,000' }],
      rarity: 100,
      canMark: true,
      canLeaveOut: true,
    });
    assert.deepEqual(texts('tbody tr'), ['Nov 202011890.01 in 4,000']);
    button('Nov 2020').click();
    button('Forecast without Them').click();
    button('Mark in the File').click();
    const select = find<HTMLSelectElement>('select');
    assert.equal(select.value, '100');
    select.value = '10000';
    select.dispatchEvent(new Event('change'));
    assert.deepEqual(done, ['first', '2020-11-01', 'without', 'mark', 10_000]);
    tab.show({ sentence: 'None.', points: [], rarity: 100, canMark: true, canLeaveOut: true });
    assert.equal(document.querySelector('button'), null);
  });

  it('are there where the service has them, and are gone through by key', () => {
    const place = () => document.createElement('div');
    const panels = { chart: place(), table: place(), backtest: place(), parts: place(), odd: place() };
    const chosen: string[] = [];
    const tabs = createTabs(panels, (tab) => chosen.push(tab));
    document.body.append(tabs.element);
    tabs.show('chart', ['chart', 'table', 'odd']);
    const there = [...document.querySelectorAll<HTMLElement>('[role="tab"]')].filter(({ hidden }) => !hidden);
    assert.deepEqual(there.map(({ textContent }) => textContent), ['Chart', 'Table', 'Odd Points']); // prettier-ignore
    assert.deepEqual([panels.chart.hidden, panels.odd.hidden], [false, true]);
    there[0]!.focus();
    const { KeyboardEvent } = document.defaultView!;
    there[0]!.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowLeft', bubbles: true }));
    assert.deepEqual([chosen, document.activeElement?.textContent], [['odd'], 'Odd Points']);
    for (const key of ['altKey', 'ctrlKey', 'metaKey']) {
      there[0]!.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowLeft', bubbles: true, [key]: true }));
    }
    assert.deepEqual(chosen, ['odd'], 'these are keys of the editor');
  });
});
