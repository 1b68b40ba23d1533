import * as z from 'zod/mini';
import { BacktestSummary, CovariateSummary, SeriesPoint } from '../contract/resources.ts';

/** The inputs and outputs that several tools share. */

export const described = <T extends z.core.$ZodType>(schema: T, description: string): T => {
  z.globalRegistry.add(schema, { description });
  return schema;
};

export const text = (description: string, most = 400) =>
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

export const ofFile = {
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
export const source = {
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

export type SourceInput = z.output<z.ZodMiniObject<typeof source>>;

export const MOST_STEPS = 10_000;

export const horizon = z.optional(
  described(
    z.union([z.int().check(z.gte(1), z.lte(MOST_STEPS)), z.string().check(z.minLength(1), z.maxLength(60))]),
    'How far ahead: a number of steps, or a duration or end such as “2 years”, “36 hours”, “until Dec 2027”, or “until 2027-06-30”. Default: what suits the frequency, such as 24 months or 48 hours.',
  ),
);

/** The local service stores no longer names. */
export const MOST_NAME = 200;

/** The data of an answer that is one prediction. */
export const OnePrediction = z.looseObject({
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
