import assert from 'node:assert/strict';
import type { ManyAction, ManyState, SeriesRow } from '../../../../src/editor/many-series/protocol.ts';
import { signal } from '@preact/signals';
import { render } from 'preact';
import { PRINT } from '../../../../src/chart/scene.ts';
import { aboutRow, type FigureColumn, FIGURES, ManyPage, textOf } from '../../../../src/webview/many/page.tsx';
import { useBrowser } from '../browser.ts';
import { Themed } from '../open-page.ts';
import { button, find } from '../dom.ts';

const row = (more: Partial<SeriesRow>): SeriesRow => ({ id: 'p', name: 'north', ...more });

const cellsOf = (of: SeriesRow) =>
  Object.fromEntries((Object.keys(FIGURES) as FigureColumn[]).map((column) => [column, textOf(of, column)]));

describe('figures of a row', () => {
  it('are short, with a sign for changes', () => {
    assert.deepEqual(cellsOf(row({ last: 1234.5678, next: 1300, error: 4.26, coverage: 0.824 })), { last: '1,234.6', next: '1,300', change: '+5.3%', error: '4.3%', coverage: '82%' }); // prettier-ignore
    assert.equal(cellsOf(row({ last: 100, next: 99.7 })).change, '−0.3%');
    assert.equal(cellsOf(row({ last: 1, next: 20 })).change, '+1,900%');
    assert.equal(cellsOf(row({ last: 100, next: 100.001 })).change, '0.0%', 'no sign of nothing');
    assert.equal(cellsOf(row({ last: -10, next: -5 })).change, '+50.0%', 'up is up below zero too');
  });

  it('are dashes if unknown, never zeros', () => {
    assert.deepEqual(Object.values(cellsOf(row({}))), ['–', '–', '–', '–', '–']);
    assert.equal(cellsOf(row({ last: 0, next: 5 })).change, '–');
    assert.equal(cellsOf(row({ error: 0, coverage: 0 })).error, '0.0%');
  });

  it('are explained in sentences, also poor ones', () => {
    assert.equal(aboutRow(row({ model: 'theta', error: 4.26, skill: '18% better than the seasonal naive baseline', coverage: 0.8 })), 'north · theta\n4.3% error on the holdout\n18% better than the seasonal naive baseline\nits 80% interval covered 80%'); // prettier-ignore
    assert.equal(aboutRow(row({})), 'north');
  });
});

describe('rows of the list', () => {
  const browser = useBrowser();

  const colors = signal(PRINT);

  function show(...rows: SeriesRow[]) {
    browser.sizes.set('grid', { width: 700, height: 320 });
    browser.sizes.set('sparkline', { width: 168, height: 26 });
    const ref = { serviceId: 'local', label: 'stores', datasetId: 'd' };
    const state: ManyState = { ref, title: 'stores', actions: [], isLoading: false, rows, levels: null, problem: null };
    const page = <ManyPage state={state} send={() => undefined} kept={{ selected: ['b'] }} keep={() => undefined} />;
    render(<Themed theme={colors}>{page}</Themed>, find('#app'));
  }
  const click = (index: number) => document.querySelectorAll<HTMLElement>('.row')[index]!.click();

  it('describe themselves and draw only existing parts', () => {
    show(row({ id: 'a', past: [1, 2], ahead: [3] }), row({ id: 'b', state: 'queued' }), row({ id: 'c' }));
    find('.grid').focus();
    const rows = [...document.querySelectorAll('.row')];
    assert.deepEqual(rows.map((one) => one.querySelector('.drawing')!.textContent), ['', 'no sparkline', 'queued']); // prettier-ignore
    assert.deepEqual(
      rows.map((one) => one.querySelector('canvas') !== null),
      [true, false, false],
    );
    assert.deepEqual(
      rows.map((one) => one.getAttribute('aria-selected')),
      ['false', 'false', 'true'],
    );
    assert.equal(find('.row.active').title, 'north');
    assert.equal(find('.grid').getAttribute('aria-activedescendant'), find('.row.active').id);
  });

  it('are redrawn in other colors although nothing else changed', () => {
    show(row({ past: [1, 2], ahead: [3] }));
    const pen = browser.pen('.row canvas');
    pen.forget();
    click(0);
    assert.equal(pen.strokes.length, 0, 'what is there is not drawn again');
    colors.value = { ...PRINT, forecast: 'gold' };
    assert.ok(pen.strokes.some(({ color }) => color === 'gold'));
  });

  it('show nothing of an earlier row in their place', () => {
    show(row({ name: 'old', state: 'failed: away', hasFailed: true }));
    show(row({ name: 'new', past: [1], ahead: [2], last: 1 }));
    const [one] = document.querySelectorAll<HTMLElement>('.row');
    assert.deepEqual([find('.name', one).textContent, find('.drawing', one).textContent, one!.classList.contains('failed')], ['new', '', false]); // prettier-ignore
  });
});

describe('buttons for many series', () => {
  useBrowser();

  function show(...actions: ManyAction[]) {
    const done: unknown[] = [];
    const ref = { serviceId: 'local', label: 'stores', datasetId: 'd' };
    const state: ManyState = { ref, title: 'stores', actions, isLoading: false, rows: [row({ id: 'a' })], levels: null, problem: null }; // prettier-ignore
    const send = (intent: unknown) => done.push(intent);
    render(<ManyPage state={state} send={send} kept={undefined} keep={() => undefined} />, find('#app'));
    return done;
  }

  it('are those that the service supports, with a menu of files', () => {
    const done = show('save-csv', 'save-xlsx', 'dataset');
    assert.throws(() => button('Forecast Again…'));
    button('Open Chart').click();
    button('Save').click();
    assert.throws(() => button('JSON…'));
    button('Excel…').click();
    button('Create Dataset…').click();
    const did = (action: ManyAction) => ({ type: 'do', action, ids: ['a'] });
    assert.deepEqual(done, [{ type: 'open', id: 'a' }, did('save-xlsx'), did('dataset')]);
  });

  it('have no menu of files if none can be written', () => {
    show();
    assert.deepEqual([...document.querySelectorAll('.toolbar button')].map(({ textContent }) => textContent), ['Open Chart']); // prettier-ignore
  });
});
