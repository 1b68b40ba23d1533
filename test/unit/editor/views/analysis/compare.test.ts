import assert from 'node:assert/strict';
import { parseDuration } from '../../../../../src/calendar/duration.ts';
import { ServiceError } from '../../../../../src/client/errors.ts';
import type { Backtest } from '../../../../../src/contract/analysis.ts';
import type { LocalPrediction } from '../../../../../src/contract/local.ts';
import type { Session } from '../../../../../src/editor/connection/connection.ts';
import { Comparison, type CompareHost } from '../../../../../src/editor/views/analysis/compare.ts';
import type { CompareView } from '../../../../../src/editor/views/analysis/protocol.ts';
import { lineOf } from '../../../../../src/editor/views/chart/same-series.ts';
import { held, offering, predictionOf, settled, useWindow } from '../panels.ts';

const MODELS = ['theta', 'ets', 'naive', 'hybrid', 'arima'].map((id) => ({ id, label: id.toUpperCase(), isTuned: false })); // prettier-ignore
const backtestOf = (error: number, origins = ['2024-01-05']): Backtest => ({
  prediction_id: 'p',
  horizon: 1,
  folds: origins.map((origin) => ({ origin, scale: 1, points: [{ timestamp: origin, actual: 10, value: 10 + error, seasonal_naive: 9 }] })),
}); // prettier-ignore

describe('forecasts that lie over each other', () => {
  useWindow();

  function make(more: Partial<CompareHost> & { readonly backtests?: Record<string, Backtest>; readonly stored?: readonly LocalPrediction[] } = {}) {
    const { backtests = {}, stored = [], ...host } = more;
    const views: (CompareView | undefined)[] = [];
    const signals: AbortSignal[] = [];
    const problems: unknown[] = [];
    const client = {
      capabilities: () => Promise.resolve(offering('getPrediction', 'getBacktest')),
      getPrediction: (id: string) => {
        const found = stored.find((one) => one.id === id);
        return found ? Promise.resolve(found) : Promise.reject(new ServiceError('not-found', 'It is gone.', { status: 404 }));
      },
      getBacktest: (id: string) => id in backtests ? Promise.resolve(backtests[id]) : Promise.reject(new ServiceError('refused', 'Too short to be tested.')),
    };
    const comparison = new Comparison({
      session: () => ({ client, predictions: { watch: () => () => undefined } }) as unknown as Session,
      models: () => MODELS,
      beside: (_, { model }, signal) => {
        signals.push(signal);
        return Promise.resolve(predictionOf(`made by ${model}`, { ai_model_id: model }));
      },
      others: () => Promise.resolve(stored),
      nameOf: ({ ai_model_id: model = '', id }) => (id.startsWith('scenario') ? id : model.toUpperCase()),
      lineOf,
      isScenario: ({ id }) => id.startsWith('scenario'),
      at: (time) => new Date(time).toISOString().slice(0, 10),
      save: () => undefined,
      frequency: () => parseDuration('P1D'),
      show: (view) => views.push(view),
      makeMain: () => undefined,
      log: (problem) => problems.push(problem),
      ...host,
    });
    const view = () => views.at(-1);
    const rows = () => view()?.rows ?? [];
    return { comparison, view, rows, views, signals, problems };
  } // prettier-ignore
  const main = predictionOf('main', { ai_model_id: 'theta' });

  it('begin with the main one, and offer what else there is', async () => {
    const { comparison, view, rows } = make({ stored: [predictionOf('old', { ai_model_id: 'ets' })] });
    comparison.receive({ type: 'compare', do: 'open' }, main);
    await settled();
    assert.deepEqual(rows().map(({ id, label, isMain, state }) => [id, label, isMain, state]), [['main', 'THETA', true, 'done']]); // prettier-ignore
    assert.deepEqual(view()?.models.map(({ id }) => id), ['ets', 'naive', 'hybrid', 'arima']); // prettier-ignore
    assert.deepEqual(view()?.predictions, [{ id: 'old', label: 'ETS' }]);
  });

  it('take another model in: named at once, drawn and scored when it is there', async () => {
    const made = held<LocalPrediction>();
    const { comparison, rows, view } = make({ beside: () => made.promise, backtests: { main: backtestOf(2), ets1: backtestOf(1) } }); // prettier-ignore
    comparison.receive({ type: 'compare', do: 'open' }, main);
    comparison.receive({ type: 'compare', do: 'add-model', id: 'ets' }, main);
    assert.deepEqual(rows().map(({ label, state }) => [label, state]), [['THETA', 'done'], ['ETS', 'pending']]); // prettier-ignore
    made.keep(predictionOf('ets1', { ai_model_id: 'ets' }));
    await settled();
    assert.deepEqual(rows().map(({ id, scores, isBest }) => [id, scores?.mase, isBest]), [['main', 2, false], ['ets1', 1, true]]); // prettier-ignore
    assert.equal(view()?.about, 'Scores of forecasts made again at one time in the past, 1 day ahead. MASE and sMAPE: lower is better.'); // prettier-ignore
    assert.equal(rows()[1].total, '33 (±0 %)');
  });

  it('say so where they have no time in common at which they could be compared', async () => {
    const { comparison, view, rows } = make({ backtests: { main: backtestOf(2, ['2024-01-01']), 'made by ets': backtestOf(1) } }); // prettier-ignore
    comparison.receive({ type: 'compare', do: 'open' }, main);
    comparison.receive({ type: 'compare', do: 'add-model', id: 'ets' }, main);
    await settled();
    assert.match(view()?.about ?? '', /no time in the past in common/);
    assert.ok(rows().every(({ isBest }) => !isBest));
  });

  it('keep a forecast that could not be tested, and say of one that could not be made why', async () => {
    const { comparison, rows, problems } = make({ beside: (_, { model }) => (model === 'ets' ? Promise.reject(new Error('ETS needs 12 points.')) : Promise.resolve(predictionOf('n1', { status: 'FAILED', error: 'No naive today.' }))) }); // prettier-ignore
    comparison.receive({ type: 'compare', do: 'open' }, main);
    comparison.receive({ type: 'compare', do: 'add-model', id: 'ets' }, main);
    comparison.receive({ type: 'compare', do: 'add-model', id: 'naive' }, main);
    await settled();
    assert.deepEqual(rows().map(({ state, sentence }) => [state, sentence]), [['done', 'Too short to be tested.'], ['failed', 'ETS needs 12 points.'], ['failed', 'No naive today.']]); // prettier-ignore
    assert.equal(problems.length, 3);
  });

  it('are four at most, each once', async () => {
    const { comparison, rows } = make();
    comparison.receive({ type: 'compare', do: 'open' }, main);
    for (const id of ['ets', 'ets', 'naive', 'hybrid', 'arima']) comparison.receive({ type: 'compare', do: 'add-model', id }, main); // prettier-ignore
    await settled();
    assert.deepEqual(rows().map(({ label }) => label), ['THETA', 'ETS', 'NAIVE', 'HYBRID']); // prettier-ignore
  });

  it('take stored ones in, and none that is not of the series or gone', async () => {
    const old = predictionOf('old', { ai_model_id: 'ets' });
    const { comparison, rows } = make({ others: () => Promise.resolve([old, predictionOf('gone', { ai_model_id: 'naive' })]), stored: [old] }); // prettier-ignore
    comparison.receive({ type: 'compare', do: 'open' }, main);
    await settled();
    for (const id of ['old', 'gone', 'of another series']) comparison.receive({ type: 'compare', do: 'add-prediction', id }, main); // prettier-ignore
    await settled();
    assert.deepEqual(rows().map(({ id, state }) => [id, state]), [['main', 'done'], ['old', 'done'], ['gone', 'failed']]); // prettier-ignore
  });

  it('are taken away, made the main one, and saved as they lie there', async () => {
    const mains: string[] = [];
    const saved: string[][] = [];
    const { comparison, rows } = make({ makeMain: ({ id }) => mains.push(id), save: (all) => saved.push(all.map(({ label }) => label)) }); // prettier-ignore
    comparison.receive({ type: 'compare', do: 'open' }, main);
    comparison.receive({ type: 'compare', do: 'add-model', id: 'ets' }, main);
    comparison.receive({ type: 'compare', do: 'add-model', id: 'naive' }, main);
    await settled();
    comparison.receive({ type: 'compare', do: 'main', id: 'made by ets' }, main);
    comparison.receive({ type: 'compare', do: 'main', id: 'nothing' }, main);
    comparison.receive({ type: 'compare', do: 'save' }, main);
    comparison.receive({ type: 'compare', do: 'remove', id: 'made by ets' }, main);
    assert.deepEqual(mains, ['made by ets']);
    assert.deepEqual(saved, [['THETA', 'ETS', 'NAIVE']]);
    assert.deepEqual(rows().map(({ id }) => id), ['main', 'made by naive']); // prettier-ignore
  });

  it('stay where another one becomes the main line, with the former one among them', async () => {
    const { comparison, rows } = make();
    comparison.receive({ type: 'compare', do: 'open' }, main);
    comparison.receive({ type: 'compare', do: 'add-model', id: 'ets' }, main);
    await settled();
    comparison.turnTo(predictionOf('made by ets', { ai_model_id: 'ets' }));
    assert.deepEqual(rows().map(({ id, isMain }) => [id, isMain]), [['made by ets', true], ['main', false]]); // prettier-ignore
    comparison.turnTo(predictionOf('new', { ai_model_id: 'arima' }));
    await settled();
    assert.deepEqual(rows().map(({ id, isMain }) => [id, isMain]), [['new', true], ['made by ets', false], ['main', false]]); // prettier-ignore
  });

  it('are made again where the main line goes as far as another horizon, each with its score, and none is lost', async () => {
    const line = (id: string, model: string, steps: number) => {
      const { prediction_series: [first] = [], ...rest } = predictionOf(id, { ai_model_id: model });
      const at = (step: number) => ({ ...first!, timestamp: new Date(Date.UTC(2024, 1, 1 + step)).toISOString() });
      return { ...rest, prediction_series: Array.from({ length: steps }, (_, step) => at(step)) };
    };
    const asked: unknown[] = [];
    const tested = Object.fromEntries(['m2', 'ets 2', 'naive 2', 'scenario 2'].map((id, i) => [id, backtestOf(i + 1)]));
    const { comparison, rows } = make({
      backtests: tested,
      beside: ({ id }, { model = '', horizon = 1 }) => {
        asked.push([id, model, horizon]);
        return Promise.resolve(
          line(`${id.startsWith('scenario') ? 'scenario' : model} ${String(horizon)}`, model, horizon),
        );
      },
    });
    const one = line('m1', 'theta', 1);
    comparison.receive({ type: 'compare', do: 'open' }, one);
    for (const id of ['ets', 'naive']) comparison.receive({ type: 'compare', do: 'add-model', id }, one);
    comparison.addScenario('scenario of rain', one, () => Promise.resolve(line('scenario 1', 'theta', 1)));
    await settled();
    asked.length = 0;
    comparison.turnTo(line('m2', 'theta', 2));
    assert.deepEqual(rows().map(({ label, state }) => [label, state]), [['THETA', 'done'], ['ETS', 'pending'], ['NAIVE', 'pending'], ['scenario of rain', 'pending']]); // prettier-ignore
    await settled();
    assert.deepEqual(asked, [['ets 1', 'ets', 2], ['naive 1', 'naive', 2], ['scenario 1', 'theta', 2]]); // prettier-ignore
    assert.deepEqual(rows().map(({ id, line: drawn, scores }) => [id, drawn?.times.length, scores?.mase]), [['m2', 2, 1], ['ets 2', 2, 2], ['naive 2', 2, 3], ['scenario 2', 2, undefined]]); // prettier-ignore
  });

  it('lose none of what lies beside the main line where another one becomes it and there is no room', async () => {
    const { comparison, rows } = make();
    comparison.receive({ type: 'compare', do: 'open' }, main);
    for (const id of ['ets', 'naive', 'hybrid']) comparison.receive({ type: 'compare', do: 'add-model', id }, main);
    await settled();
    comparison.turnTo(predictionOf('other', { ai_model_id: 'arima' }));
    await settled();
    assert.deepEqual(rows().map(({ label }) => label), ['ARIMA', 'ETS', 'NAIVE', 'HYBRID']); // prettier-ignore
  });

  it('that are closed end what is still made, and show nothing that comes late', async () => {
    const made = held<LocalPrediction>();
    const signals: AbortSignal[] = [];
    const { comparison, views, view } = make({ beside: (_, __, signal) => { signals.push(signal); return made.promise; } }); // prettier-ignore
    comparison.receive({ type: 'compare', do: 'open' }, main);
    comparison.receive({ type: 'compare', do: 'add-model', id: 'ets' }, main);
    await settled();
    comparison.receive({ type: 'compare', do: 'close' }, main);
    assert.deepEqual([view(), signals[0].aborted, comparison.isOpen], [undefined, true, false]);
    const { length } = views;
    made.keep(predictionOf('late'));
    await settled();
    comparison.turnTo(predictionOf('other'));
    assert.equal(views.length, length);
  });

  it('show nothing of a comparison before, where one is opened anew at once', async () => {
    const made = held<LocalPrediction>();
    const { comparison, rows } = make({ beside: () => made.promise });
    comparison.receive({ type: 'compare', do: 'open' }, main);
    comparison.receive({ type: 'compare', do: 'add-model', id: 'ets' }, main);
    comparison.receive({ type: 'compare', do: 'close' }, main);
    comparison.receive({ type: 'compare', do: 'open' }, main);
    made.keep(predictionOf('late', { ai_model_id: 'ets' }));
    await settled();
    assert.deepEqual(rows().map(({ id }) => id), ['main']); // prettier-ignore
  });

  it('tell in words how a scenario differs, and do not test it: its past is that of the main line', async () => {
    const { comparison, rows } = make({ backtests: { main: backtestOf(2) } });
    const scenario = predictionOf('scenario 1', { prediction_series: [0, 1, 2].map((step) => ({ timestamp: new Date(Date.UTC(2024, 0, 11 + step)).toISOString(), value: 20 + step })) }); // prettier-ignore
    comparison.addScenario('With promo', main, () => Promise.resolve(scenario));
    await settled();
    assert.deepEqual(rows().map(({ label, scores }) => [label, scores?.mase]), [['THETA', 2], ['With promo', undefined]]); // prettier-ignore
    assert.match(rows()[1].difference ?? '', /^“With promo” is 30 higher than “THETA” over the 3 steps \(\+91 %\), the most at 2024-01-11: \+10\.$/); // prettier-ignore
    comparison.addScenario('With promo', main, () => Promise.resolve(scenario));
    await settled();
    assert.equal(rows().length, 2, 'the same scenario once more is one line');
  });

  it('have room for a scenario in the place of the last one', async () => {
    const { comparison, rows } = make();
    comparison.receive({ type: 'compare', do: 'open' }, main);
    for (const id of ['ets', 'naive', 'hybrid']) comparison.receive({ type: 'compare', do: 'add-model', id }, main);
    await settled();
    comparison.addScenario('With promo', main, () => Promise.resolve(predictionOf('scenario 1')));
    await settled();
    assert.deepEqual(rows().map(({ label }) => label), ['THETA', 'ETS', 'NAIVE', 'With promo']); // prettier-ignore
  });

  it('lie there at once where they were chosen in the side bar', async () => {
    const stored = [predictionOf('a', { ai_model_id: 'ets' }), predictionOf('b', { ai_model_id: 'naive' })];
    const { comparison, rows } = make({ stored });
    comparison.openWith(main, stored);
    await settled();
    assert.deepEqual(rows().map(({ id, state }) => [id, state]), [['main', 'done'], ['a', 'done'], ['b', 'done']]); // prettier-ignore
  });

  it('go on where other forecasts of the series cannot be listed', async () => {
    const { comparison, view, problems } = make({ others: () => Promise.reject(new Error('away')) });
    comparison.receive({ type: 'compare', do: 'open' }, main);
    await settled();
    assert.equal(view()?.predictions.length, 0);
    assert.ok(problems.some((problem) => String(problem).includes('away')));
  });
});
