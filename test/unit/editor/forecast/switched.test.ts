import assert from 'node:assert/strict';
import { AsyncLocalStorage } from 'node:async_hooks';
import { parseDuration } from '../../../../src/calendar/frequency.ts';
import type { ReadSeries } from '../../../../src/reading/types.ts';
import { withCalendar } from '../../../../src/editor/request/covariates.ts';
import { clientOf } from '../views/panels.ts';
import { Extension } from '../extension.ts';
import { months, seasonal } from '../series-text.ts';

describe('command during a switch of services', () => {
  const extension = new Extension();
  const promo = (month: number) => 100 * (month % 5 === 0 ? 1 : 0);
  const sales = (month: number) => seasonal(month) + promo(month);

  /** What the local service made while the other one was switched to after its first reading of a file. */
  async function madeWhileSwitched(work: () => Promise<unknown>): Promise<number> {
    const { app, person, window } = extension;
    const { client } = app.connection.session('local')!;
    const count = async () => (await client.listPredictions({ size: 1 })).total ?? 0;
    const before = await count();
    const { reader } = app;
    const read = reader.read.bind(reader);
    // a chart may read its file at any moment, also once this is over
    const command = new AsyncLocalStorage<true>();
    let isSwitched = false;
    reader.read = async (...given) => {
      const found = await read(...given);
      if (command.getStore() && !isSwitched) {
        isSwitched = true;
        window.setSetting('forecasts.service', 'https://other.example');
      }
      return found;
    };
    try {
      await command.run(true, work);
    } finally {
      reader.read = read;
      window.setSetting('forecasts.service', undefined);
    }
    assert.ok(isSwitched);
    assert.deepEqual(person.texts, []);
    return (await count()) - before;
  }

  it('sends the series of a file to the service that it began with', async () => {
    const columns = Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f'].map((name) => [name, seasonal]));
    const file = extension.file('many.csv', months(40, columns));
    extension.person.picks('a', 'b', 'c', 'd', 'e', 'f');
    assert.equal(await madeWhileSwitched(() => extension.run('forecast', file)), 6);
    const again = extension.file('all.csv', months(40, columns));
    assert.equal(await madeWhileSwitched(() => extension.run('forecastAll', again)), 6);
  });

  it('tests columns and forecasts with options at the service that it began with', async () => {
    const rows = months(44, { sales, promo }).trimEnd().split('\n');
    const text = rows.map((row, at) => (at > 40 ? row.replace(/,[^,]*,/, ',,') : row)).join('\n');
    extension.person.picks('sales').picks('Hybrid').accepts().accepts().accepts();
    const file = extension.file('options.csv', text);
    assert.equal(await madeWhileSwitched(() => extension.run('forecastWithOptions', file)), 1);
  });

  it('forecasts again at the service of the first forecast', async () => {
    const file = extension.file('again.csv', months(40, { sales }));
    await extension.run('forecast', file);
    const { items } = await extension.app.connection.session('local')!.client.listPredictions({ size: 1 });
    const ref = { serviceId: 'local', predictionId: items[0].id };
    assert.equal(await madeWhileSwitched(() => extension.run('forecastAgain', ref)), 1);
  });

  it('takes the horizon of a fine-tuned model from the service that it began with', async () => {
    const { app, window } = extension;
    window.setSetting('forecasts.holidays.country', 'DE');
    window.setSetting('forecasts.service', 'https://other.example');
    const times = Float64Array.from({ length: 60 }, (_, day) => Date.UTC(2024, 0, 1 + day));
    const frequency = parseDuration('P1D');
    const series = { times, values: times, frequency, timeKind: 'date' } as unknown as ReadSeries;
    const client = clientOf({
      capabilities: () => Promise.resolve({ has: () => true }),
      getFineTunedModel: (id: string) => Promise.resolve({ id, horizon: 9 }),
    });
    const { signal } = new AbortController();
    const asked = { names: ['holiday (DE)'], asked: { ai_model_id: 'tuned' }, client, signal };
    const { steps } = await withCalendar(app, extension.file('days.csv', '') as never, series, asked);
    window.setSetting('forecasts.service', undefined);
    window.setSetting('forecasts.holidays.country', undefined);
    assert.equal(steps, 9);
  });
});
