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
const magic = 'TSFW';
const fixedBytes = 12;

/** Magic, version, length of the header, the header as JSON padded to even length, then float16 numbers, little endian. */
export function encodeWeights(
  { shape, seed, series }: Pick<Weights, 'shape' | 'seed' | 'series'>,
  parameters: Float32Array,
): Uint8Array<ArrayBuffer> {
  const halves = Uint16Array.from(parameters, toHalf);
  const header = JSON.stringify({ shape, seed, series, hash: hashOf(halves) });
  const text = new TextEncoder().encode(header.length % 2 === 0 ? header : `${header} `);
  const bytes = new Uint8Array(fixedBytes + text.length + 2 * halves.length);
  bytes.set(new TextEncoder().encode(magic));
  const view = new DataView(bytes.buffer);
  view.setUint32(4, weightsVersion, true);
  view.setUint32(8, text.length, true);
  bytes.set(text, fixedBytes);
  halves.forEach((half, i) => {
    view.setUint16(fixedBytes + text.length + 2 * i, half, true);
  });
  return bytes;
}

/** @throws RangeError where the bytes are of another version, damaged, or no weights at all */
export function decodeWeights(bytes: Uint8Array): Weights {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < fixedBytes || new TextDecoder().decode(bytes.subarray(0, 4)) !== magic) {
    throw new RangeError('These are no weights of the neural model.');
  }
  const version = view.getUint32(4, true);
  if (version !== weightsVersion) {
    const age = version < weightsVersion ? 'an older' : 'a newer';
    throw new RangeError(
      `The weights of the neural model are of ${age} format (${version}; this version reads ${weightsVersion}). ` +
        'Train the model again.',
    );
  }
  const damaged = new RangeError('The weights of the neural model are damaged.');
  const start = fixedBytes + view.getUint32(8, true);
  const header = readHeader(bytes.subarray(fixedBytes, start));
  const count = header ? parameterCount(header.shape) : 0;
  if (!header || bytes.length !== start + 2 * count) throw damaged;
  const halves = Uint16Array.from({ length: count }, (_, i) => view.getUint16(start + 2 * i, true));
  if (hashOf(halves) !== header.hash) throw damaged;
  return { ...header, parameters: Float32Array.from(halves, fromHalf) };
}

/** Nothing where the bytes are no header. Of its numbers, the length of the file and the hash say whether they are right. */
function readHeader(bytes: Uint8Array): Omit<Weights, 'parameters'> | undefined {
  try {
    const header = JSON.parse(new TextDecoder().decode(bytes)) as { readonly shape?: Partial<Shape> } | null;
    return header?.shape?.encoder && header.shape.head ? (header as Weights) : undefined;
  } catch {
    return undefined;
  }
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

export function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

export function toBase64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}

/** What weights of this version begin with as base64: magic and version, as far as whole characters go. */
const weightsHead = btoa(`${magic}${String.fromCharCode(weightsVersion & 0xff, weightsVersion >> 8, 0, 0)}`).slice(0, 10); // prettier-ignore

/**
 * Looks at the head alone, so that a list of models can be checked; who decodes them finds damage further on.
 * @param weights at least the first ten characters of the base64, where there are weights
 */
export function isReadable(version: unknown, weights: string | undefined): boolean {
  return version === 2 && (weights === undefined || weights.startsWith(weightsHead));
}
