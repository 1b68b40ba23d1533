import assert from 'node:assert/strict';
import { registerMcpServer } from '../../../../src/editor/agents/tools.ts';
import { Extension } from '../extension.ts';
import type { McpStdioServerDefinition } from '../workbench/values.ts';

interface Provider {
  readonly onDidChangeMcpServerDefinitions: (listener: () => void) => { dispose: () => void };
  readonly provideMcpServerDefinitions: () => McpStdioServerDefinition[];
  readonly resolveMcpServerDefinition: () => Promise<McpStdioServerDefinition>;
}

describe('MCP server that the editor starts', () => {
  const extension = new Extension();
  let provider: Provider;
  let registered: { dispose: () => unknown };
  before(() => {
    const { lm } = extension.window;
    Object.assign(lm, {
      registerMcpServerDefinitionProvider: (_id: string, given: Provider) => {
        provider = given;
        return { dispose: () => undefined };
      },
    });
    registered = registerMcpServer(extension.app);
  });
  after(() => registered.dispose());
  afterEach(() => {
    for (const name of ['service', 'remoteServices']) extension.window.setSetting(`forecasts.${name}`, undefined);
    extension.window.root = undefined;
  });

  it('uses the store of the sidebar and reads only open folders', () => {
    extension.window.root = extension.folder;
    const [{ args, env, version }] = provider.provideMcpServerDefinitions();
    assert.deepEqual(args.slice(1, 5), ['--root', extension.folder, '--data', extension.app.folder]);
    assert.match(args.join(' '), /--chart-link vscode:.*service=local&id=$/);
    assert.equal(version, extension.app.manifest.version);
    assert.equal(env.ELECTRON_RUN_AS_NODE, '1');
  });

  it('gets only the token of its own service, only when started', async () => {
    const [listed] = provider.provideMcpServerDefinitions();
    const local = await extension.app.tokens.local();
    assert.doesNotMatch(JSON.stringify(listed), new RegExp(local));
    assert.equal((await provider.resolveMcpServerDefinition()).env.FORECASTS_LOCAL_TOKEN, local);
    await extension.app.tokens.set('https://forecasts.example.com', 'remote-token');
    extension.window.setSetting('forecasts.service', 'https://forecasts.example.com/v1');
    const remote = await provider.resolveMcpServerDefinition();
    assert.deepEqual([remote.env.FORECASTS_TOKEN, remote.env.FORECASTS_LOCAL_TOKEN], ['remote-token', undefined]);
    assert.ok(remote.args.join(' ').includes('--service https://forecasts.example.com/v1'));
    assert.ok(!remote.args.includes('--data'));
    await extension.app.tokens.delete('https://forecasts.example.com');
    assert.equal((await provider.resolveMcpServerDefinition()).env.FORECASTS_TOKEN, undefined);
  });

  it('is not offered without a service', async () => {
    extension.window.setSetting('forecasts.service', 'Gone');
    assert.deepEqual(await provider.provideMcpServerDefinitions(), []);
    extension.window.setSetting('forecasts.service', undefined);
    assert.equal((await provider.provideMcpServerDefinitions()).length, 1);
  });

  it('is offered again after another service is in use or another folder is open', () => {
    let reported = 0;
    const listening = provider.onDidChangeMcpServerDefinitions(() => reported++);
    extension.window.setSetting('forecasts.service', 'https://forecasts.example.com/v1');
    assert.equal(reported, 1);
    extension.window.changedFolders.fire({});
    assert.equal(reported, 2);
    listening.dispose();
  });
});
