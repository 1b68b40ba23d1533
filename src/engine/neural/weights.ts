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
export const weightsVersion = 4;

const versionOf = (text: string): number => Number(/^\{"version":(\d+),/.exec(text)?.[1]);

/** JSON with the version first; the numbers are float16 in base64, little endian. */
export function encodeWeights(
  { shape, seed, series }: Pick<Weights, 'shape' | 'seed' | 'series'>,
  parameters: Float32Array,
): string {
  const halves = Uint16Array.from(parameters, toHalf);
  const numbers = btoa(Array.from(new Uint8Array(halves.buffer), (byte) => String.fromCharCode(byte)).join(''));
  return JSON.stringify({ version: weightsVersion, shape, seed, series, hash: hashOf(halves), halves: numbers });
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
    const { halves: numbers, ...read } = JSON.parse(text) as Weights & { readonly halves: string };
    const bytes = atob(numbers);
    const count = parameterCount(read.shape);
    if (version === weightsVersion && bytes.length === 2 * count) {
      const halfAt = (at: number) => bytes.charCodeAt(2 * at) | (bytes.charCodeAt(2 * at + 1) << 8);
      const halves = Uint16Array.from({ length: count }, (_, at) => halfAt(at));
      if (hashOf(halves) === read.hash) return { ...read, parameters: Float32Array.from(halves, fromHalf) };
    }
  } catch {
    // what cannot be read is damaged
  }
  throw new RangeError('The weights of the neural model are damaged.');
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

/**
 * Looks at the head alone, so that a list of models can be checked; who decodes them finds damage further on.
 * @param weights at least the first 16 characters, where there are weights
 */
export const isReadable = (version: unknown, weights: string | undefined): boolean =>
  version === 2 && (weights === undefined || versionOf(weights) === weightsVersion);
