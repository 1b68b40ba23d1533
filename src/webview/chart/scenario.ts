import * as l10n from '@vscode/l10n';
import { indexOf } from '../../chart/frame.ts';
import type { Known, KnownColumn } from '../../chart/types.ts';
import { MOST_NAME, type Supposed } from '../../editor/views/analysis/protocol.ts';
import { h } from '../shared/dom.ts';
import type { Typed } from './kept.ts';
import { knownText } from './table-columns.ts';

type Value = Supposed['value'];

/** A future of what is known as the person supposes it to be, while it is written down. */
export interface Scenario {
  /** Says how many cells are changed, and what to do with them; hidden while there is none. */
  readonly element: HTMLElement;
  /** An input for a future cell. */
  cell(column: KnownColumn, time: number, label: string): HTMLElement;
  /** Whether cells can be changed, which they cannot at first. */
  offer(isOffered: boolean): void;
}

/** A scenario that outlasts the table it was typed in. */
export interface KeptScenario {
  readonly typed: Typed;
  /** Is told all of it at each change. */
  readonly keep: (typed: Typed) => void;
}

/**
 * @param times of the steps whose cells can be changed, rising
 * @param forecast is told the cells that are changed
 * @param changed is called when cells in sight are to be drawn again
 * @param kept what was typed before; what fits no column and step any more is left out
 */
export function createScenario(
  known: Known | undefined,
  times: Float64Array,
  forecast: (name: string, cells: readonly Supposed[]) => void,
  changed: () => void,
  kept?: KeptScenario,
): Scenario {
  /** By column, then by time. */
  const cells = new Map<string, Map<number, Value>>();
  /** Whether the last click was with Shift: it is for all steps from the last change on. */
  let isRange = false;
  let isOffered = false;
  let last: { readonly column: KnownColumn; readonly time: number; readonly value: Value } | undefined;

  const count = h('span', { attributes: { role: 'status' } });
  const name = h('input.wide', {
    attributes: {
      type: 'text',
      maxlength: MOST_NAME,
      placeholder: l10n.t('Name of the scenario'),
      'aria-label': l10n.t('Name of the scenario'),
    },
    on: { input: keep },
  });
  name.value = kept?.typed.name ?? '';
  const button = (label: string, kind: 'button.button' | 'button.tool', click: () => void) =>
    h(kind, { attributes: { type: 'button' }, on: { click } }, label);
  const fill = button(l10n.t('Fill Down'), 'button.tool', () => {
    if (!last) return;
    const { column, time, value } = last;
    for (const later of times) if (later > time) put(column, later, value);
    tell();
    changed();
  });
  const element = h(
    'div.scenario',
    { attributes: { role: 'group', 'aria-label': l10n.t('Scenario'), hidden: true } },
    count,
    fill,
    name,
    button(l10n.t('Forecast Scenario'), 'button.button', () => {
      forecast(name.value, all());
    }),
    button(l10n.t('Discard'), 'button.tool', () => {
      cells.clear();
      name.value = '';
      last = undefined;
      tell();
      changed();
    }),
  );

  const all = (): Supposed[] =>
    [...cells].flatMap(([column, own]) => [...own].map(([time, value]) => ({ column, time, value })));

  const given = (column: KnownColumn, time: number): Value => {
    const value = column.values[indexOf(known?.times ?? new Float64Array(), time)] ?? NaN;
    return Number.isNaN(value) ? null : column.kind === 'text' ? knownText(column, value) : value;
  };

  function put(column: KnownColumn, time: number, value: Value) {
    const own = cells.get(column.name) ?? new Map<number, Value>();
    cells.set(column.name, own);
    if (value === given(column, time)) own.delete(time);
    else own.set(time, value);
  }

  function keep() {
    kept?.keep({ cells: all(), name: name.value });
  }

  function tell() {
    keep();
    draw();
  }

  function draw() {
    const many = all().length;
    element.hidden = many === 0 || !isOffered;
    fill.disabled = last === undefined;
    count.textContent = many === 1 ? l10n.t('1 cell changed') : l10n.t('{0} cells changed', many);
  }

  function change(column: KnownColumn, time: number, value: Value, input: HTMLElement) {
    const start = isRange && last?.column === column ? last.time : time;
    isRange = false;
    last = { column, time, value };
    const [from, to] = [Math.min(start, time), Math.max(start, time)];
    for (const each of times) if (each >= from && each <= to) put(column, each, value);
    tell();
    mark(column, time, input);
    if (start !== time) changed();
  }

  const mark = (column: KnownColumn, time: number, input: HTMLElement) => {
    input.classList.toggle('supposed', cells.get(column.name)?.has(time) === true);
  };

  for (const { column: name, time, value } of kept?.typed.cells ?? []) {
    const column = known?.columns.find((one) => one.name === name);
    if (column && indexOf(times, time) >= 0) put(column, time, value);
  }
  draw();

  return {
    element,
    offer(now) {
      isOffered = now;
      draw();
    },
    cell(column, time, label) {
      const own = cells.get(column.name);
      const value = own?.has(time) ? (own.get(time) ?? null) : given(column, time);
      const input = inputOf(column, value, label, (next) => {
        change(column, time, next, input);
      });
      mark(column, time, input);
      input.addEventListener('click', ({ shiftKey }) => {
        isRange = shiftKey;
      });
      input.addEventListener('blur', () => {
        isRange = false;
      });
      return input;
    },
  };
}

function inputOf(
  { kind, texts = [] }: KnownColumn,
  value: Value,
  label: string,
  change: (value: Value) => void,
): HTMLElement {
  const name = { 'aria-label': label };
  if (kind === 'switch') {
    const box = h('input', {
      attributes: { type: 'checkbox', ...name },
      on: {
        change: () => {
          change(box.checked ? 1 : 0);
        },
      },
    });
    box.checked = value === 1;
    box.indeterminate = value === null;
    return box;
  }
  if (kind === 'text') {
    const options = ['', ...texts].map((text) => h('option', { attributes: { value: text } }, text));
    const select = h(
      'select',
      {
        attributes: name,
        on: {
          change: () => {
            change(select.value === '' ? null : select.value);
          },
        },
      },
      ...options,
    );
    select.value = value === null ? '' : String(value);
    return select;
  }
  const field = h('input', {
    attributes: { type: 'number', step: 'any', ...name },
    on: {
      change: () => {
        change(field.value === '' || !Number.isFinite(field.valueAsNumber) ? null : field.valueAsNumber);
      },
    },
  });
  field.value = value === null ? '' : String(value);
  return field;
}
