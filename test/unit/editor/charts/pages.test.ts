import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { URI } from 'vscode-uri';
import { ServiceError } from '../../../../src/client/errors.ts';
import type { Anomalies, Backtest, Decomposition, LocalPrediction } from '../../../../src/contract/resources.ts';
import type { App } from '../../../../src/editor/app.ts';
import { ChartPages } from '../../../../src/editor/charts/page.ts';
import type { OpenedDocument } from '../../../../src/editor/files/document.ts';
import { KeptFiles } from '../../../../src/editor/connection/memory.ts';
import type { FileListener } from '../../../../src/editor/files/series-file.ts';
import type { CommandName } from '../../../../src/editor/commands.ts';
import type { State } from '../chart-page.ts';
import { act, deferred, log, offering, predictionOf, restoredPanel, Services, settled, stateOf, useWindow } from '../views/panels.ts'; // prettier-ignore
import { TabInputText, TabInputWebview } from '../workbench/values.ts';

const refOf = (predictionId: string, serviceId = 'local') => ({ serviceId, predictionId });
interface Watcher {
  readonly onChange: (now: LocalPrediction) => void;
  readonly onProblem: (problem: Error) => void;
}
const note = (label: string, uri: string, more: object = {}) => ({ label, source: { fileName: label, uri, id: 's', format: { kind: 'csv', encoding: 'utf-8', delimiter: ';', decimal: ',', header: true, skippedLines: 0 }, valueColumn: 'sold', timeColumn: 'day', timeKind: 'date', ...more } }); // prettier-ignore
const ofA = { p1: note('a.csv', 'file:///a.csv'), p2: note('a.csv', 'file:///a.csv') };

describe('chart page', () => {
  const window = useWindow();
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'forecasts-charts-'));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  function make({ client = {}, notes = {} as Record<string, object>, offers = ['getPrediction'] as readonly string[], kind = 'local', inUse = 'local' } = {}) {
    const followed: { uri: string; listener: FileListener; isEnded: boolean }[] = [];
    const watched: (Watcher & { isEnded: boolean })[] = [];
    const watch = (_: string, watcher: Watcher) => {
      const one = { ...watcher, isEnded: false };
      watched.push(one);
      return () => (one.isEnded = true);
    };
    const services = new Services(
      {
        capabilities: () => Promise.resolve(offering(...offers)),
        getPrediction: (id: string) => Promise.resolve(predictionOf(id)),
        listPredictions: () => Promise.resolve({ items: [], unreadable: [], next: undefined }),
        describedModels: () => Promise.resolve(['theta', 'ets']),
        requiresModel: () => Promise.resolve(false),
        learned: { models: {} },
        ...client,
      },
      { predictions: { watch }, info: { id: 'local', name: 'This computer', kind } },
    );
    Object.assign(services.connection, { current: { id: inUse } });
    const subscribe = (uri: URI, listener: FileListener) => {
      const one = { uri: uri.toString(), listener, isEnded: false };
      followed.push(one);
      return { dispose: () => (one.isEnded = true) };
    };
    const news: string[] = [];
    const kept = new KeptFiles(folder);
    const app = {
      connection: services.connection,
      memory: { recall: (_: string, id: string) => notes[id], keepCoverage: () => news.push('coverage') > 0 },
      madeModels: { of: () => [] },
      log: log(),
      extensionUri: URI.file('/extension'),
      reader: { write: () => Promise.resolve(Uint8Array.of(80, 75)) },
      files: { subscribe },
      trees: new Map([['forecasts.predictions', { refresh: () => Promise.resolve(void news.push('refreshed')) }]]),
      kept,
    } as unknown as App;
    const panels = new ChartPages(() => app);
    /** What the file of a chart holds now. */
    const read = (index: number, values: readonly number[], more: object = {}) => {
      const times = Float64Array.from(values, (_, day) => Date.UTC(2024, 0, 1 + day));
      const series = { id: 's', times, values: Float64Array.from(values), ...more };
      followed[index].listener.onRead({ document: { series: [series] } } as unknown as OpenedDocument);
    };
    return { panels, services, followed, watched, kept, news, read };
  } // prettier-ignore
  const panel = () => window().panels.at(-1)!;
  const titles = () => window().panels.map(({ title }) => title);
  const state = (of = panel()) => stateOf<State>(of);
  const drawn = (of = panel()) => (of.posted as { parts: Partial<State> }[]).flatMap(({ parts }) => (parts.shown ? [(JSON.parse(parts.shown.key) as string[])[1]] : [])); // prettier-ignore
  const ready = async () => {
    panel().says({ type: 'ready' });
    await settled();
  };
  async function open(given: Parameters<typeof make>[0] = {}, prediction = predictionOf('p1')) {
    const made = make(given);
    made.panels.open(refOf(prediction.id), prediction);
    await ready();
    return made;
  }
  const commands = (...names: readonly CommandName[]) => {
    const done: unknown[] = [];
    for (const name of names) window().commands.registerCommand(`forecasts.${name}`, (what: unknown) => void done.push([name, what instanceof URI ? what.toString() : what])); // prettier-ignore
    return done;
  };

  it('is revealed if its forecast is opened twice', async () => {
    const { panels } = make();
    panels.open(refOf('p1'), predictionOf('p1'));
    window().panels[0].visible = false;
    assert.equal(panels.isInSight(refOf('p1')), false);
    panels.open(refOf('p1'), predictionOf('p1'));
    assert.deepEqual([titles(), panels.isInSight(refOf('p1'))], [['Forecast: series p1'], true]);
    panels.open(refOf('p1', 'https://other.example'), predictionOf('p1'));
    assert.equal(titles().length, 2, 'of another service it is another one');
    await settled();
  });

  it('shows a newer forecast of its series in place of the former one', async () => {
    const { panels } = await open({ notes: { ...ofA, p3: note('a.csv', 'file:///b.csv') } });
    panels.open(refOf('p2'), predictionOf('p2'));
    await settled();
    assert.deepEqual([titles().length, drawn()], [1, ['p1', 'p2']]);
    panels.open(refOf('p3'), predictionOf('p3'));
    assert.equal(titles().length, 2);
    await settled();
  });

  it('replaces the former forecast that is named, without focus', async () => {
    const { panels } = await open({ notes: { p1: ofA.p1, p3: ofA.p1 } });
    panels.open(refOf('p2'), predictionOf('p2'), { former: refOf('p1') });
    await settled();
    assert.deepEqual([titles().length, drawn()], [1, ['p1', 'p2']]);
    panels.open(refOf('p1'), predictionOf('p1'), { former: refOf('p2') });
    await settled();
    window().panels[0].visible = false;
    panels.follow(refOf('p3'), predictionOf('p3'));
    await settled();
    assert.deepEqual([drawn(), window().panels[0].visible], [['p1', 'p2', 'p1', 'p3'], false]);
    panels.follow(refOf('elsewhere'), predictionOf('elsewhere'));
    assert.equal(titles().length, 1, 'what nobody looks at is not opened');
  });

  it('keeps the latest choice if an earlier one is answered later', async () => {
    const { panels } = await open({ notes: { p1: ofA.p1, p2: ofA.p1, p3: ofA.p1, p4: ofA.p1 } });
    const [earlier, later] = [performance.now() - 2, performance.now() - 1];
    panels.follow(refOf('p4'), predictionOf('p4'));
    await settled();
    panels.open(refOf('p3'), predictionOf('p3'), { former: refOf('p1'), since: later });
    await settled();
    panels.open(refOf('p2'), predictionOf('p2'), { former: refOf('p1'), since: earlier });
    await settled();
    assert.deepEqual([titles().length, drawn()], [1, ['p1', 'p4', 'p3']]);
  });

  it('goes back to the previous forecast', async () => {
    const { panels } = await open({ notes: ofA });
    panels.open(refOf('p2'), predictionOf('p2'));
    await settled();
    assert.deepEqual([state().controls?.back, state().ref.former], ['Back to the Previous Forecast', ['p1']]);
    act(panel(), { type: 'back' });
    await settled();
    act(panel(), { type: 'back' });
    await settled();
    assert.deepEqual(drawn(), ['p1', 'p2', 'p1']);
  });

  it('is restored once after a window reload, with its previous forecasts', async () => {
    const { panels } = make();
    const saved = { ref: { ...refOf('p2'), former: ['p1'] } };
    const first = restoredPanel('forecasts.chart');
    await panels.deserializeWebviewPanel(first.webview, saved);
    const second = restoredPanel('forecasts.chart');
    await panels.deserializeWebviewPanel(second.webview, saved);
    assert.deepEqual([first.panel.isDisposed, second.panel.isDisposed], [false, true]);
    first.panel.says({ type: 'ready' });
    await settled();
    act(first.panel, { type: 'back' });
    await settled();
    assert.deepEqual(drawn(first.panel), ['p2', 'p1']);
  });

  it('closes a restored tab of the same title that was never visible, if there is only one', () => {
    const tab = (label: string, input: unknown = new TabInputWebview('mainThreadWebview-forecasts.chart')) => ({ label, input }); // prettier-ignore
    for (const [tabs, isClosed] of [
      [[tab('Forecast: series p1'), tab('Forecast: other')], true],
      [[tab('Forecast: series p1'), tab('Forecast: series p1')], false],
      [[tab('Forecast: series p1', new TabInputText(undefined as never))], false],
      [[tab('Forecast: series p1', new TabInputWebview('mainThreadWebview-markdown.preview'))], false],
    ] as const) {
      const closed: string[] = [];
      Object.assign(window().window.tabGroups, { all: [{ tabs }], close: ({ label }: { label: string }) => Promise.resolve(void closed.push(label)) }); // prettier-ignore
      make().panels.open(refOf('p1'), predictionOf('p1'));
      assert.deepEqual(closed, isClosed ? ['Forecast: series p1'] : []);
    }
  });

  it('closes with its forecast, and opens again after that', async () => {
    const { panels } = await open();
    assert.equal(panels.close(refOf('p1')), true);
    assert.deepEqual([window().panels[0].isDisposed, panels.close(refOf('p1'))], [true, false]);
    panels.open(refOf('p1'), predictionOf('p1'));
    assert.equal(titles().length, 2);
    await settled();
  });

  it('shows the progress of a forecast until it is completed', async () => {
    const { watched } = await open({}, predictionOf('p1', { status: 'IN_PROGRESS', progress: 0.3, prediction_series: undefined })); // prettier-ignore
    assert.deepEqual(state().standing?.status, { kind: 'waiting', sentence: 'Forecasting… 30%', progress: 0.3 });
    watched[0].onProblem(new ServiceError('unreachable', 'Nobody answers.'));
    await settled();
    assert.equal(state().standing?.status.sentence, 'Nobody answers.');
    watched[0].onChange(predictionOf('p1'));
    await settled();
    assert.deepEqual([drawn(), state().standing], [['p1'], null]);
  });

  it('shows the series of a failed forecast below its status', async () => {
    await open({}, predictionOf('p1', { status: 'FAILED', error: 'Too short.', prediction_series: undefined }));
    const status = state().standing?.status;
    assert.deepEqual([drawn(), status?.sentence, status?.actions?.map(({ id }) => id)], [['p1'], 'Too short.', ['again', 'model']]); // prettier-ignore
  });

  it('ignores the late answer of a former forecast', async () => {
    const slow = deferred<LocalPrediction>();
    const { panels } = make({ notes: ofA, client: { getPrediction: (id: string) => (id === 'p1' ? slow.promise : Promise.resolve(predictionOf(id))) } }); // prettier-ignore
    panels.open(refOf('p1'));
    await ready();
    panels.open(refOf('p2'));
    await settled();
    slow.keep(predictionOf('p1'));
    await settled();
    assert.deepEqual([drawn(), window().log], [['p2'], []]);
  });

  it('drops the results of a former forecast', async () => {
    const answers = [deferred<string[]>(), deferred<string[]>()];
    let count = 0;
    const { panels } = await open({ notes: ofA, client: { describedModels: () => answers[count++].promise } }, predictionOf('p1', { ai_model_id: 'theta' })); // prettier-ignore
    panels.open(refOf('p2'), predictionOf('p2', { ai_model_id: 'ets' }));
    await settled();
    answers[0].keep(['theta', 'naive']);
    await settled();
    assert.equal(state().controls?.model, undefined, 'these would be those of “p1”');
    answers[1].keep(['ets', 'naive']);
    await settled();
    assert.deepEqual(state().controls?.model?.choices.map(({ id }) => id), ['ets', 'naive']); // prettier-ignore
  });

  it('logs nothing if it is closed during a request', async () => {
    for (const end of ['keep', 'fail'] as const) {
      const slow = deferred<LocalPrediction>();
      const { panels } = make({ client: { getPrediction: () => slow.promise } });
      panels.open(refOf('p1'));
      await ready();
      panel().dispose();
      const { length } = panel().posted;
      slow[end](predictionOf('p1'));
      await settled();
      assert.deepEqual([panel().posted.length, window().log], [length, []], end);
    }
  });

  it('ends its watches when it or the window is closed', async () => {
    const { panels, followed, watched } = await open({ notes: ofA }, predictionOf('p1', { status: 'QUEUED', prediction_series: undefined })); // prettier-ignore
    window().panels[0].dispose();
    assert.deepEqual([followed[0].isEnded, watched[0].isEnded], [true, true]);
    panels.open(refOf('p1'), predictionOf('p1'));
    await ready();
    panels.dispose();
    assert.deepEqual([followed[1].isEnded, window().panels[1].isDisposed], [true, false]);
  });

  it('shows whether its file has changed, in the title too', async () => {
    const { read } = await open({ notes: { p1: note('a.csv', 'file:///a.csv', { fingerprint: 'other' }) } });
    assert.equal(state().notice, null);
    read(0, [1, 2, 3]);
    await settled();
    assert.deepEqual([titles(), state().notice], [['Forecast: a.csv (outdated)'], { sentence: 'a.csv has changed since this forecast was made.', actions: [{ id: 'again', label: 'Forecast Again' }] }]); // prettier-ignore
  });

  it('compares the forecast with new observations of its file, and refreshes its row', async () => {
    const { read, news } = await open({ notes: ofA });
    read(0, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    await settled();
    assert.deepEqual([state().actuals, news], [null, []]);
    read(0, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    await settled();
    assert.match(state().actuals?.sentence ?? '', /^Observations since this forecast was made: 1\./);
    assert.deepEqual(news.slice(0, 2), ['coverage', 'refreshed']);
  });

  it('shows that its file is kept up to date', async () => {
    const { kept } = await open({ notes: ofA });
    const remark = () => state().shown?.chart.remarks?.[0]?.text;
    kept.note('file:///a.csv', { serviceId: 'local', series: 's', fingerprint: 'f' }, false);
    kept.keep('file:///a.csv', true);
    await settled();
    assert.match(remark() ?? '', /^Kept up to date: forecast again whenever a\.csv is saved/);
    kept.keep('file:///a.csv', false);
    await settled();
    assert.equal(remark(), undefined);
  });

  it('redraws once if the time zone changes', async () => {
    await open();
    const { length } = panel().posted;
    window().setSetting('forecasts.timeZone', 'Asia/Tokyo');
    await settled();
    const parts = (panel().posted as { parts: Partial<State> }[]).slice(length);
    assert.equal(parts.filter(({ parts: { shown } }) => shown).length, 1);
  });

  it('never posts a secret in an answer of the service', async () => {
    await open({}, { ...predictionOf('p1'), token: 'sk-secret', headers: { authorization: 'Bearer sk-secret' } } as LocalPrediction); // prettier-ignore
    assert.deepEqual(drawn(), ['p1']);
    assert.doesNotMatch(JSON.stringify(panel().posted) + panel().webview.html, /sk-secret/);
  });

  it('runs the commands of its menu for its forecast, and no others', async () => {
    const done = commands('rename', 'delete');
    await open();
    for (const id of ['use:x', 'rename', 'delete']) act(panel(), { type: 'action', id });
    await settled();
    assert.deepEqual(done, [['rename', refOf('p1')]]);
  });

  it('runs the actions on its file', async () => {
    const done = commands('keepUpToDate', 'showReading');
    const actions = ['stop-keeping', 'show-reading'];
    await open({ notes: ofA });
    for (const id of actions) act(panel(), { type: 'action', id });
    act(panel(), { type: 'lines', first: 5, last: 7 });
    await settled();
    assert.deepEqual(done, [
      ['keepUpToDate', 'file:///a.csv'],
      ['showReading', 'file:///a.csv'],
    ]);
    const shown = window().executed.find(({ command }) => command === 'vscode.open')!;
    const { selection } = shown.args[1] as { selection: { start: { line: number }; end: { line: number } } };
    assert.deepEqual([String(shown.args[0]), selection.start.line, selection.end.line], ['file:///a.csv', 4, 7]);
    window().executed.length = 0;
    await open();
    for (const id of [...actions, 'take-totals']) act(panel(), { type: 'action', id });
    act(panel(), { type: 'lines', first: 5, last: 7 });
    await settled();
    assert.equal(window().executed.filter(({ command }) => command === 'vscode.open').length, 0);
  });

  it('exports the forecast in the format of its file, as JSON, Excel, picture and forecast file, and copies it', async () => {
    await open({ notes: ofA });
    const saved = async (name: string, intent: object) => {
      const target = URI.file(path.join(folder, name));
      window().person.savesAs(target);
      act(panel(), intent);
      await settled();
      return readFileSync(target.fsPath, 'utf8');
    };
    assert.match(await saved('out.csv', { type: 'export', kind: 'csv' }), /^day;forecast\n2024-01-11;10/);
    assert.equal(path.basename(String((window().person.saved[0]?.defaultUri as URI).path)), 'a-forecast.csv');
    assert.equal(await saved('out.xlsx', { type: 'export', kind: 'xlsx' }), 'PK');
    assert.equal(await saved('out.svg', { type: 'picture', kind: 'svg', data: new TextEncoder().encode('<svg/>') }), '<svg/>'); // prettier-ignore
    const file = JSON.parse(await saved('out.forecast.json', { type: 'export', kind: 'file' })) as { name: string; request: { series: unknown[] } }; // prettier-ignore
    assert.deepEqual([file.name, file.request.series.length], ['a.csv', 10]);
    act(panel(), { type: 'export', kind: 'copy' });
    act(panel(), { type: 'copied' });
    await settled();
    assert.match(window().clipboard, /^day;forecast/);
    assert.deepEqual(window().statusMessages.toSorted(), ['Data copied', 'Image copied']);
    window().person.savesAs(URI.file(path.join(folder, 'out.csv', 'is-no-folder', '\0')));
    act(panel(), { type: 'export', kind: 'csv' });
    await settled();
    assert.match(window().person.texts.join(), /could not be written: /);
  });

  it('exports nothing before the forecast is loaded', async () => {
    await open({}, predictionOf('p1', { status: 'QUEUED', prediction_series: undefined }));
    for (const kind of ['csv', 'copy', 'untitled']) act(panel(), { type: 'export', kind });
    await settled();
    assert.deepEqual([window().clipboard, window().documents.length], ['', 0]);
  });

  const parts: Decomposition = { prediction_id: 'p1', timestamps: [], forecast_from: 0, components: [] };
  const odd = (rarity = 1000): Anomalies => ({ rarity, judged: 10, points: [{ timestamp: '2024-01-04T00:00:00Z', value: 30, expected: 3, scale: 5, rarity: 4000, sign: 'spike' }] }); // prettier-ignore
  const all = ['getPrediction', 'getBacktest', 'getDecomposition', 'findAnomalies'];

  it('shows the latest answer of each analysis, independently of the others', async () => {
    const answers = [deferred<Anomalies>(), deferred<Anomalies>()];
    const slow = deferred<Decomposition>();
    let count = 0;
    await open({ offers: all, kind: 'remote', client: { findAnomalies: () => answers[count++].promise, getDecomposition: () => slow.promise, getBacktest: () => Promise.reject(new Error('Two points have no past.')) } }); // prettier-ignore
    act(panel(), { type: 'analyze', analysis: 'decomposition' });
    for (const rarity of [100, 10_000]) act(panel(), { type: 'analyze', analysis: 'anomalies', rarity });
    act(panel(), { type: 'analyze', analysis: 'backtest' });
    await settled();
    assert.deepEqual(state().analyses, { decomposition: 'asked', anomalies: 'asked', backtest: { problem: 'Two points have no past.' } }); // prettier-ignore
    answers[1].keep(odd(10_000));
    answers[0].keep(odd(100));
    slow.keep(parts);
    await settled();
    const { anomalies, decomposition } = state().analyses;
    assert.ok(typeof anomalies === 'object' && 'view' in anomalies && typeof decomposition === 'object');
    assert.deepEqual([anomalies.view.rarity, 'view' in decomposition], [10_000, true]);
  });

  it('computes anomalies unasked only for short series of the local service, unless the settings turn it off', async () => {
    const asked: number[] = [];
    const client = { findAnomalies: ({ rarity }: { rarity: number }) => { asked.push(rarity); return Promise.resolve(odd(rarity)); } }; // prettier-ignore
    window().setSetting('forecasts.markAnomalies', 100);
    const { panels } = await open({ offers: all, client });
    panels.open(refOf('p1'), predictionOf('p1'));
    await settled();
    assert.deepEqual(asked, [100]);
    await open({ offers: all, client, kind: 'remote' });
    const [point] = predictionOf('p1').input_series!;
    await open({ offers: all, client }, predictionOf('p1', { input_series: Array<typeof point>(20_001).fill(point) }));
    window().setSetting('forecasts.markAnomalies', 0);
    await open({ offers: all, client });
    assert.deepEqual(asked, [100]);
    act(panel(), { type: 'analyze', analysis: 'anomalies' });
    await settled();
    assert.deepEqual(asked, [100, 1000], 'asked for, it is as rare as usual');
  });

  it('offers the analyses of its service, and none if another service is in use', async () => {
    await open({ offers: ['getPrediction', 'getBacktest', 'getDecomposition'] });
    assert.deepEqual(state().controls?.analyses, ['backtest', 'decomposition']);
    await open({ offers: all, inUse: 'https://other.example' });
    const offered = Object.entries(state().controls!).filter(([, value]) => value !== undefined);
    assert.deepEqual(Object.fromEntries(offered), { canCompare: false, analyses: [] });
  });

  it('logs a failure to load offers, and stays as it is', async () => {
    await open({ client: { describedModels: () => Promise.reject(new Error('away')) } });
    assert.match(window().log.join(), /series p1, offers: Error: away/);
    assert.deepEqual(window().person.texts, []);
  });

  it('compares forecasts with their scores, and saves them in one table', async () => {
    const backtest: Backtest = { prediction_id: 'p', horizon: 1, folds: [{ cutoff: '2024-01-05', scale: 1, points: [{ timestamp: '2024-01-06', actual: 10, value: 12, seasonal_naive: 9 }] }] }; // prettier-ignore
    const slow = deferred<LocalPrediction>();
    const items = [predictionOf('p2'), predictionOf('p3'), predictionOf('p4', { status: 'QUEUED' })];
    const notes = { ...ofA, p3: note('a.csv', 'file:///a.csv', { id: 'south' }), p4: ofA.p1 };
    await open({ notes, offers: all, kind: 'remote', client: { getBacktest: () => Promise.resolve(backtest), listPredictions: () => Promise.resolve({ items, unreadable: [] }), getPrediction: (id: string) => (id === 'slow' ? slow.promise : Promise.resolve(predictionOf(id))) } }); // prettier-ignore
    act(panel(), { type: 'compare', do: 'open' });
    await settled();
    assert.deepEqual(state().compared?.predictions.map(({ id }) => id), ['p2'], 'of the same series, and done'); // prettier-ignore
    act(panel(), { type: 'compare', do: 'add-prediction', id: 'p2' });
    await settled();
    assert.deepEqual(state().compared?.rows.map(({ id, scores }) => [id, scores?.mase]), [['p1', 2], ['p2', 2]]); // prettier-ignore
    const target = URI.file(path.join(folder, 'both.csv'));
    window().person.savesAs(target);
    act(panel(), { type: 'compare', do: 'save' });
    await settled();
    assert.match(readFileSync(target.fsPath, 'utf8'), /^timestamp,.*\n2024-01-11,10,10,0/);
    assert.match(String((window().person.saved[0]?.defaultUri as URI).path), /\/a-compared-forecast\.csv$/);
    act(panel(), { type: 'compare', do: 'main', id: 'p2' });
    await settled();
    assert.deepEqual([drawn().at(-1), state().compared?.rows[0].id], ['p2', 'p2']);
    act(panel(), { type: 'compare', do: 'close' });
    await settled();
    assert.equal(state().compared, null);
  });

  it('adds predictions that are chosen in the view to an open comparison', async () => {
    const notes = { p1: ofA.p1, p2: ofA.p1, p3: ofA.p1 };
    const { panels } = await open({ notes, offers: all, kind: 'remote', client: { getBacktest: () => Promise.reject(new Error('none')), listPredictions: () => Promise.resolve({ items: [predictionOf('p4', { input_series_id: 's' })], unreadable: [] }) } }, predictionOf('p1', { input_series_id: 's' })); // prettier-ignore
    const [p1, p2, p3] = ['p1', 'p2', 'p3'].map((id) => predictionOf(id, { input_series_id: 's', ai_model_id: id }));
    panels.compare(refOf('p1'), p1, [p2]);
    await settled();
    panels.compare(refOf('p1'), p1, [p2, p3]);
    await settled();
    assert.deepEqual(state().compared?.rows.map(({ id, state: one }) => [id, one]), [['p1', 'done'], ['p2', 'done'], ['p3', 'done']]); // prettier-ignore
    assert.deepEqual(
      state().compared?.predictions.map(({ id }) => id),
      ['p4'],
    );
  });

  it('retries failed entries of a comparison when they are chosen again', async () => {
    let isAway = true;
    const getPrediction = (id: string) => (isAway ? Promise.reject(new Error('away')) : Promise.resolve(predictionOf(id))); // prettier-ignore
    const [p1, p2] = ['p1', 'p2'].map((id) => predictionOf(id));
    const { panels } = await open({ notes: ofA, client: { getPrediction } }, p1);
    const rows = () => state().compared?.rows.map(({ id, state: one, sentence }) => [id, one, sentence]);
    panels.compare(refOf('p1'), p1, [p2]);
    await settled();
    assert.deepEqual(rows(), [['p1', 'done', undefined], ['p2', 'failed', 'away']]); // prettier-ignore
    isAway = false;
    panels.compare(refOf('p1'), p1, [p2]);
    await settled();
    assert.deepEqual(rows(), [['p1', 'done', undefined], ['p2', 'done', undefined]]); // prettier-ignore
  });
});
