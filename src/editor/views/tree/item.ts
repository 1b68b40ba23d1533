import * as vscode from 'vscode';
import { COMMANDS } from '../../connection/names.ts';
import { describeEntry } from './describe.ts';
import { isUsable, DELETIONS, type Node, type ResourceNode } from './node.ts';

const color = (id: string) => new vscode.ThemeColor(id);

/** The icon of a status; one that the interface does not name gets a question mark. */
function statusIcon(status: string): vscode.ThemeIcon {
  switch (status) {
    case 'QUEUED':
      return new vscode.ThemeIcon('circle-outline');
    case 'IN_PROGRESS':
      return new vscode.ThemeIcon('sync~spin');
    case 'COMPLETED':
      return new vscode.ThemeIcon('pass', color('testing.iconPassed'));
    case 'FAILED':
      return new vscode.ThemeIcon('error', color('testing.iconFailed'));
    default:
      return new vscode.ThemeIcon('question');
  }
}

function iconOf(node: ResourceNode): vscode.ThemeIcon {
  switch (node.kind) {
    case 'prediction':
    case 'fineTunedModel':
      return statusIcon(node.item.status);
    case 'dataset':
      return new vscode.ThemeIcon('database');
    case 'series':
      return new vscode.ThemeIcon('graph-line');
    case 'baseModel':
      return new vscode.ThemeIcon('circuit-board');
    case 'key':
      return new vscode.ThemeIcon('key', node.item.status === 'ACTIVE' ? undefined : color('disabledForeground'));
  }
}

/** What the menus may offer for a node: its kind, then words that `when` clauses look for. */
function contextValue(node: ResourceNode): string {
  const words: string[] = [node.kind];
  if (node.kind in DELETIONS && node.offers.has(DELETIONS[node.kind as keyof typeof DELETIONS]))
    words.push('deletable');
  if (node.kind === 'key' && node.item.secret !== undefined) words.push('secret');
  if (node.kind === 'key' && node.item.status === 'ACTIVE') words.push('active');
  if (node.kind === 'prediction' && node.item.status === 'FAILED') words.push('failed');
  if (node.kind === 'fineTunedModel' && isUsable(node)) words.push('usable');
  if (node.kind === 'baseModel') words.push('usable');
  return words.join(' ');
}

/** A tooltip of names and values; the values are escaped, so that nothing of a service becomes markup. */
function tooltip(title: string, lines: readonly (readonly [string, string | undefined])[]): vscode.MarkdownString {
  const text = new vscode.MarkdownString();
  text.appendMarkdown('**').appendText(title).appendMarkdown('**');
  for (const [name, value] of lines) {
    if (value) text.appendMarkdown('  \n').appendText(`${name}: ${value}`);
  }
  return text;
}

/** Paints a node. */
export function treeItem(node: Node, now: number): vscode.TreeItem {
  if (node.kind === 'more') {
    const item = new vscode.TreeItem('Load more…');
    item.description =
      node.total === undefined ? `${node.loaded} shown` : `${node.loaded} of ${node.total.toLocaleString('en')}`;
    item.command = { command: COMMANDS.loadMore, title: 'Load more', arguments: [node] };
    item.iconPath = new vscode.ThemeIcon('chevron-down');
    item.contextValue = 'more';
    return item;
  }
  if (node.kind === 'problem') {
    const message = node.error instanceof Error ? node.error.message : String(node.error);
    const item = new vscode.TreeItem(message);
    item.tooltip = message;
    item.iconPath = new vscode.ThemeIcon('warning', color('list.warningForeground'));
    item.contextValue = 'problem';
    item.command = { command: COMMANDS.explainProblem, title: 'Explain Problem', arguments: [node] };
    return item;
  }
  const { label, description, lines } = describeEntry(node, now);
  const opens = node.kind === 'dataset' && node.offers.has('listDatasetSeries');
  const item = new vscode.TreeItem(label, vscode.TreeItemCollapsibleState[opens ? 'Collapsed' : 'None']);
  item.id = `${node.serviceId} ${node.kind} ${node.id}`;
  item.description = description;
  item.tooltip = tooltip(label, lines);
  item.iconPath = iconOf(node);
  item.contextValue = contextValue(node);
  item.accessibilityInformation = { label: `${label}, ${description}` };
  if (node.kind === 'prediction') {
    item.command = { command: COMMANDS.openChart, title: 'Open Chart', arguments: [node] };
  }
  if (node.kind === 'fineTunedModel') {
    item.command = { command: COMMANDS.openModel, title: 'Open Model', arguments: [node] };
  }
  return item;
}
