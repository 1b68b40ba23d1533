import { failure } from '../../contract/failures.ts';
import type { Operation } from '../../contract/operation.ts';
import { KEY_SCOPES, type KeyScope } from '../../contract/resources.ts';
import { RequestError } from '../errors.ts';
import type { JobWatch } from '../jobs/runner.ts';
import { type Caller, type Keys, type Limiter, notValid } from '../store/keys.ts';

/** What a program that serves others wants to know of requests. */
export interface Watch extends JobWatch {
  /** Told of each write, done or refused. */
  readonly audit: (request: Request, write: Write) => void;
}

/** A write: who did what to what. */
export interface Write {
  readonly key: string;
  readonly tenant: string;
  readonly operation: string;
  /** What it was done to, or what it made. */
  readonly target: string | undefined;
  readonly status: number;
}

const scopeOf = ({ scope, method }: Operation): KeyScope => scope ?? (method === 'GET' ? 'read' : 'write');

export const isWrite = (operation: Operation): boolean => scopeOf(operation) !== 'read';

/** What lets requests in. */
export interface Guards {
  readonly keys: Keys;
  /** Of a program that serves others. */
  readonly limits?: Limiter | undefined;
}

/** Who calls. @throws RequestError 401; BusyError */
export async function authorize(request: Request, { keys, limits }: Guards, watch?: Watch): Promise<Caller> {
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
