import assert from 'node:assert/strict';
import { onThemeChange, themeColors } from '../../../../src/webview/shared/colors.ts';
import { h, icon, setAttribute } from '../../../../src/webview/shared/dom.ts';
import { settled, useBrowser } from '../browser.ts';

describe('the colours of the theme', () => {
  const browser = useBrowser();

  it('are the editor’s, the first that there is of several', () => {
    browser.colors = { '--vscode-foreground': ' ink ', '--vscode-textLink-foreground': 'link', '--vscode-errorForeground': 'red' }; // prettier-ignore
    const { text, muted, history, forecast, odd, others, background } = themeColors();
    assert.deepEqual([text, muted, history, forecast, odd], ['ink', 'ink', 'ink', 'link', 'red']);
    assert.deepEqual(others, ['ink', 'ink', 'ink']);
    assert.equal(background, 'black', 'what no theme says is the colour of the text');
  });

  it('know both kinds of high contrast', () => {
    assert.equal(themeColors().contrast, false);
    for (const name of ['vscode-high-contrast', 'vscode-high-contrast-light']) {
      document.body.className = name;
      assert.equal(themeColors().contrast, true, name);
    }
  });

  it('come with the size of the editor’s letters', () => {
    assert.equal(themeColors().fontSize, 11);
    Object.assign(globalThis, { getComputedStyle: () => ({ getPropertyValue: () => '', color: 'x', fontFamily: 'f', fontSize: '20px' }) }); // prettier-ignore
    try {
      assert.equal(themeColors().fontSize, 18);
    } finally {
      Object.assign(globalThis, { getComputedStyle: browser.globals['getComputedStyle'] });
    }
  });

  it('are told anew when the theme or its colours change', async () => {
    let told = 0;
    onThemeChange(() => told++);
    document.body.className = 'vscode-dark';
    await settled();
    document.body.dataset['vscodeThemeId'] = 'Monokai';
    await settled();
    document.documentElement.style.setProperty('--vscode-foreground', 'white');
    await settled();
    assert.equal(told, 3);
    document.body.append('a word');
    await settled();
    assert.equal(told, 3, 'and not for what the page itself does');
    document.documentElement.removeAttribute('style');
  });
});

describe('elements of a page', () => {
  useBrowser();

  it('have what people wrote as text, never as markup', () => {
    const element = h('p.note.wide', { attributes: { title: '"<b>' } }, '<img src=x onerror=alert(1)>');
    assert.equal(element.children.length, 0);
    assert.deepEqual([element.className, element.title], ['note wide', '"<b>']);
  });

  it('have flags as attributes without a value, and none for what is not so', () => {
    const element = h('button', { attributes: { disabled: true, hidden: false, title: undefined, tabindex: 0 } });
    assert.deepEqual([...element.attributes].map(({ name, value }) => [name, value]), [['disabled', ''], ['tabindex', '0']]); // prettier-ignore
    setAttribute(element, 'tabindex', undefined);
    assert.equal(element.hasAttribute('tabindex'), false);
  });

  it('have drawings that screen readers pass over', () => {
    assert.equal(icon('warning').getAttribute('aria-hidden'), 'true');
  });
});
