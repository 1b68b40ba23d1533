import * as vscode from 'vscode';
import { inDigits } from '../../../calendar/digits.ts';
import { parseTimestamp } from '../../../calendar/timestamp.ts';
import { describeEntry, type Group, type Node, type ResourceNode } from './kinds.ts';

export const GROUPINGS = ['none', 'file', 'day'] as const;
export type Grouping = (typeof GROUPINGS)[number];

/** Whether the row of an entry, or its status or model, has every word of a filter. */
export function matches(node: ResourceNode, filter: string, now: number): boolean {
  const { name, description } = describeEntry(node, now);
  const further = node.kind === 'prediction' ? [node.item.status, node.item.ai_model_id ?? ''] : [];
  const text = [name, description, ...further].join(' ').toLowerCase().replaceAll('_', ' ');
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

const isPinned = (node: ResourceNode): boolean => node.kind === 'prediction' && node.isPinned === true;

/** Pinned entries, then the others in groups. */
export function grouped(nodes: readonly ResourceNode[], by: Exclude<Grouping, 'none'>, now: number): Node[] {
  const others = nodes.filter((node) => !isPinned(node));
  const groups = Map.groupBy(others, (node) => (by === 'day' ? dayOf(node, now) : fileOf(node)));
  return [
    ...nodes.filter(isPinned),
    ...[...groups].map(([label, entries]): Group => ({ kind: 'group', id: `group ${by} ${label}`, label, entries })),
  ];
}

export const noteKeyOfRun = (batchId: string): string => `run ${batchId}`;

/** The entries with those of one run as one row. */
export function inRuns(
  nodes: readonly ResourceNode[],
  labelOf: (serviceId: string, batchId: string) => string | undefined,
): Node[] {
  const runOf = ({ kind, item }: ResourceNode) => (kind === 'prediction' ? item.batch_id : undefined);
  const all = Map.groupBy(nodes, (node) =>
    isPinned(node) ? node.id : `run ${node.serviceId} ${runOf(node) ?? node.id}`,
  );
  return [...all].map(([id, entries]): Node => {
    const [first] = entries;
    const batchId = runOf(first);
    if (entries.length === 1 || batchId === undefined) return first;
    const label = labelOf(first.serviceId, batchId) ?? vscode.l10n.t('{0} series', inDigits(entries.length));
    return { kind: 'group', id, label, entries, batchId };
  });
}

const fileOf = (node: ResourceNode): string =>
  (node.kind === 'prediction' ? node.note?.source?.fileName : undefined) ?? vscode.l10n.t('Not from a file');

/** The day in the person’s time zone: “Today”, “Yesterday”, or as in ISO 8601. */
function dayOf(node: ResourceNode, now: number): string {
  const made = node.kind === 'prediction' ? parseTimestamp(node.item.created_at ?? '') : NaN;
  if (Number.isNaN(made)) return vscode.l10n.t('No date');
  const day = (time: number) => new Date(time - new Date(time).getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
  if (day(made) === day(now)) return vscode.l10n.t('Today');
  return day(made) === day(now - 86_400_000) ? vscode.l10n.t('Yesterday') : day(made);
}
