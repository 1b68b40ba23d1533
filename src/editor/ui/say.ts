import * as vscode from 'vscode';

/**
 * Text as it is. VS Code makes links, of commands too, of `[text](target)` in notifications and prompts; what a file or
 * a service says must not become one.
 */
export const plain = (text: string): string => text.replaceAll('](', ']\u200b(');

/** Every notification goes through these, so that no text of a file or a service becomes a link. */
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
