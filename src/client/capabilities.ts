import { type OperationName, operations, type QueryOf } from '../contract/operations.ts';
import type { Operation } from '../contract/operation.ts';
import { isObject, isPassing, ServiceError } from './errors.ts';
import type { Transport } from './transport.ts';

type Json = Readonly<Record<string, unknown>>;
type Deref = (value: unknown) => Json;

const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);

/** A schema of a description, with all that it is combined of: what is said of one field, parameter or body. */
class Field {
  /** Whether it must be there. */
  readonly required: boolean;
  readonly #deref: Deref;
  readonly #parts: readonly { readonly form: Json; readonly isAlternative: boolean }[];

  constructor(deref: Deref, schemas: readonly unknown[], required: boolean) {
    this.required = required;
    this.#deref = deref;
    this.#parts = schemas.flatMap((schema) => partsOf(deref, schema));
  }

  /** Whether `null` is allowed. */
  get nullable(): boolean {
    return this.#parts.some(({ form: { type, nullable } }) => nullable === true || [type].flat().includes('null'));
  }

  get isList(): boolean {
    return this.#parts.some(({ form }) => form.type === 'array');
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
    const listed = this.#parts.flatMap(({ form }) => (Array.isArray(form.enum) ? asList(form.enum) : [form.const]));
    return listed.filter((choice) => typeof choice === 'string');
  }

  /**
   * The fields of an object, or of the elements of a list. All parts hold that speak of one; what only some alternatives
   * require is not required.
   */
  get fields(): ReadonlyMap<string, Field> {
    const found = new Map<string, { schemas: unknown[]; required: boolean }>();
    const elements = this.#parts.flatMap(({ form }) => (isObject(form.items) ? partsOf(this.#deref, form.items) : []));
    for (const { form, isAlternative } of [...this.#parts, ...elements]) {
      const needed = isAlternative ? [] : asList(form.required);
      for (const [name, schema] of Object.entries(isObject(form.properties) ? form.properties : {})) {
        const { schemas, required } = found.get(name) ?? { schemas: [], required: false };
        found.set(name, { schemas: [...schemas, schema], required: required || needed.includes(name) });
      }
    }
    const fields = [...found].map(
      ([name, { schemas, required }]) => [name, new Field(this.#deref, schemas, required)] as const,
    );
    return new Map(fields);
  }

  #numbers(key: string, beside: number): number[] {
    return this.#parts.flatMap(({ form }) => {
      const value = form[key];
      return typeof value === 'number' ? [value + beside] : [];
    });
  }
}
export type { Field };

/** A schema and all that it is combined of. */
function partsOf(
  deref: Deref,
  schema: unknown,
  isAlternative = false,
  depth = 0,
): { form: Json; isAlternative: boolean }[] {
  const form = deref(schema);
  if (depth > 8) return [];
  const parts = ['allOf', 'anyOf', 'oneOf'].flatMap((key) => {
    const list = asList(form[key]);
    // “this or null” leaves no choice
    const choices = list.filter((part) => !(isObject(part) && part.type === 'null')).length;
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
  /** Names of the headers that it takes, in small letters. */
  readonly headers: readonly string[];
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
    const root = isObject(description) ? description : {};
    const paths = isObject(root.paths) ? root.paths : {};
    const servers = serverPaths(root);
    const deref = derefIn(root);
    for (const [path, item] of Object.entries(paths)) {
      if (!isObject(item)) continue;
      const full = [path, ...servers.map((server) => `${server}${path}`)];
      const below = full.flatMap((form) =>
        basePath !== '/' && form.startsWith(`${basePath}/`) ? [form.slice(basePath.length)] : [],
      );
      const forms = isOfOrigin && basePath !== '/' ? below : [path, ...below];
      for (const method of ['get', 'post', 'delete']) {
        if (!isObject(item[method])) continue;
        const described = describedIn(deref, item, item[method]);
        for (const form of forms)
          this.#operations.set(`${method.toUpperCase()} ${normal(form)}`, { path: form, ...described });
      }
    }
    const isElsewhere = !this.has('createPrediction') && (isOfOrigin || basePath === '/');
    this.elsewhere = isElsewhere ? prefixOf(paths, servers) : undefined;
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
    return this.parameters(name).has(parameter);
  }

  /** Whether the operation may be sent again under the same key, and is done once. */
  isRepeatable(name: OperationName): boolean {
    return this.#of(name)?.headers.includes('idempotency-key') ?? false;
  }

  /** Whether the operation takes a stream of JSON lines as its body. */
  takesLines(name: OperationName): boolean {
    return this.#of(name)?.takesLines ?? false;
  }

  /** Whether the operation is answered with a stream of JSON lines. */
  givesLines(name: OperationName): boolean {
    return this.#of(name)?.givesLines ?? false;
  }

  /** Whether there is a description. */
  get isDescribed(): boolean {
    return this.#operations.size > 0;
  }

  /** The query parameters of an operation, by their names. */
  parameters(name: OperationName): ReadonlyMap<string, Field> {
    return this.#of(name)?.query ?? new Map();
  }

  /** What is said of a field of the body; `undefined` where it is not announced. Elements of lists are passed through. */
  rules(name: OperationName, ...fields: readonly string[]): Field | undefined {
    return fields.reduce((at: Field | undefined, field) => at?.fields.get(field), this.#of(name)?.body);
  }

  /** The fields of the body, or of an object in it, that must be there. */
  required(name: OperationName, ...fields: readonly string[]): readonly string[] {
    const known = this.rules(name, ...fields)?.fields ?? [];
    return [...known].flatMap(([field, { required }]) => (required ? [field] : []));
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
}

function describedIn(deref: Deref, item: Json, operation: Json): Omit<Described, 'path'> {
  const contentOf = (part: unknown): Json => {
    const { content } = deref(part);
    return isObject(content) ? content : {};
  };
  const hasLines = (part: unknown) => Object.keys(contentOf(part)).some((type) => LINES.test(type));
  const parameters = [item.parameters, operation.parameters].flatMap(asList).map(deref);
  const named = (place: string) => parameters.filter((one) => one.in === place);
  const content = contentOf(operation.requestBody);
  const media = content['application/json'] ?? Object.values(content)[0];
  const answers = isObject(operation.responses) ? Object.entries(operation.responses) : [];
  return {
    body: new Field(deref, [isObject(media) ? media.schema : undefined], true),
    query: new Map(
      named('query').map(({ name, schema, required }) => [String(name), new Field(deref, [schema], required === true)]),
    ),
    headers: named('header').map(({ name }) => String(name).toLowerCase()),
    takesLines: hasLines(operation.requestBody),
    givesLines: answers.some(([status, answer]) => status.startsWith('2') && hasLines(answer)),
  };
}

/** Follows local references (`#/components/…`), a few at the most. */
function derefIn(root: Json): Deref {
  return (value) => {
    let at = value;
    for (let depth = 0; isObject(at) && typeof at.$ref === 'string' && depth < 8; depth++) {
      const keys = at.$ref.startsWith('#/') ? at.$ref.slice(2).split('/') : ['#'];
      const step = (node: unknown, key: string) =>
        isObject(node) ? node[key.replaceAll('~1', '/').replaceAll('~0', '~')] : undefined;
      at = keys.reduce<unknown>(step, root);
    }
    return isObject(at) ? at : {};
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
    return /^(?:\/[\w.~-]+)+$/.test(prefix) && isObject(item) && item.get && item.post ? [prefix] : [];
  });
  return found.length > 0 ? (servers[0] ?? '') + found[0] : undefined;
}

/** The paths of the servers that a description names; empty for the root. */
const serverPaths = (description: Json): string[] =>
  asList(description.servers).flatMap((server) => {
    const url = isObject(server) && typeof server.url === 'string' ? server.url : '/';
    return URL.canParse(url, 'http://localhost') ? [new URL(url, 'http://localhost').pathname.replace(/\/$/, '')] : [];
  });

/** Milliseconds after which a description that could not be had is asked for again: where it failed, and where it hung. */
const AGAIN = { failed: 2_000, timeout: 60_000 };
/** How long it is waited for. */
const LONGEST = 8_000;

/** A service's description, asked for once, and again after a failure to get it. */
export class Description {
  readonly #transport: Transport;
  readonly #baseUrl: URL;
  #asked: Promise<Capabilities> | undefined;
  /** When it is asked for again (`performance.now()`). */
  #again = Infinity;

  constructor(transport: Transport, baseUrl: URL) {
    this.#transport = transport;
    this.#baseUrl = baseUrl;
  }

  /** What the service announces; nothing where its description cannot be had. @throws ServiceError where it cannot be opened */
  get(): Promise<Capabilities> {
    if (performance.now() > this.#again) this.forget();
    return (this.#asked ??= this.#ask().catch((error: unknown) => {
      this.#asked = undefined;
      throw error;
    }));
  }

  /** Asks anew at the next use. */
  forget(): void {
    this.#asked = undefined;
    this.#again = Infinity;
  }

  /** Below the base URL first; else at the origin's root, as far as that describes what stands below the base URL. */
  async #ask(): Promise<Capabilities> {
    const { pathname, origin } = this.#baseUrl;
    try {
      const own = await this.#read(this.#baseUrl);
      if (own !== undefined || pathname === '/') return new Capabilities(own, pathname);
      return new Capabilities(await this.#read(new URL(origin)), pathname, true);
    } catch (error) {
      if (!isPassing(error)) throw error;
      this.#again = performance.now() + (error.kind === 'timeout' ? AGAIN.timeout : AGAIN.failed);
      return new Capabilities(undefined);
    }
  }

  /** @returns `undefined` where there is none, as is every service's right. @throws ServiceError where that is not certain */
  async #read(baseUrl: URL): Promise<unknown> {
    try {
      return await this.#transport.call({ method: 'GET', path: '/openapi.json', timeout: LONGEST, baseUrl });
    } catch (error) {
      const isNone = error instanceof ServiceError && error.kind !== 'unavailable' && !isPassing(error);
      if (!isNone) throw error;
      return undefined;
    }
  }
}
