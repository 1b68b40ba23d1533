import { runtime } from '#platform/scripts';
import * as vscode from 'vscode';
import { AddressError } from '../../client/address.ts';
import type { App } from '../app.ts';

/** Offers the MCP server to the editor. The token is added only when it is started, and goes to that process alone. */
export function registerMcpServer(app: App): vscode.Disposable {
  const program = runtime;
  // editors without AI features may lack it
  if (program === undefined || typeof vscode.lm?.registerMcpServerDefinitionProvider !== 'function')
    return new vscode.Disposable(() => undefined);
  const changed = new vscode.EventEmitter<void>();
  const change = () => changed.fire();
  const provider: vscode.McpServerDefinitionProvider<vscode.McpStdioServerDefinition> = {
    onDidChangeMcpServerDefinitions: changed.event,
    provideMcpServerDefinitions: () => {
      try {
        return [definitionOf(app, program)];
      } catch (error) {
        if (error instanceof AddressError) return [];
        throw error;
      }
    },
    resolveMcpServerDefinition: async () => {
      const definition = definitionOf(app, program);
      const { kind, origin } = app.connection.current;
      const token = await app.tokens.get(origin);
      const variable = kind === 'local' ? 'FORECASTS_LOCAL_TOKEN' : 'FORECASTS_TOKEN';
      if (token !== undefined) definition.env[variable] = token;
      return definition;
    },
  };
  return vscode.Disposable.from(
    changed,
    app.connection.onDidChange(change),
    vscode.workspace.onDidChangeWorkspaceFolders(change),
    vscode.lm.registerMcpServerDefinitionProvider('forecasts.mcp', provider),
  );
}

function definitionOf(app: App, program: string): vscode.McpStdioServerDefinition {
  const { id, kind } = app.connection.current;
  const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
  const { version } = app.manifest;
  const args = [
    vscode.Uri.joinPath(app.extensionUri, 'dist', 'mcp.mjs').fsPath,
    ...folders.flatMap(({ uri }) => ['--root', uri.fsPath]),
    ...(kind === 'local' ? ['--data', app.folder] : ['--service', id]),
    '--chart-link',
    chartLink(id),
  ];
  const env = { ELECTRON_RUN_AS_NODE: '1' };
  return new vscode.McpStdioServerDefinition(vscode.l10n.t('Time Series Forecasts'), program, args, env, version);
}

const PATH = '/prediction';

/** A link that opens the chart of a prediction in this editor; without one, the beginning of such links. */
export const chartLink = (serviceId: string, predictionId = ''): string => {
  const asked = `service=${encodeURIComponent(serviceId)}&id=${encodeURIComponent(predictionId)}`;
  return `${vscode.env.uriScheme}://time-series-forecasts.time-series-forecasts${PATH}?${asked}`;
};

export function registerLinks(app: App): vscode.Disposable {
  return vscode.window.registerUriHandler({
    handleUri: ({ path, query }) => {
      const asked = new URLSearchParams(query);
      const serviceId = asked.get('service') ?? '';
      const predictionId = asked.get('id') ?? '';
      const isKnown = app.connection.all.some(({ id }) => id === serviceId);
      if (path === PATH && isKnown && predictionId !== '') app.panels.open({ serviceId, predictionId });
    },
  });
}
