import { type OperationName, operations, type QueryOf } from '../contract/operations.ts';
import type { Operation } from '../contract/operation.ts';
import { isObject, type Json } from '../contract/json.ts';

/** Follows local references. @returns an empty schema for what is none */
type Deref = (value: unknown) => Json;
/** A schema, and whether it is one of several. */
interface Part {
  readonly form: Json;
  readonly isAlternative: boolean;
}

const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);
const asObject = (value: unknown): Json => (isObject(value) ? value : {});

/** A schema of a description, with all that it is combined of: what is said of one field, parameter or body. */
export class Field {
  readonly required: boolean;
  readonly nullable: boolean;
  readonly isList: boolean;
  readonly #deref: Deref;
  readonly #parts: readonly Part[];

  constructor(deref: Deref, schemas: readonly unknown[], required: boolean) {
    this.required = required;
    this.#deref = deref;
    this.#parts = schemas.flatMap((schema) => partsOf(deref, schema));
    const types = this.#parts.flatMap(({ form: { type, nullable } }) => [type, nullable === true ? 'null' : []].flat());
    this.nullable = types.includes('null');
    this.isList = types.includes('array');
  }

  /** The least of a whole number, `-Infinity` where nothing is said; what is excluded is next to the last one allowed. */
  get minimum(): number {
    return Math.max(...this.#numbers('minimum', 0), ...this.#numbers('exclusiveMinimum', 1), -Infinity);
  }

  get maximum(): number {
    return Math.min(...this.#numbers('maximum', 0), ...this.#numbers('exclusiveMaximum', -1), Infinity);
  }

  /** The texts that are allowed, where they are listed. */
  get choices(): readonly string[] {
    const listed = this.#parts.flatMap(({ form }) => [...asList(form.enum), form.const]);
    return listed.filter((choice) => typeof choice === 'string');
  }

  /** The fields of an object, or of the elements of a list; what only some alternatives require is not required. */
  get fields(): ReadonlyMap<string, Field> {
    const elements = this.#parts.flatMap(({ form }) => partsOf(this.#deref, form.items));
    const said = [...this.#parts, ...elements].flatMap(({ form, isAlternative }) =>
      Object.entries(asObject(form.properties)).map(([name, schema]) => {
        return { name, schema, isRequired: !isAlternative && asList(form.required).includes(name) };
      }),
    );
    const fieldOf = (all: typeof said) => {
      const schemas = all.map(({ schema }) => schema);
      return new Field(
        this.#deref,
        schemas,
        all.some(({ isRequired }) => isRequired),
      );
    };
    return new Map([...Map.groupBy(said, ({ name }) => name)].map(([name, all]) => [name, fieldOf(all)]));
  }

  #numbers(key: string, beside: number): number[] {
    const values = this.#parts.map(({ form }) => form[key]);
    return values.flatMap((value) => (typeof value === 'number' ? [value + beside] : []));
  }
}

function partsOf(deref: Deref, schema: unknown, isAlternative = false, depth = 0): Part[] {
  const form = deref(schema);
  if (depth > 8) return [];
  const parts = ['allOf', 'anyOf', 'oneOf'].flatMap((key) => {
    const list = asList(form[key]);
    // “this or null” leaves no choice
    const choices = list.filter((part) => asObject(part).type !== 'null').length;
    const isOneOfSeveral = isAlternative || (key !== 'allOf' && choices > 1);
    return list.flatMap((part) => partsOf(deref, part, isOneOfSeveral, depth + 1));
  });
  return [{ form, isAlternative }, ...parts];
}

interface Described {
  /** As the description writes it, below the base URL: with the slash at its end, if there is one. */
  readonly path: string;
  readonly body: Field;
  readonly query: ReadonlyMap<string, Field>;
  /** Whether it may be sent again under the same key, and is done once. */
  readonly isRepeatable: boolean;
  /** Whether the body, and an answer, may be a stream of JSON lines. */
  readonly takesLines: boolean;
  readonly givesLines: boolean;
}

const LINES = /^application\/(x-ndjson|ndjson|jsonl|x-jsonlines)\b/i;

/** What a service's own OpenAPI description announces beyond the interface. Empty for a service without one. */
export class Capabilities {
  readonly #operations = new Map<string, Described>();
  /** Where the origin has the operations of the interface instead, as `/v1`: told where they are not below the base URL. */
  readonly elsewhere: string | undefined;

  /**
   * @param description the parsed `/openapi.json`, or anything else for none
   * @param basePath the path of the base URL; descriptions that give full paths are read without it
   * @param isOfOrigin whether it describes all of the origin: then only what stands below the base path is taken
   */
  constructor(description: unknown, basePath = '/', isOfOrigin = false) {
    const root = asObject(description);
    const paths = asObject(root.paths);
    const servers = serverPaths(root);
    const deref = derefIn(root);
    for (const [path, item] of Object.entries(paths)) {
      const full = [path, ...servers.map((server) => server + path)];
      const below = full.filter((form) => form.startsWith(`${basePath}/`)).map((form) => form.slice(basePath.length));
      const forms = isOfOrigin ? below : [path, ...below];
      for (const method of ['get', 'post', 'delete']) {
        const operation = asObject(item)[method];
        if (!isObject(operation)) continue;
        const described = describedIn(deref, asObject(item), operation);
        for (const form of forms)
          this.#operations.set(`${method.toUpperCase()} ${normal(form)}`, { path: form, ...described });
      }
    }
    const isElsewhere = !this.has('createPrediction') && (isOfOrigin || basePath === '/');
    this.elsewhere = isElsewhere ? prefixOf(paths, servers) : undefined;
  }

  has(name: OperationName): boolean {
    return this.of(name) !== undefined;
  }

  /** Whether the state of a fine-tuned model can be asked for, one by one or in a list. */
  get tellsOfModels(): boolean {
    return this.has('listFineTunedModels') || this.has('getFineTunedModel');
  }

  takes(name: OperationName, field: string): boolean {
    return this.rules(name, field) !== undefined;
  }

  asks<K extends OperationName>(name: K, parameter: QueryOf<K>): boolean {
    return this.parameters(name).has(parameter);
  }

  get isDescribed(): boolean {
    return this.#operations.size > 0;
  }

  parameters(name: OperationName): ReadonlyMap<string, Field> {
    return this.of(name)?.query ?? new Map();
  }

  /** What is said of a field of the body; `undefined` where it is not announced. Elements of lists are passed through. */
  rules(name: OperationName, ...fields: readonly string[]): Field | undefined {
    return fields.reduce((at: Field | undefined, field) => at?.fields.get(field), this.of(name)?.body);
  }

  /** The fields of the body, or of an object in it, that must be there. */
  required(name: OperationName, ...fields: readonly string[]): readonly string[] {
    const known = this.rules(name, ...fields)?.fields ?? [];
    return [...known].flatMap(([field, { required }]) => (required ? [field] : []));
  }

  /** The operation’s path as the service writes it: with a slash at its end where that is so. */
  pathOf(name: OperationName, id = ''): string {
    const path = operations[name].path.replace('{id}', encodeURIComponent(id));
    return this.of(name)?.path.endsWith('/') ? `${path}/` : path;
  }

  /** All announced operations, as `GET /predictions/{}`. */
  get operations(): string[] {
    return [...this.#operations.keys()];
  }

  /** What is said of an operation; `undefined` where it is not announced. */
  of(name: OperationName): Described | undefined {
    return this.#operations.get(keyOf(operations[name]));
  }
}

function describedIn(deref: Deref, item: Json, operation: Json): Omit<Described, 'path'> {
  const contentOf = (part: unknown): Json => asObject(deref(part).content);
  const hasLines = (part: unknown) => Object.keys(contentOf(part)).some((type) => LINES.test(type));
  const parameters = [item.parameters, operation.parameters].flatMap(asList).map(deref);
  const named = (place: string) => parameters.filter((one) => one.in === place);
  const content = contentOf(operation.requestBody);
  const media = asObject(content['application/json'] ?? Object.values(content)[0]);
  const answers = Object.entries(asObject(operation.responses));
  return {
    body: new Field(deref, [media.schema], true),
    query: new Map(
      named('query').map(({ name, schema, required }) => [String(name), new Field(deref, [schema], required === true)]),
    ),
    isRepeatable: named('header').some(({ name }) => String(name).toLowerCase() === 'idempotency-key'),
    takesLines: hasLines(operation.requestBody),
    givesLines: answers.some(([status, answer]) => status.startsWith('2') && hasLines(answer)),
  };
}

/** Follows references as `#/components/…`, a few at the most. */
function derefIn(root: Json): Deref {
  const step = (node: unknown, key: string) => asObject(node)[key.replaceAll('~1', '/').replaceAll('~0', '~')];
  return (value) => {
    let at = value;
    for (let depth = 0; isObject(at) && typeof at.$ref === 'string' && depth < 8; depth++) {
      const [start, ...keys] = at.$ref.split('/');
      at = start === '#' ? keys.reduce<unknown>(step, root) : undefined;
    }
    return asObject(at);
  };
}

/** As {@link Capabilities.operations} names an operation. */
export const keyOf = ({ method, path }: Operation): string => `${method} ${normal(path)}`;

const normal = (path: string): string => path.replaceAll(/\{[^{}]*\}/g, '{}').replace(/(.)\/$/, '$1');

const PREDICTIONS = operations.createPrediction.path;

/** The first path below which a description has predictions that can be listed and made. */
function prefixOf(paths: Json, servers: readonly string[]): string | undefined {
  const found = Object.entries(paths).flatMap(([path, item]) => {
    const whole = normal(path);
    const prefix = whole.endsWith(PREDICTIONS) ? whole.slice(0, -PREDICTIONS.length) : '';
    const { get, post } = asObject(item);
    return /^(?:\/[\w.~-]+)+$/.test(prefix) && get && post ? [prefix] : [];
  });
  return found.length > 0 ? (servers[0] ?? '') + found[0] : undefined;
}

/** The paths of the servers that a description names; empty for the root. */
const serverPaths = (description: Json): string[] =>
  asList(description.servers).flatMap((server) => {
    const { url } = asObject(server);
    const address = typeof url === 'string' ? url : '/';
    if (!URL.canParse(address, 'http://localhost')) return [];
    return [new URL(address, 'http://localhost').pathname.replace(/\/$/, '')];
  });
