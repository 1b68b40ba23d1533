/** The bodies of requests, with the fields and the bounds of the local service; the interface leaves open what is required. */
import * as z from 'zod/mini';
import { holds } from './failures.ts';
import { Bounds, InputConfig, KEY_SCOPES, ModelConfig, optional, SeriesPoint } from './resources.ts';

const id = optional(z.string());
const whole = (least: number, most: number) => optional(z.int().check(z.gte(least), z.lte(most)));

/** A text of at most so many characters, as JSON Schema counts them: by code points, each of which has two units at most. */
export const shortText = (most: number) => {
  const isShort = (text: string) => text.length <= most || (text.length <= 2 * most && [...text].length <= most);
  return z.string().check(holds(isShort, 'too_long', most), z.meta({ maxLength: most }));
};

const Covariates = z.record(
  z.string().check(z.maxLength(200)),
  z.nullable(z.union([z.number(), z.boolean(), z.string().check(z.maxLength(200))])),
);

/** A point for the local service; its timestamp is checked later. Points after the last value carry future covariates. */
const NewPoint = z.extend(SeriesPoint, {
  timestamp: z.string().check(z.meta({ format: 'date-time' })),
  metadata: optional(z.looseObject({ covariates: optional(Covariates) })),
});
export const points = z.array(NewPoint).check(z.minLength(1));

const hasOneSeries = z.check<{ readonly series?: unknown; readonly series_id?: unknown }>(({ value, issues }) => {
  const isGiven = value.series !== undefined;
  if (isGiven !== (value.series_id !== undefined)) return;
  const params = { code: isGiven ? 'series_or_id' : 'no_series' };
  issues.push({ code: 'custom', path: ['series'], input: value, params });
});
const oneSeries = z.meta({
  oneOf: [
    { properties: { series: { type: 'array' } }, required: ['series'] },
    { properties: { series_id: { type: 'string' } }, required: ['series_id'] },
  ],
});

export const CreatePrediction = z
  .looseObject({
    ai_model_id: id,
    series_id: id,
    series: optional(points),
    is_async: optional(z.boolean()),
    fine_tuning_epochs: whole(0, 1_000),
    prediction_length: whole(1, 10_000),
    quantile_levels: optional(z.array(z.number().check(z.gt(0), z.lt(1))).check(z.maxLength(99))),
    bounds: optional(Bounds),
    name: optional(shortText(200)),
    requested_by: optional(shortText(40)),
  })
  .check(hasOneSeries, oneSeries);
export type CreatePrediction = z.input<typeof CreatePrediction>;

const prediction = CreatePrediction.shape;

/** A total and its parts by their names: `{"total": "north", "parts": ["north/a", "north/b"]}`. */
const Sum = z.strictObject({ total: z.string(), parts: z.array(z.string()).check(z.minLength(1)) });

export const PredictDataset = z.looseObject({
  ai_model_id: id,
  fine_tuning_epochs: prediction.fine_tuning_epochs,
  prediction_length: prediction.prediction_length,
  quantile_levels: prediction.quantile_levels,
  /** Totals among the series, whose names must differ: their forecasts add up at every step. A part may be a total, and of several. */
  sums: optional(z.array(Sum).check(z.minLength(1))),
});
export type PredictDataset = z.input<typeof PredictDataset>;

const FEWEST_SAMPLES = 100;
const samples = z.int().check(
  holds((count) => count >= FEWEST_SAMPLES, 'few_samples', FEWEST_SAMPLES),
  z.lte(10_000),
  z.meta({ minimum: FEWEST_SAMPLES }),
);

export const CreateFineTunedModel = z.looseObject({
  base_model: id,
  input_config: optional(z.extend(InputConfig, { series: optional(z.array(NewPoint)) })),
  config: optional(
    z.extend(ModelConfig, {
      context_length: whole(4, 1_000_000),
      prediction_length: whole(1, 10_000),
      num_samples: optional(samples),
      max_epochs: whole(0, 1_000),
    }),
  ),
  name: prediction.name,
  requested_by: prediction.requested_by,
  start_model: id,
});
export type CreateFineTunedModel = z.input<typeof CreateFineTunedModel>;

export const DatasetSeries = z.looseObject({ name: optional(shortText(200)), series: points });

export const CreateDataset = z.looseObject({
  name: optional(shortText(200)),
  tags: optional(z.array(shortText(100)).check(z.maxLength(50))),
  /** Only for forecasts or a training: not listed by default, deleted when nothing needs it, and stored once for equal series. */
  for_job: optional(z.boolean()),
  /** Of the client’s choice, equal for the same series only: a dataset that a stream began under it is the answer, as far as it is. */
  fingerprint: optional(z.string().check(z.regex(/^[!-~]{1,100}$/))),
  series: optional(z.array(DatasetSeries).check(z.minLength(1))),
});
export type CreateDataset = z.input<typeof CreateDataset>;

export const TestCovariates = z.looseObject({ series: points, ai_model_id: id, prediction_length: whole(1, 10_000) });

export const FindAnomalies = z
  .looseObject({
    series: optional(points),
    series_id: id,
    rarity: optional(z.number().check(z.gte(10), z.lte(1_000_000))),
  })
  .check(hasOneSeries, oneSeries);

export const SeriesLine = z.looseObject({
  /** Of the client’s choice, unique in the dataset: a line that is sent again under it is stored once. */
  id: optional(shortText(200).check(z.minLength(1))),
  name: optional(shortText(200)),
  series: points,
});

export const CreateKey = z.looseObject({
  name: optional(shortText(100)),
  scope: optional(z.enum(KEY_SCOPES)),
  expires_in_days: whole(1, 3650),
  requests_per_minute: whole(1, 1_000_000),
  series_per_day: whole(1, 1_000_000_000),
});
