import { parameterCount, type Shape } from './network.ts';

export interface Weights {
  readonly shape: Shape;
  readonly seed: number;
  readonly series: number;
  readonly parameters: Float32Array;
  /** 16 hexadecimal digits over the numbers; tells versions apart and finds damage. */
  readonly hash: string;
}

/** Weights are of use only to the very features, candidates and layers that they were trained with. */
export const weightsVersion = 5;

const versionOf = (text: string): number => Number(/^\{"version":(\d+),/.exec(text)?.[1]);

/** JSON with the version first; the numbers in base64 are float16, little endian, or bytes where they are to be short. */
export function encodeWeights(
  { shape, seed, series }: Pick<Weights, 'shape' | 'seed' | 'series'>,
  parameters: Float32Array,
  isShort = false,
): string {
  const bytes = Uint8Array.from(parameters, toByte);
  const halves = isShort ? Uint16Array.from(bytes, halfOf) : Uint16Array.from(parameters, toHalf);
  const written = isShort ? bytes : new Uint8Array(halves.buffer);
  const numbers = btoa(Array.from(written, (byte) => String.fromCharCode(byte)).join(''));
  const head = { version: weightsVersion, shape, seed, series, hash: hashOf(halves) };
  return JSON.stringify(isShort ? { ...head, bytes: numbers } : { ...head, halves: numbers });
}

/** @throws RangeError where the text is of another version, damaged, or no weights at all */
export function decodeWeights(text: string): Weights {
  const version = versionOf(text);
  if (version >= 0 && version !== weightsVersion) {
    const age = version < weightsVersion ? 'an older' : 'a newer';
    throw new RangeError(
      `The weights of the neural model are of ${age} format (${version}; this version reads ${weightsVersion}). ` +
        'Train the model again.',
    );
  }
  try {
    const { halves: numbers = '', bytes, ...read } = JSON.parse(text) as Weights & Record<'halves' | 'bytes', string>;
    const halves = bytes ? Uint16Array.from(bytesIn(bytes), halfOf) : new Uint16Array(bytesIn(numbers).buffer);
    if (version === weightsVersion && halves.length === parameterCount(read.shape) && hashOf(halves) === read.hash)
      return { ...read, parameters: Float32Array.from(halves, fromHalf) };
  } catch {
    // what cannot be read is damaged
  }
  throw new RangeError('The weights of the neural model are damaged.');
}

const bytesIn = (text: string): Uint8Array => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));

const leastExponent = 4; // of a float16: a byte reaches from 2 ** -11 to 30, the largest weight of the base is 1.04

/** The float16 of a byte with 4 bits of exponent and 3 of mantissa (Micikevicius et al. 2022), as the base weights are. */
export function halfOf(byte: number): number {
  const size = byte & 0x7f;
  return ((byte & 0x80) << 8) | (size && (size << 7) + (leastExponent << 10));
}

/** The nearest one that a byte can have. */
export function toByte(value: number): number {
  const half = toHalf(value);
  const size = (((half & 0x7fff) + 0x40) >> 7) - (leastExponent << 3);
  return ((half & 0x8000) >> 8) | Math.min(0x7f, Math.max(0, size));
}

/** The nearest IEEE 754 binary16, ties away from zero; overflow gives the largest finite one. */
export function toHalf(value: number): number {
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0;
  const size = Math.min(Math.abs(value), 65504);
  if (size < 2 ** -14) return sign | Math.round(size * 2 ** 24);
  const exponent = Math.floor(Math.log2(size));
  const mantissa = Math.round((size / 2 ** exponent - 1) * 1024);
  return sign | (((exponent + 15) << 10) + mantissa);
}

export function fromHalf(half: number): number {
  const sign = half & 0x8000 ? -1 : 1;
  const exponent = (half >> 10) & 0x1f;
  const mantissa = half & 0x3ff;
  return sign * (exponent === 0 ? mantissa * 2 ** -24 : (1 + mantissa / 1024) * 2 ** (exponent - 15));
}

function hashOf(halves: Uint16Array): string {
  return [0x811c9dc5, 0x9e3779b9]
    .map((start) => {
      let hash = start;
      for (const half of halves) {
        hash = Math.imul(hash ^ (half & 0xff), 0x01000193);
        hash = Math.imul(hash ^ (half >> 8), 0x01000193);
      }
      return (hash >>> 0).toString(16).padStart(8, '0');
    })
    .join('');
}

/** Looks at the head alone; who decodes finds damage further on. @param weights at least the first 16 characters */
export const isReadable = (version: unknown, weights: string | undefined): boolean =>
  version === 2 && (weights === undefined || versionOf(weights) === weightsVersion);
