import { randomInt } from 'node:crypto';
import type * as z from 'zod/mini';
import { DEFAULT_QUANTILE_LEVELS } from '../../contract/local.ts';
import type { Bounds, PredictDataset } from '../../contract/requests.ts';
import { isoInstant } from '../../calendar/format.ts';
import { json, orDamaged, type SqlRow } from '../database/list.ts';
import type { UsableModel } from './models.ts';
import type { ForecastTask } from '../tasks/tasks.ts';

/** The options of a request that the job needs when its turn comes. */
export interface StoredOptions {
  readonly horizon?: number | undefined;
  readonly levels: readonly number[];
  readonly fineTuningEpochs?: number | undefined;
  /** Rolling origins of the backtest; the engine's own number where absent. */
  readonly origins?: number | undefined;
  readonly bounds?: Bounds | undefined;
  /** The forecasts that it adds up with, by the id of their job. */
  readonly group?: string | undefined;
  /** Who asked for it. */
  readonly origin?: string | undefined;
}

export const optionsOf = (request: z.output<typeof PredictDataset>, model: UsableModel): StoredOptions => ({
  horizon: request.prediction_length ?? model.horizon,
  levels: [...new Set(request.quantile_levels ?? DEFAULT_QUANTILE_LEVELS)].sort((a, b) => a - b),
  fineTuningEpochs: request.fine_tuning_epochs,
});

/** The kind and the turn of a prediction's job: one that trains before it holds a thread as long as a training does. */
export const jobOf = ({ fineTuningEpochs }: StoredOptions, turn: 'forecast' | 'dataset') =>
  fineTuningEpochs
    ? ({ kind: 'tuned_prediction', turn: turn === 'dataset' ? 'dataset' : 'training' } as const)
    : ({ kind: 'prediction', turn } as const);

/** What a thread is asked for a prediction. @param points as JSON */
export const taskOf = (points: string, model: UsableModel, options: StoredOptions): ForecastTask => ({
  kind: 'forecast',
  points,
  model: model.base,
  parameters: model.parameters,
  contextLength: model.contextLength,
  horizon: options.horizon,
  levels: options.levels,
  samples: model.samples,
  fineTuningEpochs: options.fineTuningEpochs,
  origins: options.origins,
  bounds: options.bounds,
});

/** Those of a stored prediction; nothing where they are damaged. */
export const readOptions = (options: SqlRow[string]): StoredOptions | undefined =>
  orDamaged(
    () => json<StoredOptions>(options),
    () => undefined,
  );

let runs = randomInt(999);

/** Now, with microseconds that tell what is made of a dataset at once from all else of the same millisecond. */
export const momentOfRun = (): string => isoInstant(Date.now() + ((runs++ % 999) + 1) / 1000);
