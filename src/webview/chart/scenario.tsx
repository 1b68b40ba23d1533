import * as l10n from '@vscode/l10n';
import { useComputed } from '@preact/signals';
import { useMemo, useRef, useState } from 'preact/hooks';
import { indexFrom, indexOf, valueAt } from '../../chart/frame.ts';
import type { KnownColumn } from '../../chart/types.ts';
import type { Supposed } from '../../editor/views/chart/protocol.ts';
import { Button, Field, Select } from '../shared/elements.tsx';
import type { TabContext, Typed } from './view.ts';

type Value = Supposed['value'];
const MOST_LETTERS = 100;

const NOTHING: Typed = { cells: [], name: '' };

type Change = Omit<Supposed, 'column'> & { readonly column: KnownColumn };

/** What is known, as it is read: a word of a text, a number else. */
export const knownText = ({ kind, texts }: KnownColumn, value: number): string =>
  kind === 'text' ? (texts?.[value] ?? '') : String(value);

const keyOf = (column: string, time: number): string => JSON.stringify([column, time]);

/**
 * A scenario while the person types it: future values of covariates. Values typed before that fit no column or step are
 * dropped.
 * @param times of the steps with editable cells, rising
 */
export function useScenario({ shown, state, view, change, send }: TabContext, times: Float64Array) {
  const { key, chart } = shown;
  const { known } = chart;
  // what else is seen of the chart is of no account here
  const { value: typed } = useComputed(() => view.value.typed);
  const { cells: all, name } = typed?.of === key ? typed : NOTHING;
  const [last, setLast] = useState<Change>();
  const cells = useMemo(() => {
    const columns = new Set(known?.columns.map((column) => column.name));
    const fitting = all.filter(({ column, time }) => columns.has(column) && indexOf(times, time) >= 0);
    return new Map(fitting.map((cell) => [keyOf(cell.column, cell.time), cell]));
  }, [all, known, times]);
  const supposed = [...cells.values()];
  const type = (now: Typed) => change({ typed: { ...now, of: key } });
  const givenOf = (column: KnownColumn, time: number): Value => {
    const value = known ? valueAt({ times: known.times, values: column.values }, time) : NaN;
    return Number.isNaN(value) ? null : column.kind === 'text' ? knownText(column, value) : value;
  };
  const put = ({ column, value }: Change, from: number, end = Infinity) => {
    const next = new Map(cells);
    for (const time of times.subarray(indexFrom(times, from)).filter((one) => one <= end)) {
      next.set(keyOf(column.name, time), { column: column.name, time, value });
      if (value === givenOf(column, time)) next.delete(keyOf(column.name, time));
    }
    type({ cells: [...next.values()], name });
  };
  return {
    isEditable: state.controls?.columns !== undefined,
    cells: supposed,
    name,
    last,
    rename: (to: string) => type({ cells: supposed, name: to }),
    at(column: KnownColumn, time: number) {
      const cell = cells.get(keyOf(column.name, time));
      return { value: cell ? cell.value : givenOf(column, time), isSupposed: cell !== undefined };
    },
    /** @param isRange for all steps from the last change on */
    set(to: Change, isRange: boolean) {
      const start = isRange && last?.column.name === to.column.name ? last.time : to.time;
      setLast(to);
      put(to, Math.min(start, to.time), Math.max(start, to.time));
    },
    fillDown: () => last && put(last, last.time),
    discard() {
      setLast(undefined);
      type(NOTHING);
    },
    forecast() {
      send({ type: 'suppose', name, cells: supposed });
      change({ tab: 'chart' });
    },
  };
}

export type Scenario = ReturnType<typeof useScenario>;

export function ScenarioBar({ scenario }: { readonly scenario: Scenario }) {
  const { cells, name, last, isEditable } = scenario;
  const words = l10n.t('Name of the scenario');
  return (
    <div class="scenario" role="group" aria-label={l10n.t('Scenario')} hidden={cells.length === 0 || !isEditable}>
      <span role="status">
        {cells.length === 1 ? l10n.t('1 cell changed') : l10n.t('{0} cells changed', cells.length)}
      </span>
      <Button disabled={last === undefined} run={scenario.fillDown}>
        {l10n.t('Fill Down')}
      </Button>
      <input
        class="wide"
        type="text"
        maxLength={MOST_LETTERS}
        placeholder={words}
        aria-label={words}
        value={name}
        onInput={({ currentTarget }) => scenario.rename(currentTarget.value)}
      />
      <Button class="button" run={scenario.forecast}>
        {l10n.t('Forecast Scenario')}
      </Button>
      <Button run={scenario.discard}>{l10n.t('Discard')}</Button>
    </div>
  );
}

interface CellProps {
  readonly scenario: Scenario;
  readonly column: KnownColumn;
  readonly time: number;
  readonly label: string;
}

export function ScenarioCell({ scenario, column, time, label }: CellProps) {
  // a click with Shift is for all steps from the last change on
  const isRange = useRef(false);
  const { value, isSupposed } = scenario.at(column, time);
  const set = (next: Value) => {
    scenario.set({ column, time, value: next }, isRange.current);
    isRange.current = false;
  };
  const text = value === null ? '' : String(value);
  const common = { class: isSupposed ? 'supposed' : undefined, 'aria-label': label };
  const options = ['', ...(column.texts ?? [])].map((one) => [one, one] as const);
  const numberOf = (typed: string) => (typed !== '' && Number.isFinite(Number(typed)) ? Number(typed) : null);
  const ranging = (now: boolean) => () => {
    isRange.current = now;
  };
  return (
    <td onClick={({ shiftKey }) => ranging(shiftKey)()} onFocusOut={ranging(false)}>
      {column.kind === 'switch' && (
        <input
          type="checkbox"
          {...common}
          checked={value === 1}
          indeterminate={value === null}
          onChange={({ currentTarget }) => set(Number(currentTarget.checked))}
        />
      )}
      {column.kind === 'text' && (
        <Select {...common} {...{ value: text, options }} choose={(chosen: string) => set(chosen || null)} />
      )}
      {column.kind === 'number' && (
        <Field type="number" step="any" {...common} shown={text} take={(typed) => set(numberOf(typed))} />
      )}
    </td>
  );
}
