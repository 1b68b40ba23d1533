import type { TimeAxis } from '../columns/axis.ts';
import type { Column } from '../columns/column.ts';
import type { Table } from '../columns/table.ts';
import type { LayoutChoice } from '../types.ts';
import { isMissing } from '../values/numbers.ts';
import { completes, instantOfCell, namesAcross, type Across } from './across.ts';
import { findAxes, rowAxis } from './axes.ts';
import { codesOf, joinGroups, type Groups } from './groups.ts';
import { findKeys } from './keys.ts';
import { rowParts } from './parts.ts';
import type { Proposal } from './proposal.ts';

/** Columns that are only numbered say nothing of times. */
const STEPS_PRIOR = -0.1;
/** What is written on both axes is no accident. */
const BOTH_PRIOR = 0.1;

/** Readings of a table whose times run across, alone or together with those of its rows. */
export function proposeAcross(table: Table, layout: LayoutChoice, hint: 'dmy' | 'mdy'): readonly Proposal[] {
  if (layout.timeColumn !== undefined || layout.valueColumns) return [];
  return namesAcross(table).flatMap((names) => {
    if (names.kind === 'times') return [...matrixOfParts(table, names), wide(table, names)];
    if (names.kind === 'steps') return isLabelled(table, names) ? [wide(table, names)] : [];
    return matrixOfRows(table, names, layout, hint);
  });
}

/** A series to each row. */
function wide(table: Table, names: Across): Proposal {
  const { columns, at, kind, timeKind } = names;
  const labels = table.columns.filter((column) => !columns.includes(column));
  const groups = labelsOf(labels, table.rows);
  const timeOf = (_: number, index: number) => instantOfCell(names, NaN, at[index]!);
  const axis = { ...rowAxis(table), kind: timeKind };
  return {
    id: JSON.stringify(['across', kind]),
    axis,
    ...(groups ? { groups } : {}),
    values: [],
    across: { columns, timeKind, timeOf, isShared: true },
    prior: kind === 'steps' ? STEPS_PRIOR : BOTH_PRIOR,
  };
}

/** Rows that have a label each, and no time of their own. */
const isLabelled = (table: Table, { columns }: Across): boolean =>
  table.columns.some((column) => column.texts && !columns.includes(column));

/** Days, months and years across with the hours or months of the rows. */
function matrixOfParts(table: Table, names: Across): Proposal[] {
  const free = table.columns.filter((column) => !names.columns.includes(column) && column.filled > 0);
  return rowParts(free, names.at).map(({ column, timeOf }) => {
    const axis: TimeAxis = { ...rowAxis(table), times: timeOf, kind: 'period', columns: [column.name] };
    const keys = findKeys(table, axis, free.filter((each) => each !== column)); // prettier-ignore
    const groups = keys.length > 0 ? joinGroups(keys, table.rows) : undefined;
    const isHour = names.timeKind === 'date';
    return {
      id: JSON.stringify(['across', 'times', column.name]),
      axis,
      ...(groups ? { groups } : {}),
      values: [],
      across: {
        columns: names.columns,
        timeKind: isHour ? 'instant' : 'period',
        timeOf: (row: number, index: number) =>
          isHour
            ? names.at[index]! + timeOf[row]!
            : instantOfCell({ ...names, kind: 'months' }, names.at[index]!, timeOf[row]!),
        isShared: false,
      },
      prior: BOTH_PRIOR,
    };
  });
}

/** Parts of the time of each row across: months of its year, hours of its day, days of its month. */
function matrixOfRows(table: Table, names: Across, layout: LayoutChoice, hint: 'dmy' | 'mdy'): Proposal[] {
  const axes = findAxes(table, layout, hint).filter(({ axis }) => completes(axis, names));
  return axes.slice(0, 1).map(({ axis, prior }) => {
    const free = table.columns.filter(({ name, filled }) => !axis.columns.includes(name) && filled > 0);
    const keys = findKeys(table, axis, free.filter((column) => !names.columns.includes(column))); // prettier-ignore
    const groups = keys.length > 0 ? joinGroups(keys, table.rows) : undefined;
    const timeOf = (row: number, index: number) => instantOfCell(names, axis.times[row]!, names.at[index]!);
    return {
      id: JSON.stringify(['across', names.kind]),
      axis,
      ...(groups ? { groups } : {}),
      values: [],
      across: { columns: names.columns, timeKind: names.timeKind, timeOf, isShared: false },
      prior: prior + BOTH_PRIOR,
    };
  });
}

/** The columns that name the series of rows: one whose texts are all different, else all that differ at all. */
function labelsOf(columns: readonly Column[], rows: number): Groups | undefined {
  const labels = columns.filter((column) => column.texts);
  const telling = labels.filter((column) => codesOf(column).names.length > 1);
  const unique = telling.find((column) => {
    const { names } = codesOf(column);
    return names.length === rows && !names.some(isMissing);
  });
  const chosen = unique ? [unique] : telling.length > 0 ? telling : labels;
  const parts = chosen.map(codesOf);
  const names = Array.from({ length: rows }, (_, row) =>
    parts.map(({ codes, names: own }) => own[codes[row]!] ?? '').filter((part) => !isMissing(part)).join('/'),
  ); // prettier-ignore
  return chosen.length === 0
    ? undefined
    : { codes: Float64Array.from({ length: rows }, (_, row) => row), names, columns: chosen.map(({ name }) => name) };
}
