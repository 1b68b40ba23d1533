import { toBase64 } from '#platform/bytes';
import * as vscode from 'vscode';
import { inDigits } from '../../../calendar/digits.ts';
import { chartView } from '../../../chart/chart-view.ts';
import type { Points } from '../../../chart/types.ts';
import type { LocalPrediction } from '../../../contract/resources.ts';
import { COMMANDS, ROWS } from '../../names.ts';
import { canDelete, describeEntry, type Entry, type Group, kindOf, type Node, type ResourceNode } from './kinds.ts';

const icon = (id: string, color?: string): vscode.ThemeIcon =>
  new vscode.ThemeIcon(id, color === undefined ? undefined : new vscode.ThemeColor(color));

export function treeItem(node: Node, now: number): vscode.TreeItem {
  if (node.kind === 'more') return moreItem(node);
  if (node.kind === 'group') return groupItem(node, now);
  return node.kind === 'problem' ? problemItem(node) : entryItem(node, now);
}

function entryItem(node: ResourceNode, now: number): vscode.TreeItem {
  const { name, label, description } = describeEntry(node, now);
  const { icon: iconOf, context, opens, children } = kindOf(node);
  const hasChildren = children !== undefined && node.offers.has(children);
  const item = new vscode.TreeItem(label, vscode.TreeItemCollapsibleState[hasChildren ? 'Collapsed' : 'None']);
  item.id = `${node.serviceId} ${node.kind} ${node.id}`;
  item.description = description;
  item.tooltip = node.kind === 'prediction' ? undefined : hover(node, cardOf(node, now));
  item.iconPath = icon(...iconOf(node));
  const words = [node.kind, canDelete(node) && 'deletable', ...(context?.(node) ?? [])];
  item.contextValue = words.filter(Boolean).join(' ');
  item.accessibilityInformation = { label: `${name}, ${description}` };
  const title = opens?.(node);
  if (title !== undefined) item.command = { command: COMMANDS.open, title, arguments: [node] };
  return item;
}

function moreItem(node: Node & { kind: 'more' }): vscode.TreeItem {
  const item = new vscode.TreeItem(vscode.l10n.t('Load more…'));
  const { loaded, total } = node;
  item.description =
    total === undefined ? vscode.l10n.t('{0} shown', loaded) : vscode.l10n.t('{0} of {1}', loaded, inDigits(total));
  item.command = { command: ROWS.loadMore, title: vscode.l10n.t('Load more'), arguments: [node] };
  item.iconPath = icon('chevron-down');
  item.contextValue = 'more';
  return item;
}

function groupItem(node: Group, now: number): vscode.TreeItem {
  const { id, label, entries, batchId } = node;
  const isRun = batchId !== undefined;
  const item = new vscode.TreeItem(label, vscode.TreeItemCollapsibleState[isRun ? 'Collapsed' : 'Expanded']);
  item.id = id;
  const count = inDigits(entries.length);
  item.description = isRun
    ? vscode.l10n.t('{0} series · {1}', count, describeEntry(entries[0], now).description)
    : count;
  item.contextValue = isRun && entries.every(canDelete) ? 'group deletable' : 'group';
  if (isRun) {
    item.iconPath = icon('layers');
    item.command = { command: COMMANDS.open, title: vscode.l10n.t('Open Forecasts'), arguments: [node] };
  }
  return item;
}

function problemItem(node: Node & { kind: 'problem' }): vscode.TreeItem {
  const message = node.error instanceof Error ? node.error.message : String(node.error);
  const item = new vscode.TreeItem(message);
  item.tooltip = message;
  item.iconPath = icon('warning', 'list.warningForeground');
  item.contextValue = 'problem';
  item.command = { command: ROWS.explainProblem, title: vscode.l10n.t('Explain Problem'), arguments: [node] };
  return item;
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
