/**
 * Numbers that instruments and offices write where there is no value: two to six nines in a row, above 0 three, with or
 * without a fraction of up to four nines; and −9 with such a fraction.
 */
const CODES: ReadonlySet<number> = new Set(
  ['-9', '-99', ...['999', '9999', '99999', '999999'].flatMap((nines) => [nines, `-${nines}`])].flatMap((whole) =>
    ['', '.9', '.99', '.999', '.9999'].flatMap((part) => (whole + part === '-9' ? [] : [Number(whole + part)])),
  ),
);
/** A code is at least this many times the range of the other values away from them. */
const FAR = 1;

/**
 * The number that stands for a missing value in a column, judging by its nines and its distance from all other values;
 * `undefined` where there is none. Nothing is changed: it may be a value after all.
 */
export function missingCode(values: Float64Array): { code: number; rows: number[] } | undefined {
  const counts = new Map<number, number[]>();
  let [low, high] = [Infinity, -Infinity];
  for (let row = 0; row < values.length; row++) {
    const value = values[row]!;
    if ((value < -9 || value > 998) && CODES.has(value)) {
      const rows = counts.get(value);
      if (rows) rows.push(row);
      else counts.set(value, [row]);
    } else {
      if (value < low) low = value;
      if (value > high) high = value;
    }
  }
  for (const [code, rows] of counts) {
    const others = values.length - rows.length;
    const distance = Math.max(low - code, code - high);
    if (others >= 10 && counts.size === 1 && distance > FAR * (high - low) && code < 0 === code < low)
      return { code, rows };
  }
  return undefined;
}
