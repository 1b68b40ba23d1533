import { FailureError } from '../errors.ts';
import { type Failure, failure } from '../../contract/failures.ts';
export class StoreError extends FailureError {
  readonly isDamaged: boolean;

  constructor(failure: Failure, { isDamaged = false, ...options }: ErrorOptions & { isDamaged?: boolean } = {}) {
    super(failure, options);
    this.isDamaged = isDamaged;
  }
}

export interface StoreTrouble {
  readonly status: 500 | 503 | 507;
  readonly failure: Failure;
  readonly isDamaged?: boolean;
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
  // a deadlock, or a conflict of two transactions
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
      return { status: 500, isDamaged: true, failure: failure('store_damaged', file) };
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
