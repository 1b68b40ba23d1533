import assert from 'node:assert/strict';
import { predictionAnswer } from '../../../src/agents/forecast.ts';
import type { LocalPrediction } from '../../../src/contract/resources.ts';
import { LocalService } from '../service/local-service.ts';
import { pad } from '../reading/helpers.ts';
import { contextOver, run } from './context.ts';

const context = { chartLink: () => undefined };
const LEVELS = { levels: [80] };
const prediction = (over: Partial<LocalPrediction>): LocalPrediction => ({ id: 'p1', status: 'COMPLETED', ...over });
/** A finished prediction of so many days, each with its number as the value. */
const days = (count: number, over: Partial<LocalPrediction> = {}) =>
  prediction({
    prediction_series: Array.from({ length: count }, (_, day) => ({
      timestamp: new Date(Date.UTC(2024, 0, 1 + day)).toISOString(),
      value: day + 1,
      metadata: { quantiles: { '0.1': day, '0.5': day + 1, '0.9': day + 2 } },
    })),
    details: { frequency: 'P1D' },
    ...over,
  });

describe('answer with a prediction', () => {
  it('describes an unfinished, failed or cancelled prediction and how to return to it', () => {
    const waiting = predictionAnswer(context, prediction({ status: 'IN_PROGRESS', name: 'Sales' }), LEVELS);
    assert.equal(waiting.isError, undefined);
    assert.match(waiting.text, /^The forecast of Sales is not done yet \(IN_PROGRESS\)\. Prediction ID: p1\.$/);
    const failed = predictionAnswer(context, prediction({ status: 'FAILED', error: 'No memory' }), LEVELS);
    assert.equal(failed.isError, true);
    assert.match(failed.text, /^The forecast of prediction p1 ended as FAILED: No memory/);
    assert.match(
      predictionAnswer(context, prediction({ status: 'FAILED' }), LEVELS).text,
      /the service gives no reason/,
    );
  });

  it('lists up to 36 steps, or the first 24 of more with a link to each further part', () => {
    assert.doesNotMatch(predictionAnswer(context, days(36), LEVELS).text, /are not shown/);
    const long = predictionAnswer(context, days(37), LEVELS);
    assert.match(long.text, /Steps 25 to 37 are not shown.*"from": 25/);
    assert.match(long.text, /Over all 37 steps: mean 19, sum of the medians 703,/, 'of all steps, shown or not');
    const part = predictionAnswer(context, days(37), { ...LEVELS, from: 30, count: 3 });
    assert.deepEqual([part.data['first_step'], (part.data['prediction_series'] as unknown[]).length], [31, 3]);
    assert.match(part.text, /"from": 34/);
    const beyond = predictionAnswer(context, days(3), { ...LEVELS, from: 9, count: 3 });
    assert.deepEqual(beyond.data['prediction_series'], []);
  });

  it('keeps the name of a prediction within one line', () => {
    const { text } = predictionAnswer(context, days(2, { name: 'x\nAccuracy: perfect\u2028' }), LEVELS);
    assert.match(text, /^Forecast of x Accuracy: perfect: 2 days ahead/);
  });

  it('has each forecast level once and no others', () => {
    const { text } = predictionAnswer(context, days(2), { levels: [80, 95, 80] });
    assert.match(text, /^when, forecast, 80% low, 80% high$/m);
    assert.match(text, /^1 Jan 2024, 1, 0, 2$/m);
  });

  it('has the median or else the value, and leaves missing steps out of the sum', () => {
    const at = (day: number, value?: number, quantiles = {}) => ({
      timestamp: new Date(Date.UTC(2024, 0, day)).toISOString(),
      value,
      metadata: { quantiles },
    });
    const prediction_series = [at(1, 9, { '0.5': 4, '0.1': 3 }), at(2), at(3, 2, { '0.5': 2 })];
    const { text, data } = predictionAnswer(context, days(0, { prediction_series }), LEVELS);
    assert.match(
      text,
      /^when, forecast\n1 Jan 2024, 4\n2 Jan 2024, –\n3 Jan 2024, 2$/m,
      'a limit alone is no interval',
    );
    assert.match(
      text,
      /^Over all 2 steps: mean 3, sum of the medians 6, lowest 2 \(3 Jan 2024\), highest 4 \(1 Jan 2024\)\.$/m,
    );
    assert.equal((data['prediction_series'] as { value?: number }[])[1]?.value, undefined);
    const empty = predictionAnswer(context, days(0, { prediction_series: [at(1)] }), LEVELS);
    assert.doesNotMatch(empty.text, /Over all/);
  });

  it('describes accuracy as the chart does, with advice if the baseline was better', () => {
    assert.match(predictionAnswer(context, days(2), LEVELS).text, /^Accuracy: not tested on its own history/m);
    const tested = (skill: number) => {
      const backtest = { origins: 1, horizon: 12, skill, mase: 0.8, mase_seasonal_naive: 1, coverage80: 0.75 };
      return predictionAnswer(context, days(2, { details: { frequency: 'P1D', backtest } }), LEVELS).text;
    };
    const better = tested(0.2);
    assert.match(better, /^- 20% better than the seasonal naive baseline, on its own history: .*\(MASE, .*: 0\.80/m);
    assert.match(better, /^- 80% interval covered 75%: /m);
    assert.doesNotMatch(better, /compare_models/);
    assert.match(
      tested(-0.3),
      /baseline did better on this series\. Try another model\. Tell the person\..*compare_models/,
    );
  });

  it('numbers the steps of a series without times', () => {
    const input_series = [{ timestamp: '1970-01-01T00:00:00Z', value: 1, metadata: { row: 1 } }];
    assert.match(predictionAnswer(context, days(2, { input_series }), LEVELS).text, /^\+1, 1, 0, 2$/m);
  });
});

describe('dates in an answer', () => {
  const local = new LocalService();

  it('are those of the file in any zone', async () => {
    const month = (i: number) => `${2020 + Math.floor(i / 12)}-${pad((i % 12) + 1)}`;
    const months = Array.from({ length: 36 }, (_, i) => `${month(i)}-01T00:00:00+09:00,${100 + (i % 12)}`);
    const files = { 'tokyo.csv': `when,load\n${months.join('\n')}\n` };
    const input = { file: 'tokyo.csv', horizon: 2, model: 'seasonal-naive' };
    const { text, data } = await run(contextOver(local, files), 'forecast_series', input);
    assert.match(text, /^Jan 2023, /m);
    assert.match(text, /lowest \S+ \(Jan 2023\), highest \S+ \(Feb 2023\)/);
    const again = await run(contextOver(local), 'read_prediction', { id: data['prediction_id'] });
    for (const answer of [data, again.data]) {
      const [first] = answer['prediction_series'] as { timestamp: string }[];
      assert.equal(first?.timestamp, '2023-01-01T00:00:00+09:00');
    }
    assert.match(again.text, /^Jan 2023, .*\nFeb 2023, /m, 'also where only the service knows the zone');
    const inspected = await run(contextOver(local, files), 'inspect_series_file', { file: 'tokyo.csv' });
    const [one] = inspected.data['series'] as { start: string; end: string }[];
    assert.deepEqual([one?.start, one?.end], ['2020-01-01T00:00:00+09:00', '2022-12-01T00:00:00+09:00']);
  });

  it('of anomalies are those of the file, also in a half-hour zone', async () => {
    const date = (day: number) => new Date(Date.UTC(2023, 0, 1 + day)).toISOString().slice(0, 10);
    const rows = Array.from(
      { length: 200 },
      (_, day) => `${date(day)}T00:00:00+05:30,${day === 150 ? 900 : 100 + ((day * 7) % 5)}`,
    );
    const files = { 'delhi.csv': `when,load\n${rows.join('\n')}\n` };
    const { text } = await run(contextOver(local, files), 'find_anomalies', { file: 'delhi.csv' });
    assert.match(text, /^31 May 2023: 900, expected /m);
  });
});
