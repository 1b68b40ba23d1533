import { toBase64 } from '#platform/bytes';
import * as vscode from 'vscode';
import { inDigits } from '../../../calendar/digits.ts';
import { chartView } from '../../../chart/chart-view.ts';
import type { Points } from '../../../chart/types.ts';
import type { LocalPrediction } from '../../../contract/resources.ts';
import { COMMANDS, ROWS } from '../../names.ts';
import { canDelete, describeEntry, type Entry, type Group, kindOf, type Node, type ResourceNode } from './kinds.ts';
import { parseTimestamp } from '../../../calendar/timestamp.ts';

const icon = (id: string, color?: string): vscode.ThemeIcon =>
  new vscode.ThemeIcon(id, color === undefined ? undefined : new vscode.ThemeColor(color));

export function treeItem(node: Node, now: number): vscode.TreeItem {
  if (node.kind === 'more') return moreItem(node);
  if (node.kind === 'group') return groupItem(node, now);
  return node.kind === 'problem' ? problemItem(node) : entryItem(node, now);
}

const itemOf = (label: string, state: keyof typeof vscode.TreeItemCollapsibleState, parts: Partial<vscode.TreeItem>) =>
  Object.assign(new vscode.TreeItem(label, vscode.TreeItemCollapsibleState[state]), parts);

function entryItem(node: ResourceNode, now: number): vscode.TreeItem {
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
    ...(node.kind === 'prediction' ? {} : { tooltip: hover(node, cardOf(node, now)) }),
    ...(title === undefined ? {} : { command: { command: COMMANDS.open, title, arguments: [node] } }),
  });
}

const moreItem = (node: Node & { kind: 'more' }): vscode.TreeItem =>
  itemOf(vscode.l10n.t('Load more…'), 'None', {
    description:
      node.total === undefined
        ? vscode.l10n.t('{0} shown', node.loaded)
        : vscode.l10n.t('{0} of {1}', node.loaded, inDigits(node.total)),
    command: { command: ROWS.loadMore, title: vscode.l10n.t('Load more'), arguments: [node] },
    iconPath: icon('chevron-down'),
    contextValue: 'more',
  });

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

function problemItem(node: Node & { kind: 'problem' }): vscode.TreeItem {
  const message = node.error instanceof Error ? node.error.message : String(node.error);
  return itemOf(message, 'None', {
    tooltip: message,
    iconPath: icon('warning', 'list.warningForeground'),
    contextValue: 'problem',
    command: { command: ROWS.explainProblem, title: vscode.l10n.t('Explain Problem'), arguments: [node] },
  });
}

/** The hover of an entry: lines of text and a sparkline. IDs are behind Copy ID. */
export interface Card {
  readonly title: string;
  readonly lines: readonly string[];
  readonly drawing?: string;
}

/** @param prediction the prediction with its series, if it was read */
export function cardOf(entry: Entry, now: number, prediction?: LocalPrediction): Card {
  const { name: title, lines, description } = describeEntry(entry, now);
  const { figures = [], history, forecast } = prediction ? chartView(prediction, { timeZone: 'UTC' }) : {};
  const facts = lines.flatMap(([label, value]) => (value ? [`${label}: ${value}`] : []));
  return {
    title,
    lines: [description, ...figures.map(({ text }) => text), ...facts].filter((line) => line !== ''),
    ...(history && forecast ? { drawing: sparkline(history, forecast) } : {}),
  };
}

/** A hover. Text of people and services is escaped. */
export function hover(node: ResourceNode, { title, lines, drawing }: Card): vscode.MarkdownString {
  const text = new vscode.MarkdownString();
  const { links = [] } = kindOf(node);
  text.isTrusted = { enabledCommands: links.map(([, command]) => command) };
  text.appendMarkdown('**').appendText(title).appendMarkdown('**');
  for (const line of lines) text.appendMarkdown('  \n').appendText(line);
  if (drawing !== undefined)
    text.appendMarkdown(`\n\n![](data:image/svg+xml;base64,${toBase64(new TextEncoder().encode(drawing))})`);
  if (links.length > 0) {
    const argument = encodeURIComponent(JSON.stringify([{ serviceId: node.serviceId, kind: node.kind, id: node.id }]));
    text.appendMarkdown(
      `\n\n${links.map(([label, command]) => `[${label}](command:${command}?${argument})`).join(' · ')}`,
    );
  }
  return text;
}

const SIZE = { width: 240, height: 48 };
const PAST = 4;
/** Visible on light and dark themes. */
const COLORS = { history: '#8a8a8a', forecast: '#3794ff' };

/** The end of a history and the forecast as a small SVG document; gaps are drawn over. */
export function sparkline(history: Points, forecast: Points): string {
  const { width, height } = SIZE;
  const past = [...history.values.subarray(-Math.max(24, PAST * forecast.values.length))].filter(Number.isFinite);
  const all = [...past, ...[...forecast.values].filter(Number.isFinite)];
  const low = Math.min(...all);
  const span = Math.max(...all) - low || 1;
  const last = Math.max(1, all.length - 1);
  const line = (from: number, to: number, color: string) => {
    const points = all.slice(from, to).map((value, index) => {
      const x = 2 + ((from + index) / last) * (width - 4);
      return `${x.toFixed(1)},${(height - 3 - ((value - low) / span) * (height - 6)).toFixed(1)}`;
    });
    return `<polyline points="${points.join(' ')}" fill="none" stroke="${color}" stroke-width="1.5" stroke-linejoin="round"/>`;
  };
  const lines = [line(0, past.length, COLORS.history), line(Math.max(0, past.length - 1), all.length, COLORS.forecast)];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${String(width)}" height="${String(height)}">${lines.join('')}</svg>`;
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

const isPinned = (node: ResourceNode): boolean => node.kind === 'prediction' && node.isPinned === true;

export function grouped(nodes: readonly ResourceNode[], by: Exclude<Grouping, 'none'>, now: number): Node[] {
  const others = nodes.filter((node) => !isPinned(node));
  const groups = Map.groupBy(others, (node) => (by === 'day' ? dayOf(node, now) : fileOf(node)));
  return [
    ...nodes.filter(isPinned),
    ...[...groups].map(([label, entries]): Group => ({ kind: 'group', id: `group ${by} ${label}`, label, entries })),
  ];
}

export const noteKeyOfRun = (batchId: string): string => `run ${batchId}`;

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
