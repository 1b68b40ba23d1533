import assert from 'node:assert/strict';
import { anomalousEpisodes, anomalyScores, SIGNS, surpriseOf } from '../../../src/engine/anomalies.ts';

/** Deterministic normal noise. */
function noise(seed: number): () => number {
  let state = seed;
  const uniform = () => {
    state = (state * 1664525 + 1013904223) >>> 0;
    return (state + 0.5) / 4294967296;
  };
  return () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
}

const daily = (length: number, seed = 1) => {
  const random = noise(seed);
  return Float64Array.from({ length }, (_, hour) => 100 + 20 * Math.sin((hour * Math.PI) / 12) + random());
};

describe('anomalies', () => {
  it('are observations that a seasonal series did not predict', () => {
    const values = daily(1000);
    values[700] += 15; // within the range of the day, not at that hour
    const { surprise, expected, sign } = anomalyScores({ values, periods: [24] });
    assert.deepEqual(anomalousEpisodes(surprise, surpriseOf(10_000)), [700]);
    assert.equal(SIGNS[sign[700]], 'spike');
    assert.ok(Math.abs(expected[700] - (values[700] - 15)) < 4, String(expected[700]));
  });

  it('include a level that does not return and a flat stretch', () => {
    const shifted = daily(1200).map((value, hour) => (hour >= 800 ? value + 30 : value));
    const flat = daily(1200).map((value, hour) => (hour >= 800 && hour < 848 ? 100 : value));
    for (const values of [shifted, flat]) {
      const [first] = anomalousEpisodes(anomalyScores({ values, periods: [24] }).surprise, surpriseOf(3000)).filter(
        (at) => at > 300,
      );
      assert.ok(first >= 800 && first < 824, String(first));
    }
  });

  it('depend on the past alone', () => {
    const values = daily(600);
    const whole = anomalyScores({ values, periods: [24] });
    const part = anomalyScores({ values: values.slice(0, 400), periods: [24] });
    assert.deepEqual(whole.surprise.slice(0, 400), part.surprise);
    assert.deepEqual(whole.expected.slice(0, 400), part.expected);
  });

  it('have the requested rate on several kinds of noise', () => {
    const kinds: ((random: () => number) => () => number)[] = [
      (random) => random,
      (random) => {
        let value = 0;
        return () => (value = 0.8 * value + random());
      },
      (random) => {
        let value = 0;
        return () => (value += random());
      },
    ];
    for (const [index, kind] of kinds.entries()) {
      const next = kind(noise(index + 7));
      const { surprise } = anomalyScores({ values: Float64Array.from({ length: 20_000 }, next), periods: [] });
      const share = (rarity: number) => surprise.filter((one) => one >= surpriseOf(rarity)).length / surprise.length;
      assert.ok(share(100) > 0.004 && share(100) < 0.025, `${index}: ${share(100)}`);
      assert.ok(share(1000) > 0.0002 && share(1000) < 0.003, `${index}: ${share(1000)}`);
    }
  });

  it('are reported once per episode', () => {
    const surprise = new Float64Array(5000);
    surprise.fill(9, 4000, 4030);
    surprise[4500] = 9;
    assert.deepEqual(anomalousEpisodes(surprise, 6), [4000, 4500]);
  });

  it('have finite scores for any series', () => {
    const series = [
      [],
      [1],
      [1, NaN, 2],
      new Array<number>(200).fill(5),
      [Infinity, -Infinity, 1],
      [1e300, -1e300, 1e300],
    ];
    for (const values of series) {
      const { surprise } = anomalyScores({ values: Float64Array.from(values), periods: [7, 3.5, NaN, 0] });
      assert.equal(surprise.length, values.length);
      assert.ok(
        surprise.every((one) => one >= 0 && Number.isFinite(one)),
        String(surprise),
      );
    }
    const spike = new Float64Array(300).fill(5);
    spike[200] = 6;
    const { surprise } = anomalyScores({ values: spike, periods: [7] });
    assert.ok(surprise[200] >= surpriseOf(1000));
  });
});
