import { type OperationName, operations, type QueryOf } from '../contract/operations.ts';
import type { Operation } from '../contract/operation.ts';

type Json = Record<string, unknown>;
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What a description says of one field or parameter. */
export interface FieldRules {
  readonly required: boolean;
  /** Whether `null` is allowed. */
  readonly nullable: boolean;
  /** Of a whole number, both ends included. */
  readonly minimum: number | undefined;
  readonly maximum: number | undefined;
  /** The texts that are allowed, where they are listed. */
  readonly choices: readonly string[];
  readonly isList: boolean;
}

interface Described {
  /** As the description writes it, below the base URL: with the slash at its end, if there is one. */
  readonly path: string;
  readonly body: unknown;
  readonly query: ReadonlyMap<string, FieldRules>;
  /** Names of the headers that it takes, in small letters. */
  readonly headers: ReadonlySet<string>;
  /** Whether the body, and an answer, may be a stream of JSON lines. */
  readonly lines: { readonly body: boolean; readonly answer: boolean };
}

const LINES = /^application\/(x-ndjson|ndjson|jsonl|x-jsonlines)\b/i;

/** What a service's own OpenAPI description announces beyond the interface. Empty for a service without one. */
export class Capabilities {
  readonly #operations = new Map<string, Described>();
  readonly #root: Json;
  /** Where the origin has the operations of the interface instead, as `/v1`: told where they are not below the base URL. */
  readonly elsewhere: string | undefined;

  /**
   * @param description the parsed `/openapi.json`, or anything else for none
   * @param basePath the path of the base URL; descriptions that give full paths are read without it
   * @param isOfOrigin whether it describes all of the origin: then only what stands below the base path is taken
   */
  constructor(description: unknown, basePath = '/', isOfOrigin = false) {
    this.#root = isObject(description) ? description : {};
    if (!isObject(this.#root.paths)) return;
    const servers = serverPaths(this.#root);
    for (const [path, item] of Object.entries(this.#root.paths)) {
      if (!isObject(item)) continue;
      const full = servers.map((server) => `${server === '/' ? '' : server}${path}`);
      const below = [path, ...full].flatMap((form) =>
        basePath !== '/' && form.startsWith(`${basePath}/`) ? [form.slice(basePath.length)] : [],
      );
      const forms = new Set(isOfOrigin && basePath !== '/' ? below : [path, ...below]);
      for (const method of ['get', 'post', 'delete'] as const) {
        const operation = item[method];
        if (!isObject(operation)) continue;
        const body = this.#bodyOf(operation);
        const query = this.#queryOf(operation, item);
        const headers = this.#headersOf(operation, item);
        const lines = this.#linesOf(operation);
        for (const form of forms)
          this.#operations.set(`${method.toUpperCase()} ${normal(form)}`, { path: form, body, query, headers, lines });
      }
    }
    if (this.has('createPrediction') || !(isOfOrigin || basePath === '/')) return;
    this.elsewhere = prefixes(this.#root.paths, servers)[0];
  }

  has(name: OperationName): boolean {
    return this.#of(name) !== undefined;
  }

  /** Whether the state of a fine-tuned model can be asked for, one by one or in a list. */
  get tellsOfModels(): boolean {
    return this.has('listFineTunedModels') || this.has('getFineTunedModel');
  }

  /** Whether the operation's JSON body has this field. */
  takes(name: OperationName, field: string): boolean {
    return this.rules(name, field) !== undefined;
  }

  /** Whether the operation has this query parameter. */
  asks<K extends OperationName>(name: K, parameter: QueryOf<K>): boolean {
    return this.parameter(name, parameter) !== undefined;
  }

  /** Whether the operation may be sent again under the same key, and is done once. */
  isRepeatable(name: OperationName): boolean {
    return this.#of(name)?.headers.has('idempotency-key') ?? false;
  }

  /** Whether the operation takes a stream of JSON lines as its body. */
  takesLines(name: OperationName): boolean {
    return this.#of(name)?.lines.body ?? false;
  }

  /** Whether the operation is answered with a stream of JSON lines. */
  givesLines(name: OperationName): boolean {
    return this.#of(name)?.lines.answer ?? false;
  }

  /** Whether there is a description. */
  get isDescribed(): boolean {
    return this.#operations.size > 0;
  }

  /** The names of all query parameters. */
  parameters(name: OperationName): string[] {
    return [...(this.#of(name)?.query.keys() ?? [])];
  }

  /** What is said of a query parameter. */
  parameter(name: OperationName, parameter: string): FieldRules | undefined {
    return this.#of(name)?.query.get(parameter);
  }

  /** What is said of a field of the body; `undefined` where it is not announced. Elements of lists are passed through. */
  rules(name: OperationName, ...fields: readonly string[]): FieldRules | undefined {
    const described = this.#of(name);
    let at: Property | undefined = described && { schema: described.body, required: true };
    for (const field of fields) at = at && this.#properties(at.schema).get(field);
    return at && this.#rulesOf(at);
  }

  /** The fields of the body, or of an object in it, that must be there. */
  required(name: OperationName, ...fields: readonly string[]): readonly string[] {
    let schema = this.#of(name)?.body;
    for (const field of fields) schema = this.#properties(schema).get(field)?.schema;
    return [...this.#properties(schema)].flatMap(([field, { required }]) => (required ? [field] : []));
  }

  /** The operation’s path as the service writes it: with a slash at its end where that is so. */
  pathOf(name: OperationName): string {
    const { path } = operations[name];
    return this.#of(name)?.path.endsWith('/') ? `${path}/` : path;
  }

  /** All announced operations, as `GET /predictions/{}`. */
  get operations(): string[] {
    return [...this.#operations.keys()];
  }

  #of(name: OperationName): Described | undefined {
    return this.#operations.get(keyOf(operations[name]));
  }

  #bodyOf(operation: Json): unknown {
    const body = this.#deref(operation.requestBody);
    const content = isObject(body) && isObject(body.content) ? body.content : {};
    const media = content['application/json'] ?? Object.values(content)[0];
    return isObject(media) ? media.schema : undefined;
  }

  #linesOf({ requestBody, responses }: Json): Described['lines'] {
    const has = (part: unknown): boolean => {
      const one = this.#deref(part);
      return isObject(one) && isObject(one.content) && Object.keys(one.content).some((type) => LINES.test(type));
    };
    const answers = isObject(responses) ? Object.entries(responses) : [];
    return {
      body: has(requestBody),
      answer: answers.some(([status, answer]) => /^2/.test(status) && has(answer)),
    };
  }

  #queryOf(operation: Json, item: Json): ReadonlyMap<string, FieldRules> {
    const query = this.#parametersOf(operation, item).filter((parameter) => parameter.in === 'query');
    return new Map(
      query.map(({ name, schema, required }) => [String(name), this.#rulesOf({ schema, required: required === true })]),
    );
  }

  #headersOf(operation: Json, item: Json): ReadonlySet<string> {
    const headers = this.#parametersOf(operation, item).filter((parameter) => parameter.in === 'header');
    return new Set(headers.map(({ name }) => String(name).toLowerCase()));
  }

  #parametersOf(operation: Json, item: Json): Json[] {
    return [item.parameters, operation.parameters]
      .flatMap((list) => (Array.isArray(list) ? (list as unknown[]) : []))
      .map((one) => this.#deref(one))
      .filter(isObject);
  }

  #rulesOf({ schema, required }: Property): FieldRules {
    const forms = this.#forms(schema);
    const numbers = (...keys: string[]) =>
      forms.flatMap((form) => keys.map((key) => form[key]).filter((value) => typeof value === 'number'));
    // of whole numbers, what is excluded is next to the last one allowed
    const minimum = [...numbers('minimum'), ...numbers('exclusiveMinimum').map((edge) => edge + 1)];
    const maximum = [...numbers('maximum'), ...numbers('exclusiveMaximum').map((edge) => edge - 1)];
    const choices = forms.flatMap((form) => (Array.isArray(form.enum) ? (form.enum as unknown[]) : [form.const]));
    return {
      required,
      nullable: forms.some(isNullable),
      minimum: minimum.length > 0 ? Math.max(...minimum) : undefined,
      maximum: maximum.length > 0 ? Math.min(...maximum) : undefined,
      choices: choices.filter((choice) => typeof choice === 'string'),
      isList: forms.some(({ type }) => type === 'array'),
    };
  }

  /**
   * The properties of a schema, through references and combinations; those of its elements for a list. Where several
   * parts speak of one property, all of them hold; what only some alternatives require is not required.
   */
  #properties(schema: unknown): Map<string, Property> {
    const found = new Map<string, Property>();
    const add = (name: string, { schema: one, required }: Property) => {
      const known = found.get(name);
      found.set(
        name,
        known
          ? { schema: { allOf: [known.schema, one] }, required: known.required || required }
          : { schema: one, required },
      );
    };
    for (const { form, isAlternative } of this.#parts(schema)) {
      const names = Array.isArray(form.required) && !isAlternative ? (form.required as unknown[]) : [];
      const own = isObject(form.properties) ? Object.entries(form.properties) : [];
      for (const [name, property] of own) add(name, { schema: property, required: names.includes(name) });
      if (isObject(form.items)) for (const [name, property] of this.#properties(form.items)) add(name, property);
    }
    return found;
  }

  /** A schema and all that it is combined of. */
  #forms(schema: unknown): Json[] {
    return this.#parts(schema).map(({ form }) => form);
  }

  #parts(
    schema: unknown,
    isAlternative = false,
    depth = 0,
  ): { readonly form: Json; readonly isAlternative: boolean }[] {
    const here = this.#deref(schema);
    if (!isObject(here) || depth > 8) return [];
    const parts = ['allOf', 'anyOf', 'oneOf'].flatMap((key) => {
      const list = Array.isArray(here[key]) ? (here[key] as unknown[]) : [];
      // “this or null” leaves no choice
      const choices = list.filter((part) => !(isObject(part) && part.type === 'null')).length;
      return list.map((part) => ({ part, isAlternative: isAlternative || (key !== 'allOf' && choices > 1) }));
    });
    return [
      { form: here, isAlternative },
      ...parts.flatMap((one) => this.#parts(one.part, one.isAlternative, depth + 1)),
    ];
  }

  /** Follows local references (`#/components/…`), a few at the most. */
  #deref(value: unknown): unknown {
    let at = value;
    for (let depth = 0; isObject(at) && typeof at.$ref === 'string' && depth < 8; depth++) {
      if (!at.$ref.startsWith('#/')) return undefined;
      const keys = at.$ref
        .slice(2)
        .split('/')
        .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
      at = keys.reduce<unknown>((node, key) => (isObject(node) ? node[key] : undefined), this.#root);
    }
    return at;
  }
}

interface Property {
  readonly schema: unknown;
  readonly required: boolean;
}

const isNullable = ({ type, nullable }: Json): boolean =>
  nullable === true || type === 'null' || (Array.isArray(type) && type.includes('null'));

/** As {@link Capabilities.operations} names an operation. */
export const keyOf = ({ method, path }: Operation): string => `${method} ${normal(path)}`;

const normal = (path: string): string => path.replaceAll(/\{[^{}]*\}/g, '{}').replace(/(.)\/$/, '$1');

const PREDICTIONS = operations.createPrediction.path;

/** The paths below which a description has the predictions that can be listed and made. */
function prefixes(paths: Json, servers: readonly string[]): string[] {
  return Object.entries(paths).flatMap(([path, item]) => {
    const whole = normal(path);
    const prefix = whole.endsWith(PREDICTIONS) ? whole.slice(0, -PREDICTIONS.length) : '';
    if (!/^(?:\/[\w.~-]+)+$/.test(prefix) || !isObject(item) || !item.get || !item.post) return [];
    return (servers.length > 0 ? servers : ['/']).map((server) => `${server === '/' ? '' : server}${prefix}`);
  });
}

function serverPaths(description: Json): string[] {
  const servers = Array.isArray(description.servers) ? description.servers : [];
  return servers.flatMap((server: unknown) => {
    const url = isObject(server) && typeof server.url === 'string' ? server.url : '/';
    return URL.canParse(url, 'http://localhost')
      ? [new URL(url, 'http://localhost').pathname.replace(/\/$/, '') || '/']
      : [];
  });
}
