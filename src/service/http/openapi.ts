import * as z from 'zod/mini';
import { answerSchema, isCreation, NDJSON, operations, TEXT_PATTERN } from '../../contract/operations.ts';
import type { Operation } from '../../contract/operations.ts';
import { InputConfig } from '../../contract/resources.ts';
import { baseModels, isNeural } from '../../engine/models.ts';
import { mostSampledSteps } from '../../engine/quantiles.ts';
import { leastContext } from '../../engine/tuning/hold-outs.ts';

const schemaOf = (schema: z.core.$ZodType): Record<string, unknown> => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return rest;
};

const contentOf = (schema?: z.core.$ZodType, lines?: z.core.$ZodType, conditions?: Schema) => {
  if (schema) return { content: { 'application/json': { schema: { ...schemaOf(schema), ...conditions } } } };
  return lines && { content: { [NDJSON]: { schema: schemaOf(lines) } } };
};

const Failed = { code: z.string(), params: z.array(z.unknown()), detail: z.string() };
const Problem = z.object({
  status: z.int(),
  ...Failed,
  errors: z.optional(z.array(z.object({ loc: z.array(z.unknown()), ...Failed }))),
});

type Schema = Record<string, unknown>;

const has = (name: string, value: Schema): Schema => ({
  type: 'object',
  properties: { [name]: value },
  required: [name],
});
const STATISTICAL = baseModels.map(({ id }) => id).filter((id) => !isNeural(id));
const withoutEpochs = {
  if: has('ai_model_id', { enum: STATISTICAL }),
  then: { properties: { fine_tuning_epochs: { enum: [0, null] } } },
};

const CONDITIONS: Readonly<Partial<Record<string, Schema>>> = {
  createPrediction: withoutEpochs,
  predictDataset: withoutEpochs,
  createFineTunedModel: {
    anyOf: [
      has('input_config', {
        type: 'object',
        anyOf: Object.keys(InputConfig.shape).map((name) => has(name, { type: 'array', minItems: 1 })),
      }),
      { ...has('start_model', { type: 'string' }), not: has('input_config', { type: 'object' }) },
    ],
    if: has('base_model', { enum: STATISTICAL }),
    else: {
      properties: {
        config: {
          properties: {
            use_rope_scaling: { enum: [false, null] },
            context_length: { anyOf: [{ type: 'null' }, { type: 'integer', minimum: leastContext('hybrid') }] },
            num_samples: {
              description: `Number of sample paths. Paths times steps may be at most ${String(mostSampledSteps)}.`,
            },
          },
        },
      },
    },
  },
};

function refusals({ bodyLines, body = bodyLines, query, path, method, isComputed = false }: Operation): Schema {
  const [hasBody, hasId] = [body !== undefined, path.includes('{id}')];
  const all: readonly [status: number, isPossible: boolean, description: string][] = [
    [400, hasBody, 'The request is incomplete or not valid HTTP'],
    [401, true, 'The token is missing or not valid'],
    [403, true, 'The key, the host name, or the origin does not allow this'],
    [404, hasBody || hasId, 'Something in the request does not exist'],
    [408, hasBody, 'The body arrived too slowly, or was not complete'],
    [409, hasBody || method === 'DELETE' || isComputed, 'Something in the request is in the wrong state'],
    [413, hasBody, 'The body is too large'],
    [415, hasBody, 'The body has a content encoding, or is not UTF-8'],
    [422, hasBody || hasId || query !== undefined || isComputed, 'The request does not match this description'],
    [429, true, 'The queue is full, or the key exceeded its rate limit; retry after the seconds in Retry-After'],
    [500, true, 'A bug in the service, or a damaged store'],
    [503, true, 'The store is locked; try again'],
    [507, method !== 'GET', 'The disk is full'],
  ];
  const content = { 'application/problem+json': { schema: schemaOf(Problem) } };
  const possible = all.filter(([, isPossible]) => isPossible);
  return Object.fromEntries(possible.map(([status, , description]) => [status, { description, content }]));
}

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Chosen by the client, such as a UUID. A request repeated with the same key within a day is executed once and gets the same response. A different request with the same key is rejected with 422.',
  schema: { type: 'string', pattern: '^[!-~]{1,200}$' },
};

/** OpenAPI 3.1 as JSON. Bundles contain the text instead (`esbuild.mjs`): making it takes as long as a forecast. */
export function describeService(): string {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [name, operation] of Object.entries<Operation>(operations)) {
    const { method, path, summary, query, body, bodyLines, answerLines, status } = operation;
    const taken = contentOf(body, bodyLines, CONDITIONS[name]);
    const parameters = [
      ...(path.includes('{id}')
        ? [{ name: 'id', in: 'path', required: true, schema: { type: 'string', pattern: TEXT_PATTERN } }]
        : []),
      ...(isCreation(operation) ? [IDEMPOTENCY_KEY] : []),
      ...Object.entries(query?.shape ?? {}).map(([name, parameter]) => {
        const { description, ...schema } = schemaOf(parameter);
        return { name, in: 'query', required: false, description, schema };
      }),
    ];
    (paths[path] ??= {})[method.toLowerCase()] = {
      operationId: name,
      summary,
      parameters,
      ...(taken && { requestBody: { required: true, ...taken } }),
      responses: {
        [status]: { description: 'Done', ...contentOf(answerSchema(operation), answerLines) },
        ...refusals(operation),
      },
    };
  }
  return JSON.stringify({
    openapi: '3.1.0',
    info: {
      title: 'Time Series Forecasts, local service',
      version: '1',
      description:
        'Lists datasets, predictions, and API keys, and creates predictions and fine-tuned models. The quantiles of a forecast are in each point’s metadata: {"quantiles": {"0.1": 401.2, "0.9": 502.4}}, keyed by level.',
    },
    security: [{ bearer: [] }],
    components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
    paths,
  });
}
