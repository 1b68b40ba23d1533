import type { TimeAxis } from './time-axis.ts';

/** How the times of a table are written, such as `YYYY-MM-DD`, `M/D/YYYY H:mm` or `epoch-ms`. */
export function describeTimes(axis: TimeAxis): string | undefined {
  return axis.format;
}
