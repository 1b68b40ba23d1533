import assert from 'node:assert/strict';
import type { Status } from '../../../../src/editor/views/chart/protocol.ts';
import { render } from 'preact';
import { StatusOf } from '../../../../src/webview/chart/page.tsx';
import { useBrowser } from '../browser.ts';
import { button, find } from '../dom.ts';

describe('status of a forecast', () => {
  useBrowser();

  function show(status: Status, isStrip = false) {
    const asked: string[] = [];
    const update = (now: Status) => {
      render(
        <StatusOf status={now} title="sales <b>.csv" isStrip={isStrip} act={(id) => asked.push(id)} />,
        find('#app'),
      );
    };
    update(status);
    return { update, asked };
  }
  const at = (progress: number | undefined): Status => ({
    kind: 'waiting',
    sentence: progress === undefined ? 'Forecasting…' : `Forecasting… ${Math.round(progress * 100)}%`,
    progress,
  });
  const bar = () => find<HTMLProgressElement>('progress');

  it('is text with a progress bar, indeterminate if unknown', () => {
    show({ kind: 'waiting', sentence: 'Waiting in the queue…' });
    assert.equal(find('h1').textContent, 'sales <b>.csv');
    assert.equal(find('p').textContent, 'Waiting in the queue…');
    assert.equal(bar().getAttribute('value'), null);
    assert.equal(find('section').getAttribute('role'), 'status');
  });

  it('is updated in place, so that a focused button keeps the focus', () => {
    const actions = [{ id: 'stop', label: 'Stop' }];
    const { update, asked } = show({ ...at(undefined), actions });
    button('Stop').focus();
    update({ ...at(0.256), actions });
    assert.equal(find('p').textContent, 'Forecasting… 26%');
    assert.equal(bar().value, 0.256);
    assert.equal(document.activeElement, button('Stop'));
    button('Stop').click();
    assert.deepEqual(asked, ['stop']);
  });

  it('replaces a sentence only if it differs, so that screen readers read it once', () => {
    const { update } = show(at(0.301));
    const seen = new MutationObserver(() => undefined);
    seen.observe(find('p'), { subtree: true, childList: true, characterData: true });
    update(at(0.304));
    assert.equal(seen.takeRecords().length, 0);
    seen.disconnect();
    update(at(0.31));
    assert.equal(find('p').textContent, 'Forecasting… 31%');
  });

  it('is the sentence that it was given, in place of one for its kind', () => {
    const { update } = show(at(0.2));
    update({ kind: 'waiting', sentence: 'Third in line.', progress: 0.2 });
    assert.deepEqual([find('p').textContent, bar().value], ['Third in line.', 0.2]);
  });

  it('is an alert if it failed', () => {
    const again = { id: 'again', label: 'Forecast Again' };
    const { update } = show(at(undefined));
    const before = find('section');
    update({ kind: 'failed', sentence: 'Too short.', actions: [again] });
    assert.notEqual(find('[role=alert]'), before);
    button('Forecast Again').focus();
    update({ kind: 'failed', sentence: 'Away.', actions: [again] });
    assert.deepEqual([find('p').textContent, document.activeElement], ['Away.', button('Forecast Again')]);
  });

  it('is announced at once after a failure, with what to do first', () => {
    const actions = [{ id: 'retry', label: 'Try Again' }, { id: 'model', label: 'Choose a Model…' }]; // prettier-ignore
    show({ kind: 'failed', sentence: 'The service is <b>away</b>.', actions });
    assert.equal(find('[role=alert] p').textContent, 'The service is <b>away</b>.');
    assert.equal(document.querySelector('progress'), null);
    assert.deepEqual([button('Try Again').className, button('Choose a Model…').className], ['button', 'button secondary']); // prettier-ignore
  });

  it('has no title above an existing chart', () => {
    show(at(undefined), true);
    assert.equal(document.querySelector('h1'), null);
    assert.ok(find('section').classList.contains('strip'));
  });

  it('clamps progress to 0–100%, and has none of a status that is not known', () => {
    show(at(1.7));
    assert.equal(bar().value, 1);
    show({ kind: 'other', sentence: 'The service says “PAUSED”.' });
    assert.equal(document.querySelector('progress'), null);
  });
});
