import * as z from 'zod/mini';
import { BacktestSummary, CovariateSummary, SeriesPoint } from '../contract/resources.ts';

export const described = <T extends z.core.$ZodType>(description: string, schema: T): T => {
  z.globalRegistry.add(schema, { description });
  return schema;
};

export const maybe = <T extends z.core.$ZodType>(description: string, schema: T) =>
  z.optional(described(description, schema));

export const text = (most = 400) => z.string().check(z.minLength(1), z.maxLength(most));

const Step = z.strictObject({
  unit: z.enum(['millisecond', 'second', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'year']),
  count: z.int().check(z.gte(1)),
});

export const Layout = z.strictObject({
  timeColumn: maybe('Name of the time column; null if rows have no time.', z.nullable(z.string())),
  valueColumns: z.optional(z.array(z.string())),
  idColumns: z.optional(z.array(z.string())),
  dateOrder: z.optional(z.enum(['dmy', 'mdy'])),
  decimal: z.optional(z.enum(['.', ','])),
  missingCode: maybe('A number that stands for a missing value; null if there is none.', z.nullable(z.number())),
  timeZone: maybe('IANA name of the time zone that an abbreviation such as CST means.', z.string()),
  totals: z.optional(z.enum(['leave', 'take'])),
  sheet: z.optional(z.string()),
  reading: z.optional(z.string()),
  aggregate: z.optional(
    z.nullable(z.strictObject({ step: Step, by: z.enum(['sum', 'count', 'mean', 'last', 'min', 'max']) })),
  ),
});

export const file = described(
  'Path of a CSV, TSV, text, JSON, NDJSON, Excel, or Parquet file with a time series; absolute, or relative to the open folder.',
  text(4000),
);

export const ofFile = {
  file: z.optional(file),
  layout: maybe(
    'How to read the file. Use it only to answer a question from a tool; the question lists the values.',
    Layout,
  ),
  treat_as_missing: maybe(
    'Read cells that are not numbers as missing values instead of rejecting the file.',
    z.boolean(),
  ),
};

export const source = {
  ...ofFile,
  series: maybe('Name of the series in the file; needed only if the file has several.', text(1000)),
  values: maybe(
    'The observations themselves instead of a file, oldest first, one per step; null for a missing value.',
    z.array(z.nullable(z.number())).check(z.maxLength(50_000)),
  ),
  start: maybe('With values: the time of the first value, such as 2024-01-31 or 2024-01-31T13:00:00Z.', text()),
  frequency: maybe(
    'With values: the step, as an ISO 8601 duration such as P1D, P1W, P1M, P3M, or PT1H, or “B” for business days.',
    text(),
  ),
  name: maybe('With values: their name, such as “Sales in Bonn”.', text(200)),
};

export type SourceInput = z.output<z.ZodMiniObject<typeof source>>;

export const MOST_STEPS = 10_000;

export const horizon = maybe(
  'How far ahead: a number of steps, or a duration or end such as “2 years”, “36 hours”, “until Dec 2027”, or “until 2027-06-30”. Default: what suits the frequency, such as 24 months or 48 hours.',
  z.union([z.int().check(z.gte(1), z.lte(MOST_STEPS)), text(60)]),
);

export const MOST_NAME = 200;

export const OnePrediction = z.object({
  prediction_id: z.string(),
  status: z.string(),
  ai_model_id: z.optional(z.string()),
  /** Of the whole forecast; the points here may be some of them, from `first_step`. */
  steps: z.optional(z.int()),
  first_step: z.optional(z.int()),
  prediction_series: z.optional(z.array(SeriesPoint)),
  backtest: z.optional(BacktestSummary),
  covariates: z.optional(CovariateSummary),
  chart: z.optional(z.string()),
  error: z.optional(z.string()),
});
