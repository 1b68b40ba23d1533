import assert from 'node:assert/strict';
import { parseDuration } from '../../../../../src/calendar/duration.ts';
import type { OddPoints, Parts } from '../../../../../src/contract/analysis.ts';
import type { LocalPrediction } from '../../../../../src/contract/local.ts';
import type { Session } from '../../../../../src/editor/connection/connection.ts';
import { Looks } from '../../../../../src/editor/views/analysis/looks.ts';
import type { WorkHostMessage } from '../../../../../src/editor/views/analysis/protocol.ts';
import { held, predictionOf, settled, useWindow } from '../panels.ts';

const odd = (rarity = 1000, ...times: string[]): OddPoints => ({ rarity, judged: 10, points: times.map((timestamp) => ({ timestamp, value: 30, expected: 3, scale: 5, rarity: 4000, sign: 'spike' })) }); // prettier-ignore
const parts: Parts = { prediction_id: 'p1', timestamps: [], forecast_from: 0, parts: [] };

describe('what a service tells of a forecast besides itself', () => {
  const window = useWindow();

  function make({ client = {}, kind = 'local', canMark = true }: { client?: object; kind?: string; canMark?: boolean } = {}) {
    const posted: Extract<WorkHostMessage, { type: 'seen' }>[] = [];
    const asked: number[] = [];
    const done: unknown[] = [];
    const session = {
      info: { kind },
      client: {
        findOddPoints: ({ rarity }: { rarity: number }) => {
          asked.push(rarity);
          return Promise.resolve(odd(rarity, '2024-01-04T00:00:00Z'));
        },
        getParts: () => Promise.resolve(parts),
        getBacktest: () => Promise.resolve({ prediction_id: 'p1', horizon: 1, folds: [] }),
        ...client,
      },
    };
    const looks = new Looks({
      session: () => session as unknown as Session,
      isInUse: () => true,
      frequency: () => parseDuration('P1D'),
      post: (message) => void (message.type === 'seen' && posted.push(message)),
      canMark: () => canMark,
      leaveOut: ({ id }, times) => Promise.resolve(void done.push(['without', id, [...times]])),
      mark: (points) => Promise.resolve(void done.push(['mark', points.length])),
    });
    const last = () => posted.at(-1);
    return { looks, posted, asked, done, last };
  } // prettier-ignore
  const prediction = predictionOf('p1');

  it('is told of the forecast that it was asked for', async () => {
    const { looks, posted } = make();
    for (const look of ['backtest', 'parts', 'odd'] as const) await looks.show(prediction, look);
    assert.deepEqual(posted.map(({ predictionId, seen }) => [predictionId, seen.look, 'view' in seen]), [['p1', 'backtest', true], ['p1', 'parts', true], ['p1', 'odd', true]]); // prettier-ignore
  });

  it('is the newest that was asked for, whatever comes late', async () => {
    const answers = [held<OddPoints>(), held<OddPoints>()];
    let count = 0;
    const { looks, posted } = make({ client: { findOddPoints: () => answers[count++].promise } });
    const both = [looks.show(prediction, 'odd', 100), looks.show(prediction, 'odd', 10_000)];
    answers[1].keep(odd(10_000));
    answers[0].keep(odd(100));
    await Promise.all(both);
    assert.deepEqual(posted.map(({ seen }) => seen.look === 'odd' && 'view' in seen && seen.view.rarity), [10_000]); // prettier-ignore
  });

  it('of one tab does not end what another one asks for', async () => {
    const slow = held<Parts>();
    const { looks, posted } = make({ client: { getParts: () => slow.promise } });
    const first = looks.show(prediction, 'parts');
    await looks.show(prediction, 'backtest');
    slow.keep(parts);
    await first;
    assert.deepEqual(posted.map(({ seen }) => seen.look), ['backtest', 'parts']); // prettier-ignore
  });

  it('says why it cannot be told, in its tab', async () => {
    const { looks, last } = make({
      client: { getParts: () => Promise.reject(new Error('Two points have no parts.')) },
    });
    await looks.show(prediction, 'parts');
    assert.deepEqual(last()?.seen, { look: 'parts', problem: 'Two points have no parts.' });
  });

  it('is not told to a panel that is closed', async () => {
    for (const end of ['keep', 'fail'] as const) {
      const slow = held<Parts>();
      const { looks, posted } = make({ client: { getParts: () => slow.promise } });
      const asking = looks.show(prediction, 'parts');
      looks.dispose();
      slow[end](parts);
      await asking;
      assert.deepEqual(posted, [], end);
    }
  });

  it('marks what is odd unasked, once, as rare as the settings say', async () => {
    const { looks, asked } = make();
    window().setSetting('forecasts.markOddPoints', 100);
    await looks.mark(prediction);
    await looks.mark(prediction);
    assert.deepEqual(asked, [100]);
    await looks.show(prediction, 'odd', 10_000);
    await looks.mark(predictionOf('p2'));
    assert.deepEqual(asked, [100, 10_000, 100]);
  });

  it('marks nothing unasked where that is switched off, far away, or takes its time', async () => {
    const off = make();
    window().setSetting('forecasts.markOddPoints', 0);
    await off.looks.mark(prediction);
    await off.looks.show(prediction, 'odd');
    assert.deepEqual(off.asked, [1000], 'asked for, it is as rare as usual');
    window().setSetting('forecasts.markOddPoints', undefined);
    const away = make({ kind: 'remote' });
    await away.looks.mark(prediction);
    await away.looks.mark({ id: 'p', status: 'COMPLETED' });
    const long = make();
    const point = prediction.input_series![0];
    await long.looks.mark({ ...prediction, input_series: Array<typeof point>(20_001).fill(point) });
    assert.deepEqual([away.asked, long.asked], [[], []]);
  });

  it('does with odd points what is asked, with those of this forecast only', async () => {
    const { looks, done, last } = make({ canMark: false });
    await looks.act(prediction, 'mark');
    assert.deepEqual(done, [], 'nothing was found yet');
    await looks.show(prediction, 'odd');
    const seen = last()?.seen;
    assert.ok(seen?.look === 'odd' && 'view' in seen);
    assert.deepEqual([seen.view.canMark, seen.view.canLeaveOut], [false, true]);
    await looks.act(predictionOf('p2'), 'leave-out');
    assert.deepEqual(done, []);
    await looks.act(prediction, 'leave-out');
    await looks.act(prediction, 'mark');
    assert.deepEqual(done, [['without', 'p1', [Date.UTC(2024, 0, 4)]], ['mark', 1]]); // prettier-ignore
    await settled();
  });

  it('of a forecast without its series is asked for with none', async () => {
    const { looks, last } = make();
    await looks.show({ id: 'p3', status: 'COMPLETED' } as LocalPrediction, 'odd');
    assert.equal(last()?.predictionId, 'p3');
  });
});
