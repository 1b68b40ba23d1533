import assert from 'node:assert/strict';
import { parameterCount, type Shape } from '../../../../src/engine/neural/network.ts';
import { decodeWeights, encodeWeights, fromHalf, toHalf } from '../../../../src/engine/neural/weights.ts';

const shape: Shape = { windowFeatures: 8, stepFeatures: 8, encoder: [8, 8], head: [8, 8], outputs: 8 };
const parameters = Float32Array.from({ length: parameterCount(shape) }, (_, i) => Math.sin(i));
const encoded = () => encodeWeights({ shape, seed: 7, series: 100 }, parameters);

describe('weights', () => {
  it('survive their file to half precision', () => {
    const weights = decodeWeights(encoded());
    assert.deepEqual(weights.shape, shape);
    assert.equal(weights.seed, 7);
    assert.match(weights.hash, /^[0-9a-f]{16}$/);
    weights.parameters.forEach((value, i) => {
      assert.ok(Math.abs(value - parameters[i]) < 5e-4);
    });
  });

  it('of an older format are refused with a message', () => {
    const bytes = encoded();
    bytes[4] = 0;
    assert.throws(
      () => decodeWeights(bytes),
      (error: Error) => error instanceof RangeError && /older format/.test(error.message),
    );
  });

  it('that are damaged or of another kind are refused', () => {
    const bytes = encoded();
    bytes[bytes.length - 3] ^= 1;
    assert.throws(() => decodeWeights(bytes), /damaged/);
    assert.throws(() => decodeWeights(encoded().subarray(0, 100)), /damaged/);
    const unreadable = encoded();
    unreadable[14] = 0;
    assert.throws(() => decodeWeights(unreadable), /damaged/);
    assert.throws(() => decodeWeights(new Uint8Array(5)), /no weights/);
  });

  it('are refused after a change of any byte before the numbers', () => {
    const whole = encoded();
    const start = whole.length - 2 * parameters.length;
    for (let i = 0; i < start; i++) {
      const bytes = whole.slice();
      bytes[i] ^= 1;
      try {
        const read = decodeWeights(bytes);
        // what tells where the weights are from may be misread, not what they are
        assert.deepEqual(read.shape, shape, `byte ${i}`);
        assert.deepEqual(read.parameters, decodeWeights(whole).parameters);
      } catch (error) {
        assert.ok(error instanceof RangeError, `byte ${i}: ${String(error)}`);
      }
    }
  });

  it('with another header are refused', () => {
    for (const text of ['null', '3', '[]', '{}', '{"shape":{}}', '{"shape":{"encoder":[8,8]}}', '{"shape":null}']) {
      const header = new TextEncoder().encode(text);
      const bytes = new Uint8Array(12 + header.length);
      bytes.set(encoded().subarray(0, 8));
      bytes[8] = header.length;
      bytes.set(header, 12);
      assert.throws(
        () => decodeWeights(bytes),
        (error: Error) => error instanceof RangeError && /damaged/.test(error.message),
        text,
      );
    }
  });

  it('are read from the middle of a larger file, and have another hash if a number changes', () => {
    const bytes = encoded();
    const larger = new Uint8Array(bytes.length + 9);
    larger.set(bytes, 5);
    const weights = decodeWeights(larger.subarray(5, 5 + bytes.length));
    assert.deepEqual(weights, decodeWeights(bytes));
    const others = parameters.slice();
    others[40] += 0.01;
    assert.notEqual(decodeWeights(encodeWeights({ shape, seed: 7, series: 100 }, others)).hash, weights.hash);
  });

  it('use IEEE 754 half precision', () => {
    const known: [number, number][] = [
      [0, 0x0000],
      [-0, 0x8000],
      [1, 0x3c00],
      [-2, 0xc000],
      [65504, 0x7bff],
      [2 ** -14, 0x0400],
      [2 ** -24, 0x0001],
      [1 / 3, 0x3555],
      [0.99999, 0x3c00],
    ];
    for (const [value, half] of known) assert.equal(toHalf(value), half, String(value));
    assert.equal(toHalf(-1e9), 0xfbff, 'the largest finite one');
    for (let half = 0; half < 0x7c00; half += 7) assert.equal(toHalf(fromHalf(half)), half);
  });

  it('round to half precision and back', () => {
    for (const value of [0, 1, -1, 0.1, 65504, 1e9, 6e-8, 1e-5, -3.14159, 0.99999]) {
      const back = fromHalf(toHalf(value));
      const expected = Math.min(value, 65504);
      assert.ok(Math.abs(back - expected) <= Math.max(3e-8, Math.abs(expected) * 2 ** -11), `${value} → ${back}`);
    }
  });
});
