import * as l10n from '@vscode/l10n';
import type { RefObject } from 'preact';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { inDigits } from '../../calendar/digits.ts';
import { indexFrom } from '../../chart/frame.ts';
import { useVisibleRows } from '../shared/visible-rows.ts';
import { ScenarioBar, ScenarioCell, useScenario, type Scenario, type ScenarioProps } from './scenario.tsx';
import type { ChartState, ShownChart } from './state.ts';
import { type TableColumn, tableColumns } from './table-columns.ts';

/** Rows beyond this would make the table taller than a browser can place to the pixel. */
export const MOST_ROWS = 500_000;
const ROW = 24;
const SPARE = 12;

interface TableProps {
  readonly shown: Pick<ShownChart, 'chart' | 'frame'>;
  readonly state: Pick<ChartState, 'decoration'> & ScenarioProps['state'];
}

/** The table of a chart. Only rows in sight are in the page; it opens where the forecast begins. */
export function Table({ shown: { chart, frame }, state }: TableProps) {
  const { title, valueLabel, known } = chart;
  const { lines, marks } = state.decoration.value;
  const scroller = useRef<HTMLDivElement>(null);
  const { start, count, first, end, see } = useRows(frame, scroller);
  const columns = useMemo(() => tableColumns(frame, valueLabel, lines, known), [frame, valueLabel, lines, known]);
  const marked = useMemo(() => new Set(marks.times), [marks]);
  const future = useMemo(() => futureOf(frame), [frame]);
  const scenario = useScenario({ known, times: future, state });
  const isEditable = state.canSuppose.value && future.length > 0;
  const label = l10n.t('Data of {0}', title);
  const from = isEditable ? future[0]! : Infinity;
  const rowOf = (row: number) => {
    const time = frame.times[start + row]!;
    const isFirst = time === frame.forecast?.times[0];
    return (
      <Row
        key={row}
        {...{ row, time, columns, scenario, isFirst }}
        isAnomaly={marked.has(time)}
        isFuture={time >= from}
      />
    );
  };
  const rows = Array.from({ length: Math.max(0, end - first) }, (_, index) => rowOf(first + index));
  return (
    <>
      {start > 0 && (
        <p class="note">
          {l10n.t('Only the last {0} of {1} rows. Export has them all.', inDigits(MOST_ROWS), inDigits(start + count))}
        </p>
      )}
      <ScenarioBar scenario={scenario} state={state} />
      <div ref={scroller} class="scroller" tabIndex={0} role="region" aria-label={label} onScroll={see}>
        <table aria-rowcount={count + 1} aria-label={label}>
          <thead>
            <tr aria-rowindex={1}>
              {columns.map((column, index) => (
                <th key={index} scope="col">
                  {column.label}
                </th>
              ))}
            </tr>
          </thead>
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

/** The rows of a frame that the table has, and those of them that are in the page. */
function useRows(frame: ShownChart['frame'], scroller: RefObject<HTMLDivElement | null>) {
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

/** Where rows are that are not in the page. */
const Space = ({ rows }: { readonly rows: number }) => (
  <tr class="space" aria-hidden="true" style={{ height: `${String(rows * ROW)}px` }}>
    <td />
  </tr>
);

interface RowProps {
  readonly row: number;
  readonly time: number;
  readonly columns: readonly TableColumn[];
  readonly scenario: Scenario;
  /** Whether the forecast begins here. */
  readonly isFirst: boolean;
  readonly isAnomaly: boolean;
  /** Whether what is known of it can be changed. */
  readonly isFuture: boolean;
}

function Row({ row, time, columns, scenario, isFirst, isAnomaly, isFuture }: RowProps) {
  const written = columns[0]!.cell(time);
  return (
    <tr class={isAnomaly ? 'odd' : undefined} aria-rowindex={row + 2} data-first={isFirst ? '' : undefined}>
      <th scope="row">{written}</th>
      {columns.slice(1).map(({ label, cell, known: column }, index) =>
        column && isFuture ? (
          <ScenarioCell
            key={`known-${label}`}
            scenario={scenario}
            column={column}
            time={time}
            label={`${label}, ${written}`}
          />
        ) : (
          <td key={index}>
            {index === 0 && isAnomaly && <span class="odd-mark" role="img" aria-label={l10n.t('anomaly')} />}
            {cell(time)}
          </td>
        ),
      )}
    </tr>
  );
}

/** The steps of the forecast after the last observation. */
const futureOf = ({ forecast, join }: ShownChart['frame']): Float64Array =>
  (forecast?.times ?? new Float64Array()).filter((time) => time > (join?.time ?? -Infinity));
