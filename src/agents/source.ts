import * as z from 'zod/mini';
import { addSteps, parseDuration } from '../calendar/frequency.ts';
import { inEnglish } from '../calendar/digits.ts';
import { parseHorizon } from '../calendar/horizon.ts';
import { parseTimestamp } from '../calendar/timestamp.ts';
import { zoneOf } from '../calendar/zone.ts';
import { BacktestSummary, CovariateSummary, SeriesPoint } from '../contract/resources.ts';
import { printable } from '../contract/texts.ts';
import { buildSeries } from '../reading/series/build.ts';
import { type Choice, type LayoutChoice, type ReadSeries, type SeriesDocument, SeriesError } from '../reading/types.ts';
import { type AgentDocument, type AgentReading, ensure, type Origin, ToolError, type Work } from './tool.ts';

export const described = <T extends z.core.$ZodType>(description: string, schema: T): T => {
  z.globalRegistry.add(schema, { description });
  return schema;
};

export const maybe = <T extends z.core.$ZodType>(description: string, schema: T) =>
  z.optional(described(description, schema));

export const text = (most = 400) => z.string().check(z.minLength(1), z.maxLength(most));

const Step = z.strictObject({
  unit: z.enum(['millisecond', 'second', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'year']),
  count: z.int().check(z.gte(1)),
});

export const Resampling = z.strictObject({
  step: Step,
  by: z.enum(['sum', 'count', 'mean', 'last', 'min', 'max']),
});

export const Layout = z.strictObject({
  timeColumn: maybe('Name of the time column; null if rows have no time.', z.nullable(z.string())),
  valueColumns: z.optional(z.array(z.string())),
  idColumns: z.optional(z.array(z.string())),
  dateOrder: z.optional(z.enum(['dmy', 'mdy'])),
  decimal: z.optional(z.enum(['.', ','])),
  missingCode: maybe('A number that stands for a missing value; null if there is none.', z.nullable(z.number())),
  timeZone: maybe('IANA name of the time zone that an abbreviation such as CST means.', z.string()),
  totals: z.optional(z.enum(['leave', 'take'])),
  sheet: z.optional(z.string()),
  reading: z.optional(z.string()),
  aggregate: z.optional(z.nullable(Resampling)),
});

export const file = described(
  'Path of a CSV, TSV, text, JSON, NDJSON, Excel, or Parquet file with a time series; absolute, or relative to the open folder.',
  text(4000),
);

export const ofFile = {
  file: z.optional(file),
  layout: maybe(
    'How to read the file. Use it only to answer a question from a tool; the question lists the values.',
    Layout,
  ),
  treat_as_missing: maybe(
    'Read cells that are not numbers as missing values instead of rejecting the file.',
    z.boolean(),
  ),
};

export const source = {
  ...ofFile,
  series: maybe('Name of the series in the file; needed only if the file has several.', text(1000)),
  values: maybe(
    'The observations themselves instead of a file, oldest first, one per step; null for a missing value.',
    z.array(z.nullable(z.number())).check(z.maxLength(50_000)),
  ),
  start: maybe('With values: the time of the first value, such as 2024-01-31 or 2024-01-31T13:00:00Z.', text()),
  frequency: maybe(
    'With values: the step, as an ISO 8601 duration such as P1D, P1W, P1M, P3M, or PT1H, or “B” for business days.',
    text(),
  ),
  name: maybe('With values: their name, such as “Sales in Bonn”.', text(200)),
};

export type SourceInput = z.output<z.ZodMiniObject<typeof source>>;

export const MOST_STEPS = 10_000;

export const horizon = maybe(
  'How far ahead: a number of steps, or a duration or end such as “2 years”, “36 hours”, “until Dec 2027”, or “until 2027-06-30”. Default: what suits the frequency, such as 24 months or 48 hours.',
  z.union([z.int().check(z.gte(1), z.lte(MOST_STEPS)), text(60)]),
);

export const MOST_NAME = 200;

export const OnePrediction = z.object({
  prediction_id: z.string(),
  status: z.string(),
  ai_model_id: z.optional(z.string()),
  /** Of the whole forecast; the points here may be some of them, from `first_step`. */
  steps: z.optional(z.int()),
  first_step: z.optional(z.int()),
  prediction_series: z.optional(z.array(SeriesPoint)),
  backtest: z.optional(BacktestSummary),
  covariates: z.optional(CovariateSummary),
  chart: z.optional(z.string()),
  error: z.optional(z.string()),
});

export const readingOf = (input: Pick<SourceInput, 'layout' | 'treat_as_missing'>): AgentReading => ({
  layout: (input.layout ?? {}) as LayoutChoice,
  missing: input.treat_as_missing ? 'treat-as-missing' : 'error',
});

/** The series that the agent means. What a file leaves open is never guessed: the error asks, and gives the answers. */
export async function seriesOf(work: Work, input: SourceInput): Promise<Origin> {
  const isOne = (input.file === undefined) !== (input.values === undefined);
  ensure(isOne, 'Give either file (a path) or values (the observations themselves), not both.');
  if (input.values) return { label: nameOf(input.name ?? 'Series'), series: inlineSeries(input, input.values) };
  const read = await allSeriesOf(work, input.file!, input);
  const series = namedSeries(read, input.series);
  const label = read.document.series.length === 1 ? read.fileName : `${read.fileName} · ${series.name}`;
  return { ...read, file: input.file, label: nameOf(label), series };
}

/** @throws ToolError where the file has open questions; SeriesError */
export async function allSeriesOf({ read: readFile, signal }: Work, file: string, input: SourceInput) {
  const read = await readFile(file, readingOf(input), signal);
  const [open] = openQuestions(read.document.choices);
  if (!open) return read;
  throw new ToolError(
    `${read.fileName} can be read in several ways that change the forecast. Ask the person unless they already answered, then call again with one of these:\n${questionText(open)}`,
  );
}

export const placed = ({ line, place = `line ${line}`, message }: SeriesDocument['problems'][number]): string =>
  `${place}: ${message}`;

export function questionText({ question, options, suggested }: Choice): string {
  const answers = options.map(({ label, layout }, index) => {
    return `- ${label}${index === suggested ? ' (likely)' : ''}: "layout": ${JSON.stringify(layout)}`;
  });
  return [question, ...answers].join('\n');
}

export const openQuestions = (choices: readonly Choice[]): readonly Choice[] =>
  choices.filter(({ kind }) => kind !== 'value-columns' && kind !== 'totals');

function namedSeries({ fileName, document }: AgentDocument, name: string | undefined): ReadSeries {
  const { series } = document;
  if (name === undefined && series.length === 1) return series[0];
  const same = (a: string | undefined) => a?.trim().toLowerCase() === name?.trim().toLowerCase();
  const found = series.filter((one) => name !== undefined && [one.id, one.name, one.valueColumn].some(same));
  if (found.length === 1) return found[0];
  const exact = found.filter(({ id }) => id === name);
  if (exact.length === 1) return exact[0];
  const names = listed(series, 30, ({ id, summary }) => `- ${quoted(id)} (${nameOf(summary)})`);
  const said = name === undefined ? `${fileName} has ${series.length} series.` : `${fileName} has no series “${name}”.`;
  throw new ToolError(`${said} Call again with "series" set to one of these:\n${names.join('\n')}`);
}

function inlineSeries({ start, frequency: step, name = 'Series' }: SourceInput, given: readonly (number | null)[]) {
  const values = Float64Array.from(given, (value) => value ?? NaN);
  const areBoth = (start === undefined) === (step === undefined);
  ensure(areBoth, 'Give both start and frequency, or neither for a series without times.');
  const frequency = step === undefined ? undefined : parseDuration(step);
  const forms = 'Give an ISO 8601 duration, such as P1D, P1W, P1M, or PT1H.';
  ensure(step === undefined || frequency !== undefined, `“${step}” is not a frequency. ${forms}`);
  const first = start === undefined ? 0 : parseTimestamp(start);
  ensure(!Number.isNaN(first), `“${start}” is not a time. Give it as 2024-01-31 or 2024-01-31T13:00:00Z.`);
  const times = values.map((_, index) => (frequency ? addSteps(first, frequency, index) : index * 1000));
  const timeKind = frequency ? (times.every((time) => time % 86_400_000 === 0) ? 'date' : 'instant') : 'row';
  const series = buildSeries({ id: name, name, timeKind, times, values, ...(frequency ? { frequency } : {}) });
  if (!series) throw new SeriesError('no-numbers', `${name} has no values.`);
  return series;
}

const FORMS = 'Give a number of steps, or a duration or end such as “2 years”, “36 hours”, or “until Dec 2027”.';

/** A horizon in steps of a series: those that are given, or those of a span or up to a date. @throws ToolError */
export function stepsOf(horizon: number | string | undefined, series: ReadSeries): number | undefined {
  if (typeof horizon !== 'string') return horizon;
  const { frequency, times, timeKind, timeZone = 'UTC' } = series;
  const step = timeKind === 'row' ? undefined : frequency;
  const read = parseHorizon(horizon, { last: times[times.length - 1], frequency: step, zone: zoneOf(timeZone) });
  if ('steps' in read) {
    const { steps } = read;
    ensure(steps <= MOST_STEPS, `“${horizon}” is ${inEnglish(steps)} steps ahead; the maximum is ${MOST_STEPS}.`);
    return steps;
  }
  const why = {
    none: `“${horizon}” is not a horizon. ${FORMS}`,
    past: `“${horizon}” does not reach past the end of the series (${series.summary}). ${FORMS}`,
    irregular: `The series has no regular step, so “${horizon}” cannot be converted to steps. Give a number of steps.`,
  };
  throw new ToolError(why[read.problem]);
}

/** Writes numbers with so many decimals, huge ones in six figures, and a dash for what is no number. */
export const numberWriter =
  (decimals: number) =>
  (value: number): string => {
    if (!Number.isFinite(value)) return '–';
    const isHuge = Math.abs(value) >= 1e15;
    return String(Number(isHuge ? value.toPrecision(6) : value.toFixed(decimals)));
  };

/** Text on one line without invisible characters: what others wrote must not look like part of an answer. */
export const oneLine = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();

const LONGEST_NAME = 160;

export function nameOf(text: string): string {
  const plain = oneLine(text);
  return plain.length > LONGEST_NAME ? `${plain.slice(0, LONGEST_NAME)}…` : plain;
}

/** A name to call with again, as JSON; what is not seen is written as its code. */
export const quoted = (name: string): string => printable(JSON.stringify(name));

export const listed = <T>(
  all: readonly T[],
  most: number,
  wordsOf: (one: T) => string,
  total = all.length,
): string[] => [...all.slice(0, most).map(wordsOf), ...(total > most ? [`and ${total - most} more`] : [])];
