import assert from 'node:assert/strict';
import { LocalService } from '../service/local-service.ts';
import { contextOver, run } from './context.ts';

describe('forecasting tools for agents', () => {
  const local = new LocalService();

  it('keep answers short at any horizon, with a link to the rest', async () => {
    const context = contextOver(local);
    const input = { file: 'air-passengers.csv', horizon: 1000 };
    const { text, data } = await run(context, 'forecast_series', input);
    assert.ok(text.length < 4000, String(text.length));
    assert.ok(JSON.stringify(data).length < 8000);
    assert.match(text, /Steps 25 to 1000 are not shown/);
    const next = await run(context, 'read_prediction', { id: data.prediction_id, from: 25, steps: 2 });
    assert.match(next.text, /Jan 1963, /);
    assert.match(next.text, /Feb 1963, /);
    assert.doesNotMatch(next.text, /Mar 1963, /);
  });

  it('write huge numbers with few digits', async () => {
    const { text } = await run(contextOver(local), 'forecast_series', { values: [1e300, 3e300, 2e300], horizon: 1 });
    assert.doesNotMatch(
      text.split('\n').find((line) => line.startsWith('+1'))!,
      /\d{8}/,
    );
  });

  it('accept a horizon in words, and explain an invalid one', async () => {
    const context = contextOver(local);
    const ahead = async (horizon: unknown, more: object = {}) => {
      const { data, text } = await run(context, 'forecast_series', { file: 'air-passengers.csv', horizon, ...more });
      return data.steps ?? text;
    };
    assert.equal(await ahead('2 years'), 24);
    assert.equal(await ahead('until Mar 1962'), 15);
    assert.equal(await ahead('7'), 7);
    assert.match(String(await ahead('soon')), /“soon” is not a horizon/);
    assert.match(String(await ahead('until 1950')), /does not reach past the end/);
    assert.match(String(await ahead('2000 years')), /24,000 steps ahead; the maximum is 10000/);
    const byRow = await run(context, 'forecast_series', { values: [1, 2, 3, 4, 5], horizon: '2 years' });
    assert.match(byRow.text, /no regular step/);
    const compared = { file: 'air-passengers.csv', models: ['theta', 'seasonal-naive'], horizon: '6 months' };
    const { data } = await run(context, 'compare_models', compared);
    const [{ prediction_id: id }] = data.models as { prediction_id: string }[];
    assert.equal((await run(context, 'read_prediction', { id })).data.steps, 6);
  });

  it('include the notes of the service', async () => {
    const { data } = await run(contextOver(local), 'forecast_series', { values: [1, 2, 3, 4, 5], horizon: 1 });
    const { body } = await local.call<{ requested_by?: string }>('GET', `/predictions/${String(data.prediction_id)}`);
    assert.equal(body.requested_by, 'agent');
  });

  it('return the requested levels', async () => {
    const input = { file: 'air-passengers.csv', horizon: 2, levels: [60, 99] };
    const { text } = await run(contextOver(local), 'forecast_series', input);
    assert.match(text, /when, forecast, 60% low, 60% high, 99% low, 99% high/);
  });

  it('forecast values without a file, by date or by step', async () => {
    const context = contextOver(local);
    const values = Array.from({ length: 48 }, (_, month) => 100 + month + (month % 12));
    const dated = await run(context, 'forecast_series', {
      values,
      start: '2020-01-01',
      frequency: 'P1M',
      horizon: 1,
      name: 'Sales',
    });
    assert.match(dated.text, /Forecast of Sales: 1 month ahead/);
    assert.match(dated.text, /Jan 2024, /);
    const plain = await run(context, 'forecast_series', { values, horizon: 1 });
    assert.match(plain.text, /\+1, /);
    assert.match(
      (await run(context, 'forecast_series', { values, start: '2020-01-01' })).text,
      /Give both start and frequency/,
    );
    assert.match(
      (await run(context, 'forecast_series', { values, start: 'soon', frequency: 'P1M' })).text,
      /“soon” is not a time/,
    );
    assert.match((await run(context, 'forecast_series', { values: [null, null] })).text, /no value/);
  });

  it('compare models on the same origins and name the best', async () => {
    const { text, data } = await run(contextOver(local), 'compare_models', {
      file: 'air-passengers.csv',
      models: ['theta', 'seasonal-naive'],
    });
    assert.equal(data.best, 'theta');
    assert.match(text, /Best in the backtest: theta/);
    const unknown = await run(contextOver(local), 'compare_models', {
      file: 'air-passengers.csv',
      models: ['theta', 'prophet'],
    });
    assert.equal(unknown.isError, true);
    assert.match(unknown.text, /prophet/);
    const twice = { file: 'air-passengers.csv', models: ['theta', 'theta'] };
    assert.match((await run(contextOver(local), 'compare_models', twice)).text, /^"theta" is only one model/);
  });
});
