import { prepareSeries } from '../../../src/engine/prepare/series.ts';
import { Adam, trainEpoch, trainingWindow } from '../../../src/engine/neural/training.ts';
import { stepFeatureCount, windowFeatureCount } from '../../../src/engine/neural/features.ts';
import { outputWidth } from '../../../src/engine/neural/model.ts';
import { layerSizes, Network, type Shape } from '../../../src/engine/neural/network.ts';
import { Random } from './random.ts';
import type { RealWindows } from './real.ts';
import { syntheticSeries, type SyntheticSeries } from './synthetic.ts';

/** The shape of the base model. */
export const baseShape: Shape = {
  windowFeatures: windowFeatureCount,
  stepFeatures: stepFeatureCount,
  encoder: [192, 128],
  head: [128, 96],
  outputs: outputWidth,
  nets: 2,
};

/** One of its nets: each is trained by itself, from random weights of its own. */
const netShape: Shape = { ...baseShape, nets: 1 };

/** Windows in one batch, steps looked at in each, and passes over the windows made at a time. */
const batch = 256;
const steps = 8;
const passes = 4;
const rate = 1.5e-3;
const decay = 1e-3;

/** Random weights of variance 1/3 per input; small ones for the outputs, so that all candidates start alike. */
export function initialize({ parameters, shape }: Network, random: Pick<Random, 'uniform'>): void {
  parameters.fill(0);
  let at = 0;
  for (let net = 0; net < shape.nets; net++) {
    for (const [name, [inputs, outputs]] of Object.entries(layerSizes(shape))) {
      const reach = Math.sqrt(1 / inputs) * (name === 'output' ? 0.1 : 1);
      for (let i = 0; i < inputs * outputs; i++) parameters[at + i] = (2 * random.uniform() - 1) * reach;
      at += (inputs + 1) * outputs;
    }
  }
}

/** Where a training stands between two chunks. */
export interface Checkpoint {
  readonly chunks: number;
  readonly parameters: Float32Array;
  readonly adam: Pick<Adam, 'numbers' | 'steps'>;
}

export interface PretrainOptions {
  readonly seed: number;
  /** Windows to learn from; rounded up to whole chunks. */
  readonly series: number;
  /** Where real windows are drawn from, and how often one is; synthetic ones only where it is missing. */
  readonly real?: { readonly windows: RealWindows; readonly share: number } | undefined;
  readonly shape?: Shape;
  /** Series made at a time, and looked at together. */
  readonly chunk?: number;
  /** A training with the same options to go on with: it ends in the same weights as one that never stopped. */
  readonly resume?: Checkpoint | undefined;
  readonly onChunk?: (report: {
    done: number;
    loss: number;
    /** The weights so far. */
    parameters: Float32Array;
    checkpoint: Checkpoint;
  }) => void;
}

/** Trains a net on synthetic and on real windows. The same options give the same weights on the same machine. */
export function pretrain({
  seed,
  series,
  real,
  shape = netShape,
  chunk = 16_384,
  resume,
  onChunk,
}: PretrainOptions): Float32Array {
  const network = new Network(shape, batch, steps, { trainable: true });
  initialize(network, new Random(seed));
  const adam = new Adam(network.parameters, network.gradients);
  if (resume) {
    network.parameters.set(resume.parameters);
    adam.numbers.set(resume.adam.numbers);
    adam.steps = resume.adam.steps;
  }
  const chunks = Math.ceil(series / chunk);
  const stepsOfChunk = passes * Math.floor(chunk / Math.min(batch, chunk));
  const total = chunks * stepsOfChunk;
  let step = (resume?.chunks ?? 0) * stepsOfChunk;
  const pace = () => {
    const share = step / total;
    step++;
    return {
      rate: rate * Math.min(1, step / 300) * (0.5 * (1 + Math.cos(Math.PI * share)) * 0.98 + 0.02),
      decay,
      blend: Math.max(0.002, 1 / (1 + step / 10)),
    };
  };
  for (let done = resume?.chunks ?? 0; done < chunks; done++) {
    // Each chunk has random numbers of its own, so that a training can go on from any of them.
    const random = new Random(seed + (done + 1) * 0x9e3779b1);
    const set = Array.from({ length: chunk }, () =>
      windowOf(real && random.chance(real.share) ? real.windows.draw(random) : syntheticSeries(random), random),
    );
    let loss = 0;
    for (let pass = 0; pass < passes; pass++) loss = trainEpoch(network, adam, set, random, pace);
    onChunk?.({
      done: (done + 1) * chunk,
      loss,
      parameters: adam.average,
      checkpoint: {
        chunks: done + 1,
        parameters: network.parameters,
        adam: { numbers: adam.numbers.slice(), steps: adam.steps },
      },
    });
  }
  return adam.average;
}

function windowOf({ values, history, periods }: SyntheticSeries, random: Random): Float32Array {
  const series = prepareSeries(values.slice(0, history), periods);
  // Values missing before the cut are forecast like the future.
  const future = values.subarray(history - series.missingAtEnd).map((value) => value / series.unit);
  const ahead = Int32Array.from(
    { length: steps },
    () => 1 + series.missingAtEnd + random.below(future.length - series.missingAtEnd),
  );
  return trainingWindow(series, series.values.length, ahead, future);
}
