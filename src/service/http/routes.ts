import { Hono } from 'hono';
import { type Operation, type OperationName, operations } from '../../contract/operations.ts';
import { storeTrouble } from '../store/database.ts';
import { RequestError } from '../errors.ts';
import { describe } from './openapi.ts';
import { handle, type Resources } from './operations.ts';

const MAX_BODY = 256 * 1024 * 1024;

/**
 * The service as a fetch handler over these resources.
 * @param report is told of defects, for the log; the answer only says that there was one
 */
export function createApp(
  resources: Resources,
  report: (error: unknown) => void,
  version = '1',
): (request: Request) => Promise<Response> {
  const app = new Hono();
  const all = Object.entries(operations) as [OperationName, Operation][];
  const description = JSON.stringify(describe(operations, version));
  app.get('/openapi.json', () => new Response(description, { headers: { 'content-type': 'application/json' } }));
  for (const [name, operation] of all) {
    app.on(operation.method, operation.path.replace('{id}', ':id'), async (context) => {
      const { raw } = context.req;
      const token = authorize(raw, resources);
      const call = {
        id: context.req.param('id') ?? '',
        query: new URL(raw.url).searchParams,
        token,
        signal: raw.signal,
      };
      const answer = await handle(name, call, operation.body ? await readBody(raw) : undefined, resources);
      return operation.status === 204
        ? new Response(null, { status: 204 })
        : Response.json(withNulls(answer), { status: operation.status });
    });
  }
  app.notFound((context) => {
    const known = all.some(([, { path }]) => new RegExp(`^${path.replace('{id}', '[^/]+')}$`).test(context.req.path));
    return known
      ? Response.json({ detail: 'Method Not Allowed' }, { status: 405 })
      : Response.json({ detail: 'Not Found' }, { status: 404 });
  });
  app.onError((error) => {
    if (error instanceof RequestError) {
      const headers = error.status === 401 ? { 'www-authenticate': 'Bearer' } : undefined;
      return Response.json({ detail: error.detail }, { status: error.status, headers });
    }
    report(error);
    const trouble = storeTrouble(error);
    if (trouble) return Response.json({ detail: trouble.message }, { status: trouble.status });
    return Response.json(
      { detail: 'This is a defect of the local service; its log has the details.' },
      { status: 500 },
    );
  });
  return async (request) => app.fetch(request);
}

/** Says `null` for what is not known of a resource, or of each resource of a page, so that every field is there. */
function withNulls(answer: unknown): unknown {
  if (typeof answer !== 'object' || answer === null) return answer;
  const fields = Object.entries(answer as Record<string, unknown>).map(([name, value]) => [
    name,
    name === 'items' && Array.isArray(value) ? value.map(withNulls) : (value ?? null),
  ]);
  return Object.fromEntries(fields) as unknown;
}

function authorize(request: Request, { keys }: Resources): string {
  const token = /^Bearer +(\S+) *$/i.exec(request.headers.get('authorization') ?? '')?.[1];
  if (!token) throw new RequestError(401, 'Send the header Authorization: Bearer <token>.');
  if (!keys.isActive(token)) throw new RequestError(401, 'The token is not valid.');
  return token;
}

async function readBody(request: Request): Promise<unknown> {
  const tooLarge = new RequestError(413, `The body is larger than ${MAX_BODY / 1024 / 1024} MB.`);
  if (Number(request.headers.get('content-length') ?? 0) > MAX_BODY) throw tooLarge;
  const text = await request.text();
  if (text.length > MAX_BODY) throw tooLarge;
  try {
    return JSON.parse(text);
  } catch (error) {
    const msg = `The body is not JSON: ${error instanceof Error ? error.message : String(error)}`;
    throw new RequestError(422, [{ loc: ['body'], msg, type: 'json_invalid' }]);
  }
}
