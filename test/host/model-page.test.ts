import assert from 'node:assert/strict';
import type { modelPages } from '../../src/editor/views/model/view.ts';
import * as vscode from 'vscode';
import { extension, until } from './support.ts';

describe('Page of a fine-tuned model', () => {
  afterEach(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  const revive = async (state: unknown) => {
    const { app } = await extension();
    const panel = vscode.window.createWebviewPanel('forecasts.model', 'Before', vscode.ViewColumn.Active);
    await (app.modelPages as ReturnType<typeof modelPages>).deserializeWebviewPanel(panel, state);
    return panel;
  };

  it('restores itself from its stored state', async () => {
    const { app } = await extension();
    const series = Array.from({ length: 30 }, (_, day) => ({
      timestamp: new Date(Date.UTC(2024, 0, day + 1)).toISOString(),
      value: day % 7,
    }));
    const model = await app.connection.inUse.client.createFineTunedModel({
      base_model: 'theta',
      input_config: { series },
      name: 'Came back',
    });
    const panel = await revive({ ref: { serviceId: 'local', modelId: model.id } });
    await until(
      () => panel.title,
      (title) => title === model.name,
      'the page has its model',
    );
  });

  it('keeps its title if its model is gone and closes without stored state', async () => {
    const panel = await revive({ ref: { serviceId: 'local', modelId: 'model_gone' } });
    assert.equal(panel.title, 'Before');
    assert.match(panel.webview.html, /<title>Before<\/title>/);
    const empty = await revive(undefined);
    assert.throws(() => empty.webview);
  });
});
