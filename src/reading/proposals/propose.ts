import type { LayoutChoice } from '../types.ts';
import type { Table } from '../columns/table.ts';
import { proposeAcross } from './across.ts';
import { proposeLong } from './long.ts';
import { score, type Evidence, type Proposal } from './score.ts';

/** A reading and what it would give. */
export interface Scored extends Proposal {
  readonly evidence: Evidence;
}

/** Series of a single point each, or of none, are taken only where nothing else stands. */
const isPoor = ({ points }: Evidence): boolean => points <= 1;

/**
 * All readings of a table, the best first. What the person chose narrows them.
 * @param hint of what a date of two small numbers most likely is
 * @throws SeriesError for a column that the layout names and that is not there, or has no times or numbers
 */
export function propose(table: Table, layout: LayoutChoice, hint: 'dmy' | 'mdy'): readonly Scored[] {
  const all = [...proposeLong(table, layout, hint), ...proposeAcross(table, layout, hint)];
  const scored = all.map((each) => ({ ...each, evidence: score(each, table) }));
  const sorted = scored.toSorted(
    (a, b) => Number(isPoor(a.evidence)) - Number(isPoor(b.evidence)) || b.evidence.score - a.evidence.score,
  );
  const wanted = sorted.find(({ id }) => id === layout.reading);
  return wanted ? [wanted, ...sorted.filter((each) => each !== wanted)] : sorted;
}
