import assert from 'node:assert/strict';
import { parseDuration } from '../../../../../src/calendar/frequency.ts';
import type { Backtest, LocalPrediction } from '../../../../../src/contract/resources.ts';
import { compareView } from '../../../../../src/editor/views/chart/comparison.ts';
import type { ChartIntent, PredictionRef } from '../../../../../src/editor/views/chart/protocol.ts';
import { type Chart, compared, comparingWith, loaded, startOf, supposing, showing, withResult } from '../../../../../src/editor/views/chart/state.ts'; // prettier-ignore
import type { ReadSeries } from '../../../../../src/reading/types.ts';
import { predictionOf } from '../panels.ts';

const refOf = (predictionId: string, serviceId = 'local'): PredictionRef => ({ serviceId, predictionId });
const nameOf = ({ ai_model_id: model = '' }: LocalPrediction) => model.toUpperCase();
const models = ['theta', 'ets', 'naive', 'hybrid', 'arima'].map((id) => ({ id, label: id.toUpperCase(), isTuned: false })); // prettier-ignore
type Step = (chart: Chart) => Chart;
type Result = Parameters<typeof withResult>[2];
const after = (chart: Chart, ...steps: Step[]) => steps.reduce((now, step) => step(now), chart);
const known = (facts: Partial<Chart>): Step => (chart) => ({ ...chart, ...facts }); // prettier-ignore
const shown = (id: string, serviceId = 'local', isOfFile = false): Step => (chart) => showing(chart, refOf(id, serviceId), isOfFile); // prettier-ignore
const load = (prediction: LocalPrediction): Step => (chart) => loaded(chart, prediction); // prettier-ignore
const compare = (what: (ChartIntent & { type: 'compare' })['do'], id = ''): Step => (chart) => compared(chart, { do: what, id }); // prettier-ignore
const among = (others: readonly LocalPrediction[]): Step => (chart) => comparingWith(chart, others); // prettier-ignore
const suppose = (name: string, time = 0): Step => (chart) => supposing(chart, { name, cells: [{ column: 'promo', time, value: 1 }] }); // prettier-ignore
const result = (key: string, found: Result): Step => (chart) => withResult(chart, key, found); // prettier-ignore
const start = startOf({ ...refOf('a'), former: [] });

describe('steps of a chart', () => {
  it('remember up to twenty previous forecasts of the same service', () => {
    const chart = after(start, shown('b'), shown('c'));
    assert.deepEqual(chart.ref, { ...refOf('c'), former: ['a', 'b'] });
    assert.deepEqual(after(chart, shown('b')).ref.former, ['a'], 'back again');
    assert.deepEqual(after(chart, shown('r', 'https://remote.example')).ref.former, []);
    const far = after(start, ...Array.from({ length: 30 }, (_, step) => shown(`p${step}`)));
    assert.deepEqual([far.ref.former!.length, far.ref.former!.at(-1)], [20, 'p28']);
  });

  it('keep what is known of the file for another forecast of the same series', () => {
    const series = { id: 's' } as unknown as ReadSeries;
    const chart = after(start, known({ series, tests: new Map([['promo', true]]) }));
    assert.deepEqual([after(chart, shown('b', 'local', true)).series, after(chart, shown('b')).series], [series, undefined]); // prettier-ignore
    assert.deepEqual([after(chart, shown('b', 'local', true)).tests?.size, after(chart, shown('b')).tests], [1, undefined]); // prettier-ignore
    assert.equal(after(chart, known({ isCurrent: false }), shown('b')).isCurrent, true);
  });

  it('clear the analyses for another forecast', () => {
    const chart = after(start, load(predictionOf('a')), known({ analyses: { decomposition: 'asked' } }));
    assert.deepEqual(after(chart, load(predictionOf('a'))).analyses, { decomposition: 'asked' }, 'the same one');
    assert.deepEqual(after(chart, shown('b'), load(predictionOf('b'))).analyses, {});
  });

  it('clear the problem once the prediction is loaded', () => {
    const failed = after(start, known({ problem: new Error('away') }));
    assert.match(String(failed.problem), /away/);
    assert.deepEqual([after(failed, known({ problem: undefined })).problem, after(failed, load(predictionOf('a'))).problem], [undefined, undefined]); // prettier-ignore
  });

  it('ignore comparisons and scenarios without a forecast', () => {
    for (const step of [compare('open'), suppose('x')]) assert.deepEqual(after(start, step), start);
    const waiting = after(start, among([predictionOf('b')]));
    assert.equal(waiting.comparison, undefined);
    const { comparison } = after(waiting, load(predictionOf('a')));
    assert.deepEqual(comparison?.entries.map(({ key }) => key), ['a', 'b'], 'it waits for the forecast'); // prettier-ignore
  });
});

describe('comparison of forecasts', () => {
  const main = predictionOf('main', { ai_model_id: 'theta' });
  const open = after({ ...start, models }, load(main), compare('open'));
  const at = (time: number) => new Date(time).toISOString().slice(0, 10);
  const view = ({ comparison }: Chart) =>
    compareView(comparison!, { models, nameOf, at, frequency: parseDuration('P1D') });
  const labels = (chart: Chart) => view(chart).rows.map(({ label }) => label);
  const keyOf = (chart: Chart, label: string) =>
    chart.comparison!.entries.find((one) => (one.label ?? nameOf(one.named)) === label)!.key;
  const made = (chart: Chart, label: string, prediction: LocalPrediction, isScenario = false) =>
    after(chart, result(keyOf(chart, label), { prediction, isScenario }));
  const scored = (chart: Chart, label: string, error: number, origins = ['2024-01-05']) => {
    const folds = origins.map((cutoff) => ({ cutoff, scale: 1, points: [{ timestamp: cutoff, actual: 10, value: 10 + error, seasonal_naive: 9 }] })); // prettier-ignore
    const backtest: Backtest = { prediction_id: 'p', horizon: 1, folds };
    return after(chart, result(keyOf(chart, label), { backtest }));
  };
  const ets = predictionOf('made by ets', { ai_model_id: 'ets' });

  it('starts with the main forecast, and offers models and predictions', () => {
    const chart = after(open, ({ comparison, ...chart }) => ({
      ...chart,
      comparison: { ...comparison!, others: [predictionOf('old', { ai_model_id: 'ets' })] },
    }));
    const { rows, models: offered, predictions, most } = view(chart);
    assert.deepEqual(rows.map(({ id, label, isMain, state }) => [id, label, isMain, state]), [['main', 'THETA', true, 'done']]); // prettier-ignore
    assert.deepEqual(offered.map(({ id }) => id), ['ets', 'naive', 'hybrid', 'arima']); // prettier-ignore
    assert.deepEqual([predictions, most], [[{ id: 'old', label: 'ETS' }], 4]);
    assert.deepEqual(labels(after(chart, compare('add-prediction', 'old'), compare('add-prediction', 'of another series'))), ['THETA', 'ETS']); // prettier-ignore
  });

  it('adds a model at once, and its line and scores once they are computed', () => {
    const pending = after(open, compare('add-model', 'ets'));
    assert.deepEqual(view(pending).rows.map(({ label, state }) => [label, state]), [['THETA', 'done'], ['ETS', 'pending']]); // prettier-ignore
    const { rows, about } = view(scored(scored(made(pending, 'ETS', ets), 'THETA', 2), 'ETS', 1));
    assert.deepEqual(rows.map(({ id, scores, isBest }) => [id, scores?.mase, isBest]), [['main', 2, false], ['made by ets', 1, true]]); // prettier-ignore
    assert.equal(about, 'Backtest scores from the same points in the past (1), each 1 day ahead. MASE and sMAPE: lower is better.'); // prettier-ignore
    assert.equal(rows[1].total, '33 (±0%)');
  });

  it('reports backtests without a common cutoff', () => {
    const both = made(after(open, compare('add-model', 'ets')), 'ETS', ets);
    const { about, rows } = view(scored(scored(both, 'THETA', 2, ['2024-01-01']), 'ETS', 1));
    assert.match(about ?? '', /no time in the past from which/);
    assert.ok(rows.every(({ isBest }) => !isBest));
  });

  it('shows why a forecast or its backtest failed', () => {
    const pending = after(open, compare('add-model', 'ets'));
    const why = (label: string, sentence: string) => result(keyOf(pending, label), { sentence });
    const { rows } = view(after(pending, why('THETA', 'Too short.'), why('ETS', 'It needs 12 points.')));
    assert.deepEqual(rows.map(({ state, sentence }) => [state, sentence]), [['done', 'Too short.'], ['failed', 'It needs 12 points.']]); // prettier-ignore
  });

  it('has at most four entries, each once, which can be removed', () => {
    const full = after(open, ...['ets', 'ets', 'naive', 'hybrid', 'arima'].map((id) => compare('add-model', id)));
    assert.deepEqual(labels(full), ['THETA', 'ETS', 'NAIVE', 'HYBRID']);
    const two = made(full, 'ETS', ets);
    assert.deepEqual(labels(after(two, compare('remove', 'made by ets'))), ['THETA', 'NAIVE', 'HYBRID']);
  });

  it('keeps its entries and the former main one if another becomes the main one', () => {
    const two = made(after(open, compare('add-model', 'ets')), 'ETS', ets);
    const swapped = after(two, shown('made by ets'), load(ets));
    assert.deepEqual(view(swapped).rows.map(({ id, isMain }) => [id, isMain]), [['made by ets', true], ['main', false]]); // prettier-ignore
    const third = after(swapped, shown('new'), load(predictionOf('new', { ai_model_id: 'arima' })));
    assert.deepEqual(labels(third), ['ARIMA', 'ETS', 'THETA']);
    const full = after(open, ...['ets', 'naive', 'hybrid'].map((id) => compare('add-model', id)));
    assert.deepEqual(labels(after(full, shown('new'), load(predictionOf('new', { ai_model_id: 'arima' })))), ['ARIMA', 'ETS', 'NAIVE', 'HYBRID']); // prettier-ignore
  });

  it('makes its entries again if the main one has another horizon', () => {
    const line = (id: string, model: string, steps: number) => ({ ...predictionOf(id, { ai_model_id: model }), prediction_series: predictionOf(id).prediction_series!.slice(0, steps) }); // prettier-ignore
    const chart = made(after(open, compare('add-model', 'ets'), compare('add-model', 'naive')), 'ETS', ets);
    const now = after(chart, shown('m2'), load(line('m2', 'theta', 2)));
    assert.deepEqual(view(now).rows.map(({ label, state }) => [label, state]), [['THETA', 'done'], ['ETS', 'pending'], ['NAIVE', 'pending']]); // prettier-ignore
    const asked = now.comparison!.entries.flatMap(({ make }) => (make && 'from' in make ? [[make.from.id, make.change?.model, make.change?.horizon]] : [])); // prettier-ignore
    assert.deepEqual(asked, [['made by ets', 'ets', 2], ['m2', 'naive', 2]]); // prettier-ignore
  });

  it('keeps a scenario that is not made yet if the main one has another horizon', () => {
    const longer = { ...predictionOf('m2'), prediction_series: predictionOf('m2').prediction_series!.slice(0, 2) };
    const now = after(open, suppose('With promo', Date.UTC(2024, 0, 11)), shown('m2'), load(longer));
    const { make } = now.comparison!.entries[1];
    assert.ok(make && 'from' in make);
    assert.deepEqual([make.from.id, make.change?.horizon, make.other?.scenario], ['m2', 2, 'With promo']);
    assert.deepEqual(make.other?.series.at(-1)?.metadata, { covariates: { promo: 1 } });
  });

  it('ignores late results after it was closed, also if it is opened again', () => {
    const pending = after(open, compare('add-model', 'ets'));
    const late = result(keyOf(pending, 'ETS'), { prediction: ets, isScenario: false });
    assert.equal(after(pending, compare('close'), late).comparison, undefined);
    assert.deepEqual(labels(after(pending, compare('close'), compare('open'), late)), ['THETA']);
  });

  it('describes how a scenario differs, and replaces its last entry by it if it is full', () => {
    const full = after(open, ...['ets', 'naive', 'hybrid'].map((id) => compare('add-model', id)));
    const promo = suppose(' With promo ');
    const scenario = predictionOf('s1', { prediction_series: predictionOf('x').prediction_series!.map((point, step) => ({ ...point, value: 20 + step })) }); // prettier-ignore
    const one = made(after(full, promo), 'With promo', scenario, true);
    assert.deepEqual(labels(one), ['THETA', 'ETS', 'NAIVE', 'With promo']);
    assert.match(view(one).rows[3].difference ?? '', /^“With promo” is 30 higher than “THETA” over the 3 steps \(\+91%\), the largest at 2024-01-11: \+10\.$/); // prettier-ignore
    const opened = after(startOf(start.ref), load(main), promo, promo);
    const [, first, second] = opened.comparison!.entries;
    const both = after(opened, result(first.key, { prediction: scenario, isScenario: true }), result(second.key, { prediction: scenario, isScenario: true })); // prettier-ignore
    assert.equal(view(both).rows.length, 2, 'the same scenario once more is one line');
    const unnamed = after(open, suppose('  '));
    assert.deepEqual(labels(unnamed), ['THETA', 'promo 1 (steps: 1)']);
  });

  it('starts with the predictions that were chosen in the view', () => {
    const others = [predictionOf('a', { ai_model_id: 'ets' }), predictionOf('b', { ai_model_id: 'naive' })];
    const chart = after({ ...start, models }, load(main), among(others));
    assert.deepEqual(chart.comparison!.entries.map(({ named, make }) => [nameOf(named), make]), [['THETA', undefined], ['ETS', { id: 'a' }], ['NAIVE', { id: 'b' }]]); // prettier-ignore
  });

  it('distinguishes equal names by the start of the forecast, or else by its age', () => {
    const same = (id: string, days: number, created_at?: string) => predictionOf(id, { ai_model_id: 'theta', created_at }, days); // prettier-ignore
    const others = [same('a', 10, '2020-01-05T00:00:00Z'), same('b', 12)];
    const chart = after({ ...start, models }, load(main), among(others));
    const full = chart.comparison!.entries.slice(1).reduce((now, { key }, index) => after(now, result(key, { prediction: others[index], isScenario: false })), chart); // prettier-ignore
    assert.deepEqual(labels(full), ['THETA', 'THETA · 2020-01-05', 'THETA · from 2024-01-13']);
  });
});
