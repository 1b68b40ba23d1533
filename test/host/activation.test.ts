import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { TestApi } from '../../src/extension.ts';
import { COMMANDS } from '../../src/editor/names.ts';
import { note } from '../harness/reporter.ts';

const extensionId = 'time-series-forecasts.time-series-forecasts';

interface Manifest {
  engines: { vscode: string };
  contributes: {
    commands: { command: string }[];
    views: Record<string, { id: string }[]>;
    configuration: { properties: Record<string, { default?: unknown }> } | { properties: Record<string, unknown> }[];
  };
}

describe('Activation', () => {
  const extension = vscode.extensions.getExtension<TestApi>(extensionId);
  const manifest = extension?.packageJSON as Manifest;

  it('activates and records the time it took', async () => {
    assert.ok(extension, `${extensionId} is not installed`);
    const { activationTime } = await extension.activate();
    note(`activate() took ${activationTime.toFixed(1)} ms in VS Code ${vscode.version} (goal: under 10 ms)`);
  });

  it('registers the commands of package.json and of tree rows, and no others', async () => {
    await extension?.activate();
    const registered = (await vscode.commands.getCommands(true)).filter((id) => id.startsWith('forecasts.'));
    // VS Code adds commands of its own for every view: focus, open, resetViewLocation, toggleVisibility, removeView
    const views = Object.values(manifest.contributes.views).flat();
    const own = registered.filter((id) => !views.some((view) => id.startsWith(`${view.id}.`)));
    const declared = manifest.contributes.commands.map(({ command }) => command);
    assert.deepEqual(own.sort(), [...declared, COMMANDS.loadMore, COMMANDS.explainProblem].sort());
  });

  it('uses the defaults of package.json for its settings', () => {
    const { configuration } = manifest.contributes;
    const settings = vscode.workspace.getConfiguration();
    for (const { properties } of Array.isArray(configuration) ? configuration : [configuration]) {
      for (const [name, schema] of Object.entries(properties)) {
        assert.ok(name.startsWith('forecasts.'), `${name} has another prefix`);
        assert.deepEqual(settings.inspect(name)?.defaultValue, (schema as { default?: unknown }).default, name);
      }
    }
  });
});
