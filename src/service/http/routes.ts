import { failure } from '../../contract/failures.ts';
import { Hono } from 'hono';
import { type OperationName, operations } from '../../contract/operations.ts';
import { isCreation, type Operation } from '../../contract/operation.ts';
import type { BodyName } from '../tasks/bodies.ts';
import { BusyError, RequestError } from '../errors.ts';
import { onceOf } from '../store/creations.ts';
import { storeTrouble } from '../database/trouble.ts';
import { refusal, streamed, toJson } from './answers.ts';
import type { RequestBodies } from './request-bodies.ts';
import { authorize, checkScope, isWrite, type Watch } from './access.ts';
import { describeService } from './openapi.ts';
import { handle, type Resources } from './operations.ts';

/**
 * The service as a fetch handler over these resources.
 * @param bodies reads the bodies
 * @param report is told of defects, for the log; the answer only says that there was one
 */
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

/** Of what was made. */
const idOf = (answer: unknown): string | undefined =>
  typeof answer === 'object' && answer !== null && 'id' in answer ? String(answer.id) : undefined;
