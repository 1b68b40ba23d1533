import * as vscode from 'vscode';
import { COMMANDS, ROWS } from '../../names.ts';
import { type Card, cardOf } from './card.ts';
import { describeEntry } from './describe.ts';
import { canDelete, isUsable, type Node, type ResourceNode } from './node.ts';
import { inDigits } from '../../../calendar/digits.ts';

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
      if (node.isKept && node.item.status === 'COMPLETED')
        return new vscode.ThemeIcon('sync', color('testing.iconPassed'));
      return statusIcon(node.item.status);
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
  if (canDelete(node)) words.push('deletable');
  if (node.kind === 'key' && node.item.secret !== undefined) words.push('secret');
  if (node.kind === 'key' && node.item.status === 'ACTIVE') words.push('active');
  if (node.kind === 'prediction' && node.item.status === 'FAILED') words.push('failed');
  if (node.kind === 'prediction' && node.isPinned) words.push('pinned');
  if (node.kind === 'prediction' && node.isKept) words.push('kept');
  else if (node.kind === 'prediction' && node.note?.source?.uri !== undefined && !node.note.source.isPart)
    words.push('ofFile');
  if (node.kind === 'fineTunedModel' && isUsable(node)) words.push('usable');
  if (node.kind === 'baseModel') words.push('usable');
  if (node.kind === 'series' && node.offers.has('getSeries')) words.push('readable');
  return words.join(' ');
}

/** What a card offers to do, by the kind of its entry. */
const DEEDS: Readonly<Partial<Record<ResourceNode['kind'], readonly (readonly [label: string, command: string])[]>>> = {
  prediction: [
    [vscode.l10n.t('Open Chart'), COMMANDS.open],
    [vscode.l10n.t('Forecast Again'), COMMANDS.forecastAgain],
  ],
  fineTunedModel: [[vscode.l10n.t('Open Model'), COMMANDS.open]],
};

/** A hover; what people or a service wrote is escaped, so that nothing of it becomes markup. */
export function hover(node: ResourceNode, { title, lines, drawing }: Card): vscode.MarkdownString {
  const text = new vscode.MarkdownString();
  const deeds = DEEDS[node.kind] ?? [];
  text.isTrusted = { enabledCommands: deeds.map(([, command]) => command) };
  text.appendMarkdown('**').appendText(title).appendMarkdown('**');
  for (const line of lines) text.appendMarkdown('  \n').appendText(line);
  if (drawing !== undefined) {
    text.appendMarkdown(`\n\n![](data:image/svg+xml;base64,${Buffer.from(drawing).toString('base64')})`);
  }
  if (deeds.length > 0) {
    const argument = encodeURIComponent(JSON.stringify([{ serviceId: node.serviceId, kind: node.kind, id: node.id }]));
    const links = deeds.map(([label, command]) => `[${label}](command:${command}?${argument})`);
    text.appendMarkdown(`\n\n${links.join(' · ')}`);
  }
  return text;
}

/** Paints a node. */
export function treeItem(node: Node, now: number): vscode.TreeItem {
  if (node.kind === 'more') {
    const item = new vscode.TreeItem(vscode.l10n.t('Load more…'));
    item.description =
      node.total === undefined
        ? vscode.l10n.t('{0} shown', node.loaded)
        : vscode.l10n.t('{0} of {1}', node.loaded, inDigits(node.total));
    item.command = { command: ROWS.loadMore, title: vscode.l10n.t('Load more'), arguments: [node] };
    item.iconPath = new vscode.ThemeIcon('chevron-down');
    item.contextValue = 'more';
    return item;
  }
  if (node.kind === 'group') {
    const item = new vscode.TreeItem(node.label, vscode.TreeItemCollapsibleState.Expanded);
    item.id = node.id;
    item.description = String(node.entries.length);
    item.contextValue = 'group';
    return item;
  }
  if (node.kind === 'problem') {
    const message = node.error instanceof Error ? node.error.message : String(node.error);
    const item = new vscode.TreeItem(message);
    item.tooltip = message;
    item.iconPath = new vscode.ThemeIcon('warning', color('list.warningForeground'));
    item.contextValue = 'problem';
    item.command = { command: ROWS.explainProblem, title: vscode.l10n.t('Explain Problem'), arguments: [node] };
    return item;
  }
  const { name, label, description } = describeEntry(node, now);
  const opens = node.kind === 'dataset' && node.offers.has('listDatasetSeries');
  const item = new vscode.TreeItem(label, vscode.TreeItemCollapsibleState[opens ? 'Collapsed' : 'None']);
  item.id = `${node.serviceId} ${node.kind} ${node.id}`;
  item.description = description;
  item.tooltip = node.kind === 'prediction' ? undefined : hover(node, cardOf(node, now));
  item.iconPath = iconOf(node);
  item.contextValue = contextValue(node);
  item.accessibilityInformation = { label: `${name}, ${description}` };
  if (node.kind === 'prediction') {
    item.command = { command: COMMANDS.open, title: vscode.l10n.t('Open Chart'), arguments: [node] };
  }
  if (node.kind === 'series' && node.offers.has('getSeries')) {
    item.command = { command: COMMANDS.open, title: vscode.l10n.t('Plot Series'), arguments: [node] };
  }
  if (node.kind === 'fineTunedModel') {
    item.command = { command: COMMANDS.open, title: vscode.l10n.t('Open Model'), arguments: [node] };
  }
  return item;
}
