import * as vscode from 'vscode';
import { parseTimestamp } from '../../../calendar/timestamp.ts';

/** “2 min ago”; `undefined` for a time that cannot be read. */
export function ago(when: string | number = '', now = Date.now()): string | undefined {
  const time = typeof when === 'number' ? when : parseTimestamp(when);
  if (Number.isNaN(time)) return undefined;
  const minutes = Math.floor((now - time) / 60_000);
  if (minutes < 1) return vscode.l10n.t('just now');
  if (minutes < 60) return vscode.l10n.t('{0} min ago', minutes);
  if (minutes < 24 * 60) return vscode.l10n.t('{0} h ago', Math.floor(minutes / 60));
  return minutes < 7 * 24 * 60
    ? vscode.l10n.t('{0} d ago', Math.floor(minutes / 1440))
    : new Date(time).toISOString().slice(0, 10);
}
