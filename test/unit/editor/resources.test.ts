import assert from 'node:assert/strict';
import { Extension } from './extension.ts';
import { months, seasonal } from './series-text.ts';

describe('commands for what the service keeps', () => {
  const extension = new Extension();

  it('reach every prediction, however many there are', async () => {
    const { person, window, app } = extension;
    const client = app.connection.client();
    const series = Array.from({ length: 24 }, (_, month) => ({
      timestamp: new Date(Date.UTC(2020, month)).toISOString(),
      value: month,
    }));
    const dataset = await client.createDataset({
      series: Array.from({ length: 120 }, (_, index) => ({ name: `series ${index}`, series })),
    });
    await client.predictDataset(dataset.id, {});
    person.picks('Load more…').picks('Load more…').picks('series 0');
    await extension.run('copyId');
    assert.deepEqual(
      person.offered.map((items) => items.length),
      [51, 101, 120],
    );
    assert.equal(person.offered[0].at(-1)?.description, '50 of 120 are listed');
    const { name } = await client.getPrediction(window.clipboard);
    assert.equal(name, 'series 0');
    await client.cancelDatasetPredictions(dataset.id);
  });

  it('store the series of a file as a dataset, with their missing values and rows', async () => {
    const { person, app } = extension;
    const file = extension.file('two.csv', months(30, { a: seasonal, b: (month) => (month === 3 ? '' : month) }));
    person.picks('a', 'b');
    await extension.run('createDataset', file);
    const client = app.connection.client();
    const [dataset] = (await client.listDatasets({ size: 1 })).items;
    assert.equal(dataset.name, 'two');
    const { items } = await client.listDatasetSeries(dataset.id);
    assert.deepEqual(items.map(({ name, rows }) => [name, rows]).sort(), [
      ['a', 30],
      ['b', 30],
    ]);
  });

  it('make a key, and copy its secret only when that is confirmed', async () => {
    const { person, window, app } = extension;
    person.types('').types('for a notebook');
    await extension.run('createKey');
    const client = app.connection.client();
    const key = (await client.listKeys()).items.find((item) => item.secret !== undefined)!;
    const node = { kind: 'key', id: key.id, item: key, serviceId: 'local', offers: await client.capabilities() };
    window.clipboard = 'mine';
    await extension.run('copySecret', node);
    assert.equal(window.clipboard, 'mine');
    person.presses('Copy Secret').presses('Clear Clipboard');
    await extension.run('copySecret', node);
    assert.equal(window.clipboard, '');
    assert.ok(person.texts.every((text) => !text.includes(key.secret!)));
  });

  it('delete after one question, and nothing without it', async () => {
    const { person, app } = extension;
    const client = app.connection.client();
    const made = await client.createDataset({
      name: 'old',
      series: [{ name: 'x', series: [{ timestamp: '2024-01-01T00:00:00Z', value: 1 }] }],
    });
    const node = { kind: 'dataset', id: made.id, item: made, serviceId: 'local', offers: await client.capabilities() };
    const isThere = async () => (await client.listDatasets({ size: 200 })).items.some(({ id }) => id === made.id);
    await extension.run('delete', node, [node]);
    assert.equal(await isThere(), true);
    person.presses('Delete');
    await extension.run('delete', node, [node]);
    assert.equal(await isThere(), false);
    assert.match(person.texts[0], /^Delete the dataset “old”\? This cannot be undone\.$/);
    assert.ok(person.read.every(({ isModal }) => isModal));
  });
});
