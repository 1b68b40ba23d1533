import { isRecord } from '../../editor/views/shared/protocol.ts';

/** Colors of the host, with what stands in on light and dark, and the editor's colors that the page is written in. */
const COLORS: readonly (readonly [host: string, light: string, dark: string, editor: readonly string[]])[] = [
  ['text-primary', '#1f1f1f', '#d4d4d4', ['foreground', 'menu-foreground', 'menu-selectionForeground']],
  ['text-primary', '#1f1f1f', '#d4d4d4', ['editorHoverWidget-foreground', 'panelTitle-activeForeground']],
  ['text-primary', '#1f1f1f', '#d4d4d4', ['panelTitle-activeBorder']],
  ['text-secondary', '#5f6368', '#9d9d9d', ['descriptionForeground', 'panelTitle-inactiveForeground']],
  ['text-info', '#0b62c4', '#4daafc', ['textLink-foreground', 'textLink-activeForeground', 'progressBar-background']],
  ['text-danger', '#b3261e', '#f2b8b5', ['errorForeground']],
  ['text-warning', '#8a5300', '#e2c08d', ['editorWarning-foreground']],
  ['background-primary', '#ffffff', '#1f1f1f', ['editor-background']],
  ['background-primary', '#ffffff', '#252526', ['menu-background', 'editorHoverWidget-background']],
  ['background-secondary', '#e8e8e8', '#37373d', ['menu-selectionBackground', 'toolbar-hoverBackground']],
  ['background-secondary', '#f0f0f0', '#2a2d2e', ['list-hoverBackground']],
  ['background-tertiary', '#cfe3fa', '#264f78', ['editor-selectionBackground']],
  [
    'border-primary',
    '#d0d0d0',
    '#3c3c3c',
    ['panel-border', 'widget-border', 'menu-border', 'editorHoverWidget-border'],
  ],
  ['border-secondary', '#c8c8c8', '#4f4f4f', ['scrollbarSlider-background']],
  ['ring-primary', '#0b62c4', '#4daafc', ['focusBorder']],
];

/** Applies the theme of the chat: the font, and colors resolved by the browser so that the canvas can use them. */
export function applyTheme(context: Readonly<Record<string, unknown>>, page: Document = document): void {
  const { style } = page.documentElement;
  const { theme, styles } = context;
  if (theme === 'light' || theme === 'dark') style.colorScheme = theme;
  const variables = isRecord(styles) && isRecord(styles['variables']) ? styles['variables'] : {};
  for (const [name, value] of Object.entries(variables))
    if (/^--[\w-]+$/.test(name) && typeof value === 'string') style.setProperty(name, value);
  const isDark =
    theme === undefined ? page.defaultView?.matchMedia?.('(prefers-color-scheme: dark)').matches : theme === 'dark';
  const probe = page.createElement('span');
  page.body.append(probe);
  const resolved = (color: string): string => {
    probe.style.color = color;
    return getComputedStyle(probe).color;
  };
  for (const [host, light, dark, editor] of COLORS) {
    const plain = resolved(isDark ? dark : light);
    const color = resolved(`var(--color-${host}, ${plain})`) || plain;
    for (const name of editor) style.setProperty(`--vscode-${name}`, color);
  }
  probe.remove();
  // no host has a color for the forecast itself
  style.setProperty('--vscode-charts-blue', isDark ? '#4daafc' : '#0b62c4');
  style.setProperty('--vscode-font-family', variables['--font-sans'] ? 'var(--font-sans)' : 'system-ui, sans-serif');
}
