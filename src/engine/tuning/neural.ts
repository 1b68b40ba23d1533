import { UnusableDatasetError, baseSettings, type TunedParameters } from '../types.ts';
import { baseModel, NeuralModel, tunedModel } from '../neural/model.ts';
import { netsOf, Network } from '../neural/network.ts';
import { Adam, trainEpoch } from '../neural/training.ts';
import { encodeWeights, type Weights } from '../neural/weights.ts';
import { prepareSeries, type Series } from '../prepare/series.ts';
import { Random } from '../random.ts';
import { clamp, mean } from '../statistics.ts';
import type { HoldOut, TrainingSeries } from './hold-outs.ts';
import {
  evidenceOf,
  extremesOf,
  fewSeries,
  independentSeries,
  nearlyBest,
  shareOf,
  subsample,
  winsorizer,
  countWindows,
  drawWindows,
  allHoldOuts,
  scorer,
} from './hold-outs.ts';

export const defaultEpochs = 10; // passes over the windows, where nothing is said; the training may stop sooner
/** Most windows in a pass; a dataset with fewer has as many as it has, drawn with repetition up to 256. */
export const windowsPerEpoch = 15000;
const steps = 6;

/** How the training went, epoch by epoch, while their number was being chosen; epoch 0 is the base model. */
interface EpochRecord {
  readonly epoch: number;
  readonly loss?: number;
  /** Mean MASE on the hold-out; a wild series counts with ten times the median. */
  readonly validation: number;
}

interface NeuralTuneOptions {
  readonly horizon: number;
  readonly contextLength?: number | undefined;
  readonly maxEpochs?: number | undefined;
  readonly start?: TunedParameters | undefined;
  readonly onProgress?: (
    progress: Record<'fraction' | 'epoch' | 'epochs', number> & { readonly record: readonly EpochRecord[] },
  ) => void;
  /** Asked after every epoch; once it says so, the training ends with the best epoch so far, as learned without the hold-out. */
  readonly isStopped?: () => boolean;
}

/**
 * Trains the net further on a dataset, with early stopping: the last one or two horizons of each series are held back,
 * and forecast after each epoch. The largest number of epochs with nearly the least MASE there, 0 included, is then
 * trained anew on all of the dataset. So on its hold-outs the model is never worse than its base with the same context
 * length. Deterministic.
 * @throws UnusableDatasetError where no series can have its last horizon held back and be trained on
 */
export function tuneNeural(dataset: readonly TrainingSeries[], options: NeuralTuneOptions) {
  const epochs = tuningEpochs(dataset, options);
  for (;;) {
    const { done, value } = epochs.next();
    if (done) return value;
  }
}

/** As {@link tuneNeural}, with a pause after each epoch, in which others may run and ask it to stop. */
export function* tuningEpochs(dataset: readonly TrainingSeries[], options: NeuralTuneOptions) {
  const { horizon, contextLength = Infinity, maxEpochs = defaultEpochs, start, onProgress } = options;
  const isStopped = (): boolean => options.isStopped?.() ?? false;
  const heldOut = allHoldOuts(dataset, horizon, contextLength);
  const withoutLast = heldOut.length * horizon;
  const known = histories(dataset, withoutLast);
  if (countWindows(known) < 2) throw new UnusableDatasetError('no_change', horizon);
  const windows = Math.min(windowsPerEpoch, Math.max(256, countWindows(known)));
  const { weights } = start?.weights === undefined ? baseModel() : tunedModel(start.weights);
  const { record, ...progress } = progressOf(maxEpochs, windows, onProgress);
  const asked = { horizon, contextLength, maxEpochs, windows, withoutLast };
  const train = trainerOf(weights, sharesKept(heldOut[0].length, known), asked, progress.drawn);
  const { baseline, ...judge } = judgeOf(heldOut.flatMap(subsample), weights, start, asked);
  record.push({ epoch: 0, validation: mean(baseline) });
  progress.add(0);
  let choices: (Record<'epoch' | 'validation' | 'share', number> & { readonly learned: Float32Array })[] = [];
  let best = 0;
  if (maxEpochs > 0) {
    yield* train(known, maxEpochs, (epoch, loss, learned) => {
      const scores = judge.scoresOf(learned);
      const validation = mean(scores);
      record.push({ epoch, loss, validation });
      if (validation < record[best].validation) best = epoch;
      const share = judge.shareOf(scores);
      if (share > 0) choices = nearlyBest([...choices, { epoch, validation, share, learned }], mean(baseline));
      progress.add(1);
      // The search ends where ten more have brought nothing, or half as many again as the best took.
      return epoch - best < Math.max(10, best / 2) && !isStopped();
    });
  }
  const chosen = choices.findLast((choice) => mean(judge.scoresOf(choice.learned, choice.share)) < mean(baseline));
  const scores = chosen ? judge.scoresOf(chosen.learned, chosen.share) : baseline;
  let parameters: TunedParameters = start ?? { version: 2, settings: baseSettings };
  if (chosen) {
    progress.toHalf();
    const onEpoch = (): boolean => {
      progress.add(maxEpochs / chosen.epoch);
      return !isStopped();
    };
    const anew = isStopped() ? undefined : yield* train(histories(dataset, 0), chosen.epoch, onEpoch);
    const learned = anew && !isStopped() ? anew : chosen.learned;
    const settings = { ...parameters.settings, restraint: (1 - chosen.share) * parameters.settings.restraint };
    const kept = towards(weights, learned, chosen.share);
    parameters = { ...parameters, settings, weights: encodeWeights(weights, kept) };
  }
  return {
    parameters,
    baseMase: mean(judge.baseScores),
    mase: mean(scores),
    series: subsample(heldOut[0]).length,
    ...extremesOf(judge.indices, judge.baseScores, scores),
    epochs: chosen?.epoch ?? 0,
    windows,
    record,
  };
}

const towards = ({ parameters }: Weights, learned: Float32Array, share: number): Float32Array =>
  parameters.map((value, i) => value + share * (learned[i] - value));

/** Choosing the epochs and the training after it take about as long, epoch by epoch; drawing windows is worth four more. */
function progressOf(epochs: number, windows: number, onProgress: NeuralTuneOptions['onProgress']) {
  const record: EpochRecord[] = [];
  const total = 2 * (4 + epochs);
  const drawing = 4 / windows;
  let work = 0;
  const add = (more: number): void => {
    work += more;
    onProgress?.({ fraction: Math.min(1, work / total), epoch: record.at(-1)?.epoch ?? 0, epochs, record });
  };
  const drawn = (): void => {
    work += drawing;
    if (Math.round(work / drawing) % 100 === 0) add(0);
  };
  return { record, add, drawn, toHalf: () => (work = total / 2) };
}

/**
 * Weights between base and tuned ones forecast more robustly (Wortsman et al. 2022): 85 % is kept of what was learned
 * from a large dataset, half of it from few series. Of the layers that read the window less by as many series again as
 * 40: of few they would learn where these happen to be. A series counts as one for 200 windows, up to four.
 */
function sharesKept(series: number, known: readonly Series[]): { readonly kept: number; readonly ofReading: number } {
  const kept = (0.85 * series) / (series + fewSeries);
  const toRead = series * mean(Float64Array.from(known, (one) => clamp(countWindows([one]) / 200, 1, 4)));
  return { kept, ofReading: (kept * toRead) / (toRead + 40) };
}

function judgeOf(
  scored: readonly HoldOut[],
  weights: Weights,
  start: TunedParameters | undefined,
  { horizon, contextLength }: { readonly horizon: number; readonly contextLength: number },
) {
  const restraint = start?.settings.restraint ?? 1;
  const times = scored.map(({ origin }) => origin);
  const score = scorer(scored, horizon);
  const candidate = new NeuralModel(weights);
  const errors: Float64Array[] = [];
  const startScores = score(candidate, restraint, (error) => errors.push(error));
  const independent = independentSeries(errors, times);
  const winsorized = winsorizer(startScores);
  const baseline = winsorized(startScores);
  return {
    indices: scored.map(({ index }) => index),
    baseline,
    // With a shorter context the base model, which sees all points, is scored for itself.
    baseScores: Number.isFinite(contextLength)
      ? winsorized(scorer(scored, horizon, ({ whole }) => whole)(candidate, restraint))
      : baseline,
    scoresOf: (learned: Float32Array, share = 1): Float64Array => {
      candidate.use(share === 1 ? learned : towards(weights, learned, share));
      return winsorized(score(candidate, (1 - share) * restraint));
    },
    shareOf: (scores: Float64Array): number => shareOf(evidenceOf(scores, baseline, times, independent)),
  };
}

/** Trains the nets apart, each from the same weights whenever asked; windows without the hold-outs are taken over. */
function trainerOf(
  { shape, parameters }: Weights,
  { kept, ofReading }: ReturnType<typeof sharesKept>,
  {
    windows,
    horizon,
    contextLength,
    maxEpochs,
    withoutLast,
  }: Record<'windows' | 'horizon' | 'contextLength' | 'maxEpochs' | 'withoutLast', number>,
  onDrawn: () => void,
) {
  let drawn: Float32Array[] | undefined;
  return function* (
    from: readonly Series[],
    epochs: number,
    onEpoch: (epoch: number, loss: number, learned: Float32Array) => boolean,
  ): Generator<undefined, Float32Array> {
    const random = new Random(1);
    const asked = { count: windows, steps, horizon, contextLength };
    const set = drawWindows(from, asked, random, onDrawn, drawn && { drawn, withoutLast });
    drawn = set;
    const batch = clamp(32 * Math.round(windows / 16 / 32), 32, 256); // 16 batches in an epoch
    const nets = netsOf(shape, parameters).map((own) => {
      const network = new Network({ ...shape, nets: 1 }, batch, steps, { trainable: true });
      network.parameters.set(own);
      const adam = new Adam(network.parameters, network.gradients);
      const learned = (): Float32Array =>
        own.map((value, i) => value + (i < network.firstOfSteps ? ofReading : kept) * (adam.average[i] - value));
      return { network, adam, learned };
    });
    const learned = (): Float32Array => Float32Array.from(nets.flatMap((net) => [...net.learned()]));
    const batches = maxEpochs * Math.max(1, Math.floor(windows / batch));
    const scheduleOf = (adam: Adam) => () => {
      const rate = 2e-3 * Math.min(1, (adam.steps + 1) / 20) * (1 - (0.95 * adam.steps) / batches);
      return { rate, decay: 1e-3, blend: 0.02 };
    };
    for (let epoch = 1; epoch <= epochs; epoch++) {
      const losses: number[] = [];
      for (const { network, adam } of nets) {
        losses.push(trainEpoch(network, adam, set, random, scheduleOf(adam)));
        yield;
      }
      if (!onEpoch(epoch, mean(Float64Array.from(losses)), learned())) break;
    }
    return learned();
  };
}

function histories(dataset: readonly TrainingSeries[], withoutLast: number): Series[] {
  return dataset.flatMap(({ values, periods }) => {
    const history = values.slice(0, Math.max(0, values.length - withoutLast));
    return history.some(Number.isFinite) ? [prepareSeries(history, periods)] : [];
  });
}
