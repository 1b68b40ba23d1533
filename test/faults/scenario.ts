import type { Random } from '../bench/training/random.ts';

/** One kind of fault: what is done, and what must hold. */
export interface Scenario {
  readonly name: string;
  /** @returns what came of it. @throws where something was lost, stuck or let in */
  readonly run: (options: Options) => Promise<Outcome>;
}

export interface Options {
  readonly long: boolean;
  /** All that is left to chance is drawn from this. */
  readonly random: Random;
}

export interface Outcome {
  readonly tried: string;
  readonly outcome: string;
}

/** Where this machine cannot show it: no failure, and told in the table. */
export class NotHere extends Error {}
