import assert from 'node:assert/strict';
import { withCovariates } from '../../../src/chart/figures.ts';

const skill = { text: '48% better than repeating last week', about: 'Found on a backtest.', isPoor: false };
const held = { text: '80% interval covered 88%', about: 'On the same.', isPoor: false };
const backtest = { origins: 3, horizon: 7, mae: 1, mae_without: 4 };
const effect = (name: string) => ({ name, effect: 61, low: 0, high: 1 });
const texts = (used: string[], offered: string[]) =>
  withCovariates([skill, held], { used: used.map(effect), offered, backtest }).map(({ text }) => text);

describe('figures of a forecast with covariates', () => {
  it('say first what these were worth, and that the others are without', () => {
    assert.deepEqual(texts(['promo'], ['promo', 'sky']), [
      'with promo: 75% less error than without',
      'without promo: 48% better than repeating last week',
      '80% interval covered 88%',
    ]);
    const [, told] = withCovariates([skill], { used: [effect('promo')], offered: ['promo'], backtest });
    assert.match(told!.about, /^Found on a backtest\. This is the forecast of the model without/);
    assert.deepEqual(texts(['a', 'b', 'c', 'd'], ['a'])[1], 'without a, b, c and 1 more: 48% better than repeating last week'); // prettier-ignore
  });

  it('are those of the model where nothing helped, or nothing was given', () => {
    assert.deepEqual(texts([], ['promo']), [skill.text, held.text, 'without promo']);
    assert.deepEqual(withCovariates([skill], undefined), [skill]);
  });
});
