/** What is known of each step of the history and of the future. */
export interface Covariate {
  readonly name: string;
  /** One value per step, first those of the history; `NaN` where it is not known. */
  readonly values: Float64Array;
}

/** A cell of a covariate; missing where it is null, an empty text or not finite. */
export type CovariateCell = number | boolean | string | null | undefined;

/**
 * The covariates that a column of cells makes: one of numbers or of truth values; of text one for each value that occurs,
 * 1 where it does, but for the most frequent one. A text of which every value is a number counts as numbers.
 *
 * @returns none for a column that tells nothing: more than 20 different texts, or a single value
 */
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

const isKnown = (cell: CovariateCell): boolean => cell !== null && cell !== undefined && cell !== '';

/** Whether a column has two values only. */
export function isSwitch(values: Float64Array): boolean {
  const other = values.find((value) => value !== values[0]);
  return other === undefined || values.every((value) => value === values[0] || value === other);
}
