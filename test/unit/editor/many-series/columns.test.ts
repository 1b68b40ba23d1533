import assert from 'node:assert/strict';
import { Extension } from '../extension.ts';
import { PlainService } from '../plain-service.ts';
import { ManyPage } from './many-page.ts';

const DAYS = 120;
const AHEAD = 7;
const promo = (day: number): number => (day % 11 < 3 ? 1 : 0);

/** Daily sales of shops with promotions that are known for a week more. */
const text = (shops: number, ahead = AHEAD): string => {
  const lines = ['day,shop,sales,promo'];
  for (let shop = 0; shop < shops; shop++) {
    for (let day = 0; day < DAYS + ahead; day++) {
      const date = new Date(Date.UTC(2024, 0, 1 + day)).toISOString().slice(0, 10);
      const sales = 100 + 5 * shop + 10 * Math.sin((2 * Math.PI * day) / 7) + 60 * promo(day) + ((day * 7919) % 13) / 4;
      lines.push(`${date},shop ${shop},${day < DAYS ? sales.toFixed(1) : ''},${promo(day)}`);
    }
  }
  return lines.join('\n');
};

describe('Forecast All Series of a file with future covariates', () => {
  const extension = new Extension();

  const details = async (page: ManyPage) => {
    const { client } = await extension.app.connection.ready();
    const rows = await page.rows();
    return Promise.all(rows.map(async ({ id }) => client.getPrediction(id)));
  };

  it('offers them, checked if they help several series, and uses them as far as they are known', async () => {
    const file = extension.file('promotions.csv', text(6));
    extension.person.accepts();
    await extension.run('forecastAll', file);
    const asked = extension.person.inputs.at(-1)!;
    assert.equal(asked.text, 'Which columns should the forecasts use? They are not forecast themselves.');
    assert.deepEqual(asked.picked, ['promo']);
    assert.match(asked.items[0].detail!, /^Helped in a backtest of \d of 5 series$/);
    const made = await details(new ManyPage(extension.window));
    assert.equal(made.length, 6);
    for (const { details, prediction_series } of made) {
      assert.deepEqual(details?.covariates?.used.map(({ name }) => name), ['promo']); // prettier-ignore
      assert.equal(prediction_series?.length, AHEAD);
    }
    const inputs = extension.person.inputs.length;
    await extension.run('forecastAll', file);
    assert.equal(extension.person.inputs.length, inputs, 'the answer is remembered');
    extension.window.panels.length = 0;
  });

  it('uses none if none is checked', async () => {
    extension.person.picks();
    await extension.run('forecastAll', extension.file('without.csv', text(5)));
    for (const { details: one } of await details(new ManyPage(extension.window)))
      assert.equal(one?.covariates, undefined);
    extension.window.panels.length = 0;
  });

  it('does not ask if none is known beyond the values', async () => {
    const asked = extension.person.inputs.length;
    await extension.run('forecastAll', extension.file('past.csv', text(5, 0)));
    assert.equal(extension.person.inputs.length, asked);
    extension.window.panels.length = 0;
  });
});

describe('Forecast All Series with a service without covariates', () => {
  const extension = new Extension();
  new PlainService(extension);

  it('does not ask', async () => {
    await extension.run('forecastAll', extension.file('promotions.csv', text(5)));
    assert.equal(extension.person.inputs.length, 0);
  });
});
