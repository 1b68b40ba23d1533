import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { DEFAULT_VIEW, type HostMessage } from '../../../../../src/editor/views/chart/protocol.ts';
import { Extension } from '../../extension.ts';
import { months, seasonal } from '../../series-text.ts';
import { until } from '../../until.ts';
import { WebviewPanel } from '../../workbench/webview-panel.ts';

type Message<K extends HostMessage['type']> = Extract<HostMessage, { type: K }>;

describe('the panel of a chart', () => {
  const extension = new Extension();

  const last = <K extends HostMessage['type']>(panel: WebviewPanel, type: K) =>
    (panel.posted as HostMessage[]).findLast((message): message is Message<K> => message.type === type);
  const comes = async <K extends HostMessage['type']>(panel: WebviewPanel, type: K, fits: (now: Message<K>) => boolean) =>
    (await until(() => last(panel, type), (now) => now !== undefined && fits(now)))!; // prettier-ignore

  async function open(name: string) {
    await extension.run('forecast', extension.file(name, months(40, { sales: seasonal })));
    const panel = extension.window.panels.at(-1)!;
    panel.says({ type: 'ready' });
    const { ref } = await comes(panel, 'show', () => true);
    return { panel, ref };
  }

  /** As the editor brings a tab back. */
  async function restored(saved: unknown): Promise<WebviewPanel> {
    const panel = new WebviewPanel('forecasts.chart', 'Forecast');
    await extension.app.panels.deserializeWebviewPanel(panel as unknown as vscode.WebviewPanel, saved);
    if (!panel.isDisposed) panel.says({ type: 'ready' });
    return panel;
  }

  it('shows nothing before its page is there, and all of it then', async () => {
    await extension.run('forecast', extension.file('early.csv', months(40, { sales: seasonal })));
    const panel = extension.window.panels.at(-1)!;
    assert.deepEqual(panel.posted, []);
    panel.says({ type: 'ready' });
    const { chart } = await comes(panel, 'show', () => true);
    assert.equal(chart.history.times.length, 40);
    assert.match(panel.title, /^Forecast: early/);
  });

  it('comes back with its tab, from the service alone', async () => {
    const { panel, ref } = await open('back.csv');
    panel.dispose();
    const again = await restored({ ...ref, view: DEFAULT_VIEW, former: [] });
    const { chart } = await comes(again, 'show', () => true);
    assert.equal(chart.history.times.length, 40);
    assert.equal(extension.app.panels.isInSight(ref), true);
    again.dispose();
  });

  it('is there once: a tab that comes back beside it closes, as one whose state cannot be read', async () => {
    const { panel, ref } = await open('once.csv');
    assert.equal((await restored({ ...ref, view: DEFAULT_VIEW, former: [] })).isDisposed, true);
    assert.equal(panel.isDisposed, false);
    for (const saved of [undefined, { predictionId: 7 }, 'a text']) {
      assert.equal((await restored(saved)).isDisposed, true, JSON.stringify(saved));
    }
  });

  it('says that a forecast is gone, and tries again when told to', async () => {
    const { panel, ref } = await open('gone.csv');
    panel.dispose();
    const { client } = await extension.app.connection.ready();
    await client.delete('deletePrediction', ref.predictionId);
    const again = await restored({ ...ref, view: DEFAULT_VIEW, former: [] });
    const { status } = await comes(again, 'status', (now) => now.status.kind === 'failed');
    assert.ok(status.kind === 'failed');
    assert.deepEqual(status.actions, [{ id: 'retry', label: 'Try Again' }]);
    const count = again.posted.length;
    again.says({ type: 'action', id: 'retry' });
    await until(() => again.posted.length, (now) => now > count + 1); // prettier-ignore
    assert.equal(last(again, 'status')?.status.kind, 'failed');
    assert.match(extension.window.log.join('\n'), new RegExp(`Chart of ${ref.predictionId}`));
    again.dispose();
  });

  it('says of which service it is where that is not set up any more', async () => {
    const serviceId = 'https://forecasts.example.com/v1';
    const panel = await restored({ serviceId, predictionId: 'p', view: DEFAULT_VIEW, former: [] });
    const { status } = await comes(panel, 'status', (now) => now.status.kind === 'failed');
    assert.ok(status.kind === 'failed');
    assert.match(status.sentence, /^This chart is from https:\/\/forecasts\.example\.com\/v1, which is not set up/);
    panel.dispose();
  });

  it('is drawn anew in another zone, and no more once it is closed', async () => {
    const { window } = extension;
    const { panel } = await open('zone.csv');
    const shown = () => (panel.posted as HostMessage[]).filter(({ type }) => type === 'show').length;
    const before = shown();
    window.setSetting('forecasts.timeZone', 'Asia/Tokyo');
    assert.equal(shown(), before + 1);
    panel.dispose();
    window.log.length = 0;
    window.setSetting('forecasts.timeZone', undefined);
    panel.says({ type: 'ready' });
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(window.log.filter((line) => line.includes('disposed')), []); // prettier-ignore
  });

  it('passes over what is no message of its page', async () => {
    const { panel, ref } = await open('odd.csv');
    const count = extension.window.panels.length;
    for (const message of [null, 7, {}, { type: 'forecast' }, { type: 'lines', first: 'one' }]) panel.says(message);
    panel.says({ type: 'problem', message: 'it cannot draw' });
    assert.equal(extension.window.panels.length, count);
    assert.equal(extension.app.panels.isInSight(ref), true);
    assert.match(extension.window.log.at(-1)!, /error Chart page: it cannot draw/);
  });
});
