import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import type { LocalPrediction } from '../../../../../src/contract/local.ts';
import type { Session } from '../../../../../src/editor/connection/connection.ts';
import type { Memory } from '../../../../../src/editor/connection/memory.ts';
import type { ModelChoice } from '../../../../../src/editor/views/analysis/controls.ts';
import type { ChartDeeds } from '../../../../../src/editor/views/chart/deeds.ts';
import type { HostMessage, PredictionRef } from '../../../../../src/editor/views/chart/protocol.ts';
import { ChartWork } from '../../../../../src/editor/views/chart/work.ts';
import { ServiceError } from '../../../../../src/client/errors.ts';
import { COMMANDS } from '../../../../../src/editor/names.ts';
import type { ReadSeries } from '../../../../../src/reading/types.ts';
import { log, offering, settled, useWindow } from '../panels.ts';
import { until } from '../../until.ts';

const refOf = (predictionId: string, serviceId = 'local'): PredictionRef => ({ serviceId, predictionId });
const predictionOf = (id: string, horizon: number): LocalPrediction =>
  ({
    id,
    status: 'COMPLETED',
    ai_model_id: 'theta',
    prediction_series: Array.from({ length: horizon }, (_, day) => ({ timestamp: `2024-01-0${day + 1}`, value: day })),
  }) as LocalPrediction;

/** A chart that is turned by hand, at a service that answers what models it has when it is told to. */
function chart(former: readonly string[] = []) {
  let ref = refOf('b');
  let prediction: LocalPrediction | undefined;
  const posted: HostMessage[] = [];
  const turns: string[] = [];
  const waiting: (() => void)[] = [];
  const offers = { has: () => false, takes: () => true, rules: () => undefined };
  const session = { client: { capabilities: () => Promise.resolve(offers) }, info: { kind: 'local' } };
  const work = new ChartWork(
    {
      ref: () => ref,
      prediction: () => prediction,
      session: () => session as unknown as Session,
      isInUse: () => true,
      post: (message) => posted.push(message),
      turnTo: (to) => {
        turns.push(to.predictionId);
        turn(to);
      },
    },
    {
      memory: { recall: () => undefined } as unknown as Memory,
      deeds: {
        models: () => new Promise<ModelChoice[]>((resolve) => waiting.push(() => { resolve([]); })), // prettier-ignore
      } as unknown as ChartDeeds,
      log: { warn: assert.fail, error: assert.fail } as unknown as vscode.LogOutputChannel,
    },
    former,
  );
  function turn(to: PredictionRef) {
    work.turned(ref, to);
    ref = to;
    prediction = undefined;
  }
  const controls = () => posted.flatMap((message) => (message.type === 'controls' ? [message.controls] : []));
  return {
    work,
    turn,
    turns,
    controls,
    /** Its forecast is there; what can be done with it is not yet known. */
    show: async (now: LocalPrediction) => {
      prediction = now;
      const shown = work.show(now);
      await until(() => waiting.length, Boolean);
      return { shown, answer: waiting.splice(0)[0] };
    },
    posted,
  };
}

describe('work with the forecast of a chart', () => {
  it('tells nothing of a forecast once the chart has turned to another one', async () => {
    const { work, controls, show, turns } = chart(['a']);
    const { shown, answer } = await show(predictionOf('b', 5));
    work.receive({ type: 'back' });
    assert.deepEqual(turns, ['a']);
    answer();
    await shown;
    assert.deepEqual(controls(), [], 'these would be those of “b”');
    const next = await show(predictionOf('a', 3));
    next.answer();
    await next.shown;
    assert.deepEqual(controls().map((now) => [now?.horizon?.steps, now?.former]), [[3, []]]); // prettier-ignore
  });

  it('steps back through what was shown, at once for as often as it is asked, and no further', () => {
    const { work, turn, turns } = chart();
    for (const id of ['c', 'd']) turn(refOf(id));
    for (let time = 0; time < 4; time++) work.receive({ type: 'back' });
    assert.deepEqual(turns, ['c', 'b']);
  });

  it('keeps the last twenty steps, and none to another service', () => {
    const { work, turn, turns } = chart();
    for (let step = 0; step < 30; step++) turn(refOf(`p${step}`));
    for (let time = 0; time < 30; time++) work.receive({ type: 'back' });
    assert.deepEqual([turns.length, turns.at(-1)], [20, 'p9']);
    turn(refOf('r', 'https://remote.example'));
    work.receive({ type: 'back' });
    assert.equal(turns.length, 20);
  });

  it('asks for nothing while no forecast is there', () => {
    const { work, posted } = chart();
    work.receive({ type: 'change', change: { horizon: 3 } });
    work.receive({ type: 'look', look: 'parts' });
    work.receive({ type: 'suppose', name: 'more', cells: [{ column: 'promo', time: 0, value: 1 }] });
    work.receive({ type: 'compare', do: 'open' });
    work.hide();
    assert.deepEqual(posted, [{ type: 'controls' }]);
  });
});

describe('what a chart tells and does with its forecast', () => {
  const window = useWindow();
  const known = { promo: 1 };
  const given = (id: string): LocalPrediction => predictionWith(id, { input_series: [1, 2, 3, 4].map((day) => ({ timestamp: `2024-01-0${day}T00:00:00Z`, value: day < 4 ? day : undefined, metadata: { covariates: known } })) }); // prettier-ignore

  function make({ offers = ['getBacktest', 'getParts'] as readonly string[], isInUse = true, notes = {} as Record<string, object>, deeds = {} as object } = {}) {
    const posted: HostMessage[] = [];
    let prediction: LocalPrediction | undefined;
    const held: unknown[] = [];
    const client = { capabilities: () => Promise.resolve({ ...offering(...offers), rules: () => ({}), parameter: () => undefined }), listPredictions: () => Promise.resolve({ items: [] }) };
    const work = new ChartWork(
      {
        ref: () => refOf('b'),
        prediction: () => prediction,
        session: () => ({ client, info: { kind: 'remote' }, predictions: { watch: () => () => undefined } }) as unknown as Session,
        isInUse: () => isInUse,
        post: (message) => posted.push(message),
        turnTo: () => undefined,
      },
      {
        memory: { recall: (_: string, id: string) => notes[id], hold: (...what: unknown[]) => { held.push(what); return true; } } as unknown as Memory,
        deeds: { models: () => Promise.resolve([]), held: () => held.push('news'), withCalendar: (_: object, series: object) => Promise.resolve(series), ...deeds } as unknown as ChartDeeds,
        log: log(),
      },
      [],
    );
    const last = <K extends HostMessage['type']>(type: K) => posted.findLast((message): message is Extract<HostMessage, { type: K }> => message.type === type);
    const show = async (now: LocalPrediction) => {
      prediction = now;
      await work.show(now);
    };
    return { work, posted, last, show, held };
  } // prettier-ignore
  const predictionWith = (id: string, more: object = {}): LocalPrediction => ({ ...predictionOf(id, 3), ...more });

  it('offers the looks that its service has, and nothing where another one is in use', async () => {
    const { show, last } = make();
    await show(predictionWith('b'));
    assert.deepEqual(last('controls')?.controls?.looks, ['backtest', 'parts']);
    const other = make({ isInUse: false });
    await other.show(predictionWith('b'));
    assert.deepEqual(other.last('controls')?.controls, { canCompare: false, looks: [], former: [] });
  });

  it('changes a forecast with all that stays as it is, and says again what is shown', async () => {
    const asked: unknown[] = [];
    window().commands.registerCommand(COMMANDS.forecastAgain, (what: unknown) => void asked.push(what));
    const { work, show, posted } = make();
    await show(predictionWith('b'));
    const { length } = posted;
    work.receive({ type: 'change', change: { model: 'ets' } });
    await settled();
    assert.deepEqual(asked, [{ serviceId: 'local', predictionId: 'b', covariates: [], model: 'ets', horizon: 3, areColumnsChosen: false }]); // prettier-ignore
    assert.ok(
      posted.slice(length).some(({ type }) => type === 'controls'),
      'also where nothing came of it',
    );
    work.receive({ type: 'change', change: { covariates: ['promo'] } });
    await settled();
    assert.deepEqual((asked[1] as { covariates: unknown }).covariates, ['promo']);
  });

  it('tells a failure of a change', async () => {
    window().commands.registerCommand(COMMANDS.forecastAgain, () => Promise.reject(new ServiceError('refused', 'Two points are too few.'))); // prettier-ignore
    const { work, show } = make();
    await show(predictionWith('b'));
    work.receive({ type: 'change', change: { horizon: 9 } });
    await settled();
    assert.deepEqual(window().person.texts, ['Two points are too few.']);
  });

  it('makes a scenario under its name, or under one of what is supposed', async () => {
    const made: { name: string; series: readonly { value: unknown }[] }[] = [];
    const suppose = (_: object, __: object, scenario: (typeof made)[number]) => {
      made.push(scenario);
      return Promise.resolve(predictionWith('s'));
    };
    const { work, show, last } = make({ deeds: { suppose } });
    await show(given('b'));
    const cells = [{ column: 'promo', time: Date.UTC(2024, 0, 4), value: 0 }];
    work.receive({ type: 'suppose', name: ' No promo ', cells });
    await settled();
    work.receive({ type: 'suppose', name: '  ', cells });
    await settled();
    assert.deepEqual(made.map(({ name }) => name), ['No promo', 'promo 0 at 1 step']); // prettier-ignore
    assert.equal(made[0].series.length, 4);
    assert.ok(last('compared')?.compared?.rows.some(({ label }) => label === 'No promo'));
    work.receive({ type: 'suppose', name: 'nothing', cells: [] });
    assert.equal(made.length, 2);
  });

  it('holds the forecast against what has come in its file, which is news for its row', async () => {
    const { work, show, last, held } = make();
    await show(predictionWith('b', { input_series: [{ timestamp: '2023-12-31T00:00:00Z', value: 1 }] }));
    assert.equal(last('actuals')?.actuals, undefined);
    work.came({ times: Float64Array.of(Date.UTC(2023, 11, 31), Date.UTC(2024, 0, 1)), values: Float64Array.of(1, 5) } as unknown as ReadSeries); // prettier-ignore
    await settled();
    assert.match(last('actuals')?.actuals?.sentence ?? '', /^One observation has come since/);
    assert.ok(held.includes('news'));
  });

  it('goes on where the calendar of a file is not known', async () => {
    const { work, show } = make({ deeds: { withCalendar: () => Promise.reject(new Error('no calendar')) } });
    await show(predictionWith('b'));
    work.came({ times: new Float64Array(), values: new Float64Array() } as unknown as ReadSeries);
    await settled();
    assert.match(window().log.join(), /The calendar of b is not known: Error: no calendar/);
    assert.deepEqual(window().person.texts, []);
  });

  it('says in the log what is not known, and leaves the page as it is', async () => {
    const { show, posted } = make({ deeds: { models: () => Promise.reject(new Error('away')) } });
    await show(predictionWith('b'));
    assert.ok(!posted.some(({ type }) => type === 'controls'));
    assert.match(window().log.join(), /What can be changed of b is not known: Error: away/);
  });
});
