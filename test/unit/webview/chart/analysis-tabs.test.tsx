import assert from 'node:assert/strict';
import type { AnomaliesView, BacktestView, FoundAnalyses } from '../../../../src/editor/views/chart/protocol.ts';
import { frameOf } from '../../../../src/chart/frame.ts';
import { PRINT } from '../../../../src/chart/scene.ts';
import { signal } from '@preact/signals';
import { render } from 'preact';
import { AnomaliesTab, BacktestTab, DecompositionTab } from '../../../../src/webview/chart/analysis-tabs.tsx';
import type { TabContext } from '../../../../src/webview/chart/chart-tab.tsx';
import { CONTROLS, EMPTY, refOf, contextOf, usePageOfChart } from '../open-page.ts';
import { type Pen, useBrowser } from '../browser.ts';
import { monthly } from '../../chart/charts.ts';
import { button, find } from '../dom.ts';

const frame = frameOf(monthly);
const points = (...values: number[]) => ({
  times: frame.times.slice(0, values.length),
  values: Float64Array.from(values),
});
const texts = (selector: string) => [...document.querySelectorAll(selector)].map(({ textContent }) => textContent);

describe('analysis tabs of a forecast', () => {
  const browser = useBrowser();
  const open = usePageOfChart();
  beforeEach(() => browser.sizes.set('small', { width: 600, height: 200 }));
  const seeing = (analyses: FoundAnalyses) => contextOf(monthly, { state: { ...EMPTY, analyses } }).context;
  const strokes = (pen: Pen, color: string, isDashed?: boolean) => pen.strokes.filter(({ call, color: own, dash, args }) => call === 'stroke' && own === color && args.length > 0 && (isDashed === undefined || dash.length > 0 === isDashed)).length; // prettier-ignore

  it('request data when first shown, and again after a failure', () => {
    const { page, sent } = open();
    const asked = () => sent.filter(({ type }) => type === 'analyze').length;
    page.hears({ controls: CONTROLS });
    page.show(refOf('p1'), monthly);
    assert.equal(asked(), 0);
    button('Decomposition').click();
    page.hears({ analyses: { decomposition: 'asked' } });
    button('Table').click();
    button('Decomposition').click();
    assert.deepEqual([asked(), find('#panel-decomposition').textContent], [1, 'Computing…']);
    page.hears({ analyses: { decomposition: { problem: 'The service is <b>away</b>.' } } });
    assert.equal(find('[role="alert"]').textContent, 'The service is <b>away</b>.');
    button('Decomposition').click();
    assert.equal(asked(), 2);
    page.show(refOf('p2'), monthly);
    assert.equal(asked(), 3, 'of the next forecast too');
  });

  it('draw folds, errors by step and interval coverage', () => {
    const view: BacktestView = {
      sentences: ['52% better.'],
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
      scores: [{ label: 'Forecast', mase: 0.5, smape: 4.25 }, { label: 'Seasonal naive' }],
      errors: { model: Float64Array.of(1, 2), naive: Float64Array.of(2, NaN) },
      coverage: [{ level: 80, covered: 66.6 }],
    };
    render(<BacktestTab {...seeing({ backtest: { view } })} />, find('#app'));
    assert.deepEqual(texts('.sentence'), ['52% better.']);
    const names = [...document.querySelectorAll('canvas')].map((one) => one.getAttribute('aria-label'));
    assert.deepEqual(names, ['Backtest forecasts over the history', 'Mean absolute error by steps ahead']); // prettier-ignore
    const over = browser.pen('.small canvas');
    const { history, forecast, others, muted } = PRINT;
    assert.deepEqual([strokes(over, history), strokes(over, forecast), strokes(over, others[1]!, true)], [1, 1, 1]);
    assert.deepEqual([over.paths(forecast, 'fill').length, strokes(over, muted, true)], [1, 1], 'an interval and where it began'); // prettier-ignore
    assert.deepEqual(texts('tbody tr'), ['Forecast0.504.3%', 'Seasonal naive––', '80%67%']);
  });

  it('draw each component with its forecast on one axis', () => {
    const component = (label: string, isAroundZero: boolean) => ({
      label,
      isAroundZero,
      history: { times: frame.history.times, values: Float64Array.of(-1, 0, 1) },
      forecast: { times: frame.forecast!.times, values: Float64Array.of(2, 3) },
    });
    const view = {
      sentences: ['Rises 2 a month', 'July is high'],
      components: [component('Trend', false), component('Season', true)],
    };
    render(<DecompositionTab {...seeing({ decomposition: { view } })} />, find('#app'));
    assert.deepEqual(texts('.sentence'), ['Rises 2 a month; July is high.']);
    assert.deepEqual(texts('h2'), ['Trend', 'Season']);
    const [trend, season] = [1, 2].map((nth) => browser.pen(`section:nth-of-type(${nth}) canvas`)) as [Pen, Pen];
    const ahead = trend.paths(PRINT.forecast).at(-1)!;
    assert.equal(ahead.match(/[ML]/g)!.length, 3, 'the forecast is tied on to the last observation');
    const start = (pen: Pen) => pen.paths(PRINT.history)[0]!.split(',')[0];
    assert.equal(start(trend), start(season), 'they begin below each other');
    assert.ok(
      season.texts.some((text) => /2020|2021/.test(text)) && !trend.texts.some((text) => /2020|2021/.test(text)),
    );
  });

  it('list anomalies, request rarer ones, and offer actions', () => {
    const cursor: TabContext['cursor'] = signal(undefined);
    const show = (view: AnomaliesView) => {
      const { context, ...rest } = contextOf(monthly, {
        cursor,
        state: { ...EMPTY, analyses: { anomalies: { view } } },
      });
      render(<AnomaliesTab {...context} />, find('#app'));
      return rest;
    };
    const time = frame.times[1]!;
    const view = { sentence: 'One of 3.', points: [{ time, after: 1, value: 118, expected: 90, about: '1 in 4,000' }], rarity: 100, rarities: [100, 10_000], actions: [{ id: 'leave-out', label: 'Forecast without Them' }, { id: 'mark', label: 'Mark in the File' }] }; // prettier-ignore
    const { sent, changes } = show(view);
    assert.deepEqual(texts('tbody tr'), ['Nov 202011890.01 in 4,000']);
    button('Nov 2020').click();
    button('Forecast without Them').click();
    button('Mark in the File').click();
    const select = find<HTMLSelectElement>('select');
    assert.equal(select.value, '100');
    select.value = '10000';
    select.dispatchEvent(new Event('change'));
    const action = (id: string) => ({ type: 'action', id });
    assert.deepEqual(sent, [action('leave-out'), action('mark'), { type: 'analyze', analysis: 'anomalies', rarity: 10_000 }]); // prettier-ignore
    assert.deepEqual([changes, cursor.value], [[{ tab: 'chart' }], { row: 1, byKey: true }]);
    show({ ...view, sentence: 'None.', points: [], actions: [] });
    assert.equal(document.querySelector('button'), null);
  });
});
