import { DAY } from '../../calendar/civil.ts';
import type { Frequency } from '../../calendar/frequency.ts';
import { describeFrequency } from '../../calendar/words.ts';
import { choiceOf } from '../choice.ts';
import { areAll, type TimeAxis } from '../columns/axis.ts';
import { type Phrase, said } from '../phrase.ts';
import type { Table } from '../columns/table.ts';
import type { Proposal, Scored } from '../proposals/score.ts';
import { suggestAggregate } from '../series/aggregate.ts';
import type { Aggregate, Choice, Problem, Resampling } from '../types.ts';
import { suggestColumn } from './suggest.ts';
import type { TableContext, ValueColumn } from './value-columns.ts';

const MOST_SUMS = 5;

/** What is left to ask of a reading, with the columns and the sums that it is read with until then. */
export function choicesOf(
  proposal: Proposal,
  columns: readonly ValueColumn[],
  table: Table,
  context: TableContext,
): { choices: Choice[]; columns: readonly ValueColumn[]; aggregate: Resampling | undefined } {
  const { axis, across, areEvents, groups } = proposal;
  const { layout, fallbackName } = context;
  if (proposal.aggregate && areEvents) {
    const suggested = (values: Float64Array) => suggestAggregate(axis.times, values, groups?.codes);
    const best =
      columns[suggestColumn(columns, fallbackName, { table, isLevel: (values) => suggested(values) === 'mean' })];
    const taken = layout.valueColumns ? columns : best ? [best] : [];
    if (layout.aggregate) return { choices: [], columns: taken, aggregate: layout.aggregate };
    const aggregate = { step: proposal.aggregate.step, by: best ? suggested(best.values) : 'count' } as const;
    return { choices: [aggregateChoice(proposal, aggregate, columns, best)], columns: taken, aggregate };
  }
  const open = columns.find((column) => column.open);
  const coded = columns.find(({ code }) => code !== undefined);
  const ofColumns = [
    ...(open ? [decimalChoice(open)] : []),
    ...(coded ? [codeChoice(coded)] : []),
    ...(columns.length > 1 && !layout.valueColumns && !across ? [columnChoice(columns, fallbackName)] : []),
  ];
  const isSettled = ofColumns.length > 0 && areOfOneDay(axis);
  if (isSettled) context.problems.add(orderNote(axis, context));
  const choices = [...(axis.choice && !isSettled ? [axis.choice] : []), ...ofColumns];
  return { choices, columns, aggregate: across ? (layout.aggregate ?? undefined) : proposal.aggregate };
}

/** Whether the order of the day and the month is open, but moves all rows alike: other questions matter more. */
const areOfOneDay = ({ choice, times }: TimeAxis): boolean =>
  choice?.kind === 'date-order' && areAll(times, (time) => Math.floor(time / DAY) === Math.floor(times[0]! / DAY));

function orderNote({ choice, columns: [name = ''] }: TimeAxis, { locate }: TableContext): Problem {
  const { detail = '' } = choice!.options[choice!.suggested]!;
  return { ...locate(0, name), ...said`All rows are of one day: ${detail}.`, severity: 'info', kind: 'note' };
}

function decimalChoice({ column: { name, samples }, decimal }: ValueColumn): Choice {
  const sample = samples.find((text) => /[.,]/.test(text)) ?? '';
  const [fraction, whole] = [
    said`${sample} is a number with a fraction`,
    said`${sample} is a whole number in groups of thousands`,
  ];
  return choiceOf(
    'decimal',
    said`How are the numbers in “${name}” written?`,
    [
      [said`Decimal point`, { decimal: '.' }, sample.includes('.') ? fraction : whole],
      [said`Decimal comma`, { decimal: ',' }, sample.includes(',') ? fraction : whole],
    ],
    decimal === '.' ? 0 : 1,
  );
}

const codeChoice = ({ column, code = NaN }: ValueColumn): Choice =>
  choiceOf('missing-code', said`What does ${code} mean in “${column.name}”?`, [
    [said`The value is missing`, { missingCode: code }],
    [said`It is a value`, { missingCode: null }],
  ]);

function columnChoice(columns: readonly ValueColumn[], stem: string): Choice {
  const each = columns.map(
    ({ column: { name, samples } }) => [name, { valueColumns: [name] }, samples.slice(0, 4).join(', ')] as const,
  );
  const all = { valueColumns: each.map(([name]) => name) };
  return choiceOf(
    'value-columns',
    said`Which column should be forecast?`,
    [...each, [said`All columns`, all, said`${each.length} series`]],
    suggestColumn(columns, stem),
  );
}

function aggregateChoice(
  { id }: Proposal,
  { step, by }: Resampling,
  columns: readonly ValueColumn[],
  best: ValueColumn | undefined,
): Choice {
  const way = (how: Aggregate, column?: string) => {
    const layout = {
      reading: id,
      aggregate: { step, by: how },
      ...(column === undefined ? {} : { valueColumns: [column] }),
    };
    return [sumInWords({ step, by: how }, column), layout] as const;
  };
  const first = best?.column.name;
  const likely = [...new Set([by, 'sum', 'count', 'mean'] as const)].filter((how) => best || how === 'count');
  const others = columns.map(({ column }) => column.name).filter((name) => name !== first);
  return choiceOf('aggregate', said`Each row is a separate event. What should be forecast?`, [
    ...likely.map((how) => way(how, how === 'count' ? undefined : first)),
    ...others.slice(0, MOST_SUMS - 1).map((name) => way('sum', name)),
    [said`Rows as they are`, { reading: id.replace('events', 'rows'), aggregate: null }],
  ]);
}

/** Where plain numbers in the header may be parts of the times of the rows, or names of series. */
export function readingChoice(proposals: readonly Scored[]): Choice | undefined {
  const [taken, ...others] = proposals;
  const other = others.find(({ across, evidence }) => !across && evidence.points > 1);
  if (!taken?.isGuess || !other) return undefined;
  const [first, last] = [taken.columns[0]!.name, taken.columns.at(-1)!.name];
  return choiceOf('reading', said`What are the columns ${first} to ${last}?`, [
    [
      taken.across?.timeKind === 'period' ? said`Months of a year` : said`Weeks of a year`,
      { reading: taken.id },
      said`1 series · ${taken.evidence.points} points`,
    ],
    [
      said`Separate series`,
      { reading: other.id, aggregate: null },
      said`${other.columns.length} series · ${other.evidence.points} points`,
    ],
  ]);
}

export function sumInWords({ step, by }: Resampling, column: string | undefined): Phrase {
  const per = perStep(step);
  if (by === 'count' || column === undefined) return said`Number of rows ${per}`;
  return by === 'mean' ? said`Average of ${column} ${per}` : said`Sum of ${column} ${per}`;
}

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
