/** What goes in and out in bulk, as NDJSON: one JSON object a line, any number of lines. */
import * as z from 'zod/mini';
import type { Operation } from './operation.ts';
import { points, shortText } from './requests.ts';
import { optional, SeriesPoint } from './resources.ts';

/** A line of `POST /datasets/{id}/series`. */
export const SeriesLine = z.looseObject({
  /** Of the client’s choice, one of its kind in the dataset: what comes again under it is stored once. */
  id: optional(shortText(200).check(z.minLength(1))),
  name: optional(shortText(200)),
  series: points,
});

/** Lines are counted from 1. */
const LineFault = z.looseObject({ line: z.int(), id: optional(z.string()), error: z.string() });
export type LineFault = z.infer<typeof LineFault>;

/** What became of the lines; blank ones are passed over. */
export const AddedSeries = z.looseObject({
  dataset_id: z.string(),
  stored: z.int(),
  /** Lines whose series was there already. */
  unchanged: z.int(),
  refused: z.int(),
  /** Why, for the first of them. */
  faults: z.array(LineFault),
});
export type AddedSeries = z.infer<typeof AddedSeries>;

/** So many faults are told. */
export const MOST_FAULTS = 100;

/** A line of `GET /datasets/{id}/forecasts.ndjson`. */
export const DatasetForecast = z.looseObject({
  /** That of the line that the series came with, where it had one; else the service’s. */
  id: z.string(),
  series_id: z.string(),
  name: optional(z.string()),
  prediction_id: z.string(),
  ai_model_id: z.string(),
  status: z.string(),
  prediction_series: optional(z.array(SeriesPoint)),
  error: optional(z.string()),
});
export type DatasetForecast = z.infer<typeof DatasetForecast>;

export const streams = {
  addSeries: {
    method: 'POST',
    path: '/datasets/{id}/series',
    summary:
      'Add series to a dataset, one a line, in batches: a line at fault is refused and told by its number, the others are stored. A line with an id of its own, or of a request with an Idempotency-Key, is stored once, however often it comes; with other points or another name it is refused.',
    status: 201,
    bodyLines: SeriesLine,
    answer: AddedSeries,
    noun: 'account of the lines',
  },
  listForecasts: {
    method: 'GET',
    path: '/datasets/{id}/forecasts.ndjson',
    summary:
      'Read the newest prediction of each series of a dataset that has one, one a line, the newest series first; what has not ended has its status alone',
    status: 200,
    answerLines: DatasetForecast,
  },
} as const satisfies Record<string, Operation>;
