import type * as z from 'zod/mini';
import { type Failure, failure, type Fault, failureOf, isKnown, type Problem } from '../contract/failures.ts';
import { EngineError } from '../engine/errors.ts';

export class FailureError extends Error {
  readonly failure: Failure;

  constructor(failure: Failure, options?: ErrorOptions) {
    super(failure.detail, options);
    this.name = new.target.name;
    this.failure = failure;
  }
}

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

  /** @param from number of the first, where what is at `place` is a part of a list */
  static invalid(place: Loc, { issues }: z.core.$ZodError, from = 0): RequestError {
    const faults = issues.slice(0, 20).map((issue) => {
      const path = (issue.path as Loc).map((key, depth) => (depth === 0 && typeof key === 'number' ? from + key : key));
      return { loc: [...place, ...path], ...failureOf(issue) };
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

/** What an error says to people; `undefined` for a defect of the program. */
export function expectedOf(error: unknown): Failure | undefined {
  if (error instanceof FailureError) return error.failure;
  if (!(error instanceof EngineError) || !isKnown(error.code)) return undefined;
  return failure(error.code, ...error.params);
}
