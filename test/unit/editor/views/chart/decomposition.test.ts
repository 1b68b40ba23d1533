import assert from 'node:assert/strict';
import { parseDuration } from '../../../../../src/calendar/frequency.ts';
import type { Component } from '../../../../../src/contract/resources.ts';
import { decompositionView } from '../../../../../src/editor/views/chart/analyses.ts';

const timestamps = Array.from({ length: 6 }, (_, day) => new Date(Date.UTC(2024, 0, 1 + day)).toISOString());
const viewOf = (values: (number | null)[], names: string[]) =>
  decompositionView(
    { prediction_id: 'p', timestamps, forecast_from: 4, components: [{ kind: 'covariate', names, values }] },
    undefined,
  );

describe('view of covariate effects', () => {
  it('gives the range of each effect', () => {
    assert.deepEqual(viewOf([0, 61.2, 0, 0, 60, null], ['promo']).sentences, ['promo adds between 0 and 61']);
    assert.deepEqual(viewOf([0, -5, 0.1, 0, -4, 0], ['price']).sentences, ['price adds between -5 and 0.1']);
    assert.deepEqual(viewOf([3, -5, 0, 0, -4, 2], ['a', 'b', 'c', 'd', 'e']).sentences, [
      'a, b, c and 2 more adds between -5 and 3',
    ]);
  });

  it('names the columns of an effect, and centers it on zero', () => {
    const [effect] = viewOf([0, 61.2, 0, 0, 60, 0], ['promo']).components;
    assert.deepEqual([effect.label, effect.isAroundZero, [...effect.forecast.values]], ['promo', true, [60, 0]]);
  });
});

describe('view of a decomposition', () => {
  const DAY = 86_400_000;
  const MONTHLY = parseDuration('P1M');
  const DAILY = parseDuration('P1D');
  const months = (count: number) => Array.from({ length: count }, (_, month) => new Date(Date.UTC(2022, month, 1)).toISOString()); // prettier-ignore
  const days = (count: number) => Array.from({ length: count }, (_, day) => new Date(Date.UTC(2024, 0, 1) + day * DAY).toISOString()); // prettier-ignore
  const view = (times: string[], from: number, frequency: typeof MONTHLY | undefined, ...components: Component[]) =>
    decompositionView({ prediction_id: 'p', timestamps: times, forecast_from: from, components }, frequency);
  const trend = (...values: (number | null)[]): Component => ({ kind: 'trend', values });

  it('describes the slope of the trend over the horizon', () => {
    const of = (...values: number[]) => view(months(values.length), 2, MONTHLY, trend(...values)).sentences;
    assert.deepEqual(of(90, 100, 102.1, 104.2), ['Rises by 2.1 per month']);
    assert.deepEqual(of(110, 100, 97, 94), ['Falls by 3 per month']);
    assert.deepEqual(of(90, 100, 100.2, 100.4), ['Stays level']);
    assert.deepEqual(view(months(2), 2, MONTHLY, trend(1, 2)).sentences, [], 'nothing lies ahead');
  });

  it('names the months of the yearly high and low, in percent where possible', () => {
    const season = Array.from({ length: 24 }, (_, month) => (month % 12 === 6 ? 23 : month % 12 === 10 ? -21 : 0));
    const yearly = view(months(24), 12, MONTHLY, trend(...Array<number>(24).fill(100)), { kind: 'seasonal', period: 12, values: season }); // prettier-ignore
    assert.deepEqual(yearly.sentences, ['Stays level', 'July is 23% above, November 21% below']);
    assert.equal(yearly.components[1].label, 'Seasonal (12 months)');
    const around = view(months(24), 12, MONTHLY, trend(...Array<number>(24).fill(0)), { kind: 'seasonal', period: 12, values: season }); // prettier-ignore
    assert.equal(around.sentences.at(-1), 'July is 23 above, November 21 below', 'no share of nothing');
  });

  it('names weekdays, hours and quarters', () => {
    const week = Array.from({ length: 14 }, (_, day) => (day % 7 === 5 ? 5 : day % 7 === 0 ? -4 : 0));
    assert.deepEqual(view(days(14), 7, DAILY, { kind: 'seasonal', period: 7, values: week }).sentences, ['Saturday is 5 above, Monday 4 below']); // prettier-ignore
    const hours = Array.from({ length: 24 }, (_, hour) => new Date(Date.UTC(2024, 0, 1, hour)).toISOString());
    const daily = Array.from({ length: 24 }, (_, hour) => (hour === 18 ? 2 : hour === 0 ? -1 : 0));
    assert.match(view(hours, 12, parseDuration('PT1H'), { kind: 'seasonal', period: 24, values: daily }).sentences[0], /^18:00 is 2 above, 00:00 1 below$/); // prettier-ignore
    const quarters = [0, 3, 6, 9].map((month) => new Date(Date.UTC(2023, month, 1)).toISOString());
    assert.deepEqual(view(quarters, 2, parseDuration('P3M'), { kind: 'seasonal', period: 4, values: [1, 0, 0, -2] }).sentences, ['Quarter 1 is 1 above, Quarter 4 2 below']); // prettier-ignore
  });

  it('gives the range of a season whose phases have no names', () => {
    const values = [3, -2, 0, 3, -2, 0];
    assert.deepEqual(view(days(6), 3, undefined, { kind: 'seasonal', period: 3, values }).sentences, ['its seasonal component ranges from 2 below to 3 above']); // prettier-ignore
  });

  it('counts the level shifts before the forecast', () => {
    const of = (...values: number[]) => view(days(6), 4, DAILY, { kind: 'shift', values }).sentences;
    assert.deepEqual(of(0, 0, 5, 5, 5, 5), ['level shifts: 1']);
    assert.deepEqual(of(0, 2, 5, 5, 5, 5), ['level shifts: 2']);
  });

  it('splits each component at the cutoff, with gaps for missing observations', () => {
    const { components } = view(days(4), 2, DAILY, trend(1, 2, 3, 4), { kind: 'remainder', values: [0.5, null, 0, 0] }, { kind: 'of a later version', values: [0, 0, 0, 0] }); // prettier-ignore
    assert.deepEqual(components.map(({ label, isAroundZero }) => [label, isAroundZero]), [['Trend', false], ['Remainder', true], ['of a later version', true]]); // prettier-ignore
    assert.deepEqual([[...components[0].history.values], [...components[0].forecast.values]], [[1, 2], [3, 4]]); // prettier-ignore
    assert.deepEqual([...components[1].history.values], [0.5, NaN]);
    assert.equal(components[0].forecast.times[0], Date.UTC(2024, 0, 3));
  });
});
