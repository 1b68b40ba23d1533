import assert from 'node:assert/strict';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { parseTimestamp } from '../../../../src/calendar/timestamp.ts';
import { LocalService } from '../local-service.ts';
import { arbitraryOf, type Schema } from './arbitrary.ts';

interface Described {
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly { name: string; in: 'path' | 'query'; schema: Schema }[];
  readonly requestBody?: { content: Content };
  readonly responses: Readonly<Record<string, { content?: Content }>>;
}
/** One of the two; of the second it is that of each line. */
type Content = Readonly<
  Partial<Record<'application/json' | 'application/problem+json' | 'application/x-ndjson', { schema: Schema }>>
>;

/** More in the long form of the tests of faults. */
const RUNS = Number(process.env.DESCRIPTION_RUNS ?? 20);

describe('OpenAPI description of the service', function () {
  this.timeout(120_000);
  const local = new LocalService();
  const ajv = new Ajv2020({ strict: false, validateFormats: true, allErrors: false });
  ajv.addFormat('date-time', (text: string) => Math.abs(parseTimestamp(text)) <= 8.64e15);
  const compiled = new Map<object, ValidateFunction>();
  const isValid = (schema: object, value: unknown): boolean => {
    const validate = compiled.get(schema) ?? ajv.compile(schema);
    compiled.set(schema, validate);
    return validate(value);
  };

  async function operations(): Promise<Described[]> {
    const response = await local.service.fetch(new Request('http://local/openapi.json'));
    const { paths } = (await response.json()) as { paths: Record<string, Record<string, Described>> };
    return Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, one]) => ({ ...one, path, method: method.toUpperCase() })),
    );
  }

  /** Sends a request and holds its answer against the description. @returns the status */
  async function ask(one: Described, path: string, body?: unknown): Promise<number> {
    const init = {
      method: one.method,
      headers: {
        authorization: `Bearer ${local.token}`,
        'content-type': Object.keys(one.requestBody?.content ?? {}).at(0) ?? 'application/json',
      },
      ...(one.requestBody ? { body: typeof body === 'string' ? body : JSON.stringify(body) } : {}),
    };
    const response = await local.service.fetch(new Request(`http://local${path}`, init));
    const reported = `${one.method} ${path} ${init.body ?? ''}: ${response.status}`;
    assert.ok(response.status in one.responses, `${reported} is not described`);
    const text = await response.text();
    const content = one.responses[response.status].content;
    const schema = (content?.['application/json'] ?? content?.['application/problem+json'])?.schema;
    const line = content?.['application/x-ndjson']?.schema;
    if (line)
      for (const one of text.split('\n').slice(0, -1)) assert.ok(isValid(line, JSON.parse(one)), `${reported} ${one}`);
    else assert.equal(text === '', schema === undefined, reported);
    if (schema) assert.ok(isValid(schema, JSON.parse(text)), `${reported}\n${text.slice(0, 500)}\n${ajv.errorsText()}`);
    assert.ok(response.status < 500, reported);
    return response.status;
  }

  /** Ids of things that are there, and texts that are none. */
  async function ids(): Promise<fc.Arbitrary<string>> {
    const known: string[] = [];
    for (const path of ['/predictions', '/datasets', '/keys', '/fine_tuned_models', '/base_models']) {
      const { body } = await local.call<{ items: { id: string }[] }>('GET', `${path}?size=3`);
      known.push(...body.items.map(({ id }) => id));
    }
    return fc.oneof(fc.constantFrom(...known, 'none'), fc.string({ unit: 'binary', minLength: 1 }));
  }

  const set = async () => {
    const points = [1, 2, 3, 5, 4, 6].map((value, day) => ({ timestamp: `2024-01-0${day + 1}T00:00:00Z`, value }));
    await local.call('POST', '/datasets', { name: 'd', tags: ['t'], series: [{ series: points }] });
    await local.call('POST', '/predictions', { series: points, ai_model_id: 'theta' });
    await local.call('POST', '/keys', {});
  };
  const fill = (path: string, id: string) => path.replace('{id}', encodeURIComponent(id));
  /** Whether an id is as the description says, where the path has one. */
  const isId = ({ parameters }: Described, id: string) =>
    parameters.every(({ name, in: place, schema }) => place !== 'path' || name !== 'id' || isValid(schema, id));
  const isSendable = (id: string) => id.isWellFormed() && !/^\.{1,2}$/.test(id);

  it('matches the answers to reads and deletions of any id and parameters', async () => {
    await set();
    const known = await ids();
    for (const one of await operations()) {
      if (one.requestBody) continue;
      const queries = one.parameters.filter((parameter) => parameter.in === 'query');
      const value = ({ schema }: { schema: Schema }) =>
        fc.option(fc.oneof(arbitraryOf(schema).map(String), fc.string({ maxLength: 6 })), { nil: undefined });
      const query = fc.record(Object.fromEntries(queries.map((parameter) => [parameter.name, value(parameter)])));
      await fc.assert(
        fc.asyncProperty(known.filter(isSendable), query, async (id, given) => {
          const sent = Object.entries(given).filter((pair): pair is [string, string] => pair[1] !== undefined);
          const status = await ask(one, `${fill(one.path, id)}?${new URLSearchParams(sent).toString()}`);
          const isAsDescribed =
            isId(one, id) &&
            sent.every(([name, text]) => {
              const { schema } = queries.find((parameter) => parameter.name === name)!;
              return isValid(schema, valueOf(text, schema));
            });
          assert.equal(status === 422, !isAsDescribed, JSON.stringify(given));
        }),
        { numRuns: RUNS },
      );
    }
  });

  it('accepts exactly the bodies that the service accepts', async () => {
    await set();
    const known = await ids();
    for (const one of await operations()) {
      const schema = one.requestBody?.content['application/json']?.schema;
      if (!schema) continue;
      const asDescribed = fc.tuple(arbitraryOf(schema), fc.nat(5)).map(tidy);
      const body = fc.oneof(
        { weight: 4, arbitrary: asDescribed },
        { weight: 4, arbitrary: fc.tuple(asDescribed, fc.nat(), fc.jsonValue({ maxDepth: 2 })).map(spoil) },
        { weight: 1, arbitrary: fc.jsonValue() },
        { weight: 1, arbitrary: fc.constant(TAKEN[one.path] ?? {}) },
        {
          weight: 2,
          arbitrary: fc.tuple(fc.constant(TAKEN[one.path] ?? {}), fc.nat(), fc.jsonValue({ maxDepth: 1 })).map(spoil),
        },
      );
      let taken = 0;
      await fc.assert(
        fc.asyncProperty(known.filter(isSendable), body, async (id, sent) => {
          const asRead = JSON.parse(JSON.stringify(sent)) as unknown;
          const isAsDescribed = isId(one, id) && isValid(schema, asRead);
          const status = await ask(one, fill(one.path, id), asRead);
          // something that it names is not there or in another state: that is looked at first
          if (status === 404 || status === 409) return;
          assert.equal(
            status === 422,
            !isAsDescribed,
            `${JSON.stringify(asRead)}: ${status}, ${ajv.errorsText(compiled.get(schema)?.errors)}`,
          );
          if (status < 300) taken++;
        }),
        { numRuns: 2 * RUNS },
      );
      assert.ok(taken > 0 || one.path.includes('{id}'), `nothing was taken by ${one.path}`);
    }
  });

  it('holds for invalid JSON and for extreme numbers, names and characters', async () => {
    const post = (await operations()).filter(({ requestBody }) => requestBody);
    const point = '{"timestamp":"2024-01-01T00:00:00Z","value":1}';
    const odd = [
      '',
      'null',
      '[]',
      '"text"',
      '{',
      '{"series":[' + point + ']',
      '{"series":NaN}',
      '{"series":[{"timestamp":"2024-01-01T00:00:00Z","value":1e999}]}',
      '{"series":[{"timestamp":"2024-01-01T00:00:00Z","value":-1e-999}]}',
      '{"series":[{"timestamp":"2024-01-01T00:00:00Z","value":"1e999"}]}',
      `{"series":[${point}],"series":[]}`,
      `{"series":[${point}],"__proto__":{"series":1},"constructor":{"prototype":{"x":1}}}`,
      `{"series":[${point}],"name":"\\ud800"}`,
      `{"series":[${point}],"name":"\\u0000"}`,
      `{"series":[${point}],"name":"${'😀'.repeat(200)}"}`,
      `{"series":[${point}],"name":"${'a'.repeat(201)}"}`,
      `{"series":[${point}],"prediction_length":1e400}`,
      `{"series":[${point}],"prediction_length":12.5}`,
      `{"series":[${point}],"quantile_levels":[1e-320,0.9999999999999999]}`,
      `{"series":[{"timestamp":"+275760-09-13T00:00:00Z","value":1e308},{"timestamp":"-271821-04-20T00:00:00Z","value":-1e308}]}`,
      `{"series_id":"' or 1=1 --"}`,
      `{"ai_model_id":"%00","series":[${point}]}`,
      '\uFEFF{}',
      '{"name":"\t"}',
    ];
    for (const one of post) for (const body of odd) await ask(one, fill(one.path, 'none'), body);
    assert.equal(({} as Record<string, unknown>).x, undefined);
  });
});

/** A parameter's text as its schema reads it. */
function valueOf(text: string, { type }: Schema): unknown {
  if (type === 'integer') return /^-?[0-9]+(\.[0-9]+)?$/.test(text) ? Number(text) : text;
  if (type === 'boolean') return text === 'true' || text === 'false' ? text === 'true' : text;
  return text;
}

const POINTS = [3, 1, 4, 1, 5, 9, 2, 6].map((value, day) => ({ timestamp: `2024-03-0${day + 1}T00:00:00Z`, value }));

/** Bodies that are taken. */
const TAKEN: Readonly<Record<string, object>> = {
  '/predictions': { series: POINTS, is_async: true, ai_model_id: 'theta', quantile_levels: [0.1, 0.9], name: 'n' },
  '/fine_tuned_models': { base_model: 'theta', input_config: { series: POINTS }, config: { prediction_length: 2 } },
  '/datasets': { name: 'd', tags: ['t'], series: [{ name: 's', series: POINTS }] },
  '/covariate_tests': {
    series: POINTS.map((point, i) => ({ ...point, metadata: { covariates: { promo: i % 2 === 0 } } })),
    prediction_length: 1,
  },
  '/anomalies': { series: POINTS, rarity: 100 },
};

/** Names what there is, and chooses where it must: what the description says beyond single fields is seldom met by chance. */
function tidy([value, choice]: [unknown, number]): unknown {
  const body = value as Record<string, unknown>;
  for (const name of ['ai_model_id', 'base_model']) {
    if (typeof body[name] === 'string') body[name] = ['theta', 'hybrid', undefined][choice % 3];
  }
  if (choice < 3 && 'series_id' in body) body[body.series ? 'series_id' : 'series'] = undefined;
  if (choice < 2 && 'input_config' in body) body.input_config = { series: POINTS };
  return body;
}

/** Puts another value at the `at`th place of a value. */
function spoil([value, at, other]: [unknown, number, unknown]): unknown {
  const copy = structuredClone(value);
  const places: [Record<string, unknown>, string][] = [];
  const walk = (one: unknown) => {
    if (typeof one !== 'object' || one === null) return;
    for (const key of Object.keys(one)) {
      places.push([one as Record<string, unknown>, key]);
      walk((one as Record<string, unknown>)[key]);
    }
  };
  walk(copy);
  if (places.length === 0) return other;
  const [holder, key] = places[at % places.length];
  holder[key] = other;
  return copy;
}
