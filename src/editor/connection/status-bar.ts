import * as vscode from 'vscode';
import { COMMANDS } from '../names.ts';
import type { Connection } from './connection.ts';

export function statusBar(connection: Connection): vscode.Disposable {
  const item = vscode.window.createStatusBarItem('forecasts.service', vscode.StatusBarAlignment.Right, 90);
  item.name = vscode.l10n.t('Forecast Service');
  item.command = COMMANDS.switchService;
  const paint = () => {
    try {
      const { kind, name, id } = connection.current;
      item.text = `$(pulse) ${name}`;
      item.tooltip =
        kind === 'local'
          ? vscode.l10n.t('Forecasts are made on this machine. Click to switch.')
          : vscode.l10n.t('Forecast service: {0}. Click to switch.', id);
    } catch (error) {
      item.text = vscode.l10n.t('$(warning) No forecast service');
      item.tooltip = error instanceof Error ? error.message : String(error);
    }
  };
  paint();
  item.show();
  return vscode.Disposable.from(item, connection.onDidChange(paint));
}
