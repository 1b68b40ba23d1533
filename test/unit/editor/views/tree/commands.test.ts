import assert from 'node:assert/strict';
import type { App } from '../../../../../src/editor/app.ts';
import type { Capabilities } from '../../../../../src/client/capabilities.ts';
import { ServiceError } from '../../../../../src/client/errors.ts';
import type * as vscode from 'vscode';
import { VIEWS } from '../../../../../src/editor/names.ts';
import { commandsOf } from '../../../../../src/editor/commands.ts';
import { showJobData, showsJobData } from '../../../../../src/editor/views/tree/sources.ts';
import type { Entry, ResourceNode } from '../../../../../src/editor/views/tree/kinds.ts';
import { Memento } from '../../workbench/memento.ts';
import { log, offering, useWindow } from '../panels.ts';

const nodeOf = (entry: Entry, ...offers: readonly string[]): ResourceNode => ({ ...entry, serviceId: 'local', offers: offering(...offers) as unknown as Capabilities }); // prettier-ignore
const prediction = nodeOf({ kind: 'prediction', id: 'p1', item: { id: 'p1', status: 'COMPLETED' } });

describe('commands of the sidebar', () => {
  const window = useWindow();

  function make() {
    const done: unknown[] = [];
    const trees = new Map(Object.values(VIEWS).map((id) => [id, { refresh: () => Promise.resolve(void done.push(['refresh', id])), loadMore: ({ id: more }: { id: string }) => Promise.resolve(void done.push(['more', id, more])), setFilter: (words: string) => void done.push(['filter', words]) }])); // prettier-ignore
    const app = {
      log: log(),
      trees,
      panels: { front: { serviceId: 'local', predictionId: 'front' }, open: (ref: object, item?: { id: string }, showing?: object) => void done.push([ref, item?.id, showing]) }, // prettier-ignore
      connection: { missing: () => Promise.resolve(undefined), inUse: { client: { forgetCapabilities: () => void done.push('forget') }, predictions: { resume: () => undefined }, models: { resume: () => undefined } } }, // prettier-ignore
    } as unknown as App;
    const commands = commandsOf(app, () => ({}) as vscode.OutputChannel);
    return { commands, done, app };
  }

  it('refresh all views and the service’s description', async () => {
    const { commands, done } = make();
    await commands.refresh();
    assert.deepEqual(done, ['forget', ...Object.values(VIEWS).map((id) => ['refresh', id])]);
  });

  it('load more in the view of the clicked row', async () => {
    const { commands, done } = make();
    await commands.loadMore({ kind: 'more', viewId: VIEWS.datasets, id: 'more d1', loaded: 1, total: 2, parent: undefined }); // prettier-ignore
    await commands.loadMore(prediction);
    await commands.loadMore(undefined);
    assert.deepEqual(done, [['more', VIEWS.datasets, 'more d1']]);
  });

  it('explain unreadable items, with actions', async () => {
    const { commands } = make();
    await commands.explainProblem({ kind: 'problem', id: 'x', error: new ServiceError('unreachable', 'Nobody answers.') }); // prettier-ignore
    await commands.explainProblem(prediction);
    const [{ text, buttons }] = window().person.read;
    assert.deepEqual([window().person.read.length, text], [1, 'Nobody answers.']);
    assert.ok(buttons.includes('Try Again') && buttons.includes('Change Address'), buttons.join());
  });

  it('open the chart of a row or a link without focus, and else the one in front', async () => {
    const { commands, done } = make();
    const ref = { serviceId: 'local', predictionId: 'p1' };
    await commands.open(prediction);
    await commands.open(ref);
    await commands.open(undefined);
    assert.deepEqual(done, [
      [ref, 'p1', { preserveFocus: true }],
      [ref, undefined, { preserveFocus: true }],
      [{ serviceId: 'local', predictionId: 'front' }, undefined, undefined],
    ]);
  });

  it('copy the id of a row', async () => {
    const { commands } = make();
    await commands.copyId(prediction);
    assert.equal(window().clipboard, 'p1');
  });

  it('compare only predictions', () => {
    const { commands } = make();
    assert.equal(commands.compareSelected(nodeOf({ kind: 'dataset', id: 'd', item: { id: 'd' } }), undefined), undefined); // prettier-ignore
  });
});

describe('visibility of internal datasets', () => {
  it('is kept over a reload, and changed by a command', async () => {
    const globalState = new Memento() as unknown as vscode.Memento;
    const known = { globalState, trees: new Map() };
    assert.equal(showsJobData(known), false);
    await showJobData(known, true);
    assert.equal(showsJobData(known), true);
    await showJobData(known, false);
    assert.deepEqual([showsJobData(known), globalState.keys()], [false, []]);
  });
});
