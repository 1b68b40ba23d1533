import * as z from 'zod/mini';
import { CreatePrediction, points } from './requests.ts';
import { LocalPrediction, optional } from './resources.ts';

/** The extension of a forecast as a file. */
export const FORECAST_ENDING = 'forecast.json';
export const FORECAST_FILE = /\.forecast\.json$/i;

const described = <T extends z.ZodMiniType>(schema: T, description: string): T =>
  schema.check(z.meta({ description })) as T;

const asked = CreatePrediction.shape;

/** A forecast as a file: request and result in the format of the interface, without the service and the machine that made it. */
export const ForecastFile = z.looseObject({
  $schema: optional(z.string()),
  name: described(z.string(), 'Name of the forecast, such as the name of the file of the series.'),
  value_name: optional(described(z.string(), 'What the numbers are, such as “Passengers”.')),
  time_zone: optional(described(z.string(), 'Time zone of the times, such as “Europe/Berlin”. Default: UTC.')),
  request: described(
    z.looseObject({
      ai_model_id: optional(described(z.string(), 'The model. Default: the service’s default model.')),
      prediction_length: described(asked.prediction_length, 'How many steps ahead. Default: what suits the frequency.'),
      quantile_levels: described(
        asked.quantile_levels,
        'Levels of the quantiles, each between 0 and 1, such as 0.1 and 0.9 for an interval of 80%.',
      ),
      fine_tuning_epochs: described(
        asked.fine_tuning_epochs,
        'Maximum number of training passes over the series itself before predicting.',
      ),
      bounds: described(asked.bounds, 'Bounds of the forecast: floor, capacity, whole, not_negative.'),
      series: described(points, 'The observations, oldest first; null for a missing value.'),
    }),
    'The request: the body of POST /predictions.',
  ),
  prediction: optional(
    described(
      z.looseObject(
        z.pick(LocalPrediction, { ai_model_id: true, created_at: true, details: true, prediction_series: true }).shape,
      ),
      'The result. Run Again replaces it.',
    ),
  ),
});
export type ForecastFile = z.infer<typeof ForecastFile>;

/** The JSON schema of {@link ForecastFile}. An unknown field of a request is taken for a slip. */
export function forecastFileSchema(): Record<string, unknown> {
  const schema = z.toJSONSchema(ForecastFile, { io: 'input', unrepresentable: 'any', target: 'draft-7' });
  const { properties = {} } = schema;
  const request = properties['request'];
  return {
    ...schema,
    title: 'A forecast of a time series',
    properties: {
      ...properties,
      request: typeof request === 'object' ? { ...request, additionalProperties: false } : {},
    },
  };
}
