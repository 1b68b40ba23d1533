import assert from 'node:assert/strict';
import { applyTheme } from '../../../../src/webview/mcp-app/theme.ts';
import { useBrowser } from '../browser.ts';

describe('the looks of a chart in a chat', () => {
  const browser = useBrowser();
  const style = () => document.documentElement.style;
  const color = (name: string) => style().getPropertyValue(`--vscode-${name}`);

  beforeEach(() => {
    document.documentElement.removeAttribute('style');
    // as a browser resolves it: a variable that the chat gives, else what stands in for it
    const resolve = (text: string): string => {
      const [, name, other] = /^var\((--[\w-]+), (.*)\)$/.exec(text) ?? [];
      return name === undefined ? text : style().getPropertyValue(name) || other!;
    };
    Object.assign(globalThis, { getComputedStyle: (element: HTMLElement) => ({ color: resolve(element.style.color || (element.getAttribute('style') ?? '').replace(/^color: ?|;$/g, '')) }) }); // prettier-ignore
  });

  afterEach(() => {
    Object.assign(globalThis, { getComputedStyle: browser.globals['getComputedStyle'] });
  });

  it('are those of a light or a dark page where the chat gives no colours', () => {
    applyTheme({ theme: 'light' }, document);
    assert.equal(style().colorScheme, 'light');
    const light = [color('foreground'), color('editor-background'), color('charts-blue')];
    applyTheme({ theme: 'dark' }, document);
    const dark = [color('foreground'), color('editor-background'), color('charts-blue')];
    assert.equal(style().colorScheme, 'dark');
    assert.ok(light.every((one, index) => one !== '' && one !== dark[index]), `${light} ${dark}`); // prettier-ignore
  });

  it('follow the browser where the chat says nothing', () => {
    const media = window.matchMedia;
    Object.assign(window, { matchMedia: () => ({ matches: true }) });
    try {
      applyTheme({}, document);
      const unsaid = color('foreground');
      applyTheme({ theme: 'dark' }, document);
      assert.equal(unsaid, color('foreground'));
      applyTheme({ theme: 'light' }, document);
      assert.notEqual(unsaid, color('foreground'), 'what the chat says goes before');
    } finally {
      Object.assign(window, { matchMedia: media });
    }
  });

  it('take the chat’s own variables, and nothing that is none', () => {
    applyTheme({ theme: 'light', styles: { variables: { '--color-text-primary': 'rgb(1, 2, 3)', '--font-sans': 'Inter', 'color': 'red', '--x;y': 'z', '--n': 4 } } }, document); // prettier-ignore
    assert.equal(style().getPropertyValue('--color-text-primary'), 'rgb(1, 2, 3)');
    assert.equal(style().getPropertyValue('--vscode-font-family'), 'var(--font-sans)');
    assert.equal(style().color, '');
    assert.equal(style().getPropertyValue('--n'), '');
  });

  it('leave nothing in the page, and have letters of the system where there are no others', () => {
    const before = document.body.childNodes.length;
    applyTheme({ theme: 'light', styles: 'none' }, document);
    assert.equal(document.body.childNodes.length, before);
    assert.match(style().getPropertyValue('--vscode-font-family'), /system-ui/);
  });
});
