/** Numbers that mean a missing value: −9.9, and two to six nines, above 0 at least three, with a fraction. */
const CODES: ReadonlySet<number> = new Set(
  ['9', '99', '999', '9999', '99999', '999999']
    .flatMap((whole) => ['', '.9', '.99', '.999', '.9999'].map((fraction) => Number(whole + fraction)))
    .flatMap((code) => [code, -code])
    .filter((code) => code < -9 || code > 998),
);
const FEWEST_OTHERS = 10;

export function missingCode(values: Float64Array): { code: number; rows: number[] } | undefined {
  const rowsOf = new Map<number, number[]>();
  let [low, high] = [Infinity, -Infinity];
  for (let row = 0; row < values.length; row++) {
    const value = values[row]!;
    if ((value < -9 || value > 998) && CODES.has(value)) {
      const rows = rowsOf.get(value);
      if (rows) rows.push(row);
      else rowsOf.set(value, [row]);
    } else {
      if (value < low) low = value;
      if (value > high) high = value;
    }
  }
  const [[code, rows] = [NaN, []], ...others] = rowsOf;
  const isFar = code < 0 ? low - code > high - low : code - high > high - low;
  return others.length === 0 && isFar && values.length - rows.length >= FEWEST_OTHERS ? { code, rows } : undefined;
}
