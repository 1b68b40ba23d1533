import { parseHorizon } from '../calendar/horizon.ts';
import { zoneOf } from '../calendar/zone.ts';
import type { ReadSeries } from '../reading/types.ts';
import { ToolError } from './context.ts';
import { MOST_STEPS } from './inputs.ts';
import { inEnglish } from '../calendar/digits.ts';

const FORMS = 'Give a number of steps, or a span or end such as “2 years”, “36 hours”, “until Dec 2027”.';

/** A horizon in steps of a series: those that are given, or those of a span or up to a date. @throws ToolError */
export function stepsOf(horizon: number | string | undefined, series: ReadSeries): number | undefined {
  if (typeof horizon !== 'string') return horizon;
  const { frequency, times, timeKind, timeZone } = series;
  const end = {
    last: times[times.length - 1],
    frequency: timeKind === 'row' ? undefined : frequency,
    ...(timeZone === undefined ? {} : { zone: zoneOf(timeZone) }),
  };
  const read = parseHorizon(horizon, end);
  if ('steps' in read) {
    if (read.steps <= MOST_STEPS) return read.steps;
    throw new ToolError(`“${horizon}” is ${inEnglish(read.steps)} steps ahead, and ${MOST_STEPS} are the most.`);
  }
  switch (read.problem) {
    case 'none':
      throw new ToolError(`“${horizon}” is no horizon. ${FORMS}`);
    case 'past':
      throw new ToolError(`“${horizon}” does not reach beyond the end of the series (${series.summary}). ${FORMS}`);
    case 'irregular':
      throw new ToolError(`The series has no regular step, so “${horizon}” cannot be counted. Give a number of steps.`);
  }
}
