import assert from 'node:assert/strict';
import { render } from 'preact';
import { type Decoration, PLAIN } from '../../../../src/chart/frame.ts';
import type { ChartView } from '../../../../src/chart/chart-view.ts';
import { MOST_ROWS, Table } from '../../../../src/webview/chart/table.tsx';
import { EMPTY, contextOf, SUPPOSING } from '../open-page.ts';
import { useBrowser } from '../browser.ts';
import { chartOf, monthly } from '../../chart/charts.ts';
import { find } from '../dom.ts';

const DAY = 86_400_000;
const ROW = 24;
const day = (index: number) => Date.UTC(2020, 0, 1) + index * DAY;
const daily = (count: number, ahead = 10): ChartView => {
  const chart = chartOf({ frequency: 'P1D', history: [], forecast: Array.from({ length: ahead }, (_, index) => [day(count + index), 5] as const) }); // prettier-ignore
  return { ...chart, history: { times: Float64Array.from({ length: count }, (_, index) => day(index)), values: new Float64Array(count).fill(1) } }; // prettier-ignore
};

describe('data table of a chart', () => {
  const browser = useBrowser();

  function show(chart: ChartView = monthly) {
    const { context } = contextOf(chart);
    const { frame } = context.shown;
    const decorate = (next: Partial<Decoration>) => {
      render(<Table {...context} decoration={{ ...PLAIN, ...next }} />, find('#app'));
    };
    decorate({});
    const table = { decorate };
    const scroller = find('.scroller');
    const scroll = (to: number) => {
      scroller.scrollTop = to;
      scroller.dispatchEvent(new Event('scroll'));
    };
    const rows = () => [...document.querySelectorAll('tbody tr:not(.space)')];
    const cells = (row: Element | undefined) => [...(row?.children ?? [])].map(({ textContent }) => textContent);
    const heads = () => [...document.querySelectorAll('thead th')].map(({ textContent }) => textContent);
    return { frame, table, scroller, scroll, rows, cells, heads };
  }

  it('has observations and forecasts, with interval limits from narrow to wide', () => {
    const { rows, cells, heads } = show();
    assert.deepEqual(heads(), ['Time', 'Sales', 'Forecast', '50% from', 'to', '80% from', 'to', '95% from', 'to']);
    assert.deepEqual(cells(rows()[2]), ['Dec 2020', '132', '', '', '', '', '', '', '']);
    assert.deepEqual(cells(rows()[3]), ['Jan 2021', '', '129.0', '125.0', '133.0', '120.0', '139.0', '110.0', '150.0']);
    assert.equal(rows()[3]!.getAttribute('data-first'), '', 'where the forecast begins is seen');
    assert.equal(find('table').getAttribute('aria-rowcount'), '6');
  });

  it('renders only visible rows of any series', () => {
    const { rows, cells, scroll } = show(daily(20_000));
    assert.ok(rows().length < 60, `${rows().length} rows`);
    scroll(ROW * 12_000);
    const places = rows().map((row) => Number(row.getAttribute('aria-rowindex')));
    assert.ok(places.includes(12_002) && places[0]! > 11_900 && places.at(-1)! < 12_100, String(places));
    const [above, below] = [...document.querySelectorAll<HTMLElement>('tr.space')].map(({ style }) => Number.parseFloat(style.height)); // prettier-ignore
    assert.equal(above! + below! + rows().length * ROW, 20_010 * ROW, 'the scroll bar is that of all rows');
    assert.equal(cells(rows()[0])[1], '1');
    scroll(0);
    assert.equal(rows()[0]!.getAttribute('aria-rowindex'), '2');
  });

  it('opens at the forecast, and keeps the scroll position', () => {
    const { scroller, scroll } = show(daily(1000));
    assert.ok(scroller.scrollTop > 990 * ROW && scroller.scrollTop < 1000 * ROW, String(scroller.scrollTop / ROW));
    scroll(48);
    browser.resize('scroller', 800, 260);
    assert.equal(scroller.scrollTop, 48);
  });

  it('opens at the forecast only once visible', () => {
    browser.sizes.set('scroller', { width: 0, height: 0 });
    const { scroller } = show(daily(1000));
    assert.equal(scroller.scrollTop, 0);
    browser.resize('scroller', 800, 240);
    assert.ok(scroller.scrollTop > 990 * ROW);
  });

  it('says that rows are left out, and that an export has them', () => {
    const { rows, scroll } = show(daily(MOST_ROWS + 5, 1));
    assert.equal(
      find('.note').textContent,
      'Only the last 500,000 of 500,006 rows are shown. Export writes all of them.',
    );
    scroll(0);
    assert.equal(rows()[0]!.firstElementChild?.textContent, '7 Jan 2020');
    scroll(ROW * MOST_ROWS);
    assert.equal(rows().at(-1)!.getAttribute('aria-rowindex'), String(MOST_ROWS + 1));
  });

  it('marks anomalies with more than color, also in rows that are not visible yet', () => {
    const { table, rows, scroll, frame } = show(daily(1000));
    table.decorate({ marks: { times: Float64Array.of(frame.times[3]!), values: Float64Array.of(1) } });
    assert.equal(document.querySelector('.anomaly'), null);
    scroll(0);
    const odd = rows().filter((row) => row.classList.contains('anomaly'));
    assert.deepEqual(odd.map((row) => row.getAttribute('aria-rowindex')), ['5']); // prettier-ignore
    assert.equal(find('[role=img]', odd[0]).getAttribute('aria-label'), 'anomaly');
    table.decorate({});
    assert.equal(document.querySelector('.anomaly'), null);
  });

  it('has a column for each compared line and its difference', () => {
    const { table, frame, heads, rows, cells } = show();
    const line = { times: frame.times.slice(3), values: Float64Array.of(130.04, 120.5) };
    table.decorate({ lines: [{ label: 'Theta', line, color: 0 }] });
    assert.deepEqual(heads().slice(2, 5), ['Forecast', 'Theta', 'Difference']);
    assert.deepEqual(cells(rows()[3]).slice(2, 5), ['129.0', '130.0', '+1.0']);
    assert.deepEqual(cells(rows()[4]).slice(2, 5), ['121.5', '120.5', '−1.0']);
    assert.deepEqual(cells(rows()[2]).slice(2, 5), ['', '', '']);
    table.decorate({});
    assert.equal(heads().length, 9);
  });

  it('names its zone if times have hours, and counts rows of a series without times', () => {
    const hours = chartOf({ frequency: 'PT1H', timeZone: 'Asia/Tokyo', history: [['2024-01-01T00:00Z', 1], ['2024-01-01T01:00Z', 2]] }); // prettier-ignore
    const { heads, rows, cells } = show(hours);
    assert.match(heads()[0]!, /^Time \(Asia\/Tokyo\)$/);
    assert.match(cells(rows()[0])[0]!, /09:00/);
    document.body.innerHTML = '<main id="app"></main>';
    const plain = show(chartOf({ rows: true, history: [[0, 5], [1000, 6]] })); // prettier-ignore
    assert.equal(plain.heads()[0], 'Row');
  });

  it('has empty cells for missing values', () => {
    const { rows, cells } = show(chartOf({ frequency: 'P1D', history: [[day(0), 1], [day(1), NaN], [day(2), 3]] })); // prettier-ignore
    assert.deepEqual(rows().map((row) => cells(row)[1]), ['1', '', '3']); // prettier-ignore
  });

  it('is scrolled by keyboard, and has a label', () => {
    const { scroller } = show();
    assert.deepEqual([scroller.tabIndex, scroller.getAttribute('aria-label')], [0, 'Data of sales.csv']);
  });
});

describe('table with an editable future', () => {
  useBrowser();

  function edit() {
    const chart = chartOf({
      frequency: 'P1D',
      history: [0, 1, 2].map((index) => [day(index), 10] as const),
      forecast: [3, 4, 5].map((index) => [day(index), 10] as const),
      known: {
        times: Float64Array.from([0, 1, 2, 3, 4, 5], day),
        columns: [{ name: 'price', kind: 'number', values: Float64Array.of(1, 2, 3, 4, 5, 6) }],
      },
    });
    const { context } = contextOf(chart, { state: { ...EMPTY, controls: SUPPOSING } });
    const { frame } = context.shown;
    render(<Table {...context} />, find('#app'));
    const field = (date: string) => find<HTMLInputElement>(`input[aria-label="price, ${date}"]`);
    const line = { times: frame.times.slice(3), values: Float64Array.of(1, 2, 3) };
    const overlay = () => {
      render(
        <Table {...context} decoration={{ ...PLAIN, lines: [{ label: 'Theta', line, color: 0 }] }} />,
        find('#app'),
      );
    };
    const type = (date: string, value: string) => {
      const input = field(date);
      input.value = value;
      input.dispatchEvent(new Event('input', { bubbles: true }));
      return input;
    };
    return { field, type, overlay };
  }

  it('does not overwrite a cell that is being edited when the state updates', () => {
    const { field, type, overlay } = edit();
    field('5 Jan 2020').focus();
    const input = type('5 Jan 2020', '7');
    overlay();
    assert.ok(find('thead').textContent.includes('Theta'), 'what came is shown');
    assert.equal(document.activeElement, input, 'the focus stays');
    assert.equal(field('5 Jan 2020').value, '7', 'and what is written');
    input.dispatchEvent(new Event('change', { bubbles: true }));
    input.blur();
    assert.equal(field('5 Jan 2020').value, '7');
    assert.equal(find('.scenario').hidden, false);
  });

  it('keeps the focus in the cell when a range is filled from it', () => {
    const { field, type } = edit();
    const set = (date: string, value: string, shiftKey: boolean) => {
      const input = field(date);
      input.focus();
      input.dispatchEvent(new MouseEvent('click', { shiftKey, bubbles: true }));
      type(date, value).dispatchEvent(new Event('change', { bubbles: true }));
    };
    set('4 Jan 2020', '9', false);
    set('6 Jan 2020', '9', true);
    assert.equal(field('5 Jan 2020').value, '9', 'all between are filled');
    assert.equal(document.activeElement, field('6 Jan 2020'));
  });

  it('fills no range from a click with Shift in a cell that was left without a change', () => {
    const { field, type } = edit();
    type('4 Jan 2020', '9').dispatchEvent(new Event('change', { bubbles: true }));
    const other = field('5 Jan 2020');
    other.dispatchEvent(new MouseEvent('click', { shiftKey: true, bubbles: true }));
    other.dispatchEvent(new FocusEvent('focusout', { bubbles: true }));
    type('6 Jan 2020', '1').dispatchEvent(new Event('change', { bubbles: true }));
    assert.equal(field('5 Jan 2020').value, '5', 'nobody asked for that');
  });
});
