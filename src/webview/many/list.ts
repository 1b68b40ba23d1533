import * as l10n from '@vscode/l10n';
import type { SeriesRow } from '../../editor/views/many-series/protocol.ts';
import type { Colors } from '../../chart/print.ts';
import { h, icon, setAttribute } from '../shared/dom.ts';
import { aboutRow, cellsOf } from './cells.ts';
import { drawSparkline, SPARKLINE } from './sparkline.ts';

/** Height of a row in pixels, as in the style sheet. */
export const ROW = 32;
/** Rows that are there above and below what is in sight. */
const SPARE = 6;

interface Painted {
  readonly element: HTMLElement;
  readonly name: HTMLElement;
  readonly canvas: HTMLCanvasElement;
  readonly state: HTMLElement;
  readonly figures: readonly HTMLElement[];
  row: SeriesRow | undefined;
}

/** The rows of a grid that are in sight, in elements that are used again and again. */
export class RowList {
  readonly element: HTMLElement;
  readonly #painted = new Map<number, Painted>();
  readonly #free: Painted[] = [];
  #rows: readonly SeriesRow[] = [];
  #colors: Colors;

  constructor(colors: Colors) {
    this.#colors = colors;
    this.element = h('div.rows', { attributes: { role: 'rowgroup' } });
  }

  /** Shows other rows, or the same in another order. */
  set(rows: readonly SeriesRow[]): void {
    this.#rows = rows;
    this.element.style.height = `${String(rows.length * ROW)}px`;
  }

  /** Draws everything anew, as in another theme. */
  recolor(colors: Colors): void {
    this.#colors = colors;
    for (const painted of this.#painted.values()) painted.row = undefined;
  }

  /** Paints what is in sight. @param top how far it is scrolled @param height of what is in sight, in pixels */
  paint(top: number, height: number, selected: ReadonlySet<string>, active: number): void {
    const first = Math.max(0, Math.floor(top / ROW) - SPARE);
    const last = Math.min(this.#rows.length, Math.ceil((top + height) / ROW) + SPARE);
    for (const [index, painted] of this.#painted) {
      if (index >= first && index < last) continue;
      this.#painted.delete(index);
      this.#free.push(painted);
    }
    for (let index = first; index < last; index++) {
      const painted = this.#painted.get(index) ?? this.#take(index);
      const row = this.#rows[index]!;
      if (painted.row !== row) this.#fill(painted, row, index);
      setAttribute(painted.element, 'aria-selected', selected.has(row.id) ? 'true' : 'false');
      painted.element.classList.toggle('active', index === active);
    }
    for (const { element } of this.#free) {
      element.hidden = true;
      element.removeAttribute('id');
    }
  }

  /** The row that an element belongs to. */
  indexAt(target: EventTarget | null): number | undefined {
    const element = target instanceof Element ? target.closest<HTMLElement>('.row') : null;
    const index = element?.dataset['index'];
    return index === undefined ? undefined : Number(index);
  }

  /** The id of the element of a row, where it is there. */
  idOf(index: number): string | undefined {
    return this.#painted.get(index)?.element.id;
  }

  #take(index: number): Painted {
    const painted = this.#free.pop() ?? this.#create();
    painted.element.hidden = false;
    painted.row = undefined;
    this.#painted.set(index, painted);
    return painted;
  }

  #create(): Painted {
    const cell = (kind: string, ...children: Node[]) =>
      h(`div.cell.${kind}`, { attributes: { role: 'gridcell' } }, ...children);
    const { width, height } = SPARKLINE;
    const ratio = globalThis.devicePixelRatio || 1;
    const canvas = h('canvas', {
      attributes: { width: Math.round(width * ratio), height: Math.round(height * ratio), 'aria-hidden': 'true' },
    });
    canvas.getContext('2d')?.scale(ratio, ratio);
    const name = cell('name');
    const state = h('span.state');
    const figures = ['last', 'next', 'change', 'error', 'held'].map((kind) => cell(`figure.${kind}`));
    const mark = h('span.mark', { attributes: { 'aria-hidden': 'true' } }, icon('check'));
    const element = h(
      'div.row',
      { attributes: { role: 'row' } },
      cell('select', mark),
      name,
      cell('drawing', canvas, state),
      ...figures,
    );
    this.element.append(element);
    return { element, name, canvas, state, figures, row: undefined };
  }

  #fill(painted: Painted, row: SeriesRow, index: number): void {
    const { element, name, canvas, state, figures } = painted;
    painted.row = row;
    element.id = `row-${String(index)}`;
    element.dataset['index'] = String(index);
    element.style.top = `${String(index * ROW)}px`;
    // the row of the heads is the first
    setAttribute(element, 'aria-rowindex', index + 2);
    setAttribute(element, 'title', aboutRow(row));
    element.classList.toggle('failed', row.hasFailed === true);
    name.textContent = row.name;
    state.textContent = row.state ?? (row.past ? '' : l10n.t('no drawing'));
    canvas.hidden = row.state !== undefined || !row.past;
    const pen = canvas.hidden ? null : canvas.getContext('2d');
    if (pen) drawSparkline(pen, row, this.#colors);
    Object.values(cellsOf(row)).forEach((text, at) => {
      figures[at]!.textContent = text;
    });
  }
}
