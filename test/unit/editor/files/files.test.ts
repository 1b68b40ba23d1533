import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { URI } from 'vscode-uri';
import type { LocalPrediction } from '../../../../src/contract/resources.ts';
import { Extension } from '../extension.ts';
import { months, seasonal } from '../series-text.ts';
import { until } from '../until.ts';
import { TextDocument } from '../workbench/document.ts';
import { sheetOf, workbookOf } from '../workbook.ts';

describe('A file that is forecast', () => {
  const extension = new Extension();
  const newest = async (): Promise<LocalPrediction> => {
    const client = extension.app.connection.inUse.client;
    return client.getPrediction((await client.listPredictions({ size: 1 })).items[0].id);
  };
  const count = async () => (await extension.app.connection.inUse.client.listPredictions({ size: 1 })).total ?? 0;
  const book = async (name: string, sheets: Parameters<typeof workbookOf>[0]): Promise<URI> => {
    const file = path.join(extension.folder, name);
    writeFileSync(file, await workbookOf(sheets));
    return URI.file(file);
  };
  afterEach(() => {
    for (const panel of extension.window.panels.splice(0)) panel.dispose();
    extension.window.documents.length = 0;
    extension.window.activeTextEditor = undefined;
  });

  it('asks for the sheet of a workbook once, and again if the sheet is gone', async () => {
    const { person } = extension;
    const north = sheetOf(30, 'sales', seasonal);
    const south = sheetOf(36, 'sales', (month) => 500 - month);
    const file = await book('shops.xlsx', { North: north, South: south });
    person.picks('South');
    await extension.run('forecast', file);
    assert.match(person.inputs[0].text, /^shops\.xlsx: Which sheet should be read\?$/);
    assert.equal((await newest()).input_series?.[0].value, 500);
    await book('shops.xlsx', { North: north, South: sheetOf(37, 'sales', (month) => 500 - month) });
    await extension.run('forecast', file);
    assert.equal((await newest()).input_series?.length, 37);
    assert.equal(person.inputs.length, 1);
    await book('shops.xlsx', { North: north, West: sheetOf(33, 'sales', seasonal) });
    person.picks('West');
    await extension.run('forecast', file);
    assert.deepEqual(person.inputs.at(-1)?.items.map(({ label }) => label), ['North', 'West']); // prettier-ignore
    assert.equal((await newest()).input_series?.length, 33);
  });

  it('is read from its editor, saved or not', async () => {
    const file = extension.file('edited.csv', months(30, { sales: seasonal }));
    extension.window.select(file, months(33, { sales: seasonal }));
    await extension.run('forecast', file);
    assert.equal((await newest()).input_series?.length, 33);
  });

  it('may be an untitled document', async () => {
    const untitled = new TextDocument(URI.parse('untitled:Untitled-7'), months(31, { sales: seasonal }), { isDirty: true }); // prettier-ignore
    extension.window.documents.push(untitled);
    extension.window.activeTextEditor = { document: untitled };
    await extension.run('forecast');
    assert.equal((await newest()).input_series?.length, 31);
    assert.equal(extension.window.panels.at(-1)?.title, 'Forecast: Untitled-7');
  });

  it('shows a message with a way out if it is gone', async () => {
    const before = await count();
    const file = extension.file('gone.csv', '');
    rmSync(file.fsPath);
    await extension.run('forecast', file);
    assert.match(
      extension.person.texts[0],
      /^gone\.csv cannot be read: .*Check that it exists and that you have permission to read/,
    );
    assert.equal(await count(), before);
  });

  it('is not forecast if its reading is cancelled, and the reader still reads others', async () => {
    const { window, app, person } = extension;
    const before = await count();
    const big = extension.file('big.csv', 'time,value\n' + Array.from({ length: 400_000 }, (_, i) => `${new Date(1.6e12 + 6e4 * i).toISOString()},${i % 97}\n`).join('')); // prettier-ignore
    const { read } = app.reader;
    const slow = Promise.withResolvers<undefined>();
    app.reader.read = async function (...asked) {
      await Promise.race([slow.promise, new Promise((_, reject) => asked[2]?.addEventListener('abort', () => { reject(asked[2]?.reason as Error); }))]); // prettier-ignore
      return read.apply(app.reader, asked);
    };
    window.onProgress = ({ title, cancel }) => {
      if (title === 'Reading big.csv') setImmediate(cancel);
    };
    try {
      await extension.run('forecast', big);
    } finally {
      window.onProgress = () => undefined;
      Reflect.deleteProperty(app.reader, 'read');
    }
    assert.deepEqual([person.texts, await count()], [[], before]);
    await extension.run('forecast', extension.file('next.csv', months(30, { sales: seasonal })));
    assert.equal(await count(), before + 1);
  });

  it('keeps the forecast of the rows that were read if it is saved meanwhile', async () => {
    const { app } = extension;
    const file = extension.file('live.csv', months(30, { sales: seasonal }));
    const { client } = await app.connection.ready();
    const { createPrediction } = client;
    client.createPrediction = (request, signal) => {
      writeFileSync(file.fsPath, months(32, { sales: seasonal }));
      extension.window.savedDocument.fire({ uri: file });
      return createPrediction.call(client, request, signal);
    };
    try {
      await extension.run('forecast', file);
    } finally {
      Reflect.deleteProperty(client, 'createPrediction');
    }
    const made = await newest();
    assert.equal(made.input_series?.length, 30);
    const note = () => app.memory.recall('local', made.id);
    assert.equal(note()?.source?.fileName, 'live.csv');
    await extension.run('forecast', file);
    assert.equal((await newest()).input_series?.length, 32, 'what has come is seen by the next one');
  });

  it('shows its anomalies as problems at their lines until it is closed', async () => {
    const file = extension.file('odd.csv', months(48, { sales: (month) => (month === 20 ? 900 : seasonal(month)) }));
    await extension.run('forecast', file);
    const { id } = await newest();
    const source = extension.app.memory.recall('local', id)!.source!;
    const { markAnomalies } = await import('../../../../src/editor/views/chart/analyses.ts');
    const point = { value: 900, expected: 130.1234, after: 27, about: 'Far above.' };
    await markAnomalies(extension.app, source, { points: [point, { ...point, value: 77 }] } as never);
    const [problem] = extension.window.diagnostics.get(file.toString()) ?? [];
    assert.equal(problem.message, '900 was unexpected here; about 130.1 was expected. Far above.');
    assert.equal(problem.range.start.line, 21);
    assert.equal(extension.person.texts[0], '1 of 2 anomalies were found in odd.csv.');
    extension.window.changedTabs.fire({ closed: [] });
    rmSync(file.fsPath);
    await markAnomalies(extension.app, source, { points: [point] } as never);
    assert.equal(extension.person.texts.at(-1), 'odd.csv cannot be shown.');
  });

  it('of an unsupported kind names the kinds that can be read', async () => {
    await extension.run('forecast', extension.file('data.feather', 'ARROW1'));
    assert.match(extension.person.texts[0], /^data\.feather is an Arrow file\. Save it as CSV first, for example with pandas/); // prettier-ignore
  });

  it('can be dropped, and stored, as a dataset of the sheet that is chosen', async () => {
    const file = await book('wide.xlsx', { North: sheetOf(30, 'sales', seasonal), South: sheetOf(30, 'visits', seasonal) }); // prettier-ignore
    extension.person.picks('South');
    await extension.run('createDataset', file);
    const client = extension.app.connection.inUse.client;
    const [dataset] = await until(
      () => extension.window.executed.filter(({ command }) => command === 'forecasts.datasets.focus'),
      (shown) => shown.length > 0,
    ).then(async () => (await client.listDatasets()).items);
    assert.equal(dataset.name, 'wide');
    assert.deepEqual((await client.list('listDatasetSeries', {}, {}, dataset.id)).items.map(({ name }) => name), ['visits']); // prettier-ignore
  });
});
