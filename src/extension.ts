import { writeNumbersIn } from './calendar/digits.ts';
import path from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { ManyPanels } from './editor/views/many-series/panels.ts';
import { deletionDeeds } from './editor/deletions/delete.ts';
import { HeldDeletions } from './editor/deletions/held.ts';
import { ForecastFileEditor } from './editor/forecast-file/editor.ts';
import { runForecastFile } from './editor/forecast-file/run.ts';
import { manyDeeds } from './editor/many-series/deeds.ts';
import { ReadingPages } from './editor/views/file-reading/pages.ts';
import { ModelPages } from './editor/views/model/pages.ts';
import { rememberLayout } from './editor/files/choose-series.ts';
import { openDocument } from './editor/files/document.ts';
import { followSeries } from './editor/files/follow-series.ts';
import { makeForecast } from './editor/forecast/forecaster.ts';
import { changeSteps } from './editor/forecast/change-steps.ts';
import { takeTotals } from './editor/forecast/forecast.ts';
import { forecastWithout } from './editor/forecast/without.ts';
import { noChart } from './editor/request/create.ts';
import { withCalendarOf } from './editor/request/calendar.ts';
import { markOddPoints } from './editor/views/chart/odd-points.ts';
import { modelChoices } from './editor/request/pick-model.ts';
import { modelDeeds } from './editor/views/model/further.ts';
import { plotDeeds } from './editor/forecast/plot.ts';
import { ChartPanels } from './editor/views/chart/panels.ts';
import type { ToWorkbook } from './editor/views/chart/deliver.ts';
import { Plots } from './editor/views/chart/plots.ts';
import type { App } from './editor/app.ts';
import { AwaitedJobs } from './editor/ui/awaited.ts';
import { Choices } from './editor/files/choices.ts';
import { KeptFiles } from './editor/files/kept-files.ts';
import { SeriesFiles } from './editor/files/series-file.ts';
import { FileProblems } from './editor/files/problems.ts';
import { resumeTelling } from './editor/ui/notify.ts';
import { registerCommands } from './editor/register.ts';
import { registerLinks } from './editor/agents/links.ts';
import { registerMcpServer } from './editor/agents/mcp.ts';
import { registerTools } from './editor/agents/tools.ts';
import { VIEWS } from './editor/names.ts';
import { FileWatch } from './editor/forecast/file-watch.ts';
import { Connection } from './editor/connection/connection.ts';
import { MadeModels } from './editor/connection/made-models.ts';
import { Memory } from './editor/connection/memory.ts';
import { COMMANDS, CONTEXTS } from './editor/names.ts';
import { setting, touches } from './editor/connection/settings.ts';
import { StoreWatch } from './editor/connection/store-watch.ts';
import { StatusBar } from './editor/connection/status-bar.ts';
import { Tokens } from './editor/connection/tokens.ts';
import { ThreadReader } from './reading/thread/reader.ts';
import { JobData } from './editor/views/tree/job-data.ts';
import { ResourceTree } from './editor/views/tree/resource-tree.ts';
import { treeSources } from './editor/views/tree/sources.ts';
import { inBackground } from './editor/ui/background.ts';
import { notKept } from './editor/ui/not-kept.ts';

/** What the extension gives to its own tests; to anybody else nothing, as a client carries the token. */
export interface TestApi {
  /** Milliseconds that `activate` took. */
  readonly activationTime: number;
  readonly app: App;
}

let stop: (() => Promise<void>) | undefined;

/** The composition root: builds the objects, registers them, awaits nothing. */
export function activate(context: vscode.ExtensionContext): TestApi | undefined {
  const start = performance.now();
  // the rooms that know nothing of the editor say their sentences in its language too
  const language = vscode.l10n.bundle ? vscode.env.language : 'en';
  l10n.config({ contents: vscode.l10n.bundle ?? {} });
  writeNumbersIn(language);
  const { extensionUri, globalStorageUri, globalState, workspaceState, secrets } = context;
  const log = vscode.window.createOutputChannel('Time Series Forecasts', { log: true });
  const folder = globalStorageUri.fsPath;
  const tokens = new Tokens(secrets, globalState);
  const connection = new Connection({
    tokens,
    log,
    serviceScript: context.asAbsolutePath('dist/service.cjs'),
    computeScript: context.asAbsolutePath('dist/engine.cjs'),
    folder,
  });
  const reader = new ThreadReader(
    context.asAbsolutePath('dist/series.mjs'),
    vscode.l10n.bundle && { language, sentences: vscode.l10n.bundle },
  );
  const trouble = notKept(log, folder);
  const memory = new Memory(globalState, path.join(folder, 'notes'), trouble);
  const madeModels = new MadeModels(globalState, path.join(folder, 'models'), trouble);
  const awaited = new AwaitedJobs(workspaceState);
  const choices = new Choices(workspaceState, path.join(folder, 'choices'), trouble);
  const kept = new KeptFiles(workspaceState);
  const files = new SeriesFiles({ reader, choices, log });
  const problems = new FileProblems(files, log);
  const toWorkbook: ToWorkbook = ({ series, format }) => reader.write([series], format, true);
  const panels = new ChartPanels({
    toWorkbook,
    kept,
    extensionUri,
    connection,
    memory,
    log,
    state: workspaceState,
    follow: (source, events) => followSeries(files, source, events),
    deeds: {
      models: (session) => modelChoices(app, session),
      beside: (ref, prediction, change, signal) =>
        makeForecast(app, { source: { kind: 'prediction', ref, prediction }, change, show: noChart() }, signal),
      withCalendar: (ref, series, steps) => withCalendarOf(app, ref, series, steps),
      suppose: (ref, prediction, { name: scenario, series }, signal) => {
        const source = { kind: 'prediction', ref, prediction, series, scenario } as const;
        return makeForecast(app, { source, show: noChart() }, signal);
      },
      takeTotals: (uri) => takeTotals(app, uri),
      changeSteps: (uri) => changeSteps(app, uri),
      leaveOut: (ref, prediction, times) => forecastWithout(app, ref, prediction, times),
      held: () => {
        inBackground(log, trees.get(VIEWS.predictions)?.refresh());
      },
      mark: (ref, points) => markOddPoints(app, ref, points),
    },
  });
  const plots = new Plots({
    extensionUri,
    toWorkbook,
    log,
    ...plotDeeds(() => app),
    follow: (source, onChange) => followSeries(files, source, { onChange, onSeries: () => undefined }),
  });
  const modelPanels = new ModelPages({
    extensionUri,
    connection,
    memory,
    madeModels,
    log,
    deeds: {
      stop: (serviceId, model) => modelDeeds(app).stop(serviceId, model),
      trainFurther: (serviceId, model) => modelDeeds(app).trainFurther(serviceId, model),
      showDataset: (id) => modelDeeds(app).showDataset(id),
    },
  });
  const manyPanels = new ManyPanels({
    extensionUri,
    connection,
    log,
    deeds: {
      load: (ref, signal) => manyDeeds(app).load(ref, signal),
      open: (ref, prediction) => manyDeeds(app).open(ref, prediction),
      do: (...deed) => manyDeeds(app).do(...deed),
    },
  });
  const readings = new ReadingPages({
    extensionUri,
    log,
    read: async (uri, layout, signal) =>
      (await openDocument(reader, uri, { layout, missing: 'report' }, signal)).document,
    follow: (uri, listener) => files.subscribe(uri, listener),
    remember: (uri, document, layout) => rememberLayout({ choices }, uri, document, layout),
  });
  const forecastFiles = new ForecastFileEditor({
    extensionUri,
    log,
    deeds: { run: (file) => runForecastFile(app, file) },
    toWorkbook,
  });
  const isToken = async (secret: string): Promise<boolean> => {
    const { kind, origin } = connection.current;
    return secret === (kind === 'local' ? await tokens.local() : await tokens.get(origin));
  };
  const storeFiles = (files: readonly vscode.Uri[]) => {
    inBackground(log, vscode.commands.executeCommand(COMMANDS.createDataset, files[0], files));
  };
  const deletions = new HeldDeletions({ folder: path.join(folder, 'deletions'), log, ...deletionDeeds(() => app) });
  const isHeld = (serviceId: string, id: string) => deletions.isHeld(serviceId, id);
  const jobData = new JobData(globalState);
  const trees = new Map(
    treeSources({ connection, log, memory, madeModels, isToken, storeFiles, jobData, isHeld, kept }).map((source) => [
      source.viewId,
      new ResourceTree(source, connection, log, workspaceState),
    ]),
  );
  const app: App = {
    extensionUri,
    manifest: context.extension.packageJSON as App['manifest'],
    folder,
    state: workspaceState,
    reader,
    log,
    tokens,
    connection,
    memory,
    madeModels,
    awaited,
    choices,
    files,
    problems,
    panels,
    plots,
    modelPanels,
    manyPanels,
    readings,
    forecastFiles,
    deletions,
    kept,
    jobData,
    trees,
  };
  // what another window does on the same store is seen here too
  const store = new StoreWatch(
    folder,
    () => {
      if (setting('service') !== 'local') return;
      for (const tree of trees.values()) if (tree.view.visible) inBackground(log, tree.refresh());
    },
    (problem) => {
      log.debug(`Changes of other windows are not seen: ${String(problem)}`);
    },
  );
  for (const { view } of trees.values()) {
    context.subscriptions.push(
      view.onDidChangeVisibility(({ visible }) => {
        if (visible) store.start();
      }),
    );
  }
  const commands = registerCommands(app);
  const statusBar = new StatusBar(connection);
  context.subscriptions.push(
    statusBar,
    store,
    commands,
    registerTools(app),
    registerMcpServer(app),
    registerLinks(app),
    ...trees.values(),
    panels,
    plots,
    modelPanels,
    manyPanels,
    readings,
    forecastFiles,
    deletions,
    deletions.onDidChange(() => {
      for (const tree of trees.values()) tree.repaint();
      const canUndo = deletions.latest !== undefined;
      inBackground(log, vscode.commands.executeCommand('setContext', CONTEXTS.canUndo, canUndo));
    }),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (touches(event, 'timeZone')) for (const tree of trees.values()) tree.repaint();
    }),
    kept,
    kept.onDidChange(() => {
      inBackground(log, trees.get(VIEWS.predictions)?.refresh());
    }),
    new FileWatch(app),
    problems,
    files,
    connection,
    tokens,
    reader,
    log,
  );
  resumeTelling(app);
  setImmediate(() => {
    deletions.resume();
  });
  stop = async () => {
    await deletions.finish();
    await connection.stop();
  };
  const activationTime = performance.now() - start;
  return context.extensionMode === vscode.ExtensionMode.Test ? { activationTime, app } : undefined;
}

export async function deactivate(): Promise<void> {
  await stop?.();
}
