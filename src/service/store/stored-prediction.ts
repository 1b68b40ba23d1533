import type { ForecastDetails } from '../../contract/local.ts';
import type { StoredPoints } from './stored-points.ts';
import { DamagedRowError, json, needed, number, type SqlRow, text } from './list.ts';
import { readOptions } from './prediction-options.ts';
import { readSketch } from './sketches.ts';
import type { Db } from './tables.ts';

/** Which predictions are listed: those of the series of a dataset, those of a status. */
export interface PredictionFilter {
  readonly datasetId?: string | undefined;
  readonly status?: string | undefined;
}

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

/** The series of a page of predictions, as far as they are shown. */
export interface TheirSeries {
  /** How many points they have, and the points, by the ids of the series. */
  readonly rows: ReadonlyMap<string, number>;
  readonly points: ReadonlyMap<string, StoredPoints>;
}

/** A damaged record, or one whose series are damaged, is given as far as it can be read, and says so in its `error`. */
export async function readPrediction(
  db: Db,
  row: SqlRow,
  shown: Shown,
  { rows, points }: TheirSeries,
): Promise<StoredPrediction> {
  const output = text(row.prediction_series_id);
  const pointsOf = (id: string): StoredPoints => {
    const stored = points.get(id);
    if (!stored) throw new DamagedRowError();
    return stored;
  };
  const read = async () => ({
    input_series: shown.input ? pointsOf(needed(row.input_series_id)) : undefined,
    prediction_series: shown.output && output !== undefined ? pointsOf(output) : undefined,
    sketch:
      shown.sketch && output !== undefined ? await readSketch(db, needed(row.input_series_id), output) : undefined,
    details: json<ForecastDetails>(row.details),
    error: text(needed(row.status) && row.error),
  });
  const { details, input_series, prediction_series, sketch, error } = await read().catch((error: unknown) => {
    if (!(error instanceof DamagedRowError)) throw error;
    return {
      details: undefined,
      input_series: undefined,
      prediction_series: undefined,
      sketch: undefined,
      error: error.message,
    };
  });
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
    prediction_length: output === undefined ? readOptions(row.options)?.horizon : rows.get(output),
    details,
    sketch,
  };
}
