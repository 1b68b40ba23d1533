import type { TimeAxis } from '../columns/axis.ts';
import type { Column } from '../columns/column.ts';
import type { Resampling, TimeKind } from '../types.ts';
import type { Groups } from './groups.ts';

/** Times that run across: which columns hold the values, and the instant of each of their cells. */
interface AcrossTimes {
  readonly columns: readonly Column[];
  readonly timeKind: TimeKind;
  /** Epoch milliseconds; `NaN` where there is no such time. @param index of the column among `columns` */
  readonly timeOf: (row: number, index: number) => number;
  /** Whether all rows have the same times, those of their columns. */
  readonly isShared: boolean;
}

/** One whole way to read a table. */
export interface Proposal {
  /** The same for the same reading of a file of these columns. */
  readonly id: string;
  /** Of events: the reading of the same rows as they are. */
  readonly rowsId?: string;
  /** Times of the rows; of a table whose rows are whole series the numbers of the rows. */
  readonly axis: TimeAxis;
  /** Which series each row belongs to; of one series without. */
  readonly groups?: Groups;
  /** Columns that are series each, where times run down. */
  readonly values: readonly Column[];
  readonly across?: AcrossTimes;
  /** Where rows are events or readings of a sensor: what they become. */
  readonly aggregate?: Resampling;
  /** Whether `aggregate` is one of several that suit, and so a question. */
  readonly areEvents?: boolean;
  /** How much the names speak for it, and how much it supposes; small beside what it gives. */
  readonly prior: number;
}
