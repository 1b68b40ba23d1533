import type * as vscode from 'vscode';
import type { ManyPanels } from './views/many-series/panels.ts';
import type { HeldDeletions } from './deletions/held.ts';
import type { ForecastFileEditor } from './forecast-file/editor.ts';
import type { ReadingPages } from './views/file-reading/pages.ts';
import type { ModelPages } from './views/model/pages.ts';
import type { ChartPanels } from './views/chart/panels.ts';
import type { Plots } from './views/chart/plots.ts';
import type { Connection } from './connection/connection.ts';
import type { MadeModels } from './connection/made-models.ts';
import type { Memory } from './connection/memory.ts';
import type { Tokens } from './connection/tokens.ts';
import type { ThreadReader } from '../reading/thread/reader.ts';
import type { JobData } from './views/tree/job-data.ts';
import type { ResourceTree } from './views/tree/resource-tree.ts';
import type { AwaitedJobs } from './ui/awaited.ts';
import type { Choices } from './files/choices.ts';
import type { KeptFiles } from './files/kept-files.ts';
import type { SeriesFiles } from './files/series-file.ts';
import type { FileProblems } from './files/problems.ts';

/** What the commands work with; built by the composition root. */
export interface App {
  readonly extensionUri: vscode.Uri;
  /** The extension's own package.json. */
  readonly manifest: { readonly version: string };
  /** Where the local service keeps its data. */
  readonly folder: string;
  /** Of the workspace. */
  readonly state: vscode.Memento;
  readonly reader: ThreadReader;
  readonly log: vscode.LogOutputChannel;
  readonly tokens: Tokens;
  readonly connection: Connection;
  readonly memory: Memory;
  readonly madeModels: MadeModels;
  readonly awaited: AwaitedJobs;
  readonly choices: Choices;
  readonly files: SeriesFiles;
  readonly problems: FileProblems;
  readonly panels: ChartPanels;
  readonly plots: Plots;
  readonly modelPanels: ModelPages;
  readonly manyPanels: ManyPanels;
  readonly readings: ReadingPages;
  readonly forecastFiles: ForecastFileEditor;
  readonly deletions: HeldDeletions;
  readonly kept: KeptFiles;
  readonly jobData: JobData;
  /** The views, by their ids. */
  readonly trees: ReadonlyMap<string, ResourceTree>;
}
