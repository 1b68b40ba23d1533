/** What is stored of predictions: how they were asked for, and how they are answered. */
import { type RawBuilder, sql } from 'kysely';
import type { Failure } from '../../contract/failures.ts';
import { DEFAULT_QUANTILE_LEVELS, type ForecastDetails, type Sketch } from '../../contract/local.ts';
import type { BodyOf } from '../../contract/operations.ts';
import { ofTenant, type Tenant } from '../database/store.ts';
import { DamagedRowError, json, needed, number, orDamaged, type SqlRow, text } from '../database/list.ts';
import type { StoredPoints } from '../store/points.ts';
import type { ForecastOptions } from '../tasks/series.ts';
import type { UsableModel } from './models.ts';

/** What of a request the job needs when its turn comes. */
export interface StoredOptions extends Pick<
  ForecastOptions,
  'horizon' | 'levels' | 'fineTuningEpochs' | 'origins' | 'bounds'
> {
  readonly requestedBy?: string | undefined;
}

export const optionsOf = (
  request: BodyOf<'predictDataset'> & Pick<BodyOf<'createPrediction'>, 'bounds' | 'requested_by'>,
  model: UsableModel,
): StoredOptions => ({
  horizon: request.prediction_length ?? model.horizon,
  levels: [...new Set(request.quantile_levels ?? DEFAULT_QUANTILE_LEVELS)].sort((a, b) => a - b),
  fineTuningEpochs: request.fine_tuning_epochs,
  bounds: request.bounds,
  requestedBy: request.requested_by,
});

/** The kind and the lane of a prediction's job: one that trains before it holds a thread as long as a training does. */
export const jobOf = ({ fineTuningEpochs }: StoredOptions, lane: 'forecast' | 'dataset') =>
  fineTuningEpochs
    ? ({ kind: 'tuned_prediction', lane: lane === 'dataset' ? 'dataset' : 'training' } as const)
    : ({ kind: 'prediction', lane } as const);

/** What a thread is asked for a prediction. */
export const forecastOptions = (
  { base, parameters, contextLength, samples }: UsableModel,
  { requestedBy: _, ...options }: StoredOptions,
): ForecastOptions => ({ ...options, model: base, parameters, contextLength, samples });

/** Those of a stored prediction. @throws DamagedRowError */
export const readOptions = (options: SqlRow[string]): StoredOptions =>
  json<StoredOptions>(options) ?? { levels: DEFAULT_QUANTILE_LEVELS };

/** Which predictions are meant: those of the series of a dataset, those of a status, those of a batch. */
export interface PredictionFilter {
  readonly datasetId?: string | undefined;
  readonly status?: string | undefined;
  readonly batchId?: string | undefined;
}

/** What a filter says, of the predictions of a tenant. */
export const whereOf = (tenant: Tenant, { datasetId, status, batchId }: PredictionFilter): RawBuilder<boolean> => {
  const columns = { dataset_id: datasetId, 'predictions.status': status, batch_id: batchId };
  const asked = Object.entries(columns).filter(([, value]) => value !== undefined);
  const conditions = asked.map(([column, value]) => sql`${sql.ref(column)} = ${value}`);
  return sql.join([ofTenant(tenant), ...conditions], sql` and `).$castTo<boolean>();
};

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
  readonly error?: Failure | undefined;
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
  const options = orDamaged<Partial<StoredOptions>>(
    () => readOptions(row.options),
    () => ({}),
  );
  return {
    id: text(row.id) ?? `damaged_${row.seq}`,
    ai_model_id: text(row.ai_model_id),
    status: text(row.status) ?? 'FAILED',
    input_series_id: text(row.input_series_id),
    prediction_series_id: output,
    created_at: text(row.created_at),
    name: text(row.name),
    batch_id: text(row.batch_id),
    requested_by: options.requestedBy,
    progress: number(row.progress),
    prediction_length: output === undefined ? options.horizon : number(row.output_rows),
    ...orDamaged<Partial<StoredPrediction>>(
      () => ({
        input_series: shown.input ? pointsOf(needed(row.input_series_id)) : undefined,
        prediction_series: shown.output && output !== undefined ? pointsOf(output) : undefined,
        sketch: shown.sketch && output !== undefined ? sketches.get(output) : undefined,
        details: json<ForecastDetails>(row.details),
        error: json<Failure>(needed(row.status) && row.error),
      }),
      (error) => ({ error }),
    ),
  };
}
