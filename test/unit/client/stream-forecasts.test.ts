import assert from 'node:assert/strict';
import { ServiceError } from '../../../src/client/errors.ts';
import { storeSeries } from '../../../src/client/store-series.ts';
import { Texts, many } from './series-texts.ts';
import { StreamingService } from './streaming-service.ts';

describe('streamed forecasts', () => {
  const service = new StreamingService();
  const line = (n: number, name = `s${n}`) =>
    JSON.stringify({ id: name, name, series_id: `series_${n}`, prediction_id: `p${n}`, ai_model_id: 'm', status: 'COMPLETED', prediction_series: [{ timestamp: '2026-01-01T00:00:00Z', value: n }] }); // prettier-ignore

  const read = async (pieces: StreamingService['forecasts']) => {
    const { id } = await storeSeries(
      service.client,
      new Texts(),
      { name: 'd', series: many(1) },
      { signal: new AbortController().signal },
    );
    service.forecasts = pieces;
    const names: unknown[] = [];
    let error: unknown;
    try {
      for await (const { name } of service.client.lines('listForecasts', id)) names.push(name);
    } catch (thrown) {
      error = thrown;
    }
    return { names, error: error instanceof ServiceError ? error.kind : error };
  };

  it('are read line by line, however they are split into chunks', async () => {
    const text = new TextEncoder().encode(`${line(1, 'Käse')}\r\n\n${line(2)}\n${line(3)}`);
    const pieces = Array.from({ length: Math.ceil(text.length / 7) }, (_, n) => text.slice(7 * n, 7 * n + 7));
    assert.deepEqual(await read(pieces), { names: ['Käse', 's2', 's3'], error: undefined });
    assert.deepEqual(await read([]), { names: [], error: undefined });
  });

  it('fail where they break off, after the lines before are returned', async () => {
    assert.deepEqual(await read([`${line(1)}\n${line(2)}\n`, undefined]), {
      names: ['s1', 's2'],
      error: 'unreachable',
    });
    assert.deepEqual(await read([`${line(1)}\n${line(2).slice(0, -9)}`]), { names: ['s1'], error: 'not-a-service' });
    assert.deepEqual(await read([`${line(1)}\n{"id": 7}\n`]), { names: ['s1'], error: 'not-a-service' });
    assert.deepEqual(await read(['<!DOCTYPE html>\n<h1>Sign in</h1>']), { names: [], error: 'not-a-service' });
    service.forecastsType = 'text/html';
    assert.deepEqual(await read(['Sign in']), { names: [], error: 'not-a-service' });
  });

  it('are not read further than the consumer iterates', async () => {
    const { id } = await storeSeries(
      service.client,
      new Texts(),
      { name: 'd', series: many(1) },
      { signal: new AbortController().signal },
    );
    service.forecasts = Array.from({ length: 50 }, (_, n) => `${line(n)}\n`);
    for await (const { name } of service.client.lines('listForecasts', id)) {
      assert.equal(name, 's0');
      break;
    }
    const stop = new AbortController();
    await assert.rejects(async () => {
      for await (const _ of service.client.lines('listForecasts', id, stop.signal)) stop.abort(new Error('enough'));
    }, /enough/);
  });
});
