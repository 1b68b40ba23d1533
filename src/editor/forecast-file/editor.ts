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

  /** The page that has the focus. */
  get active(): ForecastFilePage | undefined {
    return [...this.#pages].find((page) => page.isActive);
  }

  dispose(): void {
    this.#registered.dispose();
  }
}
