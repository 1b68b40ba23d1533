import type { Zone } from '../../calendar/zone.ts';
import type { TimeAxis } from '../columns/axis.ts';
import type { Scored } from '../proposals/propose.ts';
import type { Choice, Delimiter, LayoutChoice, ReadSeries } from '../types.ts';
import type { Decimal } from '../values/numbers.ts';
import type { Locate, ProblemList } from './problems.ts';

/** What a table is read with. */
export interface TableContext {
  readonly layout: LayoutChoice;
  readonly delimiter: Delimiter | undefined;
  /** Name for a series whose column has none: the file's. */
  readonly fallbackName: string;
  /** Whether days are written with points, as where commas are decimal signs. */
  readonly hasDots?: boolean;
  readonly severity: 'error' | 'warning';
  readonly locate: Locate;
  readonly problems: ProblemList;
  /** In which summaries write times; the document's own where this is absent. */
  readonly shownZone?: Zone;
}

/** What was found in a table. */
export interface TableSeries {
  readonly series: readonly ReadSeries[];
  readonly choices: readonly Choice[];
  readonly decimal: Decimal;
  readonly thousands?: string;
  readonly axis: TimeAxis;
  /** The reading that was taken, and then the others, the best first. */
  readonly proposals: readonly Scored[];
}
