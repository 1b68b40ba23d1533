import * as z from 'zod/mini';
import { Bounds } from './requests.ts';
import { Dataset, FineTunedModel, Key, KEY_SCOPES, Prediction, SeriesPoint, instant, optional } from './resources.ts';

/** Fields and resources of the local service beyond the interface. Another service may announce any of them. */

/** Another service may use the name of the field for something else: a value of another form reads as absent. */
const further = <T extends z.core.$ZodType>(schema: T) => z.catch(optional(schema), undefined);
const text = further(z.string());
const number = further(z.number());
const integer = further(z.int());
const score = optional(z.number());
const levels = z.record(z.string(), z.number());

/** A sentence for people, or a {@link Failure} whose `detail` is one; others call it `message`. */
const Said = z.pipe(
  z.union([z.string(), z.object({ detail: z.string() }), z.object({ message: z.string() })]),
  z.transform((said) => (typeof said === 'string' ? said : String('detail' in said ? said.detail : said.message))),
);

/** Quantile levels of a forecast if the request names none: the intervals of 50, 80 and 95 % and the median. */
export const DEFAULT_QUANTILE_LEVELS = [0.025, 0.1, 0.25, 0.5, 0.75, 0.9, 0.975] as const;

/** `metadata` of a point of a prediction series: `{"quantiles": {"0.1": 401.2, "0.5": 450.9, "0.9": 502.4}}`, by level in (0, 1). */
export const PointQuantiles = z.looseObject({ quantiles: levels });

/** The errors of a model at rolling origins of the series itself, against seasonal naive. */
export const BacktestSummary = z.looseObject({
  /** Number of rolling origins, and steps ahead at each. */
  origins: z.int(),
  horizon: z.int(),
  /** Symmetric mean absolute percentage error, 0 to 200. */
  smape: score,
  /** Mean absolute scaled error; scaled by the in-sample error of seasonal naive. */
  mase: score,
  mase_seasonal_naive: score,
  /** 1 − mase / mase_seasonal_naive: 0.31 means 31 % better than seasonal naive. */
  skill: score,
  /** Share of the holdout inside the 80 % interval, 0 to 1. */
  coverage80: score,
});
export type BacktestSummary = z.infer<typeof BacktestSummary>;

/** The expected value of intermittent demand, whose median often is 0. Each point has it in `metadata.mean`. */
const DemandSummary = z.looseObject({
  /** Of one step. */
  mean: z.number(),
  /** Of the sum over all steps of the forecast. */
  total: z.looseObject({ mean: z.number(), quantiles: levels }),
});

const SeriesScore = z.looseObject({ name: z.string(), base_mase: z.number(), mase: z.number() });

/** MASE of the base model and of the fine-tuned one on the holdout of one horizon or two. */
const TuningScores = z.looseObject({
  series: z.int(),
  base_mase: number,
  mase: number,
  /** The series that gained most, and the one that gained least or lost. */
  best: further(SeriesScore),
  worst: further(SeriesScore),
});

/** The training of a neural model, written while it trains. Epoch 0 is the base model. */
export const TrainingRecord = z.looseObject({
  max_epochs: z.int(),
  /** Epochs so far. */
  epoch: z.int(),
  /** Of the finished model. */
  chosen_epochs: optional(z.int()),
  /** Training windows in an epoch. */
  windows: optional(z.int()),
  /** For each epoch the mean quantile loss on the training windows and the MASE on the holdout. */
  record: z.array(z.looseObject({ epoch: z.int(), loss: score, validation: z.number() })),
});
export type TrainingRecord = z.infer<typeof TrainingRecord>;

/** A backtest with covariates and without; `mae` are mean absolute errors. */
const CovariateBacktest = z.looseObject({
  origins: z.int(),
  horizon: z.int(),
  mae: z.number(),
  mae_without: z.number(),
  mase: score,
  mase_without: score,
});

/** The gain from covariates in a backtest. `used` is empty if they did not help: then the forecast is the one without them. */
export const CovariateSummary = z.looseObject({
  /** `effect`: the difference of the series between the high and the low value of the covariate, in its units. */
  used: z.array(z.looseObject({ name: z.string(), effect: z.number(), low: z.number(), high: z.number() })),
  /** The names in `metadata.covariates`. */
  offered: z.array(z.string()),
  backtest: optional(CovariateBacktest),
});
export type CovariateSummary = z.infer<typeof CovariateSummary>;

/** Of forecasts that add up: the level of the series in the hierarchy; `…_alone` are scores of separate forecasts. */
export const TotalsSummary = z.looseObject({
  /** Totals above it: 0 for a whole. */
  level: z.int(),
  /** Means over the series of each level, a whole first. RMSSE suits means rather than medians. */
  levels: z.array(z.looseObject({ series: z.int(), mase: score, mase_alone: score, rmsse: score, rmsse_alone: score })),
  /** Of this series. */
  mase_alone: score,
});
export type TotalsSummary = z.infer<typeof TotalsSummary>;

/** How a forecast was made. */
export const ForecastDetails = z.looseObject({
  /** ISO 8601 duration, such as `P1M`; absent for a series without a regular step. */
  frequency: optional(z.string()),
  /** Seasonal periods in steps, as used by the model. */
  seasonal_periods: optional(z.array(z.number())),
  /** Points, and steps of the regular grid without an observation. */
  points: optional(z.int()),
  gaps: optional(z.int()),
  /** Without covariates. */
  backtest: optional(BacktestSummary),
  demand: further(DemandSummary),
  covariates: further(CovariateSummary),
  bounds: further(Bounds),
  totals: further(TotalsSummary),
  /** `epochs` are those of the model in use. */
  fine_tuning: optional(z.extend(TuningScores, { epochs: z.int() })),
  /** Such as an option that has no effect on this model. */
  warnings: optional(z.array(Said)),
});
export type ForecastDetails = z.infer<typeof ForecastDetails>;

/** Values of a sketch; `null` where an observation is missing. */
const drawn = z.array(z.nullable(z.number()));

/** A sparkline of a prediction: the last observations, and the first steps ahead with the 80 % interval. */
export const Sketch = z.looseObject({ past: drawn, ahead: drawn, lower: optional(drawn), upper: optional(drawn) });
export type Sketch = z.infer<typeof Sketch>;

/** The further fields of predictions and models. */
const job = {
  /** Of the file or series. */
  name: text,
  /** `agent` for a tool of a language model. */
  requested_by: text,
  /** 0 to 1 while IN_PROGRESS. */
  progress: number,
  /** Why it FAILED. */
  error: further(Said),
};

export const LocalPrediction = z.extend(Prediction, {
  ...job,
  prediction_length: integer,
  batch_id: text,
  details: further(ForecastDetails),
  /** In lists: why `input_series` and `prediction_series` are absent, though they are stored. */
  series_left_out: further(Said),
  sketch: further(Sketch),
});
export type LocalPrediction = z.infer<typeof LocalPrediction>;

export const LocalFineTunedModel = z.extend(FineTunedModel, {
  ...job,
  warnings: further(z.array(Said)),
  scores: further(TuningScores),
  training: further(TrainingRecord),
  /** Steps ahead of a prediction with it by default, once it is trained. */
  horizon: integer,
});
export type LocalFineTunedModel = z.infer<typeof LocalFineTunedModel>;

/** A model that comes with the service. */
export const BaseModel = z.looseObject({
  id: z.string(),
  name: text,
  description: further(Said),
  is_default: further(z.boolean()),
  /** Fewest points that it needs. */
  min_points: integer,
  /** Least `context_length` that it can be fine-tuned with. */
  min_context_length: integer,
});
export type BaseModel = z.infer<typeof BaseModel>;

export const LocalDataset = z.extend(Dataset, {
  name: text,
  series_count: integer,
  /** Whether it was stored only for forecasts or a training. */
  for_job: further(z.boolean()),
  created_at: instant,
});
export type LocalDataset = z.infer<typeof LocalDataset>;

/** One stored series; `series` is absent in lists. */
export const StoredSeries = z.looseObject({
  id: z.string(),
  /** Of the line of the stream that added it. */
  own_id: text,
  name: text,
  dataset_id: text,
  rows: integer,
  start_timestamp: text,
  end_timestamp: text,
  freq: text,
  series: further(z.array(SeriesPoint)),
});
export type StoredSeries = z.infer<typeof StoredSeries>;

export const Storage = z.looseObject({
  /** The files of the database; `free_bytes` of them are given back to the disk little by little. */
  bytes: z.int(),
  free_bytes: integer,
  predictions: integer,
  datasets: integer,
  /** Days after which predictions that have ended are deleted; absent: never. */
  keep_days: number,
});
export type Storage = z.infer<typeof Storage>;

/** The predictions of the series of a dataset, QUEUED, in their order. */
export const DatasetPredictions = z.looseObject({
  dataset_id: z.string(),
  prediction_ids: z.array(z.string()),
  batch_id: z.string(),
});
export type DatasetPredictions = z.infer<typeof DatasetPredictions>;

/** A run over the series of a dataset, until all its predictions are deleted. */
export const Batch = z.looseObject({
  id: z.string(),
  dataset_id: z.string(),
  ai_model_id: text,
  /** Number of series that it began with; then of predictions that exist. */
  series: z.int(),
  pending: z.int(),
  completed: z.int(),
  failed: z.int(),
  created_at: z.string(),
});
export type Batch = z.infer<typeof Batch>;

/** Lines are counted from 1. */
const LineFault = z.looseObject({ line: z.int(), id: optional(z.string()), error: Said });
export type LineFault = z.infer<typeof LineFault>;

/** The result of a stream of series; blank lines are skipped. */
export const AddedSeries = z.looseObject({
  dataset_id: z.string(),
  stored: z.int(),
  /** Lines whose series was stored already. */
  unchanged: z.int(),
  refused: z.int(),
  /** Of the first lines that were refused, up to {@link MOST_FAULTS}. */
  faults: z.array(LineFault),
});
export type AddedSeries = z.infer<typeof AddedSeries>;
export const MOST_FAULTS = 100;

/** A line of `GET /datasets/{id}/forecasts.ndjson`. */
export const DatasetForecast = z.looseObject({
  /** Of the line that added the series, if it had one; else that of the service. */
  id: z.string(),
  series_id: z.string(),
  name: optional(z.string()),
  prediction_id: z.string(),
  ai_model_id: z.string(),
  status: z.string(),
  prediction_series: optional(z.array(SeriesPoint)),
  error: optional(Said),
});
export type DatasetForecast = z.infer<typeof DatasetForecast>;

/** A key of a service for teams, for its tenant. */
export const LocalKey = z.extend(Key, {
  name: text,
  scope: further(z.enum(KEY_SCOPES)),
  tenant: text,
  expires_at: text,
  /** To the minute. */
  last_used_at: text,
  requests_per_minute: number,
  /** Series that may be forecast with it on a day (UTC). */
  series_per_day: number,
});
export type LocalKey = z.infer<typeof LocalKey>;

/** The result of `POST /covariate_tests`: the covariates that reduce the error, and the backtest with all of them. */
export const CovariateTest = z.looseObject({
  covariates: z.array(z.looseObject({ name: z.string(), helps: z.boolean() })),
  backtest: optional(CovariateBacktest),
});
export type CovariateTest = z.infer<typeof CovariateTest>;

export const Anomaly = z.looseObject({
  timestamp: z.string(),
  value: z.number(),
  /** The forecast one step ahead from the observations before it, and the usual error there. */
  expected: z.number(),
  scale: z.number(),
  /** By chance there is one in so many. */
  rarity: z.number(),
  /** `spike`: by itself; `stretch`: the end of unusual movement; `level`: away from what is usual at that time. */
  sign: z.string(),
  metadata: optional(z.record(z.string(), z.unknown())),
});
export type Anomaly = z.infer<typeof Anomaly>;

/** The result of `POST /anomalies`. */
export const Anomalies = z.looseObject({
  points: z.array(Anomaly),
  /** Number of observations that were tested; the first ones have nothing before them. */
  judged: z.int(),
  rarity: z.number(),
});
export type Anomalies = z.infer<typeof Anomalies>;

/** A component of a decomposition. */
export const Component = z.looseObject({
  /** `trend`, `seasonal`, `shift` (of the level), `covariate` or `remainder`. */
  kind: z.string(),
  /** Of a covariate, whose effect is measured from its usual value; several where there are many. */
  names: optional(z.array(z.string())),
  /** Of a season, in steps. */
  period: optional(z.number()),
  /** One for each timestamp, in the units of the series; `null` where nothing was observed. */
  values: drawn,
});
export type Component = z.infer<typeof Component>;

/** The components of `GET /predictions/{id}/decomposition` add up to series or forecast at each timestamp. */
export const Decomposition = z.looseObject({
  prediction_id: z.string(),
  timestamps: z.array(z.string()),
  /** Where in `timestamps` the forecast begins. */
  forecast_from: z.int(),
  components: z.array(Component),
});
export type Decomposition = z.infer<typeof Decomposition>;

/** One backtest forecast with the actual values, if they were observed. */
export const BacktestFold = z.looseObject({
  /** The last observation that the model saw. */
  cutoff: z.string(),
  points: z.array(
    z.looseObject({
      timestamp: z.string(),
      actual: score,
      value: z.number(),
      seasonal_naive: z.number(),
      quantiles: optional(levels),
    }),
  ),
  /** Mean seasonal difference before the cutoff, by which MASE scales the errors; absent where it is 0 or unknown. */
  scale: score,
});
export type BacktestFold = z.infer<typeof BacktestFold>;

/** The result of `GET /predictions/{id}/backtest`, newest fold first. */
export const Backtest = z.looseObject({
  prediction_id: z.string(),
  /** Steps ahead at each cutoff. */
  horizon: z.int(),
  folds: z.array(BacktestFold),
});
export type Backtest = z.infer<typeof Backtest>;
