import * as z from 'zod/mini';
import { Bounds } from './requests.ts';
import { Dataset, FineTunedModel, Key, KEY_SCOPES, Prediction, SeriesPoint, optional } from './resources.ts';

/**
 * What the local service offers beyond the interface: further fields and further resources. Another service may offer
 * any of them; a client uses them only where that service's own description announces them.
 */

/**
 * A field beyond the interface. Another service may use its name for something else: a value of another form reads as
 * absent and does not spoil the resource.
 */
const further = <T extends z.core.$ZodType>(schema: T) => z.catch(optional(schema), undefined);

/** What is said to people: a sentence, or a {@link Failure} whose `detail` is one; others call it `message`. */
const Said = z.pipe(
  z.union([z.string(), z.object({ detail: z.string() }), z.object({ message: z.string() })]),
  z.transform((said) => (typeof said === 'string' ? said : String('detail' in said ? said.detail : said.message))),
);

/** Quantile levels of a forecast where the request names none: the intervals of 50, 80 and 95 % and the median. */
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
  /** Share of the held-out points inside the 80 % interval, 0 to 1. */
  coverage80: optional(z.number()),
});
export type BacktestSummary = z.infer<typeof BacktestSummary>;

/** Result of fine-tuning on one series. */
const SeriesScore = z.looseObject({ name: z.string(), base_mase: z.number(), mase: z.number() });

/** What is to be expected of intermittent demand, whose median often is 0. Each point has the mean in `metadata.mean`. */
export const DemandSummary = z.looseObject({
  /** The expected value of one step. */
  mean: z.number(),
  /** Of the sum over all steps of the forecast: its mean, and quantiles by level as in the points. */
  total: z.looseObject({ mean: z.number(), quantiles: z.record(z.string(), z.number()) }),
});

/** Result of fine-tuning on the holdout of one horizon or two: MASE of the base model and of the tuned one. */
export const TuningScores = z.looseObject({
  series: z.int(),
  base_mase: further(z.number()),
  mase: further(z.number()),
  /** The series that gained most, and the one that gained least or lost. */
  best: further(SeriesScore),
  worst: further(SeriesScore),
});

/** How a neural model learned: epoch 0 is the base model. Filled in while it trains. */
export const TrainingRecord = z.looseObject({
  /** Epochs allowed, and those done so far; the guard may choose fewer. */
  max_epochs: z.int(),
  epoch: z.int(),
  /** Epochs that the finished model was trained for; 0 is the base model. */
  chosen_epochs: optional(z.int()),
  /** Training windows in an epoch. */
  windows: optional(z.int()),
  /** For each epoch the mean quantile loss on the training windows and the MASE on the hold-out. */
  record: z.array(z.looseObject({ epoch: z.int(), loss: optional(z.number()), validation: z.number() })),
});
export type TrainingRecord = z.infer<typeof TrainingRecord>;

/** A backtest with covariates and without. */
export const CovariateBacktest = z.looseObject({
  origins: z.int(),
  horizon: z.int(),
  /** Mean absolute errors. */
  mae: z.number(),
  mae_without: z.number(),
  mase: optional(z.number()),
  mase_without: optional(z.number()),
});

/**
 * What covariates were worth, on a backtest of its own: with them, and without. `used` is empty where they did not help, so
 * that the forecast is the one without them.
 */
export const CovariateSummary = z.looseObject({
  /** By how much the series is higher at the high value of a covariate than at the low one, in its units. */
  used: z.array(z.looseObject({ name: z.string(), effect: z.number(), low: z.number(), high: z.number() })),
  /** The names that were given, as in `metadata.covariates`. */
  offered: z.array(z.string()),
  backtest: optional(CovariateBacktest),
});
export type CovariateSummary = z.infer<typeof CovariateSummary>;

/**
 * Where forecasts add up: the level of the series in the hierarchy, and its backtest scores beside those of separate
 * forecasts.
 */
export const TotalsSummary = z.looseObject({
  /** Totals above it: 0 for a whole. */
  level: z.int(),
  /** Means over the series of each level, a whole first: scaled errors with the sums kept, and `…_alone` without. */
  levels: z.array(
    z.looseObject({
      series: z.int(),
      mase: optional(z.number()),
      mase_alone: optional(z.number()),
      /** Root mean squared scaled error, which suits means rather than medians. */
      rmsse: optional(z.number()),
      rmsse_alone: optional(z.number()),
    }),
  ),
  /** Of this series by itself. */
  mase_alone: optional(z.number()),
});
export type TotalsSummary = z.infer<typeof TotalsSummary>;

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
  demand: further(DemandSummary),
  /** Where points have `metadata.covariates`; `backtest` above is the one without them. */
  covariates: further(CovariateSummary),
  /** Where `bounds` was asked for. */
  bounds: further(Bounds),
  /** Where `sums` were asked for: the forecast adds up with those of the other series. */
  totals: further(TotalsSummary),
  /** Where `fine_tuning_epochs` was asked for; `epochs` is what the guard chose. */
  fine_tuning: optional(z.extend(TuningScores, { epochs: z.int() })),
  /** Sentences for the person, such as an option that has no effect on this model. */
  warnings: optional(z.array(Said)),
});
export type ForecastDetails = z.infer<typeof ForecastDetails>;

/** One value of a sketch; `null` where an observation is missing. */
const drawn = z.array(z.nullable(z.number()));

/** A prediction as it is drawn very small: the last observations, and the first steps ahead with the 80 % interval. */
export const Sketch = z.looseObject({
  past: drawn,
  ahead: drawn,
  lower: optional(drawn),
  upper: optional(drawn),
});
export type Sketch = z.infer<typeof Sketch>;

/** A prediction with the further fields of the local service. */
export const LocalPrediction = z.extend(Prediction, {
  /** What the person calls it: a file, a series of a dataset. */
  name: further(z.string()),
  /** Who asked for it, where that was said: `agent` for a tool of a language model. */
  requested_by: further(z.string()),
  /** 0 to 1 while IN_PROGRESS. */
  progress: further(z.number()),
  /** Why it FAILED. */
  error: further(Said),
  prediction_length: further(z.int()),
  /** With which others it was asked for, of the series of a dataset. */
  batch_id: further(z.string()),
  details: further(ForecastDetails),
  /** In lists: why `input_series` and `prediction_series` are not there, though they are stored. */
  series_left_out: further(Said),
  /** In lists that ask for it. */
  sketch: further(Sketch),
});
export type LocalPrediction = z.infer<typeof LocalPrediction>;

/** A fine-tuned model with the further fields of the local service. */
export const LocalFineTunedModel = z.extend(FineTunedModel, {
  name: further(z.string()),
  /** Who asked for it, where that was said: `agent` for a tool of a language model. */
  requested_by: further(z.string()),
  progress: further(z.number()),
  error: further(Said),
  warnings: further(z.array(Said)),
  /** MASE on what was held back of each training series, and the number of series. */
  scores: further(TuningScores),
  training: further(TrainingRecord),
  /** Steps ahead that it was trained for, and that a prediction with it has where nothing is said; once it is trained. */
  horizon: further(z.int()),
});
export type LocalFineTunedModel = z.infer<typeof LocalFineTunedModel>;

/** A model that comes with the service. */
export const BaseModel = z.looseObject({
  id: z.string(),
  name: further(z.string()),
  description: further(Said),
  is_default: further(z.boolean()),
  /** Fewest points it needs. */
  min_points: further(z.int()),
  /** Least `context_length` that it can be fine-tuned with. */
  min_context_length: further(z.int()),
});
export type BaseModel = z.infer<typeof BaseModel>;

/** A dataset with a name. */
export const LocalDataset = z.extend(Dataset, {
  name: further(z.string()),
  series_count: further(z.int()),
  /** Stored only for forecasts or a training; absent for one that somebody asked for. */
  for_job: further(z.boolean()),
  created_at: further(z.string()),
});
export type LocalDataset = z.infer<typeof LocalDataset>;

/** One stored series; `series` is absent in lists. */
export const StoredSeries = z.looseObject({
  id: z.string(),
  /** Of the line of a stream that it came with. */
  own_id: further(z.string()),
  name: further(z.string()),
  dataset_id: further(z.string()),
  rows: further(z.int()),
  start_timestamp: further(z.string()),
  end_timestamp: further(z.string()),
  freq: further(z.string()),
  series: further(z.array(SeriesPoint)),
});
export type StoredSeries = z.infer<typeof StoredSeries>;

/** How much is stored. */
export const Storage = z.looseObject({
  /** The files of the database. */
  bytes: z.int(),
  /** Of those, what deleted things left, which is given back to the disk little by little. */
  free_bytes: further(z.int()),
  predictions: further(z.int()),
  datasets: further(z.int()),
  /** Days after which predictions that ended are deleted; absent: never. */
  keep_days: further(z.number()),
});
export type Storage = z.infer<typeof Storage>;

/** What `POST /datasets/{id}/predictions` answers: the predictions, QUEUED, in the order of the series. */
export const DatasetPredictions = z.looseObject({
  dataset_id: z.string(),
  prediction_ids: z.array(z.string()),
  /** By which they are listed and canceled. */
  batch_id: z.string(),
});
export type DatasetPredictions = z.infer<typeof DatasetPredictions>;

/** A run over the series of a dataset, as long as one of its predictions is there. */
export const Batch = z.looseObject({
  id: z.string(),
  dataset_id: z.string(),
  ai_model_id: further(z.string()),
  /** How many it was made of, and how many of its predictions that are there have not ended, or ended how. */
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

/** What became of the lines; blank ones are passed over. */
export const AddedSeries = z.looseObject({
  dataset_id: z.string(),
  stored: z.int(),
  /** Lines whose series was there already. */
  unchanged: z.int(),
  refused: z.int(),
  /** Why, for the first of them. */
  faults: z.array(LineFault),
});
export type AddedSeries = z.infer<typeof AddedSeries>;

/** Most faults that are reported. */
export const MOST_FAULTS = 100;

/** A line of `GET /datasets/{id}/forecasts.ndjson`. */
export const DatasetForecast = z.looseObject({
  /** That of the line that the series came with, where it had one; else the service’s. */
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

/** A key of a service for teams. It sees what belongs to its tenant. */
export const LocalKey = z.extend(Key, {
  name: further(z.string()),
  scope: further(z.enum(KEY_SCOPES)),
  tenant: further(z.string()),
  /** Rejected from then on. */
  expires_at: further(z.string()),
  /** To the minute. */
  last_used_at: further(z.string()),
  requests_per_minute: further(z.number()),
  /** Series that may be forecast with it on a day (UTC). */
  series_per_day: further(z.number()),
});
export type LocalKey = z.infer<typeof LocalKey>;

/** What `POST /covariate_tests` answers: whether a forecast with each covariate would have erred less, all of them together. */
export const CovariateTest = z.looseObject({
  covariates: z.array(z.looseObject({ name: z.string(), helps: z.boolean() })),
  backtest: optional(CovariateBacktest),
});
export type CovariateTest = z.infer<typeof CovariateTest>;

/** An observation that was not expected, of `POST /anomalies`. */
export const Anomaly = z.looseObject({
  timestamp: z.string(),
  value: z.number(),
  /** What the observations before it let expect one step ahead, and the distance that is usual there. */
  expected: z.number(),
  scale: z.number(),
  /** Such an observation is found once in so many by chance. */
  rarity: z.number(),
  /** `spike`: by itself; `stretch`: the end of unusual movement; `level`: away from what is usual at that time. */
  sign: z.string(),
  metadata: optional(z.record(z.string(), z.unknown())),
});
export type Anomaly = z.infer<typeof Anomaly>;

/** What `POST /anomalies` answers. */
export const Anomalies = z.looseObject({
  points: z.array(Anomaly),
  /** Observations that could be judged; the first ones have nothing before them. */
  judged: z.int(),
  rarity: z.number(),
});
export type Anomalies = z.infer<typeof Anomalies>;

/** One of the parts that a series and its forecast add up from. */
export const Component = z.looseObject({
  /** `trend`, `seasonal`, `shift` (of the level), `covariate` or `remainder`. */
  kind: z.string(),
  /** Of a covariate: what it adds beside its usual value; several where there are many. */
  names: optional(z.array(z.string())),
  /** Of a season, in steps. */
  period: optional(z.number()),
  /** One for each timestamp, in the units of the series; `null` where nothing was observed. */
  values: z.array(z.nullable(z.number())),
});
export type Component = z.infer<typeof Component>;

/** What `GET /predictions/{id}/decomposition` answers: at each timestamp the values of all parts add up to series or forecast. */
export const Decomposition = z.looseObject({
  prediction_id: z.string(),
  timestamps: z.array(z.string()),
  /** Where in `timestamps` the forecast begins. */
  forecast_from: z.int(),
  components: z.array(Component),
});
export type Decomposition = z.infer<typeof Decomposition>;

/** One backtest forecast with the actual values. */
export const BacktestFold = z.looseObject({
  /** The last observation that the model saw. */
  cutoff: z.string(),
  points: z.array(
    z.looseObject({
      timestamp: z.string(),
      /** Absent where none was observed. */
      actual: optional(z.number()),
      value: z.number(),
      seasonal_naive: z.number(),
      quantiles: optional(z.record(z.string(), z.number())),
    }),
  ),
  /** Mean seasonal difference before the origin, by which MASE scales the errors; absent where it is 0 or unknown. */
  scale: optional(z.number()),
});
export type BacktestFold = z.infer<typeof BacktestFold>;

/** What `GET /predictions/{id}/backtest` answers: the folds, newest first. */
export const Backtest = z.looseObject({
  prediction_id: z.string(),
  /** Steps ahead at each origin. */
  horizon: z.int(),
  folds: z.array(BacktestFold),
});
export type Backtest = z.infer<typeof Backtest>;
