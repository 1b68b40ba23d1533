import assert from 'node:assert/strict';
import { render } from 'preact';
import { MenuButton, type MenuItem, useContextMenu } from '../../../../src/webview/shared/elements.tsx';
import { press, useBrowser } from '../browser.ts';
import { button, find } from '../dom.ts';

const done: string[] = [];
const entry = (label: string) => ({ label, run: () => done.push(label) });

describe('menus of a page', () => {
  useBrowser();
  beforeEach(() => done.splice(0));

  const Place = ({ items }: { readonly items: readonly MenuItem[] }) => {
    const { onContextMenu, menu } = useContextMenu('Chart', items);
    return (
      <div class="place" tabIndex={0} onContextMenu={onContextMenu}>
        <p>some words</p>
        {menu}
      </div>
    );
  };
  const right = (element: Element) => {
    const event = new MouseEvent('contextmenu', { bubbles: true, cancelable: true, clientX: 5, clientY: 6 });
    element.dispatchEvent(event);
    return event.defaultPrevented;
  };

  it('open from a button, respond to arrow keys, and close on Escape, which restores the focus', () => {
    render(<MenuButton name="Export" items={[entry('One'), 'separator', entry('Two')]} />, find('#app'));
    button('Export').click();
    find('.menu[data-open]');
    assert.equal(document.activeElement, button('One'));
    assert.ok(press(document.activeElement!, 'ArrowDown'));
    assert.equal(document.activeElement, button('Two'));
    press(document.activeElement!, 'ArrowDown');
    assert.equal(document.activeElement, button('One'));
    press(document.activeElement!, 'Escape');
    assert.equal(document.querySelector('.menu[data-open]'), null);
    assert.equal(document.activeElement, button('Export'));
    assert.deepEqual(done, []);
  });

  it('close when the focus moves elsewhere', () => {
    render(<MenuButton name="Export" items={[entry('One')]} />, find('#app'));
    const other = document.body.appendChild(document.createElement('button'));
    button('Export').click();
    other.focus();
    assert.equal(document.querySelector('.menu[data-open]'), null);
  });

  it('close when the window loses the focus', () => {
    render(<MenuButton name="Export" items={[entry('One')]} />, find('#app'));
    button('Export').click();
    window.dispatchEvent(new FocusEvent('blur'));
    assert.equal(document.querySelector('.menu[data-open]'), null);
    assert.notEqual(document.activeElement, button('Export'), 'the page takes the focus from nobody');
  });

  it('open after the click that would close them', () => {
    render(<Place items={[entry('Copy Data')]} />, find('#app'));
    find('.place').dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true, buttons: 2 }));
    assert.equal(document.querySelector('.menu[data-open]'), null);
    window.dispatchEvent(new PointerEvent('pointerup'));
    find('.menu[data-open]');
  });

  it('replace the editor’s context menu', () => {
    render(<Place items={[entry('Copy Data')]} />, find('#app'));
    find('.place').focus();
    assert.ok(right(find('.place')));
    assert.deepEqual([find('.menu').style.left, find('.menu').style.top], ['5px', '6px']);
    button('Copy Data').click();
    assert.deepEqual(done, ['Copy Data']);
    assert.equal(document.querySelector('.menu[data-open]'), null);
    assert.equal(document.activeElement, find('.place'));
  });

  it('leave the editor’s context menu on selected text, to copy it', () => {
    render(<Place items={[entry('Copy Data')]} />, find('#app'));
    getSelection()!.selectAllChildren(find('p'));
    assert.ok(!right(find('p')));
    getSelection()!.removeAllRanges();
  });
});
