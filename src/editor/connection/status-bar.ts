import * as vscode from 'vscode';
import type { Connection } from './connection.ts';
import { COMMANDS } from '../names.ts';

/** Says which service is in use; a click switches. */
export class StatusBar implements vscode.Disposable {
  readonly #item: vscode.StatusBarItem;
  readonly #listener: vscode.Disposable;

  constructor(connection: Connection) {
    this.#item = vscode.window.createStatusBarItem('forecasts.service', vscode.StatusBarAlignment.Right, 90);
    this.#item.name = vscode.l10n.t('Forecast Service');
    this.#item.command = COMMANDS.switchService;
    this.#listener = connection.onDidChange(() => {
      this.#paint(connection);
    });
    this.#paint(connection);
    this.#item.show();
  }

  dispose(): void {
    this.#listener.dispose();
    this.#item.dispose();
  }

  #paint(connection: Connection): void {
    try {
      const { kind, name, id } = connection.current;
      this.#item.text = `$(pulse) ${name}`;
      this.#item.tooltip =
        kind === 'local'
          ? vscode.l10n.t('Forecasts are made on this machine. Click to switch.')
          : vscode.l10n.t('Forecast service: {0}. Click to switch.', id);
    } catch (error) {
      this.#item.text = vscode.l10n.t('$(warning) No forecast service');
      this.#item.tooltip = error instanceof Error ? error.message : String(error);
    }
  }
}
