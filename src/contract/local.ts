import * as z from 'zod/mini';
import { Dataset, FineTunedModel, Prediction, SeriesPoint, optional } from './resources.ts';

/**
 * What the local service offers beyond the interface: further fields and further resources. Another service may offer
 * any of them; a client uses them only where that service's own description announces them.
 */

/** Quantile levels of a forecast where the request names none: the bands of 50, 80 and 95 % and the median. */
export const DEFAULT_QUANTILE_LEVELS = [0.025, 0.1, 0.25, 0.5, 0.75, 0.9, 0.975] as const;

/**
 * The documented form of quantiles in `metadata` of a point of a prediction series:
 * `{"quantiles": {"0.1": 401.2, "0.5": 450.9, "0.9": 502.4}}`, keys are levels in (0, 1), values rise with them.
 */
export const PointQuantiles = z.looseObject({ quantiles: z.record(z.string(), z.number()) });

/** How the model did on the last part of the series itself, against repeating the last season (seasonal naive). */
export const BacktestSummary = z.looseObject({
  /** Number of rolling origins. */
  origins: z.int(),
  /** Steps ahead at each origin. */
  horizon: z.int(),
  /** Symmetric mean absolute percentage error, 0 to 200. */
  smape: optional(z.number()),
  /** Mean absolute scaled error; scaled by the in-sample error of seasonal naive. */
  mase: optional(z.number()),
  /** MASE of seasonal naive at the same origins. */
  mase_seasonal_naive: optional(z.number()),
  /** 1 − mase / mase_seasonal_naive: 0.31 means 31 % better than repeating the last season. */
  skill: optional(z.number()),
  /** Share of the held-out points inside the 80 % band, 0 to 1. */
  coverage80: optional(z.number()),
});
export type BacktestSummary = z.infer<typeof BacktestSummary>;

/** What the local service says about how a forecast was made. */
export const ForecastDetails = z.looseObject({
  /** ISO 8601 duration, such as `P1M`; absent for a series without a regular step. */
  frequency: optional(z.string()),
  /** Seasonal periods in steps, as used by the model. */
  seasonal_periods: optional(z.array(z.number())),
  /** Points read, and how many steps of the regular grid had no observation. */
  points: optional(z.int()),
  gaps: optional(z.int()),
  backtest: optional(BacktestSummary),
  /** Sentences for the person, such as an option that has no effect on this model. */
  warnings: optional(z.array(z.string())),
});
export type ForecastDetails = z.infer<typeof ForecastDetails>;

/** A prediction with the further fields of the local service. */
export const LocalPrediction = z.extend(Prediction, {
  /** What the person calls it: a file, a series of a dataset. */
  name: optional(z.string()),
  /** 0 to 1 while IN_PROGRESS. */
  progress: optional(z.number()),
  /** Why it FAILED. */
  error: optional(z.string()),
  prediction_length: optional(z.int()),
  details: optional(ForecastDetails),
});
export type LocalPrediction = z.infer<typeof LocalPrediction>;

/** A fine-tuned model with the further fields of the local service. */
export const LocalFineTunedModel = z.extend(FineTunedModel, {
  name: optional(z.string()),
  progress: optional(z.number()),
  error: optional(z.string()),
  warnings: optional(z.array(z.string())),
  /** MASE on the held-out last horizon of each training series, and the number of series. */
  scores: optional(
    z.looseObject({
      series: z.int(),
      base_mase: optional(z.number()),
      mase: optional(z.number()),
    }),
  ),
});
export type LocalFineTunedModel = z.infer<typeof LocalFineTunedModel>;

/** A model that comes with the service. */
export const BaseModel = z.looseObject({
  id: z.string(),
  name: optional(z.string()),
  description: optional(z.string()),
  is_default: optional(z.boolean()),
  /** Fewest points it needs. */
  min_points: optional(z.int()),
});
export type BaseModel = z.infer<typeof BaseModel>;

/** A dataset with a name. */
export const LocalDataset = z.extend(Dataset, {
  name: optional(z.string()),
  series_count: optional(z.int()),
  created_at: optional(z.string()),
});
export type LocalDataset = z.infer<typeof LocalDataset>;

/** One stored series; `series` is absent in lists. */
export const StoredSeries = z.looseObject({
  id: z.string(),
  name: optional(z.string()),
  dataset_id: optional(z.string()),
  rows: optional(z.int()),
  start_timestamp: optional(z.string()),
  end_timestamp: optional(z.string()),
  freq: optional(z.string()),
  series: optional(z.array(SeriesPoint)),
});
export type StoredSeries = z.infer<typeof StoredSeries>;
