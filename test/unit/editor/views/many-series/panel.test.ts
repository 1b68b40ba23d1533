import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { URI } from 'vscode-uri';
import { ServiceError } from '../../../../../src/client/errors.ts';
import type { LocalPrediction } from '../../../../../src/contract/local.ts';
import { type ManyDeeds, ManyPanel } from '../../../../../src/editor/views/many-series/panel.ts';
import type { HostMessage, SetRef } from '../../../../../src/editor/views/many-series/protocol.ts';
import { Services, held, log, offering, predictionOf, restoredPanel, settled, useWindow } from '../panels.ts';

const ref: SetRef = { serviceId: 'local', label: 'stores.csv', datasetId: 'd1' };
const some = (from: number, count: number) => Array.from({ length: count }, (_, index) => predictionOf(`p${from + index}`)); // prettier-ignore

const neverLoad: ManyDeeds['load'] = () => assert.fail('nothing is to be read');

describe('the panel of many forecasts', () => {
  const window = useWindow();

  function open(
    deeds: Partial<ManyDeeds> = {},
    known?: readonly LocalPrediction[],
    client: object = { capabilities: () => Promise.resolve(offering('createDataset', 'getPrediction')) },
  ) {
    const services = new Services(client);
    const { panel, webview } = restoredPanel('forecasts.many');
    const all: ManyDeeds = {
      load: pages([]),
      open: () => Promise.resolve(),
      do: () => Promise.resolve(undefined),
      ...deeds,
    };
    const many = new ManyPanel(ref, webview, { extensionUri: URI.file('/extension'), connection: services.connection, log: log(), deeds: all }, known); // prettier-ignore
    const posted = () => panel.posted as HostMessage[];
    const heads = () => posted().filter((message) => message.type === 'head');
    const rows = () => posted().filter((message) => message.type === 'rows');
    return { many, panel, services, heads, rows, head: () => heads().at(-1)!, posted };
  }
  const pages = (...all: (readonly LocalPrediction[])[]): ManyDeeds['load'] => async function* () {
    for (const one of all) yield await Promise.resolve(one);
  }; // prettier-ignore

  it('shows what is known at once, a few thousand rows in a message', async () => {
    const { rows, head } = open({ load: neverLoad }, some(0, 4100));
    await settled();
    assert.deepEqual(rows().map((one) => [one.rows.length, one.isFirst, one.isLast]), [[2000, true, false], [2000, false, false], [100, false, true]]); // prettier-ignore
    assert.deepEqual([head().isLoading, head().title], [false, 'stores.csv']);
    assert.ok(head().deeds.includes('dataset'));
  });

  it('says that there is nothing, where there is nothing', async () => {
    const { rows, head } = open({ load: pages([]) });
    await settled();
    assert.deepEqual(rows().at(-1), { type: 'rows', rows: [], isFirst: true, isLast: true });
    assert.equal(head().isLoading, false);
  });

  it('offers no dataset where its service makes none', async () => {
    const { head } = open({}, some(0, 1), { capabilities: () => Promise.resolve(offering('getPrediction')) });
    await settled();
    assert.deepEqual(head().deeds, ['again', 'save-csv', 'save-json', 'save-xlsx', 'tune']);
  });

  it('shows the first ones as soon as they are there', async () => {
    const second = held<readonly LocalPrediction[]>();
    const load: ManyDeeds['load'] = async function* () {
      yield some(0, 2);
      yield await second.promise;
    };
    const { rows, head } = open({ load });
    await settled();
    assert.deepEqual([rows().length, rows()[0]!.rows.length, head().isLoading], [1, 2, true]);
    second.keep(some(2, 3));
    await settled();
    assert.deepEqual(rows().slice(1).map((one) => [one.rows.length, one.isFirst, one.isLast]), [[3, false, false], [5, true, true]]); // prettier-ignore
  });

  it('is of the newest that it was told to show, whatever comes late', async () => {
    const late = held<readonly LocalPrediction[]>();
    const load: ManyDeeds['load'] = async function* () {
      yield await late.promise;
    };
    const { many, rows, posted } = open({ load });
    await settled();
    const other = { ...ref, label: 'renamed.csv' };
    many.show(other, some(7, 1));
    await settled();
    const count = posted().length;
    late.keep(some(0, 50));
    await settled();
    assert.equal(posted().length, count, 'nothing of the former ones');
    assert.deepEqual(rows().at(-1)?.rows.map(({ id }) => id), ['p7']); // prettier-ignore
    assert.equal(many.ref, other);
  });

  it('says why they cannot be read, and reads them again when told to', async () => {
    let tries = 0;
    const load: ManyDeeds['load'] = async function* () {
      if (tries++ === 0) throw new ServiceError('unreachable', 'Nobody answers.');
      yield await Promise.resolve(some(0, 1));
    };
    const { panel, head, rows } = open({ load });
    await settled();
    assert.deepEqual([head().problem, head().actions, head().isLoading], ['Nobody answers.', [{ id: 'retry', label: 'Try Again' }], false]); // prettier-ignore
    assert.match(window().log.join('\n'), /warn Forecasts of stores\.csv: .*Nobody answers/);
    panel.says({ type: 'action', id: 'retry' });
    await settled();
    assert.deepEqual([head().problem, rows().at(-1)?.rows.length], [undefined, 1]);
    panel.says({ type: 'action', id: 'another' });
    await settled();
    assert.equal(tries, 2);
  });

  it('says of which service they are where that is not set up any more', async () => {
    const services = new Services({});
    services.sessions.clear();
    const { panel, webview } = restoredPanel('forecasts.many');
    const deeds = { load: neverLoad, open: assert.fail, do: assert.fail } as unknown as ManyDeeds;
    new ManyPanel({ ...ref, serviceId: 'https://away.example' }, webview, { extensionUri: URI.file('/x'), connection: services.connection, log: log(), deeds }, undefined); // prettier-ignore
    await settled();
    assert.match(JSON.stringify(panel.posted.at(-1)), /from https:\/\/away\.example, which is not set up any more\. Add that service/); // prettier-ignore
  });

  it('looks again while some are not done, and no more once it is closed', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      let reads = 0;
      const status = () => (reads < 3 ? 'IN_PROGRESS' : 'COMPLETED');
      const load: ManyDeeds['load'] = async function* () {
        reads++;
        yield await Promise.resolve([predictionOf('p1', { status: status() })]);
      };
      const { rows, panel } = open({ load });
      await settled();
      for (let turn = 0; turn < 5; turn++) {
        mock.timers.tick(2000);
        await settled();
      }
      assert.equal(reads, 3);
      assert.deepEqual([rows()[0]!.rows[0]!.state, rows().at(-1)!.rows[0]!.state], ['in progress', undefined]);
      reads = 0;
      const other = open({ load });
      await settled();
      other.panel.dispose();
      mock.timers.tick(60_000);
      await settled();
      assert.equal(reads, 1);
      panel.dispose();
    } finally {
      mock.timers.reset();
    }
  });

  it('shows all again to a page that was hidden, and keeps still about rows while they are read', async () => {
    const first = held<readonly LocalPrediction[]>();
    const { panel, rows, heads } = open({ load: async function* () { yield await first.promise; } }); // prettier-ignore
    await settled();
    const before = heads().length;
    panel.says({ type: 'ready' });
    assert.deepEqual([heads().length, rows().length], [before + 1, 0]);
    first.keep(some(0, 2));
    await settled();
    const count = rows().length;
    panel.says({ type: 'ready' });
    await settled();
    assert.deepEqual(rows().slice(count).map((one) => one.rows.length), [2]); // prettier-ignore
  });

  it('opens the chart that is asked for, and none that it does not have', async () => {
    const opened: string[] = [];
    const { panel } = open({ open: (_, { id }) => Promise.resolve(void opened.push(id)) }, some(0, 3));
    await settled();
    panel.says({ type: 'open', id: 'p1' });
    panel.says({ type: 'open', id: 'gone' });
    assert.deepEqual(opened, ['p1']);
  });

  it('does what is asked with those that are meant, and knows whether these are all', async () => {
    const done: unknown[] = [];
    const { panel } = open({ do: (deed, of, chosen, isAll) => Promise.resolve(void done.push([deed, of.label, chosen.map(({ id }) => id), isAll])) }, some(0, 3)); // prettier-ignore
    await settled();
    panel.says({ type: 'deed', deed: 'save-csv', ids: ['p2', 'gone', 'p0'] });
    panel.says({ type: 'deed', deed: 'tune', ids: ['p0', 'p1', 'p2'] });
    panel.says({ type: 'deed', deed: 'again', ids: [] });
    panel.says({ type: 'deed', deed: 'format-disk', ids: ['p0'] });
    await settled();
    assert.deepEqual(done, [['save-csv', 'stores.csv', ['p0', 'p2'], false], ['tune', 'stores.csv', ['p0', 'p1', 'p2'], true]]); // prettier-ignore
  });

  it('shows the new forecasts where it was told to forecast again', async () => {
    const next = { serviceId: 'local', label: 'stores.csv', predictionIds: ['n1'] };
    const asked: SetRef[] = [];
    const load: ManyDeeds['load'] = async function* (of) {
      asked.push(of);
      yield await Promise.resolve([predictionOf('n1')]);
    };
    const { panel, rows, head } = open({ do: () => Promise.resolve(next), load }, some(0, 3));
    await settled();
    panel.says({ type: 'deed', deed: 'again', ids: ['p0'] });
    await settled();
    assert.deepEqual([asked, head().ref], [[next], next]);
    assert.deepEqual(rows().at(-1)?.rows.map(({ id }) => id), ['n1']); // prettier-ignore
  });

  it('that is closed while something is done reads nothing afterwards, and the log has no fault', async () => {
    const doing = held<SetRef | undefined>();
    const { panel } = open({ do: () => doing.promise, load: neverLoad }, some(0, 2));
    await settled();
    panel.says({ type: 'deed', deed: 'again', ids: ['p0'] });
    panel.dispose();
    doing.keep({ serviceId: 'local', label: 'stores.csv', predictionIds: ['n1'] });
    await settled();
    assert.deepEqual(window().log, []);
  });

  it('has a failure of what it does in the log, and goes on', async () => {
    const { panel, head } = open({ do: () => Promise.reject(new Error('no room on the disk')) }, some(0, 2));
    await settled();
    panel.says({ type: 'deed', deed: 'save-csv', ids: ['p0'] });
    await settled();
    assert.match(window().log.join('\n'), /error .*no room on the disk/);
    assert.equal(head().problem, undefined);
  });

  it('passes over what is no message of its page, and has its faults in the log', async () => {
    const { panel, posted } = open({ do: assert.fail, open: assert.fail }, some(0, 1));
    await settled();
    const count = posted().length;
    for (const message of [null, 'x', { type: 'deed', deed: 'again', ids: 'p0' }, { type: 'open' }, { type: 'deed', ids: ['p0'] }]) panel.says(message); // prettier-ignore
    panel.says({ type: 'problem', message: 'it cannot draw' });
    assert.equal(posted().length, count);
    assert.match(window().log.join('\n'), /error Page of forecasts: it cannot draw/);
  });
});
