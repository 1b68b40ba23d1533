import * as z from 'zod/mini';
import { optional } from './resources.ts';

/** What the local service can work out about a series or a forecast when it is asked; none of it is stored. */

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

/** What `POST /covariate_tests` answers: whether a forecast with each covariate would have erred less, all of them together. */
export const CovariateTest = z.looseObject({
  covariates: z.array(z.looseObject({ name: z.string(), helps: z.boolean() })),
  backtest: optional(CovariateBacktest),
});
export type CovariateTest = z.infer<typeof CovariateTest>;

/** An observation that was not expected, of `POST /odd_points`. */
export const OddPoint = z.looseObject({
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
export type OddPoint = z.infer<typeof OddPoint>;

/** What `POST /odd_points` answers. */
export const OddPoints = z.looseObject({
  points: z.array(OddPoint),
  /** Observations that could be judged; the first ones have nothing before them. */
  judged: z.int(),
  rarity: z.number(),
});
export type OddPoints = z.infer<typeof OddPoints>;

/** One of the parts that a series and its forecast add up from. */
export const Part = z.looseObject({
  /** `trend`, `season`, `shift` (of the level), `covariate` or `remainder`. */
  kind: z.string(),
  /** Of a covariate: what it adds beside its usual value; several where there are many. */
  names: optional(z.array(z.string())),
  /** Of a season, in steps. */
  period: optional(z.number()),
  /** One for each timestamp, in the units of the series; `null` where nothing was observed. */
  values: z.array(z.nullable(z.number())),
});
export type Part = z.infer<typeof Part>;

/** What `GET /predictions/{id}/parts` answers: at each timestamp the values of all parts add up to series or forecast. */
export const Parts = z.looseObject({
  prediction_id: z.string(),
  timestamps: z.array(z.string()),
  /** Where in `timestamps` the forecast begins. */
  forecast_from: z.int(),
  parts: z.array(Part),
});
export type Parts = z.infer<typeof Parts>;

/** A forecast that was made again from a time in the past, beside what then came. */
export const BacktestFold = z.looseObject({
  /** The last observation that the model saw. */
  origin: z.string(),
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
