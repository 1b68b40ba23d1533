import { holds } from './failures.ts';
import * as z from 'zod/mini';
import { KEY_SCOPES, InputConfig, ModelConfig, SeriesPoint, optional } from './resources.ts';

/** `POST /predictions`, the interface's fields. Which of them are required is left open there. */
export const CreatePrediction = z.looseObject({
  ai_model_id: optional(z.string()),
  series_id: optional(z.string()),
  series: optional(z.array(SeriesPoint)),
  is_async: optional(z.boolean()),
  fine_tuning_epochs: optional(z.int().check(z.nonnegative())),
});
export type CreatePrediction = z.input<typeof CreatePrediction>;

/** A code point has two units at most: longer texts are not counted. */
const hasAtMost = (text: string, most: number): boolean =>
  text.length <= most || (text.length <= 2 * most && [...text].length <= most);

/** A text of at most so many characters, as JSON Schema counts them: by code points. */
export const shortText = (most: number) =>
  z.string().check(
    holds((text) => hasAtMost(text, most), 'too_long', most),
    z.meta({ maxLength: most }),
  );

/** What is known of a step besides its value: numbers, truth values and words; `null` where it is not known. */
const Covariates = z.record(
  z.string().check(z.maxLength(200)),
  z.nullable(z.union([z.number(), z.boolean(), z.string().check(z.maxLength(200))])),
);

/**
 * A point that the local service takes: {@link SeriesPoint}; whether its timestamp is one, is looked at later. Points after
 * the last value, with `value: null`, say by their covariates what is known of the future.
 */
const NewPoint = z.extend(SeriesPoint, {
  timestamp: z.string().check(z.meta({ format: 'date-time' })),
  metadata: optional(z.looseObject({ covariates: optional(Covariates) })),
});
export type NewPoint = z.output<typeof NewPoint>;
export const points = z.array(NewPoint).check(z.minLength(1));

/** A bound: a number, or the name of a covariate that says it for each step, of the future too. */
const Bound = z.union([z.number(), z.string().check(z.minLength(1), z.maxLength(200))]);

/** Between what a forecast and its quantiles lie. */
export const Bounds = z
  .strictObject({
    floor: optional(Bound),
    capacity: optional(Bound),
    /** Whole numbers only. */
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

/** `POST /predictions` with the further fields that the local service announces. */
export const LocalCreatePrediction = z.extend(CreatePrediction, {
  series: optional(points),
  /** Most passes over the series itself before predicting; for models with a neural network. */
  fine_tuning_epochs: optional(z.int().check(z.gte(0), z.lte(1_000))),
  /** Steps ahead; the default comes from the frequency or from the fine-tuned model. */
  prediction_length: optional(z.int().check(z.gte(1), z.lte(10_000))),
  /** Quantile levels, each in (0, 1). */
  quantile_levels: optional(z.array(z.number().check(z.gt(0), z.lt(1))).check(z.maxLength(99))),
  /** A covariate that is named as a bound is nothing else. */
  bounds: optional(Bounds),
  name: optional(shortText(200)),
  /** Who asks for it, to be told with it: `agent` for a tool of a language model. */
  requested_by: optional(shortText(40)),
});
export type LocalCreatePrediction = z.input<typeof LocalCreatePrediction>;

/** How series add up, by their names: `{"total": "north", "parts": ["north/a", "north/b"]}`. */
const Sum = z.strictObject({ total: z.string(), parts: z.array(z.string()).check(z.minLength(1)) });

/** `POST /datasets/{id}/predictions` of the local service: a prediction of each series of a dataset. */
export const PredictDataset = z.looseObject({
  ai_model_id: optional(z.string()),
  fine_tuning_epochs: LocalCreatePrediction.shape.fine_tuning_epochs,
  prediction_length: LocalCreatePrediction.shape.prediction_length,
  quantile_levels: LocalCreatePrediction.shape.quantile_levels,
  /**
   * Totals and their parts among the series of the dataset, which must have names of their own. The forecasts then add up at
   * every step. A part may itself be a total, and belong to several.
   */
  sums: optional(z.array(Sum).check(z.minLength(1))),
});
export type PredictDataset = z.input<typeof PredictDataset>;

/** `POST /fine_tuned_models`, the interface's fields. */
export const CreateFineTunedModel = z.looseObject({
  base_model: optional(z.string()),
  input_config: optional(InputConfig),
  config: optional(ModelConfig),
});
export type CreateFineTunedModel = z.input<typeof CreateFineTunedModel>;

/**
 * The local service's bounds on the training settings, both ends included. A base model may need a longer context (its
 * `min_context_length`).
 */
export const CONFIG_BOUNDS = {
  context_length: [4, 1_000_000],
  prediction_length: [1, 10_000],
  num_samples: [100, 10_000],
  max_epochs: [0, 1_000],
} as const;

const within = ([least, most]: readonly [number, number]) => z.int().check(z.gte(least), z.lte(most));
const [fewest, most] = CONFIG_BOUNDS.num_samples;
const samples = z.int().check(
  holds((count) => count >= fewest, 'few_samples', fewest),
  z.lte(most),
  z.meta({ minimum: fewest }),
);

/** The local service's further fields, and its bounds on `config`. */
export const LocalCreateFineTunedModel = z.extend(CreateFineTunedModel, {
  input_config: optional(z.extend(InputConfig, { series: optional(z.array(NewPoint)) })),
  config: optional(
    z.extend(ModelConfig, {
      context_length: optional(within(CONFIG_BOUNDS.context_length)),
      prediction_length: optional(within(CONFIG_BOUNDS.prediction_length)),
      num_samples: optional(samples),
      max_epochs: optional(within(CONFIG_BOUNDS.max_epochs)),
    }),
  ),
  name: optional(shortText(200)),
  /** A fine-tuned model to go on from; data and settings are its own where they are not given. */
  start_model: optional(z.string()),
  /** Who asks for it, to be told with it: `agent` for a tool of a language model. */
  requested_by: optional(shortText(40)),
});

/** A series of `POST /datasets`. */
export const DatasetSeries = z.looseObject({ name: optional(shortText(200)), series: points });

/** `POST /datasets` of the local service. */
export const CreateDataset = z.looseObject({
  name: optional(shortText(200)),
  tags: optional(z.array(shortText(100)).check(z.maxLength(50))),
  /**
   * Stored only for forecasts or a training: not listed unless asked for, deleted when nothing needs it any more, and stored
   * once: where the same series are stored already, the answer is that dataset.
   */
  for_job: optional(z.boolean()),
  /**
   * Where the series are added as a stream: of the client's choice, and equal for the same series only. A dataset that was
   * begun under it, and that would serve if it came whole, is the answer, with as many series as it has.
   */
  fingerprint: optional(z.string().check(z.regex(/^[!-~]{1,100}$/))),
  /** Absent for a dataset whose series are added as streams. */
  series: optional(z.array(DatasetSeries).check(z.minLength(1))),
});
export type CreateDataset = z.input<typeof CreateDataset>;

/** `POST /covariate_tests` of the local service: a series of which points have `metadata.covariates`. */
export const TestCovariates = z.looseObject({
  series: points,
  ai_model_id: optional(z.string()),
  prediction_length: LocalCreatePrediction.shape.prediction_length,
});
export type TestCovariates = z.input<typeof TestCovariates>;

/** `POST /anomalies` of the local service: exactly one of `series` and `series_id`. */
export const FindAnomalies = z.looseObject({
  series: optional(points),
  series_id: optional(z.string()),
  /** How rare by chance: 100 finds one in 100. */
  rarity: optional(z.number().check(z.gte(10), z.lte(1_000_000))),
});
export type FindAnomalies = z.input<typeof FindAnomalies>;

/** A line of `POST /datasets/{id}/series`. */
export const SeriesLine = z.looseObject({
  /** Of the client’s choice, one of its kind in the dataset: what comes again under it is stored once. */
  id: optional(shortText(200).check(z.minLength(1))),
  name: optional(shortText(200)),
  series: points,
});

/** `POST /keys` of the local service. The new key is of the tenant of the one that makes it. */
export const CreateKey = z.looseObject({
  name: optional(shortText(100)),
  /** Absent: `write`. */
  scope: optional(z.enum(KEY_SCOPES)),
  /** Days after which the key expires; absent: never. */
  expires_in_days: optional(z.int().check(z.gte(1), z.lte(3650))),
  requests_per_minute: optional(z.int().check(z.gte(1), z.lte(1_000_000))),
  series_per_day: optional(z.int().check(z.gte(1), z.lte(1_000_000_000))),
});
