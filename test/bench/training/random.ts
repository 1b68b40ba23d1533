import { Random as EngineRandom } from '../../../src/engine/random.ts';

/** The engine's random numbers, and what synthetic series need beside them. */
export class Random extends EngineRandom {
  between(low: number, high: number): number {
    return low + (high - low) * this.uniform();
  }

  chance(probability: number): boolean {
    return this.uniform() < probability;
  }

  /** Uniform in the logarithm; both bounds above 0. */
  logBetween(low: number, high: number): number {
    return low * (high / low) ** this.uniform();
  }

  /** Student's t with 3 degrees of freedom, scaled to about unit variance of the body. */
  heavy(): number {
    const chi = this.normal() ** 2 + this.normal() ** 2 + this.normal() ** 2;
    return (0.6 * this.normal()) / Math.sqrt(chi / 3 + 1e-6);
  }
}
