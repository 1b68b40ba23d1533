/** The routes of the service: who may call, how an operation is done, and how it is answered. */
import { isCreation, NDJSON, type Operation, type OperationName, operations } from '../../contract/operations.ts';
import { KEY_SCOPES } from '../../contract/resources.ts';
import { BusyError, DamagedRowError, mayPass, problemOf, RequestError, storeTrouble } from '../errors.ts';
import type { JobWatch } from '../jobs/runner.ts';
import { type Caller, notValid } from '../store/keys.ts';
import { StoredPoints } from '../store/points.ts';
import { failure, type Failure, type Fault } from '../../contract/failures.ts';
import { Hono } from 'hono';
import type { BodyName } from '../tasks/bodies.ts';
import { onceOf } from '../store/creations.ts';
import type { RequestBodies } from './request-bodies.ts';
import { describeService } from './openapi.ts';
import { handle, type Resources } from './operations.ts';

/** What a program that serves others wants to know of requests: of each that may write, by which key it was, and its outcome. */
export interface Watch extends JobWatch {
  readonly audit: (request: Request, write: Readonly<Record<string, string | number | undefined>>) => void;
}

export const tokenOf = ({ headers }: Request): string | undefined =>
  /^Bearer +(\S+) *$/i.exec(headers.get('authorization') ?? '')?.[1];

async function authorize(request: Request, { keys }: Resources, watch?: Watch): Promise<Caller> {
  const token = tokenOf(request);
  if (!token) throw new RequestError(401, failure('token_missing'));
  const caller = await keys.caller(token);
  if (!caller) throw notValid();
  if (watch) keys.noteUse(caller);
  await keys.admit(caller);
  return caller;
}

/** Stands for points in the text of an answer; no text from outside can know it. */
const PLACE = crypto.randomUUID();

/** The JSON of an answer: every field is there, `null` where it is not known; stored points are put in as they are. */
async function toJson(answer: unknown): Promise<string | ReadableStream> {
  const points: Points[] = [];
  const [first, ...others] = JSON.stringify(await written(answer, points)).split(`"${PLACE}"`);
  const parts = [first, ...others.flatMap((part, index) => [...points[index], part])];
  return parts.every((part) => typeof part === 'string') ? parts.join('') : new Blob(parts).stream();
}

type Points = Awaited<ReturnType<StoredPoints['json']>>;

/** @param points gets those that stand in it, in their order */
async function written(answer: unknown, points: Points[]): Promise<unknown> {
  if (answer instanceof StoredPoints) {
    points.push(await answer.json());
    return PLACE;
  }
  if (typeof answer !== 'object' || answer === null) return answer;
  const fields: Record<string, unknown> = {};
  let damage = {};
  for (const [name, value] of Object.entries(answer)) {
    fields[name] = value ?? null;
    if (name === 'items' && Array.isArray(value)) {
      const items: unknown[] = [];
      for (const item of value) items.push(await written(item, points));
      fields[name] = items;
    } else if (value instanceof StoredPoints) {
      fields[name] = await written(value, points).catch((error: unknown) => {
        if (!(error instanceof DamagedRowError)) throw error;
        damage = { error: error.failure };
        return null;
      });
    }
  }
  return { ...fields, ...damage };
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

function streamed(parts: AsyncGenerator<string>, report: (error: unknown) => void): Response {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        try {
          const { done, value } = await parts.next();
          if (done) controller.close();
          else controller.enqueue(encoder.encode(value));
        } catch (error) {
          // the status is sent already, so the body breaks off
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

/** What a failed request is answered with. Nobody reads it where the client has gone, and there is no defect then. */
function refused(error: unknown, { signal }: Request, report: (error: unknown) => void): Response {
  if (error instanceof RequestError) {
    const headers: Record<string, string> = {};
    if (error instanceof BusyError) headers['retry-after'] = String(error.after);
    if (error.status === 401) headers['www-authenticate'] = 'Bearer';
    return refusal(error.status, error.failure, headers, error.errors);
  }
  if (signal.aborted) return refusal(400, failure('client_gone'));
  report(error);
  const { status, failure: reason } = storeTrouble(error) ?? { status: 500, failure: failure('defect') };
  return refusal(status, reason, status === 500 ? {} : { 'retry-after': '5' });
}

export function createApp(
  resources: Resources,
  bodies: RequestBodies,
  report: (error: unknown) => void,
  watch?: Watch,
): (request: Request) => Promise<Response> {
  const app = new Hono();
  let description: string | undefined;
  const methods = new Map([['/openapi.json', ['GET', 'HEAD']]]);
  app.get('/openapi.json', () => json((description ??= describeService()), 200));

  async function answer(name: OperationName, request: Request, caller: Caller, id: string): Promise<unknown> {
    const operation: Operation = operations[name];
    const once = isCreation(operation) ? onceOf(request, caller.tenant) : undefined;
    const body = operation.bodyLines
      ? bodies.lines(request)
      : operation.body && (await bodies.read(name as BodyName, request, once?.hash));
    // who would send it again, not knowing that it was made
    if (isCreation(operation)) request.signal.throwIfAborted();
    const given = new URL(request.url).searchParams;
    return handle(name, { id, given, caller, once, signal: request.signal, body }, resources);
  }

  for (const [name, operation] of Object.entries(operations) as [OperationName, Operation][]) {
    const { method, status, scope = method === 'GET' ? 'read' : 'write' } = operation;
    const path = operation.path.replace('{id}', ':id');
    methods.set(path, [...(methods.get(path) ?? []), method, ...(method === 'GET' ? ['HEAD'] : [])]);
    app.on(method, path, async (context) => {
      const { raw } = context.req;
      const caller = await authorize(raw, resources, watch);
      const id = context.req.param('id') ?? '';
      let target = id || undefined;
      let response: Response;
      try {
        if (KEY_SCOPES.indexOf(caller.scope) < KEY_SCOPES.indexOf(scope))
          throw new RequestError(403, failure('scope', scope, caller.scope));
        const answered = await answer(name, raw, caller, id);
        target ??= (answered as { id?: string } | undefined)?.id;
        if (status === 204) response = new Response(null, { status });
        else if (operation.answerLines) response = streamed(answered as AsyncGenerator<string>, report);
        else response = json(await toJson(answered), status);
      } catch (error) {
        response = refused(error, raw, report);
      }
      if (scope !== 'read')
        watch?.audit(raw, { key: caller.id, tenant: caller.tenant, operation: name, target, status: response.status });
      return response;
    });
  }
  for (const [path, allowed] of methods)
    app.all(path, () => refusal(405, failure('method_not_allowed'), { allow: allowed.join(', ') }));
  app.notFound(() => refusal(404, failure('not_found')));
  app.onError((error, context) => refused(error, context.req.raw, report));
  return async (request) => app.fetch(request);
}

const json = (text: string | ReadableStream, status: number): Response =>
  new Response(text, { status, headers: { 'content-type': 'application/json' } });
