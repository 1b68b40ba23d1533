import assert from 'node:assert/strict';
import { onceUp } from '../../../src/server/postgres.ts';

describe('starting PostgreSQL', () => {
  const failing = (codes: readonly string[]) => {
    const left = [...codes];
    return () => {
      const code = left.shift();
      return code === undefined ? Promise.resolve('up') : Promise.reject(Object.assign(new Error('not now'), { code }));
    };
  };

  it('is waited for with one message, and other errors are not', async () => {
    const reported: string[] = [];
    assert.equal(await onceUp(failing(['57P03', '53300']), (sentence) => reported.push(sentence)), 'up');
    assert.equal(reported.length, 1);
    assert.match(reported[0], /Waiting for up to ten minutes/);
    for (const code of ['28P01', 'ECONNREFUSED', '3D000']) await assert.rejects(onceUp(failing([code])), /not now/);
  });
});
