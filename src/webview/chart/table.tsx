import * as l10n from '@vscode/l10n';
import { useComputed } from '@preact/signals';
import type { RefObject } from 'preact';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { inDigits } from '../../calendar/digits.ts';
import type { OverlayLine } from '../../chart/trace.ts';
import { levelName } from '../../chart/format.ts';
import { type Frame, indexFrom, indexOf } from '../../chart/frame.ts';
import type { Known, KnownColumn, Points } from '../../chart/types.ts';
import { useVisibleRows } from '../shared/visible-rows.ts';
import { knownText, ScenarioBar, ScenarioCell, useScenario, type Scenario } from './scenario.tsx';
import type { ShownChart, Sight, Typed } from './view.ts';

/** Rows beyond this would make the table taller than a browser can place to the pixel. */
export const MOST_ROWS = 500_000;
const ROW = 24;
const SPARE = 12;
const NOTHING_TYPED: Typed = { cells: [], name: '' };

/** The table of a chart. Only rows in sight are in the page; it opens where the forecast begins. */
export function Table(sight: Sight) {
  const { shown, decoration } = sight;
  const { frame } = shown;
  const { title, valueLabel, known } = shown.chart;
  const { lines, marks } = decoration;
  const scroller = useRef<HTMLDivElement>(null);
  const { start, count, first, end, see } = useRows(frame, scroller);
  const columns = useMemo(() => tableColumns(frame, valueLabel, lines, known), [frame, valueLabel, lines, known]);
  const marked = useMemo(() => new Set(marks.times), [marks]);
  const future = useMemo(() => futureOf(frame), [frame]);
  const writing = useWriting(sight);
  const scenario = useScenario({ known, times: future, ...writing });
  const label = l10n.t('Data of {0}', title);
  const from = writing.isEditable ? (future[0] ?? Infinity) : Infinity;
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
      <ScenarioBar scenario={scenario} {...writing} />
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

/** The scenario as far as it is written down, and what is done with it. */
function useWriting({ shown: { key }, state, view, change, send }: Sight) {
  const { value: typed = NOTHING_TYPED } = useComputed(() =>
    view.value.typed?.of === key ? view.value.typed : undefined,
  );
  return {
    isEditable: state.controls?.columns !== undefined,
    typed,
    type: (now: Typed) => {
      change({ typed: { ...now, of: key } });
    },
    suppose: ({ cells, name }: Typed) => {
      send({ type: 'suppose', name, cells: [...cells] });
      change({ tab: 'chart' });
    },
  };
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
    <tr class={isAnomaly ? 'anomaly' : undefined} aria-rowindex={row + 2} data-first={isFirst ? '' : undefined}>
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
            {index === 0 && isAnomaly && <span class="anomaly-mark" role="img" aria-label={l10n.t('anomaly')} />}
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

/** A column of the data table; its cells are by moments. */
export interface TableColumn {
  readonly label: string;
  /** Empty where there is no value. */
  readonly cell: (time: number) => string;
  /** Where it is what is known besides the values. */
  readonly known?: KnownColumn;
}

/**
 * The columns of the data table: the time, what was observed, future covariates, the forecast, what lies over it with
 * how it differs, and each interval from narrow to wide.
 */
export function tableColumns(
  { history, forecast, time, value }: Frame,
  valueLabel: string,
  lines: readonly OverlayLine[] = [],
  known?: Known,
): TableColumn[] {
  const write = (writer: (value: number) => string, number: number | undefined) =>
    number !== undefined && Number.isFinite(number) ? writer(number) : '';
  const zone = time.rows ? l10n.t('Row') : time.clock ? l10n.t('Time ({0})', time.zone.name) : l10n.t('Time');
  const of = (label: string, { times, values }: Points, writer: (value: number) => string): TableColumn => ({
    label,
    cell: (at) => write(writer, values[indexOf(times, at)]),
  });
  const beforehand = (known?.columns ?? []).map((column): TableColumn => {
    const writer = (number: number) => knownText(column, number);
    return { ...of(column.name, { times: known!.times, values: column.values }, writer), known: column };
  });
  const observed = of(valueLabel, history, value.observed);
  if (!forecast) return [{ label: zone, cell: time.write }, observed, ...beforehand];
  const { times } = forecast;
  const over = lines.flatMap(({ label, line }): TableColumn[] => [
    of(label, line, value.predicted),
    {
      label: l10n.t('Difference'),
      cell: (at) => {
        const difference = (line.values[indexOf(line.times, at)] ?? NaN) - (forecast.values[indexOf(times, at)] ?? NaN);
        const written = write(value.predicted, Math.abs(difference));
        return written === '' ? '' : `${difference > 0 ? '+' : difference < 0 ? '−' : ''}${written}`;
      },
    },
  ]);
  return [
    { label: zone, cell: time.write },
    observed,
    ...beforehand,
    of(l10n.t('Forecast'), forecast, value.predicted),
    ...over,
    ...forecast.intervals
      .toReversed()
      .flatMap(({ level, lower, upper }) => [
        of(l10n.t('{0} from', levelName(level)), { times, values: lower }, value.predicted),
        of(l10n.t('to'), { times, values: upper }, value.predicted),
      ]),
  ];
}
