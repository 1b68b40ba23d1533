import { said } from './said.ts';
import assert from 'node:assert/strict';
import type { AnswerOf } from '../../../src/contract/operations.ts';
import type { LocalDataset, LocalPrediction } from '../../../src/contract/resources.ts';
import { until } from '../editor/until.ts';
import { LocalService } from './local-service.ts';

type Values = (step: number) => number;

const points = (values: Values, count = 60, from = 0) =>
  Array.from({ length: count - from }, (_, i) => ({
    timestamp: new Date(Date.UTC(2019, from + i, 1)).toISOString(),
    value: values(from + i),
  }));

const a: Values = (step) => 50 + step + 10 * Math.sin((step * Math.PI) / 6) + 3 * Math.cos(7 * step);
const b: Values = (step) => 20 + 5 * Math.cos((step * Math.PI) / 6) + 2 * Math.sin(5 * step);
const c: Values = (step) => 5 + 2 * Math.sin(11 * step);

describe('reconciled forecasts', () => {
  const local = new LocalService();
  const { call } = local;
  const sums = [
    { total: 'all', parts: ['north', 'c'] },
    { total: 'north', parts: ['a', 'b'] },
  ];
  const family = (series: Record<string, ReturnType<typeof points>> = {}) =>
    Object.entries({
      all: points((step) => a(step) + b(step) + c(step)),
      north: points((step) => a(step) + b(step)),
      a: points(a),
      b: points(b),
      c: points(c),
      ...series,
    }).map(([name, series]) => ({ name, series }));

  const dataset = async (series: ReturnType<typeof family>) =>
    (await call<LocalDataset>('POST', '/datasets', { name: 'sales', series })).body.id;

  const ended = async (ids: readonly string[]) => {
    const made: LocalPrediction[] = [];
    for (const id of ids) {
      const read = async () => (await call<LocalPrediction>('GET', `/predictions/${id}`)).body;
      made.push(await until(read, ({ status }) => status === 'COMPLETED' || status === 'FAILED'));
    }
    return made;
  };

  it('add up at every step, with the scores of each level', async () => {
    const id = await dataset(family());
    const { status, body } = await call<AnswerOf<'predictDataset'>>('POST', `/datasets/${id}/predictions`, { sums });
    assert.equal(status, 201);
    const made = await ended(body.prediction_ids);
    assert.deepEqual(made.map(({ name, status }) => [name, status]), ['all', 'north', 'a', 'b', 'c'].map((name) => [name, 'COMPLETED'])); // prettier-ignore
    const [all, north, ...parts] = made.map(({ prediction_series }) => prediction_series!.map(({ value }) => value!));
    assert.ok(all.length >= 12);
    all.forEach((value, step) => {
      assert.ok(Math.abs(value - north[step] - parts[2][step]) < 1e-9 * value);
      assert.ok(Math.abs(north[step] - parts[0][step] - parts[1][step]) < 1e-9 * value);
    });
    assert.deepEqual(made.map(({ details }) => details?.totals?.level), [0, 1, 2, 2, 2]); // prettier-ignore
    const { levels, mase_alone } = made[0].details!.totals!;
    assert.deepEqual(levels.map(({ series }) => series), [1, 1, 3]); // prettier-ignore
    assert.ok(levels.every(({ mase, mase_alone, rmsse, rmsse_alone }) => mase! > 0 && mase_alone! > 0 && rmsse! > 0 && rmsse_alone! > 0)); // prettier-ignore
    assert.ok(mase_alone! > 0 && made[0].details!.backtest!.mase! > 0);
    for (const { prediction_series } of made) {
      for (const { timestamp, value, metadata } of prediction_series!) {
        assert.ok(Date.parse(timestamp) >= Date.UTC(2024, 0, 1));
        const quantiles = metadata!.quantiles as Record<string, number>;
        assert.equal(quantiles['0.5'], value);
        assert.ok(quantiles['0.1'] < value! && value! < quantiles['0.9']);
      }
    }
  });

  it('reach as far as the others for series that begin later or end earlier', async () => {
    const id = await dataset(family({ a: points(a, 58), c: points((step) => c(step), 60, 40), all: points((step) => a(step) + b(step) + (step < 40 ? 0 : c(step))) })); // prettier-ignore
    const asked = { sums, prediction_length: 6 };
    const { body } = await call<AnswerOf<'predictDataset'>>('POST', `/datasets/${id}/predictions`, asked);
    const made = await ended(body.prediction_ids);
    assert.ok(made.every(({ status }) => status === 'COMPLETED'));
    const times = made.map(({ prediction_series }) => prediction_series!.map(({ timestamp }) => timestamp).join());
    assert.equal(new Set(times).size, 1);
    assert.equal(made[2].prediction_series!.length, 6);
  });

  it('are refused for impossible sums', async () => {
    const id = await dataset(family());
    const refused = async (sums: unknown) => {
      const { status, body } = await call<{ errors: { loc: unknown[]; detail: string }[] }>('POST', `/datasets/${id}/predictions`, { sums }); // prettier-ignore
      assert.equal(status, 422);
      return `${body.errors[0].loc.join('.')}: ${body.errors[0].detail}`;
    };
    assert.match(await refused([{ total: 'all', parts: ['south'] }]), /^body\.sums\.0\.parts\.0: .*no series “south”/);
    assert.match(await refused([{ total: 'all', parts: ['north'] }, { total: 'north', parts: ['all'] }]), /^body\.sums\.[01]: .*part of itself/); // prettier-ignore
    assert.match(await refused([...sums, { total: 'all', parts: ['a'] }]), /different parts/);
    assert.match(await refused([{ total: 'all', parts: ['north', 'a'] }, sums[1]]), /counts twice/);
    assert.match(await refused([{ total: 'all', parts: [] }]), /^body\.sums\.0\.parts/);
    assert.match(await refused([{ total: 'all', parts: ['a'], weight: 2 }]), /^body\.sums\.0: .*weight/);
  });

  it('all fail if the history does not add up, naming the total', async () => {
    const id = await dataset(family({ north: points((step) => 2 * a(step)) }));
    const { body } = await call<AnswerOf<'predictDataset'>>('POST', `/datasets/${id}/predictions`, { sums });
    const made = await ended(body.prediction_ids);
    for (const { status, error } of made) {
      assert.equal(status, 'FAILED');
      assert.match(said(error), /“north” is not the sum of its parts/);
    }
  });

  it('do not change a series outside every sum', async () => {
    const id = await dataset([...family(), { name: 'price', series: points(() => 9.5) }]);
    const { body } = await call<AnswerOf<'predictDataset'>>('POST', `/datasets/${id}/predictions`, { sums });
    const made = await ended(body.prediction_ids);
    const { details, prediction_series } = made.at(-1)!;
    assert.equal(details?.totals, undefined);
    assert.ok(prediction_series!.every(({ value }) => value === 9.5));
    assert.deepEqual(made[0].details?.totals?.levels.map(({ series }) => series), [1, 1, 3]); // prettier-ignore
  });

  it('are cancelled together', async () => {
    const id = await dataset(family());
    const { body } = await call<AnswerOf<'predictDataset'>>('POST', `/datasets/${id}/predictions`, { sums });
    assert.equal((await call('DELETE', `/datasets/${id}/predictions`)).status, 204);
    for (const one of body.prediction_ids) assert.equal((await call('GET', `/predictions/${one}`)).status, 404);
    const again = await call<AnswerOf<'predictDataset'>>('POST', `/datasets/${id}/predictions`, { sums });
    assert.ok((await ended(again.body.prediction_ids)).every(({ status }) => status === 'COMPLETED'));
  });

  it('continue after a restart of the service', async () => {
    const id = await dataset(family());
    const { body } = await call<AnswerOf<'predictDataset'>>('POST', `/datasets/${id}/predictions`, { sums });
    await local.restart();
    assert.ok((await ended(body.prediction_ids)).every(({ status }) => status === 'COMPLETED'));
  });
});
