import * as z from 'zod/mini';

/** The inputs of the tools. Descriptions are read by language models, and so say what a value looks like. */

const told = <T extends z.core.$ZodType>(schema: T, description: string): T => {
  z.globalRegistry.add(schema, { description });
  return schema;
};

const text = (description: string, most = 400) =>
  told(z.string().check(z.minLength(1), z.maxLength(most)), description);

const Layout = z.strictObject({
  timeColumn: z.optional(told(z.nullable(z.string()), 'Name of the column of times; null where rows have no time.')),
  valueColumns: z.optional(z.array(z.string())),
  idColumns: z.optional(z.array(z.string())),
  dateOrder: z.optional(z.enum(['dmy', 'mdy'])),
  decimal: z.optional(z.enum(['.', ','])),
  missingCode: z.optional(
    told(z.nullable(z.number()), 'A number that stands for a missing value; null where none does.'),
  ),
  timeZone: z.optional(told(z.string(), 'IANA name of the zone that an abbreviation such as CST means.')),
  totals: z.optional(z.enum(['leave', 'take'])),
});

const ofFile = {
  file: z.optional(
    text(
      'Path of a CSV, TSV, text, JSON, NDJSON, Excel or Parquet file with a time series; absolute, or relative to the folder that is open.',
      4000,
    ),
  ),
  layout: z.optional(
    told(
      Layout,
      'How to read the file. Only as an answer to a question that a tool asked; the question gives the values.',
    ),
  ),
  treat_as_missing: z.optional(
    told(z.boolean(), 'Read cells that are no numbers as missing values instead of refusing the file.'),
  ),
};

/** Where a series comes from: a file, or points in the call itself. */
const source = {
  ...ofFile,
  series: z.optional(text('Which series of the file, by its name; needed only where the file has several.', 1000)),
  values: z.optional(
    told(
      z.array(z.nullable(z.number())).check(z.maxLength(50_000)),
      'The observations themselves instead of a file, oldest first, one a step; null where one is missing.',
    ),
  ),
  start: z.optional(text('With values: the time of the first one, as 2024-01-31 or 2024-01-31T13:00:00Z.')),
  frequency: z.optional(
    text('With values: the step, as an ISO 8601 duration such as P1D, P1W, P1M, P3M, PT1H, or “B” for business days.'),
  ),
  name: z.optional(text('With values: what they are, such as “Sales in Bonn”.', 200)),
};

/** The most steps that a tool takes. */
export const MOST_STEPS = 10_000;

const horizon = z.optional(
  told(
    z.union([z.int().check(z.gte(1), z.lte(MOST_STEPS)), z.string().check(z.minLength(1), z.maxLength(60))]),
    'How far ahead: a number of steps, or a span or end in words such as “2 years”, “36 hours”, “until Dec 2027”, “until 2027-06-30”. Left out: what fits the frequency, such as 24 months or 48 hours.',
  ),
);

export const InspectFile = z.strictObject({ ...ofFile, file: ofFile.file._zod.def.innerType });
export type InspectFile = z.output<typeof InspectFile>;

const bound = told(
  z.union([z.number(), z.string().check(z.minLength(1), z.maxLength(200))]),
  'A number, or the name of a column of the file that says it for each step, filled further down than the values.',
);

export const Forecast = z.strictObject({
  ...source,
  horizon,
  model: z.optional(text('Id of a model, as list_models gives it. Left out: the default of the service.')),
  covariates: z.optional(
    told(
      z.array(z.string().check(z.maxLength(1000))).check(z.maxLength(40)),
      'Columns of the file that are known in advance (promotion, price, weather, opening days), filled further down than the values; inspect_series_file lists them. They are used only where they helped on the series’ own history.',
    ),
  ),
  holidays: z.optional(
    told(
      z.string().check(z.regex(/^[A-Za-z]{2}(?:-[A-Za-z0-9]+){0,2}$/)),
      'Country whose holidays the series may follow, such as DE, or a part of it, such as DE-BY or US-CA. They are used only where they helped on the series’ own history; ask the person before.',
    ),
  ),
  bounds: z.optional(
    told(
      z.strictObject({
        floor: z.optional(bound),
        capacity: z.optional(bound),
        whole: z.optional(told(z.boolean(), 'Whole numbers only.')),
        not_negative: z.optional(
          told(z.boolean(), 'false: it may be negative, though the series never was; true: it never is.'),
        ),
      }),
      'Between what the forecast lies: where the person knows a floor or a capacity, or what the numbers can be.',
    ),
  ),
  levels: z.optional(
    told(
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
    told(
      z.array(z.string()).check(z.minLength(2), z.maxLength(6)),
      'Ids of the models. Left out: the base models of the service.',
    ),
  ),
});
export type CompareModels = z.output<typeof CompareModels>;

export const FindAnomalies = z.strictObject({
  ...source,
  rarity: z.optional(
    told(
      z.number().check(z.gte(10), z.lte(1_000_000)),
      'How rare by chance: 1000 (the default) finds about one in 1,000 observations of pure noise; 100 finds more.',
    ),
  ),
});
export type FindAnomalies = z.output<typeof FindAnomalies>;

export const ListPredictions = z.strictObject({
  cursor: z.optional(text('For the next page: the cursor that the last answer gave.', 10_000)),
});
export type ListPredictions = z.output<typeof ListPredictions>;

export const ListModels = z.strictObject({});
export type ListModels = z.output<typeof ListModels>;

export const ReadPrediction = z.strictObject({
  id: text('Id of the prediction.'),
  from: z.optional(told(z.int().check(z.gte(1)), 'First step to give, counted from 1.')),
  steps: z.optional(told(z.int().check(z.gte(1), z.lte(100)), 'How many steps to give, 100 at most.')),
});
export type ReadPrediction = z.output<typeof ReadPrediction>;

export const CreateModel = z.strictObject({
  ...ofFile,
  dataset_ids: z.optional(
    told(z.array(z.string()).check(z.maxLength(50)), 'Stored datasets to learn from instead of a file.'),
  ),
  base_model: z.optional(text('Id of the base model. Left out: the default of the service.')),
  horizon,
  name: z.optional(text('What to call the model.', 200)),
});
export type CreateModel = z.output<typeof CreateModel>;

/** The most letters of a name that the local service keeps. */
export const MOST_NAME = 200;
