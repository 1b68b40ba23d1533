import { type RawBuilder, sql } from 'kysely';
import type { ForecastDetails, Sketch } from '../../contract/local.ts';
import type { StoredPoints } from '../store/stored-points.ts';
import { DamagedRowError, json, needed, number, orDamaged, type SqlRow, text } from '../database/list.ts';
import { readOptions } from './prediction-options.ts';
import { inSpace, type Space } from '../database/space.ts';

/** Which predictions are meant: those of the series of a dataset, those of a status, those made at one moment. */
export interface PredictionFilter {
  readonly datasetId?: string | undefined;
  readonly status?: string | undefined;
  readonly createdAt?: string | undefined;
}

/** What a filter says, of the predictions of a space. */
export const whereOf = (space: Space, { datasetId, status, createdAt }: PredictionFilter): RawBuilder<unknown> =>
  sql.join(
    [
      inSpace(space),
      ...(datasetId === undefined ? [] : [sql`dataset_id = ${datasetId}`]),
      ...(status === undefined ? [] : [sql`predictions.status = ${status}`]),
      ...(createdAt === undefined ? [] : [sql`predictions.created_at = ${createdAt}`]),
    ],
    sql` and `,
  );

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

/** What is shown of the series of a page of predictions, by the ids of the series; sketches by those of the outputs. */
export interface TheirSeries {
  readonly points: ReadonlyMap<string, StoredPoints>;
  readonly sketches: ReadonlyMap<string, Sketch>;
}

/** Columns of a prediction: with how many points its series have. */
export const PREDICTION_COLUMNS = sql`predictions.*,
  (select rows from series where series.id = input_series_id) input_rows,
  (select rows from series where series.id = prediction_series_id) output_rows`;

/** A damaged record, or one whose series are damaged, is given as far as it can be read, and says so in its `error`. */
export function readPrediction(row: SqlRow, shown: Shown, { points, sketches }: TheirSeries): StoredPrediction {
  const output = text(row.prediction_series_id);
  const pointsOf = (id: string): StoredPoints => {
    const stored = points.get(id);
    if (!stored) throw new DamagedRowError();
    return stored;
  };
  const read = () => ({
    input_series: shown.input ? pointsOf(needed(row.input_series_id)) : undefined,
    prediction_series: shown.output && output !== undefined ? pointsOf(output) : undefined,
    sketch: shown.sketch && output !== undefined ? sketches.get(output) : undefined,
    details: json<ForecastDetails>(row.details),
    error: text(needed(row.status) && row.error),
  });
  const { details, input_series, prediction_series, sketch, error } = orDamaged<Partial<ReturnType<typeof read>>>(
    read,
    (error) => ({ error }),
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
    prediction_length: output === undefined ? readOptions(row.options)?.horizon : number(row.output_rows),
    details,
    sketch,
  };
}
