import type { DatabaseSync } from 'node:sqlite';
import type { ForecastDetails } from '../../contract/local.ts';
import { RequestError } from '../errors.ts';
import type { Datasets, StoredPoints } from './datasets.ts';
import { DamagedRowError, json, needed, number, orDamaged, type SqlRow, text } from './list.ts';
import { readOptions } from './prediction-options.ts';
import { readSketch } from './sketches.ts';
import { storeTrouble } from './trouble.ts';

/** Which series of a prediction are read along with it. */
export interface Shown {
  readonly input: boolean;
  readonly output: boolean;
  readonly sketch?: boolean;
}

/** A prediction as it is answered, `LocalPrediction` in JSON: its series as they are stored. */
export interface StoredPrediction {
  readonly id: string;
  readonly status: string;
  readonly error?: string | undefined;
  readonly input_series?: StoredPoints | undefined;
  readonly prediction_series?: StoredPoints | undefined;
  readonly [field: string]: unknown;
}

/** A damaged record, or one whose series are damaged, is given as far as it can be read, and says so in its `error`. */
export function readPrediction(
  database: DatabaseSync,
  datasets: Datasets,
  row: SqlRow,
  shown: Shown,
): StoredPrediction {
  const output = text(row.prediction_series_id);
  const { details, input_series, prediction_series, sketch, error } = orDamaged(
    () => ({
      input_series: shown.input ? pointsOf(datasets, needed(row.input_series_id)) : undefined,
      prediction_series: shown.output && output !== undefined ? pointsOf(datasets, output) : undefined,
      sketch:
        shown.sketch && output !== undefined ? readSketch(database, needed(row.input_series_id), output) : undefined,
      details: json<ForecastDetails>(row.details),
      error: text(needed(row.status) && row.error),
    }),
    (reason) => ({
      details: undefined,
      input_series: undefined,
      prediction_series: undefined,
      sketch: undefined,
      error: reason,
    }),
  );
  return {
    id: text(row.id) ?? `damaged_${row.seq}`,
    ai_model_id: text(row.ai_model_id),
    status: text(row.status) ?? 'FAILED',
    input_series,
    prediction_series,
    input_series_id: text(row.input_series_id),
    prediction_series_id: output,
    created_at: text(row.created_at),
    name: text(row.name),
    origin: readOptions(row.options)?.origin,
    progress: number(row.progress),
    error,
    prediction_length: output === undefined ? readOptions(row.options)?.horizon : datasets.seriesRows(output),
    details,
    sketch,
  };
}

/** @throws DamagedRowError where the series cannot be read, though its prediction is there */
function pointsOf(datasets: Datasets, id: string): StoredPoints {
  try {
    return datasets.points(id);
  } catch (cause) {
    if (cause instanceof RequestError || storeTrouble(cause)?.isDamaged) throw new DamagedRowError(cause);
    throw cause;
  }
}
