import assert from 'node:assert/strict';
import { render } from 'preact';
import { themeColors, watchTheme } from '../../../../src/webview/shared/drawing.tsx';
import { Icon } from '../../../../src/webview/shared/elements.tsx';
import { settled, useBrowser } from '../browser.ts';

describe('colors of the theme', () => {
  const browser = useBrowser();

  it('are the editor’s, the first defined of several', () => {
    browser.colors = { '--vscode-foreground': ' ink ', '--vscode-textLink-foreground': 'link', '--vscode-errorForeground': 'red' }; // prettier-ignore
    const { text, muted, history, forecast, anomaly, others, background } = themeColors();
    assert.deepEqual([text, muted, history, forecast, anomaly], ['ink', 'ink', 'ink', 'link', 'red']);
    assert.deepEqual(others, ['ink', 'ink', 'ink']);
    assert.equal(background, 'black', 'what no theme says is the colour of the text');
  });

  it('cover both kinds of high contrast', () => {
    assert.equal(themeColors().contrast, false);
    for (const name of ['vscode-high-contrast', 'vscode-high-contrast-light']) {
      document.body.className = name;
      assert.equal(themeColors().contrast, true, name);
    }
  });

  it('come with the editor’s font size', () => {
    assert.equal(themeColors().fontSize, 11);
    Object.assign(globalThis, { getComputedStyle: () => ({ getPropertyValue: () => '', color: 'x', fontFamily: 'f', fontSize: '20px' }) }); // prettier-ignore
    try {
      assert.equal(themeColors().fontSize, 18);
    } finally {
      Object.assign(globalThis, { getComputedStyle: browser.globals['getComputedStyle'] });
    }
  });

  it('change with the theme and its colors', async () => {
    let reported = 0;
    watchTheme(() => reported++);
    document.body.className = 'vscode-dark';
    await settled();
    document.body.dataset['vscodeThemeId'] = 'Monokai';
    await settled();
    document.documentElement.style.setProperty('--vscode-foreground', 'white');
    await settled();
    assert.equal(reported, 3);
    document.body.append('a word');
    await settled();
    assert.equal(reported, 3, 'and not for what the page itself does');
    document.documentElement.removeAttribute('style');
  });

  it('follow the system in a chat without a theme', () => {
    let changes = 0;
    let turn: () => void = () => assert.fail('nobody listens');
    const addEventListener = (_name: string, listener: () => void) => (turn = listener);
    Object.assign(globalThis, { matchMedia: () => ({ addEventListener }) });
    try {
      watchTheme(() => changes++);
      turn();
      assert.equal(changes, 1);
    } finally {
      Object.assign(globalThis, { matchMedia: browser.globals['matchMedia'] });
    }
  });
});

describe('elements of a page', () => {
  useBrowser();

  it('have drawings that screen readers ignore', () => {
    render(<Icon name="warning" />, document.body);
    assert.equal(document.querySelector('svg')!.getAttribute('aria-hidden'), 'true');
  });
});
