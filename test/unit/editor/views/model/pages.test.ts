import assert from 'node:assert/strict';
import { URI } from 'vscode-uri';
import { ServiceError } from '../../../../../src/client/errors.ts';
import type { LocalFineTunedModel } from '../../../../../src/contract/resources.ts';
import { COMMANDS, VIEWS } from '../../../../../src/editor/names.ts';
import type { App } from '../../../../../src/editor/app.ts';
import type { MadeModels, Memory } from '../../../../../src/editor/connection/memory.ts';
import { modelPages } from '../../../../../src/editor/views/model/view.ts';
import type { ModelState } from '../../../../../src/editor/views/model/view.ts';
import type { WebviewPanel } from '../../workbench/webview-panel.ts';
import { act, Services, stateOf, deferred, log, offering, restoredPanel, settled, useWindow } from '../panels.ts';

const modelOf = (more: Partial<LocalFineTunedModel> = {}): LocalFineTunedModel => ({
  id: 'model_1',
  status: 'COMPLETED',
  name: 'retail',
  base_model: 'hybrid',
  ...more,
});
const ALL = ['getFineTunedModel', 'stopFineTunedModel', 'createFineTunedModel', 'start_model'];

describe('model page', () => {
  const window = useWindow();

  function make({ client = {}, notes = {}, made = [] }: { client?: object; notes?: Record<string, string>; made?: readonly LocalFineTunedModel[] } = {}) {
    const done: unknown[] = [];
    const watched: { end: boolean; onChange: (model: LocalFineTunedModel) => void }[] = [];
    const watch = (_: string, { onChange }: { onChange: (model: LocalFineTunedModel) => void }) => {
      const one = { end: false, onChange };
      watched.push(one);
      return () => (one.end = true);
    };
    const services = new Services(
      { capabilities: () => Promise.resolve(offering(...ALL)), getFineTunedModel: (id: string) => Promise.resolve(modelOf({ id, name: id === 'model_1' ? 'retail' : 'other' })), stopFineTunedModel: (id: string) => Promise.resolve(done.push(['stop', id])), ...client },
      { models: { watch } },
    );
    const memory = { recall: (_: string, id: string) => (id in notes ? { label: notes[id] } : undefined) } as unknown as Memory;
    const madeModels = { of: () => made.map((model) => ({ model })) } as unknown as MadeModels;
    const view = { refresh: () => Promise.resolve(), reveal: (id: string) => Promise.resolve(done.push(['dataset', id]) > 0) };
    const trees = new Map(Object.values(VIEWS).map((id) => [id, view]));
    const app = { connection: services.connection, memory, madeModels, trees, log: log(), extensionUri: URI.file('/extension') } as unknown as App;
    const pages = modelPages(() => app);
    const open = (serviceId: string, model: LocalFineTunedModel) => {
      pages.open({ serviceId, modelId: model.id }, model);
      panel().says({ type: 'ready' });
    };
    return { pages, open, services, done, watched };
  } // prettier-ignore
  const panel = (): WebviewPanel => window().panels.at(-1)!;
  const last = (one: WebviewPanel = panel()) => {
    const { title, model } = stateOf<ModelState>(one);
    return { title, ...model };
  };
  const shown = (one?: WebviewPanel) => {
    const now = last(one);
    assert.ok(now.status !== undefined, JSON.stringify(now));
    return now;
  };
  const kept = (modelId: string) => ({ ref: { serviceId: 'local', modelId } });
  const actions = () => shown().actions.map(({ id }) => id);

  it('shows what is known at once, and then the answer of the service', async () => {
    const whole = deferred<LocalFineTunedModel>();
    const { open } = make({ client: { getFineTunedModel: () => whole.promise } });
    open('local', modelOf());
    assert.deepEqual([panel().title, shown().title], ['retail', 'retail']);
    await settled();
    whole.keep(modelOf({ warnings: ['Two series were too short.'] }));
    await settled();
    assert.deepEqual(shown().notes, ['Two series were too short.']);
    assert.deepEqual(actions(), ['forecast', 'further']);
  });

  it('is one for each model of each service', async () => {
    const { open } = make();
    open('local', modelOf());
    open('local', modelOf());
    open('local', modelOf({ id: 'model_2', name: 'other' }));
    open('https://other.example', modelOf());
    await settled();
    assert.deepEqual(window().panels.map(({ title }) => title), ['retail', 'other', 'retail']); // prettier-ignore
  });

  it('has the name of the model, or else its id, as title', async () => {
    const { open } = make({ notes: { model_1: 'My best' } });
    open('local', modelOf());
    assert.equal(panel().title, 'My best');
    const { open: others } = make();
    others('local', modelOf({ id: 'model_abcdef', name: undefined }));
    assert.equal(panel().title, 'Model abcdef');
    await settled();
  });

  it('forecasts with the model, stops it, and shows its datasets', async () => {
    const commands: unknown[] = [];
    window().commands.registerCommand(`${VIEWS.datasets}.focus`, () => undefined);
    window().commands.registerCommand(COMMANDS.forecast, (what) => commands.push(what));
    const { open, done } = make();
    open('local', modelOf());
    await settled();
    for (const id of ['forecast', 'stop', 'dataset:d7', 'format-disk']) act(panel(), { type: 'action', id });
    await settled();
    assert.deepEqual(commands, [{ serviceId: 'local', modelId: 'model_1' }]);
    assert.deepEqual(done, [['stop', 'model_1'], ['dataset', 'd7']]); // prettier-ignore
  });

  it('offers the actions for the status of the model', async () => {
    const { open, watched } = make({ client: { getFineTunedModel: () => Promise.resolve(modelOf({ status: 'IN_PROGRESS' })) } }); // prettier-ignore
    open('local', modelOf({ status: 'IN_PROGRESS', progress: 0.1 }));
    await settled();
    assert.deepEqual(actions(), ['stop']);
    watched[0].onChange(modelOf({ status: 'IN_PROGRESS', progress: 0.5 }));
    await settled();
    assert.equal(shown().progress, 0.5);
    watched[0].onChange(modelOf({ status: 'COMPLETED' }));
    await settled();
    assert.deepEqual(actions(), ['forecast', 'further']);
    const bare = make({ client: { capabilities: () => Promise.resolve(offering()) } });
    bare.open('local', modelOf());
    await settled();
    assert.deepEqual(actions(), ['forecast']);
  });

  it('keeps the training data while updates leave it out', async () => {
    const input = { dataset_ids: ['d1'] };
    const { open, watched } = make({
      client: {
        getFineTunedModel: () => Promise.resolve(modelOf({ status: 'IN_PROGRESS', input_config: input })),
        listDatasets: () => Promise.resolve({ items: [{ id: 'd1', name: 'Shops' }], unreadable: [], next: undefined }),
      },
    });
    open('local', modelOf({ status: 'IN_PROGRESS' }));
    await settled();
    watched[0].onChange(modelOf({ status: 'COMPLETED' }));
    await settled();
    assert.deepEqual(shown().lists[0], { title: 'Training data', rows: [{ name: 'Datasets', values: [{ text: 'Shops', id: 'dataset:d1' }] }] }); // prettier-ignore
  });

  it('watches a training only while it is open', async () => {
    const { open, watched } = make({ client: { getFineTunedModel: () => Promise.resolve(modelOf({ status: 'QUEUED' })) } }); // prettier-ignore
    open('local', modelOf({ status: 'QUEUED' }));
    await settled();
    assert.deepEqual(watched.map(({ end }) => end), [false]); // prettier-ignore
    panel().dispose();
    assert.deepEqual(watched.map(({ end }) => end), [true]); // prettier-ignore
  });

  it('logs nothing if it is closed during a request', async () => {
    for (const end of ['keep', 'fail'] as const) {
      const whole = deferred<LocalFineTunedModel>();
      const { open } = make({ client: { getFineTunedModel: () => whole.promise } });
      open('local', modelOf());
      await settled();
      const one = panel();
      one.dispose();
      const { length } = one.posted;
      if (end === 'keep') whole.keep(modelOf());
      else whole.fail(new ServiceError('unreachable', 'Nobody answers.'));
      await settled();
      assert.deepEqual([one.posted.length, window().log], [length, []], end);
    }
  });

  it('shows a failure beside what is known, with Try Again', async () => {
    let isAway = true;
    const capabilities = () => isAway ? Promise.reject(new ServiceError('unreachable', 'Nobody answers.')) : Promise.resolve(offering(...ALL)); // prettier-ignore
    const { open } = make({ client: { capabilities } });
    open('local', modelOf());
    await settled();
    const model = shown();
    assert.deepEqual([model.title, model.problem], ['retail', 'Nobody answers.']);
    assert.deepEqual(actions(), ['forecast', 'retry']);
    isAway = false;
    act(panel(), { type: 'action', id: 'retry' });
    await settled();
    assert.equal(shown().problem, undefined);
    assert.deepEqual(actions(), ['forecast', 'further']);
  });

  it('clears the failure on Try Again', async () => {
    const answer = deferred<never>();
    let tries = 0;
    const { pages } = make({ client: { capabilities: () => (tries++ === 0 ? Promise.reject(new Error('away')) : answer.promise) } }); // prettier-ignore
    const { panel: one, webview } = restoredPanel('forecasts.model', 'retail');
    await pages.deserializeWebviewPanel(webview, kept('model_1'));
    one.says({ type: 'ready' });
    await settled();
    assert.deepEqual(last(one), { title: 'retail', problem: 'away', actions: [{ id: 'retry', label: 'Try Again' }], lists: [], notes: [] }); // prettier-ignore
    act(one, { type: 'action', id: 'retry' });
    await settled();
    const now = last(one);
    assert.equal(now.status, undefined);
    assert.deepEqual([now.problem, now.actions], [undefined, []]);
  });

  it('is restored after a window reload, with the last known model if the service lists none', async () => {
    const made = modelOf({ status: 'QUEUED', name: 'made here' });
    const { pages } = make({ client: { capabilities: () => Promise.resolve(offering()) }, made: [made] });
    const { panel: one, webview } = restoredPanel('forecasts.model');
    await pages.deserializeWebviewPanel(webview, kept('model_1'));
    one.says({ type: 'ready' });
    await settled();
    assert.equal(shown(one).title, 'made here');
    assert.deepEqual(shown(one).actions.map(({ id }) => id), ['forecast'], 'it may be tried'); // prettier-ignore
    assert.equal(pages.close(kept('model_1').ref), true);
    assert.equal(one.isDisposed, true);
    assert.equal(pages.close(kept('model_1').ref), false);
  });

  it('closes after a reload if its state is unreadable, and stays open when the window closes', async () => {
    const { pages, open } = make();
    for (const saved of [undefined, 'm1', { ref: { modelId: 'm1' } }, { ref: { serviceId: 1, modelId: 'm' } }]) {
      const { panel: one, webview } = restoredPanel('forecasts.model');
      await pages.deserializeWebviewPanel(webview, saved);
      assert.equal(one.isDisposed, true, JSON.stringify(saved));
    }
    open('local', modelOf());
    pages.dispose();
    assert.equal(panel().isDisposed, false);
    await settled();
  });

  it('never posts a secret of the service', async () => {
    const { open } = make({ client: { getFineTunedModel: () => Promise.reject(new ServiceError('unauthorized', 'The token is not valid.')) } }); // prettier-ignore
    open('local', { ...modelOf(), token: 'sk-secret', api_key: 'sk-secret' } as unknown as LocalFineTunedModel);
    await settled();
    assert.doesNotMatch(JSON.stringify(panel().posted) + panel().webview.html, /sk-secret/);
  });

  it('loads an unfinished model again when services change', async () => {
    let reads = 0;
    let status = 'QUEUED';
    const { open, services } = make({ client: { getFineTunedModel: () => { reads++; return Promise.resolve(modelOf({ status })); } } }); // prettier-ignore
    open('local', modelOf({ status }));
    await settled();
    const before = reads;
    status = 'COMPLETED';
    services.changed.fire();
    await settled();
    assert.ok(reads > before);
    const after = reads;
    services.changed.fire();
    await settled();
    assert.equal(reads, after);
  });

  it('ignores unknown messages, and logs problems of the page', async () => {
    const { open, done } = make();
    open('local', modelOf());
    await settled();
    const { length } = panel().posted;
    for (const message of [null, 7, {}, { type: 'action' }, { type: 'delete', id: 'm' }]) panel().says(message);
    panel().says({ type: 'problem', message: 'it cannot draw' });
    assert.deepEqual([panel().posted.length, done, window().log], [length, [], ['error forecasts.model: it cannot draw']]); // prettier-ignore
  });

  it('updates its title when the model gets another name', async () => {
    const { open, watched } = make({ client: { getFineTunedModel: () => Promise.resolve(modelOf({ status: 'QUEUED' })) } }); // prettier-ignore
    open('local', modelOf({ status: 'QUEUED' }));
    await settled();
    watched[0].onChange(modelOf({ status: 'QUEUED', name: 'renamed' }));
    await settled();
    assert.deepEqual([panel().title, shown().title], ['renamed', 'renamed']);
  });
});
