import * as z from 'zod/mini';
import { answerSchema, type Operation } from '../../contract/operations.ts';

const schemaOf = (schema: z.core.$ZodType): Record<string, unknown> => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return rest;
};

const json = (schema: Record<string, unknown>) => ({ content: { 'application/json': { schema } } });

const faults = {
  type: 'object',
  properties: {
    detail: {
      anyOf: [
        { type: 'string' },
        {
          type: 'array',
          items: {
            type: 'object',
            properties: { loc: { type: 'array', items: {} }, msg: { type: 'string' }, type: { type: 'string' } },
          },
        },
      ],
    },
  },
};

/** The OpenAPI 3.1 description of these operations, made from their schemas. */
export function describe(operations: Readonly<Record<string, Operation>>, version: string): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [name, operation] of Object.entries(operations)) {
    const { method, path, summary, query = {}, body, status } = operation;
    const answer = answerSchema(operation);
    const parameters = [
      ...(path.includes('{id}') ? [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }] : []),
      ...Object.entries(query).map(([name, parameter]) => ({ name, in: 'query', required: false, ...parameter })),
    ];
    (paths[path] ??= {})[method.toLowerCase()] = {
      operationId: name,
      summary,
      parameters,
      ...(body ? { requestBody: { required: true, ...json(schemaOf(body)) } } : {}),
      responses: {
        [status]: { description: 'Done', ...(answer ? json(schemaOf(answer)) : {}) },
        '4XX': { description: 'The request cannot be served', ...json(faults) },
      },
    };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Time Series Forecasts, local service',
      version,
      description:
        'Lists datasets, predictions and API keys, creates predictions and fine-tuned models. Quantiles of a forecast are in each point’s metadata: {"quantiles": {"0.1": 401.2, "0.9": 502.4}}, keyed by level.',
    },
    security: [{ bearer: [] }],
    components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
    paths,
  };
}
