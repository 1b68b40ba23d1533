import type * as z from 'zod/mini';

/** One fault of a request, in the shape that FastAPI made common. */
export interface Fault {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly type: string;
}

/** A request that cannot be served. Becomes the answer `{"detail": …}` with its status. */
export class RequestError extends Error {
  readonly status: 400 | 401 | 403 | 404 | 408 | 409 | 413 | 415 | 422 | 429;
  readonly detail: string | readonly Fault[];

  constructor(status: RequestError['status'], detail: string | readonly Fault[]) {
    super(typeof detail === 'string' ? detail : detail.map((fault) => fault.msg).join(' '));
    this.name = 'RequestError';
    this.status = status;
    this.detail = detail;
  }

  static field(loc: readonly (string | number)[], msg: string, type = 'value_error'): RequestError {
    return new RequestError(422, [{ loc, msg, type }]);
  }

  /** @param from number of the first, where what is at `place` is a part of a list */
  static invalid(place: readonly (string | number)[], error: z.core.$ZodError, from = 0): RequestError {
    const faults = error.issues.slice(0, 20).map((issue) => ({
      loc: [
        ...place,
        ...issue.path.map((key, depth) =>
          typeof key === 'symbol' ? String(key) : depth === 0 && typeof key === 'number' ? from + key : key,
        ),
      ],
      msg: issue.message,
      type: issue.code,
    }));
    return new RequestError(422, faults);
  }

  /** A reference to what is not stored. */
  static missing(loc: readonly (string | number)[], msg: string): RequestError {
    return new RequestError(404, [{ loc, msg, type: 'not_found' }]);
  }

  static notFound(what: string, id: string): RequestError {
    return new RequestError(404, `There is no ${what} “${id}”.`);
  }
}

/** The request can be served later, and not now. */
export class BusyError extends RequestError {
  /** Seconds after which to try again. */
  readonly after: number;

  constructor(message: string, after = 5) {
    super(429, message);
    this.after = after;
  }
}

/** Why a job ended FAILED, in words for the person. */
export class JobError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'JobError';
  }
}
