import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { URI } from 'vscode-uri';
import { ServiceError } from '../../../../src/client/errors.ts';
import type { ChartView } from '../../../../src/chart/chart-view.ts';
import { FORECAST_EDITOR } from '../../../../src/editor/names.ts';
import type { ChartState } from '../../../../src/editor/views/chart/protocol.ts';
import { act, stateOf } from '../views/panels.ts';
import { Extension } from '../extension.ts';
import { months, seasonal } from '../series-text.ts';
import { until as untilFits } from '../until.ts';
import { Range, WorkspaceEdit } from '../workbench/values.ts';
import type { WebviewPanel } from '../workbench/webview-panel.ts';

const until = (ask: () => boolean) => untilFits(ask, Boolean);

describe('forecast file', () => {
  const extension = new Extension();
  const state = (panel: WebviewPanel) => stateOf<ChartState>(panel);
  const shown = async (panel: WebviewPanel): Promise<ChartView> => {
    panel.says({ type: 'ready' });
    await until(() => (state(panel).shown ?? null) !== null);
    return state(panel).shown!.chart;
  };
  const save = async (name: string) => {
    const { person, window } = extension;
    const source = extension.file(`${name}.csv`, months(36, { sold: seasonal }));
    await extension.run('forecast', source);
    const target = URI.file(path.join(extension.folder, `${name}.forecast.json`));
    person.savesAs(target);
    const panel = window.panels.at(-1)!;
    await shown(panel);
    act(panel, { type: 'export', kind: 'file' });
    await until(() => person.texts.some((text) => text.includes('is saved in')));
    assert.deepEqual(person.saved.at(-1)?.filters, { JSON: ['json'] });
    assert.match(String(person.saved.at(-1)?.defaultUri), /\/\w+\.forecast\.json$/);
    return target;
  };
  const write = (name: string, value: unknown) => extension.file(name, JSON.stringify(value));

  it('contains the request and the result, one line for each point, and nothing of this machine', async () => {
    const text = readFileSync((await save('sales')).fsPath, 'utf8');
    const { name, value_name, request, prediction } = JSON.parse(text) as Record<string, Record<string, unknown>>;
    assert.deepEqual([name, value_name], ['sales.csv', 'sold']);
    assert.equal((request['series'] as unknown[]).length, 36);
    assert.equal((prediction['prediction_series'] as unknown[]).length, request['prediction_length']);
    assert.match(text, /^ {6}\{"timestamp":"2015-02-01T00:00:00Z","value":\d+\},$/m);
    assert.ok(!text.includes(extension.folder) && !text.includes('local'), text.slice(0, 400));
  });

  it('opens as its chart, and a run writes it only if the numbers differ', async () => {
    const { person, window } = extension;
    const { document, panel } = await window.openCustom(FORECAST_EDITOR, await save('visits'));
    const chart = await shown(panel);
    assert.deepEqual([chart.title, chart.valueLabel, chart.history.times.length], ['visits.csv', 'sold', 36]);
    assert.deepEqual(chart.actions?.map(({ label }) => label), ['Run Again', 'Open as JSON']); // prettier-ignore
    const before = document.getText();
    act(panel, { type: 'action', id: 'run' });
    await until(() => person.texts.some((text) => text === 'visits.csv was reproduced: the numbers are the same.'));
    assert.equal(document.getText(), before);

    const { request, ...rest } = JSON.parse(before) as { request: { series: { value: number }[] }; comment?: string };
    request.series[35].value += 40;
    const changed = write('changed.forecast.json', { ...rest, comment: 'mine', request });
    const other = await window.openCustom(FORECAST_EDITOR, changed);
    await shown(other.panel);
    panel.active = false;
    await extension.run('forecastAgain');
    const reported = person.texts.find((text) => text.includes('steps of visits.csv differ'));
    assert.match(reported ?? '', /^\d+ of \d+ steps of visits\.csv differ, by up to [\d.e+-]+%\.$/);
    assert.match(other.document.getText(), /"comment": "mine"/);
    assert.ok(other.document.isDirty);
    const now = await shown(other.panel);
    assert.notDeepEqual([...(now.forecast?.values ?? [])], [...(chart.forecast?.values ?? [])]);
  });

  it('runs a request that was written by hand, without a prediction', async () => {
    const { window } = extension;
    const series = Array.from({ length: 24 }, (_, n) => ({ timestamp: new Date(Date.UTC(2020, n)).toISOString(), value: n })); // prettier-ignore
    const file = write('plan.forecast.json', { name: 'plan', request: { prediction_length: 3, series } });
    const { document, panel } = await window.openCustom(FORECAST_EDITOR, file);
    const chart = await shown(panel);
    assert.deepEqual([chart.forecast, chart.actions?.[0]?.label], [undefined, 'Run']);
    act(panel, { type: 'action', id: 'run' });
    await until(() => document.getText().includes('"prediction_series"'));
    await until(() => state(panel).shown?.chart.forecast !== undefined);
  });

  it('shows why a file is not a forecast, and opens it as text', async () => {
    const { window } = extension;
    for (const [text, why] of [
      ['{', /^broken\.forecast\.json is not valid JSON: /],
      ['{"name": "x"}', / is not a forecast: “request” is missing or not valid\./],
      [
        '{"name":"x","request":{"prediction_length":"six","series":[]}}',
        /: “request\.prediction_length” is missing or not valid\./,
      ],
      ['[]', /^broken\.forecast\.json is not a forecast: “request” is/],
    ] as const) {
      const { panel } = await window.openCustom(FORECAST_EDITOR, extension.file('broken.forecast.json', text));
      panel.says({ type: 'ready' });
      const status = state(panel).standing?.status;
      assert.equal(status?.kind, 'failed');
      assert.match(status.sentence, why);
      act(panel, { type: 'action', id: 'text' });
      assert.equal(window.executed.at(-1)?.command, 'vscode.openWith');
    }
  });

  it('reports a broken file on a run as a fault of the file', async () => {
    const { window, person } = extension;
    const { panel } = await window.openCustom(FORECAST_EDITOR, extension.file('torn.forecast.json', '{"name": '));
    panel.says({ type: 'ready' });
    act(panel, { type: 'action', id: 'run' });
    await until(() => person.texts.some((text) => text.startsWith('torn.forecast.json is not valid JSON: ')));
    await extension.run('forecastAgain');
    assert.deepEqual(person.texts.filter((text) => text.includes('bug in this extension')), []); // prettier-ignore
  });

  it('keeps an edit that was made during a run, and runs again on request', async () => {
    const { window, person } = extension;
    const series = Array.from({ length: 24 }, (_, n) => ({ timestamp: new Date(Date.UTC(2020, n)).toISOString(), value: n })); // prettier-ignore
    const file = { name: 'draft', request: { prediction_length: 3, series } };
    const { document, panel } = await window.openCustom(FORECAST_EDITOR, write('draft.forecast.json', file));
    await shown(panel);
    person.presses('Run Again');
    act(panel, { type: 'action', id: 'run' });
    const edit = new WorkspaceEdit();
    const whole = new Range(document.positionAt(0), document.positionAt(document.getText().length));
    edit.replace(document.uri, whole, JSON.stringify({ ...file, comment: 'written meanwhile' }));
    await window.workspace.applyEdit(edit);
    await until(() => document.getText().includes('"prediction_series"'));
    assert.match(document.getText(), /"comment": "written meanwhile"/);
    assert.equal(person.texts.filter((text) => text.includes('was edited while its forecast was running')).length, 1);
  });

  it('runs and writes the file on Try Again after a passing failure', async () => {
    const { window, person, app } = extension;
    const series = Array.from({ length: 24 }, (_, n) => ({ timestamp: new Date(Date.UTC(2020, n)).toISOString(), value: n })); // prettier-ignore
    const file = write('away.forecast.json', { name: 'away', request: { prediction_length: 3, series } });
    const { document, panel } = await window.openCustom(FORECAST_EDITOR, file);
    await shown(panel);
    const { client } = app.connection.inUse;
    const create = client.createPrediction.bind(client);
    client.createPrediction = () => {
      client.createPrediction = create;
      return Promise.reject(new ServiceError('busy', 'The service is away.'));
    };
    person.presses('Try Again');
    act(panel, { type: 'action', id: 'run' });
    await until(() => document.getText().includes('"prediction_series"'));
  });

  it('shows the file of another commit without a way to change it', async () => {
    const { window } = extension;
    const uri = await save('old');
    window.documents.splice(0);
    const { panel } = await window.openCustom(FORECAST_EDITOR, uri.with({ scheme: 'git' }));
    assert.deepEqual((await shown(panel)).actions?.map(({ label }) => label), ['Open as JSON']); // prettier-ignore
  });

  it('opens its chart on Forecast instead of being read as a series', async () => {
    const { window } = extension;
    const uri = await save('kept');
    await extension.run('forecast', uri);
    assert.deepEqual(window.executed.at(-1)?.args[1], FORECAST_EDITOR);
  });
});
