import { UTC } from '../../calendar/zone.ts';
import type { Column } from '../columns/column.ts';
import { isCodeName } from '../columns/names.ts';
import type { Table } from '../columns/table.ts';
import type { Scored } from '../proposals/propose.ts';
import { isConstant, isFlag, isNumeric, valuesOf, variety } from '../proposals/values.ts';
import { inDigits } from '../../calendar/digits.ts';
import { said, type Phrase } from '../phrase.ts';
import { aggregate } from '../series/aggregate.ts';
import {
  MOST_PREVIEWED,
  MOST_PROPOSALS,
  type ColumnRole,
  type LayoutChoice,
  type ReadingProposal,
  type ReadSeries,
  type SeriesDocument,
} from '../types.ts';
import { sumInWords } from './choices.ts';

/** Readings whose scores are this near are as good as each other. */
const NEAR = 0.01;

/** What the columns of a table are for, the readings that it may have, and whether one of them stands out. */
export function rolesAndProposals(
  table: Table | undefined,
  scored: readonly Scored[],
  series: readonly ReadSeries[],
  layout: LayoutChoice = {},
): Pick<SeriesDocument, 'roles' | 'proposals' | 'isUncertain'> {
  const [taken, second] = scored;
  if (!table || !taken) return { roles: [], proposals: [], isUncertain: false };
  const shown = scored.slice(0, MOST_PROPOSALS).filter(({ evidence }) => evidence.points > 0);
  const isOpen = Object.keys(layout).length === 0 && second !== undefined && areOther(taken, second);
  return {
    roles: table.columns.map((column) => roleOf(column, table, taken, series)),
    proposals: shown.map((proposal) => proposalOf(proposal, table)),
    isUncertain: isOpen && taken.evidence.score - second.evidence.score < NEAR,
  };
}

/** Whether two readings give other series; which of two times is meant is a question of its own. */
const areOther = (one: Scored, other: Scored): boolean =>
  one.groups?.columns.join() !== other.groups?.columns.join() || Boolean(one.across) !== Boolean(other.across);

function roleOf(column: Column, table: Table, taken: Scored, series: readonly ReadSeries[]): ColumnRole {
  const { name } = column;
  if (taken.axis.columns.includes(name)) return { column: name, role: 'time' };
  if (taken.groups?.columns.includes(name)) return { column: name, role: 'key' };
  if ((taken.across && taken.columns.includes(column)) || series.some(({ valueColumn }) => valueColumn === name)) {
    return { column: name, role: 'value' };
  }
  if (series[0]?.beside?.columns.some((beside) => beside.name === name) && !taken.columns.includes(column)) {
    return { column: name, role: 'covariate' };
  }
  return { column: name, role: 'left-out', reason: reasonOf(column, table).message };
}

/** Why a column is left out. */
function reasonOf(column: Column, table: Table): Phrase {
  if (column.filled === 0) return said`It is empty.`;
  if (isFlag(column)) return said`It contains yes or no.`;
  if (isNumeric(column) && isConstant(column)) return said`It is the same in all rows.`;
  const many = column.texts ? variety(column) : 0;
  if (many === 1) return said`It is the same in all rows.`;
  if (many * 2 > table.rows) return said`It differs in nearly every row.`;
  if (isNumeric(column) && isCodeName(column.name)) return said`It is a code, not a measurement.`;
  return column.times.length > 0 ? said`It is another time.` : said`It is not needed for this interpretation.`;
}

function proposalOf(proposal: Scored, table: Table): ReadingProposal {
  const { id, evidence, aggregate: resampling, areEvents = false } = proposal;
  const value = proposal.columns[0];
  return {
    id,
    label: labelOf(proposal).message,
    reasons: reasonsOf(proposal),
    layout: {
      reading: id,
      ...(areEvents && resampling && value ? { aggregate: resampling, valueColumns: [value.name] } : {}),
      ...(areEvents || proposal.across ? {} : { aggregate: null }),
    },
    series: evidence.series,
    points: evidence.points,
    ...previewOf(proposal, table),
  };
}

function labelOf({ axis, groups, across, aggregate: resampling, columns }: Scored): Phrase {
  const time = axis.columns.join(' + ');
  if (resampling) return sumInWords(resampling, columns[0]?.name);
  if (across)
    return axis.columns.length > 0
      ? said`Times in ${time} and in the header`
      : said`One series per row, times in the header`;
  if (axis.columns.length === 0) return said`Rows without a time`;
  return groups ? said`Series by ${groups.columns.join(', ')}, along ${time}` : said`One series along ${time}`;
}

function reasonsOf({ evidence }: Scored): string[] {
  const percent = (share: number) => Math.round(share * 100);
  return [
    said`${inDigits(evidence.points)} points per series`,
    said`${percent(evidence.regular)}% of the steps are even`,
    said`${percent(evidence.unique)}% of the rows have a unique time`,
  ].map(({ message }) => message);
}

/** Cells that are looked at to show a reading. */
const MOST_CELLS = 20_000;

/** The last points of the first series, as far as they can be shown without reading all. */
function previewOf(proposal: Scored, table: Table): Pick<ReadingProposal, 'times' | 'values'> {
  const { axis, groups, across, aggregate: resampling } = proposal;
  const columns = across ? proposal.columns : proposal.columns.slice(0, 1);
  const read = columns.map((column) => (column.numbers ? valuesOf(column) : undefined));
  const points: (readonly [time: number, value: number])[] = [];
  for (let row = table.rows - 1; row >= 0 && points.length < MOST_CELLS; row--) {
    if ((groups?.codes[row] ?? 0) !== 0) continue;
    for (let index = 0; index < Math.max(1, columns.length); index++)
      points.push([across?.timeOf(row, index) ?? axis.times[row]!, read[index]?.[row] ?? (across ? NaN : 1)]);
  }
  const known = points.filter(([time]) => !Number.isNaN(time)).sort(([a], [b]) => a - b);
  const all = {
    times: Float64Array.from(known, ([time]) => time),
    values: Float64Array.from(known, ([, value]) => value),
  };
  const made = resampling && aggregate(all.times, all.values, resampling, { zone: axis.zone ?? UTC, partial: true });
  const { times, values } = made && known.length > 0 ? made : all;
  return { times: times.slice(-MOST_PREVIEWED), values: values.slice(-MOST_PREVIEWED) };
}
