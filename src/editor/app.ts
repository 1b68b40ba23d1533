import type * as vscode from 'vscode';
import type { OpenedDocument } from './files/document.ts';
import type { SetRef } from './many-series/protocol.ts';
import type { LocalFineTunedModel, LocalPrediction } from '../contract/resources.ts';
import type { Plot, PredictionRef } from './views/chart/protocol.ts';
import type { Connection } from './connection/connection.ts';
import type { MadeModels, Memory, Note } from './connection/memory.ts';
import type { Tokens } from './connection/tokens.ts';
import type { ThreadReader } from '../reading/thread/reader.ts';
import type { ResourceNode } from './views/tree/kinds.ts';
import type { ResourceTree } from './views/tree/resource-tree.ts';
import type { Choices } from './files/choices.ts';
import type { KeptFiles } from './files/kept-files.ts';
import type { SeriesFiles } from './files/series-file.ts';
import type { FileProblems } from './files/problems.ts';

export interface Showing {
  readonly viewColumn?: vscode.ViewColumn | undefined;
  readonly preserveFocus?: boolean | undefined;
  /** A panel that was opened while its page was being made. */
  readonly ahead?: vscode.Disposable | undefined;
}

/** The pages of a kind. `K`: what may be known of one. */
interface Pages<R, K = undefined> {
  open(ref: R, known?: K, showing?: Showing): unknown;
  close(ref: R): boolean;
}

export interface Charts extends Pages<PredictionRef, LocalPrediction> {
  /**
   * Shows one on the page of its series, if there is one.
   * @param showing `former`: whose page it takes; `since`: when it was asked for: what was chosen later stays
   */
  open(
    ref: PredictionRef,
    known?: LocalPrediction,
    showing?: Showing & { readonly former?: PredictionRef | undefined; readonly since?: number | undefined },
  ): unknown;
  /** Opens a panel for a forecast that is being made, unless its series has a page. @returns closes it if it was not used */
  aheadOf(note: Note): vscode.Disposable | undefined;
  compare(ref: PredictionRef, known: LocalPrediction, others: readonly LocalPrediction[]): void;
  /** Shows a newer forecast on the page of its series if it is open, without focus. */
  follow(ref: PredictionRef, known: LocalPrediction): void;
  readonly front: PredictionRef | undefined;
  isInSight(ref: PredictionRef): boolean;
}

export interface App {
  readonly extensionUri: vscode.Uri;
  readonly manifest: {
    readonly version: string;
    readonly contributes: {
      readonly languageModelTools: readonly { readonly name: string; readonly displayName: string }[];
    };
  };
  readonly folder: string;
  readonly state: vscode.Memento;
  readonly globalState: vscode.Memento;
  readonly reader: ThreadReader;
  readonly log: vscode.LogOutputChannel;
  readonly tokens: Tokens;
  readonly connection: Connection;
  readonly memory: Memory;
  readonly madeModels: MadeModels;
  readonly choices: Choices;
  readonly files: SeriesFiles;
  readonly problems: FileProblems;
  readonly panels: Charts;
  readonly plots: Pages<Plot>;
  readonly modelPages: Pages<{ readonly serviceId: string; readonly modelId: string }, LocalFineTunedModel>;
  readonly manyPages: Pages<SetRef, readonly LocalPrediction[]>;
  readonly readings: Pages<{ readonly uri: string }> & {
    /** @throws Cancelled where the page is closed; SeriesError */
    readonly settle: (opened: OpenedDocument, purpose: string) => Promise<OpenedDocument>;
  };
  readonly forecastFiles: { readonly active: { run(): Promise<void> } | undefined };
  readonly deletions: {
    has(serviceId: string, id: string): boolean;
    delete(chosen: readonly ResourceNode[]): Promise<void>;
    undo(): Promise<void>;
    readonly latest: string | undefined;
  };
  readonly kept: KeptFiles;
  readonly trees: ReadonlyMap<string, ResourceTree>;
}
