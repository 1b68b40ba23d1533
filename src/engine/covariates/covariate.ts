import { forecast } from '../forecast.ts';
import { clamp, rangeOf } from '../statistics.ts';

export interface Covariate {
  readonly name: string;
  /** One value per step, first those of the history; `NaN` where it is not known. */
  readonly values: Float64Array;
}

export type CovariateCell = number | boolean | string | null | undefined;

const isKnown = (cell: CovariateCell): boolean => cell !== null && cell !== undefined && cell !== '';

/** Of numbers or truth values one, of text one for each value but the most frequent; none for more than 20 texts, or one. */
export function covariateOf(name: string, cells: readonly CovariateCell[]): Covariate[] {
  const numbers = Float64Array.from(cells, (cell) => (isKnown(cell) ? Number(cell) : Number.NaN));
  const isText = cells.some((cell, i) => typeof cell === 'string' && cell !== '' && Number.isNaN(numbers[i]));
  if (!isText) {
    const values = numbers.map((value) => (Number.isFinite(value) ? value : Number.NaN));
    return new Set(values.filter(Number.isFinite)).size > 1 ? [{ name, values }] : [];
  }
  const counts = new Map<string, number>();
  for (const cell of cells) if (isKnown(cell)) counts.set(String(cell), (counts.get(String(cell)) ?? 0) + 1);
  if (counts.size > 20 || counts.size < 2) return [];
  const [, ...others] = [...counts].sort(([, a], [, b]) => b - a);
  return others.map(([text]) => ({
    name: `${name} = ${text}`,
    values: Float64Array.from(cells, (cell) => (isKnown(cell) ? Number(String(cell) === text) : Number.NaN)),
  }));
}

export function isSwitch(values: Float64Array): boolean {
  const other = values.find((value) => value !== values[0]);
  return other === undefined || values.every((value) => value === values[0] || value === other);
}

export interface Completed {
  readonly covariate: Covariate;
  /** Steps at its end that had to be forecast. */
  readonly forecast: number;
  /** Of those steps, the 10% and 90% quantiles; elsewhere the values. */
  readonly low: Float64Array;
  readonly high: Float64Array;
}

/** What is missing in between is as it was before; what is missing at the end is forecast, within the range of the past. */
export function complete({ name, values }: Covariate, periods: readonly number[]): Completed {
  const end = values.findLastIndex(Number.isFinite) + 1;
  let last = values.find(Number.isFinite) ?? 0;
  const known = values.map((value) => (last = Number.isFinite(value) ? value : last));
  const horizon = values.length - end;
  if (horizon === 0 || end === 0) return { covariate: { name, values: known }, forecast: 0, low: known, high: known };
  const history = known.subarray(0, end);
  const range = rangeOf(history);
  const { point, quantiles } = forecast('ensemble', { values: history, periods, horizon, levels: [0.1, 0.9] });
  const [middle, low, high] = [point, ...quantiles].map((row) =>
    known.map((value, i) => (i < end ? value : clamp(row[i - end], range.low, range.high))),
  );
  return { covariate: { name, values: middle }, forecast: horizon, low, high };
}
