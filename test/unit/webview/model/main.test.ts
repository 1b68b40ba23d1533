import assert from 'node:assert/strict';
import type { ModelIntent } from '../../../../src/editor/views/model/view.ts';
import type { ModelState, ModelView } from '../../../../src/editor/views/model/view.ts';
import type { PageMessage, StateMessage } from '../../../../src/editor/views/shared/protocol.ts';
import { settled, useBrowser } from '../browser.ts';
import { loadPage } from '../load-page.ts';
import { button, find } from '../dom.ts';

const ref = { serviceId: 'local', modelId: 'm1' };
const model: ModelView = {
  status: 'Fine-tuned from hybrid',
  actions: [{ id: 'forecast', label: 'Forecast a File with this Model…' }],
  lists: [],
  notes: [],
};

describe('model page program', () => {
  const browser = useBrowser();
  async function load(kept?: unknown) {
    const page = await loadPage<StateMessage<ModelState>, PageMessage<ModelIntent>>(browser, 'model', kept);
    const shows = async (now: ModelView) => {
      page.hears({ type: 'state', parts: { ref, title: 'retail', model: now } });
      await settled();
    };
    return { ...page, shows };
  }

  it('reports that it is ready, shows the model, and keeps its reference', async () => {
    const page = await load();
    assert.deepEqual(page.posted, [{ type: 'ready' }]);
    await page.shows({ problem: undefined, actions: [], lists: [], notes: [] });
    assert.equal(find('[role=status]').textContent, 'Loading…');
    assert.deepEqual(page.kept(), { ref }, 'also of one that was never read');
    await page.shows(model);
    assert.equal(find('h1').textContent, 'retail');
    button('Forecast a File with this Model…').click();
    assert.deepEqual(page.posted.at(-1), { type: 'intent', intent: { type: 'action', id: 'forecast' } });
  });

  it('shows the latest state, also when a state is sent twice', async () => {
    const page = await load({ ref });
    await page.shows({ ...model, status: 'Training 40%', progress: 0.4 });
    assert.equal(find<HTMLProgressElement>('progress').value, 0.4);
    await page.shows(model);
    await page.shows(model);
    assert.equal(document.querySelectorAll('h1').length, 1);
    assert.equal(document.querySelector('progress'), null);
    await page.shows({ problem: 'It is gone.', actions: [], lists: [], notes: [] });
    assert.equal(find('[role=alert]').textContent, 'It is gone.');
  });

  it('reports errors to its panel and ignores unknown messages', async () => {
    const page = await load();
    page.hears({ type: 'hide' } as unknown as StateMessage<ModelState>);
    window.dispatchEvent(Object.assign(new Event('error'), { message: 'it is broken' }));
    assert.deepEqual(page.posted.at(-1), { type: 'problem', message: 'it is broken' });
  });
});
