/** The routes of the service: who may call, how an operation is done, and how it is answered. */
import { isCreation, NDJSON, type Operation, type OperationName, operations } from '../../contract/operations.ts';
import { KEY_SCOPES, type KeyScope } from '../../contract/resources.ts';
import { BusyError, problemOf, RequestError } from '../errors.ts';
import type { JobWatch } from '../jobs/runner.ts';
import { type Caller, notValid } from '../store/keys.ts';
import { mayPass, storeTrouble } from '../database/trouble.ts';
import { DamagedRowError } from '../database/list.ts';
import { StoredPoints } from '../store/points.ts';
import { failure, type Failure, type Fault } from '../../contract/failures.ts';
import { Hono } from 'hono';
import type { BodyName } from '../tasks/bodies.ts';
import { onceOf } from '../store/creations.ts';
import type { RequestBodies } from './request-bodies.ts';
import { describeService } from './openapi.ts';
import { handle, type Resources } from './operations.ts';

/** What a program that serves others wants to know of requests. */
export interface Watch extends JobWatch {
  readonly audit: (request: Request, write: Write) => void;
}

export interface Write {
  readonly key: string;
  readonly tenant: string;
  readonly operation: string;
  readonly target: string | undefined;
  readonly status: number;
}

const scopeOf = ({ scope, method }: Operation): KeyScope => scope ?? (method === 'GET' ? 'read' : 'write');

export const isWrite = (operation: Operation): boolean => scopeOf(operation) !== 'read';

/** Who calls. @throws RequestError 401; BusyError */
export async function authorize(
  request: Request,
  { keys, limits }: Pick<Resources, 'keys' | 'limits'>,
  watch?: Watch,
): Promise<Caller> {
  const token = /^Bearer +(\S+) *$/i.exec(request.headers.get('authorization') ?? '')?.[1];
  if (!token) throw new RequestError(401, failure('token_missing'));
  const caller = await keys.caller(token);
  if (!caller) throw notValid();
  // the one key of an editor is in use whenever the editor is
  if (watch) keys.noteUse(caller);
  await limits?.admit(caller);
  return caller;
}

/** @throws RequestError 403 where a key may not do this */
export function checkScope({ scope }: Caller, operation: Operation): void {
  const needed = scopeOf(operation);
  if (KEY_SCOPES.indexOf(scope) >= KEY_SCOPES.indexOf(needed)) return;
  throw new RequestError(403, failure('scope', needed, scope));
}

/** Stands for points in the text of an answer; no text from outside can know it. */
const PLACE = crypto.randomUUID();

/** The JSON of an answer: every field is there, `null` where it is not known; stored points are put in as they are. */
export async function toJson(answer: unknown): Promise<string | ReadableStream> {
  if (answer instanceof StoredPoints) return joined(await answer.json());
  const points: Awaited<ReturnType<StoredPoints['json']>>[] = [];
  const text = JSON.stringify(await written(answer, points));
  if (points.length === 0) return text;
  return joined(text.split(`"${PLACE}"`).flatMap((part, index) => [part, ...(points[index] ?? [])]));
}

/** A text, or where it is long what is sent without being put together. */
const joined = (parts: readonly (string | Uint8Array<ArrayBuffer>)[]): string | ReadableStream =>
  parts.every((part) => typeof part === 'string') ? parts.join('') : new Blob([...parts]).stream();

/** @param points gets those that stand in it, in their order */
async function written(answer: unknown, points: Awaited<ReturnType<StoredPoints['json']>>[]): Promise<unknown> {
  if (typeof answer !== 'object' || answer === null) return answer;
  const fields: Record<string, unknown> = {};
  let damage: Failure | undefined;
  for (const [name, value] of Object.entries(answer as Record<string, unknown>)) {
    fields[name] = value ?? null;
    if (name === 'items' && Array.isArray(value)) {
      const items: unknown[] = [];
      for (const item of value) items.push(await written(item, points));
      fields[name] = items;
    } else if (value instanceof StoredPoints) {
      try {
        points.push(await value.json());
        fields[name] = PLACE;
      } catch (error) {
        if (!(error instanceof DamagedRowError)) throw error;
        [fields[name], damage] = [null, error.failure];
      }
    }
  }
  return damage ? { ...fields, error: damage } : fields;
}

export const refusal = (
  status: number,
  failure: Failure,
  headers: Readonly<Record<string, string>> = {},
  errors?: readonly Fault[],
): Response =>
  new Response(JSON.stringify(problemOf(status, failure, errors)), {
    status,
    headers: { 'content-type': 'application/problem+json', ...headers },
  });

/** Parts of a text as the body of an answer, each asked for when the one before has been taken. */
export function streamed(parts: AsyncGenerator<string>, report: (error: unknown) => void): Response {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        try {
          const { done, value } = await parts.next();
          if (done) controller.close();
          else controller.enqueue(encoder.encode(value));
        } catch (error) {
          // the status was told: that it is not whole shows as it breaks off
          if (!mayPass(error) && !(error instanceof RequestError)) report(error);
          throw error;
        }
      },
      cancel: async () => {
        await parts.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(body, { headers: { 'content-type': NDJSON } });
}

/** The service as a fetch handler over these resources. @param report gets defects, for the log */
export function createApp(
  resources: Resources,
  bodies: RequestBodies,
  report: (error: unknown) => void,
  { watch }: { readonly watch?: Watch | undefined } = {},
): (request: Request) => Promise<Response> {
  const app = new Hono();
  let description: string | undefined;
  const methods = new Map([['/openapi.json', ['GET', 'HEAD']]]);
  app.get('/openapi.json', () => json((description ??= describeService()), 200));
  for (const [name, operation] of Object.entries(operations) as [OperationName, Operation][]) {
    const path = operation.path.replace('{id}', ':id');
    const others = methods.get(path) ?? [];
    methods.set(path, [...others, operation.method, ...(operation.method === 'GET' ? ['HEAD'] : [])]);
    app.on(operation.method, path, async (context) => {
      const { raw } = context.req;
      const caller = await authorize(raw, resources, watch);
      const id = context.req.param('id') ?? '';
      const audit = (status: number, target: string | undefined) => {
        if (isWrite(operation))
          watch?.audit(raw, { key: caller.id, tenant: caller.tenant, operation: name, target, status });
      };
      try {
        checkScope(caller, operation);
        const query = new URL(raw.url).searchParams;
        const once = isCreation(operation) ? onceOf(raw, caller.tenant) : undefined;
        const body = operation.bodyLines
          ? bodies.lines(raw)
          : operation.body && (await bodies.read(name as BodyName, raw, once?.hash));
        // who would send it again, not knowing that it was made
        if (isCreation(operation)) raw.signal.throwIfAborted();
        const answer = await handle(name, { id, query, caller, once, signal: raw.signal }, body, resources);
        audit(operation.status, id || idOf(answer));
        if (operation.answerLines) return streamed(answer as AsyncGenerator<string>, report);
        return operation.status === 204
          ? new Response(null, { status: 204 })
          : json(await toJson(answer), operation.status);
      } catch (error) {
        audit(statusOf(error, raw), id || undefined);
        throw error;
      }
    });
  }
  for (const [path, allowed] of methods) {
    app.all(path, () => refusal(405, failure('method_not_allowed'), { allow: allowed.join(', ') }));
  }
  app.notFound(() => refusal(404, failure('not_found')));
  app.onError((error, context) => {
    if (error instanceof RequestError) return refusal(error.status, error.failure, headersOf(error), error.errors);
    // nobody reads the answer, and there is no defect
    if (context.req.raw.signal.aborted) return refusal(400, failure('client_gone'));
    report(error);
    const trouble = storeTrouble(error);
    if (!trouble) return refusal(500, failure('defect'));
    return refusal(trouble.status, trouble.failure, trouble.status === 500 ? {} : { 'retry-after': '5' });
  });
  return async (request) => app.fetch(request);
}

/** The status of the answer to what was thrown. Nobody reads it where the client has gone, and there is no defect then. */
function statusOf(error: unknown, { signal }: Request): number {
  if (error instanceof RequestError) return error.status;
  return signal.aborted ? 400 : (storeTrouble(error)?.status ?? 500);
}

const json = (text: string | ReadableStream, status: number): Response =>
  new Response(text, { status, headers: { 'content-type': 'application/json' } });

const headersOf = (error: RequestError): Record<string, string> => ({
  ...(error instanceof BusyError ? { 'retry-after': String(error.after) } : {}),
  ...(error.status === 401 ? { 'www-authenticate': 'Bearer' } : {}),
});

const idOf = (answer: unknown): string | undefined =>
  typeof answer === 'object' && answer !== null && 'id' in answer ? String(answer.id) : undefined;
