import * as vscode from 'vscode';
import { FORECAST_EDITOR } from '../names.ts';
import { ForecastFilePage, type ForecastFileServices } from './page.ts';

/** Opens forecast files as their chart. The text below is an ordinary document: VS Code saves it, undoes it and compares it. */
export class ForecastFileEditor implements vscode.CustomTextEditorProvider, vscode.Disposable {
  readonly #services: ForecastFileServices;
  readonly #pages = new Set<ForecastFilePage>();
  readonly #registered: vscode.Disposable;

  constructor(services: ForecastFileServices) {
    this.#services = services;
    this.#registered = vscode.window.registerCustomEditorProvider(FORECAST_EDITOR, this);
  }

  resolveCustomTextEditor(document: vscode.TextDocument, panel: vscode.WebviewPanel): void {
    const page = new ForecastFilePage(document, panel, this.#services);
    this.#pages.add(page);
    panel.onDidDispose(() => {
      this.#pages.delete(page);
    });
  }

  /** Makes the forecast again of the file whose chart has the focus. */
  async runActive(): Promise<void> {
    await [...this.#pages].find((page) => page.isActive)?.run();
  }

  dispose(): void {
    this.#registered.dispose();
  }
}
