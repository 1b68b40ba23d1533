import type { Frequency } from '../../calendar/frequency.ts';
import { describeFrequency } from '../../calendar/words.ts';
import type { Table } from '../columns/table.ts';
import { said, type Phrase } from '../phrase.ts';
import type { Proposal } from '../proposals/score.ts';
import { suggestAmount, suggestColumn } from '../proposals/suggest.ts';
import { suggestAggregate } from '../series/events.ts';
import type { Aggregate, Choice, ChoiceOption, Resampling } from '../types.ts';
import type { Decimal } from '../values/numbers.ts';
import { totalsChoice, type TotalRow } from './totals.ts';
import type { TableContext, ValueColumn } from './value-columns.ts';

/** Sums of more columns than this are not offered at once. */
const MOST_SUMS = 5;

/** The questions that a reading leaves, the columns that are read until they are answered, and what becomes of the rows. */
export interface Choices {
  readonly choices: readonly Choice[];
  readonly columns: readonly ValueColumn[];
  readonly aggregate: Resampling | undefined;
}

export function choicesOf(
  proposal: Proposal,
  { columns, totals }: { readonly columns: readonly ValueColumn[]; readonly totals: readonly TotalRow[] },
  table: Table,
  { layout, fallbackName }: TableContext,
): Choices {
  const { axis, across, areEvents, groups } = proposal;
  const ofTotals = totals.length > 0 && !across ? [totalsChoice(totals, table.lineOf(totals[0]!.row))] : [];
  if (proposal.aggregate && areEvents) {
    const best = columns[suggestAmount(columns, fallbackName, table)];
    const taken = layout.valueColumns ? columns : best ? [best] : [];
    if (layout.aggregate) return { choices: ofTotals, columns: taken, aggregate: layout.aggregate };
    const { step } = proposal.aggregate;
    const aggregate = { step, by: best ? suggestAggregate(axis.times, best.values, groups?.codes) : 'count' } as const;
    const asked = aggregateChoice(proposal, aggregate, columns, best?.column.name);
    return { choices: [...ofTotals, asked], columns: taken, aggregate };
  }
  const open = columns.find((column) => column.open);
  const coded = columns.find(({ code }) => code !== undefined);
  const choices = [
    ...ofTotals,
    ...(axis.choice ? [axis.choice] : []),
    ...(open ? [decimalChoice(open)] : []),
    ...(coded ? [codeChoice(coded)] : []),
    ...(columns.length > 1 && !layout.valueColumns && !across ? [columnChoice(columns, fallbackName)] : []),
  ];
  return { choices, columns, aggregate: across ? (layout.aggregate ?? undefined) : proposal.aggregate };
}

const option = (label: Phrase, layout: ChoiceOption['layout'], detail?: string): ChoiceOption => ({
  label: label.message,
  ...(detail === undefined ? {} : { detail }),
  layout,
});

function decimalChoice({ column, decimal }: ValueColumn): Choice {
  const sample = column.samples.find((text) => /[.,]/.test(text)) ?? '';
  const meaning = (sign: Decimal) =>
    (sample.includes(sign)
      ? said`${sample} is a number with a fraction`
      : said`${sample} is a whole number in groups of thousands`
    ).message;
  return {
    kind: 'decimal',
    question: said`How are the numbers in “${column.name}” written?`.message,
    options: [
      option(said`Decimal point`, { decimal: '.' }, meaning('.')),
      option(said`Decimal comma`, { decimal: ',' }, meaning(',')),
    ],
    suggested: decimal === '.' ? 0 : 1,
  };
}

/** Asks whether a number is a value. */
function codeChoice({ column, code = NaN }: ValueColumn): Choice {
  return {
    kind: 'missing-code',
    question: said`What does ${code} mean in “${column.name}”?`.message,
    options: [
      option(said`The value is missing`, { missingCode: code }),
      option(said`It is a value`, { missingCode: null }),
    ],
    suggested: 0,
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
      option(said`All columns`, { valueColumns: names }, said`${names.length} series`.message),
    ],
    suggested: suggestColumn(columns, stem),
  };
}

/** What becomes of rows that are events: sums, counts, means, or nothing. @param first the column that is most likely meant */
function aggregateChoice(
  { id }: Proposal,
  { step, by }: Resampling,
  columns: readonly ValueColumn[],
  first: string | undefined,
): Choice {
  const way = (how: Aggregate, column?: string): ChoiceOption =>
    option(sumInWords({ step, by: how }, column), {
      reading: id,
      aggregate: { step, by: how },
      ...(column === undefined ? {} : { valueColumns: [column] }),
    });
  const count = way('count');
  const mean = first === undefined ? [] : [way('mean', first)];
  const others = columns.map(({ column }) => column.name).filter((name) => name !== first);
  const sum = first === undefined ? [] : [way('sum', first)];
  const sums = others.slice(0, MOST_SUMS - 1).map((name) => way('sum', name));
  const likely =
    by === 'mean' ? [...mean, ...sum, count] : by === 'count' ? [count, ...sum, ...mean] : [...sum, count, ...mean];
  return {
    kind: 'aggregate',
    question: said`Each row is a separate event. What should be forecast?`.message,
    options: [
      ...likely,
      ...sums,
      option(said`Rows as they are`, { reading: id.replace('events', 'rows'), aggregate: null }),
    ],
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
  const words: Readonly<Partial<Record<Frequency['unit'], Phrase>>> = {
    minute: said`per minute`,
    hour: said`per hour`,
    day: said`per day`,
    week: said`per week`,
    month: said`per month`,
    quarter: said`per quarter`,
    year: said`per year`,
  };
  return (step.count === 1 ? words[step.unit] : undefined) ?? said`at steps: ${describeFrequency(step)}`;
}
