import assert from 'node:assert/strict';
import { parameterCount, type Shape } from '../../../../src/engine/neural/network.ts';
import { decodeWeights, encodeWeights, fromHalf, toHalf, WeightsError } from '../../../../src/engine/neural/weights.ts';

const shape: Shape = { windowFeatures: 8, stepFeatures: 8, encoder: [8, 8], head: [8, 8], outputs: 8 };
const parameters = Float32Array.from({ length: parameterCount(shape) }, (_, i) => Math.sin(i));
const encoded = () => encodeWeights({ shape, seed: 7, series: 100 }, parameters);

describe('weights', () => {
  it('come back from their file, to half precision', () => {
    const weights = decodeWeights(encoded());
    assert.deepEqual(weights.shape, shape);
    assert.equal(weights.seed, 7);
    assert.match(weights.hash, /^[0-9a-f]{16}$/);
    weights.parameters.forEach((value, i) => {
      assert.ok(Math.abs(value - parameters[i]) < 5e-4);
    });
  });

  it('of an older format say so', () => {
    const bytes = encoded();
    bytes[4] = 0;
    assert.throws(
      () => decodeWeights(bytes),
      (error: Error) => error instanceof WeightsError && /older format/.test(error.message),
    );
  });

  it('that are damaged or something else are refused', () => {
    const bytes = encoded();
    bytes[bytes.length - 3] ^= 1;
    assert.throws(() => decodeWeights(bytes), /damaged/);
    assert.throws(() => decodeWeights(encoded().subarray(0, 100)), /damaged/);
    const unreadable = encoded();
    unreadable[14] = 0;
    assert.throws(() => decodeWeights(unreadable), /damaged/);
    assert.throws(() => decodeWeights(new Uint8Array(5)), /no weights/);
  });

  it('half precision rounds and reads back', () => {
    for (const value of [0, 1, -1, 0.1, 65504, 1e9, 6e-8, 1e-5, -3.14159, 0.99999]) {
      const back = fromHalf(toHalf(value));
      const expected = Math.min(value, 65504);
      assert.ok(Math.abs(back - expected) <= Math.max(3e-8, Math.abs(expected) * 2 ** -11), `${value} → ${back}`);
    }
  });
});
