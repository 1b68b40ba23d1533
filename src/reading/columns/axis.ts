import type { Zone } from '../../calendar/zone.ts';
import type { Choice, TimeKind } from '../types.ts';
import type { BadCell, Column } from './column.ts';

export interface TimeAxis {
  readonly times: Float64Array;
  readonly kind: TimeKind;
  readonly columns: readonly string[];
  readonly bad: readonly BadCell[];
  readonly badCount: number;
  /** The id of a {@link TimeFormat}, `decimal-year` or `serial-day`. */
  readonly format?: string;
  readonly samples: readonly string[];
  readonly clockSamples?: readonly string[];
  readonly choice?: Choice;
  readonly zone?: Zone;
  /** Milliseconds ahead of UTC of rows whose offset is none of the zone; `NaN` for all others, absent where there are none. */
  readonly otherOffsets?: Float64Array;
  /** Where years, quarters and months stand in one column: which each row is, as an index into the names. */
  readonly grains?: Float64Array;
}

export const axisOf = (
  columns: readonly Column[],
  kind: TimeKind,
  times: Float64Array,
  more: Partial<TimeAxis> = {},
): TimeAxis => ({ times, kind, columns: columns.map(({ name }) => name), bad: [], badCount: 0, samples: [], ...more });

export const areAll = (times: Float64Array, test: (time: number) => boolean): boolean =>
  times.every((time) => Number.isNaN(time) || test(time));
