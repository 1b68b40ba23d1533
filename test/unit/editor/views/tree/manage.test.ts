import assert from 'node:assert/strict';
import path from 'node:path';
import { URI } from 'vscode-uri';
import { VIEWS } from '../../../../../src/editor/names.ts';
import { takeDropped } from '../../../../../src/editor/views/tree/resource-tree.ts';
import type { Node, ResourceNode } from '../../../../../src/editor/views/tree/kinds.ts';
import { SeenChart } from '../../chart-page.ts';
import { Extension } from '../../extension.ts';
import { months, seasonal } from '../../series-text.ts';
import { smallPages } from '../../small-pages.ts';

describe('predictions view', () => {
  const extension = new Extension();
  const tree = () => extension.app.trees.get(VIEWS.predictions)!;
  const labels = async (parent?: Node) =>
    (await tree().getChildren(parent)).map((node) => String(tree().getTreeItem(node).label));
  const node = async (label: string): Promise<ResourceNode> => {
    const all = await tree().getChildren();
    const found = all.find((one) => tree().getTreeItem(one).label === label);
    assert.ok(found && 'item' in found, `${label} is not among ${(await labels()).join(', ')}`);
    return found;
  };

  it('renames, pins, filters and groups predictions, and repeats several with one model', async () => {
    const { person, app } = extension;
    for (const name of ['a.csv', 'b.csv', 'c.csv'])
      await extension.run('forecast', extension.file(name, months(36, { n: seasonal })));
    await tree().refresh();
    assert.deepEqual(await labels(), ['c.csv', 'b.csv', 'a.csv']);

    person.types('').types('the first');
    await extension.run('rename', await node('a.csv'));
    assert.deepEqual(await labels(), ['c.csv', 'b.csv', 'the first']);
    const renamed = await node('the first');
    assert.equal(app.memory.recall('local', renamed.id)?.source?.fileName, 'a.csv', 'the rest of its note stays');

    person.types('it is');
    const asked = person.inputs.length;
    const renaming = extension.run('rename', renamed);
    while (person.inputs.length === asked) await Promise.resolve();
    app.memory.keepCoverage('local', renamed.id, { of: 3, inside: 2, level: 80 });
    await renaming;
    const { label, coverage } = app.memory.recall('local', renamed.id)!;
    assert.deepEqual([label, coverage?.of], ['it is', 3], 'what was noted meanwhile stays');
    person.types('the first');
    await extension.run('rename', renamed);

    await extension.run('pin', renamed);
    assert.deepEqual(await labels(), ['the first', 'c.csv', 'b.csv']);
    assert.match(String(tree().getTreeItem(await node('the first')).description), /^pinned · /);
    const all = smallPages(app.connection.inUse.client, () => 1);
    await tree().refresh();
    assert.deepEqual((await labels()).slice(0, 2), ['the first', 'c.csv'], 'also where its page is not read');
    all();
    await tree().refresh();

    person.types('B.csv completed');
    await extension.run('filterPredictions');
    assert.deepEqual(await labels(), ['b.csv']);
    person.types('');
    await extension.run('filterPredictions');
    assert.equal((await labels()).length, 3);

    person.picks('By file');
    await extension.run('groupPredictions');
    assert.deepEqual(await labels(), ['the first', 'c.csv', 'b.csv'], 'pinned ones, then the groups');
    const [, group] = await tree().getChildren();
    assert.deepEqual([group.kind, await labels(group)], ['group', ['c.csv']]);
    await extension.run('pin', await node('the first'));
    person.picks('By day');
    await extension.run('groupPredictions');
    assert.deepEqual(await labels(), ['Today']);
    person.picks('Ungrouped');
    await extension.run('groupPredictions');

    const both = [await node('b.csv'), await node('c.csv')];
    person.picks('Theta');
    await extension.run('forecastAgainWith', both[0], both);
    const { items } = await app.connection.inUse.client.listPredictions({ size: 2 });
    assert.deepEqual(items.map(({ ai_model_id, name }) => [ai_model_id, name]).sort(), [
      ['theta', 'b.csv'],
      ['theta', 'c.csv'],
    ]);
  });

  it('compares chosen forecasts of one series, and explains why others cannot be compared', async () => {
    const { person, window } = extension;
    const uri = extension.file('twice.csv', months(36, { n: seasonal }));
    await extension.run('forecast', uri);
    await tree().refresh();
    const first = await node('twice.csv');
    person.picks('Theta');
    await extension.run('forecastAgainWith', first, [first]);
    await tree().refresh();
    const both = (await tree().getChildren()).filter((one) => tree().getTreeItem(one).label === 'twice.csv');
    assert.equal(both.length, 2);
    // a name of its own does not make it another series
    person.types('with theta');
    await extension.run('rename', both[0]);
    await tree().refresh();
    const chosen = [await node('with theta'), await node('twice.csv')];
    await extension.run('compareSelected', chosen[0], chosen);
    const panel = window.panels.at(-1)!;
    const { rows } = await new SeenChart(panel).compared((view) => view.rows.length === 2 && view.rows.every(({ scores }) => scores !== undefined)); // prettier-ignore
    assert.deepEqual(rows.map(({ id, isMain }) => [id, isMain]), [[chosen[0].id, true], [chosen[1].id, false]]); // prettier-ignore

    await extension.run('forecast', extension.file('another.csv', months(36, { n: (month) => month })));
    await tree().refresh();
    const another = await node('another.csv');
    await extension.run('compareSelected', another, [another, chosen[0]]);
    assert.equal(person.texts.at(-1), '“another.csv” and “with theta” are forecasts of different series, so they cannot be compared.'); // prettier-ignore
    await extension.run('compareSelected', another, [another]);
    assert.match(person.texts.at(-1) ?? '', /^Select two to 4 finished predictions/);
  });

  it('copies the request of a prediction, and inserts its rows into its file', async () => {
    const { person, window } = extension;
    const uri = extension.file('sales.csv', months(24, { sold: seasonal }));
    await extension.run('forecast', uri);
    await tree().refresh();
    const made = await node('sales.csv');
    person.picks('curl');
    await extension.run('export', made);
    assert.match(window.clipboard, /"prediction_length": \d+/);
    assert.equal(window.clipboard.match(/"timestamp"/g)?.length, 24);
    assert.match(window.clipboard, /Bearer \$FORECASTS_TOKEN/);
    await extension.run('insertForecast', made);
    assert.deepEqual(person.texts, []);
    const edited = window.documents.find((document) => document.uri.toString() === uri.toString())!;
    const lines = edited.getText().trimEnd().split('\n');
    assert.deepEqual([edited.isDirty, lines.length > 30], [true, true]);
    assert.equal(lines.at(-1)!.split(',').length, lines[0].split(',').length);
  });

  it('accepts files dropped on datasets', async () => {
    const taken: string[] = [];
    const take = (files: readonly { path: string }[]) => taken.push(...files.map(({ path }) => path));
    type Dropped = Parameters<typeof takeDropped>[0];
    interface File {
      name: string;
      uri?: URI;
    }
    const dropped = (text: string, ...files: File[]) => {
      const items = files.map((file): [string, object] => ['text/csv', { asFile: () => file }]);
      const list = text === '' ? [] : [['text/uri-list', { asString: () => Promise.resolve(text), asFile: () => undefined }] as [string, object]]; // prettier-ignore
      const all = [...list, ...items];
      return Object.assign(all, {
        get: (type: string) => all.find(([own]) => own === type)?.[1],
      }) as unknown as Dropped;
    };
    await takeDropped(dropped('file:///a/one.csv\r\n# a remark\r\nfile:///a/two.csv\r\n'), take);
    await takeDropped(dropped('', { name: 'three.csv', uri: URI.parse('file:///a/three.csv') }), take);
    await takeDropped(dropped('', { name: 'four.csv' }), take);
    await takeDropped(dropped(''), take);
    assert.deepEqual(taken, ['/a/one.csv', '/a/two.csv', '/a/three.csv']);
    assert.match(extension.person.texts.join(), /^four\.csv cannot be opened from here/);
  });

  it('accepts a folder dropped on datasets, file by file', async () => {
    const { person, app } = extension;
    for (const name of ['in/x.csv', 'in/deep/y.csv', 'in/z.forecast.json'])
      extension.file(name, months(24, { n: seasonal }));
    await extension.run('createDataset', URI.file(path.join(extension.folder, 'in')));
    const { items } = await app.connection.inUse.client.listDatasets({ size: 50 });
    assert.deepEqual([person.texts, items.map(({ name }) => name).sort()], [[], ['x', 'y']]);
  });
});
