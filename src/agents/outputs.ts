import * as z from 'zod/mini';
import { BacktestSummary, CovariateSummary, Anomaly } from '../contract/local.ts';
import { SeriesPoint } from '../contract/resources.ts';

/** What the tools answer as data, beside their text. Further fields may come with it. */

export const OnePrediction = z.looseObject({
  prediction_id: z.string(),
  status: z.string(),
  ai_model_id: z.optional(z.string()),
  /** Of the whole forecast, of which there may be a part here that begins at `first_step`. */
  steps: z.optional(z.int()),
  first_step: z.optional(z.int()),
  prediction_series: z.optional(z.array(SeriesPoint)),
  backtest: z.optional(BacktestSummary),
  covariates: z.optional(CovariateSummary),
  chart: z.optional(z.string()),
  error: z.optional(z.string()),
});

export const Comparison = z.looseObject({
  series: z.string(),
  best: z.optional(z.string()),
  models: z.array(
    z.looseObject({
      ai_model_id: z.string(),
      prediction_id: z.string(),
      status: z.string(),
      mase: z.optional(z.number()),
      smape: z.optional(z.number()),
      coverage80: z.optional(z.number()),
      skill: z.optional(z.number()),
    }),
  ),
});

export const FoundAnomalies = z.looseObject({
  series: z.string(),
  judged: z.int(),
  rarity: z.number(),
  anomalies: z.array(Anomaly),
});

export const InspectedFile = z.looseObject({
  file: z.string(),
  series_count: z.int(),
  series: z.array(z.looseObject({ id: z.string(), name: z.string(), points: z.int() })),
  problem_count: z.int(),
  questions: z.array(z.looseObject({ question: z.string() })),
});

export const PredictionList = z.looseObject({
  predictions: z.array(z.looseObject({ id: z.string(), status: z.string() })),
  total: z.optional(z.int()),
  next_page: z.optional(z.string()),
});

export const ModelList = z.looseObject({
  base_models: z.array(z.looseObject({ id: z.string(), is_default: z.boolean() })),
  fine_tuned_models: z.array(z.looseObject({ id: z.string(), status: z.string() })),
});

export const StartedTraining = z.looseObject({ model_id: z.string(), status: z.string(), base_model: z.string() });
