import assert from 'node:assert/strict';
import { forecastAgain } from '../../../../src/editor/forecast/again.ts';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { URI } from 'vscode-uri';
import { Extension } from '../extension.ts';
import { PlainService } from '../plain-service.ts';
import { months, seasonal } from '../series-text.ts';
import { ManyPage, until } from './many-page.ts';

type Columns = Record<string, (month: number) => number>;

const parts: Columns = {
  bus: (month) => seasonal(month) + 3 * Math.sin(5 * month),
  metro: (month) => 2 * seasonal(month) + 5 * Math.sin(3 * month),
  train: (month) => 40 + 4 * Math.sin(7 * month),
};
const total = (month: number) => Object.values(parts).reduce((sum, part) => sum + part(month), 0);

const shops: Columns = Object.fromEntries(
  ['north/bread', 'north/milk', 'south/bread', 'south/milk'].map((name, i) => [
    name,
    (month) => seasonal(month) + 10 * i,
  ]),
);

describe('Forecast All Series with totals', () => {
  const extension = new Extension();
  /** What the points of forecasts say, by series. */
  const forecasts = async (page: ManyPage): Promise<Map<string, number[]>> => {
    const { client } = await extension.app.connection.ready();
    const found = new Map<string, number[]>();
    for (const { id, name } of await page.rows()) {
      const { prediction_series = [] } = await client.getPrediction(id);
      found.set(name, prediction_series.map(({ value }) => value!)); // prettier-ignore
    }
    return found;
  };

  const difference = (made: ReadonlyMap<string, readonly number[]>, whole: string, ...those: string[]) =>
    Math.max(...made.get(whole)!.map((value, step) => Math.abs(value - those.reduce((sum, part) => sum + made.get(part)![step], 0)))); // prettier-ignore

  it('asks once whether to reconcile, shows the scores by level, and remembers the answer', async () => {
    const file = extension.file('transport.csv', months(48, { ...parts, total }));
    extension.person.picks('Make Them Add Up');
    await extension.run('forecastAll', file);
    assert.deepEqual(extension.person.inputs.at(-1)?.text, 'Some series are sums of others. Should the forecasts add up too?'); // prettier-ignore
    const page = new ManyPage(extension.window);
    const made = await forecasts(page);
    assert.deepEqual([...made.keys()].toSorted(), ['bus', 'metro', 'total', 'train']);
    assert.ok(difference(made, 'total', 'bus', 'metro', 'train') < 1e-6);
    const { levels } = page.state;
    assert.deepEqual(levels?.map(({ series }) => series), [1, 3]); // prettier-ignore
    assert.ok(levels?.every(({ mase, mase_alone: alone }) => mase! > 0 && alone! > 0));
    assert.ok((await page.rows()).every(({ coverage }) => coverage! >= 0 && coverage! <= 1));
    const asked = extension.person.inputs.length;
    await extension.run('forecastAll', file);
    assert.equal(extension.person.inputs.length, asked, 'the answer is remembered');
    extension.window.panels.length = 0;
  });

  it('adds totals of names with levels on request, and writes reconciled forecasts', async () => {
    const file = extension.file('shops.csv', months(48, shops));
    extension.person.picks('Make Them Add Up');
    await extension.run('forecastAll', file);
    const { text: question, items } = extension.person.inputs.at(-1)!;
    // longer ones are cut
    assert.ok(question.startsWith('The series names have levels.') && question.length < 80);
    assert.match(items[1].detail!, /Totals \(3\): “Total”, “north”, “south”$/);
    const page = new ManyPage(extension.window);
    const made = await forecasts(page);
    assert.equal(made.size, 7);
    assert.ok(difference(made, 'Total', 'north', 'south') < 1e-6);
    assert.ok(difference(made, 'north', 'north/bread', 'north/milk') < 1e-6);
    const target = URI.file(path.join(path.dirname(file.fsPath), 'shops-forecast.csv'));
    extension.person.savesAs(target);
    await page.do('save-csv', ...made.keys());
    const text = await until(() => {
      try {
        return readFileSync(target.fsPath, 'utf8');
      } catch {
        return undefined;
      }
    });
    const forecast = (name: string): number[] =>
      text.split('\n').filter((line) => line.startsWith(`${name},`)).map((line) => Number(line.split(',')[5])); // prettier-ignore
    forecast('Total').forEach((value, step) => {
      const [north, south] = ['north', 'south'].map((name) => forecast(name)[step]);
      assert.ok(value > 0 && Math.abs(value - north - south) < 0.001);
    });
    assert.ok(forecast('Total').length >= 12);
    extension.window.panels.length = 0;
  });

  it('repeats the forecast of a total that the file does not have', async () => {
    extension.person.picks('Make Them Add Up');
    await extension.run('forecastAll', extension.file('regions.csv', months(49, shops)));
    const page = new ManyPage(extension.window);
    const { id } = (await page.rows()).find(({ name }) => name === 'north')!;
    page.open(id);
    await until(() => extension.app.memory.recall('local', id)?.source);
    await forecastAgain(extension.app, { serviceId: 'local', predictionId: id }, { model: 'theta', horizon: 5 });
    const { client } = await extension.app.connection.ready();
    const [made] = (await client.listPredictions({ size: 1 })).items;
    assert.deepEqual([made.ai_model_id, made.name, extension.person.texts], ['theta', 'regions.csv · north', []]);
    extension.window.panels.length = 0;
  });

  it('forecasts again with another model, still reconciled', async () => {
    const file = extension.file('traffic.csv', months(50, { demand: total, ...parts }));
    extension.person.picks('Make Them Add Up');
    await extension.run('forecastAll', file);
    const page = new ManyPage(extension.window);
    const before = await page.rows();
    extension.person.picks('Theta');
    await page.do('again', 'bus', 'demand', 'metro', 'train');
    const after = await until(async () => {
      const rows = await page.rows();
      return rows.length === 4 && rows.every(({ id, next }) => next !== undefined && !before.some((one) => one.id === id)) && rows; // prettier-ignore
    });
    assert.ok(after.every(({ model }) => model === 'theta'));
    assert.ok(difference(await forecasts(page), 'demand', 'bus', 'metro', 'train') < 1e-6);
    extension.window.panels.length = 0;
  });

  it('leaves series independent on request, and does not ask without totals', async () => {
    extension.person.picks('Forecast Each Separately');
    await extension.run('forecastAll', extension.file('apart.csv', months(48, shops)));
    const page = new ManyPage(extension.window);
    assert.equal((await page.rows()).length, 4);
    assert.equal(page.state.levels, null);
    const asked = extension.person.inputs.length;
    await extension.run('forecastAll', extension.file('others.csv', months(48, parts)));
    assert.equal(extension.person.inputs.length, asked);
    extension.window.panels.length = 0;
  });
});

describe('Forecast All Series with a service without reconciliation', () => {
  const extension = new Extension();
  new PlainService(extension);

  it('does not ask', async () => {
    await extension.run('forecastAll', extension.file('transport.csv', months(48, { ...parts, total })));
    assert.equal(extension.person.inputs.length, 0);
  });
});
