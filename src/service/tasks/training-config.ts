/** What the settings of a training may be, and which of them do nothing. */
import type * as z from 'zod/mini';
import { LocalCreateFineTunedModel } from '../../contract/requests.ts';
import { InputConfig, ModelConfig } from '../../contract/resources.ts';
import { isNeural } from '../../engine/models.ts';
import { leastContext } from '../../engine/tuning/parameters.ts';
import { RequestError } from '../errors.ts';

/** @throws RequestError 422 where a setting cannot work with the base model */
export function checkConfig(config: ModelConfig, base: string): void {
  if (config.use_rope_scaling && isNeural(base)) {
    throw RequestError.field(
      ['body', 'config', 'use_rope_scaling'],
      `use_rope_scaling cannot have an effect: ${base} reads its window without position encoding. Leave it out, or false.`,
    );
  }
  const least = leastContext(base);
  if (config.context_length !== undefined && config.context_length < least) {
    throw RequestError.field(
      ['body', 'config', 'context_length'],
      `context_length is ${least} or more for ${base}: of fewer points it cannot learn.`,
    );
  }
}

/** What a person must know of a request that is taken: fields that are not known, settings that do nothing. */
export function warningsOf(request: z.output<typeof LocalCreateFineTunedModel>, base: string): string[] {
  const { config, input_config: input } = request;
  return [
    ...unknownFields(request, LocalCreateFineTunedModel.shape),
    ...unknownFields(config ?? {}, ModelConfig.shape, 'config.'),
    ...unknownFields(input ?? {}, InputConfig.shape, 'input_config.'),
    ...withoutEffect(config ?? {}, base),
  ];
}

/** What a request has beyond the fields of the interface; it is kept, but a misspelt one must not go unnoticed. */
function unknownFields(given: object, shape: object, path = ''): string[] {
  return Object.keys(given)
    .filter((name) => !Object.hasOwn(shape, name))
    .map((name) => `${path}${name} is not known and has no effect.`);
}

/** The settings of a neural forecaster that do nothing for a statistical model, each with the reason. */
function withoutEffect(config: ModelConfig, base: string): string[] {
  const warnings: string[] = [];
  if (isNeural(base)) return warnings;
  if (config.max_epochs !== undefined) warnings.push(`max_epochs has no effect: ${base} does not learn in epochs.`);
  if (config.num_samples !== undefined)
    warnings.push(`num_samples has no effect: the quantiles of ${base} are not sampled.`);
  if (config.use_rope_scaling) warnings.push(`use_rope_scaling has no effect: ${base} has no position encoding.`);
  return warnings;
}
