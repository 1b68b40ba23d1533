import * as vscode from 'vscode';
import { parseTimestamp } from '../../../calendar/timestamp.ts';
import type { LocalPrediction } from '../../../contract/local.ts';
import type { OutgoingPoint } from '../../../reading/points.ts';
import type { Supposed } from './protocol.ts';

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
