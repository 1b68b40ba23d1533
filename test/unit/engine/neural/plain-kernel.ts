import type { createKernel } from '../../../../src/engine/neural/network.ts';

/** The same as the kernel in plain code, to check it against. */
export function plainKernel(size: number): ReturnType<typeof createKernel> {
  const memory = new Float32Array(size);
  return {
    memory,
    multiply([a, rowStride, innerStride], b, c, [rows, columns, inner], accumulate = false) {
      for (let i = 0; i < rows; i++) {
        const target = c + i * columns;
        if (!accumulate) memory.fill(0, target, target + columns);
        for (let p = 0; p < inner; p++) {
          const factor = memory[a + i * rowStride + p * innerStride];
          const source = b + p * columns;
          for (let j = 0; j < columns; j++) memory[target + j] += factor * memory[source + j];
        }
      }
    },
    silu({ z, slope, y, outputs: columns }, bias, rows) {
      for (let i = 0; i < rows; i++) {
        for (let j = 0; j < columns; j++) {
          const at = i * columns + j;
          const value = memory[z + at] + memory[bias + j];
          const sigmoid = 1 / (1 + Math.exp(-value));
          memory[y + at] = value * sigmoid;
          memory[slope + at] = sigmoid * (1 + value * (1 - sigmoid));
        }
      }
    },
  };
}
