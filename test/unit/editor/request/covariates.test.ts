import assert from 'node:assert/strict';
import type { State } from '../chart-page.ts';
import { Extension } from '../extension.ts';
import { stateOf } from '../views/panels.ts';

const day = (i: number): string => new Date(Date.UTC(2024, 0, 1 + i)).toISOString().slice(0, 10);
const promo = (i: number): number => ((i * 7) % 11 < 2 ? 1 : 0);

/** Daily sales, doubled by promotions that are known ten days further; visitors are known for the past only. */
function shop(ahead = 10): string {
  const rows = Array.from({ length: 120 + ahead }, (_, i) => {
    const sales = 100 + 5 * (i % 7) + 100 * promo(i) + ((i * 13) % 5);
    return i < 120 ? `${day(i)},${sales},${promo(i)},${200 + ((i * i) % 17)}` : `${day(i)},,${promo(i)},`;
  });
  return `date,sales,promo,visitors\n${rows.join('\n')}\n`;
}

describe('future covariates', () => {
  const extension = new Extension();
  const posted = (): string => {
    const panel = extension.window.panels.at(-1)!;
    panel.says({ type: 'ready' });
    return JSON.stringify(stateOf<State>(panel).shown);
  };

  it('are offered with their test, and described in the chart', async () => {
    const file = extension.file('shop.csv', shop());
    extension.person.picks('sales').picks('Hybrid').accepts().accepts().accepts();
    await extension.run('forecastWithOptions', file);
    const columns = extension.person.offered.at(-2)!;
    assert.deepEqual(
      columns.map(({ label, description }) => [label, description]),
      [
        ['promo', 'known until 9 May 2024'],
        ['visitors', 'known for the past only'],
      ],
    );
    assert.equal(columns[0].detail, 'Helped in a backtest');
    const page = posted();
    assert.match(page, /10 days ahead/);
    assert.match(page, /with promo: \d+% less error than without/);
  });

  it('are used without a question if they help, until the person chooses', async () => {
    const file = extension.file('again.csv', shop());
    extension.person.picks('sales');
    await extension.run('forecast', file);
    const page = posted();
    assert.match(page, /with promo: \d+% less error than without/);
    assert.match(page, /Uses promo, which helped in a backtest, for 10 days: as far as the file has values/);
    extension.person.accepts().picks('Hybrid').picks().accepts().accepts();
    await extension.run('forecastWithOptions', file);
    await extension.run('forecast', file);
    assert.doesNotMatch(posted(), /less error than without|which helped in a backtest/);
  });

  it('are not asked for if none is known beyond the values', async () => {
    const file = extension.file('past.csv', shop(0));
    extension.person.picks('sales').picks('Theta').accepts().accepts();
    await extension.run('forecastWithOptions', file);
    assert.equal(extension.person.asked.length, 4);
  });
});
