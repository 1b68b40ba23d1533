import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { URI } from 'vscode-uri';
import type { ManyAction } from '../../../../src/editor/many-series/protocol.ts';
import { VIEWS } from '../../../../src/editor/names.ts';
import { Extension } from '../extension.ts';
import { ManyPage, until } from './many-page.ts';

const months = Array.from(
  { length: 96 },
  (_, i) => `${2020 + Math.floor(i / 12)}-${String((i % 12) + 1).padStart(2, '0')}`,
);
const long = (names: readonly string[]) =>
  `store;month;sales\n${names.flatMap((name, n) => months.map((month, i) => `${name};${month};${100 * n + i + (i % 12)},5`)).join('\n')}\n`;

describe('forecasts of many series', () => {
  const extension = new Extension();

  /** Runs it and saves the forecasts of these series, or of all, from the page. */
  async function saved(uri: URI, action: ManyAction, name: string, ...some: readonly string[]): Promise<string> {
    const target = URI.file(path.join(extension.folder, name));
    extension.person.savesAs(target);
    await extension.run('forecastAll', uri);
    const page = new ManyPage(extension.window);
    await page.do(action, ...(some.length > 0 ? some : await page.names()));
    await until(() => existsSync(target.fsPath));
    return readFileSync(target.fsPath, 'utf8');
  }

  it('are stored, shown on a page, and saved in the layout of their file', async () => {
    const { app, window } = extension;
    const text = await saved(extension.file('stores.csv', long(['Nord', 'Süd', '=West'])), 'save-csv', 'saved.csv');
    const rows = await new ManyPage(window).rows();
    assert.deepEqual(rows.map(({ name }) => name).toSorted(), ['=West', 'Nord', 'Süd']);
    assert.ok(rows.every(({ error, skill }) => error !== undefined && skill !== undefined));
    const lines = text.trim().split('\n');
    assert.match(lines[0], /^store;month;lower_95;lower_80;lower_50;forecast;upper_50;upper_80;upper_95$/);
    assert.match(lines[1], /^Nord;2028-01;\d+(,\d+)?;/);
    assert.ok(lines.some((line) => line.startsWith("'=West;2028-01;")));
    const [dataset] = (await app.connection.inUse.client.listDatasets({ size: 1 }, true)).items;
    assert.deepEqual([dataset.name, dataset.tags, dataset.series_count], ['stores.csv', [], 3]);
    assert.equal(dataset.stats?.freq, 'P1M');
  });

  it('cover a folder and its subfolders, with a report of unreadable files', async () => {
    extension.file('many/a.csv', long(['Nord']));
    extension.file('many/below/b.csv', long(['Ost', 'West']));
    extension.file('many/empty.csv', '');
    extension.file('many/readme.md', '# no series');
    const folder = URI.file(path.join(extension.folder, 'many'));
    const text = await saved(folder, 'save-json', 'saved.json');
    const { person, window } = extension;
    assert.deepEqual(await new ManyPage(window).names(), ['a.csv', 'below/b.csv · Ost', 'below/b.csv · West']);
    const rows = JSON.parse(text) as { file: string; series: string; timestamp: string; forecast: number }[];
    assert.deepEqual(
      [...new Set(rows.map(({ file, series }) => `${file} ${series}`))],
      ['a.csv sales', 'below/b.csv Ost', 'below/b.csv West'],
    );
    assert.equal(rows[0].timestamp, '2028-01-01');
    const [unread, ...others] = person.texts.filter((text) => !text.includes('is saved in'));
    assert.match(unread, /empty\.csv is empty/);
    assert.deepEqual(others, []);
  });

  it('have charts with their names, and are restored from their dataset', async () => {
    const { app, window } = extension;
    await extension.run('forecastAll', extension.file('two.csv', long(['Nord', 'Süd'])));
    const page = new ManyPage(window);
    page.open((await page.rows()).find(({ name }) => name === 'Süd')!.id);
    await until(() => window.panels.some(({ title }) => title === 'Forecast: two.csv · Süd'));
    const client = app.connection.inUse.client;
    const chart = (await client.listPredictions({ size: 2 })).items.find(({ name }) => name === 'Süd')!;
    const note = app.memory.recall('local', chart.id);
    assert.deepEqual([note?.label, note?.source?.id, note?.source?.idColumn], ['two.csv · Süd', 'Süd', 'store']);
    const [item] = (await client.listDatasets({ size: 1 }, true)).items;
    const node = { kind: 'dataset', id: item.id, item, serviceId: 'local', offers: await client.capabilities() };
    page.panel.dispose();
    await extension.run('open', node);
    const again = new ManyPage(window);
    assert.notEqual(again.panel, page.panel);
    assert.deepEqual(await again.names(), ['Nord', 'Süd']);
  });

  it('are one row of the sidebar that expands, opens as a page, and is deleted as one', async () => {
    const { app, window } = extension;
    await extension.run('forecastAll', extension.file('row.csv', long(['Nord', 'Ost', 'Süd'])));
    const tree = app.trees.get(VIEWS.predictions)!;
    const row = await until(async () => (await tree.getChildren()).find((node) => node.kind === 'group' && node.label === 'row.csv')); // prettier-ignore
    assert.ok(row.kind === 'group');
    const item = tree.getTreeItem(row);
    assert.match(String(item.description), /^3 series · /);
    assert.equal(item.contextValue, 'group deletable');
    assert.deepEqual((await tree.getChildren(row)).map((node) => tree.getTreeItem(node).label).toSorted(), ['Nord', 'Ost', 'Süd']); // prettier-ignore
    new ManyPage(window).panel.dispose();
    await extension.run('open', row);
    assert.deepEqual(await new ManyPage(window).names(), ['Nord', 'Ost', 'Süd']);
    await extension.run('delete', row);
    const isThere = async () => (await tree.getChildren()).some(({ id }) => id === row.id);
    await until(async () => !(await isThere()));
  });

  it('are saved, stored and repeated for the selected series', async () => {
    const { app, window, person } = extension;
    const text = await saved(extension.file('three.csv', long(['Nord', 'Ost', 'Süd'])), 'save-csv', 'some.csv', 'Ost');
    assert.deepEqual([...new Set(text.trim().split('\n').slice(1).map((line) => line.split(';')[0]))], ['Ost']); // prettier-ignore
    const page = new ManyPage(window);
    const before = await page.rows();
    person.picks('Theta');
    await page.do('again', 'Nord', 'Süd');
    const after = await until(async () => {
      const rows = await page.rows();
      return rows.filter(({ model }) => model === 'theta').length === 2 && rows;
    });
    assert.deepEqual(after.map(({ name }) => name).toSorted(), ['Nord', 'Ost', 'Süd']);
    const idOf = (rows: readonly { id: string; name: string }[], name: string) => rows.find((one) => one.name === name)!.id; // prettier-ignore
    assert.equal(idOf(after, 'Ost'), idOf(before, 'Ost'));
    assert.notEqual(idOf(after, 'Süd'), idOf(before, 'Süd'));
    person.picks('Theta');
    await page.do('again', 'Nord', 'Ost', 'Süd');
    await until(async () => (await page.rows()).every(({ model }) => model === 'theta'));
    person.types('the southern ones');
    await page.do('dataset', 'Süd');
    const client = app.connection.inUse.client;
    const stored = await until(async () =>
      (await client.listDatasets({ size: 1 })).items.find(({ name }) => name === 'the southern ones'),
    );
    assert.equal(stored.series_count, 1);
    assert.equal(stored.stats?.rows, months.length);
  });

  it('train a model on their dataset, or on the selected series', async () => {
    const { app, window, person } = extension;
    await extension.run('forecastAll', extension.file('four.csv', long(['Nord', 'Ost', 'Süd'])));
    const client = app.connection.inUse.client;
    const page = new ManyPage(window);
    const made = async (count: number) =>
      until(async () => {
        const { items } = await client.list('listFineTunedModels', {});
        return items.length === count && client.do('getFineTunedModel', { id: items[0].id });
      });
    person.picks('Theta').accepts().types('on two');
    await page.do('tune', 'Nord', 'Ost');
    assert.equal((await made(1)).input_config?.series_ids?.length, 2);
    person.picks('Theta').accepts().types('on all');
    await page.do('tune', 'Nord', 'Ost', 'Süd');
    assert.equal((await made(2)).input_config?.dataset_ids?.length, 1);
    window.setSetting('forecasts.service', 'http://127.0.0.1:9');
    await page.do('tune', 'Nord', 'Ost');
    await until(() => person.texts.some((text) => text.startsWith('This belongs to a different service.')));
    window.setSetting('forecasts.service', undefined);
  });
});
