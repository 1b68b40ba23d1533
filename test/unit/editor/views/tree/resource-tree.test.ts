import assert from 'node:assert/strict';
import { VIEWS } from '../../../../../src/editor/names.ts';
import type { Node, ResourceNode } from '../../../../../src/editor/views/tree/kinds.ts';
import { Extension } from '../../extension.ts';
import { smallPages } from '../../small-pages.ts';
import { until } from '../../until.ts';
import type { TreeView } from '../../workbench/tree-view.ts';

const series = Array.from({ length: 24 }, (_, month) => ({
  timestamp: new Date(Date.UTC(2020, month)).toISOString(),
  value: month,
}));

describe('view of the sidebar', () => {
  const extension = new Extension();
  let size = 3;
  const tree = () => extension.app.trees.get(VIEWS.predictions)!;
  const labels = (nodes: readonly Node[]) =>
    nodes.map((node) => {
      const { label = '' } = tree().getTreeItem(node);
      return typeof label === 'string' ? label : label.label;
    });

  before(async () => {
    const client = extension.app.connection.inUse.client;
    smallPages(client, () => size);
    for (const [name, model] of [['bread', 'theta'], ['butter', 'ets'], ['milk', 'theta'], ['salt', 'ets'], ['tea', 'theta']]) {
      await client.createPrediction({ series, name, ai_model_id: model, prediction_length: 2 });
    } // prettier-ignore
  });

  it('reads a page, newest first, and more on request', async () => {
    const first = await tree().getChildren();
    assert.deepEqual(first.map(({ kind }) => kind), ['prediction', 'prediction', 'prediction', 'more']); // prettier-ignore
    assert.deepEqual(labels(first.slice(0, 3)), ['tea', 'salt', 'milk']);
    const more = first.at(-1)!;
    assert.ok(more.kind === 'more');
    assert.deepEqual([more.loaded, more.total], [3, 5]);
    await tree().loadMore(more);
    assert.deepEqual(labels(await tree().getChildren()), ['tea', 'salt', 'milk', 'butter', 'bread']);
  });

  it('reports unreadable items after the readable ones', async () => {
    const client = extension.app.connection.inUse.client;
    const { listPredictions } = client;
    client.listPredictions = async (...asked) => ({ ...(await listPredictions.apply(client, asked)), unreadable: ['id: is no text'] }); // prettier-ignore
    await tree().refresh();
    const nodes = await tree().getChildren();
    const kinds = nodes.map(({ kind }) => kind);
    Object.assign(client, { listPredictions });
    await tree().refresh();
    await extension.run('explainProblem', nodes[kinds.indexOf('problem')]);
    assert.match(extension.person.texts.join(), /^\d more do not have the expected format: id: is no text$/);
    assert.deepEqual([kinds[0], kinds.indexOf('problem') > kinds.lastIndexOf('prediction')], ['prediction', true]);
  });

  it('is redrawn if the zone changes its days', () => {
    let painted = 0;
    const listening = tree().onDidChangeTreeData(() => painted++);
    extension.window.setSetting('forecasts.timeZone', 'Asia/Tokyo');
    extension.window.setSetting('forecasts.timeZone', undefined);
    listening.dispose();
    assert.equal(painted, 2);
  });

  it('keeps loaded pages on a refresh', async () => {
    await tree().refresh();
    assert.equal((await tree().getChildren()).length, 5);
    assert.equal(await tree().reveal(tree().entries[4].id), true);
    assert.equal(await tree().reveal('nothing'), false);
  });

  it('shows items that match a filter, and names the filter', async () => {
    size = 2;
    await tree().refresh();
    await tree().setFilter(' BREAD ');
    assert.deepEqual(labels(await tree().getChildren()), ['bread'], 'though it is on a page that was not read yet');
    assert.equal(tree().view.description, '“BREAD”');
    await tree().setFilter('no such words');
    assert.deepEqual(await tree().getChildren(), []);
    await tree().setFilter('');
    assert.equal(tree().view.description, undefined);
  });

  it('groups items by day, also in the next window', async () => {
    await tree().setGrouping('day');
    const [today, ...rest] = await tree().getChildren();
    assert.equal(today.kind, 'group');
    assert.ok(rest.every(({ kind }) => kind !== 'prediction'));
    assert.ok((await tree().getChildren(today)).every(({ kind }) => kind === 'prediction'));
    await extension.stop();
    extension.start();
    assert.equal(tree().grouping, 'day');
    await tree().setGrouping('none');
  });

  it('makes the tooltip of a forecast on demand, with a picture, or without if unreadable', async () => {
    const [entry] = await tree().getChildren();
    assert.ok(entry.kind === 'prediction');
    const shown = await tree().resolveTreeItem(tree().getTreeItem(entry), entry);
    assert.match(JSON.stringify(shown.tooltip), /data:image\/svg/);
    const gone = { ...entry, id: 'prediction_gone' };
    const plain = await tree().resolveTreeItem(tree().getTreeItem(gone), gone);
    assert.doesNotMatch(JSON.stringify(plain.tooltip), /data:image\/svg/);
  });

  it('reads the records of an entry when loaded, and again only after they may have changed', async () => {
    const { memory } = extension.app;
    const read: string[] = [];
    const { recall } = memory;
    memory.recall = (service, id) => {
      if (id.startsWith('prediction')) read.push(id);
      return recall.call(memory, service, id);
    };
    await tree().refresh();
    const all = tree().entries.map(({ id }) => id);
    assert.ok(all.length > 1);
    assert.deepEqual(read.splice(0), all);
    tree().add(tree().entries[0]);
    assert.deepEqual(read.splice(0), [all[0]]);
    tree().relabel();
    assert.deepEqual(read, all);
    Reflect.deleteProperty(memory, 'recall');
  });

  it('uses the person’s names of predictions and models', () => {
    const { memory } = extension.app;
    const [{ id }] = tree().entries;
    memory.note('local', id, { label: 'Mine' });
    for (const model of ['theta', 'ets']) memory.note('local', model, { label: 'My model' });
    tree().relabel();
    const [one] = tree().entries;
    assert.ok(one.kind === 'prediction');
    assert.deepEqual([one.note?.label, one.modelLabel], ['Mine', 'My model']);
  });

  it('polls an unfinished forecast while it is visible', async () => {
    const { client, predictions } = extension.app.connection.inUse;
    const { findPredictions } = client;
    const asked: string[] = [];
    client.findPredictions = (ids) => {
      asked.push(...ids);
      return Promise.resolve({ jobs: [], isAll: false });
    };
    predictions.stop();
    const [{ item }] = tree().entries;
    (tree().view as unknown as TreeView).see(true);
    const running = { ...tree().entries[0], id: 'running', item: { ...item, id: 'running', status: 'PENDING' } };
    tree().add(running as unknown as ResourceNode);
    await until(() => asked.length, (count) => count > 0); // prettier-ignore
    await tree().refresh();
    const before = asked.length;
    await new Promise((resolve) => setTimeout(resolve, 1000));
    assert.equal(asked.length, before);
    Object.assign(client, { findPredictions });
  });

  it('follows an unfinished forecast to its end', async () => {
    const client = extension.app.connection.inUse.client;
    (tree().view as unknown as TreeView).see(true);
    await tree().getChildren();
    const made = await client.createPrediction({ series, name: 'later', prediction_length: 2, is_async: true });
    await tree().refresh();
    const status = () => {
      const found = tree().entries.find(({ id }) => id === made.id);
      return found?.kind === 'prediction' ? found.item.status : undefined;
    };
    assert.notEqual(status(), undefined);
    await until(status, (now) => now === 'COMPLETED');
  });
});
