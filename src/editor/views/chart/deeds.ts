import type * as vscode from 'vscode';
import type { LocalPrediction } from '../../../contract/local.ts';
import type { OutgoingPoint } from '../../../reading/points.ts';
import type { ReadSeries } from '../../../reading/types.ts';
import type { Connection, Session } from '../../connection/connection.ts';
import type { Memory, Source } from '../../connection/memory.ts';
import type { KeptFiles } from '../../files/kept-files.ts';
import type { ModelChoice } from '../analysis/controls.ts';
import type { Change, OddView } from '../analysis/protocol.ts';
import type { ToWorkbook } from './deliver.ts';
import type { PredictionRef } from './protocol.ts';

/** What the charts need around them. */
export interface PanelServices {
  readonly extensionUri: vscode.Uri;
  readonly connection: Connection;
  readonly memory: Memory;
  readonly log: vscode.LogOutputChannel;
  /** That of the workspace, whose charts come back after a reload. */
  readonly state: vscode.Memento;
  /** Calls back when the file no longer holds the series that was forecast, and when it does again. */
  readonly follow: (
    source: Source,
    events: { readonly onChange: (isCurrent: boolean) => void; readonly onSeries: (series: ReadSeries) => void },
  ) => vscode.Disposable;
  readonly deeds: ChartDeeds;
  readonly toWorkbook: ToWorkbook;
  readonly kept: KeptFiles;
}

/** What the rest of the editor does for work with a forecast. */
export interface ChartDeeds {
  /** The models to choose from at the service in use. */
  readonly models: (session: Session) => Promise<readonly ModelChoice[]>;
  /** Makes a forecast of the same data without showing it. */
  readonly beside: (
    ref: PredictionRef,
    prediction: LocalPrediction,
    change: Change,
    signal: AbortSignal,
  ) => Promise<LocalPrediction>;
  /** A series with what the calendar says of its days, and of so many after them. */
  readonly withCalendar: (ref: PredictionRef, series: ReadSeries, steps: number) => Promise<ReadSeries>;
  /** Makes a forecast of another future of what is known, without showing it. */
  readonly suppose: (
    ref: PredictionRef,
    prediction: LocalPrediction,
    scenario: { readonly name: string; readonly series: readonly OutgoingPoint[] },
    signal: AbortSignal,
  ) => Promise<LocalPrediction>;
  /** Forecasts again without the observations at these times. */
  readonly leaveOut: (ref: PredictionRef, prediction: LocalPrediction, times: ReadonlySet<number>) => Promise<void>;
  /** Forecasts a file anew with its rows of totals, and from then on. */
  readonly takeTotals: (uri: vscode.Uri) => Promise<void>;
  /** Asks for the steps that a file is forecast at, and forecasts it at them from then on. */
  readonly changeSteps: (uri: vscode.Uri) => Promise<void>;
  /** What has come of a forecast is news for its row in the view. */
  readonly held: () => void;
  /** Shows odd points as problems of the file. */
  readonly mark: (ref: PredictionRef, points: readonly OddView[]) => Promise<void>;
}
