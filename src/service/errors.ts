import type * as z from 'zod/mini';
import { type Failure, failure, type Fault, failureOf, isKnown, type Problem } from '../contract/failures.ts';
import { EngineError } from '../engine/types.ts';

export class FailureError extends Error {
  readonly failure: Failure;

  constructor(failure: Failure, options?: ErrorOptions) {
    super(failure.detail, options);
    this.name = new.target.name;
    this.failure = failure;
  }

  get isDamaged(): boolean {
    return this.failure.code === DAMAGED;
  }
}

const DAMAGED = 'store_damaged';

type Loc = Fault['loc'];

export class RequestError extends FailureError {
  readonly status: 400 | 401 | 403 | 404 | 405 | 408 | 409 | 413 | 415 | 422 | 429;
  readonly errors: readonly Fault[] | undefined;

  constructor(status: RequestError['status'], failure: Failure, errors?: readonly Fault[]) {
    super(failure);
    this.status = status;
    this.errors = errors;
  }

  static field(loc: Loc, failure: Failure, status: RequestError['status'] = 422): RequestError {
    return new RequestError(status, failure, [{ loc, ...failure }]);
  }

  static invalid(place: Loc, { issues }: z.core.$ZodError, from = 0): RequestError {
    const faults = issues.slice(0, 20).map((issue) => {
      return { loc: [...place, ...placedFrom(from, issue.path as Loc)], ...failureOf(issue) };
    });
    return new RequestError(422, faults[0], faults);
  }

  get problem(): Problem {
    return problemOf(this.status, this.failure, this.errors);
  }
}

export const problemOf = (status: number, { code, params, detail }: Failure, errors?: readonly Fault[]): Problem => ({
  status,
  code,
  params,
  detail: errors?.map(placed).join(' ') ?? detail,
  errors,
});

export const placedFrom = (from: number, [first, ...others]: Loc): Loc =>
  first === undefined ? [] : [typeof first === 'number' ? from + first : first, ...others];

const placed = ({ loc, detail }: Fault): string => {
  const place = loc.filter((part) => part !== 'body' && part !== 'query' && part !== 'path').join('.');
  return place === '' ? detail : `${place}: ${detail}`;
};

export class BusyError extends RequestError {
  readonly after: number;

  constructor(failure: Failure, after = 5) {
    super(429, failure);
    this.after = after;
  }
}

export class JobError extends FailureError {}

export class StoreError extends FailureError {}

export class DamagedRowError extends FailureError {
  constructor(cause?: unknown) {
    super(failure('damaged'), { cause });
  }
}

/** What an error says to people; `undefined` for a defect of the program. */
export function expectedOf(error: unknown): Failure | undefined {
  if (error instanceof FailureError) return error.failure;
  if (!(error instanceof EngineError) || !isKnown(error.code)) return undefined;
  return failure(error.code, ...error.params);
}

interface StoreTrouble {
  readonly status: 500 | 503 | 507;
  readonly failure: Failure;
}

const FULL: StoreTrouble = { status: 507, failure: failure('store_full') };
const AWAY: StoreTrouble = { status: 503, failure: failure('database_away') };

/** Varieties of SQLITE_IOERR that come from writing: WRITE, FSYNC, DIR_FSYNC, TRUNCATE, SHMOPEN, SHMSIZE, SHMMAP, MMAP. */
const WRITING = new Set([3, 4, 5, 6, 18, 19, 21, 24].map((variety) => 10 | (variety << 8)));

/** SQLSTATE of PostgreSQL: no connection, it ends or starts, too many connections; and what the network says. */
const IS_AWAY =
  /^(08...|57P0[1-5]|53300|ECONN(REFUSED|RESET|ABORTED)|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENOTFOUND|EAI_AGAIN)$/;
const SAYS_AWAY =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/;

/** What an error means for an answer. The queue tells of errors of PostgreSQL as copies that are no `Error`. */
export function storeTrouble(error: unknown, file = 'forecasts.db'): StoreTrouble | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  if (error instanceof AggregateError) return storeTrouble(error.errors[0]);
  const { code = '', message = '', errcode } = error as { code?: string; message?: string; errcode?: number };
  if (code === 'ERR_SQLITE_ERROR') return sqliteTrouble(Number(errcode), message, file);
  if (IS_AWAY.test(code) || SAYS_AWAY.test(message)) return AWAY;
  if (code === '53100') return FULL;
  const isCrossed = ['40001', '40P01', '55P03'].includes(code);
  return isCrossed ? { status: 503, failure: failure('database_busy') } : undefined;
}

function sqliteTrouble(code: number, message: string, file: string): StoreTrouble | undefined {
  // the low byte is the kind of the error, the others its variety: https://sqlite.org/rescode.html
  switch (code & 0xff) {
    case 5: // SQLITE_BUSY
    case 6: // SQLITE_LOCKED
      return { status: 503, failure: failure('store_locked') };
    case 7: // SQLITE_NOMEM
      return { status: 503, failure: failure('no_memory') };
    case 13: // SQLITE_FULL
      return FULL;
    case 10: // SQLITE_IOERR
      return WRITING.has(code) ? FULL : { status: 500, failure: failure('store_unreadable', file, message) };
    case 3: // SQLITE_PERM
    case 8: // SQLITE_READONLY
    case 14: // SQLITE_CANTOPEN
    case 23: // SQLITE_AUTH
      return { status: 500, failure: failure('store_not_writable', file) };
    case 11: // SQLITE_CORRUPT
    case 26: // SQLITE_NOTADB
      return { status: 500, failure: failure(DAMAGED, file) };
    default:
      return undefined;
  }
}

/** Whether what a row refers to was deleted just then, or what was to be deleted is referred to since. */
export function isReferenceGone(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, errcode } = error as { code?: unknown; errcode?: unknown };
  return code === '23503' || (code === 'ERR_SQLITE_ERROR' && errcode === 787); // SQLITE_CONSTRAINT_FOREIGNKEY
}

/** Whether it can pass by itself: the store is locked, or there is no room just now. */
export const mayPass = (error: unknown): boolean => (storeTrouble(error)?.status ?? 500) !== 500;

/** What cannot be opened as people are told of it, where it is the store that is at fault. */
export function storeErrorOf(cause: unknown, file?: string): unknown {
  const trouble = storeTrouble(cause, file);
  return trouble ? new StoreError(trouble.failure, { cause }) : cause;
}
