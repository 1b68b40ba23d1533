import assert from 'node:assert/strict';
import { RequestError } from '../../../../src/service/errors.ts';

/** What a request is refused for with 422. @throws where it is not, or for something else */
export const fault = (work: () => unknown): { loc: readonly unknown[]; msg: string } => {
  try {
    work();
  } catch (error) {
    if (error instanceof RequestError && error.status === 422 && typeof error.detail === 'object') {
      return error.detail[0];
    }
    throw error;
  }
  assert.fail('was not refused');
};

export const bytes = (text: string) => new Uint8Array(Buffer.from(text));
