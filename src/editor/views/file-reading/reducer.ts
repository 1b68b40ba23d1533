import { formatDuration, parseDuration } from '../../../calendar/duration.ts';
import { approximateStep, type Frequency } from '../../../calendar/frequency.ts';
import {
  type Choice,
  type ColumnRole,
  type LayoutChoice,
  MOST_POINTS,
  type Resampling,
  type SeriesDocument,
} from '../../../reading/types.ts';
import { answerIn, openQuestions } from '../../files/choose-series.ts';
import type { Change, Role } from './protocol.ts';

export interface Reading {
  readonly layout: LayoutChoice;
  readonly document?: SeriesDocument | undefined;
  /** With changes of the person that are not read yet. */
  readonly roles: readonly ColumnRole[];
  readonly questions: readonly { readonly choice: Choice; readonly answer: number }[];
  /** The step of the rows, if they were read as they are. */
  readonly rowStep?: Frequency | undefined;
  readonly drawn?: string | undefined;
  readonly isReading: boolean;
  readonly problem?: string | undefined;
}

export type ReadingEvent =
  | Change
  | { readonly type: 'read'; readonly document: SeriesDocument; readonly layout: LayoutChoice }
  | { readonly type: 'failed'; readonly problem: string };

export const startOf = (layout: LayoutChoice): Reading => ({ layout, roles: [], questions: [], isReading: true });

/** Questions that other parts of the page ask. */
const SHOWN_OTHERWISE: readonly Choice['kind'][] = ['value-columns', 'time-column', 'aggregate', 'reading'];

/** If the layout is another object afterwards, the file must be read again. */
export function reduce(reading: Reading, event: ReadingEvent): Reading {
  const { document } = reading;
  const withLayout = (change: LayoutChoice): Reading => ({ ...reading, layout: { ...reading.layout, ...change } });
  switch (event.type) {
    case 'role':
      return withRole(reading, event.column, event.role);
    case 'proposal': {
      const proposal = document?.proposals.find(({ id }) => id === event.id);
      if (!proposal) return reading;
      return { ...reading, layout: { ...proposal.layout, reading: proposal.id }, questions: [], drawn: undefined };
    }
    case 'step': {
      const step = event.step === null ? null : parseDuration(event.step);
      return step === undefined ? reading : withLayout({ aggregate: step && { step, by: aggregateOf(reading) } });
    }
    case 'by': {
      const step = resamplingOf(reading)?.step;
      return step ? withLayout({ aggregate: { step, by: event.by } }) : reading;
    }
    case 'closed':
      return withLayout({ closed: event.closed });
    case 'answer': {
      const { kind, option: answer } = event;
      const option = reading.questions.find(({ choice }) => choice.kind === kind)?.choice.options[answer];
      if (!option) return reading;
      const questions = reading.questions.map((one) => (one.choice.kind === kind ? { ...one, answer } : one));
      return { ...withLayout(option.layout), questions };
    }
    case 'series':
      return { ...reading, drawn: event.id };
    case 'reset':
      return { ...startOf({}), document, roles: reading.roles };
    case 'failed':
      return { ...reading, isReading: false, problem: event.problem };
    case 'read': {
      const { document: read, layout } = event;
      const asked = read.choices.filter(({ kind }) => !SHOWN_OTHERWISE.includes(kind));
      const answered = reading.questions.filter(({ choice }) => asked.every(({ kind }) => kind !== choice.kind));
      const [first] = read.series;
      return {
        ...reading,
        layout,
        document: read,
        roles: read.roles,
        questions: [...answered, ...asked.map((choice) => ({ choice, answer: answerIn(layout, choice) }))],
        rowStep: first?.aggregate ? reading.rowStep : first?.frequency,
        isReading: false,
        problem: undefined,
      };
    }
  }
}

/** A layout with all answers of the accepted page, so that nothing is asked again. */
export function acceptedLayout(reading: Reading): LayoutChoice {
  const { document, layout } = reading;
  const [taken] = document?.proposals ?? [];
  const open = document ? openQuestions({ document }) : [];
  const answers = open.map((choice) => choice.options[answerIn(layout, choice)]?.layout);
  const certain = document?.isUncertain && taken ? { ...taken.layout, reading: taken.id } : {};
  return Object.assign({}, certain, ...answers, layout) as LayoutChoice;
}

/** How rows are combined; `undefined`: rows as they are. */
export const resamplingOf = ({ layout, document }: Reading): Resampling | undefined =>
  layout.aggregate === undefined ? document?.series[0]?.aggregate : (layout.aggregate ?? undefined);

/** How values within a step are combined; by default the mean, as in Excel's Forecast Sheet. */
function aggregateOf({ layout, document }: Reading): Resampling['by'] {
  const choice = document?.choices.find(({ kind }) => kind === 'aggregate');
  const suggested = choice?.options[choice.suggested]?.layout.aggregate ?? document?.series[0]?.aggregate;
  return (layout.aggregate ?? suggested)?.by ?? 'mean';
}

const LAYOUT_OF: Readonly<Record<Role, (columns: readonly string[]) => LayoutChoice>> = {
  time: ([timeColumn = null]) => ({ timeColumn }),
  value: (valueColumns) => ({ valueColumns }),
  key: (idColumns) => ({ idColumns }),
  covariate: (covariates) => ({ covariates }),
  'left-out': () => ({}),
};

/** There is one time column. Until values are chosen, a new time column replaces the found values. */
function withRole(reading: Reading, column: string, role: Role): Reading {
  const former = reading.roles.find((one) => one.column === column)?.role;
  if (former === undefined || former === role) return reading;
  const values = reading.roles.filter((one) => one.role === 'value');
  const givesWay =
    role === 'time' || (role === 'value' && values.length === 1 && reading.layout.valueColumns === undefined);
  const roles = reading.roles.map((one): ColumnRole => {
    if (one.column === column) return { column, role };
    return givesWay && one.role === role ? { column: one.column, role: 'left-out' } : one;
  });
  const named = (wanted: Role) => roles.flatMap((one) => (one.role === wanted ? [one.column] : []));
  // a column that is left out on purpose does not become a covariate again
  const isLeftOut = roles.some((one, at) => one.role === 'left-out' && reading.roles[at]?.role !== 'left-out');
  const touched: readonly Role[] = isLeftOut ? [former, role, 'covariate'] : [former, role];
  const parts = touched.map((wanted) => LAYOUT_OF[wanted](named(wanted)));
  return { ...reading, roles, drawn: undefined, layout: Object.assign({}, reading.layout, ...parts) as LayoutChoice };
}

const UNITS = ['minute', 'hour', 'day', 'week', 'month', 'quarter', 'year'] as const;

/** The steps that rows can be combined to, shortest first: longer than their own, with at least two and not too many points. */
export function stepsFor(reading: Reading): Frequency[] {
  const [first] = reading.document?.series ?? [];
  if (!first || first.timeKind === 'row') return [];
  const span = (first.times.at(-1) ?? 0) - (first.times[0] ?? 0);
  const shortest = Math.max(reading.rowStep ? approximateStep(reading.rowStep) : 0, span / MOST_POINTS);
  const longer = UNITS.map((unit): Frequency => ({ unit, count: 1 })).filter((step) => {
    const length = approximateStep(step);
    return length > shortest && span >= length;
  });
  const taken = resamplingOf(reading)?.step;
  const isListed = !taken || longer.some((step) => formatDuration(step) === formatDuration(taken));
  return isListed ? longer : [...longer, taken].sort((a, b) => approximateStep(a) - approximateStep(b));
}
