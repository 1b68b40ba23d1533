import assert from 'node:assert/strict';
import { ServiceError, type ServiceErrorKind } from '../../../../src/client/errors.ts';
import { deleteEach } from '../../../../src/editor/deletions/pending.ts';

/** How many of ten are asked for where all end so, and what is said. */
async function asked(ends: (item: number) => unknown): Promise<{ asked: number; problem: unknown }> {
  const tried: number[] = [];
  const problem = await deleteEach([...Array(10).keys()], (item) => {
    tried.push(item);
    const end = ends(item);
    return end === undefined ? Promise.resolve() : Promise.reject(end as Error);
  }).catch((error: unknown) => error);
  return { asked: tried.length, problem };
}
const failure = (kind: ServiceErrorKind) => new ServiceError(kind, `It is ${kind}.`);

describe('sequential deletion', () => {
  it('stops at a failure of the whole service, instead of waiting for each', async () => {
    for (const kind of ['timeout', 'busy', 'unreachable', 'unauthorized'] as const) {
      const { asked: count, problem } = await asked((item) => (item < 2 ? undefined : failure(kind)));
      assert.equal(count, 3, kind);
      assert.match(String(problem), /2 of 10 were deleted/);
    }
  });

  it('continues after a refusal or failure, and stops after two in a row', async () => {
    const refused = await asked((item) => (item < 5 ? failure('refused') : undefined));
    assert.equal(refused.asked, 10);
    const gone = await asked((item) => (item < 5 ? failure('not-found') : undefined));
    assert.equal(gone.asked, 10, 'another person was quicker');
    const now = await asked((item) => (item % 2 === 0 ? failure('failed') : undefined));
    assert.equal(now.asked, 10, 'one at a time');
    const down = await asked((item) => (item < 3 ? undefined : failure('failed')));
    assert.equal(down.asked, 5);
    assert.match(String(down.problem), /3 of 10 were deleted/);
  });

  it('stops on cancel without further messages', async () => {
    const off = new DOMException('called off', 'AbortError');
    const { asked: count, problem } = await asked((item) => (item < 1 ? failure('refused') : off));
    assert.equal(count, 2);
    assert.equal(problem, off);
  });
});
