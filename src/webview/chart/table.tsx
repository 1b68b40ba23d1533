import * as l10n from '@vscode/l10n';
import type { RefObject } from 'preact';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { inDigits } from '../../calendar/digits.ts';
import type { OverlayLine } from '../../chart/trace.ts';
import { levelName } from '../../chart/format.ts';
import { type Frame, indexFrom, valueAt } from '../../chart/frame.ts';
import type { Known, KnownColumn, Points } from '../../chart/types.ts';
import { useVisibleRows } from '../shared/drawing.tsx';
import { knownText, type Scenario, ScenarioBar, ScenarioCell, useScenario } from './scenario.tsx';
import type { TabContext } from './view.ts';

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

interface RowProps {
  readonly row: number;
  readonly time: number;
  readonly columns: readonly TableColumn[];
  readonly scenario: Scenario;
  readonly isFirst: boolean;
  readonly isAnomaly: boolean;
  readonly isFuture: boolean;
}

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

/**
 * The columns of the data table: the time, what was observed, future covariates, the forecast, what lies over it with
 * how it differs, and each interval from narrow to wide.
 */
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
