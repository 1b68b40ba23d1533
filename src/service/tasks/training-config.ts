/** What the settings of a training may be, and which of them do nothing. */
import { failure, type Failure } from '../../contract/failures.ts';
import type * as z from 'zod/mini';
import { LocalCreateFineTunedModel } from '../../contract/requests.ts';
import { InputConfig, ModelConfig } from '../../contract/resources.ts';
import { isNeural } from '../../engine/models.ts';
import { leastContext } from '../../engine/tuning/hold-outs.ts';
import { RequestError } from '../errors.ts';

/** @throws RequestError 422 where a setting cannot work with the base model */
export function checkConfig(config: ModelConfig, base: string): void {
  if (config.use_rope_scaling && isNeural(base)) {
    throw RequestError.field(['body', 'config', 'use_rope_scaling'], failure('rope_scaling', base));
  }
  const least = leastContext(base);
  if (config.context_length !== undefined && config.context_length < least) {
    throw RequestError.field(['body', 'config', 'context_length'], failure('least_context', least, base));
  }
}

/** What a person must know of a request that is taken: fields that are not known, settings that do nothing. */
export function warningsOf(request: z.output<typeof LocalCreateFineTunedModel>, base: string): Failure[] {
  const { config, input_config: input } = request;
  return [
    ...unknownFields(request, LocalCreateFineTunedModel.shape),
    ...unknownFields(config ?? {}, ModelConfig.shape, 'config.'),
    ...unknownFields(input ?? {}, InputConfig.shape, 'input_config.'),
    ...withoutEffect(config ?? {}, base),
  ];
}

/** What a request has beyond the fields of the interface; it is kept, but a misspelt one must not go unnoticed. */
function unknownFields(given: object, shape: object, path = ''): Failure[] {
  return Object.keys(given)
    .filter((name) => !Object.hasOwn(shape, name))
    .map((name) => failure('unknown_field', path + name));
}

/** The settings of a neural forecaster that do nothing for a statistical model, each with the reason. */
function withoutEffect(config: ModelConfig, base: string): Failure[] {
  const warnings: Failure[] = [];
  if (isNeural(base)) return warnings;
  if (config.max_epochs !== undefined) warnings.push(failure('epochs_unused', base));
  if (config.num_samples !== undefined) warnings.push(failure('samples_unused', base));
  if (config.use_rope_scaling) warnings.push(failure('rope_scaling_unused', base));
  return warnings;
}
