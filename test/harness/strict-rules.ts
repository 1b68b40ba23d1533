/** What the strict service takes: one set of rules, from which bodies are checked and its description is written. */
type Rule =
  | { readonly type: 'string' | 'number' | 'integer' | 'boolean' | 'instant' | 'any'; readonly minimum?: number }
  | { readonly type: 'list'; readonly of: Rule; readonly least?: number }
  | {
      readonly type: 'object';
      readonly name: string;
      readonly required: readonly string[];
      readonly fields: Readonly<Record<string, Rule>>;
    };

export const BASE_MODELS: readonly string[] = ['chronos-small', 'chronos-base'];

const strings: Rule = { type: 'list', of: { type: 'string' } };
const pointWith = (metadata: readonly string[]): Rule => ({
  type: 'object',
  name: 'SeriesPoint',
  required: ['timestamp', 'value', ...metadata],
  fields: { timestamp: { type: 'instant' }, value: { type: 'number' }, metadata: { type: 'any' } },
});
const whole: Rule = { type: 'integer', minimum: 1 };

/** What creations must be. @param required fields of a prediction, `metadata` being one of each point */
export const strictRequests = (required: readonly string[]) => {
  const point = pointWith(required.filter((name) => name === 'metadata'));
  return {
    prediction: {
      type: 'object',
      name: 'PredictionCreate',
      required: required.filter((name) => name !== 'metadata'),
      fields: {
        ai_model_id: { type: 'string' },
        series_id: { type: 'string' },
        series: { type: 'list', of: point, least: 3 },
        is_async: { type: 'boolean' },
        fine_tuning_epochs: { type: 'integer', minimum: 0 },
      },
    },
    model: {
      type: 'object',
      name: 'FineTunedModelCreate',
      required: ['base_model', 'input_config'],
      fields: {
        base_model: { type: 'string' },
        input_config: {
          type: 'object',
          name: 'InputConfig',
          required: [],
          fields: {
            dataset_ids: strings,
            dataset_tags: strings,
            series_ids: strings,
            series: { type: 'list', of: point },
          },
        },
        config: {
          type: 'object',
          name: 'Config',
          required: [],
          fields: {
            context_length: whole,
            prediction_length: whole,
            use_rope_scaling: { type: 'boolean' },
            num_samples: whole,
            max_epochs: whole,
          },
        },
      },
    },
  } as const satisfies Record<string, Rule>;
};

type Place = readonly (string | number)[];
export interface StrictFault {
  readonly type: string;
  readonly loc: Place;
  readonly msg: string;
  readonly input: unknown;
}

/** All faults of a body, as pydantic lists them with unknown fields forbidden. */
export function faultsOf(value: unknown, rule: Rule, loc: Place = ['body']): StrictFault[] {
  const fault = (type: string, msg: string, at: Place = loc): StrictFault[] => [
    { type, loc: at, msg, input: value ?? null },
  ];
  switch (rule.type) {
    case 'any':
      return typeof value === 'object' && value !== null
        ? []
        : fault('dict_type', 'Input should be a valid dictionary');
    case 'string':
      return typeof value === 'string' ? [] : fault('string_type', 'Input should be a valid string');
    case 'boolean':
      return typeof value === 'boolean' ? [] : fault('bool_type', 'Input should be a valid boolean');
    case 'instant':
      return typeof value === 'string' &&
        /^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:\d\d)$/.test(value) &&
        !Number.isNaN(Date.parse(value))
        ? []
        : fault('timezone_aware', 'Input should have timezone info');
    case 'number':
    case 'integer': {
      if (typeof value !== 'number' || !Number.isFinite(value))
        return fault('float_type', 'Input should be a valid number');
      if (rule.type === 'integer' && !Number.isInteger(value))
        return fault('int_from_float', 'Input should be a valid integer');
      const { minimum = -Infinity } = rule;
      return value >= minimum ? [] : fault('greater_than_equal', `Input should be greater than or equal to ${minimum}`);
    }
    case 'list':
      if (!Array.isArray(value)) return fault('list_type', 'Input should be a valid list');
      if (value.length < (rule.least ?? 0))
        return fault('too_short', `List should have at least ${rule.least ?? 0} items`);
      return value.flatMap((item: unknown, index) => faultsOf(item, rule.of, [...loc, index]));
    case 'object': {
      if (typeof value !== 'object' || value === null) return fault('model_type', 'Input should be a valid dictionary');
      const entries = Object.entries(value);
      const missing = rule.required.filter((name) => !(name in value));
      return [
        ...missing.flatMap((name) => fault('missing', 'Field required', [...loc, name])),
        ...entries.flatMap(([name, inner]) =>
          name in rule.fields
            ? faultsOf(inner, rule.fields[name], [...loc, name])
            : fault('extra_forbidden', 'Extra inputs are not permitted', [...loc, name]),
        ),
      ];
    }
  }
}

interface Described {
  readonly required: readonly string[];
  readonly paging: { readonly cursor: string; readonly size: string };
  readonly page: { readonly usual: number; readonly most: number };
  readonly reads: boolean;
}

const refTo = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/** The schema of a rule; named objects go to the components, as FastAPI writes them. */
function schemaOf(rule: Rule, components: Record<string, unknown>): object {
  switch (rule.type) {
    case 'any':
      return { type: 'object', additionalProperties: true };
    case 'instant':
      return { type: 'string', format: 'date-time' };
    case 'list':
      return { type: 'array', items: schemaOf(rule.of, components), ...(rule.least ? { minItems: rule.least } : {}) };
    case 'object': {
      const { name, required, fields } = rule;
      const properties = Object.fromEntries(
        Object.entries(fields).map(([key, field]) => {
          const schema = schemaOf(field, components);
          const isOptional =
            !required.includes(key) && (field.type === 'string' || key === 'series' || field.type === 'object');
          return [key, isOptional ? { anyOf: [schema, { type: 'null' }], title: key } : { ...schema, title: key }];
        }),
      );
      components[name] = { type: 'object', title: name, properties, required, additionalProperties: false };
      return refTo(name);
    }
    case 'string':
    case 'boolean':
    case 'number':
    case 'integer':
      return rule;
  }
}

/**
 * The description, as FastAPI writes it: full paths, schemas by reference, what may be absent as `anyOf` with null.
 * @param mood what it describes
 */
export function describeStrict({ required, paging, page, reads }: Described): object {
  const requests = strictRequests(required);
  const schemas: Record<string, unknown> = {};
  const answer = { responses: { 200: { description: 'Successful Response' } }, security: [{ HTTPBearer: [] }] };
  const bodyOf = (rule: Rule) => ({
    ...answer,
    requestBody: { required: true, content: { 'application/json': { schema: schemaOf(rule, schemas) } } },
  });
  const size = { type: 'integer', maximum: page.most, minimum: 1, default: page.usual, title: 'Size' };
  const cursor = { anyOf: [{ type: 'string' }, { type: 'null' }], title: 'Cursor' };
  const paged = {
    ...answer,
    parameters: [
      { name: paging.cursor, in: 'query', required: false, schema: cursor },
      { name: paging.size, in: 'query', required: false, schema: size },
    ],
  };
  return {
    openapi: '3.1.0',
    info: { title: 'Predictions', version: '0.1.0' },
    paths: {
      '/v1/predictions/': { get: paged, post: bodyOf(requests.prediction) },
      ...(reads ? { '/v1/predictions/{prediction_id}': { get: answer } } : {}),
      '/v1/fine_tuned_models/': { post: bodyOf(requests.model) },
      '/v1/datasets/': { get: paged },
      '/v1/keys/': { get: paged },
      '/health': { get: { responses: { 200: { description: 'Fine' } } } },
    },
    components: { schemas },
  };
}
