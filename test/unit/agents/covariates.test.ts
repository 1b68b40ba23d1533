import assert from 'node:assert/strict';
import { LocalService } from '../service/local-service.ts';
import { contextOver, run } from './context.ts';

describe('forecasts for agents', () => {
  const local = new LocalService();

  it('use future covariates that are named and help', async () => {
    const rows = Array.from({ length: 132 }, (_, index) => {
      const promo = Math.sin(index * index) > 0.6 ? 1 : 0; // without a cycle, which a forecast would know by itself
      const day = new Date(Date.UTC(2024, 0, 1 + index)).toISOString().slice(0, 10);
      const sales = 100 + ((index * 13) % 7) + 60 * promo;
      return `${day},${index < 120 ? sales : ''},${promo}`;
    });
    const context = contextOver(local, { 'shop.csv': `day,sales,promo\n${rows.join('\n')}\n` });
    const inspected = await run(context, 'inspect_series_file', { file: 'shop.csv' });
    assert.match(inspected.text, /Known in advance, for "covariates" of forecast_series: "promo" \(12 steps ahead\)/);
    const asked = { file: 'shop.csv', series: 'sales' };
    const plain = await run(context, 'forecast_series', { ...asked, horizon: 12 });
    assert.doesNotMatch(plain.text, /promo/);
    const { text, data } = await run(context, 'forecast_series', { ...asked, covariates: ['promo'] });
    assert.equal(data.steps, 12, 'as far as it is known');
    assert.match(
      text,
      /^- with promo: \d+% less error than without: .*Effects, all else being equal: promo: \+\S+ from 0 to 1\.$/m,
    );
    assert.deepEqual((data.covariates as { offered: string[] }).offered, ['promo']);
    const wrong = await run(context, 'forecast_series', { ...asked, covariates: ['promotion'] });
    assert.match(wrong.text, /"promotion" is not a covariate of sales\. Available: "promo" \(12 steps ahead\)\./);
    assert.equal(wrong.isError, true);
  });
});
