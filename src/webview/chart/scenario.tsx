import * as l10n from '@vscode/l10n';
import { useMemo, useRef, useState } from 'preact/hooks';
import { indexOf } from '../../chart/frame.ts';
import type { Known, KnownColumn } from '../../chart/types.ts';
import type { Supposed } from '../../editor/views/chart/protocol.ts';
import { Button } from '../shared/elements.tsx';
import { Field } from '../shared/field.tsx';
import type { Typed } from './view.ts';

type Value = Supposed['value'];
/** Letters of the name of a scenario. */
const MOST_NAME = 100;
const NONE = new Float64Array();

/** What a scenario is written down with. */
export interface ScenarioProps {
  readonly known: Known | undefined;
  /** Of the steps whose cells can be changed, rising. */
  readonly times: Float64Array;
  readonly isEditable: boolean;
  /** As far as it is written down. */
  readonly typed: Typed;
  readonly type: (typed: Typed) => void;
  /** Forecasts it. */
  readonly suppose: (typed: Typed) => void;
}

interface LastChange {
  readonly column: KnownColumn;
  readonly time: number;
  readonly value: Value;
}

/** A future of covariates as the person supposes it to be, while it is written down. */
export interface Scenario {
  readonly cells: readonly Supposed[];
  readonly last: LastChange | undefined;
  /** The value of a cell, and whether it is a supposed one. */
  at(column: KnownColumn, time: number): { readonly value: Value; readonly isSupposed: boolean };
  /** @param isRange for all steps from the last change on */
  change(to: LastChange, isRange: boolean): void;
  readonly fillDown: () => void;
  readonly discard: () => void;
}

/** What is known, as it is read: a word of a text, a number else. */
export const knownText = ({ kind, texts }: KnownColumn, value: number): string =>
  kind === 'text' ? (texts?.[value] ?? '') : String(value);

const keyOf = (column: string, time: number): string => JSON.stringify([column, time]);

/** The scenario of a table. What was typed before and fits no column and step any more is left out. */
export function useScenario({ known, times, typed: { cells: typed, name }, type }: ScenarioProps): Scenario {
  const [last, setLast] = useState<LastChange>();
  const cells = useMemo(() => {
    const columns = new Set(known?.columns.map((column) => column.name));
    const fitting = typed.filter(({ column, time }) => columns.has(column) && indexOf(times, time) >= 0);
    return new Map(fitting.map((cell) => [keyOf(cell.column, cell.time), cell]));
  }, [typed, known, times]);
  const given = (column: KnownColumn, time: number): Value => {
    const value = column.values[indexOf(known?.times ?? NONE, time)] ?? NaN;
    return Number.isNaN(value) ? null : column.kind === 'text' ? knownText(column, value) : value;
  };
  const put = ({ column, value }: LastChange, steps: Float64Array) => {
    const next = new Map(cells);
    for (const time of steps) {
      const key = keyOf(column.name, time);
      if (value === given(column, time)) next.delete(key);
      else next.set(key, { column: column.name, time, value });
    }
    type({ cells: [...next.values()], name });
  };
  return {
    cells: [...cells.values()],
    last,
    at(column, time) {
      const cell = cells.get(keyOf(column.name, time));
      return { value: cell ? cell.value : given(column, time), isSupposed: cell !== undefined };
    },
    change(to, isRange) {
      const start = isRange && last?.column.name === to.column.name ? last.time : to.time;
      const [from, end] = [Math.min(start, to.time), Math.max(start, to.time)];
      setLast(to);
      put(
        to,
        times.filter((time) => time >= from && time <= end),
      );
    },
    fillDown() {
      if (last)
        put(
          last,
          times.filter((time) => time > last.time),
        );
    },
    discard() {
      setLast(undefined);
      type({ cells: [], name: '' });
    },
  };
}

/** Says how many cells are changed, and what to do with them. */
export function ScenarioBar({
  scenario,
  isEditable,
  typed: { name },
  type,
  suppose,
}: Omit<ScenarioProps, 'known' | 'times'> & { readonly scenario: Scenario }) {
  const { cells, last } = scenario;
  const words = l10n.t('Name of the scenario');
  return (
    <div class="scenario" role="group" aria-label={l10n.t('Scenario')} hidden={cells.length === 0 || !isEditable}>
      <span role="status">
        {cells.length === 1 ? l10n.t('1 cell changed') : l10n.t('{0} cells changed', cells.length)}
      </span>
      <Button isDisabled={last === undefined} run={scenario.fillDown}>
        {l10n.t('Fill Down')}
      </Button>
      <input
        class="wide"
        type="text"
        maxLength={MOST_NAME}
        placeholder={words}
        aria-label={words}
        value={name}
        onInput={({ currentTarget }) => {
          type({ cells, name: currentTarget.value });
        }}
      />
      <Button
        class="button"
        run={() => {
          suppose({ cells, name });
        }}
      >
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

/** An input for a future cell. */
export function ScenarioCell({ scenario, column, time, label }: CellProps) {
  /** Whether the last click was with Shift: it is for all steps from the last change on. */
  const isRange = useRef(false);
  const { value, isSupposed } = scenario.at(column, time);
  const change = (next: Value) => {
    scenario.change({ column, time, value: next }, isRange.current);
    isRange.current = false;
  };
  const kind = isSupposed ? 'supposed' : undefined;
  return (
    <td
      onClick={({ shiftKey }) => {
        isRange.current = shiftKey;
      }}
      onFocusOut={() => {
        isRange.current = false;
      }}
    >
      {column.kind === 'switch' ? (
        <input
          type="checkbox"
          class={kind}
          aria-label={label}
          checked={value === 1}
          indeterminate={value === null}
          onChange={({ currentTarget }) => {
            change(currentTarget.checked ? 1 : 0);
          }}
        />
      ) : column.kind === 'text' ? (
        <select
          class={kind}
          aria-label={label}
          value={value === null ? '' : String(value)}
          onChange={({ currentTarget }) => {
            change(currentTarget.value === '' ? null : currentTarget.value);
          }}
        >
          {['', ...(column.texts ?? [])].map((text) => (
            <option key={text} value={text}>
              {text}
            </option>
          ))}
        </select>
      ) : (
        <Field
          type="number"
          step="any"
          class={kind}
          aria-label={label}
          shown={value === null ? '' : String(value)}
          take={(typed) => {
            change(typed === '' || !Number.isFinite(Number(typed)) ? null : Number(typed));
            return true;
          }}
        />
      )}
    </td>
  );
}
