import assert from 'node:assert/strict';
import type { ModelIntent } from '../../../../src/editor/views/model/view.ts';
import type { ModelView } from '../../../../src/editor/views/model/view.ts';
import { render } from 'preact';
import { ModelPage } from '../../../../src/webview/model/page.tsx';
import { useBrowser } from '../browser.ts';
import { button, find } from '../dom.ts';

const ref = { serviceId: 'local', modelId: 'm1' };

const model: ModelView = {
  status: 'Fine-tuned from hybrid',
  verdict: { kind: 'better', headline: '18% better than its base model', sentences: ['Best: store 3.'] },
  actions: [
    { id: 'forecast', label: 'Forecast a File with this Model…' },
    { id: 'further', label: 'Continue Training' },
  ],
  training: {
    curves: [
      {
        name: 'loss',
        title: 'Training loss',
        digits: 4,
        points: [
          { epoch: 1, value: 0.3 },
          { epoch: 2, value: 0.2 },
        ],
      },
      {
        name: 'validation',
        title: 'MASE on the holdout',
        digits: 3,
        points: [
          { epoch: 0, value: 1 },
          { epoch: 1, value: 0.8 },
          { epoch: 2, value: 0.9 },
        ],
      },
    ],
    chosen: 1,
    sentences: ['The dot marks epoch 1.'],
  },
  lists: [{ title: 'Training data', rows: [{ name: 'Datasets', values: [{ text: 'retail', id: 'dataset:d1' }] }] }],
  notes: [],
};

describe('page of a fine-tuned model', () => {
  const browser = useBrowser();

  function open() {
    browser.sizes.set('small', { width: 340, height: 180 });
    const asked: string[] = [];
    const show = (now: ModelView) => {
      const send = ({ id }: ModelIntent) => asked.push(id);
      render(<ModelPage state={{ ref, title: 'retail <b>', model: now }} send={send} />, find('#app'));
    };
    show(model);
    return { show, asked };
  }

  it('shows the verdict first, names as text, and the epochs folded', () => {
    open();
    assert.equal(find('h1').textContent, 'retail <b>');
    assert.equal(find('#app > section').textContent, '18% better than its base modelBest: store 3.');
    assert.equal(find<HTMLDetailsElement>('details').open, false);
    const rows = [...document.querySelectorAll('tbody tr')].map(({ textContent }) => textContent);
    assert.deepEqual(rows, ['0–1.000', '10.30000.800', '20.20000.900']);
    assert.equal(find('tr.chosen th').textContent, '1');
  });

  it('sends an intent on click', () => {
    const { asked } = open();
    button('Continue Training').click();
    button('retail').click();
    assert.deepEqual(asked, ['further', 'dataset:d1']);
  });

  it('draws both curves over the same epochs, and describes them', () => {
    open();
    const [loss, validation] = [...document.querySelectorAll('canvas[role=img]')];
    assert.equal(loss!.getAttribute('aria-label'), 'Training loss by epoch: 0.3000 at first, 0.2000 at last');
    assert.match(validation!.getAttribute('aria-label')!, /0\.900 at last$/);
    const at = (curve: number) => browser.pen(`figure:nth-child(${curve}) canvas`).strokes.find(({ call, args }) => call === 'arc' && args[2] === 4)!.args[0]; // prettier-ignore
    assert.equal(at(1), at(2));
  });

  it('keeps the focus and open sections when updated', () => {
    const { show } = open();
    button('Continue Training').focus();
    find<HTMLDetailsElement>('details').open = true;
    find('details').dispatchEvent(new Event('toggle'));
    show({ ...model, status: 'Trained' });
    assert.equal(document.activeElement, button('Continue Training'));
    assert.equal(find<HTMLDetailsElement>('details').open, true);
  });

  it('shows a problem with an action', () => {
    const { show, asked } = open();
    const actions = [{ id: 'retry', label: 'Try Again' }];
    show({ problem: 'The service no longer has this model.', actions, lists: [], notes: [] });
    assert.match(find('[role=alert]').textContent!, /no longer has this model/);
    button('Try Again').click();
    assert.deepEqual(asked, ['retry']);
  });
});
