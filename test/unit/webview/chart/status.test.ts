import assert from 'node:assert/strict';
import type { Status } from '../../../../src/editor/views/chart/protocol.ts';
import { createStatusView, sentenceOf } from '../../../../src/webview/chart/status.ts';
import { button, find, usePage } from '../dom.ts';

describe('where a forecast stands', () => {
  usePage();

  function show(status: Status, isStrip = false) {
    const asked: string[] = [];
    const view = createStatusView(status, 'sales <b>.csv', (id) => asked.push(id), isStrip);
    document.body.append(view.element);
    return { view, asked };
  }
  const bar = () => find('[role=progressbar]');

  it('is said in words, with a bar that moves where nobody knows how far it is', () => {
    show({ kind: 'queued' });
    assert.equal(find('h1').textContent, 'sales <b>.csv');
    assert.equal(find('p').textContent, 'Waiting for its turn…');
    assert.ok(bar().classList.contains('endless'));
    assert.equal(bar().getAttribute('aria-valuenow'), null);
    assert.equal(find('section').getAttribute('role'), 'status');
  });

  it('goes on in place, so that a button that has the focus keeps it', () => {
    const actions = [{ id: 'stop', label: 'Stop' }];
    const { view, asked } = show({ kind: 'running', actions });
    button('Stop').focus();
    assert.equal(view.update({ kind: 'running', progress: 0.256, actions }), true);
    assert.equal(find('p').textContent, 'Forecasting… 26 %');
    assert.deepEqual([bar().getAttribute('aria-valuenow'), find('.value').style.width], ['26', '26%']);
    assert.ok(!bar().classList.contains('endless'));
    assert.equal(document.activeElement, button('Stop'));
    button('Stop').click();
    assert.deepEqual(asked, ['stop']);
  });

  it('says a sentence anew only where it is another one, lest it be read out again and again', () => {
    const { view } = show({ kind: 'running', progress: 0.301 });
    const words = find('p').firstChild;
    view.update({ kind: 'running', progress: 0.304 });
    assert.equal(find('p').firstChild, words);
    view.update({ kind: 'running', progress: 0.31 });
    assert.notEqual(find('p').firstChild, words);
  });

  it('takes another view where it is another state, or other things can be done', () => {
    const again = { id: 'again', label: 'Forecast Again' };
    const { view } = show({ kind: 'running' });
    assert.equal(view.update({ kind: 'failed', sentence: 'Too short.' }), false);
    assert.equal(view.update({ kind: 'running', actions: [again] }), false);
    const other = show({ kind: 'failed', sentence: 'Too short.', actions: [again] });
    assert.equal(other.view.update({ kind: 'failed', sentence: 'Away.', actions: [{ ...again, label: 'Again' }] }), false); // prettier-ignore
    assert.equal(other.view.update({ kind: 'failed', sentence: 'Away.', actions: [again] }), true);
  });

  it('is read out at once where it failed, with what to do first', () => {
    const actions = [{ id: 'retry', label: 'Try Again' }, { id: 'model', label: 'Choose a Model…' }]; // prettier-ignore
    show({ kind: 'failed', sentence: 'The service is <b>away</b>.', actions });
    assert.equal(find('[role=alert] p').textContent, 'The service is <b>away</b>.');
    assert.equal(document.querySelector('[role=progressbar]'), null);
    assert.deepEqual([button('Try Again').className, button('Choose a Model…').className], ['button', 'button secondary']); // prettier-ignore
  });

  it('has no title above a chart that is there already', () => {
    show({ kind: 'loading' }, true);
    assert.equal(document.querySelector('h1'), null);
    assert.ok(find('section').classList.contains('strip'));
  });

  it('never says more than all or less than nothing', () => {
    show({ kind: 'running', progress: 1.7 });
    assert.equal(bar().getAttribute('aria-valuenow'), '100');
    assert.equal(sentenceOf({ kind: 'running', progress: -1 }), 'Forecasting… 0 %');
    assert.equal(sentenceOf({ kind: 'loading' }), 'Loading…');
    assert.equal(sentenceOf({ kind: 'other', sentence: 'The service says “PAUSED”.' }), 'The service says “PAUSED”.');
    assert.equal(sentenceOf({ kind: 'queued', sentence: 'Third in line.' }), 'Third in line.');
  });
});
