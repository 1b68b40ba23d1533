import type { Column } from '../columns/column.ts';
import type { Table } from '../columns/table.ts';
import { type Delimiter, type LayoutChoice, SeriesError } from '../types.ts';
import { proposeAcross } from './across.ts';
import { proposeLong } from './long.ts';
import { type Scored, score, WEIGHTS } from './proposal.ts';

/** All readings of a table, the best first, and the decimal sign of its numbers. @throws SeriesError */
export function propose(table: Table, layout: LayoutChoice, delimiter?: Delimiter) {
  const decimal = table.settle(layout, delimiter);
  // what a date of small numbers is where nothing else tells
  const hint = delimiter === ';' || decimal === ',' ? 'dmy' : 'mdy';
  const all = [...proposeLong(table, layout, hint), ...proposeAcross(table, layout, hint)];
  const scored = all.map((each): Scored => ({ ...each, evidence: score(each, table) }));
  const sorted = scored.toSorted((a, b) => worthOf(b) - worthOf(a));
  const wanted = sorted.find(({ id }) => id === layout.reading);
  const proposals = wanted ? [wanted, ...sorted.filter((each) => each !== wanted)] : sorted;
  return { proposals, decimal };
}

/** One point a series is poor, whatever else speaks for it: more than all else together can. */
const POOR = -10;
const worthOf = ({ evidence: { score: own, points } }: Scored): number => own + (points <= 1 ? POOR : 0);

/** How much more a grid must give than one that is as usual: more than what a name tells. */
const CLEARLY = 0.02;
const BLANK = -0.1; // as it stands in times and texts as often as between cells

/** Of several ways to cut a document into a grid the one whose best reading gives most; of equals the first. */
export function bestGrid<T extends { readonly delimiter: Delimiter }>(
  grids: readonly T[],
  tableOf: (grid: T) => Table,
): T | undefined {
  const [first, ...others] = grids;
  if (others.length === 0) return first;
  const worths = grids.map((grid) => worthOfGrid(tableOf(grid), grid.delimiter));
  const best = worths.reduce((most, worth, at) => (worth > worths[most]! + CLEARLY ? at : most), 0);
  return grids[best];
}

const REFUSED = 0.2; // as much as the name of a time is worth at most

/** What the best reading of a grid gives, where all cells of times and numbers are used, whatever their names. */
function worthOfGrid(table: Table, delimiter: Delimiter): number {
  const filledIn = (columns: readonly Column[]) => columns.reduce((sum, { filled }) => sum + filled, 0);
  const areTyped = table.columns.filter(({ reader, times }) => reader !== undefined || times.length > 0);
  const typed = filledIn(areTyped) / Math.max(1, filledIn(table.columns));
  const worthIn = (layout: LayoutChoice) => {
    const best = propose(table, layout, delimiter).proposals[0]!;
    return worthOf(best) + WEIGHTS.used * (typed - best.evidence.used) + (delimiter === ' ' ? BLANK : 0);
  };
  try {
    return worthIn({});
  } catch (error) {
    // times of a zone that nobody knows are refused rather than cut into parts
    if (error instanceof SeriesError) return worthIn({ timeColumn: null }) + WEIGHTS.regular + REFUSED;
    throw error;
  }
}
