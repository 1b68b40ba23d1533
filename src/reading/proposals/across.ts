import { DAY, civilOf, daysInMonth } from '../../calendar/civil.ts';
import { instantOf } from '../../calendar/timestamp.ts';
import type { TimeAxis } from '../columns/axis.ts';
import type { Column } from '../columns/column.ts';
import { isUnnamed } from '../columns/names.ts';
import type { Table } from '../columns/table.ts';
import type { TimeKind } from '../types.ts';
import { monthOfName } from '../values/months.ts';
import { headerTimes } from './header-times.ts';
import { hoursOfNames } from './hour-names.ts';

/**
 * What the names of columns say of the time of the values below them: by themselves, or as a part of the time of their row
 * (a month of its year, an hour of its day), or only their order.
 */
export interface Across {
  readonly kind: 'times' | 'months' | 'hours' | 'days' | 'steps';
  readonly columns: readonly Column[];
  /** For each of the columns: epoch milliseconds, the month from 1, milliseconds since midnight, the day or the step from 0. */
  readonly at: readonly number[];
  readonly timeKind: TimeKind;
}

/** Share of the columns with such names that must have numbers. */
const LEAST_NUMERIC = 0.9;
/** Fewer numbered columns are measures rather than steps. */
const FEWEST_STEPS = 5;

/** All that the names of a table's columns can be read as. */
export function namesAcross(table: Table): readonly Across[] {
  const names = table.columns.map(({ name }) => (isUnnamed(name) ? '' : name.trim()));
  const header = headerTimes(names);
  return [
    across('times', table, header?.times, header?.period ? 'period' : 'date'),
    across('months', table, monthsOf(names), 'period'),
    across('hours', table, hoursOfNames(table.columns.map(({ name }) => name)), 'instant'),
    across('days', table, daysOf(names), 'date'),
    across('steps', table, stepsOf(names), 'row'),
  ].filter((each) => each !== undefined);
}

function across(kind: Across['kind'], table: Table, at: readonly number[] | undefined, timeKind: TimeKind) {
  if (!at) return undefined;
  const timed = table.columns.map((column, index) => ({ column, at: at[index]! })).filter((each) => !Number.isNaN(each.at)); // prettier-ignore
  const numeric = timed.filter(({ column }) => column.numbers !== undefined || column.filled === 0);
  if (numeric.length < timed.length * LEAST_NUMERIC) return undefined;
  return { kind, columns: numeric.map(({ column }) => column), at: numeric.map((each) => each.at), timeKind };
}

/** Months or quarters of a year, each once and in order. */
function monthsOf(names: readonly string[]): readonly number[] | undefined {
  const quarters = names.map((name) => Number(/^[QTK]([1-4])$/i.exec(name)?.[1] ?? NaN) * 3 - 2);
  if (quarters.filter((each) => !Number.isNaN(each)).length === 4) return quarters;
  const seen = new Set<number>();
  const months = names.map((name) => {
    const month = /^\p{L}{3,}\.?$/u.test(name) ? (monthOfName(name) ?? NaN) : numberedMonth(name);
    if (Number.isNaN(month) || seen.has(month)) return NaN;
    seen.add(month);
    return month;
  });
  return seen.size === 12 ? months : undefined;
}

const NUMBERED_MONTH = /^(?:[MP](\d{1,2})|(\d{1,2})\s?[月월])$/iu;

const numberedMonth = (name: string): number => {
  const [, coded, counted] = NUMBERED_MONTH.exec(name) ?? [];
  const month = Number(coded ?? counted ?? NaN);
  return month >= 1 && month <= 12 ? month : NaN;
};

/** The days of a month, 1 to 28 or more. */
function daysOf(names: readonly string[]): readonly number[] | undefined {
  const days = names.map((name) => (/^\d{1,2}\.?$/.test(name) ? parseInt(name, 10) : NaN));
  const known = days.filter((day) => !Number.isNaN(day));
  if (known.length < 28 || known.length > 31 || known.length === names.length) return undefined;
  return known.every((day, index) => day === index + 1) ? days.map((day) => day - 1) : undefined;
}

/** `d_1 … d_1913`, `Week 1 …`: one word and numbers one after the other, in most columns. */
function stepsOf(names: readonly string[]): readonly number[] | undefined {
  const parts = names.map((name) => /^(\p{L}[\p{L}_ .-]{0,20}?)[_ .-]?(\d{1,6})$/u.exec(name));
  const words = parts.map((part) => part?.[1]?.toLowerCase());
  const word = words.toReversed().find((each) => each !== undefined);
  const steps = parts.map((part, index) => (words[index] === word ? Number(part?.[2] ?? NaN) : NaN));
  const known = steps.filter((step) => !Number.isNaN(step));
  if (known.length < FEWEST_STEPS || known.length < names.length / 2) return undefined;
  const first = known[0]!;
  return known.every((step, index) => step === first + index) ? steps.map((step) => step - first) : undefined;
}

/** The instant of a cell, `NaN` for the 30th of February. @param row epoch milliseconds of its row's own time */
export function instantOfCell({ kind }: Across, row: number, at: number): number {
  if (kind === 'times' || kind === 'steps') return kind === 'steps' ? at * 1000 : at;
  if (Number.isNaN(row)) return NaN;
  const { year, month } = civilOf(row);
  if (kind === 'months') return instantOf(year, at, 1);
  if (kind === 'days') return at < daysInMonth(year, month) ? row + at * DAY : NaN;
  return row + at;
}

/** Whether rows of such an axis have what columns of such names lack. */
export function completes(axis: TimeAxis, { kind }: Across): boolean {
  if (kind === 'months') return axis.kind === 'period' && areAll(axis.times, (time) => civilOf(time).month === 1);
  if (kind === 'days') return axis.kind === 'period' || areAll(axis.times, (time) => civilOf(time).day === 1);
  return kind === 'hours' && axis.kind === 'date' && axis.columns.length === 1 && areDaily(axis);
}

/** Whether most days come after each other: of months and weeks, columns are no hours, whatever they are called. */
function areDaily({ times, choice }: TimeAxis): boolean {
  const days = Float64Array.from(new Set(times.filter((time) => !Number.isNaN(time)))).sort();
  const next = days.filter((day, index) => index > 0 && day === days[index - 1]! + DAY).length;
  return next * 2 >= days.length - 1 || choice?.kind === 'date-order';
}

const areAll = (times: Float64Array, test: (time: number) => boolean): boolean =>
  times.every((time) => Number.isNaN(time) || test(time));
