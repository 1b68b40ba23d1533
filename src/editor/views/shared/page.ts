import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { html } from './html.ts';

/** The program and the style sheet of a page in `dist/`. */
export type Bundle = 'webview' | 'model' | 'many' | 'reading';

/** Puts the shell of a page into a webview panel: the bundle of this name in `dist/`, and the panel's icon. */
export function fillPanel(panel: vscode.WebviewPanel, extensionUri: vscode.Uri, bundle: Bundle): void {
  const dist = vscode.Uri.joinPath(extensionUri, 'dist');
  const { webview } = panel;
  webview.options = { enableScripts: true, localResourceRoots: [dist] };
  panel.iconPath = {
    light: vscode.Uri.joinPath(extensionUri, 'media', 'chart-light.svg'),
    dark: vscode.Uri.joinPath(extensionUri, 'media', 'chart-dark.svg'),
  };
  webview.html = html({
    nonce: randomBytes(16).toString('base64url'),
    cspSource: webview.cspSource,
    scriptUri: webview.asWebviewUri(vscode.Uri.joinPath(dist, `${bundle}.js`)).toString(),
    styleUri: webview.asWebviewUri(vscode.Uri.joinPath(dist, `${bundle}.css`)).toString(),
    title: panel.title,
  });
}
