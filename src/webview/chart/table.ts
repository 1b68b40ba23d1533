import * as l10n from '@vscode/l10n';
import type { OverlayLine } from '../../chart/decoration.ts';
import type { Known, Points } from '../../chart/types.ts';
import type { Supposed } from '../../editor/views/analysis/protocol.ts';
import { h, setAttribute } from '../shared/dom.ts';
import { type Frame, indexFrom } from '../../chart/frame.ts';
import { createScenario, type KeptScenario } from './scenario.ts';
import { type TableColumn, tableColumns } from './table-columns.ts';
import { inDigits } from '../../calendar/digits.ts';

/** Rows beyond this would make the table taller than a browser can place to the pixel. */
export const MOST_ROWS = 500_000;
const ROW_HEIGHT = 24;
const SPARE_ROWS = 12;

/** The table of a frame. */
export interface Table {
  readonly element: HTMLElement;
  show(): void;
  /** Marks the rows of these moments, and has columns for these lines. */
  decorate(marks: Points, lines: readonly OverlayLine[]): void;
  /** Whether the future of what is known can be changed. */
  setEditable(isEditable: boolean): void;
}

/** What the table is of. */
export interface TableContent {
  readonly title: string;
  readonly valueLabel: string;
  readonly known?: Known | undefined;
  /** Forecasts as if what is known were another one. */
  readonly suppose: (name: string, cells: readonly Supposed[]) => void;
  /** What was supposed before. */
  readonly supposed?: KeptScenario;
}

/** Makes the table of a frame. Only rows in sight are in the page; it opens where the forecast begins. */
export function createTable(frame: Frame, { title, valueLabel, known, suppose, supposed }: TableContent): Table {
  let columns = tableColumns(frame, valueLabel, [], known);
  let isEditable = false;
  const total = frame.times.length;
  const first = Math.max(0, total - MOST_ROWS);
  const rows = total - first;
  const above = h('tr.space', { attributes: { 'aria-hidden': 'true' } }, h('td'));
  const below = h('tr.space', { attributes: { 'aria-hidden': 'true' } }, h('td'));
  const body = h(
    'tbody',
    {
      on: {
        focusout: ({ relatedTarget }) => {
          const isStill = relatedTarget instanceof Node && body.contains(relatedTarget);
          // of a window that loses the focus the cell stays the active one
          if (!isPainting && !isStill && !written()) takeLate();
        },
      },
    },
    above,
    below,
  );
  const head = h('tr', { attributes: { 'aria-rowindex': 1 } });
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
  const note = l10n.t('Only the last {0} of {1} rows. Export has them all.', inDigits(MOST_ROWS), inDigits(total));
  const future = (frame.forecast?.times ?? new Float64Array()).filter((time) => time > (frame.join?.time ?? -Infinity));
  const scenario = createScenario(known, future, suppose, again, supposed);
  const element = h('div.table', {}, ...(first > 0 ? [h('p.note', {}, note)] : []), scenario.element, scroller);
  const forecastRow = frame.divide === undefined ? rows : indexFrom(frame.times, frame.divide) - first;
  let from = -1;
  let until = -1;
  let opened = false;
  let marked = new Set<number>();
  /** Lines in sight stay as they are, so that one that is written in keeps the focus. */
  let shown = new Map<number, HTMLElement>();
  /** What came while a cell was written in, which is left alone until that is done. */
  let late: (() => void) | undefined;
  let isPainting = false;

  /** The cell that has the focus. */
  function written(): HTMLElement | undefined {
    const { activeElement } = document;
    return activeElement instanceof HTMLElement && body.contains(activeElement) ? activeElement : undefined;
  }

  function takeLate() {
    const take = late;
    late = undefined;
    take?.();
  }

  function again() {
    const label = written()?.getAttribute('aria-label');
    from = until = -1;
    shown = new Map();
    head.replaceChildren(...columns.map(({ label }) => h('th', { attributes: { scope: 'col' } }, label)));
    render();
    if (label == null) return;
    const cells = [...body.querySelectorAll<HTMLElement>('[aria-label]')];
    cells.find((cell) => cell.getAttribute('aria-label') === label)?.focus({ preventScroll: true });
  }

  function render() {
    const seen = Math.ceil(scroller.clientHeight / ROW_HEIGHT);
    const top = Math.floor(scroller.scrollTop / ROW_HEIGHT);
    const start = Math.max(0, Math.min(top - SPARE_ROWS, rows - seen));
    const end = Math.min(rows, top + seen + SPARE_ROWS);
    if (start === from && end === until) return;
    from = start;
    until = end;
    const focused = document.activeElement;
    const all = Array.from({ length: end - start }, (_, index) => start + index);
    shown = new Map(all.map((row) => [row, shown.get(row) ?? line(row)]));
    above.style.height = `${String(start * ROW_HEIGHT)}px`;
    below.style.height = `${String((rows - end) * ROW_HEIGHT)}px`;
    isPainting = true;
    body.replaceChildren(above, ...shown.values(), below);
    isPainting = false;
    if (focused instanceof HTMLElement && focused !== document.activeElement && body.contains(focused))
      focused.focus({ preventScroll: true });
  }

  function line(row: number): HTMLElement {
    const time = frame.times[first + row]!;
    const [{ cell: name }, ...others] = columns as [TableColumn, ...TableColumn[]];
    const isFuture = isEditable && future.length > 0 && time >= future[0]!;
    const element = h(
      'tr',
      { attributes: { 'aria-rowindex': row + 2 } },
      h('th', { attributes: { scope: 'row' } }, name(time)),
      ...others.map(({ label, cell, known: column }) => {
        if (!column || !isFuture) return h('td', {}, cell(time));
        return h('td', {}, scenario.cell(column, time, `${label}, ${name(time)}`));
      }),
    );
    if (marked.has(time)) {
      element.classList.add('odd');
      element.children[1]?.prepend(h('span.odd-mark', { attributes: { role: 'img', 'aria-label': l10n.t('odd') } }));
    }
    setAttribute(element, 'data-first', time === frame.forecast?.times[0]);
    return element;
  }

  again();
  return {
    element,
    decorate({ times }, over) {
      late = () => {
        marked = new Set(times);
        columns = tableColumns(frame, valueLabel, over, known);
        again();
      };
      if (!written()) takeLate();
    },
    setEditable(next) {
      if (next === isEditable) return;
      isEditable = next;
      scenario.offer(next);
      again();
    },
    show() {
      if (!written()) takeLate();
      render();
      if (opened || scroller.clientHeight === 0) return;
      opened = true;
      const lead = Math.max(2, Math.floor(scroller.clientHeight / ROW_HEIGHT / 3));
      scroller.scrollTop = Math.max(0, forecastRow - lead) * ROW_HEIGHT;
      render();
    },
  };
}
