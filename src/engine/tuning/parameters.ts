import { isNeural } from '../models.ts';
import { leastHistory as leastHistoryOfNets } from './training-series.ts';
import { weightsVersion } from '../neural/weights.ts';
import type { TunedParameters } from '../types.ts';

const settingsVersion: TunedParameters['version'] = 1;
/** What weights of this version begin with as base64: magic and version, as far as whole characters go. */
const weightsHead = btoa(`TSFW${String.fromCharCode(weightsVersion & 0xff, weightsVersion >> 8, 0, 0)}`).slice(0, 10);

/**
 * Whether stored parameters are of the form that this version of the engine reads. It looks only at their head, so that a
 * list of models can be checked, and damage further on is found by who decodes them.
 *
 * @param weights at least the first ten characters of the base64, where there are weights
 */
export function isReadable(version: unknown, weights: string | undefined): boolean {
  return version === settingsVersion && (weights === undefined || weights.startsWith(weightsHead));
}

/** Fewest values before the hold-out of a statistical model's training. */
export const leastHistory = 4;

/** Fewest of the last points that a model can be told to see, if its training is to find anything to score. */
export function leastContext(modelId: string): number {
  return isNeural(modelId) ? leastHistoryOfNets : leastHistory;
}
