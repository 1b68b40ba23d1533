import * as z from 'zod/mini';
import { CreatePrediction, points } from './requests.ts';
import { LocalPrediction, optional } from './resources.ts';

export const FORECAST_ENDING = 'forecast.json';
export const FORECAST_FILE = /\.forecast\.json$/i;

const asked = CreatePrediction.shape;

/** A forecast as a file: request and result in the format of the interface, without the service and the machine that made it. */
export const ForecastFile = z
  .looseObject({
    $schema: optional(z.string()),
    name: z.string().check(z.describe('Name of the forecast, such as the name of the file of the series.')),
    value_name: optional(z.string().check(z.describe('What the numbers are, such as “Passengers”.'))),
    time_zone: optional(z.string().check(z.describe('Time zone of the times, such as “Europe/Berlin”. Default: UTC.'))),
    request: z
      .looseObject({
        ai_model_id: optional(z.string().check(z.describe('The model. Default: the service’s default model.'))),
        prediction_length: asked.prediction_length.check(
          z.describe('How many steps ahead. Default: what suits the frequency.'),
        ),
        quantile_levels: asked.quantile_levels.check(
          z.describe('Levels of the quantiles, each between 0 and 1, such as 0.1 and 0.9 for an interval of 80%.'),
        ),
        fine_tuning_epochs: asked.fine_tuning_epochs.check(
          z.describe('Maximum number of training passes over the series itself before predicting.'),
        ),
        bounds: asked.bounds.check(z.describe('Bounds of the forecast: floor, capacity, whole, not_negative.')),
        series: points.check(z.describe('The observations, oldest first; null for a missing value.')),
      })
      .check(z.meta({ description: 'The request: the body of POST /predictions.', additionalProperties: false })),
    prediction: optional(
      z
        .looseObject(
          z.pick(LocalPrediction, { ai_model_id: true, created_at: true, details: true, prediction_series: true })
            .shape,
        )
        .check(z.describe('The result. Run Again replaces it.')),
    ),
  })
  .check(z.meta({ title: 'A forecast of a time series' }));
export type ForecastFile = z.infer<typeof ForecastFile>;

export const forecastFileSchema = () =>
  z.toJSONSchema(ForecastFile, { io: 'input', unrepresentable: 'any', target: 'draft-7' });
