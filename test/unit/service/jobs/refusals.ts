import type { Fault } from '../../../../src/contract/failures.ts';
import assert from 'node:assert/strict';
import { RequestError } from '../../../../src/service/errors.ts';

/** What a request is refused for with 422. @throws where it is not, or for something else */
export const fault = (work: () => unknown): Fault => {
  try {
    work();
  } catch (error) {
    if (error instanceof RequestError && error.status === 422 && error.errors) {
      return error.errors[0];
    }
    throw error;
  }
  assert.fail('was not refused');
};

export const bytes = (text: string) => new Uint8Array(Buffer.from(text));
