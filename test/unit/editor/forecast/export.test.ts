import assert from 'node:assert/strict';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { URI } from 'vscode-uri';
import { SeenChart } from '../chart-page.ts';
import { Extension } from '../extension.ts';
import { months, seasonal } from '../series-text.ts';
import { sheetOf, workbookOf } from '../workbook.ts';
import { until } from '../until.ts';

describe('forecast rows', () => {
  const extension = new Extension();

  /** Forecasts three steps of a file. @returns its prediction */
  async function forecast(file: URI) {
    extension.window.setSetting('forecasts.defaultHorizon', 3);
    await extension.run('forecast', file);
    const [{ id }] = (await extension.app.connection.inUse.client.listPredictions({ size: 1 })).items;
    return { serviceId: 'local', predictionId: id };
  }
  /** The text of a file in its editor after its forecast was inserted. */
  async function inserted(file: URI, made: unknown): Promise<string | undefined> {
    extension.window.documents.length = 0;
    await extension.run('insertForecast', made);
    return extension.window.documents.find(({ uri, isDirty }) => isDirty && uri.toString() === file.toString())?.getText(); // prettier-ignore
  }
  afterEach(() => {
    extension.window.documents.length = 0;
  });

  it('go to the end of their file, in its columns, as an unsaved edit', async () => {
    const text = months(24, { shop: () => 'Nord', sales: (month) => `${seasonal(month)}.5`, note: () => '' });
    const file = extension.file('sales.csv', `${text}\n\n`);
    const lines = (await inserted(file, await forecast(file)))!.trimEnd().split('\n');
    assert.equal(lines.length, 28);
    assert.deepEqual(lines.slice(25).map((line) => line.split(',')[0]), ['2017-01', '2017-02', '2017-03']); // prettier-ignore
    assert.match(lines[25], /^2017-01,(Nord)?,\d+(\.\d)?,$/);
    assert.deepEqual(extension.window.statusMessages.at(-1), '3 rows inserted');
  });

  it('have the percent sign of the cells above, which the chart also shows', async () => {
    const rows = Array.from({ length: 24 }, (_, month) => `${new Date(Date.UTC(2015, month)).toISOString().slice(0, 7)},${seasonal(month) / 10} %`); // prettier-ignore
    const file = extension.file('share.csv', `month,share\n${rows.join('\n')}\n`);
    const made = await forecast(file);
    assert.match((await inserted(file, made))!.trimEnd().split('\n')[25], /^2017-01,[\d.]+ %$/);
    const { valueLabel, source } = extension.app.memory.recall(made.serviceId, made.predictionId)!;
    assert.deepEqual([valueLabel, source?.valueColumn], ['share (%)', 'share']);
  });

  it('start after the present values of the file, so that no time occurs twice', async () => {
    const file = extension.file('grown.csv', months(24, { sales: seasonal }));
    const made = await forecast(file);
    writeFileSync(file.fsPath, months(26, { sales: seasonal }));
    const text = (await inserted(file, made))!;
    assert.deepEqual(text.split('\n').slice(25).map((line) => line.split(',')[0]), ['2017-01', '2017-02', '2017-03']); // prettier-ignore
    writeFileSync(file.fsPath, text);
    assert.equal(await inserted(file, made), undefined);
    assert.deepEqual(extension.person.texts, ['grown.csv already has a value for each step of this forecast.']);
  });

  it('of a second column go beside those of the first', async () => {
    const file = extension.file('wide.csv', months(24, { north: seasonal, south: (month) => 300 - month }));
    extension.person.picks('north', 'south');
    extension.window.setSetting('forecasts.defaultHorizon', 3);
    await extension.run('forecast', file);
    const { items } = await extension.app.connection.inUse.client.listPredictions({ size: 2 });
    for (const { id } of items)
      writeFileSync(file.fsPath, (await inserted(file, { serviceId: 'local', predictionId: id })) ?? '');
    const text = (await extension.window.workspace.openTextDocument(file)).getText();
    const added = text.trimEnd().split('\n').slice(25).map((line) => line.split(',').map((cell) => cell !== '')); // prettier-ignore
    assert.deepEqual(added.filter(([, north]) => north).length, 3);
    assert.deepEqual(added.filter(([, , south]) => south).length, 3);
  });

  it('go into a JSON file as rows of its form', async () => {
    const rows = months(24, { sales: seasonal }).split('\n').slice(1).map((line) => line.split(',')); // prettier-ignore
    const file = extension.file('sales.json', JSON.stringify(rows.map(([month, sales]) => ({ month, sales: Number(sales) })), undefined, 2)); // prettier-ignore
    const all = JSON.parse((await inserted(file, await forecast(file)))!) as Record<string, unknown>[];
    assert.equal(all.length, 27);
    assert.deepEqual(Object.keys(all[26]), ['month', 'sales']);
    assert.equal(all[26].month, '2017-03');
  });

  it('go into the columns of a file without a header, in any order', async () => {
    const rows = months(24, { sales: seasonal }).split('\n').slice(1).map((line) => line.split(',').toReversed().join()); // prettier-ignore
    const file = extension.file('bare.csv', rows.join('\n'));
    const added = (await inserted(file, await forecast(file)))!.split('\n').slice(24);
    assert.deepEqual(added.map((line) => line.split(',')[1]), ['2017-01', '2017-02', '2017-03']); // prettier-ignore
  });

  it('go into a file with non-numeric cells, above totals, and on top of the newest row', async () => {
    const rows = months(24, { sales: (month) => (month === 5 ? 'n/a?' : seasonal(month)) }).split('\n');
    const file = extension.file('cells.csv', `${rows.join('\n')}\nTotal,2400\n`);
    extension.person.presses('Treat as Missing');
    const added = (await inserted(file, await forecast(file)))!.split('\n').slice(25);
    assert.deepEqual(
      added.map((line) => line.split(',')[0]),
      ['2017-01', '2017-02', '2017-03', 'Total', ''],
    );
    const [head, ...own] = months(24, { sales: seasonal }).split('\n');
    const falling = extension.file('falling.csv', [head, ...own.toReversed()].join('\n'));
    const onTop = (await inserted(falling, await forecast(falling)))!.split('\n').slice(1, 5);
    assert.deepEqual(
      onTop.map((line) => line.split(',')[0]),
      ['2017-03', '2017-02', '2017-01', '2016-12'],
    );
  });

  it('go after unsaved edits, which remain', async () => {
    const file = extension.file('edited.csv', months(24, { sales: seasonal }));
    const made = await forecast(file);
    const edited = extension.window.select(file, months(25, { sales: seasonal }));
    await extension.run('insertForecast', made);
    assert.deepEqual(edited.getText().split('\n').slice(25).map((line) => line.split(',')[0]), ['2017-01', '2017-02', '2017-03']); // prettier-ignore
  });

  it('are refused if the file is gone or has another layout now', async () => {
    const file = extension.file('gone.csv', months(24, { sales: seasonal }));
    const made = await forecast(file);
    writeFileSync(file.fsPath, months(24, { revenue: seasonal }));
    assert.equal(await inserted(file, made), undefined);
    assert.match(extension.person.texts[0], /do not fit into gone\.csv, which has a different layout/);
    rmSync(file.fsPath);
    assert.equal(await inserted(file, made), undefined);
    assert.match(extension.person.texts[1], /gone\.csv/);
  });

  it('are offered as a workbook for a workbook, and saved with the digits of the source', async () => {
    const { person, folder } = extension;
    const file = URI.file(path.join(folder, 'book.xlsx'));
    writeFileSync(file.fsPath, await workbookOf({ Sales: sheetOf(24, 'sales', seasonal) }));
    const made = await forecast(file);
    await extension.run('insertForecast', made);
    assert.deepEqual(person.read.map(({ text, buttons }) => [text, buttons]), [['book.xlsx is not a text file, so rows cannot be inserted into it.', ['Save as Excel…']]]); // prettier-ignore
    const target = URI.file(path.join(folder, 'saved.xlsx'));
    person.presses('Save as Excel…').savesAs(target);
    await extension.run('insertForecast', made);
    assert.ok(existsSync(target.fsPath));
    assert.match(person.texts.at(-1) ?? '', /^saved\.xlsx is saved/);
    const { series } = await extension.app.reader.read({ path: target.fsPath }, { fileName: 'saved.xlsx' });
    assert.equal(series[0].times.length, 3);
  });

  it('have no file if the series is stored by the service', async () => {
    const { app, person } = extension;
    const series = Array.from({ length: 24 }, (_, i) => ({ timestamp: new Date(Date.UTC(2020, i)).toISOString(), value: seasonal(i) })); // prettier-ignore
    const { id } = await app.connection.inUse.client.createPrediction({ series, prediction_length: 3 });
    await extension.run('insertForecast', { serviceId: 'local', predictionId: id });
    assert.match(person.texts[0], /^This forecast was not made from a file/);
    person.picks('Python (requests)');
    await extension.run('export', { serviceId: 'local', predictionId: id });
    assert.match(extension.window.clipboard, /^import .*requests/s);
    assert.equal(extension.window.statusMessages.at(-1), 'Request copied');
  });

  it('are inserted from the chart’s menu, which has all actions', async () => {
    const { window, person } = extension;
    const file = extension.file('menu.csv', months(24, { sales: seasonal }));
    await forecast(file);
    const panel = window.panels.at(-1)!;
    const page = new SeenChart(panel);
    assert.deepEqual(
      page.chart.menu?.map(({ id }) => id),
      ['insertForecast', 'export', 'forecastAgain', 'keepUpToDate', 'rename', 'pin', 'copyId'],
    );
    window.documents.length = 0;
    page.act({ type: 'action', id: 'insertForecast' });
    await until(() => window.documents.some(({ uri, isDirty }) => isDirty && uri.path.endsWith('menu.csv')), Boolean);
    person.types('A better name');
    page.act({ type: 'action', id: 'rename' });
    const predictionId = page.id;
    await until(
      () => extension.app.memory.recall('local', predictionId)?.label,
      (label) => label === 'A better name',
    );
  });

  it('are those of the chart in front, or else picked among predictions, with a message if gone', async () => {
    const { person } = extension;
    const file = extension.file('asked.csv', months(24, { sales: seasonal }));
    await forecast(file);
    extension.window.documents.length = 0;
    await extension.run('insertForecast');
    assert.equal(person.inputs.length, 0, 'nothing is asked');
    assert.ok(extension.window.documents.some(({ uri, isDirty }) => isDirty && uri.path.endsWith('asked.csv')));
    extension.window.documents.length = 0;
    extension.window.panels.at(-1)!.active = false;
    person.accepts();
    await extension.run('insertForecast');
    assert.equal(person.inputs[0].title, 'Insert Forecast');
    assert.ok(extension.window.documents.some(({ isDirty }) => isDirty));
    await extension.run('insertForecast', { serviceId: 'local', predictionId: 'prediction_of_nobody' });
    assert.equal(person.texts.at(-1), 'Prediction nobody no longer exists.');
  });
});
