import * as l10n from '@vscode/l10n';
import type { Points } from '../../chart/types.ts';
import { h, setAttribute } from '../shared/dom.ts';
import { type Frame, indexFrom, indexOf } from '../../chart/frame.ts';
import { levelName } from '../../chart/format.ts';

/** Rows beyond this would make the table taller than a browser can place to the pixel. */
export const MOST_ROWS = 500_000;
const ROW_HEIGHT = 24;
const SPARE_ROWS = 12;

/** The columns of the data table: the time, what was observed, the forecast, and each band from narrow to wide. */
export function columnsOf(frame: Frame, valueLabel: string): string[] {
  const zone = frame.time.rows
    ? l10n.t('Row')
    : frame.time.clock
      ? l10n.t('Time ({0})', frame.time.zone.name)
      : l10n.t('Time');
  if (!frame.forecast) return [zone, valueLabel];
  const bands = frame.forecast.bands.toReversed();
  return [
    zone,
    valueLabel,
    l10n.t('Forecast'),
    ...bands.flatMap(({ level }) => [l10n.t('{0} from', levelName(level)), l10n.t('to')]),
  ];
}

/** The cells of a row of the frame's times, in the order of {@link columnsOf}; empty where there is no value. */
export function cellsOf({ times, history, forecast, time, value }: Frame, row: number): string[] {
  const at = times[row]!;
  const write = (write: (value: number) => string, number: number | undefined) =>
    number !== undefined && Number.isFinite(number) ? write(number) : '';
  const cells = [time.write(at), write(value.observed, history.values[indexOf(history.times, at)])];
  if (!forecast) return cells;
  const ahead = indexOf(forecast.times, at);
  const predicted = (numbers: Float64Array) => write(value.predicted, numbers[ahead]);
  const bands = forecast.bands.toReversed();
  return [
    ...cells,
    predicted(forecast.values),
    ...bands.flatMap((band) => [predicted(band.lower), predicted(band.upper)]),
  ];
}

/** Makes the table of a frame. Only rows in sight are in the page; it opens where the forecast begins. */
export function createTable(
  frame: Frame,
  title: string,
  valueLabel: string,
): { element: HTMLElement; show(): void; /** Marks the rows of these moments. */ mark(marks: Points): void } {
  const columns = columnsOf(frame, valueLabel);
  const total = frame.times.length;
  const first = Math.max(0, total - MOST_ROWS);
  const rows = total - first;
  const above = h('tr.space', { attributes: { 'aria-hidden': 'true' } }, h('td'));
  const below = h('tr.space', { attributes: { 'aria-hidden': 'true' } }, h('td'));
  const body = h('tbody', {}, above, below);
  const head = h(
    'tr',
    { attributes: { 'aria-rowindex': 1 } },
    ...columns.map((column) => h('th', { attributes: { scope: 'col' } }, column)),
  );
  const table = h(
    'table',
    { attributes: { 'aria-rowcount': rows + 1, 'aria-label': l10n.t('Data of {0}', title) } },
    h('thead', {}, head),
    body,
  );
  const scroller = h(
    'div.scroller',
    { attributes: { tabindex: 0, role: 'region', 'aria-label': l10n.t('Data of {0}', title) }, on: { scroll: render } },
    table,
  );
  const note = l10n.t(
    'Only the last {0} of {1} rows. Export has them all.',
    MOST_ROWS.toLocaleString('en'),
    total.toLocaleString('en'),
  );
  const element = h('div.table', {}, ...(first > 0 ? [h('p.note', {}, note)] : []), scroller);
  const forecastRow = frame.divide === undefined ? rows : indexFrom(frame.times, frame.divide) - first;
  let from = -1;
  let until = -1;
  let opened = false;
  let marked = new Set<number>();

  function render() {
    const seen = Math.ceil(scroller.clientHeight / ROW_HEIGHT);
    const top = Math.floor(scroller.scrollTop / ROW_HEIGHT);
    const start = Math.max(0, Math.min(top - SPARE_ROWS, rows - seen));
    const end = Math.min(rows, top + seen + SPARE_ROWS);
    if (start === from && end === until) return;
    from = start;
    until = end;
    const lines = Array.from({ length: end - start }, (_, index) => line(start + index));
    above.style.height = `${String(start * ROW_HEIGHT)}px`;
    below.style.height = `${String((rows - end) * ROW_HEIGHT)}px`;
    body.replaceChildren(above, ...lines, below);
  }

  function line(row: number): HTMLElement {
    const [time, ...cells] = cellsOf(frame, first + row) as [string, ...string[]];
    const element = h(
      'tr',
      { attributes: { 'aria-rowindex': row + 2 } },
      h('th', { attributes: { scope: 'row' } }, time),
      ...cells.map((cell) => h('td', {}, cell)),
    );
    if (marked.has(frame.times[first + row]!)) {
      element.classList.add('odd');
      element.children[1]?.prepend(h('span.odd-mark', { attributes: { role: 'img', 'aria-label': l10n.t('odd') } }));
    }
    setAttribute(element, 'data-first', frame.times[first + row] === frame.forecast?.times[0]);
    return element;
  }

  return {
    element,
    mark({ times }) {
      marked = new Set(times);
      from = until = -1;
      render();
    },
    show() {
      render();
      if (opened || scroller.clientHeight === 0) return;
      opened = true;
      const lead = Math.max(2, Math.floor(scroller.clientHeight / ROW_HEIGHT / 3));
      scroller.scrollTop = Math.max(0, forecastRow - lead) * ROW_HEIGHT;
      render();
    },
  };
}
