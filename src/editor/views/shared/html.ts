import * as vscode from 'vscode';

export type Bundle = 'webview' | 'model' | 'many' | 'reading';

export function fillPanel(panel: vscode.WebviewPanel, extensionUri: vscode.Uri, bundle: Bundle): void {
  const dist = vscode.Uri.joinPath(extensionUri, 'dist');
  const { webview } = panel;
  webview.options = { enableScripts: true, localResourceRoots: [dist] };
  panel.iconPath = {
    light: vscode.Uri.joinPath(extensionUri, 'media', 'chart-light.svg'),
    dark: vscode.Uri.joinPath(extensionUri, 'media', 'chart-dark.svg'),
  };
  webview.html = html({
    nonce: crypto.randomUUID().replaceAll('-', ''),
    cspSource: webview.cspSource,
    scriptUri: webview.asWebviewUri(vscode.Uri.joinPath(dist, `${bundle}.js`)).toString(),
    styleUri: webview.asWebviewUri(vscode.Uri.joinPath(dist, `${bundle}.css`)).toString(),
    title: panel.title,
  });
}

export interface PageOptions {
  /** Random for each page, at least 128 bits; only the script that carries it may run. */
  readonly nonce: string;
  /** `webview.cspSource`: where the style sheet may come from. */
  readonly cspSource: string;
  readonly scriptUri: string;
  readonly styleUri: string;
  readonly title: string;
}

/**
 * The HTML shell of a webview panel’s page. One script by nonce, one style sheet from the extension's own folder, nothing
 * inline and nothing remote; pictures only as `data:` or `blob:`. Every option is escaped.
 */
export function html({ nonce, cspSource, scriptUri, styleUri, title }: PageOptions): string {
  const policy = [
    `default-src 'none'`,
    `script-src 'nonce-${nonce}'`,
    `style-src ${cspSource}`,
    `img-src ${cspSource} data: blob:`,
    `font-src 'none'`,
    `base-uri 'none'`,
    `form-action 'none'`,
  ].join('; ');
  return `<!DOCTYPE html>
<html ${language()}>
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escape(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${escape(styleUri)}">
<title>${escape(title)}</title>
</head>
<body>
<main id="app"></main>
<script nonce="${escape(nonce)}" src="${escape(scriptUri)}"></script>
</body>
</html>
`;
}

/** The language of the page, and its translations: a page cannot ask the editor for them. */
function language(): string {
  const words = vscode.l10n.bundle;
  if (!words) return 'lang="en"';
  return `lang="${escape(vscode.env.language)}" data-words="${escape(JSON.stringify(words))}"`;
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
export const escape = (text: string) => text.replace(/[&<>"']/g, (character) => ENTITIES[character]!);
