import assert from 'node:assert/strict';
import { VIEWS } from '../../../src/editor/names.ts';
import { describeEntry } from '../../../src/editor/views/tree/kinds.ts';
import { Extension } from './extension.ts';
import { months, seasonal } from './series-text.ts';
import { until } from './until.ts';

describe('commands for resources of the service', () => {
  const extension = new Extension();

  it('reach every prediction of any number', async () => {
    const { person, window, app } = extension;
    const client = app.connection.inUse.client;
    const series = Array.from({ length: 24 }, (_, month) => ({
      timestamp: new Date(Date.UTC(2020, month)).toISOString(),
      value: month,
    }));
    const dataset = await client.do('createDataset', {
      body: {
        series: Array.from({ length: 120 }, (_, index) => ({ name: `series ${index}`, series })),
      },
    });
    await client.do('predictDataset', { id: dataset.id, body: {} });
    person.searches('series 0').picks('series 0');
    await extension.run('copyId');
    const { name } = await client.getPrediction(window.clipboard);
    assert.equal(name, 'series 0');
    await client.do('cancelDatasetPredictions', { id: dataset.id });
  });

  it('store the series of a file as a dataset, with missing values and covariates', async () => {
    const { person, app } = extension;
    const file = extension.file('two.csv', months(30, { a: seasonal, b: (month) => (month === 3 ? '' : month) }));
    person.picks('a', 'b');
    await extension.run('createDataset', file);
    const client = app.connection.inUse.client;
    const [dataset] = (await client.listDatasets({ size: 1 })).items;
    assert.equal(dataset.name, 'two');
    const { items } = await client.list('listDatasetSeries', {}, {}, dataset.id);
    assert.deepEqual(items.map(({ name, rows }) => [name, rows]).sort(), [
      ['a', 30],
      ['b', 30],
    ]);
  });

  it('create a key, and copy its secret only after a confirmation', async () => {
    const { person, window, app } = extension;
    person.types('').types('for a notebook');
    await extension.run('createKey');
    const client = app.connection.inUse.client;
    const key = (await client.list('listKeys')).items.find((item) => item.secret !== undefined)!;
    const node = { kind: 'key', id: key.id, item: key, serviceId: 'local', offers: await client.capabilities() };
    window.clipboard = 'mine';
    person.picks('Secret…');
    await extension.run('copyId', node);
    assert.equal(window.clipboard, 'mine');
    person.picks('Secret…').presses('Copy Secret').presses('Clear Clipboard');
    await extension.run('copyId', node);
    assert.equal(window.clipboard, '');
    person.picks('ID');
    await extension.run('copyId', node);
    assert.equal(window.clipboard, key.id);
    assert.ok(person.texts.every((text) => !text.includes(key.secret!)));
  });

  it('create a key at the service that was in use when they began', async () => {
    const { person, window, app } = extension;
    const { client } = app.connection.inUse;
    const { inputBox } = person;
    const switching = () => {
      window.setSetting('forecasts.service', 'https://elsewhere.example');
      return inputBox();
    };
    Object.assign(person, { inputBox: switching });
    person.types('for a robot');
    await extension.run('createKey');
    window.setSetting('forecasts.service', undefined);
    assert.ok((await client.list('listKeys')).items.some(({ name }) => name === 'for a robot'));
  });

  const stored = async (name: string) => {
    const client = extension.app.connection.inUse.client;
    const series = [{ timestamp: '2024-01-01T00:00:00Z', value: 1 }];
    const made = await client.do('createDataset', { body: { name, series: [{ name: 'x', series }] } });
    const offers = await client.capabilities();
    return { kind: 'dataset', id: made.id, item: made, serviceId: 'local', offers };
  };
  const isThere = async (id: string) =>
    (await extension.app.connection.inUse.client.listDatasets({ size: 200 })).items.some((one) => one.id === id);
  const isListed = async (id: string) =>
    (await extension.app.trees.get(VIEWS.datasets)!.getChildren()).some((node) => node.id === id);

  it('delete after one question only, for good once the notification is closed', async () => {
    const { person, app } = extension;
    const node = await stored('old');
    await extension.run('delete', node, [node]);
    assert.equal(await isThere(node.id), true);
    person.presses('Delete');
    await extension.run('delete', node, [node]);
    await until(() => app.deletions.has('local', node.id), (isHeld) => !isHeld); // prettier-ignore
    assert.equal(await isThere(node.id), false);
    assert.deepEqual(person.texts, [...Array<string>(2).fill('Delete “old”?'), '“old” was deleted.']); // prettier-ignore
  });

  it('restore a whole deletion by one Undo', async () => {
    const { person, app } = extension;
    const both = [await stored('north'), await stored('south')];
    await app.trees.get(VIEWS.datasets)!.refresh();
    assert.equal(await isListed(both[0].id), true);
    person.presses('Delete').presses('Undo');
    await extension.run('delete', both[0], both);
    await until(() => app.deletions.latest, (pending) => pending === undefined); // prettier-ignore
    assert.deepEqual(person.texts.at(-1), '“north”, “south” were deleted.');
    for (const { id } of both) assert.deepEqual([await isThere(id), await isListed(id)], [true, true]);
    await extension.run('undoDelete');
    assert.match(person.texts.at(-1) ?? '', /^There is no deletion to undo/);
  });

  it('hide a pending deletion and close its chart until it is undone', async () => {
    const { person, app, window } = extension;
    await extension.run('forecast', extension.file('sales.csv', months(36, { sold: seasonal })));
    const tree = app.trees.get(VIEWS.predictions)!;
    await tree.getChildren();
    await tree.refresh();
    const node = tree.entries.find((one) => describeEntry(one, Date.now()).name === 'sales.csv')!;
    const panel = window.panels.at(-1)!;
    // the notification stays open
    let answer: (button: string) => void = () => undefined;
    Object.assign(person, { message: () => new Promise<string>((resolve) => (answer = resolve)) });
    await extension.run('delete', node, [node]);
    assert.deepEqual([panel.isDisposed, tree.entries.some(({ id }) => id === node.id)], [true, false]);
    assert.equal(window.contexts.get('forecasts.canUndo'), true);
    answer('Undo');
    await until(() => tree.entries.some(({ id }) => id === node.id), Boolean); // prettier-ignore
    assert.equal(window.panels.at(-1)!.title, panel.title);
    assert.equal(window.contexts.get('forecasts.canUndo'), false);
  });

  it('complete pending deletions when the window closes', async () => {
    const { person } = extension;
    const node = await stored('closed');
    person.presses('Delete');
    const { message } = person;
    Object.assign(person, { message: (...shown: Parameters<typeof message>) => shown[1].endsWith('?') ? message(...shown) : new Promise(() => undefined) }); // prettier-ignore
    await extension.run('delete', node, [node]);
    assert.equal(await isThere(node.id), true);
    await extension.stop();
    extension.start();
    assert.equal(await isThere(node.id), false);
  });
});
