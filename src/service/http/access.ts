import type { Operation } from '../../contract/operation.ts';
import { KEY_SCOPES, type KeyScope } from '../../contract/keys.ts';
import { RequestError } from '../errors.ts';
import type { OnEnded } from '../jobs/watched.ts';
import { type Caller, type Keys, notValid } from '../store/keys.ts';
import type { Limits } from '../store/limits.ts';

/** What a program that serves others wants to know of requests. */
export interface Watch {
  /** Told of each write, done or refused. */
  readonly audit: (request: Request, write: Write) => void;
  /** Told of the ends of jobs in this program. */
  readonly ended?: OnEnded;
  /** Told of jobs that are done again, by the names of their kinds: the program that had them does not renew them. */
  readonly lost?: (kind: string) => void;
}

/** A write: who did what to what. */
export interface Write {
  readonly key: string;
  readonly space: string;
  readonly operation: string;
  /** What it was done to, or what it made. */
  readonly target: string | undefined;
  readonly status: number;
}

const scopeOf = ({ scope, method }: Operation): KeyScope => scope ?? (method === 'GET' ? 'read' : 'write');

export const isWrite = (operation: Operation): boolean => scopeOf(operation) !== 'read';

/** Whether it makes something that another such request would make again. */
export const isCreation = ({ method, status }: Operation): boolean => method === 'POST' && status === 201;

/** What lets requests in. */
export interface Guards {
  readonly keys: Keys;
  readonly limits: Limits;
}

/** Who calls. @throws RequestError 401; BusyError */
export async function authorize(request: Request, { keys, limits }: Guards, watch?: Watch): Promise<Caller> {
  const token = /^Bearer +(\S+) *$/i.exec(request.headers.get('authorization') ?? '')?.[1];
  if (!token) throw new RequestError(401, 'Send the header Authorization: Bearer <token>.');
  const caller = await keys.caller(token);
  if (!caller) throw notValid();
  // the one key of an editor is in use whenever the editor is
  if (watch) keys.noteUse(caller);
  await limits.admit(caller);
  return caller;
}

/** @throws RequestError 403 where a key may not do this */
export function checkScope({ scope }: Caller, operation: Operation): void {
  const needed = scopeOf(operation);
  if (KEY_SCOPES.indexOf(scope) >= KEY_SCOPES.indexOf(needed)) return;
  throw new RequestError(403, `This needs a key of scope ${needed}, and this key has scope ${scope}.`);
}
