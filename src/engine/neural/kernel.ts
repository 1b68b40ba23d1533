import { kernelModule } from './kernel-module.ts';

/**
 * The two operations that the net spends its time in, on one block of float32 memory. All places are indices into
 * `memory`; matrices are stored row by row.
 */
export interface Kernel {
  readonly memory: Float32Array;
  /**
   * C (`rows` × `columns`, a multiple of 8) becomes, or with `accumulate` grows by, A·B. The element of A in row i for
   * inner index p lies at `a + i * rowStride + p * innerStride`, so that Aᵀ costs no copy; B is `inner` × `columns`.
   */
  multiply(
    a: number,
    rowStride: number,
    innerStride: number,
    b: number,
    c: number,
    rows: number,
    columns: number,
    inner: number,
    accumulate: boolean,
  ): void;
  /** `y` becomes z·σ(z) of `z` plus `bias`, and `slope` its derivative; `rows` × `columns`, a multiple of 4. */
  silu(z: number, bias: number, slope: number, y: number, rows: number, columns: number): void;
}

interface SimdExports {
  multiply(...args: number[]): void;
  silu(...args: number[]): void;
}

/** The part of WebAssembly used here; the type library without a browser has no values of it. */
interface Assembly {
  Module: new (bytes: Uint8Array) => object;
  Memory: new (size: { initial: number }) => { readonly buffer: ArrayBuffer };
  Instance: new (module: object, imports: object) => { readonly exports: unknown };
}
const { WebAssembly: assembly } = globalThis as unknown as { readonly WebAssembly: Assembly };

let compiled: object | undefined;

/** A kernel in WebAssembly SIMD with room for `size` numbers. */
export function createKernel(size: number): Kernel {
  compiled ??= new assembly.Module(Uint8Array.from(atob(kernelModule), (character) => character.charCodeAt(0)));
  const memory = new assembly.Memory({ initial: Math.ceil((4 * size) / 65536) });
  const { multiply, silu } = new assembly.Instance(compiled, { env: { memory } }).exports as SimdExports;
  return {
    memory: new Float32Array(memory.buffer),
    multiply: (a, rowStride, innerStride, b, c, rows, columns, inner, accumulate) => {
      multiply(4 * a, 4 * rowStride, 4 * innerStride, 4 * b, 4 * c, rows, 4 * columns, inner, accumulate ? 1 : 0);
    },
    silu: (z, bias, slope, y, rows, columns) => {
      silu(4 * z, 4 * bias, 4 * slope, 4 * y, rows, 4 * columns);
    },
  };
}
