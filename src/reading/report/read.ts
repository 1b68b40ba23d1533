import { DAY } from '../../calendar/civil.ts';
import type { TimeAxis } from '../columns/axis.ts';
import { Column } from '../columns/column.ts';
import { describeDayAndClock, describeTimes } from '../columns/patterns.ts';
import type { Table } from '../columns/table.ts';
import { said } from '../phrase.ts';
import { proposeAcross } from '../proposals/across.ts';
import { proposeLong } from '../proposals/long.ts';
import { score, type Scored } from '../proposals/score.ts';
import type { LayoutChoice } from '../types.ts';
import { choicesOf, readingChoice } from './choices.ts';
import { seriesOf } from './series.ts';
import { settleTotals } from './totals.ts';
import { plainColumn, readAll, type TableContext, type ValueColumn } from './value-columns.ts';

const isPoor = ({ points }: Scored['evidence']): boolean => points <= 1;

/** All readings of a table, the best first. @throws SeriesError @param hint of what a date of small numbers is */
function propose(table: Table, layout: LayoutChoice, hint: 'dmy' | 'mdy'): readonly Scored[] {
  const all = [...proposeLong(table, layout, hint), ...proposeAcross(table, layout, hint)];
  const scored = all.map((each) => ({ ...each, evidence: score(each, table) }));
  const sorted = scored.toSorted(
    (a, b) => Number(isPoor(a.evidence)) - Number(isPoor(b.evidence)) || b.evidence.score - a.evidence.score,
  );
  const wanted = sorted.find(({ id }) => id === layout.reading);
  return wanted ? [wanted, ...sorted.filter((each) => each !== wanted)] : sorted;
}

export function readTable(table: Table, context: TableContext) {
  const usual = table.settle(context.layout, context.delimiter);
  const hint = context.delimiter === ';' || usual === ',' ? 'dmy' : 'mdy';
  const proposals = propose(table, context.layout, hint);
  const { axis, left, choices: ofTotals } = settleTotals(table, proposals[0]!, context);
  const proposal = { ...proposals[0]!, axis };
  const { across } = proposal;
  const read = readAll(proposal.columns, left, context);
  noteTimes(axis, across ? [] : read, left, context);
  const { choices, columns, aggregate } = choicesOf(proposal, read, table, context);
  const ofReading = context.layout.reading === undefined ? readingChoice(proposals) : undefined;
  const isCount = aggregate && proposal.areEvents && columns.length === 0;
  const values = isCount ? [plainColumn(new Column(''), new Float64Array(table.rows).fill(1))] : columns;
  return {
    series: [...seriesOf({ table, proposal, columns: values, left, aggregate, context })],
    choices: [...(ofReading ? [ofReading] : []), ...ofTotals, ...choices],
    format: {
      decimal: columns[0]?.column.numbers?.decimal ?? usual ?? '.',
      thousands: columns.map(({ column }) => column.numbers?.group).find((group) => group !== undefined),
      // no single pattern writes the times of a forecast into a table whose times run across
      dateFormat: across ? undefined : describeTimes(axis),
      dayAndClock: across ? undefined : describeDayAndClock(axis),
    },
    times: axis.times,
    proposals,
  };
}

const MOST_NOTED = 1000;

function noteTimes(
  axis: TimeAxis,
  columns: readonly ValueColumn[],
  left: ReadonlySet<number>,
  { problems, locate, severity }: TableContext,
): void {
  const {
    bad,
    badCount,
    times,
    format,
    columns: [about = ''],
  } = axis;
  const cause = { kind: 'not-a-time', severity, about } as const;
  problems.noteCells(cause, bad, badCount, locate);
  if (format === 'clock' && times[0]! < DAY) {
    const words = said`The times have no date; the first day is shown as 1 January 1970.`;
    problems.add({ ...locate(0, about), ...words, severity: 'info', kind: 'note' });
  }
  const known = new Set([...bad.map(({ row }) => row), ...left]);
  const isTimeless = (row: number) =>
    Number.isNaN(times[row]!) && !known.has(row) && columns.some(({ values }) => !Number.isNaN(values[row]!));
  const cells = [];
  for (let row = 0; row < times.length && cells.length < MOST_NOTED; row++)
    if (isTimeless(row)) cells.push({ row, text: '' });
  problems.noteCells(cause, cells, cells.length, locate);
}
