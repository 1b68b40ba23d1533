/** A question that the engine cannot answer: a code, and values for its sentence. */
export class EngineError extends Error {
  override readonly name: string = 'EngineError';
  readonly code: string;
  readonly params: readonly (string | number)[];

  constructor(code: string, ...params: readonly (string | number)[]) {
    super([code, ...params].join(' '));
    this.code = code;
    this.params = params;
  }
}

export class UnusableDatasetError extends EngineError {
  override readonly name = 'UnusableDatasetError';
}

/** A series on a regular grid, and what is asked about it. Nothing of it is changed by the engine. */
export interface EngineInput {
  /** Observations in time order, one per step; `NaN` where one is missing. */
  readonly values: Float64Array;
  /** Candidate seasonal periods in steps, from the calendar, shortest first; empty: detect from the data. */
  readonly periods: readonly number[];
  readonly horizon: number;
  /** Quantile levels in (0, 1), rising. */
  readonly levels: readonly number[];
  /** The quantiles are those of so many sample paths, drawn from a fixed seed; exact ones where it is missing. */
  readonly samples?: number | undefined;
  /** Between what the series lies; where they are missing, on one side of zero if the history is. */
  readonly bounds?: Bounds | undefined;
}

export function checkHorizon(horizon: number): void {
  if (Number.isInteger(horizon) && horizon >= 1) return;
  throw new RangeError('The horizon must be a whole number of 1 or more.');
}

export interface Bounds {
  /** Of each step of the history and of the future; infinite where there is no bound. */
  readonly floor: Float64Array;
  readonly capacity: Float64Array;
  readonly whole: boolean;
}

export interface EngineForecast {
  readonly point: Float64Array;
  /** One array of `horizon` values for each level, in the order of the levels; never crossing. */
  readonly quantiles: readonly Float64Array[];
  readonly periods: readonly number[];
  /** Of intermittent series and small counts, whose median often is 0; `total` has quantiles of the sum over the horizon. */
  readonly demand?: { readonly mean: number; readonly total: readonly number[] } | undefined;
}

export interface Settings {
  /** How far the autocorrelation at the period must stand out for a season, in standard errors. */
  readonly seasonalStrength: number;
  /** The share of the forecast's way from the last season that is kept from step to step; 1 keeps all. */
  readonly damping: number;
  readonly width: number;
  /** How far departures that are extraordinary are drawn back; 0 for a net that knows better. */
  readonly restraint: number;
}

export const baseSettings: Settings = { seasonalStrength: 1, damping: 1, width: 1, restraint: 1 };

export interface TunedParameters {
  readonly version: 2;
  readonly settings: Settings;
  /** The weights of a net that was trained on the dataset, as text; for the models with a net. */
  readonly weights?: string;
}
