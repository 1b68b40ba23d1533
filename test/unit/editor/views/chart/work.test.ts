import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import type { LocalPrediction } from '../../../../../src/contract/local.ts';
import type { Session } from '../../../../../src/editor/connection/connection.ts';
import type { Memory } from '../../../../../src/editor/connection/memory.ts';
import type { ModelChoice } from '../../../../../src/editor/views/analysis/controls.ts';
import type { ChartDeeds } from '../../../../../src/editor/views/chart/deeds.ts';
import type { HostMessage, PredictionRef } from '../../../../../src/editor/views/chart/protocol.ts';
import { ChartWork } from '../../../../../src/editor/views/chart/work.ts';

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
      while (waiting.length === 0) await Promise.resolve();
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
