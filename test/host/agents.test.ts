import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { editorName } from '../../src/editor/agents/tools.ts';
import { TOOLS } from '../../src/agents/stored.ts';
import { extension, file, until } from './support.ts';

const token = () => new vscode.CancellationTokenSource().token;

async function invoke(name: string, input: object): Promise<string> {
  const result = await vscode.lm.invokeTool(`forecasts_${name}`, { input, toolInvocationToken: undefined }, token());
  return result.content.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : '')).join('\n');
}

describe('Language model tools', () => {
  before(extension);

  it('lists the tools with their schemas', async () => {
    const own = await until(
      () => vscode.lm.tools.filter(({ name }) => name.startsWith('forecasts_')),
      ({ length }) => length === TOOLS.length,
      'tools',
    );
    assert.deepEqual(own.map(({ name }) => name).sort(), TOOLS.map(editorName).sort());
    for (const { inputSchema, description } of own) assert.ok(inputSchema && description);
  });

  it('forecasts a workspace file, marks the prediction and links its chart', async () => {
    const { app } = await extension();
    const text = await invoke('forecast_series', { file: 'air-passengers.csv', horizon: 6 });
    assert.match(text, /6 months ahead/);
    const [, id] = /Prediction ID: ([\w-]+)\./.exec(text) ?? [];
    assert.equal(app.memory.recall('local', id)?.byAgent, true);
    const [, link] = /Chart: (\S+)/.exec(text) ?? [];
    assert.ok(link.startsWith(`${vscode.env.uriScheme}://time-series-forecasts.time-series-forecasts/`), link);
    assert.equal(new URL(link).searchParams.get('id'), id);
  });

  it('reads unsaved edits and asks what a person would be asked', async () => {
    const uri = await file('agent.csv', 'day,value\n2024-01-01,1\n2024-01-02,2\n2024-01-03,3\n');
    const document = await vscode.workspace.openTextDocument(uri);
    const edit = new vscode.WorkspaceEdit();
    edit.insert(uri, new vscode.Position(4, 0), '2024-01-04,4\n');
    await vscode.workspace.applyEdit(edit);
    assert.ok(document.isDirty);
    assert.match(await invoke('inspect_series_file', { file: 'agent.csv' }), /4 points/);
    await document.save();
    assert.match(await invoke('forecast_series', { file: 'store-sales.csv' }), /has 4 series/);
  });

  it('compares models, lists and reads predictions, trains models', async () => {
    const compared = await invoke('compare_models', {
      file: 'air-passengers.csv',
      models: ['theta', 'seasonal-naive'],
    });
    assert.match(compared, /Best in the backtest: theta/);
    const listed = await invoke('list_predictions', {});
    const [id] = /prediction_\w+/.exec(listed) ?? [];
    assert.ok(id);
    assert.match(await invoke('read_prediction', { id, steps: 1 }), /when, forecast/);
    assert.match(await invoke('list_models', {}), /hybrid/);
    assert.match(
      await invoke('create_fine_tuned_model', { file: 'store-sales.csv', base_model: 'theta' }),
      /^Started to train/,
    );
  });
});
