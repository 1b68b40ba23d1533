import * as l10n from '@vscode/l10n';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { inDigits } from '../../calendar/digits.ts';
import { indexFrom } from '../../chart/frame.ts';
import { useVisibleRows } from '../shared/visible-rows.ts';
import { ScenarioBar, ScenarioCell, useScenario, type ScenarioProps } from './scenario.tsx';
import type { ChartState, ShownChart } from './state.ts';
import { tableColumns } from './table-columns.ts';

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
  const total = frame.times.length;
  const start = Math.max(0, total - MOST_ROWS);
  const count = total - start;
  const scroller = useRef<HTMLDivElement>(null);
  const isOpened = useRef(false);
  const { first, end, see } = useVisibleRows(scroller, { count, row: ROW, spare: SPARE });
  const columns = useMemo(() => tableColumns(frame, valueLabel, lines, known), [frame, valueLabel, lines, known]);
  const marked = useMemo(() => new Set(marks.times), [marks]);
  const future = useMemo(() => futureOf(frame), [frame]);
  const scenario = useScenario({ known, times: future, state });
  const isEditable = state.canSuppose.value && future.length > 0;
  const label = l10n.t('Data of {0}', title);
  useLayoutEffect(() => {
    const { current: element } = scroller;
    if (isOpened.current || !element || element.clientHeight === 0) return;
    isOpened.current = true;
    const forecastRow = frame.divide === undefined ? count : indexFrom(frame.times, frame.divide) - start;
    const lead = Math.max(2, Math.floor(element.clientHeight / ROW / 3));
    element.scrollTop = Math.max(0, forecastRow - lead) * ROW;
    see();
  });
  const rowOf = (row: number) => {
    const time = frame.times[start + row]!;
    const written = columns[0]!.cell(time);
    const isFuture = isEditable && time >= future[0]!;
    return (
      <tr
        key={row}
        class={marked.has(time) ? 'odd' : undefined}
        aria-rowindex={row + 2}
        data-first={time === frame.forecast?.times[0] ? '' : undefined}
      >
        <th scope="row">{written}</th>
        {columns.slice(1).map(({ label: name, cell, known: column }, index) =>
          column && isFuture ? (
            <ScenarioCell
              key={`known-${name}`}
              scenario={scenario}
              column={column}
              time={time}
              label={`${name}, ${written}`}
            />
          ) : (
            <td key={index}>
              {index === 0 && marked.has(time) && <span class="odd-mark" role="img" aria-label={l10n.t('anomaly')} />}
              {cell(time)}
            </td>
          ),
        )}
      </tr>
    );
  };
  const space = (key: string, rows: number) => (
    <tr key={key} class="space" aria-hidden="true" style={{ height: `${String(rows * ROW)}px` }}>
      <td />
    </tr>
  );
  const rows = Array.from({ length: Math.max(0, end - first) }, (_, index) => rowOf(first + index));
  return (
    <>
      {start > 0 && (
        <p class="note">
          {l10n.t('Only the last {0} of {1} rows. Export has them all.', inDigits(MOST_ROWS), inDigits(total))}
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
            {space('above', first)}
            {rows}
            {space('below', count - end)}
          </tbody>
        </table>
      </div>
    </>
  );
}

/** The steps of the forecast after the last observation. */
const futureOf = ({ forecast, join }: ShownChart['frame']): Float64Array =>
  (forecast?.times ?? new Float64Array()).filter((time) => time > (join?.time ?? -Infinity));
