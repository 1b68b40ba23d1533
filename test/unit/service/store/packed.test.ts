import assert from 'node:assert/strict';
import { DamagedRowError } from '../../../../src/service/errors.ts';
import { identityOf, packed, StoredPoints, unpacked } from '../../../../src/service/store/points.ts';

const pointsOf = (count: number, text = 'x') =>
  JSON.stringify(
    Array.from({ length: count }, (_, n) => ({
      timestamp: new Date(n * 60_000).toISOString(),
      value: n % 1440,
      metadata: { text },
    })),
  );

describe('stored points', () => {
  it('are uncompressed if short', async () => {
    const json = pointsOf(1000);
    assert.equal(packed(json), json);
    assert.equal(unpacked(json), json);
    assert.equal(identityOf(json), json);
    assert.equal(await new StoredPoints(json).text(), json);
  });

  it('are compressed if long, and round-trip wherever they are cut', async () => {
    // one letter more each time: a cut falls on both halves of a character
    for (const more of ['', 'a', 'aa', 'aaa']) {
      const json = pointsOf(1, more + '😀é字'.repeat(1_200_000));
      const stored = packed(json);
      assert.ok(stored.length < json.length / 5, `${stored.length}`);
      assert.equal(unpacked(stored), json);
      assert.equal(await new StoredPoints(stored).text(), json);
    }
  });

  it('are compared by content, not by compressed bytes', () => {
    const [json, other] = [pointsOf(50_000), pointsOf(50_001)];
    assert.equal(identityOf(packed(json)), identityOf(packed(json)));
    assert.notEqual(identityOf(packed(json)), identityOf(packed(other)));
    assert.ok(identityOf(packed(json)).length < 100);
  });

  it('report damage after any changed character', async () => {
    const stored = packed(pointsOf(100_000));
    const at = stored.length >> 1;
    const damaged = stored.slice(0, at) + (stored[at] === 'A' ? 'B' : 'A') + stored.slice(at + 1);
    assert.throws(() => unpacked(damaged), DamagedRowError);
    await assert.rejects(new StoredPoints(damaged).json(), DamagedRowError);
  });
});
