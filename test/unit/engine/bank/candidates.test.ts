import assert from 'node:assert/strict';
import { bank, candidateCount, fitBank, View } from '../../../../src/engine/bank.ts';
import { pieceOf, prepareSeries } from '../../../../src/engine/prepare/series.ts';
import { Random } from '../../../../src/engine/random.ts';
import { candidateErrors } from '../../../../src/engine/neural/features.ts';

const random = new Random(21);
const placeOf = (id: string): number => bank.findIndex((candidate) => candidate.id === id);
const series = (length: number, of: (i: number) => number) => Float64Array.from({ length }, (_, i) => of(i));

/** All candidate forecasts of a series by name. */
function forecastsOf(values: Float64Array, periods: readonly number[], horizon: number) {
  const view = new View(prepareSeries(values, periods));
  const forecasts = fitBank(view)(view, horizon);
  const unit = prepareSeries(values, periods).unit;
  return (id: string) => forecasts[placeOf(id)].map((value) => value * unit);
}

describe('candidate forecasts', () => {
  it('repeat and average in phase with the period', () => {
    const values = Float64Array.of(1, 3, 2, 4, 3, 3, 2, 4, 3, 5);
    const at = forecastsOf(values, [2], 3);
    assert.deepEqual([...at('seasonal-naive')], [3, 5, 3]);
    assert.deepEqual([...at('recent-phases')], [2.5, 4, 2.5]);
    assert.deepEqual([...forecastsOf(Float64Array.of(4), [12], 2)('seasonal-naive')], [4, 4]);
  });

  it('with a daily and a weekly period repeat the week', () => {
    const weekend = (i: number) => Math.floor(i / 24) % 7 >= 5;
    const of = (i: number) => 50 + (weekend(i) ? 0 : 20 * Math.max(0, Math.sin((2 * Math.PI * i) / 24))) + (i % 5) / 10;
    const at = forecastsOf(series(24 * 7 * 5 + 24 * 4, of), [24, 168], 48);
    const errorOf = (name: string) =>
      at(name).reduce((sum, value, i) => sum + Math.abs(value - of(24 * 7 * 5 + 24 * 4 + i)) / 48, 0);
    for (const name of ['long-naive', 'long-phases', 'cycle-ridge']) {
      assert.ok(errorOf(name) < 0.4 * errorOf('seasonal-naive'), `${name}: ${errorOf(name)}`);
    }
  });

  it('of intermittent demand include zeros', () => {
    const at = forecastsOf(
      series(60, (i) => (i % 6 === 1 ? 3 : 0)),
      [],
      6,
    );
    assert.ok(at('recent-median').every((value) => value === 0));
  });

  it('have smaller past errors if they fit the series', () => {
    const values = series(240, (i) => 100 + 30 * Math.sin((2 * Math.PI * i) / 12) + random.normal());
    const view = new View(prepareSeries(values, [12]));
    const { relative, near, far, folds } = candidateErrors(view, fitBank(view), 0.05);
    const errorOf = (name: string) => relative[candidateCount + placeOf(name)];
    assert.ok(errorOf('recent-phases') < errorOf('last-value') - 1);
    assert.ok(errorOf('lag-ridge') < errorOf('recent-median') - 1);
    assert.ok(near > 0 && far > 0 && folds >= 3);
    const short = new View(prepareSeries(values.slice(0, 6), []));
    assert.equal(candidateErrors(short, fitBank(short), 1).folds, 0);
  });
});

describe('counts', () => {
  const pieces = (values: Float64Array) => {
    const prepared = prepareSeries(values, []);
    return pieceOf(prepared) * prepared.unit;
  };

  it('are distinguished from measurements, also in packs', () => {
    assert.equal(pieces(series(30, (i) => i % 4)), 1);
    assert.equal(pieces(series(30, (i) => 12 * (i % 4))), 12);
    assert.equal(pieces(series(30, (i) => 0.25 * (i % 3))), 0.25);
    assert.equal(pieces(series(30, () => random.normal())), 0);
    assert.equal(pieces(series(30, (i) => i)), 0);
    assert.equal(pieces(Float64Array.of(1, 2, 1)), 0);
    assert.equal(pieces(series(30, (i) => (i % 4) - 2)), 0, 'what may be negative is no count');
  });
});
