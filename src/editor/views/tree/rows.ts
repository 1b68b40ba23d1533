import { toBase64 } from '#platform/bytes';
import * as vscode from 'vscode';
import { inDigits } from '../../../calendar/digits.ts';
import { parseTimestamp } from '../../../calendar/timestamp.ts';
import { chartView } from '../../../chart/chart-view.ts';
import { PRINT } from '../../../chart/pen.ts';
import { drawScene } from '../../../chart/scene.ts';
import { sparklineOf } from '../../../chart/trace.ts';
import { svgPen } from '../../../chart/svg-pen.ts';
import type { LocalPrediction } from '../../../contract/resources.ts';
import { sketchOf } from '../../../contract/sketch.ts';
import type { Memory } from '../../connection/memory.ts';
import { COMMANDS } from '../../names.ts';
import { canDelete, describeEntry, type Group, kindOf, type Node, type ResourceNode } from './kinds.ts';

const icon = (id: string, color?: string): vscode.ThemeIcon =>
  new vscode.ThemeIcon(id, color === undefined ? undefined : new vscode.ThemeColor(color));

const itemOf = (label: string, state: keyof typeof vscode.TreeItemCollapsibleState, parts: Partial<vscode.TreeItem>) =>
  Object.assign(new vscode.TreeItem(label, vscode.TreeItemCollapsibleState[state]), parts);

export function treeItem(node: Node, now: number): vscode.TreeItem {
  if (node.kind === 'group') return groupItem(node, now);
  if (node.kind === 'more')
    return itemOf(vscode.l10n.t('Load more…'), 'None', {
      description:
        node.total === undefined
          ? vscode.l10n.t('{0} shown', node.loaded)
          : vscode.l10n.t('{0} of {1}', node.loaded, inDigits(node.total)),
      command: { command: COMMANDS.loadMore, title: vscode.l10n.t('Load more'), arguments: [node] },
      iconPath: icon('chevron-down'),
      contextValue: 'more',
    });
  if (node.kind === 'problem') {
    const message = node.error instanceof Error ? node.error.message : String(node.error);
    return itemOf(message, 'None', {
      tooltip: message,
      iconPath: icon('warning', 'list.warningForeground'),
      contextValue: 'problem',
      command: { command: COMMANDS.explainProblem, title: vscode.l10n.t('Explain Problem'), arguments: [node] },
    });
  }
  const { name, label, description } = describeEntry(node, now);
  const { icon: iconOf, context, opens, children } = kindOf(node);
  const title = opens?.(node);
  const words = [node.kind, canDelete(node) && 'deletable', ...(context?.(node) ?? [])];
  return itemOf(label, children !== undefined && node.offers.has(children) ? 'Collapsed' : 'None', {
    id: `${node.serviceId} ${node.kind} ${node.id}`,
    description,
    iconPath: icon(...iconOf(node)),
    contextValue: words.filter(Boolean).join(' '),
    accessibilityInformation: { label: `${name}, ${description}` },
    ...(node.kind === 'prediction' ? {} : { tooltip: hover(node, now) }),
    ...(title === undefined ? {} : { command: { command: COMMANDS.open, title, arguments: [node] } }),
  });
}

function groupItem(node: Group, now: number): vscode.TreeItem {
  const { id, label, entries, batchId } = node;
  const count = inDigits(entries.length);
  if (batchId === undefined) return itemOf(label, 'Expanded', { id, description: count, contextValue: 'group' });
  return itemOf(label, 'Collapsed', {
    id,
    description: vscode.l10n.t('{0} series · {1}', count, describeEntry(entries[0], now).description),
    contextValue: entries.every(canDelete) ? 'group deletable' : 'group',
    iconPath: icon('layers'),
    command: { command: COMMANDS.open, title: vscode.l10n.t('Open Forecasts'), arguments: [node] },
  });
}

const COLORS = { ...PRINT, history: '#8a8a8a', forecast: '#3794ff' };
const SIZE = { width: 240, height: 48 };

/**
 * Lines of text, and a sparkline of a forecast. IDs are behind Copy ID. Text of people and services is escaped.
 * @param prediction the prediction with its series, if it was read
 */
export function hover(node: ResourceNode, now: number, prediction?: LocalPrediction): vscode.MarkdownString {
  const text = new vscode.MarkdownString();
  const { links = [] } = kindOf(node);
  const { name, lines, description } = describeEntry(node, now);
  const { figures = [] } = prediction ? chartView(prediction, { timeZone: 'UTC' }) : {};
  const facts = lines.flatMap(([label, value]) => (value ? [`${label}: ${value}`] : []));
  text.isTrusted = { enabledCommands: links.map(([, command]) => command) };
  text.appendMarkdown('**').appendText(name).appendMarkdown('**');
  for (const line of [description, ...figures.map((figure) => figure.text), ...facts])
    if (line !== '') text.appendMarkdown('  \n').appendText(line);
  const { input_series: past, prediction_series: ahead } = prediction ?? {};
  if (past && ahead) {
    const pen = svgPen(SIZE, COLORS);
    drawScene(pen, sparklineOf(sketchOf(past, ahead)), { left: 2, top: 3, width: 236, height: 42 }, COLORS);
    const drawing = new TextEncoder().encode(pen.document(''));
    text.appendMarkdown(`\n\n![](data:image/svg+xml;base64,${toBase64(drawing)})`);
  }
  if (links.length === 0) return text;
  const argument = encodeURIComponent(JSON.stringify([{ serviceId: node.serviceId, kind: node.kind, id: node.id }]));
  const linked = links.map(([label, command]) => `[${label}](command:${command}?${argument})`);
  return text.appendMarkdown(`\n\n${linked.join(' · ')}`);
}

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

type Head = Omit<Group, 'kind' | 'entries'>;

/** Nodes below their heads, each group where its first node stands. Pinned nodes come first, by themselves. */
function inGroups(nodes: readonly ResourceNode[], headOf: (node: ResourceNode) => Head | undefined): Node[] {
  const pinnedFirst = nodes.toSorted((a, b) => Number(b.isPinned ?? 0) - Number(a.isPinned ?? 0));
  const headed = pinnedFirst.map((node) => ({ node, head: node.isPinned ? undefined : headOf(node) }));
  return [...Map.groupBy(headed, ({ node, head }) => head?.id ?? node.id).values()].flatMap((all): Node[] => {
    const entries = all.map(({ node }) => node);
    const [{ head }] = all;
    return head ? [{ kind: 'group', ...head, entries }] : entries;
  });
}

export const noteKeyOfRun = (batchId: string): string => `run ${batchId}`;

export function inRuns(nodes: readonly ResourceNode[], memory: Pick<Memory, 'recall'>): Node[] {
  const all = inGroups(nodes, ({ kind, item, serviceId }) => {
    const batchId = kind === 'prediction' ? item.batch_id : undefined;
    return batchId === undefined ? undefined : { id: `run ${serviceId} ${batchId}`, label: '', batchId };
  });
  return all.map((node) => {
    if (node.kind !== 'group' || node.batchId === undefined) return node;
    const { entries, batchId } = node;
    const [first] = entries;
    if (entries.length === 1) return first;
    const label = memory.recall(first.serviceId, noteKeyOfRun(batchId))?.label;
    return { ...node, label: label ?? vscode.l10n.t('{0} series', inDigits(entries.length)) };
  });
}

export const grouped = (nodes: readonly ResourceNode[], by: Exclude<Grouping, 'none'>, now: number): Node[] =>
  inGroups(nodes, (node) => {
    const label = by === 'day' ? dayOf(node, now) : fileOf(node);
    return { id: `group ${by} ${label}`, label };
  });

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
