import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { URI } from 'vscode-uri';
import { Extension } from '../extension.ts';

const months = Array.from(
  { length: 30 },
  (_, i) => `${2020 + Math.floor(i / 12)}-${String((i % 12) + 1).padStart(2, '0')}`,
);
const long = (names: readonly string[]) =>
  `store;month;sales\n${names.flatMap((name, n) => months.map((month, i) => `${name};${month};${100 * n + i + (i % 12)},5`)).join('\n')}\n`;

describe('the forecasts of many series', () => {
  const extension = new Extension();

  /** Runs it and saves the result by a button of the list. */
  async function saved(uri: URI, button: string, name: string): Promise<string> {
    const target = URI.file(path.join(extension.folder, name));
    extension.person.pressesInList(button).savesAs(target);
    await extension.run('forecastAll', uri);
    while (!existsSync(target.fsPath)) await new Promise((resolve) => setTimeout(resolve, 5));
    return readFileSync(target.fsPath, 'utf8');
  }

  it('are stored, listed by accuracy, and saved in the shape of their file', async () => {
    const { person, app } = extension;
    const text = await saved(
      extension.file('stores.csv', long(['Nord', 'Süd', '=West'])),
      'Save All as CSV…',
      'saved.csv',
    );
    assert.equal(person.inputs[0].title, 'stores.csv: 3 forecasts');
    const shown = person.inputs[0].items;
    assert.deepEqual(shown.map(({ label }) => label).toSorted(), ['=West', 'Nord', 'Süd']);
    assert.match(shown[0].description!, /% error · \d+ % (better|worse) than repeating the last season/);
    const errors = shown.map(({ description }) => parseFloat(description!));
    assert.deepEqual(
      errors,
      errors.toSorted((a, b) => a - b),
    );
    const lines = text.trim().split('\n');
    assert.match(lines[0], /^store;month;lower_95;lower_80;lower_50;forecast;upper_50;upper_80;upper_95$/);
    assert.match(lines[1], /^Nord;2022-07;\d+(,\d+)?;/);
    assert.ok(lines.some((line) => line.startsWith("'=West;2022-07;")));
    const [dataset] = (await app.connection.client().listDatasets({ size: 1 })).items;
    assert.deepEqual([dataset.name, dataset.tags, dataset.series_count], ['stores.csv', ['forecast', 'stores.csv'], 3]);
    assert.equal(dataset.stats?.freq, 'P1M');
  });

  it('are those of a folder and all below it; what could not be read is said', async () => {
    extension.file('many/a.csv', long(['Nord']));
    extension.file('many/below/b.csv', long(['Ost', 'West']));
    extension.file('many/empty.csv', '');
    extension.file('many/readme.md', '# no series');
    const folder = URI.file(path.join(extension.folder, 'many'));
    const text = await saved(folder, 'Save All as JSON…', 'saved.json');
    const { person } = extension;
    assert.deepEqual(person.inputs[0].items.map(({ label }) => label).toSorted(), [
      'a.csv',
      'b.csv · Ost',
      'b.csv · West',
    ]);
    const rows = JSON.parse(text) as { file: string; series: string; timestamp: string; forecast: number }[];
    assert.deepEqual(
      [...new Set(rows.map(({ file, series }) => `${file} ${series}`))],
      ['a.csv sales', 'b.csv Ost', 'b.csv West'],
    );
    assert.equal(rows[0].timestamp, '2022-07-01');
    const [unread, ...others] = person.texts.filter((text) => !text.includes('is saved in'));
    assert.match(unread, /empty\.csv is empty/);
    assert.deepEqual(others, []);
  });

  it('have charts with their names, and come back from their dataset', async () => {
    const { person, app, window } = extension;
    person.picks('Süd').leaves();
    await extension.run('forecastAll', extension.file('two.csv', long(['Nord', 'Süd'])));
    while (!window.panels.some(({ title }) => title === 'Forecast: two.csv · Süd'))
      await new Promise((resolve) => setTimeout(resolve, 5));
    const client = app.connection.client();
    const chart = (await client.listPredictions({ size: 2 })).items.find(({ name }) => name === 'Süd')!;
    const note = app.memory.recall('local', chart.id);
    assert.deepEqual([note?.label, note?.source?.id, note?.source?.idColumn], ['two.csv · Süd', 'Süd', 'store']);
    const [item] = (await client.listDatasets({ size: 1 })).items;
    const node = { kind: 'dataset', id: item.id, item, serviceId: 'local', offers: await client.capabilities() };
    person.leaves();
    await extension.run('browseForecasts', node);
    assert.deepEqual(person.inputs[1].items.map(({ label }) => label).toSorted(), ['Nord', 'Süd']);
  });
});
