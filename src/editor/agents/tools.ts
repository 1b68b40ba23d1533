import { isAbsolute } from '#platform/files';
import * as vscode from 'vscode';
import { type AgentContext, type Tool, ToolError } from '../../agents/tool.ts';
import { TOOLS } from '../../agents/stored.ts';
import { inDigits } from '../../calendar/digits.ts';
import { storeForJob } from '../../client/store-series.ts';
import type { App } from '../app.ts';
import type { Session } from '../connection/connection.ts';
import { openAsBefore, openDocument } from '../files/document.ts';
import { sourceOf } from '../files/series-file.ts';
import { sendingOf } from '../files/sources.ts';
import { VIEWS } from '../names.ts';
import { runtime } from '#platform/scripts';
import { AddressError } from '../../client/address.ts';

export const editorName = ({ name }: Pick<Tool, 'name'>): string => `forecasts_${name}`;

const titleOf = ({ manifest }: App, tool: Tool): string =>
  manifest.contributes.languageModelTools.find(({ name }) => name === editorName(tool))?.displayName ?? tool.title;

export function registerTools(app: App): vscode.Disposable {
  // editors without AI features may lack it
  if (typeof vscode.lm?.registerTool !== 'function') return new vscode.Disposable(() => undefined);
  const registered = TOOLS.map((tool) =>
    vscode.lm.registerTool<unknown>(editorName(tool), {
      prepareInvocation: ({ input }) => prepare(app, tool, input),
      invoke: ({ input }, cancellation) => invoke(app, tool, input, cancellation),
    }),
  );
  return vscode.Disposable.from(...registered);
}

async function invoke(app: App, tool: Tool, input: unknown, cancellation: vscode.CancellationToken) {
  const abort = new AbortController();
  const listener = cancellation.onCancellationRequested(() => abort.abort());
  try {
    const call = { signal: abort.signal, progress: () => undefined };
    const { text, isError } = await tool.run(contextOf(app), input, call);
    const part = new vscode.LanguageModelTextPart(isError ? `This did not work. ${text}` : text);
    return new vscode.LanguageModelToolResult([part]);
  } catch (error) {
    if (abort.signal.aborted) throw new vscode.CancellationError();
    app.log.error(`${tool.name}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    const title = titleOf(app, tool);
    const bug = vscode.l10n.t('{0} failed because of a bug in this extension. See its log for details.', title);
    throw new Error(bug, { cause: error });
  } finally {
    listener.dispose();
  }
}

/** All of a call goes to one service, though another may be in use before it ends. */
function contextOf(app: App): AgentContext {
  let used: Session | undefined;
  const session = async () => (used ??= await app.connection.ready());
  const serviceId = () => (used ?? app.connection.inUse).info.id;
  return {
    service: () => session().then(({ client, info }) => ({ client, name: info.name })),
    read: async (file, { layout, missing }, signal) => {
      if (Object.keys(layout).length === 0) return openAsBefore(app, uriOf(file), missing, signal);
      return openDocument(app.reader, uriOf(file), { layout, missing }, signal);
    },
    store: async (name, series, signal) => {
      const { client } = await session();
      return (await storeForJob(client, app.reader, { name, series }, sendingOf(app, name, { signal }))).id;
    },
    holidays: (place, years) => app.reader.holidays(place, years),
    chartLink: (id) => chartLink(serviceId(), id),
    onForecast: async (prediction, { label, series, document, file }) => {
      const source = document && file !== undefined ? sourceOf({ uri: uriOf(file), document }, series) : undefined;
      app.memory.note(serviceId(), prediction.id, {
        label,
        valueLabel: series.valueColumn ?? series.name,
        remarks: [...series.remarks],
        byAgent: true,
        ...(source ? { source } : {}),
      });
      await app.trees.get(VIEWS.predictions)?.refresh();
    },
    onModel: async (model) => {
      const id = serviceId();
      app.memory.note(id, model.id, { label: model.name ?? model.id, byAgent: true });
      app.madeModels.keep(id, model);
      await app.trees.get(VIEWS.models)?.refresh();
    },
  };
}

/** Asks first if a tool sends data to a remote service, takes long, or reads a file outside the open folders. */
async function prepare(app: App, tool: Tool, input: unknown): Promise<vscode.PreparedToolInvocation> {
  const { name: service, kind } = app.connection.current;
  const { file, values } = (input ?? {}) as { readonly file?: unknown; readonly values?: unknown };
  const named = typeof file === 'string' ? file : undefined;
  const isOutside = named !== undefined && !isInWorkspace(named);
  const title = titleOf(app, tool);
  const what = await dataOf(app, named, values);
  const reasons = [
    isOutside && vscode.l10n.t('{0} is outside the open folders.', named),
    tool.sends && kind !== 'local' && vscode.l10n.t('This will be sent to {0}: {1}.', service, what),
    tool.isLong && vscode.l10n.t('A model is trained on {0} by {1}. This may take minutes.', what, service),
  ].filter((reason) => typeof reason === 'string');
  const invocationMessage = plain(tool.sends ? vscode.l10n.t('{0}: {1}, by {2}', title, what, service) : title);
  if (reasons.length === 0) return { invocationMessage };
  return { invocationMessage, confirmationMessages: { title: `${title}?`, message: plain(reasons.join(' ')) } };
}

const plain = (text: string) => new vscode.MarkdownString().appendText(text);

/** So many values, or rows of a file; one outside the open folders is not read before the person agreed. */
async function dataOf(app: App, file: string | undefined, values: unknown): Promise<string> {
  if (Array.isArray(values)) return vscode.l10n.t('{0} values', values.length);
  if (file === undefined) return vscode.l10n.t('the requested data');
  if (!isInWorkspace(file)) return file;
  try {
    const { document } = await openDocument(app.reader, uriOf(file), { missing: 'report' });
    const rows = document.series.reduce((most, { times }) => Math.max(most, times.length), 0);
    return vscode.l10n.t('{0} rows of {1}', inDigits(rows), file);
  } catch {
    return file;
  }
}

/** The file of a URI, an absolute path, or a path relative to an open folder. @throws ToolError if no folder is open */
function uriOf(file: string): vscode.Uri {
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(file)) return vscode.Uri.parse(file, true);
  const folders = vscode.workspace.workspaceFolders ?? [];
  if (isAbsolute(file)) {
    const inside = folders.find(({ uri }) => uri.scheme !== 'file' && file.startsWith(`${uri.path}/`));
    return inside ? inside.uri.with({ path: file }) : vscode.Uri.file(file);
  }
  // in a workspace of several folders a path may begin with the name of one
  const [first, ...rest] = file.split(/[\\/]/);
  const named = folders.length > 1 ? folders.find(({ name }) => name === first) : undefined;
  if (named) return vscode.Uri.joinPath(named.uri, ...rest);
  if (folders.length === 0) {
    throw new ToolError(
      vscode.l10n.t('No folder is open, so the relative path “{0}” cannot be resolved. Give an absolute path.', file),
    );
  }
  return vscode.Uri.joinPath(folders[0].uri, file);
}

function isInWorkspace(file: string): boolean {
  try {
    return vscode.workspace.getWorkspaceFolder(uriOf(file)) !== undefined;
  } catch {
    return false;
  }
}

/** Offers the MCP server to the editor. The token is added only when it is started, and goes to that process alone. */
export function registerMcpServer(app: App): vscode.Disposable {
  const program = runtime;
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
