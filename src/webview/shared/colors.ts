import type { Colors } from '../../chart/pen.ts';

export function themeColors(): Colors {
  const style = getComputedStyle(document.body);
  const read = (...names: string[]) => {
    const values = names.map((name) => style.getPropertyValue(`--vscode-${name}`).trim());
    return values.find((value) => value !== '') ?? style.color;
  };
  const { classList } = document.body;
  return {
    text: read('foreground'),
    muted: read('descriptionForeground', 'foreground'),
    background: read('editor-background'),
    history: read('charts-foreground', 'foreground'),
    forecast: read('charts-blue', 'textLink-foreground'),
    others: [
      read('charts-purple', 'foreground'),
      read('charts-green', 'foreground'),
      read('charts-orange', 'foreground'),
    ],
    anomaly: read('charts-red', 'errorForeground', 'foreground'),
    contrast: classList.contains('vscode-high-contrast') || classList.contains('vscode-high-contrast-light'),
    fontFamily: style.fontFamily,
    fontSize: Math.round(Number.parseFloat(style.fontSize) * 0.88) || 11,
  };
}

export function watchTheme(changed: () => void): void {
  const observer = new MutationObserver(changed);
  observer.observe(document.body, { attributeFilter: ['class', 'data-vscode-theme-id'] });
  observer.observe(document.documentElement, { attributeFilter: ['style'] });
  // a chat that names no theme has that of the system
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', changed);
}
