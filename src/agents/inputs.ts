import * as z from 'zod/mini';

/** The inputs of the tools. Language models read the descriptions, so they show what a value looks like. */

const described = <T extends z.core.$ZodType>(schema: T, description: string): T => {
  z.globalRegistry.add(schema, { description });
  return schema;
};

const text = (description: string, most = 400) =>
  described(z.string().check(z.minLength(1), z.maxLength(most)), description);

const Layout = z.strictObject({
  timeColumn: z.optional(described(z.nullable(z.string()), 'Name of the time column; null if rows have no time.')),
  valueColumns: z.optional(z.array(z.string())),
  idColumns: z.optional(z.array(z.string())),
  dateOrder: z.optional(z.enum(['dmy', 'mdy'])),
  decimal: z.optional(z.enum(['.', ','])),
  missingCode: z.optional(
    described(z.nullable(z.number()), 'A number that stands for a missing value; null if there is none.'),
  ),
  timeZone: z.optional(described(z.string(), 'IANA name of the time zone that an abbreviation such as CST means.')),
  totals: z.optional(z.enum(['leave', 'take'])),
});

const ofFile = {
  file: z.optional(
    text(
      'Path of a CSV, TSV, text, JSON, NDJSON, Excel, or Parquet file with a time series; absolute, or relative to the open folder.',
      4000,
    ),
  ),
  layout: z.optional(
    described(
      Layout,
      'How to read the file. Use it only to answer a question from a tool; the question lists the values.',
    ),
  ),
  treat_as_missing: z.optional(
    described(z.boolean(), 'Read cells that are not numbers as missing values instead of rejecting the file.'),
  ),
};

/** Where a series comes from: a file, or points in the call itself. */
const source = {
  ...ofFile,
  series: z.optional(text('Name of the series in the file; needed only if the file has several.', 1000)),
  values: z.optional(
    described(
      z.array(z.nullable(z.number())).check(z.maxLength(50_000)),
      'The observations themselves instead of a file, oldest first, one per step; null for a missing value.',
    ),
  ),
  start: z.optional(text('With values: the time of the first value, such as 2024-01-31 or 2024-01-31T13:00:00Z.')),
  frequency: z.optional(
    text(
      'With values: the step, as an ISO 8601 duration such as P1D, P1W, P1M, P3M, or PT1H, or “B” for business days.',
    ),
  ),
  name: z.optional(text('With values: their name, such as “Sales in Bonn”.', 200)),
};

/** The most steps that a tool takes. */
export const MOST_STEPS = 10_000;

const horizon = z.optional(
  described(
    z.union([z.int().check(z.gte(1), z.lte(MOST_STEPS)), z.string().check(z.minLength(1), z.maxLength(60))]),
    'How far ahead: a number of steps, or a duration or end such as “2 years”, “36 hours”, “until Dec 2027”, or “until 2027-06-30”. Default: what suits the frequency, such as 24 months or 48 hours.',
  ),
);

export const InspectFile = z.strictObject({ ...ofFile, file: ofFile.file._zod.def.innerType });
export type InspectFile = z.output<typeof InspectFile>;

const bound = described(
  z.union([z.number(), z.string().check(z.minLength(1), z.maxLength(200))]),
  'A number, or the name of a column of the file with a value for each step, including future steps.',
);

export const Forecast = z.strictObject({
  ...source,
  horizon,
  model: z.optional(text('ID of a model from list_models. Default: the service’s default model.')),
  covariates: z.optional(
    described(
      z.array(z.string().check(z.maxLength(1000))).check(z.maxLength(40)),
      'Columns of the file that are known in advance (promotion, price, weather, opening days), with values for future steps; inspect_series_file lists them. They are used only if they help in a backtest.',
    ),
  ),
  holidays: z.optional(
    described(
      z.string().check(z.regex(/^[A-Za-z]{2}(?:-[A-Za-z0-9]+){0,2}$/)),
      'Country whose holidays may affect the series, such as DE, or a region such as DE-BY or US-CA. Holidays are used only if they help in a backtest. Ask the person first.',
    ),
  ),
  bounds: z.optional(
    described(
      z.strictObject({
        floor: z.optional(bound),
        capacity: z.optional(bound),
        whole: z.optional(described(z.boolean(), 'Whole numbers only.')),
        not_negative: z.optional(
          described(
            z.boolean(),
            'false: the forecast may be negative even if the series never was; true: it never is.',
          ),
        ),
      }),
      'Bounds of the forecast, if the person knows a floor, a capacity, or which numbers are possible.',
    ),
  ),
  levels: z.optional(
    described(
      z.array(z.number().check(z.gte(1), z.lte(99.9))).check(z.minLength(1), z.maxLength(5)),
      'Prediction intervals in percent, such as [80, 95].',
    ),
  ),
});
export type Forecast = z.output<typeof Forecast>;

export const CompareModels = z.strictObject({
  ...source,
  horizon,
  models: z.optional(
    described(
      z.array(z.string()).check(z.minLength(2), z.maxLength(6)),
      'IDs of the models. Default: the base models of the service.',
    ),
  ),
});
export type CompareModels = z.output<typeof CompareModels>;

export const FindAnomalies = z.strictObject({
  ...source,
  rarity: z.optional(
    described(
      z.number().check(z.gte(10), z.lte(1_000_000)),
      'How rare an anomaly is by chance: 1000 (the default) finds about one in 1,000 observations of pure noise; 100 finds more.',
    ),
  ),
});
export type FindAnomalies = z.output<typeof FindAnomalies>;

export const ListPredictions = z.strictObject({
  cursor: z.optional(text('For the next page: the cursor of the previous answer.', 10_000)),
});
export type ListPredictions = z.output<typeof ListPredictions>;

export const ListModels = z.strictObject({});
export type ListModels = z.output<typeof ListModels>;

export const ReadPrediction = z.strictObject({
  id: text('ID of the prediction.'),
  from: z.optional(described(z.int().check(z.gte(1)), 'First step to return, counted from 1.')),
  steps: z.optional(described(z.int().check(z.gte(1), z.lte(100)), 'How many steps to return, up to 100.')),
});
export type ReadPrediction = z.output<typeof ReadPrediction>;

export const CreateModel = z.strictObject({
  ...ofFile,
  dataset_ids: z.optional(
    described(z.array(z.string()).check(z.maxLength(50)), 'IDs of stored datasets to train on instead of a file.'),
  ),
  base_model: z.optional(text('ID of the base model. Default: the service’s default model.')),
  horizon,
  name: z.optional(text('Name of the model.', 200)),
});
export type CreateModel = z.output<typeof CreateModel>;

/** The most letters of a name that the local service keeps. */
export const MOST_NAME = 200;
