import * as z from 'zod/mini';
import { holds } from './failures.ts';

/** The resources of the interface, with the further fields of the local service. Unknown fields and words are kept. */

/** A field that may be absent or `null`; both read as `undefined`. */
export const optional = <T extends z.core.$ZodType>(schema: T) =>
  z.optional(
    z.pipe(
      z.nullable(schema),
      z.transform((value) => value ?? undefined),
    ),
  );

/** Seconds or milliseconds since 1970 as ISO 8601. @param largest the distance from 1970 that shows the unit */
export function isoOfEpoch(epoch: unknown, largest?: number): string | undefined {
  if (typeof epoch !== 'number') return undefined;
  const ms = (largest ?? Math.abs(epoch)) < 1e11 ? epoch * 1000 : epoch;
  return Math.abs(ms) <= 8.64e15 ? new Date(ms).toISOString() : undefined;
}

/** A field that another service may have in another form, or for something else: what cannot be read is absent. */
const further = <T extends z.core.$ZodType>(schema: T) => z.catch(optional(schema), undefined);
const number = further(z.number());
const integer = further(z.int());
const flag = further(z.boolean());
const text = z.catch(optional(z.string()), ({ value }) => (typeof value === 'number' ? String(value) : undefined));
const instant = z.catch(optional(z.string()), ({ value }) => isoOfEpoch(value));
const count = z.catch(optional(z.number()), ({ value }) =>
  typeof value === 'string' && /^[0-9]+$/.test(value) ? Number(value) : undefined,
);
const score = optional(z.number());
const texts = optional(z.array(z.string()));
const levels = z.record(z.string(), z.number());

const id = z.pipe(z.union([z.string(), z.number()]), z.transform(String));

const Said = z.pipe(
  z.union([z.string(), z.object({ detail: z.string() }), z.object({ message: z.string() })]),
  z.transform((said) => (typeof said === 'string' ? said : String('detail' in said ? said.detail : said.message))),
);

export const STATUSES = ['QUEUED', 'IN_PROGRESS', 'COMPLETED', 'FAILED'] as const;

/** Those of the interface may be written in any letters (`completed`, `in-progress`), and a failure as an error. */
const status = z.pipe(
  z.string(),
  z.transform((word) => {
    const plain = word.trim().toUpperCase().replace(/[ -]/g, '_');
    if (plain === 'ERROR') return 'FAILED';
    return [...STATUSES, 'ACTIVE'].some((known) => known === plain) ? plain : word;
  }),
);

export const isPending = (status: string): boolean => status === 'QUEUED' || status === 'IN_PROGRESS';

/** Whether a job may change: all but one that has ended, also with a status that is not of the interface. */
export const isOngoing = (job: { readonly status: string; readonly prediction_series?: unknown }): boolean =>
  isPending(job.status) || (!['COMPLETED', 'FAILED'].includes(job.status) && job.prediction_series === undefined);

/** A decimal number, or a word for a missing one, with blanks around it; without flags, for the description. */
const NUMERAL =
  /^[ \t\r\n]*(([-+]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]+)?|[-+]?[iI][nN][fF]([iI][nN][iI][tT][yY])?|[nN][aA][nN]|[nN][uU][lL][lL]|[nN][oO][nN][eE]|[nN][aA]|[nN]\/[aA])[ \t\r\n]*)?$/;

const numeral = z.string().check(
  holds((text) => NUMERAL.test(text), 'text_not_number'),
  z.meta({ pattern: NUMERAL.source }),
);

/** A number, or a string that spells one; what is missing, not finite or beyond the largest number reads as `undefined`. */
const numeric = z.optional(
  z.pipe(
    z.nullable(z.union([z.number(), numeral])),
    z.transform((value) => {
      if (value === null || typeof value === 'number') return value ?? undefined;
      const parsed = value.trim() === '' ? NaN : Number(value);
      return Number.isFinite(parsed) ? parsed : undefined;
    }),
  ),
);

/** An observation or a forecast step. `value` is `undefined` where the observation is missing. */
export const SeriesPoint = z.looseObject({
  timestamp: z.string(),
  value: numeric,
  metadata: optional(z.record(z.string(), z.unknown())),
});
export type SeriesPoint = z.infer<typeof SeriesPoint>;

/** Quantile levels of a forecast if the request names none: the intervals of 50, 80 and 95 % and the median. */
export const DEFAULT_QUANTILE_LEVELS = [0.025, 0.1, 0.25, 0.5, 0.75, 0.9, 0.975] as const;

/** Quantile levels, rising: these, and those of the limits of intervals. @param intervals in percent */
export function withLimits(levels: readonly number[], intervals: readonly number[]): number[] {
  const limits = intervals.flatMap((interval) => [(1 - interval / 100) / 2, (1 + interval / 100) / 2]);
  return [...new Set([...levels, ...limits].map((level) => Number(level.toFixed(6))))].sort((a, b) => a - b);
}

/** `metadata` of a point of a prediction series: `{"quantiles": {"0.1": 401.2, "0.5": 450.9, "0.9": 502.4}}`, by level in (0, 1). */
export const PointQuantiles = z.looseObject({ quantiles: levels });

/** A number, or the name of a covariate that has it for each step, including the future. */
const Bound = z.union([z.number(), z.string().check(z.minLength(1), z.maxLength(200))]);

export const Bounds = z
  .strictObject({
    floor: optional(Bound),
    capacity: optional(Bound),
    whole: optional(z.boolean()),
    /** `false`: a series without negative values may have them in its forecast; `true`: none has. */
    not_negative: optional(z.boolean()),
  })
  .check(
    holds(
      ({ floor, capacity }) => typeof floor !== 'number' || typeof capacity !== 'number' || floor < capacity,
      'floor_above_capacity',
    ),
  );
export type Bounds = z.infer<typeof Bounds>;

export const BacktestSummary = z.looseObject({
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

const seriesScore = further(z.looseObject({ name: z.string(), base_mase: z.number(), mase: z.number() }));

const TuningScores = z.looseObject({
  series: z.int(),
  base_mase: number,
  mase: number,
  best: seriesScore,
  worst: seriesScore,
});

/** The training of a neural model, written while it trains. Epoch 0 is the base model. */
export const TrainingRecord = z.looseObject({
  max_epochs: z.int(),
  epoch: z.int(),
  chosen_epochs: optional(z.int()),
  windows: optional(z.int()),
  /** For each epoch the mean quantile loss on the training windows and the MASE on the holdout. */
  record: z.array(z.looseObject({ epoch: z.int(), loss: score, validation: z.number() })),
});
export type TrainingRecord = z.infer<typeof TrainingRecord>;

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
  mase_alone: score,
});
export type TotalsSummary = z.infer<typeof TotalsSummary>;

export const ForecastDetails = z.looseObject({
  /** ISO 8601 duration, such as `P1M`; absent for a series without a regular step. */
  frequency: optional(z.string()),
  seasonal_periods: optional(z.array(z.number())),
  points: optional(z.int()),
  gaps: optional(z.int()),
  backtest: optional(BacktestSummary),
  /** The mean of intermittent demand, whose median often is 0: of one step, and of the sum over all. Points have `metadata.mean`. */
  demand: further(z.looseObject({ mean: z.number(), total: z.looseObject({ mean: z.number(), quantiles: levels }) })),
  covariates: further(CovariateSummary),
  bounds: further(Bounds),
  totals: further(TotalsSummary),
  fine_tuning: optional(z.extend(TuningScores, { epochs: z.int() })),
  warnings: optional(z.array(Said)),
});
export type ForecastDetails = z.infer<typeof ForecastDetails>;

/** `null` where an observation is missing. */
const drawn = z.array(z.nullable(z.number()));

export const Sparkline = z.looseObject({ past: drawn, ahead: drawn, lower: optional(drawn), upper: optional(drawn) });
export type Sparkline = z.infer<typeof Sparkline>;

const job = {
  id,
  status,
  created_at: instant,
  name: text,
  requested_by: text,
  progress: number,
  error: further(Said),
};

export const LocalPrediction = z.looseObject({
  ...job,
  ai_model_id: optional(id),
  input_series: optional(z.array(SeriesPoint)),
  prediction_series: optional(z.array(SeriesPoint)),
  input_series_id: optional(id),
  prediction_series_id: optional(id),
  prediction_length: integer,
  batch_id: text,
  details: further(ForecastDetails),
  series_left_out: further(Said),
  sparkline: further(Sparkline),
});
export type LocalPrediction = z.infer<typeof LocalPrediction>;

export const ModelConfig = z.looseObject({
  context_length: optional(z.int()),
  prediction_length: optional(z.int()),
  use_rope_scaling: optional(z.boolean()),
  num_samples: optional(z.int()),
  max_epochs: optional(z.int()),
});
export type ModelConfig = z.infer<typeof ModelConfig>;

export const InputConfig = z.looseObject({
  dataset_ids: texts,
  dataset_tags: texts,
  series_ids: texts,
  series: optional(z.array(SeriesPoint)),
});
export type InputConfig = z.infer<typeof InputConfig>;

export const LocalFineTunedModel = z.looseObject({
  ...job,
  config: optional(ModelConfig),
  input_config: optional(InputConfig),
  base_model: optional(id),
  updated_at: instant,
  warnings: further(z.array(Said)),
  scores: further(TuningScores),
  training: further(TrainingRecord),
  horizon: integer,
});
export type LocalFineTunedModel = z.infer<typeof LocalFineTunedModel>;

export const BaseModel = z.looseObject({
  id: z.string(),
  name: text,
  description: further(Said),
  is_default: flag,
  min_points: integer,
  min_context_length: integer,
});
export type BaseModel = z.infer<typeof BaseModel>;

export const LocalDataset = z.looseObject({
  id,
  tags: texts,
  stats: optional(
    z.looseObject({ size: text, rows: count, start_timestamp: instant, end_timestamp: instant, freq: text }),
  ),
  name: text,
  series_count: integer,
  for_job: flag,
  created_at: instant,
});
export type LocalDataset = z.infer<typeof LocalDataset>;

export const StoredSeries = z.looseObject({
  id: z.string(),
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

export const DatasetPredictions = z.looseObject({
  dataset_id: z.string(),
  prediction_ids: z.array(z.string()),
  batch_id: z.string(),
});

export const Batch = z.looseObject({
  id: z.string(),
  dataset_id: z.string(),
  ai_model_id: text,
  series: z.int(),
  pending: z.int(),
  completed: z.int(),
  failed: z.int(),
  created_at: z.string(),
});

export const AddedSeries = z.looseObject({
  dataset_id: z.string(),
  stored: z.int(),
  unchanged: z.int(),
  refused: z.int(),
  faults: z.array(z.looseObject({ line: z.int(), id: optional(z.string()), error: Said })),
});

export const DatasetForecast = z.looseObject({
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

/** What a key may do, each more than the one before: read; store, forecast and delete; make and delete keys. */
export const KEY_SCOPES = ['read', 'write', 'admin'] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];

/** An API key, of a service for teams with its tenant. `secret` must never be shown, logged or stored in plain text. */
export const LocalKey = z.looseObject({
  id,
  status: optional(status),
  secret: text,
  created_at: instant,
  name: text,
  scope: further(z.enum(KEY_SCOPES)),
  tenant: text,
  expires_at: text,
  /** To the minute. */
  last_used_at: text,
  requests_per_minute: number,
  series_per_day: number,
});
export type LocalKey = z.infer<typeof LocalKey>;

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
  rarity: z.number(),
  /** `spike`: by itself; `stretch`: the end of unusual movement; `level`: away from what is usual at that time. */
  sign: z.string(),
  metadata: optional(z.record(z.string(), z.unknown())),
});
export type Anomaly = z.infer<typeof Anomaly>;

/** `judged`: the number of observations that were tested; the first ones have nothing before them. */
export const Anomalies = z.looseObject({ points: z.array(Anomaly), judged: z.int(), rarity: z.number() });
export type Anomalies = z.infer<typeof Anomalies>;

export const Component = z.looseObject({
  /** `trend`, `seasonal`, `shift` (of the level), `covariate` or `remainder`. */
  kind: z.string(),
  /** Of a covariate, whose effect is measured from its usual value; several where there are many. */
  names: optional(z.array(z.string())),
  period: optional(z.number()),
  values: drawn,
});
export type Component = z.infer<typeof Component>;

/** The components add up to series or forecast at each timestamp; `forecast_from` is the number of the first of the forecast. */
export const Decomposition = z.looseObject({
  prediction_id: z.string(),
  timestamps: z.array(z.string()),
  forecast_from: z.int(),
  components: z.array(Component),
});
export type Decomposition = z.infer<typeof Decomposition>;

export const BacktestFold = z.looseObject({
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

export const Backtest = z.looseObject({ prediction_id: z.string(), horizon: z.int(), folds: z.array(BacktestFold) });
export type Backtest = z.infer<typeof Backtest>;

const envelope = z.object({
  total: count,
  current_page: text,
  current_page_backwards: text,
  previous_page: text,
  next_page: text,
});
export const page = <T extends z.core.$ZodType>(item: T) => z.looseObject({ items: z.array(item), ...envelope.shape });
export type Page<T> = { items: T[] } & z.infer<typeof envelope>;
