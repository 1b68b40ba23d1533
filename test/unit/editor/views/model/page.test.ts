import assert from 'node:assert/strict';
import type { modelPages } from '../../../../../src/editor/views/model/view.ts';
import type * as vscode from 'vscode';
import { ServiceError } from '../../../../../src/client/errors.ts';
import type { ModelState } from '../../../../../src/editor/views/model/view.ts';
import { Extension } from '../../extension.ts';
import { until } from '../../until.ts';
import { act } from '../panels.ts';
import { WebviewPanel } from '../../workbench/webview-panel.ts';

describe('model page of a local service', () => {
  const extension = new Extension();

  /** As the editor brings a tab back: of a model that its service does not have. */
  async function restored(): Promise<WebviewPanel> {
    const panel = new WebviewPanel('forecasts.model', 'Model');
    const ref = { serviceId: 'local', modelId: '00000000-0000-4000-8000-000000000000' };
    await (extension.app.modelPages as ReturnType<typeof modelPages>).deserializeWebviewPanel(
      panel as unknown as vscode.WebviewPanel,
      {
        ref,
      },
    );
    panel.says({ type: 'ready' });
    return panel;
  }
  const problems = (panel: WebviewPanel) =>
    (panel.posted as { parts: Partial<ModelState> }[]).filter(
      ({ parts: { model } }) => model && model.status === undefined && model.problem !== undefined,
    );

  it('reports a deleted model, and loads it again on request and when services change', async () => {
    const panel = await restored();
    await until(() => problems(panel).length, (count) => count === 1); // prettier-ignore
    act(panel, { type: 'action', id: 'retry' });
    await until(() => problems(panel).length, (count) => count === 2); // prettier-ignore
    extension.window.setSetting('forecasts.remoteServices', { Other: 'https://forecasts.example.com/v1' });
    await until(() => problems(panel).length, (count) => count >= 3); // prettier-ignore
    panel.dispose();
  });

  it('sends no requests once it is closed', async () => {
    const panel = await restored();
    await until(() => problems(panel).length, (count) => count > 0); // prettier-ignore
    panel.dispose();
    const { client } = extension.app.connection.inUse;
    let asked = 0;
    client.capabilities = () => {
      asked++;
      return Promise.reject(new ServiceError('unavailable', 'nobody is to ask'));
    };
    try {
      extension.window.log.length = 0;
      extension.window.setSetting('forecasts.remoteServices', {});
      act(panel, { type: 'action', id: 'retry' });
      await new Promise((resolve) => setImmediate(resolve));
      assert.deepEqual(
        extension.window.log.filter((line) => line.includes('disposed') || line.includes('Page of')),
        [],
      );
      assert.equal(asked, 0);
    } finally {
      Reflect.deleteProperty(client, 'capabilities');
    }
  });
});
