/**
 * The steps after a series that are 0 by the calendar, such as the Sundays of a shop that is closed on Sundays, or its
 * nights: places in a cycle of up to 400 steps that were 0 each of the last six to ten times, while hardly any other step
 * was (a tenth at most).
 *
 * @param values the history; missing values tell nothing
 * @returns 1 for each such step of the horizon; undefined where there is none
 */
export function closedSteps(values: Float64Array, periods: readonly number[], horizon: number): Uint8Array | undefined {
  if (!values.includes(0) || values.some((value) => value < 0)) return undefined;
  const cycles = periods.filter(
    (period) => Number.isInteger(period) && period >= 2 && period <= 400 && values.length >= 6 * period,
  );
  const closed = cycles.map((period) => closedPlaces(values, period));
  const isClosed = (step: number): boolean => closed.some((places, k) => places[step % cycles[k]] === 1);
  let others = 0;
  let zeros = 0;
  for (let i = Math.max(0, values.length - 10 * (cycles.at(-1) ?? 0)); i < values.length; i++) {
    if (!Number.isFinite(values[i]) || isClosed(i)) continue;
    others++;
    if (values[i] === 0) zeros++;
  }
  if (others === 0 || zeros > 0.1 * others) return undefined;
  const steps = Uint8Array.from({ length: horizon }, (_, i) => (isClosed(values.length + i) ? 1 : 0));
  return steps.includes(1) ? steps : undefined;
}

function closedPlaces(values: Float64Array, period: number): Uint8Array {
  const n = values.length;
  return Uint8Array.from({ length: period }, (_, place) => {
    let times = 0;
    for (let at = n - 1 - ((n - 1 - place) % period); at >= 0 && times < 10; at -= period) {
      if (!Number.isFinite(values[at])) continue;
      if (values[at] !== 0) return 0;
      times++;
    }
    return times >= 6 ? 1 : 0;
  });
}
