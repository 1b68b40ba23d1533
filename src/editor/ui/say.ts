import * as vscode from 'vscode';
import { inBackground } from './background.ts';

/** Text without the links, of commands too, that VS Code makes of `[text](target)` in notifications and prompts. */
export const plain = (text: string): string => text.replaceAll('](', ']\u200b(');

/** All notifications, with {@link plain} texts. */
export const say = {
  error: (message: string, ...buttons: string[]): Thenable<string | undefined> =>
    vscode.window.showErrorMessage(plain(message), ...buttons),
  warning: (message: string, ...buttons: string[]): Thenable<string | undefined> =>
    vscode.window.showWarningMessage(plain(message), ...buttons),
  info: (message: string, ...buttons: string[]): Thenable<string | undefined> =>
    vscode.window.showInformationMessage(plain(message), ...buttons),
  /** Asks in a dialog with several buttons. @returns the one that was pressed */
  choose: (question: string, ...buttons: string[]): Thenable<string | undefined> =>
    vscode.window.showWarningMessage(plain(question), { modal: true }, ...buttons),
  /** Asks in a dialog. @returns whether the person pressed the button */
  confirm: async (question: string, button: string): Promise<boolean> =>
    (await vscode.window.showWarningMessage(plain(question), { modal: true }, button)) === button,
};

/** Reports what cannot be stored: always in the log, and once to the person. */
export function notKept(log: vscode.LogOutputChannel, folder: string): (error: unknown) => void {
  let isSaid = false;
  return (error) => {
    log.warn(`Not kept in ${folder}: ${String(error)}`);
    if (isSaid) return;
    isSaid = true;
    const message = vscode.l10n.t(
      'What this editor remembers about forecasts and models cannot be written to {0} and is lost when the window closes. Forecasts still work.',
      folder,
    );
    inBackground(log, say.warning(message));
  };
}
