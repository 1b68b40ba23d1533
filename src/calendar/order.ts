/** Whether numbers rise, each above the last one (`strictly`) or at least as high; `NaN` is passed over. */
export function isRising(numbers: Float64Array, strictly = false): boolean {
  let last = -Infinity;
  for (const number of numbers) {
    if (number < last || (strictly && number === last)) return false;
    if (number > last) last = number;
  }
  return true;
}

export function hasNaN(numbers: Float64Array): boolean {
  return numbers.some(Number.isNaN);
}
