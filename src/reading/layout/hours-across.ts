import { DAY } from '../../calendar/civil.ts';
import type { TimeAxis } from '../columns/axis.ts';
import { hoursOfNames } from '../columns/hour-names.ts';
import { findRoles } from '../columns/roles.ts';
import type { Table } from '../columns/table.ts';
import type { ReadSeries } from '../types.ts';
import { readColumns } from './across.ts';
import { buildSeries, chosenSteps } from './build.ts';
import type { TableContext, TableSeries } from './table-series.ts';

/**
 * Reads a table with a day to each row and its hours, or shorter parts of it, in columns: one series over all of them, or
 * one for each meter whose days stand below each other. `undefined` for any other table.
 */
export function hoursAcross(table: Table, axis: TimeAxis, context: TableContext): TableSeries | undefined {
  const { layout } = context;
  if (axis.kind !== 'date' || axis.columns.length !== 1 || layout.valueColumns) return undefined;
  const hours = hoursOfNames(table.columns.map(({ name }) => name));
  const columns = table.columns.filter((_, index) => !Number.isNaN(hours?.[index] ?? NaN));
  if (!hours || columns.some(({ numbers, filled }) => numbers === undefined && filled > 0)) return undefined;
  if (axis.choice?.kind !== 'date-order' && !areDaily(axis.times)) return undefined;
  const inDay = hours.filter((hour) => !Number.isNaN(hour));
  const { decimal, values } = readColumns(columns, table, context);
  const { groups } = findRoles(table, axis, layout);
  const rowsOf = new Map<number, number[]>();
  for (let row = 0; row < table.rows; row++) {
    if (Number.isNaN(axis.times[row]!)) continue;
    const code = groups?.codes[row] ?? 0;
    const rows = rowsOf.get(code);
    if (rows) rows.push(row);
    else rowsOf.set(code, [row]);
  }
  const series = Array.from(rowsOf, ([code, rows]): ReadSeries | undefined => {
    const rowOf = (cell: number) => rows[Math.floor(cell / inDay.length)]!;
    const cells = Float64Array.from({ length: rows.length * inDay.length }, (_, cell) => cell);
    const name = groups?.names[code] || table.name || context.fallbackName;
    return buildSeries({
      id: name,
      name,
      timeColumn: axis.columns[0]!,
      ...(groups ? { idColumn: groups.columns.join('/') } : {}),
      timeKind: 'instant',
      times: cells.map((cell) => axis.times[rowOf(cell)]! + inDay[cell % inDay.length]!),
      values: cells.map((cell) => values[cell % inDay.length]![rowOf(cell)]!),
      origin: { lineOf: (cell) => table.lineOf(rowOf(cell)) },
      ...(axis.zone ? { zone: axis.zone } : {}),
      ...(context.shownZone ? { shownZone: context.shownZone } : {}),
      ...chosenSteps(layout),
    });
  }).filter((one) => one !== undefined);
  const choices = axis.choice ? [axis.choice] : [];
  // a row of such a table is no step, so no single pattern writes the times of a forecast
  return { series, choices, decimal, axis: { ...axis, samples: [] } };
}

/** Whether most days come after each other: of months and weeks, columns are no hours, whatever they are called. */
function areDaily(times: Float64Array): boolean {
  const days = Float64Array.from(new Set(times.filter((time) => !Number.isNaN(time)))).sort();
  const next = days.filter((day, index) => index > 0 && day === days[index - 1]! + DAY).length;
  return next * 2 >= days.length - 1;
}
