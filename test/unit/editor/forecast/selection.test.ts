import assert from 'node:assert/strict';
import { Extension } from '../extension.ts';

const rows = Array.from(
  { length: 24 },
  (_, i) => `01.${String((i % 12) + 1).padStart(2, '0')}.${2020 + Math.floor(i / 12)};${i},5;${100 + i}`,
);
const text = `# sales\nMonat;Nord;Süd\n${rows.join('\n')}\n`;

describe('Forecast Selection command', () => {
  const extension = new Extension();
  const run = () => extension.run('forecastSelection');
  const newest = async () => (await extension.app.connection.inUse.client.listPredictions({ size: 1 })).items[0];
  const valuesOf = async () => (await newest()).input_series?.map(({ value }) => value);
  const select = (name: string, content: string, ...selections: [number, number, number, number][]) =>
    extension.window.select(extension.file(name, content), content, ...selections);

  it('uses the selected rows with the header of the file, and unsaved edits', async () => {
    const uri = extension.file('rows.csv', text);
    extension.window.select(uri, text.replace('3,5;103', '99,5;103'), [5, 3, 10, 0]);
    extension.person.picks('Nord');
    await run();
    assert.match(extension.person.inputs[0].text, /rows\.csv, lines 6–10/);
    assert.equal((await newest()).name, 'rows.csv, lines 6–10 · Nord');
    assert.deepEqual(await valuesOf(), [99.5, 4.5, 5.5, 6.5, 7.5]);
    assert.equal((await newest()).input_series?.[0].timestamp, '2020-04-01T00:00:00Z');
  });

  it('uses the column of a selected cell, and of a column selection only those rows', async () => {
    const cell = text.split('\n')[3].indexOf(';10') + 2;
    select('column.csv', text, [3, cell, 3, cell + 2]);
    await run();
    assert.equal((await newest()).name, 'column.csv · Süd');
    assert.equal((await valuesOf())?.length, 24);
    select('column.csv', text, ...[2, 3, 4, 5].map((line): [number, number, number, number] => [line, 15, line, 18]));
    await run();
    assert.deepEqual(await valuesOf(), [100, 101, 102, 103]);
    assert.deepEqual(extension.person.inputs, []);
  });

  it('has one page for the same rows, and opens no second for their next forecast', async () => {
    const before = extension.window.panels.length;
    for (let time = 0; time < 2; time++) {
      select('twice.csv', text, [5, 3, 10, 0]);
      extension.person.picks('Nord');
      await run();
    }
    assert.equal(extension.window.panels.length, before + 1);
  });

  it('accepts elements of a JSON document, and explains other selections', async () => {
    const points = Array.from({ length: 6 }, (_, i) => `  {"timestamp": "2024-0${i + 1}-01", "value": ${i}}`);
    const json = `[\n${points.join(',\n')}\n]\n`;
    select('part.json', json, [2, 0, 5, 0]);
    await run();
    assert.deepEqual(await valuesOf(), [1, 2, 3]);
    select('part.json', json, [2, 5, 4, 9]);
    await run();
    assert.match(extension.person.texts[0], /part\.json, line 3: .*Select whole elements/);
    select('part.json', json, [0, 0, 0, 0]);
    await run();
    assert.match(extension.person.texts[1], /Nothing is selected in part\.json/);
  });

  it('explains what is missing if only a time cell is selected or no editor is open', async () => {
    select('time.csv', text, [3, 0, 3, 4]);
    await run();
    assert.match(extension.person.texts[0], /No cells of a numeric column are selected in time\.csv/);
    extension.window.activeTextEditor = undefined;
    await run();
    assert.match(extension.person.texts[1], /Open a file and select the rows/);
  });
});
