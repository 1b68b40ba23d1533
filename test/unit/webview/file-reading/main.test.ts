import assert from 'node:assert/strict';
import type { Change, Control, ReadingIntent, ReadingState } from '../../../../src/editor/views/file-reading/view.ts';
import type { PageMessage, StateMessage } from '../../../../src/editor/views/shared/protocol.ts';
import { settled, useBrowser } from '../browser.ts';
import { button, find } from '../dom.ts';
import { loadPage } from '../load-page.ts';

const drawn = { times: Float64Array.of(0, 1, 2, 3, 4), values: Float64Array.of(0, 10, NaN, 5, 5), gap: undefined };
const controlOf = (label: string, chosen: number, options: Readonly<Record<string, Change>>): Control => ({
  label,
  chosen,
  options: Object.entries(options).map(([answer, change]) => ({ label: answer, change })),
});
const roleOf = (column: string, chosen: number) =>
  controlOf(`Role of ${column}`, chosen, {
    Time: { type: 'role', column, role: 'time' },
    Key: { type: 'role', column, role: 'key' },
    'Leave Out': { type: 'role', column, role: 'left-out' },
  });
const week = { type: 'layout', layout: { aggregate: { step: { unit: 'week', count: 1 }, by: 'sum' } } } as const;
const rowsAsTheyAre = { type: 'layout', layout: { aggregate: null } } as const;
const closedTime = { type: 'layout', layout: { closed: false } } as const;
const state: ReadingState = {
  ref: { uri: 'file:///orders.csv' },
  title: 'Reading: orders.csv',
  fileName: 'orders.csv',
  purpose: 'Forecast',
  isReading: false,
  isUncertain: false,
  isChanged: false,
  problem: null,
  rows: {
    columns: [
      { name: 'day', role: 'time', reason: null, control: roleOf('day', 0) },
      { name: 'sales <b>', role: 'value', reason: null, control: roleOf('sales <b>', 0) },
      { name: 'id', role: 'left-out', reason: 'nearly every row has another value', control: roleOf('id', 2) },
    ],
    cells: [['2024-01-01', '7', 'a1']],
    more: 3,
  },
  cards: [
    { id: 'sum', label: 'Sum of sales per day', size: '1 series · 90 points', reasons: ['one row an order'], drawn, isTaken: true },
    { id: 'count', label: 'Orders per day', size: '1 series · 90 points', reasons: [], drawn, isTaken: false },
  ],
  controls: [
    controlOf('Step', 1, { 'Rows as They Are': rowsAsTheyAre, weekly: week }),
    controlOf('Closed days and hours', 0, { 'Leave Out': week, 'Treat as Missing': closedTime }),
  ],
  series: { id: 's', name: 'sales', summary: 'sales · daily', drawn, time: { frequency: { unit: 'day', count: 1 }, zone: 'UTC', isOfRows: false }, count: 1, control: controlOf('Series shown', 0, {}) },
  report: [{ text: '3 rows are no numbers', lines: [[4, 4], [7, 9]] }],
}; // prettier-ignore

describe('interpretation page program', () => {
  const browser = useBrowser();

  async function show(parts: Partial<ReadingState> = {}) {
    const page = await loadPage<StateMessage<ReadingState>, PageMessage<ReadingIntent>>(browser, 'file-reading');
    page.hears({ type: 'state', parts: { ...state, ...parts } });
    await settled();
    const intents = () => page.posted.flatMap((message) => (message.type === 'intent' ? [message.intent] : []));
    const hears = async (more: Partial<ReadingState>) => {
      page.hears({ type: 'state', parts: more });
      await settled();
    };
    return { ...page, intents, hears };
  }
  /** Chooses from a list by its label. */
  function choose(label: string, option: string) {
    const select = find<HTMLSelectElement>('select', labelled(label));
    select.selectedIndex = [...select.options].findIndex(({ text }) => text === option);
    assert.ok(select.selectedIndex >= 0, option);
    select.dispatchEvent(new Event('change', { bubbles: true }));
    return select;
  }
  function labelled(text: string): Element {
    const found = [...document.querySelectorAll('label')].find((label) => label.querySelector('span')?.textContent === text); // prettier-ignore
    if (!found) throw new Error(`Nothing is labelled ${text}`);
    return found;
  }

  it('shows the rows, and names as text', async () => {
    const page = await show();
    assert.deepEqual(page.posted[0], { type: 'ready' });
    assert.deepEqual(page.kept(), { ref: state.ref });
    assert.equal(find('h1').textContent, 'How orders.csv Is Read');
    const names = [...document.querySelectorAll('th .name')].map(({ textContent }) => textContent);
    assert.deepEqual(names, ['day', 'sales <b>', 'id']);
    assert.equal(find('th.left-out').title, 'nearly every row has another value');
    assert.deepEqual([...document.querySelectorAll('td')].map(({ textContent }) => textContent), ['2024-01-01', '7', 'a1']); // prettier-ignore
    assert.ok(document.body.textContent.includes('3 more columns'));
  });

  it('sends choices, and shows the state until it changes', async () => {
    const { intents } = await show();
    const role = choose('Role of id', 'Key');
    assert.equal(role.selectedOptions[0]!.text, 'Leave Out');
    choose('Step', 'weekly');
    choose('Step', 'Rows as They Are');
    choose('Closed days and hours', 'Treat as Missing');
    button('line 4').click();
    button('lines 7–9').click();
    find('button.card[aria-pressed=true]').click();
    find('button.card[aria-pressed=false]').click();
    button('Forecast').click();
    assert.deepEqual(intents(), [
      { type: 'change', change: { type: 'role', column: 'id', role: 'key' } },
      { type: 'change', change: rowsAsTheyAre },
      { type: 'change', change: closedTime },
      { type: 'lines', first: 4, last: 4 },
      { type: 'lines', first: 7, last: 9 },
      { type: 'change', change: { type: 'proposal', id: 'count' } },
      { type: 'accept' },
    ]);
  });

  it('keeps the focus while a change is read and shown', async () => {
    const page = await show();
    const select = find<HTMLSelectElement>('select', labelled('Role of id'));
    select.focus();
    await page.hears({ isReading: true, isChanged: true });
    assert.equal(find('.reading').getAttribute('aria-busy'), 'true');
    assert.equal(find('[role=status]').textContent, 'Reading…');
    assert.equal(button('Forecast').hasAttribute('disabled'), true, 'what is not read yet is not forecast');
    const columns = state.rows!.columns.map((column) => ({
      ...column,
      role: 'key' as const,
      control: roleOf(column.name, 1),
    }));
    await page.hears({ isReading: false, rows: { ...state.rows!, columns } });
    assert.equal(document.activeElement, select);
    assert.equal(select.selectedOptions[0]!.text, 'Key');
    button('Undo All Changes').click();
    assert.deepEqual(page.intents(), [{ type: 'change', change: { type: 'reset' } }]);
  });

  it('draws the series with its axes', async () => {
    browser.sizes.set('chart', { width: 400, height: 210 });
    await show();
    assert.equal(find('.chart canvas').getAttribute('aria-label'), 'sales · daily');
    const pen = browser.pen('.chart canvas');
    assert.ok(pen.strokes.length > 0 && pen.texts.length > 1, 'a line and the labels of its axes');
  });

  it('shows one of several series', async () => {
    const control = controlOf('Series shown', 0, {
      north: { type: 'series', id: 'north' },
      south: { type: 'series', id: 'south' },
    });
    const { intents } = await show({ series: { ...state.series!, count: 1234, control } });
    choose('Series shown', 'south');
    assert.deepEqual(intents(), [{ type: 'change', change: { type: 'series', id: 'south' } }]);
  });

  it('explains that no interpretation stands out, and why a file cannot be read', async () => {
    const page = await show({ isUncertain: true });
    assert.match(find('[role=status]').textContent, /more than one way/);
    await page.hears({
      problem: 'There are no numbers.',
      rows: null,
      series: null,
      controls: [],
      cards: [],
    });
    assert.match(find('[role=alert]').textContent, /^There are no numbers\./);
    assert.equal(button('Forecast').hasAttribute('disabled'), true);
    assert.deepEqual([...document.querySelectorAll('h2')].map(({ textContent }) => textContent), ['Left Out and Changed']); // prettier-ignore
    button('Try Again').click();
    assert.deepEqual(page.intents(), [{ type: 'retry' }]);
  });
});
