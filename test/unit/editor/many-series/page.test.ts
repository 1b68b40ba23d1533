import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { URI } from 'vscode-uri';
import type { Capabilities } from '../../../../src/client/capabilities.ts';
import { ServiceError } from '../../../../src/client/errors.ts';
import type { LocalPrediction } from '../../../../src/contract/resources.ts';
import type { App } from '../../../../src/editor/app.ts';
import { ManyPages } from '../../../../src/editor/many-series/page.ts';
import { rowOf, type SeriesRow } from '../../../../src/editor/many-series/protocol.ts';
import { type ManyState, SetRef } from '../../../../src/editor/many-series/protocol.ts';
import { act, deferred, log, offering, predictionOf, restoredPanel, Services, settled, stateOf, useWindow } from '../views/panels.ts'; // prettier-ignore

const ref: SetRef = { serviceId: 'local', label: 'stores.csv', datasetId: 'd1' };
const some = (from: number, count: number) => Array.from({ length: count }, (_, index) => predictionOf(`p${from + index}`)); // prettier-ignore

describe('pages of many forecasts', () => {
  const window = useWindow();

  /** Pages over a service with these predictions of a dataset, a page at a time; what else it is asked is noted. */
  function make(load: () => AsyncIterable<readonly LocalPrediction[]> = pages(some(0, 3))) {
    const asked: unknown[] = [];
    const reading = new Map<string, AsyncIterator<readonly LocalPrediction[]>>();
    const client = {
      capabilities: () => Promise.resolve(offering('createDataset', 'getPrediction') as unknown as Capabilities),
      listDatasetPredictions: async (id: string, { cursor }: { cursor?: string }) => {
        asked.push(id);
        const key = cursor ?? `${asked.length}`;
        const iterator = reading.get(key) ?? load()[Symbol.asyncIterator]();
        reading.set(key, iterator);
        const { value = [], done } = (await iterator.next()) as IteratorResult<readonly LocalPrediction[], undefined>;
        const next = done ? undefined : `${key}+`;
        if (next) reading.set(next, iterator);
        return { items: value, next, total: undefined, unreadable: [] };
      },
    };
    const services = new Services(client);
    const opened: string[] = [];
    const app = {
      connection: services.connection,
      log: log(),
      extensionUri: URI.file('/extension'),
      memory: { recall: () => undefined, note: () => Promise.resolve() },
      panels: { open: (_: unknown, { id }: LocalPrediction) => opened.push(id) },
    } as unknown as App;
    const all = new ManyPages(() => app);
    const show = (of: SetRef = ref, known?: readonly LocalPrediction[]) => {
      all.open(of, known);
      panel().says({ type: 'ready' });
    };
    return { pages: all, show, asked, opened, services };
  }
  const pages = (...all: (readonly LocalPrediction[])[]) => async function* () {
    for (const one of all) yield await Promise.resolve(one);
  }; // prettier-ignore
  const panel = (at = -1) => window().panels.at(at)!;
  const state = (at?: number) => stateOf<ManyState>(panel(at));
  const ids = (at?: number) => state(at).rows.map(({ id }) => id);

  it('show what is known at once, with the actions of their service', async () => {
    const { show, asked } = make();
    show(ref, some(0, 4100));
    await settled();
    assert.deepEqual([state().rows.length, state().isLoading, panel().title], [4100, false, 'Forecasts: stores.csv']);
    assert.ok(state().actions.includes('dataset'));
    assert.deepEqual(asked, [], 'nothing is to be read');
  });

  it('show the first forecasts as soon as they exist', async () => {
    const second = deferred<readonly LocalPrediction[]>();
    const { show } = make(async function* () {
      yield some(0, 2);
      yield await second.promise;
    });
    show();
    await settled();
    assert.deepEqual([ids(), state().isLoading], [['p0', 'p1'], true]);
    second.keep(some(2, 3));
    await settled();
    assert.deepEqual([ids().length, state().isLoading], [5, false]);
  });

  it('exist once for each dataset, under any name, and once for each file', async () => {
    const { show } = make();
    const of = (label: string, datasetId?: string): SetRef => ({ serviceId: 'local', label, ...(datasetId ? { datasetId } : { predictionIds: [] }) }); // prettier-ignore
    for (const [label, dataset, id] of [
      ['a', 'd1', 'p1'],
      ['renamed', 'd1', 'p2'],
      ['a', 'd2', 'p3'],
      ['file.csv', undefined, 'p4'],
      ['file.csv', undefined, 'p5'],
    ] as const)
      // prettier-ignore
      show(of(label, dataset), [predictionOf(id)]);
    for (const one of window().panels) one.says({ type: 'ready' });
    await settled();
    assert.deepEqual([window().panels.length, ids(0), ids(1), ids(2)], [3, ['p2'], ['p3'], ['p5']]);
    assert.equal(panel(0).title, 'Forecasts: renamed');
  });

  it('show the newest request despite late answers', async () => {
    const late = deferred<readonly LocalPrediction[]>();
    const { show } = make(async function* () {
      yield await late.promise;
    });
    show();
    await settled();
    show({ ...ref, label: 'renamed.csv' }, some(7, 1));
    await settled();
    late.keep(some(0, 50));
    await settled();
    assert.deepEqual(ids(), ['p7']);
  });

  it('explain a failed reading, and read again on request', async () => {
    let tries = 0;
    const { show } = make(async function* () {
      if (tries++ === 0) throw new ServiceError('unreachable', 'Nobody answers.');
      yield await Promise.resolve(some(0, 1));
    });
    show();
    await settled();
    assert.deepEqual([state().problem, state().isLoading], ['Nobody answers.', false]);
    act(panel(), { type: 'retry' });
    await settled();
    assert.deepEqual([state().problem, ids()], [null, ['p0']]);
  });

  it('name a service that does not exist any more', async () => {
    const { show } = make();
    show({ ...ref, serviceId: 'https://away.example' });
    await settled();
    assert.match(state().problem!, /https:\/\/away\.example is no longer set up\. Add that service/);
  });

  it('refresh while forecasts are unfinished, and not once closed', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      let reads = 0;
      const load = async function* () {
        const status = ++reads < 3 ? 'IN_PROGRESS' : 'COMPLETED';
        yield await Promise.resolve([predictionOf('p1', { status })]);
      };
      make(load).show();
      await settled();
      assert.equal(state().rows[0]?.state, 'in progress');
      for (let turn = 0; turn < 5; turn++) {
        mock.timers.tick(2000);
        await settled();
      }
      assert.deepEqual([reads, state().rows[0]?.state], [3, undefined]);
      panel().dispose();
      reads = 0;
      make(load).show();
      await settled();
      panel().dispose();
      mock.timers.tick(60_000);
      await settled();
      assert.equal(reads, 1);
    } finally {
      mock.timers.reset();
    }
  });

  it('open the chart of one of their forecasts and no other', async () => {
    const { show, opened } = make();
    show();
    await settled();
    for (const id of ['p1', 'gone']) act(panel(), { type: 'open', id });
    act(panel(), { type: 'do', action: 'format-disk', ids: ['p0'] });
    await settled();
    assert.deepEqual(opened, ['p1']);
  });

  it('are restored after a reload, once', async () => {
    const made = make();
    const restored = async (kept: unknown) => {
      const { panel: one, webview } = restoredPanel('forecasts.many');
      await made.pages.deserializeWebviewPanel(webview, kept);
      await settled();
      return one;
    };
    const back = await restored({ ref, view: { filter: 'north' } });
    assert.deepEqual([back.isDisposed, made.asked], [false, ['d1', 'd1']]);
    assert.equal((await restored({ ref })).isDisposed, true, 'opened anew before its tab came back');
    for (const kept of [undefined, 'text', { ref: { serviceId: 'local', label: 'a' } }, { ref: { ...ref, label: 1 } }])
      assert.equal((await restored(kept)).isDisposed, true, JSON.stringify(kept));
  });
});

describe('forecast as a row of the list', () => {
  it('has a sparkline of its series if the service sends none', () => {
    const row: SeriesRow = rowOf(predictionOf('p1'));
    assert.deepEqual([row.name, row.model, row.last, row.next, row.past?.at(-1)], ['series p1', 'theta', 9, 10, 9]);
  });

  it('has the service’s sparkline and the scores of its backtest', () => {
    const { input_series: _, prediction_series: __, ...bare } = predictionOf('p1');
    const details = { backtest: { smape: 4, skill: 0.1, coverage80: 0.9 } } as never;
    const row: SeriesRow = rowOf({
      ...bare,
      details,
      sparkline: { past: [1, 2, null], ahead: [3], lower: [2], upper: [4] },
    });
    assert.deepEqual(
      [row.last, row.next, row.error, row.skill, row.coverage],
      [2, 3, 4, '10% better than the seasonal naive baseline', 0.9],
    );
  });

  it('shows its status, or why it failed', () => {
    const stateAt = (status: string, error?: string) => {
      const row: SeriesRow = rowOf(predictionOf('p', { status, error }));
      return row.state;
    };
    assert.equal(stateAt('IN_PROGRESS'), 'in progress');
    assert.equal(stateAt('FAILED', 'it has 2 points'), 'failed: it has 2 points');
    assert.equal(stateAt('FAILED'), 'failed: no reason given');
    assert.equal(rowOf(predictionOf('p', { status: 'FAILED' })).hasFailed, true);
    assert.equal(rowOf({ id: 'p9', status: 'COMPLETED' }).name, 'p9', 'the id where it has no name');
  });
});
