import { candidateCount } from '../../../../src/engine/bank.ts';
import type { Targets } from '../../../../src/engine/neural/model.ts';

/** Zeros to count a loss on, of so many windows with so many steps each. */
export function newTargets(windows: number, steps: number): Targets {
  const rows = windows * steps;
  return {
    candidates: new Float32Array(rows * candidateCount),
    errors: new Float32Array(windows * 2 * candidateCount),
    ahead: new Float32Array(rows),
    actual: new Float32Array(rows),
    reference: new Float32Array(windows),
  };
}
