import assert from 'node:assert/strict';
import type { ChartControls } from '../../../../src/editor/views/analysis/protocol.ts';
import type { HostMessage, WebviewMessage } from '../../../../src/editor/views/chart/protocol.ts';
import { settled, useBrowser } from '../browser.ts';
import { type LoadedPage, loadPage } from '../load-page.ts';
import { monthly } from '../../chart/charts.ts';
import { button, find } from '../dom.ts';

const ref = { predictionId: 'p1', serviceId: 'local' };
const CONTROLS: ChartControls = { canCompare: true, looks: ['parts'], former: [] };

describe('the program of a chart’s page', () => {
  const browser = useBrowser();
  let page: LoadedPage<HostMessage, WebviewMessage>;

  const load = async (kept?: unknown) => {
    document.body.innerHTML = '<main id="app"></main>';
    page = await loadPage(browser, 'chart', kept);
    return page;
  };

  it('says that it is there, and nothing else before it is told something', async () => {
    await load();
    assert.deepEqual(page.posted, [{ type: 'ready' }]);
    assert.equal(page.kept(), undefined);
  });

  it('shows what its panel says: where the forecast stands, the chart, and what can be done with it', async () => {
    await load();
    page.hears({ type: 'status', ref, title: 'sales.csv', status: { kind: 'running', progress: 0.4 } });
    assert.match(find('main').textContent, /sales\.csv.*Forecasting… 40 %/);
    page.hears({ type: 'show', ref, chart: monthly });
    assert.equal(find('.status-place').textContent, '');
    page.hears({ type: 'controls', controls: CONTROLS });
    page.hears({ type: 'notice', notice: { sentence: 'The file has changed.', actions: [] } });
    assert.match(find('.notices').textContent, /The file has changed/);
    page.hears({ type: 'actuals', actuals: { line: { times: Float64Array.of(Date.UTC(2021, 0)), values: Float64Array.of(1) }, sentence: 'One has come.' } }); // prettier-ignore
    assert.equal(find('.came').textContent, 'One has come.');
    const row = { id: 'p1', label: 'Theta', isMain: true, state: 'done', isBest: false } as const;
    page.hears({ type: 'compared', compared: { rows: [row], models: [], predictions: [] } });
    assert.match(find('.compare').textContent, /Theta/);
    button('Decomposition').click();
    assert.deepEqual(page.posted.at(-1), { type: 'state', state: { ...ref, view: { tab: 'parts', hiddenBands: [] }, former: [] } }); // prettier-ignore
    page.hears({ type: 'seen', predictionId: 'p1', seen: { look: 'parts', problem: 'The service is away.' } });
    assert.equal(find('#panel-parts [role=alert]').textContent, 'The service is away.');
  });

  it('comes back as it was left, after a reload and after it was hidden', async () => {
    await load();
    page.hears({ type: 'show', ref, chart: monthly });
    button('80 %').click();
    button('Table').click();
    const kept = page.kept();
    await load(kept);
    assert.deepEqual(page.posted, [{ type: 'ready' }]);
    page.hears({ type: 'show', ref, chart: monthly });
    assert.equal(find('[role=tab][aria-selected=true]').textContent, 'Table');
    button('Chart').click();
    assert.equal(button('80 %').getAttribute('aria-pressed'), 'false');
  });

  it('begins anew where what was kept cannot be read', async () => {
    for (const kept of ['a text', { predictionId: 4 }, { ...ref, view: { tab: 'none', range: { min: 5, max: 1 } } }]) {
      await load(kept);
      page.hears({ type: 'show', ref, chart: monthly });
      assert.equal(find('[role=tab][aria-selected=true]').textContent, 'Chart', JSON.stringify(kept));
    }
  });

  it('passes over a message of another version', async () => {
    await load();
    page.hears({ type: 'show', ref, chart: monthly });
    const before = find('main').innerHTML;
    page.hears({ type: 'a-new-one', data: 1 } as unknown as HostMessage);
    page.hears({ type: 'toString' } as unknown as HostMessage);
    assert.equal(find('main').innerHTML, before);
  });

  it('tells its panel of a fault, for the log', async () => {
    await load();
    window.dispatchEvent(Object.assign(new Event('error'), { message: 'it is broken' }));
    assert.deepEqual(page.posted.at(-1), { type: 'problem', message: 'it is broken' });
  });

  it('is drawn in the colours of another theme, high contrast included', async () => {
    await load();
    page.hears({ type: 'show', ref, chart: monthly });
    await settled();
    browser.pen().forget();
    browser.colors = { ...browser.colors, '--vscode-charts-blue': 'yellow' };
    document.body.className = 'vscode-high-contrast';
    await settled();
    assert.notEqual(browser.pen().paths('yellow').length, 0);
    assert.equal(browser.pen().paths('blue').length, 0);
    const edges = browser.pen().strokes.filter(({ call, color, alpha }) => call === 'stroke' && color === 'yellow' && alpha === 0.6); // prettier-ignore
    assert.equal(edges.length, 3, 'bands have edges');
  });
});
