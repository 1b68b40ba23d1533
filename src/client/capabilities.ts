import { isObject, type Json } from '../contract/json.ts';
import { type Operation, type OperationName, operations, type QueryOf } from '../contract/operations.ts';

type Deref = (value: unknown) => Json;

const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);
const asObject = (value: unknown): Json => (isObject(value) ? value : {});

export interface Field {
  readonly required: boolean;
  readonly nullable: boolean;
  readonly isList: boolean;
  /** Of a whole number: what is excluded is next to the last one allowed. Infinite where nothing is said. */
  readonly minimum: number;
  readonly maximum: number;
  readonly choices: readonly string[];
  readonly fields: ReadonlyMap<string, Field>;
}

function fieldOf(deref: Deref, schemas: readonly unknown[], required: boolean): Field {
  const parts = schemas.flatMap((schema) => partsOf(deref, schema));
  const said = (key: string): unknown[] => parts.flatMap(({ form }) => form[key] ?? []);
  const numbers = (key: string, beside = 0) =>
    said(key).flatMap((value) => (typeof value === 'number' ? [value + beside] : []));
  return {
    required,
    nullable: said('type').includes('null') || said('nullable').includes(true),
    isList: said('type').includes('array'),
    minimum: Math.max(-Infinity, ...numbers('minimum'), ...numbers('exclusiveMinimum', 1)),
    maximum: Math.min(Infinity, ...numbers('maximum'), ...numbers('exclusiveMaximum', -1)),
    choices: [...said('enum'), ...said('const')].filter((choice) => typeof choice === 'string'),
    get fields() {
      const all = [...parts, ...said('items').flatMap((items) => partsOf(deref, items))];
      const inner = all.flatMap(({ form, isAlternative }) =>
        Object.entries(asObject(form.properties)).map(([name, schema]) => {
          return { name, schema, isRequired: !isAlternative && asList(form.required).includes(name) };
        }),
      );
      const joined = [...Map.groupBy(inner, ({ name }) => name)].map(([name, same]) => {
        const isRequired = same.some((one) => one.isRequired);
        return [name, fieldOf(deref, same.map((one) => one.schema), isRequired)] as const; // prettier-ignore
      });
      return new Map(joined);
    },
  };
}

function partsOf(
  deref: Deref,
  schema: unknown,
  isAlternative = false,
  depth = 0,
): { form: Json; isAlternative: boolean }[] {
  if (depth > 8) return [];
  const form = deref(schema);
  const others = ['allOf', 'anyOf', 'oneOf'].flatMap((key) => {
    const choices = asList(form[key]).filter((one) => asObject(one).type !== 'null').length;
    const isOneOfSeveral = isAlternative || (key !== 'allOf' && choices > 1);
    return asList(form[key]).flatMap((one) => partsOf(deref, one, isOneOfSeveral, depth + 1));
  });
  return [{ form, isAlternative }, ...others];
}

/** With the path as the description writes it, below the base URL: with the slash at its end, if there is one. */
type Described = ReturnType<typeof describedIn> & { readonly path: string };

const LINES = /^application\/(x-ndjson|ndjson|jsonl|x-jsonlines)\b/i;

/** What a service’s own OpenAPI description announces beyond the interface. Empty for a service without one. */
export class Capabilities {
  readonly #operations = new Map<string, Described>();
  /** The path of the origin below which the operations are, if not below the base URL: `/v1`. */
  readonly elsewhere: string | undefined;

  /** @param isOfOrigin whether it describes all of the origin: then only what stands below the base path counts */
  constructor(description: unknown, basePath = '/', isOfOrigin = false) {
    const root = asObject(description);
    const deref = derefIn(root);
    const servers = asList(root.servers).flatMap((server) => {
      const { url } = asObject(server);
      const { pathname } = URL.parse(typeof url === 'string' ? url : '/', 'http://localhost') ?? {};
      return pathname?.replace(/\/$/, '') ?? [];
    });
    for (const [path, item] of Object.entries(asObject(root.paths))) {
      const full = [path, ...servers.map((server) => server + path)];
      const below = full.filter((form) => form.startsWith(`${basePath}/`)).map((form) => form.slice(basePath.length));
      for (const method of ['get', 'post', 'delete']) {
        const operation = asObject(item)[method];
        if (!isObject(operation)) continue;
        const described = describedIn(deref, asObject(item), operation);
        for (const form of isOfOrigin ? below : [path, ...below])
          this.#operations.set(`${method.toUpperCase()} ${normal(form)}`, { path: form, ...described });
      }
    }
    if (this.has('createPrediction') || !(isOfOrigin || basePath === '/')) return;
    const prefixes = Object.entries(asObject(root.paths)).flatMap(([path, item]) => {
      const isOfPredictions = ['get', 'post'].every((method) => asObject(item)[method]);
      return (isOfPredictions && /^((?:\/[\w.~-]+)+)\/predictions\/?$/.exec(path)?.[1]) || [];
    });
    this.elsewhere = prefixes[0] && (servers[0] ?? '') + prefixes[0];
  }

  of(name: OperationName): Described | undefined {
    return this.#operations.get(keyOf(operations[name]));
  }

  has(name: OperationName): boolean {
    return this.of(name) !== undefined;
  }

  get tellsOfModels(): boolean {
    return this.has('listFineTunedModels') || this.has('getFineTunedModel');
  }

  get isDescribed(): boolean {
    return this.#operations.size > 0;
  }

  takes(name: OperationName, field: string): boolean {
    return this.rules(name, field) !== undefined;
  }

  asks<K extends OperationName>(name: K, parameter: QueryOf<K>): boolean {
    return this.of(name)?.query.has(parameter) ?? false;
  }

  /** What is said of a field of the body; `undefined` where it is not announced. Elements of lists are passed through. */
  rules(name: OperationName, ...fields: readonly string[]): Field | undefined {
    return fields.reduce((at: Field | undefined, field) => at?.fields.get(field), this.of(name)?.body);
  }

  required(name: OperationName, ...fields: readonly string[]): readonly string[] {
    const known = this.rules(name, ...fields)?.fields ?? [];
    return [...known].flatMap(([field, { required }]) => (required ? [field] : []));
  }

  pathOf(name: OperationName, id = ''): string {
    const path = operations[name].path.replace('{id}', encodeURIComponent(id));
    return this.of(name)?.path.endsWith('/') ? `${path}/` : path;
  }

  get operations(): string[] {
    return [...this.#operations.keys()];
  }
}

function describedIn(deref: Deref, item: Json, operation: Json) {
  const contentOf = (message: unknown): Json => asObject(deref(message).content);
  const hasLines = (message: unknown) => Object.keys(contentOf(message)).some((type) => LINES.test(type));
  const parameters = [item.parameters, operation.parameters].flatMap(asList).map(deref);
  const inside = (place: string) => parameters.filter((one) => one.in === place && typeof one.name === 'string');
  const content = contentOf(operation.requestBody);
  const answers = Object.entries(asObject(operation.responses));
  const { schema: body } = asObject(content['application/json'] ?? Object.values(content)[0]);
  const query = inside('query').map(({ name, schema, required }) => {
    return [name as string, fieldOf(deref, [schema], required === true)] as const;
  });
  return {
    body: fieldOf(deref, [body], true),
    query: new Map(query) as ReadonlyMap<string, Field>,
    isRepeatable: inside('header').some(({ name }) => (name as string).toLowerCase() === 'idempotency-key'),
    takesLines: hasLines(operation.requestBody),
    givesLines: answers.some(([status, answer]) => status.startsWith('2') && hasLines(answer)),
  };
}

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

export const keyOf = ({ method, path }: Operation): string => `${method} ${normal(path)}`;

const normal = (path: string): string => path.replaceAll(/\{[^{}]*\}/g, '{}').replace(/(.)\/$/, '$1');
