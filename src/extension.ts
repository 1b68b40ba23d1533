import { placeOf, within } from '#platform/shelf';
import * as vscode from 'vscode';
import { ManyPages } from './editor/many-series/page.ts';
import { PendingDeletions } from './editor/deletions/pending.ts';
import { ReadingPages } from './editor/views/file-reading/view.ts';
import { modelPages } from './editor/views/model/view.ts';
import { type App, buildBase } from './editor/app.ts';
import { ChartPages } from './editor/charts/page.ts';
import { ForecastFileEditor, plotPages } from './editor/charts/plots.ts';
import { resumeNotifications } from './editor/ui/notify.ts';
import { registerCommands } from './editor/commands.ts';
import { registerLinks, registerMcpServer, registerTools } from './editor/agents/tools.ts';
import { CONTEXTS, onSetting, setting, VIEWS } from './editor/names.ts';
import { watchSaves } from './editor/forecast/again.ts';
import { statusBar, watchStore } from './editor/connection/connection.ts';
import { ResourceTree } from './editor/views/tree/resource-tree.ts';
import { treeSources } from './editor/views/tree/sources.ts';
import { inBackground } from './editor/ui/say.ts';

let stop: (() => Promise<void>) | undefined;

/** Builds the objects and registers them; awaits nothing. @returns only for tests, as a client carries the token */
export function activate(context: vscode.ExtensionContext) {
  const start = performance.now();
  const base = buildBase(context);
  const { log } = base;
  const pages = {
    panels: new ChartPages(() => app),
    plots: plotPages(() => app),
    modelPages: modelPages(() => app),
    manyPages: new ManyPages(() => app),
    readings: new ReadingPages(() => app),
    forecastFiles: new ForecastFileEditor(() => app),
  };
  const deletions = new PendingDeletions(() => app, within(placeOf(context), 'deletions'));
  const trees = new Map(
    treeSources(base).map((source) => [source.viewId, new ResourceTree(source, { ...base, deletions })]),
  );
  const app: App = { ...base, ...pages, deletions, trees };
  context.subscriptions.push(
    ...Object.values(pages),
    ...trees.values(),
    ...watch(app, deletions),
    registerCommands(app),
    registerTools(app),
    registerMcpServer(app),
    registerLinks(app),
    statusBar(base.connection),
    watchSaves(app),
    deletions,
    base.kept,
    base.problems,
    base.files,
    base.connection,
    base.tokens,
    base.reader,
    log,
  );
  resumeNotifications(app);
  setTimeout(() => deletions.resume());
  stop = async () => {
    await deletions.finish();
    await base.connection.stop();
  };
  const activationTime = performance.now() - start;
  return context.extensionMode === vscode.ExtensionMode.Test ? { activationTime, app } : undefined;
}

export type TestApi = NonNullable<ReturnType<typeof activate>>;

export async function deactivate(): Promise<void> {
  await stop?.();
}

function watch({ trees, kept, log, folder }: App, deletions: PendingDeletions): vscode.Disposable[] {
  const all = [...trees.values()];
  const refresh = () => {
    if (setting('service') !== 'local') return;
    for (const tree of all) if (tree.view.visible) inBackground(log, tree.refresh());
  };
  const store = watchStore(folder, refresh, (problem) =>
    log.debug(`Changes of other windows are not seen: ${String(problem)}`),
  );
  const repaint = () => {
    for (const tree of all) tree.repaint();
  };
  return [
    store,
    ...all.map(({ view }) =>
      view.onDidChangeVisibility(({ visible }) => {
        if (visible) store.start();
      }),
    ),
    deletions.onDidChange(() => {
      repaint();
      const canUndo = deletions.latest !== undefined;
      inBackground(log, vscode.commands.executeCommand('setContext', CONTEXTS.canUndo, canUndo));
    }),
    onSetting('timeZone', repaint),
    kept.onDidChange(() => inBackground(log, trees.get(VIEWS.predictions)?.refresh())),
  ];
}
