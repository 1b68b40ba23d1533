import { isRecord } from '../../editor/views/shared/protocol.ts';

/** The editor's colours that the page is written in, by the host's names for them, with what stands in on light and dark. */
const COLORS: Readonly<Record<string, readonly [host: string, light: string, dark: string]>> = {
  foreground: ['text-primary', '#1f1f1f', '#d4d4d4'],
  descriptionForeground: ['text-secondary', '#5f6368', '#9d9d9d'],
  'editor-background': ['background-primary', '#ffffff', '#1f1f1f'],
  'textLink-foreground': ['text-info', '#0b62c4', '#4daafc'],
  'textLink-activeForeground': ['text-info', '#0b62c4', '#4daafc'],
  errorForeground: ['text-danger', '#b3261e', '#f2b8b5'],
  'editorWarning-foreground': ['text-warning', '#8a5300', '#e2c08d'],
  'panel-border': ['border-primary', '#d0d0d0', '#3c3c3c'],
  'widget-border': ['border-primary', '#d0d0d0', '#3c3c3c'],
  'menu-border': ['border-primary', '#d0d0d0', '#3c3c3c'],
  focusBorder: ['ring-primary', '#0b62c4', '#4daafc'],
  'menu-background': ['background-primary', '#ffffff', '#252526'],
  'menu-foreground': ['text-primary', '#1f1f1f', '#d4d4d4'],
  'menu-selectionBackground': ['background-secondary', '#e8e8e8', '#37373d'],
  'menu-selectionForeground': ['text-primary', '#1f1f1f', '#d4d4d4'],
  'toolbar-hoverBackground': ['background-secondary', '#e8e8e8', '#37373d'],
  'list-hoverBackground': ['background-secondary', '#f0f0f0', '#2a2d2e'],
  'editorHoverWidget-background': ['background-primary', '#ffffff', '#252526'],
  'editorHoverWidget-foreground': ['text-primary', '#1f1f1f', '#d4d4d4'],
  'editorHoverWidget-border': ['border-primary', '#d0d0d0', '#3c3c3c'],
  'editor-selectionBackground': ['background-tertiary', '#cfe3fa', '#264f78'],
  'panelTitle-activeForeground': ['text-primary', '#1f1f1f', '#d4d4d4'],
  'panelTitle-activeBorder': ['text-primary', '#1f1f1f', '#d4d4d4'],
  'panelTitle-inactiveForeground': ['text-secondary', '#5f6368', '#9d9d9d'],
  'progressBar-background': ['text-info', '#0b62c4', '#4daafc'],
  'scrollbarSlider-background': ['border-secondary', '#c8c8c8', '#4f4f4f'],
};
/** No host has a colour for the forecast itself. */
const FORECAST = { light: '#0b62c4', dark: '#4daafc' };

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
  for (const [name, [host, light, dark]] of Object.entries(COLORS)) {
    probe.style.color = isDark ? dark : light;
    const plain = resolved(probe);
    probe.style.color = `var(--color-${host}, ${plain})`;
    style.setProperty(`--vscode-${name}`, resolved(probe) || plain);
  }
  probe.remove();
  style.setProperty('--vscode-charts-blue', isDark ? FORECAST.dark : FORECAST.light);
  style.setProperty('--vscode-font-family', variables['--font-sans'] ? 'var(--font-sans)' : 'system-ui, sans-serif');
}

const resolved = (probe: HTMLElement): string => getComputedStyle(probe).color;
