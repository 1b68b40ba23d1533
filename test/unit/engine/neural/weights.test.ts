import assert from 'node:assert/strict';
import { parameterCount, type Shape } from '../../../../src/engine/neural/network.ts';
import {
  decodeWeights,
  encodeWeights,
  fromHalf,
  halfOf,
  toByte,
  toHalf,
} from '../../../../src/engine/neural/weights.ts';

const shape: Shape = { windowFeatures: 8, stepFeatures: 8, encoder: [8, 8], head: [8, 8], outputs: 8, nets: 2 };
const parameters = Float32Array.from({ length: parameterCount(shape) }, (_, i) => Math.sin(i));
const encoded = () => encodeWeights({ shape, seed: 7, series: 100 }, parameters);

describe('weights', () => {
  it('are the same to half precision once written and read', () => {
    const weights = decodeWeights(encoded());
    assert.deepEqual(weights.shape, shape);
    assert.equal(weights.seed, 7);
    assert.match(weights.hash, /^[0-9a-f]{16}$/);
    weights.parameters.forEach((value, i) => {
      assert.ok(Math.abs(value - parameters[i]) < 5e-4);
    });
  });

  it('have a byte each where they are short, and are then the same to a sixteenth', () => {
    const text = encodeWeights({ shape, seed: 7, series: 100 }, parameters, true);
    assert.ok(text.length < 0.6 * encoded().length);
    const read = decodeWeights(text).parameters;
    read.forEach((value, i) => assert.ok(Math.abs(value - parameters[i]) <= Math.abs(parameters[i]) / 16 + 2 ** -12));
    assert.equal(encodeWeights({ shape, seed: 7, series: 100 }, read, true), text);
    for (let byte = 0; byte < 256; byte++) if (byte !== 0x80) assert.equal(toByte(fromHalf(halfOf(byte))), byte);
  });

  it('of an older or newer format are refused with a message', () => {
    for (const [version, age] of [
      [4, /an older format \(4;/],
      [6, /a newer format \(6;/],
    ] as const) {
      assert.throws(
        () => decodeWeights(encoded().replace('"version":5', `"version":${version}`)),
        (error: Error) => error instanceof RangeError && age.test(error.message),
      );
    }
  });

  it('that are damaged or of another kind are refused', () => {
    const whole = encoded();
    const [, head = '', body = ''] = /^(.*?"halves":)(.*)$/.exec(whole) ?? [];
    const others = ['', 'null', '3', '[]', '{}', 'VFNGVwQAAACW', `${head}null}`, `${head}"*"}`, `${head}"AA=="}`];
    const shapes = ['null', '{}', '{"encoder":[8,8]}'].map(
      (shape) => head.replace(/\{"windowFeatures.*?\}/, shape) + body,
    );
    const noVersion = whole.replace('"version":5', '"version":5e999');
    for (const text of [whole.slice(0, 100), whole.slice(0, -1), noVersion, ...others, ...shapes]) {
      assert.throws(
        () => decodeWeights(text),
        (error: Error) => error instanceof RangeError && /damaged/.test(error.message),
        text.slice(0, 200),
      );
    }
  });

  it('never have other numbers or another shape if any character is changed', () => {
    const whole = encoded();
    for (let i = 0; i < whole.length; i++) {
      const text = whole.slice(0, i) + String.fromCharCode(whole.charCodeAt(i) ^ 1) + whole.slice(i + 1);
      try {
        const read = decodeWeights(text);
        // what tells where the weights are from may be misread, not what they are
        assert.deepEqual(read.shape, shape, `character ${i}`);
        assert.deepEqual(read.parameters, decodeWeights(whole).parameters);
      } catch (error) {
        assert.ok(error instanceof RangeError, `character ${i}: ${String(error)}`);
      }
    }
  });

  it('have another hash once a number is another', () => {
    const others = parameters.slice();
    others[40] += 0.01;
    const { hash } = decodeWeights(encodeWeights({ shape, seed: 7, series: 100 }, others));
    assert.notEqual(hash, decodeWeights(encoded()).hash);
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
