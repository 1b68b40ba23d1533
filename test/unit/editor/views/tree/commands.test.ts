import assert from 'node:assert/strict';
import type { App } from '../../../../../src/editor/app.ts';
import type { Capabilities } from '../../../../../src/client/capabilities.ts';
import { ServiceError } from '../../../../../src/client/errors.ts';
import type * as vscode from 'vscode';
import { CONTEXTS, VIEWS } from '../../../../../src/editor/names.ts';
import { treeCommands } from '../../../../../src/editor/views/tree/commands.ts';
import { JobData } from '../../../../../src/editor/views/tree/job-data.ts';
import type { Entry, ResourceNode } from '../../../../../src/editor/views/tree/node.ts';
import { Memento } from '../../workbench/memento.ts';
import { log, offering, settled, useWindow } from '../panels.ts';

const nodeOf = (entry: Entry, ...offers: readonly string[]): ResourceNode => ({ ...entry, serviceId: 'local', offers: offering(...offers) as unknown as Capabilities }); // prettier-ignore
const prediction = nodeOf({ kind: 'prediction', id: 'p1', item: { id: 'p1', status: 'COMPLETED' } });

describe('the commands of the side bar', () => {
  const window = useWindow();

  function make() {
    const done: unknown[] = [];
    const trees = new Map(Object.values(VIEWS).map((id) => [id, { refresh: () => Promise.resolve(void done.push(['refresh', id])), loadMore: ({ id: more }: { id: string }) => Promise.resolve(void done.push(['more', id, more])), setFilter: (words: string) => void done.push(['filter', words]) }])); // prettier-ignore
    const app = {
      log: log(),
      trees,
      panels: { open: (ref: object, item: { id: string }, keepsFocus: boolean) => void done.push(['chart', ref, item.id, keepsFocus]) }, // prettier-ignore
      modelPanels: { open: (serviceId: string, { id }: { id: string }, isUsable: boolean) => void done.push(['model', serviceId, id, isUsable]) }, // prettier-ignore
      connection: { missing: () => Promise.resolve(undefined), client: () => ({ forgetCapabilities: () => void done.push('forget') }) }, // prettier-ignore
    } as unknown as App;
    const commands = treeCommands(app);
    return { commands, done, app };
  }

  it('read all views again, and what the service announces too', async () => {
    const { commands, done } = make();
    await commands.refresh();
    assert.deepEqual(done, ['forget', ...Object.values(VIEWS).map((id) => ['refresh', id])]);
  });

  it('read on in the view whose row was clicked', async () => {
    const { commands, done } = make();
    await commands.loadMore({ kind: 'more', viewId: VIEWS.datasets, id: 'more d1', loaded: 1, total: 2, parent: undefined }); // prettier-ignore
    await commands.loadMore(prediction);
    await commands.loadMore(undefined);
    assert.deepEqual(done, [['more', VIEWS.datasets, 'more d1']]);
  });

  it('open the chart of a row, whose next key is for the list again', async () => {
    const { commands, done } = make();
    await commands.openChart(prediction);
    assert.deepEqual(done, [['chart', { serviceId: 'local', predictionId: 'p1' }, 'p1', true]]);
  });

  it('open the page of a model, and of nothing else', () => {
    const { commands, done } = make();
    const model: Entry = { kind: 'fineTunedModel', id: 'm1', item: { id: 'm1', status: 'QUEUED' } };
    commands.openModel(nodeOf(model));
    commands.openModel(nodeOf(model, 'getFineTunedModel'));
    commands.openModel(prediction);
    assert.deepEqual(done, [['model', 'local', 'm1', true], ['model', 'local', 'm1', false]]); // prettier-ignore
  });

  it('explain what could not be read, with ways out', async () => {
    const { commands } = make();
    await commands.explainProblem({ kind: 'problem', id: 'x', error: new ServiceError('unreachable', 'Nobody answers.') }); // prettier-ignore
    await commands.explainProblem(prediction);
    const [{ text, buttons }] = window().person.read;
    assert.deepEqual([window().person.read.length, text], [1, 'Nobody answers.']);
    assert.ok(buttons.includes('Try Again') && buttons.includes('Change Address'), buttons.join());
  });

  it('copy the id of a row, and clear the filter', async () => {
    const { commands, done } = make();
    await commands.copyId(prediction);
    await commands.clearFilter();
    assert.deepEqual([window().clipboard, done], ['p1', [['filter', '']]]);
  });

  it('compare nothing that is no prediction', () => {
    const { commands } = make();
    assert.equal(commands.compareSelected(nodeOf({ kind: 'dataset', id: 'd', item: { id: 'd' } }), undefined), undefined); // prettier-ignore
  });
});

describe('whether the data of jobs are shown', () => {
  const window = useWindow();

  it('is known to the menus from the start, kept over a reload, and changed by a word', async () => {
    const state = new Memento() as unknown as vscode.Memento;
    const first = new JobData(state, log());
    await settled();
    assert.deepEqual([first.isShown, window().contexts.get(CONTEXTS.jobData)], [false, false]);
    await first.show(true);
    const next = new JobData(state, log());
    await settled();
    assert.deepEqual([next.isShown, window().contexts.get(CONTEXTS.jobData)], [true, true]);
    await next.show(false);
    assert.deepEqual([next.isShown, state.keys()], [false, []]);
  });
});
