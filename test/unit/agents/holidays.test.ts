import assert from 'node:assert/strict';
import { holidaysOf } from '../../../src/reading/holidays/library.ts';
import { LocalService } from '../service/local-service.ts';
import { contextOver, run } from './context.ts';

const first = Date.UTC(2023, 0, 2) / 86_400_000;
const free = new Set(holidaysOf('DE', 2023, 2025).map(({ day }) => day));
const shop = Array.from({ length: 600 }, (_, i) => {
  const day = new Date((first + i) * 86_400_000).toISOString().slice(0, 10);
  return `${day},${(free.has(first + i) ? 20 : 100) + 5 * (i % 7) + ((i * 13) % 5)}`;
});

describe('agent options for a series', () => {
  const local = new LocalService();
  const context = contextOver(local, {
    'shop.csv': `day,sales\n${shop.join('\n')}\n`,
    'years.csv': 'year,sales\n2001,3\n2002,4\n2003,3\n2004,5\n',
  });

  it('include the country whose holidays it follows', async () => {
    const { text, data } = await run(context, 'forecast_series', { file: 'shop.csv', holidays: 'de', horizon: 28 });
    assert.equal(data.steps, 28);
    assert.match(text, /^- with holiday \(DE\): \d+% less error than without/m);
    const wrong = await run(context, 'forecast_series', { file: 'shop.csv', holidays: 'XX' });
    assert.equal(wrong.isError, true);
    assert.match(wrong.text, /no holiday calendar for "XX"/);
    const years = await run(context, 'forecast_series', { file: 'years.csv', holidays: 'DE' });
    assert.match(years.text, /no daily or shorter steps that holidays apply to/);
  });

  it('include its bounds', async () => {
    const asked = { file: 'shop.csv', horizon: 14, levels: [80] };
    const { data } = await run(context, 'forecast_series', {
      ...asked,
      bounds: { floor: 90, capacity: 120, whole: true },
    });
    const numbers =
      JSON.stringify(data)
        .match(/"value":[\d.]+/g)
        ?.map((part) => Number(part.slice(8))) ?? [];
    assert.ok(numbers.length >= 14, JSON.stringify(data).slice(0, 300));
    assert.ok(
      numbers.every((value) => Number.isInteger(value) && value >= 90 && value <= 120),
      numbers.join(),
    );
    const wrong = await run(context, 'forecast_series', { ...asked, bounds: { capacity: 'seats' } });
    assert.match(wrong.text, /"seats" is not a covariate/);
  });
});
