import * as vscode from 'vscode';

const SCHEME = 'forecasts-report';

/** Texts to read, in editors that cannot be changed and ask for nothing when they are closed. */
export class Reports implements vscode.Disposable, vscode.TextDocumentContentProvider {
  readonly #texts = new Map<string, string>();
  readonly #registration: vscode.Disposable;

  constructor() {
    this.#registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);
  }

  async show(title: string, text: string): Promise<void> {
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${title}`, query: String(this.#texts.size) });
    this.#texts.set(uri.toString(), text);
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: true });
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return (
      this.#texts.get(uri.toString()) ??
      vscode.l10n.t('This report is from an earlier session. Run Check Service again.\n')
    );
  }

  dispose(): void {
    this.#registration.dispose();
  }
}
