import assert from 'node:assert/strict';
import type { ChartState, SentIntent } from '../../../../src/editor/views/chart/protocol.ts';
import type { PageMessage, StateMessage } from '../../../../src/editor/views/shared/protocol.ts';
import { comparedRow, EMPTY } from '../open-page.ts';
import { settled, useBrowser } from '../browser.ts';
import { type LoadedPage, loadPage } from '../load-page.ts';
import { monthly } from '../../chart/charts.ts';
import { button, find } from '../dom.ts';

const ref = { predictionId: 'p1', serviceId: 'local', former: [] };
const shown = { key: 'p1', chart: monthly };

describe('chart page program', () => {
  const browser = useBrowser();
  let page: LoadedPage<StateMessage<ChartState>, PageMessage<SentIntent>>;

  const load = async (kept?: unknown) => {
    document.body.innerHTML = '<main id="app"></main>';
    page = await loadPage(browser, 'chart', kept);
    return page;
  };
  const hears = (parts: Partial<ChartState>) => {
    page.hears({ type: 'state', parts });
  };

  it('reports only that it is ready before it has a state', async () => {
    await load();
    assert.deepEqual(page.posted, [{ type: 'ready' }]);
    assert.equal(page.kept(), undefined);
  });

  it('shows status, chart and controls', async () => {
    await load();
    hears({
      ...EMPTY,
      ref,
      standing: { title: 'sales.csv', status: { kind: 'waiting', sentence: 'Forecasting… 40%', progress: 0.4 } },
    });
    assert.match(find('main').textContent, /sales\.csv.*Forecasting… 40%/);
    hears({ shown, standing: null });
    assert.equal(find('.status-place').textContent, '');
    hears({ controls: { canCompare: true, analyses: ['decomposition'] } });
    hears({ notice: { sentence: 'The file has changed.', actions: [] } });
    assert.match(find('.notices').textContent, /The file has changed/);
    hears({ actuals: { line: { times: Float64Array.of(Date.UTC(2021, 0)), values: Float64Array.of(1) }, sentence: 'One has come.' } }); // prettier-ignore
    assert.equal(find('.actuals').textContent, 'One has come.');
    const rows = [comparedRow('p1', 'Theta', { isMain: true })];
    hears({ compared: { rows, about: undefined, most: 4, models: [], predictions: [] } });
    assert.match(find('.compare').textContent, /Theta/);
    button('Decomposition').click();
    assert.deepEqual(page.posted.at(-1), { type: 'intent', intent: { type: 'analyze', analysis: 'decomposition' } });
    assert.deepEqual(page.kept(), { ref, view: { tab: 'decomposition', hiddenIntervals: [] } });
    hears({ analyses: { decomposition: { problem: 'The service is away.' } } });
    assert.equal(find('#panel-decomposition [role=alert]').textContent, 'The service is away.');
  });

  it('restores its view after a reload and after it was hidden', async () => {
    await load();
    hears({ ...EMPTY, ref, shown });
    button('80%').click();
    button('Table').click();
    const kept = page.kept();
    await load(kept);
    assert.deepEqual(page.posted, [{ type: 'ready' }]);
    hears({ ...EMPTY, ref, shown });
    assert.equal(find('[role=tab][aria-selected=true]').textContent, 'Table');
    button('Chart').click();
    assert.equal(button('80%').getAttribute('aria-pressed'), 'false');
  });

  it('starts with the default view if the saved state is invalid', async () => {
    for (const kept of [
      'a text',
      { view: 4 },
      { ref, view: { tab: 'none', range: { of: 'p1', min: 5, max: 1 }, hiddenIntervals: 'all', typed: 7 } },
    ]) {
      await load(kept);
      hears({ ...EMPTY, ref, shown });
      assert.equal(find('[role=tab][aria-selected=true]').textContent, 'Chart', JSON.stringify(kept));
    }
  });

  it('ignores a message of another version', async () => {
    await load();
    hears({ ...EMPTY, ref, shown });
    const before = find('main').innerHTML;
    page.hears({ type: 'a-new-one', data: 1 } as never);
    page.hears({ type: 'toString' } as never);
    assert.equal(find('main').innerHTML, before);
  });

  it('reports an error for the log', async () => {
    await load();
    window.dispatchEvent(Object.assign(new Event('error'), { message: 'it is broken' }));
    assert.deepEqual(page.posted.at(-1), { type: 'problem', message: 'it is broken' });
  });

  it('is drawn in the colors of another theme, also high contrast', async () => {
    await load();
    hears({ ...EMPTY, ref, shown });
    await settled();
    browser.pen().forget();
    browser.colors = { ...browser.colors, '--vscode-charts-blue': 'yellow' };
    document.body.className = 'vscode-high-contrast';
    await settled();
    assert.notEqual(browser.pen().paths('yellow').length, 0);
    assert.equal(browser.pen().paths('blue').length, 0);
    const edges = browser.pen().strokes.filter(({ call, color, alpha }) => call === 'stroke' && color === 'yellow' && alpha === 0.6); // prettier-ignore
    assert.equal(edges.length, 3, 'intervals have edges');
  });
});
