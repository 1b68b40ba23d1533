import { scriptsOf } from '#platform/scripts';
import { placeOf, within } from '#platform/shelf';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { writeNumbersIn } from '../calendar/digits.ts';
import { Choices, type OpenedDocument, type Readings } from './files/document.ts';
import type { ReadSeries } from '../reading/types.ts';
import type { SetRef } from './many-series/protocol.ts';
import type { LocalFineTunedModel, LocalPrediction } from '../contract/resources.ts';
import type { Plot, PredictionRef } from './views/chart/protocol.ts';
import { Connection, type Session, Tokens } from './connection/connection.ts';
import { KeptFiles, MadeModels, Memory, type Note } from './connection/memory.ts';
import { ThreadReader } from '../reading/thread/reader.ts';
import type { ResourceNode } from './views/tree/kinds.ts';
import type { ResourceTree } from './views/tree/resource-tree.ts';
import { FileProblems, SeriesFiles } from './files/series-file.ts';
import { notKept } from './ui/say.ts';

export interface Showing {
  readonly viewColumn?: vscode.ViewColumn | undefined;
  readonly preserveFocus?: boolean | undefined;
  readonly ahead?: vscode.Disposable | undefined;
}

interface Pages<R, K = undefined> {
  open(ref: R, known?: K, showing?: Showing): unknown;
  close(ref: R): boolean;
}

export interface Charts extends Pages<PredictionRef, LocalPrediction> {
  /** Shows one on the page of its series. @param showing `former`: whose page; `since`: when it was asked for */
  open(
    ref: PredictionRef,
    known?: LocalPrediction,
    showing?: Showing & { readonly former?: PredictionRef | undefined; readonly since?: number | undefined },
  ): unknown;
  /** Opens a panel for a forecast that is being made, unless its series has a page. @returns closes it if it was not used */
  aheadOf(note: Note): vscode.Disposable | undefined;
  compare(ref: PredictionRef, known: LocalPrediction, others: readonly LocalPrediction[]): void;
  follow(ref: PredictionRef, known: LocalPrediction): void;
  readonly front: PredictionRef | undefined;
  isInSight(ref: PredictionRef): boolean;
}

export interface Asked {
  readonly model?: string | undefined;
  readonly horizon?: number | undefined;
  /** In percent. */
  readonly intervals?: readonly number[] | undefined;
  readonly covariates?: readonly string[] | undefined;
}

export interface App extends ReturnType<typeof buildBase> {
  readonly panels: Charts;
  readonly plots: Pages<Plot>;
  readonly modelPages: Pages<{ readonly serviceId: string; readonly modelId: string }, LocalFineTunedModel>;
  readonly manyPages: Pages<SetRef, readonly LocalPrediction[]> & {
    forecast(opened: OpenedDocument, chosen: readonly ReadSeries[], asked: Asked, session: Session): Promise<void>;
  };
  readonly readings: Pages<{ readonly uri: string }> & Readings;
  readonly forecastFiles: { readonly active: { run(): Promise<void> } | undefined };
  readonly deletions: {
    has(serviceId: string, id: string): boolean;
    delete(chosen: readonly ResourceNode[]): Promise<void>;
    undo(): Promise<void>;
    readonly latest: string | undefined;
  };
  readonly trees: ReadonlyMap<string, ResourceTree>;
}

interface Manifest {
  readonly version: string;
  readonly contributes: {
    readonly languageModelTools: readonly { readonly name: string; readonly displayName: string }[];
  };
}

export function buildBase(context: vscode.ExtensionContext) {
  const { extensionUri, globalStorageUri, globalState, workspaceState: state, secrets } = context;
  const language = vscode.l10n.bundle ? vscode.env.language : 'en';
  l10n.config({ contents: vscode.l10n.bundle ?? {} });
  writeNumbersIn(language);
  const log = vscode.window.createOutputChannel('Time Series Forecasts', { log: true });
  const folder = globalStorageUri.fsPath;
  const tokens = new Tokens(secrets, globalState);
  const [serviceScript, computeScript, series] = ['service', 'engine', 'series'].map(scriptsOf(context));
  const place = placeOf(context);
  const reader = new ThreadReader(series, vscode.l10n.bundle && { language, sentences: vscode.l10n.bundle });
  const trouble = notKept(log, folder);
  const choices = new Choices(within(place, 'choices'), trouble);
  const files = new SeriesFiles({ reader, choices, log });
  return {
    extensionUri,
    manifest: context.extension.packageJSON as Manifest,
    folder,
    state,
    globalState: globalState as vscode.Memento,
    reader,
    log,
    tokens,
    connection: new Connection({ tokens, log, serviceScript, computeScript, folder, place }),
    memory: new Memory(within(place, 'notes'), trouble),
    madeModels: new MadeModels(within(place, 'models'), trouble),
    choices,
    kept: new KeptFiles(within(place, 'kept'), trouble),
    files,
    problems: new FileProblems(files, log),
  };
}
