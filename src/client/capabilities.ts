import { type Operation, type OperationName, operations, type QueryOf } from '../contract/operations.ts';

type Json = Record<string, unknown>;
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What a service's own OpenAPI description announces beyond the interface. Empty for a service without one. */
export class Capabilities {
  readonly #operations = new Map<string, { fields: ReadonlySet<string>; query: ReadonlySet<string> }>();

  /**
   * @param description the parsed `/openapi.json`, or anything else for none
   * @param basePath the path of the base URL; descriptions that give full paths are read without it
   */
  constructor(description: unknown, basePath = '/') {
    if (!isObject(description) || !isObject(description.paths)) return;
    const prefixes = [basePath, ...serverPaths(description)].filter((prefix) => prefix !== '/');
    for (const [path, item] of Object.entries(description.paths)) {
      if (!isObject(item)) continue;
      for (const method of ['get', 'post', 'delete'] as const) {
        const operation = item[method];
        if (!isObject(operation)) continue;
        const entry = { fields: bodyFields(operation, description), query: queryNames(operation, item, description) };
        for (const form of new Set([
          path,
          ...prefixes.filter((p) => path.startsWith(`${p}/`)).map((p) => path.slice(p.length)),
        ])) {
          this.#operations.set(`${method.toUpperCase()} ${normal(form)}`, entry);
        }
      }
    }
  }

  has(name: OperationName): boolean {
    return this.#operations.has(keyOf(operations[name]));
  }

  /** Whether the state of a fine-tuned model can be asked for, one by one or in a list. */
  get tellsOfModels(): boolean {
    return this.has('listFineTunedModels') || this.has('getFineTunedModel');
  }

  /** Whether the operation's JSON body has this field. */
  takes(name: OperationName, field: string): boolean {
    return this.#operations.get(keyOf(operations[name]))?.fields.has(field) ?? false;
  }

  /** Whether the operation has this query parameter. */
  asks<K extends OperationName>(name: K, parameter: QueryOf<K>): boolean {
    return this.#operations.get(keyOf(operations[name]))?.query.has(parameter) ?? false;
  }

  /** All announced operations, as `GET /predictions/{}`. */
  get operations(): string[] {
    return [...this.#operations.keys()];
  }
}

/** As {@link Capabilities.operations} names an operation. */
export const keyOf = ({ method, path }: Operation): string => `${method} ${normal(path)}`;

const normal = (path: string): string => path.replaceAll(/\{[^{}]*\}/g, '{}').replace(/(.)\/$/, '$1');

function serverPaths(description: Json): string[] {
  const servers = Array.isArray(description.servers) ? description.servers : [];
  return servers.flatMap((server: unknown) => {
    const url = isObject(server) && typeof server.url === 'string' ? server.url : '/';
    return URL.canParse(url, 'http://localhost')
      ? [new URL(url, 'http://localhost').pathname.replace(/\/$/, '') || '/']
      : [];
  });
}

function bodyFields(operation: Json, root: Json): Set<string> {
  const body = deref(operation.requestBody, root);
  const content = isObject(body) && isObject(body.content) ? body.content : {};
  const media = content['application/json'] ?? Object.values(content)[0];
  return properties(isObject(media) ? media.schema : undefined, root);
}

function queryNames(operation: Json, item: Json, root: Json): Set<string> {
  const parameters = [item.parameters, operation.parameters].flatMap((list) =>
    Array.isArray(list) ? (list as unknown[]) : [],
  );
  const names = parameters
    .map((parameter) => deref(parameter, root))
    .filter((parameter) => isObject(parameter) && parameter.in === 'query')
    .map((parameter) => String((parameter as Json).name));
  return new Set(names);
}

/** The property names of a schema, through references and combinations. */
function properties(schema: unknown, root: Json, depth = 0): Set<string> {
  const here = deref(schema, root);
  if (!isObject(here) || depth > 8) return new Set();
  const own = isObject(here.properties) ? Object.keys(here.properties) : [];
  const parts = ['allOf', 'anyOf', 'oneOf'].flatMap((key) =>
    Array.isArray(here[key]) ? (here[key] as unknown[]) : [],
  );
  return new Set([...own, ...parts.flatMap((part) => [...properties(part, root, depth + 1)])]);
}

/** Follows local references (`#/components/…`), a few at the most. */
function deref(value: unknown, root: Json): unknown {
  let at = value;
  for (let depth = 0; isObject(at) && typeof at.$ref === 'string' && depth < 8; depth++) {
    if (!at.$ref.startsWith('#/')) return undefined;
    const keys = at.$ref
      .slice(2)
      .split('/')
      .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
    at = keys.reduce<unknown>((node, key) => (isObject(node) ? node[key] : undefined), root);
  }
  return at;
}
