import * as z from 'zod/mini';
import {
  answerSchema,
  isCreation,
  NDJSON,
  type Operation,
  operations,
  TEXT_PATTERN,
} from '../../contract/operations.ts';
import { baseModels, isNeural } from '../../engine/models.ts';
import { mostSampledSteps } from '../../engine/samples.ts';
import { leastContext } from '../../engine/tuning/hold-outs.ts';

const schemaOf = (schema: z.core.$ZodType): Record<string, unknown> => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return rest;
};

const json = (schema: Record<string, unknown>) => ({ content: { 'application/json': { schema } } });

/** Of a stream the schema is that of a line. */
const ndjson = (schema: Record<string, unknown>) => ({ content: { [NDJSON]: { schema } } });

const FAILURE = { code: { type: 'string' }, params: { type: 'array', items: {} }, detail: { type: 'string' } };

const problem = {
  type: 'object',
  properties: {
    status: { type: 'integer' },
    ...FAILURE,
    errors: {
      type: 'array',
      items: { type: 'object', properties: { loc: { type: 'array', items: {} }, ...FAILURE } },
    },
  },
};

type Schema = Record<string, unknown>;

const has = (name: string, value: Schema): Schema => ({
  type: 'object',
  properties: { [name]: value },
  required: [name],
});
const some = { type: 'array', minItems: 1 };
const learnsInEpochs = {
  anyOf: [{ type: 'null' }, { not: { enum: baseModels.map(({ id }) => id).filter((id) => !isNeural(id)) } }],
};
const isStatistical = (name: string): Schema => has(name, { not: learnsInEpochs });

/** What the operations ask of their bodies beyond what each field says by itself. */
const CONDITIONS: Readonly<Partial<Record<string, Schema>>> = {
  createPrediction: {
    oneOf: [has('series', { type: 'array' }), has('series_id', { type: 'string' })],
    if: isStatistical('ai_model_id'),
    then: { properties: { fine_tuning_epochs: { enum: [0, null] } } },
  },
  findAnomalies: { oneOf: [has('series', { type: 'array' }), has('series_id', { type: 'string' })] },
  predictDataset: {
    if: isStatistical('ai_model_id'),
    then: { properties: { fine_tuning_epochs: { enum: [0, null] } } },
  },
  createFineTunedModel: {
    anyOf: [
      has('input_config', {
        type: 'object',
        anyOf: ['series', 'series_ids', 'dataset_ids', 'dataset_tags'].map((name) => has(name, some)),
      }),
      { ...has('start_model', { type: 'string' }), not: has('input_config', { type: 'object' }) },
    ],
    if: { not: isStatistical('base_model') },
    then: {
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

const REFUSALS: Readonly<Record<string, string>> = {
  400: 'The request is incomplete or not valid HTTP',
  401: 'The token is missing or not valid',
  403: 'The key, the host name, or the origin does not allow this',
  404: 'Something in the request does not exist',
  409: 'Something in the request is in the wrong state',
  408: 'The body arrived too slowly, or was not complete',
  413: 'The body is too large',
  415: 'The body has a content encoding, or is not UTF-8',
  422: 'The request does not match this description',
  429: 'The queue is full, or the key exceeded its rate limit; retry after the seconds in Retry-After',
  500: 'A bug in the service, or a damaged store',
  503: 'The store is locked; try again',
  507: 'The disk is full',
};

const refusals = ({
  bodyLines,
  body = bodyLines,
  query,
  path,
  method,
  isComputed = false,
}: Operation): Record<string, unknown> => {
  const isLeftOut: Record<string, boolean> = {
    400: !body,
    404: !body && !path.includes('{id}'),
    409: !body && method !== 'DELETE' && !isComputed,
    408: !body,
    413: !body,
    415: !body,
    422: !body && !query && !isComputed && !path.includes('{id}'),
    507: method === 'GET',
  };
  const told = Object.entries(REFUSALS).filter(([status]) => !isLeftOut[status]);
  return Object.fromEntries(
    told.map(([status, description]) => [
      status,
      { description, content: { 'application/problem+json': { schema: problem } } },
    ]),
  );
};

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
    const { method, path, summary, query = {}, body, bodyLines, answerLines, status } = operation;
    const answer = answerSchema(operation);
    const parameters = [
      ...(path.includes('{id}')
        ? [{ name: 'id', in: 'path', required: true, schema: { type: 'string', pattern: TEXT_PATTERN } }]
        : []),
      ...(isCreation(operation) ? [IDEMPOTENCY_KEY] : []),
      ...Object.entries(query).map(([name, parameter]) => ({ name, in: 'query', required: false, ...parameter })),
    ];
    (paths[path] ??= {})[method.toLowerCase()] = {
      operationId: name,
      summary,
      parameters,
      ...(body ? { requestBody: { required: true, ...json({ ...schemaOf(body), ...CONDITIONS[name] }) } } : {}),
      ...(bodyLines ? { requestBody: { required: true, ...ndjson(schemaOf(bodyLines)) } } : {}),
      responses: {
        [status]: {
          description: 'Done',
          ...(answerLines ? ndjson(schemaOf(answerLines)) : {}),
          ...(answer ? json(schemaOf(answer)) : {}),
        },
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
