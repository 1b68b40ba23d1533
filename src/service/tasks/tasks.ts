import type * as z from 'zod/mini';
import type { Frequency } from '../../calendar/frequency.ts';
import type { Failure } from '../../contract/failures.ts';
import type { ForecastDetails, TrainingRecord } from '../../contract/local.ts';
import type { Bounds } from '../../contract/requests.ts';
import type { Base } from '../../engine/totals/reconcile.ts';
import type { Sum } from '../../engine/totals/structure.ts';
import type { Extremes } from '../../engine/tuning/extremes.ts';
import type { TunedParameters } from '../../engine/settings.ts';
import type { RequestError } from '../errors.ts';
import type { NewDataset } from '../store/new.ts';
import type { PreparedSeries } from '../store/points.ts';
import type { Bodies, BodyName, ReadLines } from './bodies.ts';
import type { Lines } from './lines.ts';

/** How a series is forecast. */
export interface Asked {
  /** A base model's id. */
  readonly model: string;
  readonly parameters?: TunedParameters | undefined;
  /** How many of the last points the model sees; all where absent. */
  readonly contextLength?: number | undefined;
  readonly horizon?: number | undefined;
  readonly levels: readonly number[];
  /** Sample paths behind the quantiles; exact ones where absent. */
  readonly samples?: number | undefined;
  /** Most passes over the series itself before the forecast. */
  readonly fineTuningEpochs?: number | undefined;
  /** Rolling origins of the backtest; the engine's own number where absent. */
  readonly origins?: number | undefined;
  readonly bounds?: Bounds | undefined;
}

/** The points of a series as JSON, as they are stored: a million of them are read in the thread. */
interface OfSeries {
  readonly points: string;
}

export interface ForecastTask extends Asked, OfSeries {
  readonly kind: 'forecast';
}

/** A forecast as it is stored and sent. */
export interface ReadyForecast {
  readonly stored: PreparedSeries;
  /** As JSON. */
  readonly details: string;
}

/** Forecasts of some series, each by itself. */
interface ForecastsTask {
  readonly kind: 'forecasts';
  readonly tasks: readonly ForecastTask[];
}

/** Some lines of a stream of series, each to be forecast by itself. */
export interface LinesTask extends Lines, Pick<Asked, 'model' | 'horizon' | 'levels'> {
  readonly kind: 'lines';
}

/** The forecast of a prediction, by its id, made again from times in the past. */
export interface BacktestTask extends Asked, OfSeries {
  readonly kind: 'backtest';
  readonly id: string;
}

/** A series and its forecast, of a prediction by its id. */
export interface DecompositionTask extends OfSeries {
  readonly kind: 'decomposition';
  readonly id: string;
  /** Its points as JSON. */
  readonly forecast: string;
  /** Seasons that the forecast was made with, in steps. */
  readonly periods: readonly number[];
  /** How the forecast was made, where it makes use of covariates. */
  readonly made?: Asked | undefined;
}

/** Which covariates of a series help. */
export interface CovariatesTask extends Asked, OfSeries {
  readonly kind: 'covariates';
}

export interface AnomaliesTask extends OfSeries {
  readonly kind: 'anomalies';
  /** One observation in so many is an anomaly by chance. */
  readonly rarity: number;
}

export interface TuneTask {
  readonly kind: 'tune';
  readonly model: string;
  /** The points of each series as JSON. */
  readonly dataset: readonly string[];
  readonly horizon?: number | undefined;
  readonly contextLength?: number | undefined;
  readonly maxEpochs?: number | undefined;
  /** A model to go on from. */
  readonly start?: TunedParameters | undefined;
  /** One Int32, 1 once the training is to end with the best so far; the thread hears no message while it computes. */
  readonly stop?: SharedArrayBuffer | undefined;
}

export interface TuneResult extends Extremes {
  readonly parameters: TunedParameters;
  readonly horizon: number;
  /** Series that were long enough (`best` and `worst` of them by their places in the task’s dataset), and the mean MASE on what was held back of them, before and after. */
  readonly series: number;
  readonly baseMase: number;
  readonly mase: number;
  readonly training?: TrainingRecord | undefined;
}

/** What series that are to add up share, as the longest of them says it. */
export interface SharedGridTask extends OfSeries {
  readonly kind: 'shared-grid';
  readonly model: string;
  readonly horizon?: number | undefined;
  /** Of the series. */
  readonly count: number;
}

export interface SharedGrid {
  /** Absent for series without times. */
  readonly frequency?: Frequency | undefined;
  readonly horizon: number;
  /** Of so many of the last steps it is told what was not expected. */
  readonly errors: number;
  /** Steps that are held back to score the forecasts; 0 where the series are too short. */
  readonly fold: number;
  /** The last instant; series that end earlier are forecast from there on too. */
  readonly end: number;
}

/** Forecasts of some series each by itself, to be added up. */
export interface BasesTask extends Pick<Asked, 'model' | 'parameters' | 'contextLength'> {
  readonly kind: 'bases';
  /** The points of each series as JSON. */
  readonly points: readonly string[];
  readonly shared: SharedGrid;
}

/** A forecast by itself, and what it takes to make it add up. */
export interface SumBase extends Base {
  /** Of the steps ahead, in epoch milliseconds. */
  readonly times: Float64Array;
  /** Of the last step with a value. */
  readonly end: number;
  /** Of series without times: the number of the last row. */
  readonly row?: number | undefined;
  readonly frequency?: string | undefined;
  /** The last values. */
  readonly recent: Float64Array;
  readonly isNegative: boolean;
  /** The same one horizon before, and what then came. */
  readonly fold?: (Base & FoldActuals) | undefined;
  readonly details: z.input<typeof ForecastDetails>;
}

interface FoldActuals {
  readonly actual: Float64Array;
  readonly naive: Float64Array;
  /** The mean absolute change over a season, and the mean squared one; 0 where there is none. */
  readonly scale: number;
  readonly squareScale: number;
}

/** Makes forecasts add up. */
export interface SumsTask {
  readonly kind: 'sums';
  readonly bases: readonly SumBase[];
  readonly sums: readonly Sum[];
  readonly names: readonly string[];
  readonly levels: readonly number[];
}

/** A large body of a request, to be read and checked. */
export interface ReadTask {
  readonly kind: 'read';
  readonly name: BodyName;
  /** Of the thread, which lets go of each once it is read. */
  readonly blocks: Uint8Array<ArrayBuffer>[];
}

/** Some lines of a stream of series, to be read and checked. */
interface ReadLinesTask extends Lines {
  readonly kind: 'read-lines';
}

/** What the service asks of a compute thread; everything can be cloned between threads. */
export type Task =
  | ForecastTask
  | ForecastsTask
  | LinesTask
  | BacktestTask
  | DecompositionTask
  | CovariatesTask
  | AnomaliesTask
  | TuneTask
  | SharedGridTask
  | BasesTask
  | SumsTask
  | ReadTask
  | ReadLinesTask;

export interface TaskResults {
  readonly forecast: ReadyForecast;
  /** Without those that could not be made, which are tried again by themselves to say why. */
  readonly forecasts: readonly (ReadyForecast | undefined)[];
  /** UTF-8. */
  readonly lines: Uint8Array;
  /** Answers as JSON. */
  readonly backtest: string;
  readonly decomposition: string;
  readonly covariates: string;
  readonly anomalies: string;
  readonly tune: TuneResult;
  readonly 'shared-grid': SharedGrid;
  readonly bases: readonly SumBase[];
  readonly sums: readonly ReadyForecast[];
  readonly read: Bodies[BodyName];
  readonly 'read-lines': ReadLines;
}

/** How far a task is: 0 to 1; and how the training goes, where there is any. */
export interface TaskProgress {
  readonly fraction: number;
  readonly training?: TrainingRecord | undefined;
}

/** How a task is run, and what is told of it before its end. */
export interface TaskEvents {
  /** Whether it goes before others of its tenant that wait for a thread. */
  readonly isFirst?: boolean;
  /** The tenant that it is done for: tenants take turns. */
  readonly tenant?: string | undefined;
  /** A thread has begun with it. */
  readonly onStart: () => void;
  readonly onProgress: (progress: TaskProgress) => void;
  /** Some of the series of a dataset, before the result that is then without them. */
  readonly onSeries?: ((series: NewDataset['series']) => void) | undefined;
}

export type FromCompute =
  | { readonly type: 'progress'; readonly progress: TaskProgress }
  /** A message is taken in whole before anything else is done, so a large dataset comes in parts, each asked for. */
  | { readonly type: 'series'; readonly series: NewDataset['series'] }
  | { readonly type: 'done'; readonly result: TaskResults[keyof TaskResults] }
  /** Without a `failure` it is a defect of the program; `refused`: of a request. */
  | {
      readonly type: 'failed';
      readonly message: string;
      readonly failure?: Failure | undefined;
      readonly refused?: Pick<RequestError, 'status' | 'errors'> | undefined;
    };

/** Asks for what comes after a part of the result. */
export interface GoOn {
  readonly kind: 'go-on';
}
