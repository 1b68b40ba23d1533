import { said, type Phrase } from '../phrase.ts';
import type { Frequency } from '../../calendar/frequency.ts';
import { describeFrequency } from '../../calendar/words.ts';
import { codeChoice } from '../columns/codes.ts';
import type { Table } from '../columns/table.ts';
import type { Proposal } from '../proposals/proposal.ts';
import { suggestColumn } from '../proposals/suggest.ts';
import { suggestAggregate } from '../series/events.ts';
import type { Aggregate, Choice, ChoiceOption, Resampling } from '../types.ts';
import type { Decimal } from '../values/numbers.ts';
import type { TableContext } from './context.ts';
import { totalsChoice, type TotalRow } from './totals.ts';
import type { ValueColumn } from './value-columns.ts';

/** Sums of more columns than this are not offered at once. */
const MOST_SUMS = 5;

/** The questions that a reading leaves, and the columns that are read until they are answered. */
export function choicesOf(
  proposal: Proposal,
  columns: readonly ValueColumn[],
  totals: readonly TotalRow[],
  table: Table,
  context: TableContext,
): {
  readonly choices: readonly Choice[];
  readonly columns: readonly ValueColumn[];
  readonly aggregate?: Resampling | undefined;
} {
  const { layout, fallbackName } = context;
  const asked = totals.length > 0 ? [totalsChoice(totals, table.lineOf(totals[0]!.row))] : [];
  const open = columns.find((column) => column.open);
  const decimal = open ? [decimalChoice(open)] : [];
  if (proposal.aggregate && proposal.areEvents) {
    const best = columns[bestColumn(columns, fallbackName)];
    const taken = layout.valueColumns || !best ? columns : [best];
    if (layout.aggregate) return { choices: asked, columns: taken, aggregate: layout.aggregate };
    const { step } = proposal.aggregate;
    const aggregate = { step, by: best ? suggestAggregate(proposal.axis.times, best.values) : 'count' } as const;
    return { choices: [...asked, aggregateChoice(proposal, aggregate, columns, best)], columns: taken, aggregate };
  }
  const coded = columns.find(({ code }) => code !== undefined);
  return {
    choices: [
      ...asked,
      ...(proposal.axis.choice ? [proposal.axis.choice] : []),
      ...decimal,
      ...(coded?.code === undefined ? [] : [codeChoice(coded.column.name, coded.code)]),
      ...(columns.length > 1 && !layout.valueColumns ? [columnChoice(columns, fallbackName)] : []),
    ],
    columns,
    aggregate: proposal.aggregate,
  };
}

function decimalChoice({ column, decimal }: ValueColumn): Choice {
  const sample = column.samples.find((text) => /[.,]/.test(text)) ?? '';
  const read = (sign: Decimal) => ({
    label: sign === '.' ? said`Decimal point`.message : said`Decimal comma`.message,
    detail: sample.includes(sign)
      ? said`${sample} is a number with a fraction`.message
      : said`${sample} is a whole number in groups of thousands`.message,
    layout: { decimal: sign },
  });
  return {
    kind: 'decimal',
    question: said`How are the numbers in “${column.name}” written?`.message,
    options: [read('.'), read(',')],
    suggested: decimal === '.' ? 0 : 1,
  };
}

function columnChoice(columns: readonly ValueColumn[], stem: string): Choice {
  const names = columns.map(({ column }) => column.name);
  return {
    kind: 'value-columns',
    question: said`Which column should be forecast?`.message,
    options: [
      ...columns.map(({ column: { name, samples } }) => ({
        label: name,
        detail: samples.slice(0, 4).join(', '),
        layout: { valueColumns: [name] },
      })),
      {
        label: said`All columns`.message,
        detail: said`${names.length} series`.message,
        layout: { valueColumns: names },
      },
    ],
    suggested: bestColumn(columns, stem),
  };
}

/** The column that is most likely meant; what goes on further down than another is known beforehand, not to be forecast. */
function bestColumn(columns: readonly ValueColumn[], stem: string): number {
  if (columns.length === 0) return 0;
  // sparse columns end somewhere
  const ends = columns.map(({ values }) => values.findLastIndex((value) => !Number.isNaN(value)));
  const isDense = ({ values }: ValueColumn, index: number) =>
    values.reduce((filled, value) => filled + Number(!Number.isNaN(value)), 0) > ends[index]! / 2;
  const dense = ends.filter((_, index) => isDense(columns[index]!, index));
  const shortest = Math.min(...(dense.length > 0 ? dense : ends));
  const candidates = columns
    .filter((_, index) => ends[index]! <= shortest)
    .map(({ column, values }) => ({ name: column.name, values }));
  const best = candidates[suggestColumn(candidates, stem)]!.name;
  return columns.findIndex(({ column }) => column.name === best);
}

/** What becomes of rows that are events: sums, counts, means, or nothing. */
function aggregateChoice(
  { id, rowsId = id }: Proposal,
  { step, by }: Resampling,
  columns: readonly ValueColumn[],
  best: ValueColumn | undefined,
): Choice {
  const option = (how: Aggregate, column?: string): ChoiceOption => ({
    label: sumInWords({ step, by: how }, column).message,
    layout: { reading: id, aggregate: { step, by: how }, ...(column === undefined ? {} : { valueColumns: [column] }) },
  });
  const first = best?.column.name;
  const names = [...(first === undefined ? [] : [first]), ...columns.map(({ column }) => column.name).filter((name) => name !== first)]; // prettier-ignore
  const sums = names.slice(0, MOST_SUMS).map((name) => option('sum', name));
  const count = option('count');
  const mean = first === undefined ? [] : [option('mean', first)];
  const asTheyAre = { label: said`Rows as they are`.message, layout: { reading: rowsId, aggregate: null } };
  const suggested = by === 'mean' ? [...mean, ...sums.slice(0, 1), count, ...sums.slice(1)] : by === 'count' ? [count, ...sums, ...mean] : [...sums.slice(0, 1), count, ...mean, ...sums.slice(1)]; // prettier-ignore
  return {
    kind: 'aggregate',
    question: said`Each row is an event of its own. What should be forecast?`.message,
    options: [...suggested, asTheyAre],
    suggested: 0,
  };
}

/** “Sum of Total per day”, of a column or of the rows. */
export function sumInWords({ step, by }: Resampling, column: string | undefined): Phrase {
  const per = perStep(step);
  if (by === 'count' || column === undefined) return said`Number of rows ${per}`;
  return by === 'mean' ? said`Average of ${column} ${per}` : said`Sum of ${column} ${per}`;
}

/** “per day”, in words. */
function perStep(step: Frequency): Phrase {
  if (step.count !== 1) return said`at steps: ${describeFrequency(step)}`;
  switch (step.unit) {
    case 'minute':
      return said`per minute`;
    case 'hour':
      return said`per hour`;
    case 'day':
      return said`per day`;
    case 'week':
      return said`per week`;
    case 'month':
      return said`per month`;
    case 'quarter':
      return said`per quarter`;
    case 'year':
      return said`per year`;
    case 'millisecond':
    case 'second':
      return said`at steps: ${describeFrequency(step)}`;
  }
}
