import assert from 'node:assert/strict';
import { contextMenu, menuButton } from '../../../../src/webview/shared/menu.ts';
import { h } from '../../../../src/webview/shared/dom.ts';
import { button, find, usePage } from '../dom.ts';

const done: string[] = [];
const entry = (label: string) => ({ label, run: () => done.push(label) });

const press = (key: string) => {
  const event = new Event('keydown', { bubbles: true, cancelable: true });
  document.activeElement?.dispatchEvent(Object.assign(event, { key }));
  return event.defaultPrevented;
};

describe('menus of a page', () => {
  usePage();
  beforeEach(() => done.splice(0));

  it('open from a button, are walked by arrows and closed by Escape, which gives the focus back', () => {
    document.body.append(menuButton('Export', [entry('One'), 'separator', entry('Two')]));
    button('Export').click();
    assert.equal(document.activeElement, button('One'));
    assert.ok(press('ArrowDown'));
    assert.equal(document.activeElement, button('Two'));
    press('ArrowDown');
    assert.equal(document.activeElement, button('One'));
    press('Escape');
    assert.ok(find('.menu').hidden);
    assert.equal(document.activeElement, button('Export'));
    assert.deepEqual(done, []);
  });

  it('take the place of the editor’s context menu', () => {
    const plot = h('div.plot', { attributes: { tabindex: 0 } });
    document.body.append(plot);
    contextMenu(plot, 'Chart', [entry('Copy Data')]);
    plot.focus();
    const event = Object.assign(new Event('contextmenu', { bubbles: true, cancelable: true }), {
      clientX: 5,
      clientY: 6,
    });
    plot.dispatchEvent(event);
    assert.ok(event.defaultPrevented);
    button('Copy Data').click();
    assert.deepEqual(done, ['Copy Data']);
    assert.ok(find('.menu').hidden);
    assert.equal(document.activeElement, plot);
  });

  it('leave the editor’s own where text is selected, to copy it', () => {
    const text = h('p', {}, 'some words');
    const place = h('div', {}, text);
    document.body.append(place);
    contextMenu(place, 'Chart', [entry('Copy Data')]);
    getSelection()!.selectAllChildren(text);
    const event = new Event('contextmenu', { bubbles: true, cancelable: true });
    text.dispatchEvent(event);
    assert.ok(!event.defaultPrevented);
  });
});
