import { EngineError } from './errors.ts';
import type { BaseModel } from './types.ts';

/** The models of the engine, the default one marked. */
export const baseModels: readonly BaseModel[] = [
  {
    id: 'hybrid',
    name: 'Hybrid',
    description:
      'The mean of the ensemble and the neural model; the most accurate choice for most series. Can be fine-tuned.',
    minPoints: 1,
    isDefault: true,
  },
  {
    id: 'neural',
    name: 'Neural',
    description:
      'A small neural network, trained on synthetic series, that weighs simple forecasts; learns from your series when fine-tuned.',
    minPoints: 1,
    isDefault: false,
  },
  {
    id: 'ensemble',
    name: 'Ensemble',
    description:
      'A trimmed mean of theta, exponential smoothing and autoregressive methods; the most accurate without a neural network.',
    minPoints: 1,
    isDefault: false,
  },
  {
    id: 'theta',
    name: 'Theta',
    description: 'The theta method on the logarithm of the seasonally adjusted series; robust and very fast.',
    minPoints: 1,
    isDefault: false,
  },
  {
    id: 'ets',
    name: 'ETS',
    description: 'Exponential smoothing with level, trend and season, the form chosen by the corrected AIC.',
    minPoints: 1,
    isDefault: false,
  },
  {
    id: 'seasonal-naive',
    name: 'Seasonal naive',
    description: 'Repeats the last season, or the last value where there is none; the yardstick for the others.',
    minPoints: 1,
    isDefault: false,
  },
];

/** The models with a net, which learn in epochs. */
export type NeuralModelId = 'neural' | 'hybrid';

export function isNeural(id: string): id is NeuralModelId {
  return id === 'neural' || id === 'hybrid';
}

/** A model id that the engine does not have. */
export class UnknownModelError extends EngineError {
  override readonly name = 'UnknownModelError';

  readonly modelId: string;

  constructor(modelId: string) {
    super(`There is no model "${modelId}". The models are: ${baseModels.map((model) => model.id).join(', ')}.`);
    this.modelId = modelId;
  }
}
