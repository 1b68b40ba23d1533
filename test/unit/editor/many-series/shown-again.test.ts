import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { URI } from 'vscode-uri';
import { type ForecastSet, saveAll, readSet } from '../../../../src/editor/many-series/forecast-set.ts';
import { Extension } from '../extension.ts';
import { months, seasonal } from '../series-text.ts';

const wide = (count: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, i) => [`store_${i + 1}`, (month: number) => seasonal(month) + i]),
  );

describe('repeated forecasts of many series', () => {
  const extension = new Extension();
  const total = async () => (await extension.app.connection.inUse.client.listPredictions({ size: 1 })).total ?? 0;

  it('are a list from five series on, and are not repeated for the same data', async () => {
    const file = extension.file('stores.csv', months(36, wide(6)));
    const names = Object.keys(wide(6));
    const { panels } = extension.window;
    extension.person.picks(...names);
    await extension.run('forecast', file);
    assert.deepEqual(panels.map(({ title }) => title), ['Forecasts: stores.csv']); // prettier-ignore
    assert.equal(await total(), 6);
    await extension.run('forecast', file);
    assert.deepEqual([panels.length, await total()], [1, 6], 'in the page that is there');
    extension.file('stores.csv', months(37, wide(6)));
    await extension.run('forecast', file);
    assert.equal(await total(), 12);
    panels.length = 0;
  });

  it('with other options use the same data, stored once as an internal dataset', async () => {
    const { client } = await extension.app.connection.ready();
    const stored = async () => (await client.listDatasets({}, true)).total ?? 0;
    const before = await stored();
    const file = extension.file('shops.csv', months(40, wide(5)));
    await extension.run('forecastAll', file);
    extension.window.setSetting('forecasts.defaultModel', 'theta');
    await extension.run('forecastAll', file);
    assert.equal(await stored(), before + 1);
    assert.deepEqual((await client.listDatasets()).items, []);
    const made = await total();
    await extension.run('forecastAll', file);
    extension.window.setSetting('forecasts.defaultModel', undefined);
    await extension.run('forecastAll', file);
    assert.equal(await total(), made, 'each is shown again');
    extension.window.panels.length = 0;
  });

  it('are not treated as complete if some were deleted', async () => {
    const { client } = await extension.app.connection.ready();
    const file = extension.file('kiosks.csv', months(40, wide(5)));
    await extension.run('forecastAll', file);
    const [one] = (await client.listPredictions({ size: 1 })).items;
    await client.delete('deletePrediction', one!.id);
    const before = await total();
    await extension.run('forecastAll', file);
    assert.equal(await total(), before + 5);
    extension.window.panels.length = 0;
  });

  it('have a chart each for up to four series, shown again for the same data', async () => {
    const before = await total();
    const file = extension.file('few.csv', months(36, wide(2)));
    const { panels } = extension.window;
    extension.person.picks('store_1', 'store_2');
    await extension.run('forecast', file);
    assert.deepEqual([panels.length, (await total()) - before], [2, 2]);
    await extension.run('forecast', file);
    assert.deepEqual([panels.length, (await total()) - before], [2, 2]);
    extension.window.setSetting('forecasts.defaultHorizon', 7);
    extension.window.setSetting('forecasts.intervals', [90]);
    await extension.run('forecast', file);
    assert.deepEqual([panels.length, (await total()) - before], [2, 4], 'in the charts of their series');
    const [made] = (await extension.app.connection.inUse.client.listPredictions({ size: 1 })).items;
    assert.equal(made?.prediction_series?.length, 7);
    assert.deepEqual(Object.keys((made.prediction_series?.[0]?.metadata as { quantiles: object }).quantiles), ['0.05', '0.5', '0.95']); // prettier-ignore
    extension.window.setSetting('forecasts.defaultHorizon', undefined);
    extension.window.setSetting('forecasts.intervals', undefined);
  });

  it('of files with different columns are saved under common column names', async () => {
    const quarters = Array.from({ length: 20 }, (_, i) => `${2015 + Math.floor(i / 4)}-Q${(i % 4) + 1};${(100.25 + i).toFixed(2)}`); // prettier-ignore
    const files = [
      extension.file('a/gdp.csv', `quarter;gdp\n${quarters.join('\n')}\n`),
      extension.file('a/sales.csv', months(36, { visits: seasonal, orders: seasonal })),
      extension.file('b/sales.csv', months(36, { visits: seasonal })),
    ];
    await extension.run('forecastAll', files[0], files);
    const { app, folder } = extension;
    const panel = await lastPanel();
    const target = URI.file(path.join(folder, 'saved.csv'));
    extension.person.savesAs(target);
    await saveAll(app, panel, 'csv');
    const [head, ...rows] = readFileSync(target.fsPath, 'utf8').trim().split('\n');
    assert.equal(head, 'file,series,timestamp,lower_95,lower_80,lower_50,forecast,upper_50,upper_80,upper_95');
    const kinds = new Set(rows.map((row) => row.split(',').slice(0, 2).join()));
    assert.deepEqual([...kinds], ['a/gdp.csv,gdp', 'a/sales.csv,visits', 'a/sales.csv,orders', 'b/sales.csv,visits']);
    const [first] = rows;
    assert.match(first ?? '', /^a\/gdp\.csv,gdp,2020-01-01,(?:\d+(?:\.\d{1,2})?,?){7}$/);
    assert.match(extension.person.texts.at(-1) ?? '', /^saved\.csv is saved in /);
    assert.ok(existsSync(target.fsPath));

    async function lastPanel(): Promise<ForecastSet> {
      const session = app.connection.inUse;
      const [dataset] = (await session.client.listDatasets({ size: 1 }, true)).items;
      return readSet(session.client, { serviceId: 'local', datasetId: dataset!.id, label: '3 files' });
    }
  });
});

describe('picker of files to forecast', () => {
  const extension = new Extension();

  it('lists series files of the workspace under a title that names the purpose', async () => {
    extension.file('data/sales.csv', months(36, { sales: seasonal }));
    extension.file('package.json', '{}');
    extension.window.root = extension.folder;
    extension.person.picks('sales.csv');
    await extension.run('forecast');
    extension.window.root = undefined;
    assert.deepEqual(extension.person.asked, ['Choose a File to Forecast']);
    assert.deepEqual(extension.person.offered[0]?.map(({ label }) => label), ['sales.csv', '$(folder-opened) Choose a file elsewhere…']); // prettier-ignore
    assert.equal(extension.window.panels.at(-1)?.title, 'Forecast: sales.csv');
  });

  it('excludes files that this extension wrote', async () => {
    const uri = URI.from({ scheme: 'forecasts-report', path: '/Check of local.txt' });
    extension.window.activeTextEditor = { document: { uri } };
    extension.person.leaves();
    await extension.run('forecast');
    extension.window.activeTextEditor = undefined;
    assert.deepEqual(extension.person.texts, []);
  });

  it('explains unreadable spreadsheets and Parquet files', async () => {
    await extension.run('forecast', extension.file('book.xls', 'PK'));
    await extension.run('forecast', extension.file('book.xlsx', 'PK'));
    await extension.run('forecast', extension.file('table.parquet', 'PAR1'));
    assert.match(extension.person.texts[0] ?? '', /book\.xls is a spreadsheet in an unsupported format\. Save it as/);
    assert.match(extension.person.texts[1] ?? '', /book\.xlsx is not a readable Excel workbook/);
    assert.match(extension.person.texts[2] ?? '', /table\.parquet is not a readable Parquet file/);
  });
});
