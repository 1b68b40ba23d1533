import { anchorCount } from './anchors.ts';

/** Levels of the quantiles that the net gives, rising; the one in the middle is the point forecast. */
export const netLevels: readonly number[] = [0.025, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.975];
export const middleLevel = netLevels.indexOf(0.5);
/** Share of each level in the loss: the median counts more, as the point forecast is judged most. */
const levelShares = netLevels.map((level) => (level === 0.5 ? 4 : 1) / (netLevels.length + 3));

/** Width of a row of outputs: weights of the anchors, then residuals, up to a multiple of 8. */
export const outputWidth = Math.ceil((anchorCount + netLevels.length) / 8) * 8;

/** The ordinary error at a step ahead, in the scale of the window; residuals are counted in it. */
export function residualUnit(step: number): number {
  return 0.6 + 0.4 * Math.sqrt(step);
}

const weights = new Float64Array(anchorCount);

/** The mean of the anchors under softmax weights; the weights are left in `weights`. */
function mixAnchors(outputs: Float32Array, row: number, anchors: Float32Array, anchorRow: number): number {
  let highest = -Infinity;
  for (let k = 0; k < anchorCount; k++) highest = Math.max(highest, outputs[row + k]);
  let total = 0;
  let mixed = 0;
  for (let k = 0; k < anchorCount; k++) {
    const weight = Math.exp(outputs[row + k] - highest);
    weights[k] = weight;
    total += weight;
    mixed += weight * anchors[anchorRow + k];
  }
  for (let k = 0; k < anchorCount; k++) weights[k] /= total;
  return mixed / total;
}

/**
 * The quantiles of one row of outputs, in the scale of the window, sorted so that none cross (Chernozhukov,
 * Fernández-Val and Galichon 2010).
 *
 * @param row index of the row in the outputs of the net and in the anchors
 */
export function quantilesOfRow(
  outputs: Float32Array,
  anchors: Float32Array,
  row: number,
  step: number,
  target: Float64Array,
): void {
  const at = row * outputWidth;
  const base = mixAnchors(outputs, at, anchors, row * anchorCount);
  const unit = residualUnit(step);
  for (let q = 0; q < netLevels.length; q++) target[q] = base + unit * outputs[at + anchorCount + q];
  target.sort();
}

/** What the loss is counted on: rows of one step each, `steps` for each window. */
export interface Targets {
  readonly anchors: Float32Array;
  /** Steps ahead of each row, from 1. */
  readonly ahead: Float32Array;
  /** What came, in the scale of the window. */
  readonly actual: Float32Array;
  /** The mean error of seasonal naive in each window, in its scale. */
  readonly reference: Float32Array;
}

const wildest = 25;

/**
 * The mean quantile loss (Koenker and Bassett 1978), twice and relative to seasonal naive, as MASE is; fills in its
 * gradient by the outputs of the net. What came further from the first
 * anchor than 25 ordinary errors counts as just that far.
 */
export function quantileLoss(
  outputs: Float32Array,
  gradients: Float32Array | undefined,
  { anchors, ahead, actual, reference }: Targets,
  windows: number,
  steps: number,
): number {
  const rows = windows * steps;
  let loss = 0;
  for (let row = 0; row < rows; row++) {
    const at = row * outputWidth;
    const base = mixAnchors(outputs, at, anchors, row * anchorCount);
    const unit = residualUnit(ahead[row]);
    const scale = Math.min(30, Math.max(0.4, reference[Math.floor(row / steps)]));
    const centre = anchors[row * anchorCount];
    const limit = wildest * scale * Math.sqrt(ahead[row]);
    const target = Math.min(centre + limit, Math.max(centre - limit, actual[row]));
    let byBase = 0;
    for (let q = 0; q < netLevels.length; q++) {
      const level = netLevels[q];
      const share = (2 * levelShares[q]) / scale;
      const error = target - base - unit * outputs[at + anchorCount + q];
      loss += share * (error > 0 ? level * error : (level - 1) * error);
      const slope = ((error > 0 ? -level : 1 - level) * share) / rows;
      byBase += slope;
      if (gradients) gradients[at + anchorCount + q] = slope * unit;
    }
    if (!gradients) continue;
    for (let k = 0; k < anchorCount; k++) {
      gradients[at + k] = byBase * weights[k] * (anchors[row * anchorCount + k] - base);
    }
    gradients.fill(0, at + anchorCount + netLevels.length, at + outputWidth);
  }
  return loss / rows;
}
