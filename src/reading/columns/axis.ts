import type { Zone } from '../../calendar/zone.ts';
import type { Choice, TimeKind } from '../types.ts';
import type { TimeFormatId } from '../values/dates.ts';
import type { BadCell } from './cells.ts';
import type { Column } from './column.ts';

/** The instants of a table's rows. */
export interface TimeAxis {
  /** Epoch milliseconds for each row, `NaN` where the row has none. */
  readonly times: Float64Array;
  readonly kind: TimeKind;
  /** Names of the columns it was read from; none where rows have no time. */
  readonly columns: readonly string[];
  readonly bad: readonly BadCell[];
  readonly badCount: number;
  readonly format?: TimeFormatId | 'decimal-year' | 'serial-day';
  readonly samples: readonly string[];
  /** Cells of the second column, where that has the time of day. */
  readonly clockSamples?: readonly string[];
  readonly choice?: Choice;
  /** The zone that the times are written in; UTC where this is absent. */
  readonly zone?: Zone;
  /**
   * How far ahead of UTC rows are written whose offset is not that of the rest, nor another of the same zone: milliseconds,
   * `NaN` for all others. Absent where there are none.
   */
  readonly otherOffsets?: Float64Array;
  /** Where years, quarters and months stand in one column: which each row is, as an index into the names. */
  readonly grains?: Float64Array;
}

/** An axis read from columns, without samples of its time format or its bad cells unless they are requested. */
export const axisOf = (
  columns: readonly Column[],
  kind: TimeKind,
  times: Float64Array,
  more: Partial<TimeAxis> = {},
): TimeAxis => ({ times, kind, columns: columns.map(({ name }) => name), bad: [], badCount: 0, samples: [], ...more });
