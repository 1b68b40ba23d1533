import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { URI } from 'vscode-uri';
import { PLOT_VIEW_TYPE } from '../../../../../src/editor/names.ts';
import type { Source } from '../../../../../src/editor/connection/memory.ts';
import type { HostMessage } from '../../../../../src/editor/views/chart/protocol.ts';
import { type Plot, plotOf, refOf } from '../../../../../src/editor/views/chart/plot.ts';
import type { Plotted, PlotServices } from '../../../../../src/editor/views/chart/plot-panel.ts';
import { Plots } from '../../../../../src/editor/views/chart/plots.ts';
import { chartOf } from '../../../chart/charts.ts';
import { held, log, restoredPanel, settled, useWindow } from '../panels.ts';

const plot = (series = 'north'): Plot => ({ kind: 'file', uri: 'file:///data/shops.csv', series, label: `shops.csv · ${series}` }); // prettier-ignore
const chart = chartOf({ title: 'shops.csv · north', valueLabel: 'north', history: [['2024-01-01', 1], ['2024-01-02', 2]] }); // prettier-ignore
const source = { fileName: 'shops.csv', uri: 'file:///data/shops.csv', id: 'north' } as Source;

describe('the plots of series', () => {
  const window = useWindow();
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'forecasts-plots-'));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  function make(services: Partial<PlotServices> = {}) {
    const loads: AbortSignal[] = [];
    const forecasts: string[] = [];
    const followed: { changed: () => void; isEnded: boolean }[] = [];
    const plots = new Plots({
      extensionUri: URI.file('/extension'),
      log: log(),
      load: (_, signal) => {
        loads.push(signal);
        return Promise.resolve({ chart });
      },
      toWorkbook: () => Promise.resolve(Uint8Array.of(80, 75)),
      forecast: ({ label }) => Promise.resolve(void forecasts.push(label)),
      follow: (_, changed) => {
        const one = { changed, isEnded: false };
        followed.push(one);
        return { dispose: () => (one.isEnded = true) };
      },
      ...services,
    });
    return { plots, loads, forecasts, followed };
  }
  const panel = () => window().panels.at(-1)!;
  const posted = () => panel().posted as HostMessage[];
  const status = () => posted().findLast((message) => message.type === 'status')?.status;

  async function open(services: Partial<PlotServices> = {}) {
    const made = make(services);
    made.plots.open(plot());
    panel().says({ type: 'ready' });
    await settled();
    return made;
  }

  it('are one for each series, and come to the front when they are asked for again', async () => {
    const { plots } = make();
    plots.open(plot());
    panel().visible = false;
    plots.open(plot());
    assert.deepEqual([window().panels.length, panel().visible], [1, true]);
    plots.open(plot('south'));
    assert.deepEqual(window().panels.map(({ title }) => title), ['Series: shops.csv · north', 'Series: shops.csv · south']); // prettier-ignore
    panel().dispose();
    plots.open(plot('south'));
    assert.equal(window().panels.length, 3);
    await settled();
  });

  it('come back after a reload with their series, and once', async () => {
    const { plots, loads } = make();
    const { panel: one, webview } = restoredPanel(PLOT_VIEW_TYPE);
    const saved = { ...refOf(plot()), view: { tab: 'table', hiddenBands: [] }, former: [] };
    await plots.deserializeWebviewPanel(webview, saved);
    assert.deepEqual([one.isDisposed, one.title, loads.length], [false, 'Series: shops.csv · north', 1]);
    const twin = restoredPanel(PLOT_VIEW_TYPE);
    await plots.deserializeWebviewPanel(twin.webview, saved);
    assert.equal(twin.panel.isDisposed, true);
    for (const nothing of [undefined, {}, { predictionId: 'p1', serviceId: 'local' }, { ...saved, predictionId: '{"kind":"file"}' }]) {
      const other = restoredPanel(PLOT_VIEW_TYPE);
      await plots.deserializeWebviewPanel(other.webview, nothing);
      assert.equal(other.panel.isDisposed, true, JSON.stringify(nothing));
    } // prettier-ignore
  });

  it('keep what they are of as text that is read back', () => {
    const stored: Plot = { kind: 'stored', serviceId: 'local', seriesId: 's "1"', label: 'north' };
    assert.deepEqual([plotOf(refOf(plot())), plotOf(refOf(stored))], [plot(), stored]);
  });

  it('say that they are read, and draw what was read', async () => {
    const reading = held<Plotted>();
    await open({ load: () => reading.promise });
    assert.deepEqual(status(), { kind: 'loading' });
    reading.keep({ chart });
    await settled();
    const shown = posted().findLast((message) => message.type === 'show')!;
    assert.deepEqual([shown.ref, shown.chart.title], [refOf(plot()), 'shops.csv · north']);
  });

  it('say why they cannot be read, and read again when told to', async () => {
    let tries = 0;
    await open({ load: () => (tries++ === 0 ? Promise.reject(new Error('shops.csv is gone.')) : Promise.resolve({ chart })) }); // prettier-ignore
    assert.deepEqual(status(), { kind: 'failed', sentence: 'shops.csv is gone.', actions: [{ id: 'retry', label: 'Try Again' }] }); // prettier-ignore
    assert.match(window().log.join(), /warn Plot of shops\.csv · north: Error: shops\.csv is gone/);
    panel().says({ type: 'action', id: 'retry' });
    await settled();
    assert.equal(posted().at(-1)?.type, 'show');
  });

  it('keep what was drawn where the file cannot be read any more, and say so', async () => {
    let isGone = false;
    const { followed } = await open({ load: () => (isGone ? Promise.reject(new Error('It is gone.')) : Promise.resolve({ chart, source })) }); // prettier-ignore
    isGone = true;
    followed[0].changed();
    await settled();
    assert.deepEqual(posted().slice(-2).map(({ type }) => type), ['show', 'status']); // prettier-ignore
    assert.equal(status()?.sentence, 'It is gone.');
  });

  it('follow their file: what is saved is drawn, and the reading before it counts no more', async () => {
    const readings: ReturnType<typeof held<Plotted>>[] = [];
    const signals: AbortSignal[] = [];
    const { followed } = await open({
      load: (_, signal) => {
        const one = held<Plotted>();
        readings.push(one);
        signals.push(signal);
        return one.promise;
      },
    });
    readings[0].keep({ chart, source });
    await settled();
    followed[0].changed();
    followed[0].changed();
    assert.deepEqual(signals.map(({ aborted }) => aborted), [true, true, false]); // prettier-ignore
    readings[2].keep({ chart: { ...chart, title: 'newest' }, source });
    await settled();
    readings[1].keep({ chart: { ...chart, title: 'late' }, source });
    await settled();
    const titles = posted().flatMap((message) => (message.type === 'show' ? [message.chart.title] : []));
    assert.deepEqual(titles, ['shops.csv · north', 'newest']);
    assert.deepEqual(followed.map(({ isEnded }) => isEnded), [true, false], 'the file is followed once'); // prettier-ignore
  });

  it('that are closed, or whose window goes, read and follow nothing any more', async () => {
    const reading = held<Plotted>();
    const { plots, followed } = await open({ load: () => reading.promise });
    panel().dispose();
    reading.keep({ chart, source });
    await settled();
    assert.deepEqual([followed.length, window().log], [0, []]);
    const other = await open({ load: () => Promise.resolve({ chart, source }) });
    other.plots.dispose();
    assert.deepEqual([other.followed[0].isEnded, panel().isDisposed], [true, false]);
    plots.dispose();
  });

  it('are forecast when that is asked', async () => {
    const { forecasts } = await open();
    panel().says({ type: 'action', id: 'forecast' });
    panel().says({ type: 'change', change: { horizon: 3 } });
    panel().says({ type: 'compare', do: 'open' });
    assert.deepEqual(forecasts, ['shops.csv · north']);
  });

  it('are drawn in the zone of the settings', async () => {
    const { loads } = await open();
    window().setSetting('forecasts.timeZone', 'Asia/Tokyo');
    assert.equal(loads.length, 2);
    window().setSetting('forecasts.pageSize', 21);
    assert.equal(loads.length, 2);
  });

  it('show lines of their file, and none of a stored series', async () => {
    const { plots } = await open();
    panel().says({ type: 'lines', first: 3, last: 5 });
    await settled();
    assert.deepEqual(window().executed.map(({ command, args }) => [command, String(args[0])]), [['vscode.open', 'file:///data/shops.csv']]); // prettier-ignore
    plots.open({ kind: 'stored', serviceId: 'local', seriesId: 's1', label: 'north' });
    panel().says({ type: 'lines', first: 3, last: 5 });
    await settled();
    assert.equal(window().executed.length, 1);
  });

  it('are saved, opened and copied as the series that they are', async () => {
    await open();
    const target = URI.file(path.join(folder, 'north.csv'));
    window().person.savesAs(target);
    panel().says({ type: 'export', kind: 'csv' });
    await settled();
    assert.match(readFileSync(target.fsPath, 'utf8'), /^timestamp,north\n2024-01-01.*,1\n2024-01-02.*,2\n$/);
    panel().says({ type: 'export', kind: 'copy' });
    panel().says({ type: 'export', kind: 'untitled' });
    await settled();
    assert.match(window().clipboard, /^timestamp/);
    assert.deepEqual([window().statusMessages, window().documents.length], [['Series copied'], 1]);
    const picture = URI.file(path.join(folder, 'north.png'));
    window().person.savesAs(picture);
    panel().says({ type: 'export', kind: 'png', data: Uint8Array.of(1, 2, 3) });
    await settled();
    assert.deepEqual([...readFileSync(picture.fsPath)], [1, 2, 3]);
    const workbook = URI.file(path.join(folder, 'north.xlsx'));
    window().person.savesAs(workbook);
    panel().says({ type: 'export', kind: 'xlsx' });
    await settled();
    assert.deepEqual([...readFileSync(workbook.fsPath)], [80, 75]);
    panel().says({ type: 'export', kind: 'file' });
    panel().says({ type: 'copied' });
    await settled();
    assert.equal(window().statusMessages.at(-1), 'Picture copied');
    assert.deepEqual(window().log, []);
  });

  it('pass over what is no message of their page, say nothing before it is there, and have its faults in the log', async () => {
    const { plots } = make();
    plots.open(plot());
    await settled();
    assert.deepEqual(posted(), []);
    for (const message of [undefined, 'ready', {}, { type: 'lines', first: 'one' }, { type: 'export', kind: 'exe' }]) panel().says(message); // prettier-ignore
    panel().says({ type: 'problem', message: 'it cannot draw' });
    assert.deepEqual([posted(), window().log], [[], ['error Chart page: it cannot draw']]);
  });
});
