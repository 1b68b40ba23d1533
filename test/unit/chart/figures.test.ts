import assert from 'node:assert/strict';
import { parseDuration } from '../../../src/calendar/frequency.ts';
import { adviceOf, figuresOf } from '../../../src/chart/chart-view.ts';

const about = (skill: number | undefined, coverage80: number | undefined, horizon = 12) => ({
  backtest: { origins: 3, horizon, skill, coverage80, mase: 1.48, mase_seasonal_naive: 1.2 },
  seasonal_periods: [7],
});
const daily = parseDuration('P1D');
const briefly = (details: ReturnType<typeof about>) => figuresOf(details, daily).map(({ text, isPoor }) => [text, isPoor]); // prettier-ignore

describe('figures of a forecast', () => {
  it('mark a poor score, in words too', () => {
    assert.deepEqual(briefly(about(0.31, 0.82)), [
      ['31% better than the seasonal naive baseline, on its own history', false],
      ['80% interval covered 82%', false],
    ]);
    assert.deepEqual(briefly(about(-0.23, 0.33)), [
      ['23% worse than the seasonal naive baseline, on its own history', true],
      ['80% interval covered only 33%', true],
    ]);
    assert.deepEqual(briefly(about(-0.004, undefined)), [
      ['as good as the seasonal naive baseline, on its own history', false],
    ]);
  });

  it('do not call an interval poor within chance', () => {
    assert.deepEqual(briefly(about(undefined, 2 / 3, 1)), [['80% interval covered 67%', false]]);
    assert.deepEqual(briefly(about(undefined, 0.62, 30)), [['80% interval covered only 62%', true]]);
  });

  it('explain how they were measured', () => {
    const [skill, interval] = figuresOf(about(-0.23, 0.33), daily).map((figure) => figure.about);
    assert.match(skill, /repeated from 3 points in the past, each before 12 days of this series/);
    assert.match(
      skill,
      /MASE, lower is better\): 1\.48; of the seasonal naive baseline, which repeats last week: 1\.20/,
    );
    assert.match(interval, /interval covered 33% of the values that followed; a good one covers about 80%/);
  });

  it('have an action', () => {
    assert.deepEqual(adviceOf(about(-0.23, 0.8).backtest, 'seasonal-naive'), {
      sentence: 'The seasonal naive baseline did better on this series.',
      actions: [{ id: 'use-model:seasonal-naive', label: 'Use It' }],
    });
    assert.deepEqual(adviceOf(about(-0.23, 0.8).backtest, undefined)?.actions, []);
    assert.match(adviceOf(about(0.1, 0.33).backtest, 'seasonal-naive')?.sentence ?? '', /intervals were too narrow/);
    assert.equal(adviceOf(about(0.1, 0.8).backtest, 'seasonal-naive'), undefined);
  });

  it('start with the gain from covariates, and note scores without them', () => {
    const backtest = { origins: 3, horizon: 7, mae: 1, mae_without: 4 };
    const effect = (name: string) => ({ name, effect: 61, low: 0, high: 1 });
    const reported = (used: string[], offered: string[]) =>
      figuresOf({ ...about(0.48, 0.88), covariates: { used: used.map(effect), offered, backtest } }, daily);
    const texts = (used: string[], offered: string[]) => reported(used, offered).map(({ text }) => text);
    const [skill, covered] = [
      '48% better than the seasonal naive baseline, on its own history',
      '80% interval covered 88%',
    ];
    assert.deepEqual(texts(['promo'], ['promo', 'sky']), ['with promo: 75% less error than without', `without promo: ${skill}`, covered]); // prettier-ignore
    assert.match(
      reported(['promo'], ['promo'])[1].about,
      /without seeing them\..* This is the forecast of the model without/,
    );
    assert.equal(texts(['a', 'b', 'c', 'd'], ['a'])[1], `without a, b, c and 1 more: ${skill}`);
    assert.deepEqual(texts([], ['promo']), [skill, covered, 'without promo'], 'where nothing helped');
  });

  it('describe bounds briefly', () => {
    const said = (bounds: Parameters<typeof figuresOf>[0]['bounds']) => figuresOf({ bounds }, daily).map(({ text }) => text); // prettier-ignore
    assert.deepEqual(said({ floor: 0, capacity: 1200, not_negative: true }), ['between 0 and 1,200']);
    assert.deepEqual(said({ capacity: 'seats', whole: true, not_negative: true }), ['at most seats, not negative, whole numbers']); // prettier-ignore
    assert.deepEqual(said({ floor: -5 }), ['at least -5']);
    assert.deepEqual(said({ not_negative: false }), ['may be negative']);
    assert.deepEqual(said({}), []);
    assert.deepEqual(said(undefined), []);
  });
});
