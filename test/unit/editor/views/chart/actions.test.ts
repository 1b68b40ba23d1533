import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { URI } from 'vscode-uri';
import { chartView } from '../../../../../src/chart/chart-view.ts';
import { ServiceError } from '../../../../../src/client/errors.ts';
import type { LocalPrediction } from '../../../../../src/contract/local.ts';
import type { WorkMessage } from '../../../../../src/editor/views/analysis/protocol.ts';
import { COMMANDS } from '../../../../../src/editor/names.ts';
import type { Source } from '../../../../../src/editor/connection/memory.ts';
import { type ActionHost, PanelActions } from '../../../../../src/editor/views/chart/actions.ts';
import { log, predictionOf, settled, useWindow } from '../panels.ts';

const source = { fileName: 'sales.csv', uri: 'file:///data/sales.csv', id: 'sales', timeKind: 'date', format: { kind: 'csv', encoding: 'utf-8', delimiter: ';', decimal: ',', header: true, skippedLines: 0 }, valueColumn: 'sold', timeColumn: 'day' } as Source; // prettier-ignore

describe('what is done on the page of a chart', () => {
  const window = useWindow();
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'forecasts-actions-'));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  function make(given: { prediction?: LocalPrediction | undefined; from?: Source | undefined } = {}) {
    const { prediction, from } = { prediction: predictionOf('p1'), from: source, ...given };
    const done: unknown[] = [];
    for (const name of ['forecastAgain', 'keepUpToDate', 'showReading', 'export'] as const)
      window().commands.registerCommand(COMMANDS[name], (what: unknown) => void done.push([name, what instanceof URI ? what.toString() : what]));
    const host: ActionHost = {
      ref: () => ({ serviceId: 'local', predictionId: 'p1' }),
      prediction: () => prediction,
      view: () => prediction && chartView(prediction, { label: 'sales.csv', timeZone: 'UTC' }),
      source: () => from,
      ready: () => void done.push('ready'),
      reload: () => void done.push('reload'),
      takeTotals: () => void done.push('totals'),
      changeSteps: () => void done.push('steps'),
      supposeFile: () => void done.push('suppose file'),
      work: (message: WorkMessage) => void done.push(message),
      toWorkbook: () => Promise.resolve(Uint8Array.of(80, 75)),
    };
    const actions = new PanelActions(host, log());
    return { done, says: (message: unknown) => { actions.receive(message); } };
  } // prettier-ignore
  const ref = { serviceId: 'local', predictionId: 'p1' };

  it('begins with the page that is there, and reads again when told to', () => {
    const { done, says } = make();
    says({ type: 'ready' });
    says({ type: 'action', id: 'retry' });
    assert.deepEqual(done, ['ready', 'reload']);
  });

  it('makes the forecast again: as it was, with another model, with the one that is named', async () => {
    const { done, says } = make();
    for (const id of ['again', 'model', 'use-model:seasonal-naive', 'use:x']) says({ type: 'action', id });
    await settled();
    assert.deepEqual(done, [
      ['forecastAgain', ref],
      ['forecastAgain', { ...ref, isOtherModel: true }],
      ['forecastAgain', { ...ref, model: 'seasonal-naive' }],
    ]);
  });

  it('acts on the file: with its totals, no longer kept up to date, or its future laid over the chart', async () => {
    const { done, says } = make();
    for (const id of ['take-totals', 'change-steps', 'stop-keeping', 'show-reading', 'lay-over'])
      says({ type: 'action', id });
    await settled();
    assert.deepEqual(done.toSorted(), [['keepUpToDate', source.uri], ['showReading', source.uri], 'totals', 'steps', 'suppose file'].toSorted()); // prettier-ignore
  });

  it('does nothing to a file where the forecast came from none', async () => {
    const { done, says } = make({ from: undefined });
    for (const id of ['take-totals', 'stop-keeping', 'show-reading']) says({ type: 'action', id });
    says({ type: 'lines', first: 1, last: 2 });
    await settled();
    assert.deepEqual([done, window().executed], [[], []]);
  });

  it('shows the lines of the file that a remark is about', async () => {
    const { says } = make();
    says({ type: 'lines', first: 5, last: 7 });
    await settled();
    const [{ command, args }] = window().executed;
    const { selection } = args[1] as { selection: { start: { line: number }; end: { line: number } } };
    assert.deepEqual([command, String(args[0]), selection.start.line, selection.end.line], ['vscode.open', source.uri, 4, 7]); // prettier-ignore
    for (const wrong of [{ first: 0, last: 2 }, { first: 3, last: 2 }, { first: 1.5, last: 2 }]) says({ type: 'lines', ...wrong }); // prettier-ignore
    await settled();
    assert.equal(window().executed.length, 1);
  });

  it('hands work with the forecast on as it is asked', () => {
    const { done, says } = make();
    const asked: WorkMessage[] = [
      { type: 'change', change: { horizon: 3 } },
      { type: 'back' },
      { type: 'look', look: 'odd', rarity: 100 },
      { type: 'odd', do: 'mark' },
      { type: 'compare', do: 'add-model', id: 'theta' },
      { type: 'test-columns' },
      { type: 'suppose', name: 'more', cells: [{ column: 'promo', time: 0, value: 1 }] },
    ];
    for (const message of asked) says(message);
    assert.deepEqual(done, asked);
  });

  it('saves the forecast as its file is written: delimiter, decimals and names of columns', async () => {
    const { says } = make();
    const target = URI.file(path.join(folder, 'out.csv'));
    window().person.savesAs(target).presses('Open');
    says({ type: 'export', kind: 'csv' });
    await settled();
    const [head, first] = readFileSync(target.fsPath, 'utf8').split('\n');
    assert.match(head, /^day;forecast/);
    assert.match(first, /^2024-01-11;10/);
    assert.match(window().person.texts.join(), /^out\.csv is saved in /);
    assert.deepEqual(window().executed.map(({ command }) => command), ['vscode.open'], 'Open opens it'); // prettier-ignore
    assert.equal(path.basename(String((window().person.saved[0]?.defaultUri as URI).path)), 'sales-forecast.csv');
  });

  it('saves as JSON, Excel, picture and forecast file too', async () => {
    const { done, says } = make({ from: undefined });
    const files: Record<string, string> = {};
    for (const [kind, data] of [['json'], ['xlsx'], ['svg', new TextEncoder().encode('<svg/>')]] as const) {
      const target = URI.file(path.join(folder, `out.${kind}`));
      window().person.savesAs(target);
      says({ type: 'export', kind, data });
      await settled();
      files[kind] = readFileSync(target.fsPath, 'utf8');
    }
    assert.equal((JSON.parse(files.json) as unknown[]).length, 3);
    assert.deepEqual([files.xlsx, files.svg], ['PK', '<svg/>']);
    says({ type: 'export', kind: 'file' });
    says({ type: 'export', kind: 'png', data: 'no bytes' });
    await settled();
    assert.deepEqual(done, [['export', { ...ref, as: 'file' }]]);
  });

  it('copies and opens as text, and says so', async () => {
    const { says } = make();
    says({ type: 'export', kind: 'copy' });
    says({ type: 'export', kind: 'untitled' });
    says({ type: 'copied' });
    await settled();
    assert.match(window().clipboard, /^day;forecast/);
    assert.deepEqual(window().statusMessages.toSorted(), ['Forecast copied', 'Picture copied']);
    assert.equal(window().documents[0].languageId, 'plaintext', 'this editor knows no csv');
  });

  it('says where a file cannot be written, and nothing where the person goes away', async () => {
    const { says } = make();
    window().person.savesAs(URI.file(path.join(folder, 'out.csv', 'is-no-folder', '\0')));
    says({ type: 'export', kind: 'csv' });
    await settled();
    assert.match(window().person.texts.join(), /could not be written: /);
    window().person.savesAs(undefined);
    says({ type: 'export', kind: 'csv' });
    await settled();
    assert.equal(window().person.texts.length, 1);
  });

  it('exports nothing while there is no forecast', async () => {
    const { says } = make({ prediction: undefined });
    for (const kind of ['csv', 'copy', 'untitled']) says({ type: 'export', kind });
    await settled();
    assert.deepEqual([window().clipboard, window().documents.length], ['', 0]);
  });

  it('tells a failure of what was asked for', async () => {
    const host = { ref: () => ref, toWorkbook: () => Promise.reject(new ServiceError('failed', 'No room is left.')), view: () => chartView(predictionOf('p1'), { timeZone: 'UTC' }), prediction: () => predictionOf('p1'), source: () => undefined } as unknown as ActionHost; // prettier-ignore
    new PanelActions(host, log()).receive({ type: 'export', kind: 'xlsx' });
    await settled();
    assert.deepEqual(window().person.texts, ['No room is left.']);
  });

  it('has faults of the page in the log, and passes over what is no message', () => {
    const { done, says } = make();
    for (const message of [undefined, 'x', [], { type: 'delete-all' }, { type: 'state' }, { type: 'action' }, { type: 'export', kind: 'exe' }]) says(message); // prettier-ignore
    says({ type: 'problem', message: 'it cannot draw' });
    assert.deepEqual([done, window().log], [[], ['error Chart page: it cannot draw']]);
  });
});
