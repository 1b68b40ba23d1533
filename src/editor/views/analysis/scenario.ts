import * as vscode from 'vscode';
import { parseTimestamp } from '../../../calendar/timestamp.ts';
import type { Points } from '../../../chart/types.ts';
import type { LocalPrediction } from '../../../contract/local.ts';
import type { OutgoingPoint } from '../../../reading/points.ts';
import type { Supposed } from './protocol.ts';
import { inSignificant } from '../../../calendar/digits.ts';

type Cells = Readonly<Record<string, unknown>>;

/** The points of a prediction with another future of what is known: values that are `null` are taken away. */
export function supposedSeries(
  { input_series: given = [], prediction_series: ahead = [] }: LocalPrediction,
  cells: readonly Supposed[],
): OutgoingPoint[] {
  const points = given ?? [];
  const byTime = Map.groupBy(cells, ({ time }) => time);
  const switches = new Set<string>();
  for (const { metadata } of points)
    for (const [name, cell] of Object.entries((metadata?.covariates ?? {}) as Cells))
      if (typeof cell === 'boolean') switches.add(name);
  const changed = (metadata: Cells | undefined, changes: readonly Supposed[]) => {
    const known = new Map(Object.entries((metadata?.covariates ?? {}) as Cells));
    for (const { column, value } of changes) {
      if (value === null) known.delete(column);
      else known.set(column, switches.has(column) ? value === 1 : value);
    }
    return { ...metadata, covariates: Object.fromEntries(known) };
  };
  const known = points.map(({ timestamp, value, metadata }): OutgoingPoint => {
    const time = parseTimestamp(timestamp);
    const changes = value === undefined ? byTime.get(time) : undefined;
    byTime.delete(time);
    const now = changes ? changed(metadata, changes) : metadata;
    return { timestamp, value: value ?? null, ...(now ? { metadata: now } : {}) };
  });
  // steps of the forecast of which nothing was known
  const further = (ahead ?? []).flatMap(({ timestamp, metadata }): OutgoingPoint[] => {
    const changes = byTime.get(parseTimestamp(timestamp));
    const row = typeof metadata?.row === 'number' ? { row: metadata.row } : undefined;
    return changes ? [{ timestamp, value: null, metadata: changed(row, changes) }] : [];
  });
  return [...known, ...further];
}

const sumOf = (values: Iterable<number>): number => [...values].reduce((sum, value) => sum + value, 0);
const figure = (value: number): string => inSignificant(value, 4);
const percentOf = (change: number, before: number): string | undefined => {
  const percent = (100 * change) / Math.abs(before);
  return Number.isFinite(percent) ? `${signed(Number(percent.toPrecision(2)))} %` : undefined;
};
const signed = (value: number): string => `${value > 0 ? '+' : value < 0 ? '−' : '±'}${figure(Math.abs(value))}`;

/** “1,374 (+12 %)”: all steps of a line together, beside another one of the same steps. */
export function totalOf(line: Points, main: Points | undefined): string {
  const total = sumOf(line.values);
  if (!main || !isSameSteps(line, main)) return figure(total);
  const before = sumOf(main.values);
  const change = percentOf(total - before, before) ?? signed(total - before);
  return `${figure(total)} (${change})`;
}

/** How a forecast differs from another one, in a sentence. */
export function differenceWords(
  name: string,
  line: Points,
  mainName: string,
  main: Points,
  at: (time: number) => string,
): string | undefined {
  const other = new Map([...main.times].map((time, step) => [time, main.values[step]]));
  const steps = [...line.times].flatMap((time, step) => {
    const before = other.get(time);
    return before === undefined ? [] : [{ time, change: line.values[step] - before, before }];
  });
  if (steps.length === 0) return undefined;
  const total = sumOf(steps.map(({ change }) => change));
  const largest = steps.reduce((a, b) => (Math.abs(b.change) > Math.abs(a.change) ? b : a));
  if (largest.change === 0) return vscode.l10n.t('“{0}” is the same as “{1}” at every step.', name, mainName);
  const before = sumOf(steps.map((step) => step.before));
  const share = percentOf(total, before) ?? signed(total);
  const most = vscode.l10n.t('the most at {0}: {1}', at(largest.time), signed(largest.change));
  const all = { count: steps.length, by: figure(Math.abs(total)) };
  return total >= 0
    ? vscode.l10n.t('“{0}” is {1} higher than “{2}” over the {3} steps ({4}), {5}.', name, all.by, mainName, all.count, share, most) // prettier-ignore
    : vscode.l10n.t('“{0}” is {1} lower than “{2}” over the {3} steps ({4}), {5}.', name, all.by, mainName, all.count, share, most); // prettier-ignore
}

const isSameSteps = (a: Points, b: Points): boolean =>
  a.times.length === b.times.length && a.times.every((time, step) => time === b.times[step]);

/** A name for a scenario that has none: what is supposed, of few columns. */
export function scenarioName(cells: readonly Supposed[]): string {
  const byColumn = [...Map.groupBy(cells, ({ column }) => column)];
  const [[column, own] = ['', []]] = byColumn;
  const values = new Set(own.map(({ value }) => value));
  if (byColumn.length > 1 || values.size > 1) return byColumn.map(([name]) => name).join(', ');
  const value = String(own[0]?.value ?? '–');
  return own.length === 1
    ? vscode.l10n.t('{0} {1} at 1 step', column, value)
    : vscode.l10n.t('{0} {1} at {2} steps', column, value, own.length);
}
