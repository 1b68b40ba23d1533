import * as l10n from '@vscode/l10n';
import { useComputed } from '@preact/signals';
import type { RefObject } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { inDigits } from '../../calendar/digits.ts';
import { type Frame, indexFrom, indexOf, levelName, type OverlayLine, valueAt } from '../../chart/frame.ts';
import type { Known, KnownColumn, Points } from '../../chart/chart-view.ts';
import type { Supposed } from '../../editor/views/chart/protocol.ts';
import { useVisibleRows } from '../shared/drawing.tsx';
import { Button, Field, Select, TableHead } from '../shared/elements.tsx';
import type { TabContext, Typed } from './chart-tab.tsx';

/** Rows beyond this would make the table taller than a browser can place to the pixel. */
export const MOST_ROWS = 500_000;
const ROW = 24;
const SPARE = 12;

/** The table of a chart. Only rows in sight are in the page; it opens where the forecast begins. */
export function Table(context: TabContext) {
  const { frame, chart } = context.shown;
  const { title, known } = chart;
  const { lines, marks } = context.decoration;
  const scroller = useRef<HTMLDivElement>(null);
  const { start, count, first, end, see } = useRows(frame, scroller);
  const columns = useMemo(() => tableColumns(frame, lines, known), [frame, lines, known]);
  const marked = useMemo(() => new Set(marks.times), [marks]);
  const future = useMemo(() => {
    const { forecast, join } = frame;
    return (forecast?.times ?? new Float64Array()).filter((time) => time > (join?.time ?? -Infinity));
  }, [frame]);
  const scenario = useScenario(context, future);
  const label = l10n.t('Data of {0}', title);
  const from = scenario.isEditable ? (future[0] ?? Infinity) : Infinity;
  const rows = Array.from(frame.times.subarray(start + first, start + Math.max(first, end)), (time, index) => {
    const isFirst = time === frame.forecast?.times[0];
    const what = { time, columns, scenario, isFirst, isAnomaly: marked.has(time), isFuture: time >= from };
    return <Row key={first + index} row={first + index} {...what} />;
  });
  const all = [inDigits(MOST_ROWS), inDigits(start + count)] as const;
  return (
    <>
      {start > 0 && (
        <p class="note">{l10n.t('Only the last {0} of {1} rows are shown. Export writes all of them.', ...all)}</p>
      )}
      <ScenarioBar scenario={scenario} />
      <div ref={scroller} class="scroller" tabIndex={0} role="region" aria-label={label} onScroll={see}>
        <table aria-rowcount={count + 1} aria-label={label}>
          <TableHead columns={columns.map((column) => column.label)} aria-rowindex={1} />
          <tbody>
            <Space key="above" rows={first} />
            {rows}
            <Space key="below" rows={count - end} />
          </tbody>
        </table>
      </div>
    </>
  );
}

function useRows(frame: Frame, scroller: RefObject<HTMLDivElement | null>) {
  const start = Math.max(0, frame.times.length - MOST_ROWS);
  const count = frame.times.length - start;
  const isOpened = useRef(false);
  const visible = useVisibleRows(scroller, { count, row: ROW, spare: SPARE });
  useLayoutEffect(() => {
    const { current: element } = scroller;
    if (isOpened.current || !element || element.clientHeight === 0) return;
    isOpened.current = true;
    const forecastRow = frame.divide === undefined ? count : indexFrom(frame.times, frame.divide) - start;
    const lead = Math.max(2, Math.floor(element.clientHeight / ROW / 3));
    element.scrollTop = Math.max(0, forecastRow - lead) * ROW;
    visible.see();
  });
  return { start, count, ...visible };
}

const Space = ({ rows }: { readonly rows: number }) => (
  <tr class="space" aria-hidden="true" style={{ height: `${String(rows * ROW)}px` }}>
    <td />
  </tr>
);

type RowProps = Readonly<
  { columns: TableColumn[]; scenario: Scenario } & Record<'row' | 'time', number> &
    Record<'isFirst' | 'isAnomaly' | 'isFuture', boolean>
>;

function Row({ row, time, columns, scenario, isFirst, isAnomaly, isFuture }: RowProps) {
  const [name, ...others] = columns;
  const written = name!.cell(time);
  return (
    <tr class={isAnomaly ? 'anomaly' : undefined} aria-rowindex={row + 2} data-first={isFirst ? '' : undefined}>
      <th scope="row">{written}</th>
      {others.map(({ label, cell, known: column }, index) =>
        column && isFuture ? (
          <ScenarioCell key={`known-${label}`} {...{ scenario, column, time }} label={`${label}, ${written}`} />
        ) : (
          <td key={index}>
            {index === 0 && isAnomaly && <span class="anomaly-mark" role="img" aria-label={l10n.t('anomaly')} />}
            {cell(time)}
          </td>
        ),
      )}
    </tr>
  );
}

interface TableColumn {
  readonly label: string;
  readonly cell: (time: number) => string;
  readonly known?: KnownColumn;
}

export function tableColumns(
  { history, forecast, time, value, valueLabel }: Frame,
  lines: readonly OverlayLine[] = [],
  known?: Known,
): TableColumn[] {
  const of = (label: string, points: Points, write = value.predicted): TableColumn => ({
    label,
    cell: (at) => {
      const number = valueAt(points, at);
      return Number.isFinite(number) ? write(number) : '';
    },
  });
  const beforehand = (known?.columns ?? []).map((column): TableColumn => {
    const points = { times: known!.times, values: column.values };
    return { ...of(column.name, points, (number) => knownText(column, number)), known: column };
  });
  const zone = time.rows ? l10n.t('Row') : time.clock ? l10n.t('Time ({0})', time.zone.name) : l10n.t('Time');
  const past = [{ label: zone, cell: time.write }, of(valueLabel, history, value.observed), ...beforehand];
  if (!forecast) return past;
  const { times } = forecast;
  const difference = (line: Points) => (at: number) => {
    const by = valueAt(line, at) - valueAt(forecast, at);
    const sign = by > 0 ? '+' : by < 0 ? '−' : '';
    return Number.isFinite(by) ? `${sign}${value.predicted(Math.abs(by))}` : '';
  };
  return [
    ...past,
    of(l10n.t('Forecast'), forecast),
    ...lines.flatMap(({ label, line }) => [of(label, line), { label: l10n.t('Difference'), cell: difference(line) }]),
    ...forecast.intervals
      .toReversed()
      .flatMap(({ level, lower, upper }) => [
        of(l10n.t('{0} from', levelName(level)), { times, values: lower }),
        of(l10n.t('to'), { times, values: upper }),
      ]),
  ];
}

type Value = Supposed['value'];
const MOST_LETTERS = 100;

const NOTHING: Typed = { cells: [], name: '' };

type Change = Omit<Supposed, 'column'> & { readonly column: KnownColumn };

const knownText = ({ kind, texts }: KnownColumn, value: number): string =>
  kind === 'text' ? (texts?.[value] ?? '') : String(value);

const keyOf = (column: string, time: number): string => JSON.stringify([column, time]);

/** Values typed before that fit no column or step are dropped. @param times of the steps with editable cells, rising */
function useScenario({ shown, state, view, change, send }: TabContext, times: Float64Array) {
  const { key, chart } = shown;
  const { known } = chart;
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

type Scenario = ReturnType<typeof useScenario>;

function ScenarioBar({ scenario }: { readonly scenario: Scenario }) {
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

type CellProps = Omit<Change, 'value'> & { readonly scenario: Scenario; readonly label: string };

function ScenarioCell({ scenario, column, time, label }: CellProps) {
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
