import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { URI } from 'vscode-uri';
import { ServiceError } from '../../../../../src/client/errors.ts';
import type { LocalPrediction } from '../../../../../src/contract/local.ts';
import type { Memory } from '../../../../../src/editor/connection/memory.ts';
import { CHART_VIEW_TYPE } from '../../../../../src/editor/names.ts';
import { KeptFiles } from '../../../../../src/editor/files/kept-files.ts';
import type { ChartDeeds, PanelServices } from '../../../../../src/editor/views/chart/deeds.ts';
import { ChartPanels } from '../../../../../src/editor/views/chart/panels.ts';
import { DEFAULT_VIEW, type HostMessage } from '../../../../../src/editor/views/chart/protocol.ts';
import { Memento } from '../../workbench/memento.ts';
import type { WebviewPanel } from '../../workbench/webview-panel.ts';
import { Services, held, log, offering, predictionOf, restoredPanel, settled, useWindow } from '../panels.ts';

const refOf = (predictionId: string, serviceId = 'local') => ({ serviceId, predictionId });
interface Watcher {
  readonly onChange: (now: LocalPrediction) => void;
  readonly onProblem: (problem: Error) => void;
}

describe('the panels of charts', () => {
  const window = useWindow();

  function make({ client = {}, notes = {} as Record<string, object> } = {}) {
    const followed: { uri: string; onChange: (isCurrent: boolean) => void; isEnded: boolean }[] = [];
    const watched: (Watcher & { isEnded: boolean })[] = [];
    const watch = (_: string, watcher: Watcher) => {
      const one = { ...watcher, isEnded: false };
      watched.push(one);
      return () => (one.isEnded = true);
    };
    const services = new Services(
      {
        capabilities: () => Promise.resolve(offering('getPrediction')),
        getPrediction: (id: string) => Promise.resolve(predictionOf(id)),
        listPredictions: () => Promise.resolve({ items: [], unreadable: [], next: undefined }),
        ...client,
      },
      { predictions: { watch } },
    );
    const kept = new KeptFiles(new Memento() as unknown as vscode.Memento);
    const all: PanelServices = {
      extensionUri: URI.file('/extension'),
      connection: services.connection,
      memory: { recall: (_: string, id: string) => notes[id], hold: () => false } as unknown as Memory,
      log: log(),
      state: new Memento() as unknown as vscode.Memento,
      follow: ({ uri }, { onChange }) => {
        const one = { uri: uri!, onChange, isEnded: false };
        followed.push(one);
        return { dispose: () => (one.isEnded = true) };
      },
      deeds: { models: () => Promise.resolve([]) } as unknown as ChartDeeds,
      toWorkbook: () => Promise.resolve(new Uint8Array()),
      kept,
    };
    return { panels: new ChartPanels(all), services, followed, watched, kept };
  }
  const titles = () => window().panels.map(({ title }) => title);
  const posted = (panel: WebviewPanel = window().panels.at(-1)!) => panel.posted as HostMessage[];
  const shown = (panel?: WebviewPanel) => posted(panel).flatMap((message) => (message.type === 'show' ? [message.ref.predictionId] : [])); // prettier-ignore
  const notice = (panel?: WebviewPanel) => posted(panel).findLast((message) => message.type === 'notice')?.notice;
  const status = (panel?: WebviewPanel) => posted(panel).findLast((message) => message.type === 'status')?.status;
  const note = (label: string, uri: string, more: object = {}) => ({ label, source: { fileName: label, uri, id: 's', ...more } }); // prettier-ignore
  const ready = async () => {
    window().panels.at(-1)!.says({ type: 'ready' });
    await settled();
  };

  it('are one for each forecast: opened twice, it comes to the front', async () => {
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

  it('are one for each series: a forecast made again takes the place of the one before', async () => {
    const { panels } = make({ notes: { p1: note('a.csv', 'file:///a.csv'), p2: note('a.csv', 'file:///a.csv'), p3: note('a.csv', 'file:///b.csv') } }); // prettier-ignore
    panels.open(refOf('p1'), predictionOf('p1'));
    await ready();
    panels.open(refOf('p2'), predictionOf('p2'));
    await settled();
    assert.deepEqual([titles().length, shown()], [1, ['p1', 'p2']]);
    panels.open(refOf('p3'), predictionOf('p3'));
    assert.equal(titles().length, 2);
    await settled();
  });

  it('take the place of the one that is named, and turn without coming to the front', async () => {
    const { panels } = make({ notes: { p1: note('a.csv', 'file:///a.csv'), p3: note('a.csv', 'file:///a.csv') } });
    panels.open(refOf('p1'), predictionOf('p1'));
    await ready();
    panels.open(refOf('p2'), predictionOf('p2'), false, refOf('p1'));
    await settled();
    assert.deepEqual([titles().length, shown()], [1, ['p1', 'p2']]);
    panels.open(refOf('p1'), predictionOf('p1'), false, refOf('p2'));
    window().panels[0].visible = false;
    panels.follow(refOf('p3'), predictionOf('p3'));
    await settled();
    assert.deepEqual([shown(), window().panels[0].visible], [['p1', 'p2', 'p1', 'p3'], false]);
    panels.follow(refOf('elsewhere'), predictionOf('elsewhere'));
    assert.equal(titles().length, 1, 'what nobody looks at is not opened');
  });

  it('step back to what was shown before', async () => {
    const { panels } = make({ notes: { p1: note('a.csv', 'file:///a.csv'), p2: note('a.csv', 'file:///a.csv') } });
    panels.open(refOf('p1'), predictionOf('p1'));
    await ready();
    panels.open(refOf('p2'), predictionOf('p2'));
    await settled();
    const controls = posted().findLast((message) => message.type === 'controls')?.controls;
    assert.deepEqual([controls?.back, controls?.former], ['Back to the Former Forecast', ['p1']]);
    window().panels[0].says({ type: 'back' });
    await settled();
    assert.deepEqual(shown(), ['p1', 'p2', 'p1']);
  });

  it('come back after a reload, each once, with the steps back that they had', async () => {
    const { panels } = make();
    const saved = { ...refOf('p2'), view: DEFAULT_VIEW, former: ['p1'] };
    const first = restoredPanel(CHART_VIEW_TYPE);
    await panels.deserializeWebviewPanel(first.webview, saved);
    const second = restoredPanel(CHART_VIEW_TYPE);
    await panels.deserializeWebviewPanel(second.webview, saved);
    assert.deepEqual([first.panel.isDisposed, second.panel.isDisposed], [false, true]);
    first.panel.says({ type: 'ready' });
    await settled();
    first.panel.says({ type: 'back' });
    await settled();
    assert.deepEqual(shown(first.panel), ['p2', 'p1']);
  });

  it('are closed with their forecast, and open anew after that', async () => {
    const { panels } = make();
    panels.open(refOf('p1'), predictionOf('p1'));
    assert.equal(panels.close(refOf('p1')), true);
    assert.deepEqual([window().panels[0].isDisposed, panels.close(refOf('p1'))], [true, false]);
    panels.open(refOf('p1'), predictionOf('p1'));
    assert.equal(titles().length, 2);
    await settled();
  });

  it('follow a forecast that is being made until it is there, and say how far it is', async () => {
    const { panels, watched } = make();
    panels.open(
      refOf('p1'),
      predictionOf('p1', { status: 'IN_PROGRESS', progress: 0.3, prediction_series: undefined }),
    );
    await ready();
    assert.deepEqual(status(), { kind: 'running', progress: 0.3 });
    watched[0].onProblem(new ServiceError('unreachable', 'Nobody answers.'));
    assert.equal(status()?.sentence, 'Nobody answers.');
    watched[0].onChange(predictionOf('p1'));
    await settled();
    assert.deepEqual(shown(), ['p1']);
  });

  it('keep the series of a forecast that failed in sight, below what is said of it', async () => {
    const { panels } = make();
    panels.open(
      refOf('p1'),
      predictionOf('p1', { status: 'FAILED', error: 'Too short.', prediction_series: undefined }),
    );
    await ready();
    assert.deepEqual(shown(), ['p1']);
    assert.deepEqual([status()?.sentence, status()?.actions?.map(({ id }) => id)], ['Too short.', ['again', 'model']]);
  });

  it('show the forecast that they turned to last, whatever comes late', async () => {
    const slow = held<LocalPrediction>();
    const { panels } = make({ notes: { p1: note('a.csv', 'file:///a.csv'), p2: note('a.csv', 'file:///a.csv') }, client: { getPrediction: (id: string) => (id === 'p1' ? slow.promise : Promise.resolve(predictionOf(id))) } }); // prettier-ignore
    panels.open(refOf('p1'));
    await ready();
    panels.open(refOf('p2'));
    await settled();
    slow.keep(predictionOf('p1'));
    await settled();
    assert.deepEqual(shown(), ['p2']);
    assert.deepEqual(window().log, []);
  });

  it('that are closed while something is read say nothing, in no log either', async () => {
    for (const end of ['keep', 'fail'] as const) {
      const slow = held<LocalPrediction>();
      const { panels } = make({ client: { getPrediction: () => slow.promise } });
      panels.open(refOf('p1'));
      await ready();
      const panel = window().panels.at(-1)!;
      panel.dispose();
      const { length } = panel.posted;
      slow[end](predictionOf('p1'));
      await settled();
      assert.deepEqual([panel.posted.length, window().log], [length, []], end);
    }
  });

  it('end what they follow when they are closed, and when the window goes', async () => {
    const { panels, followed, watched } = make({ notes: { p1: note('a.csv', 'file:///a.csv') } });
    panels.open(refOf('p1'), predictionOf('p1', { status: 'QUEUED', prediction_series: undefined }));
    await ready();
    window().panels[0].dispose();
    assert.deepEqual([followed[0].isEnded, watched[0].isEnded], [true, true]);
    panels.open(refOf('p1'), predictionOf('p1'));
    await ready();
    panels.dispose();
    assert.deepEqual([followed[1].isEnded, window().panels[1].isDisposed], [true, false]);
  });

  it('say that their file has changed, in the title too, and take it back', async () => {
    const { panels, followed } = make({ notes: { p1: note('a.csv', 'file:///a.csv') } });
    panels.open(refOf('p1'), predictionOf('p1'));
    await ready();
    assert.equal(notice(), undefined);
    followed[0].onChange(false);
    assert.deepEqual([titles(), notice()], [['Forecast: a.csv (outdated)'], { sentence: 'a.csv has changed since this forecast was made.', actions: [{ id: 'again', label: 'Forecast Again' }] }]); // prettier-ignore
    followed[0].onChange(true);
    assert.deepEqual([titles(), notice()], [['Forecast: a.csv'], undefined]);
  });

  it('say that their file is kept up to date while it is', async () => {
    const { panels, kept } = make({ notes: { p1: note('a.csv', 'file:///a.csv') } });
    panels.open(refOf('p1'), predictionOf('p1'));
    await ready();
    const remark = () => posted().findLast((message) => message.type === 'show')?.chart.remarks?.[0]?.text;
    assert.equal(remark(), undefined);
    await kept.keep('file:///a.csv', true);
    assert.match(remark() ?? '', /^Kept up to date: forecast again whenever a\.csv is saved/);
    await kept.keep('file:///a.csv', false);
    assert.equal(remark(), undefined);
  });

  it('never post a secret that a service put beside a forecast', async () => {
    const { panels } = make();
    panels.open(refOf('p1'), { ...predictionOf('p1'), token: 'sk-secret', headers: { authorization: 'Bearer sk-secret' } } as LocalPrediction); // prettier-ignore
    await ready();
    assert.deepEqual(shown(), ['p1']);
    assert.doesNotMatch(JSON.stringify(posted()) + window().panels[0].webview.html, /sk-secret/);
  });
});
