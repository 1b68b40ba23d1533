import { isAbsolute } from '#platform/files';
import * as vscode from 'vscode';
import { type AgentContext, ToolError } from '../../agents/context.ts';
import type { Tool } from '../../agents/tool.ts';
import { TOOLS } from '../../agents/tools.ts';
import { inDigits } from '../../calendar/digits.ts';
import type { App } from '../app.ts';
import { openAsBefore, openDocument } from '../files/document.ts';
import { storeForJob } from '../files/sources.ts';
import { remarksOf, sourceOf } from '../forecast/forecaster.ts';
import { VIEWS } from '../names.ts';
import { chartLink } from './mcp.ts';

/** The name of a tool among those of all extensions. */
export const editorName = ({ name }: Pick<Tool, 'name'>) => `forecasts_${name}`;

/** Titles for the person; `title` of a tool is for language models. */
const TITLES: Readonly<Partial<Record<string, string>>> = {
  inspect_series_file: vscode.l10n.t('Inspect Series File'),
  forecast_series: vscode.l10n.t('Forecast Series'),
  compare_models: vscode.l10n.t('Compare Forecasting Models'),
  find_anomalies: vscode.l10n.t('Find Anomalies'),
  list_predictions: vscode.l10n.t('List Forecasts'),
  read_prediction: vscode.l10n.t('Read Forecast'),
  list_models: vscode.l10n.t('List Forecasting Models'),
  create_fine_tuned_model: vscode.l10n.t('Create Fine-Tuned Model'),
};

const titleOf = ({ name, title }: Tool): string => TITLES[name] ?? title;

export function registerTools(app: App): vscode.Disposable {
  // editors without AI features may lack it
  if (typeof vscode.lm?.registerTool !== 'function') return new vscode.Disposable(() => undefined);
  return vscode.Disposable.from(
    ...TOOLS.map((tool) => vscode.lm.registerTool(editorName(tool), asEditorTool(app, tool))),
  );
}

function asEditorTool(app: App, tool: Tool): vscode.LanguageModelTool<unknown> {
  return {
    prepareInvocation: ({ input }) => prepare(app, tool, input),
    invoke: async ({ input }, cancellation) => {
      const abort = new AbortController();
      const listener = cancellation.onCancellationRequested(() => {
        abort.abort(new vscode.CancellationError());
      });
      try {
        const call = { signal: abort.signal, progress: () => undefined };
        const { text, isError } = await tool.run(contextOf(app), input, call);
        const part = new vscode.LanguageModelTextPart(isError ? `This did not work. ${text}` : text);
        return new vscode.LanguageModelToolResult([part]);
      } catch (error) {
        if (abort.signal.aborted) throw new vscode.CancellationError();
        app.log.error(`${tool.name}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
        const sentence = vscode.l10n.t(
          '{0} failed because of a bug in this extension. See its log for details.',
          titleOf(tool),
        );
        throw new Error(sentence, { cause: error });
      } finally {
        listener.dispose();
      }
    },
  };
}

/** The files, service and views that the tools use in the editor. */
function contextOf(app: App): AgentContext {
  return {
    service: async () => {
      const { client, info } = await app.connection.ready();
      return { client, name: info.name, isLocal: info.kind === 'local' };
    },
    read: async (file, { layout, missing }, signal) => {
      const uri = uriOf(file);
      signal.throwIfAborted();
      const isAsked = Object.keys(layout).length > 0;
      const opened = isAsked
        ? await openDocument(app.reader, uri, { layout, missing }, signal)
        : await openAsBefore(app, uri, missing, signal);
      return { fileName: opened.fileName, document: opened.document };
    },
    store: (client, name, series, signal) => storeForJob(app, client, { name, series }, { signal }),
    holidays: (place, years) => app.reader.holidays(place, years),
    chartLink: (id) => chartLink(app.connection.current.id, id),
    onForecast: async (prediction, { label, series, document, file }) => {
      const source = document && file !== undefined ? sourceOf({ uri: uriOf(file), document }, series) : undefined;
      app.memory.note(app.connection.current.id, prediction.id, {
        label,
        valueLabel: series.valueColumn ?? series.name,
        remarks: remarksOf(series),
        byAgent: true,
        ...(source ? { source } : {}),
      });
      await app.trees.get(VIEWS.predictions)?.refresh();
    },
    onModel: async (model) => {
      const { id } = app.connection.current;
      app.memory.note(id, model.id, { label: model.name ?? model.id, byAgent: true });
      app.madeModels.keep(id, model);
      await app.trees.get(VIEWS.models)?.refresh();
    },
  };
}

/** Asks first if a tool sends data to a remote service, takes long, or reads a file outside the open folders. */
async function prepare(app: App, tool: Tool, input: unknown): Promise<vscode.PreparedToolInvocation> {
  const { name: service, kind } = app.connection.current;
  const { file, values } = named(input);
  const title = titleOf(tool);
  const rows = values
    ? vscode.l10n.t('{0} values', values.length)
    : file === undefined
      ? undefined
      : await rowsOf(app, file);
  const what = rows ?? vscode.l10n.t('the requested data');
  const outside = vscode.l10n.t('{0} is outside the open folders.', file ?? '');
  const reasons = [
    ...(file !== undefined && !isInWorkspace(file) ? [outside] : []),
    ...(tool.sends && kind !== 'local' ? [vscode.l10n.t('This will be sent to {0}: {1}.', service, what)] : []),
    ...(tool.isLong ? [vscode.l10n.t('A model is trained on {0} by {1}. This may take minutes.', what, service)] : []),
  ];
  const invocationMessage = tool.sends ? vscode.l10n.t('{0}: {1}, by {2}', title, what, service) : title;
  if (reasons.length === 0) return { invocationMessage: plain(invocationMessage) };
  return {
    invocationMessage: plain(invocationMessage),
    confirmationMessages: { title: `${title}?`, message: plain(reasons.join(' ')) },
  };
}

/** A text in which names of files and services are no links. */
const plain = (text: string) => new vscode.MarkdownString().appendText(text);

function named(input: unknown): { file?: string; values?: readonly unknown[] } {
  if (typeof input !== 'object' || input === null) return {};
  const file = 'file' in input && typeof input.file === 'string' ? input.file : undefined;
  const values = 'values' in input && Array.isArray(input.values) ? (input.values as unknown[]) : undefined;
  return { ...(file === undefined ? {} : { file }), ...(values ? { values } : {}) };
}

/** The number of rows of a file, or its name if it cannot be read. */
async function rowsOf(app: App, file: string): Promise<string> {
  if (!isInWorkspace(file)) return file; // not read before the person agreed
  try {
    const { document } = await openDocument(app.reader, uriOf(file), { missing: 'report' });
    const rows = document.series.reduce((most, { times }) => Math.max(most, times.length), 0);
    return vscode.l10n.t('{0} rows of {1}', inDigits(rows), file);
  } catch (error) {
    if (error instanceof ToolError || error instanceof Error) return file;
    throw error;
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
  } catch (error) {
    if (error instanceof Error) return false;
    throw error;
  }
}
