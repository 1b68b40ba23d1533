/** Forecasts of a stream of series, one a line as JSON: in a thread, and how the stream goes through threads. */
import * as z from 'zod/mini';
import { parseDuration, addSteps } from '../../calendar/frequency.ts';
import { parseTimestamp } from '../../calendar/timestamp.ts';
import { UTC } from '../../calendar/zone.ts';
import { type Failure, failure } from '../../contract/failures.ts';
import { Bounds, SeriesPoint } from '../../contract/resources.ts';
import { joined } from '../../platform/joined.ts';
import { forecastWithCovariates } from '../../engine/covariates/forecast.ts';
import { expectedOf, JobError, RequestError } from '../errors.ts';
import { FARTHEST } from '../store/points.ts';
import { checked, eachLine, type Lines, linesOf, readEach, TOO_LONG, wholeOf } from './bodies.ts';
import { pointsOf, stepsAfter } from './predict.ts';
import { onGrid, type ForecastOptions, seriesOf, type TaskSeries } from './series.ts';

export type StreamSettings = Pick<ForecastOptions, 'model' | 'horizon' | 'levels'>;

export interface LinesTask extends Lines, StreamSettings {}

const Line = z.looseObject({
  id: z.optional(z.nullable(z.union([z.string(), z.number()]))),
  series: z.optional(z.array(SeriesPoint)),
  values: z.optional(z.array(z.nullable(z.number()))),
  start: z.optional(z.nullable(z.string())),
  freq: z.optional(z.nullable(z.string())),
  bounds: z.optional(Bounds),
});
type Line = z.output<typeof Line>;

const encoder = new TextEncoder();

/** Each line that is not blank gives one line, in their order: the forecast, or what is wrong with it. @returns UTF-8 */
export function forecastLines(task: LinesTask): Uint8Array {
  const made = readEach(task, (opened) => {
    const series = seriesOfLine(checked(Line, wholeOf(opened), ['body']), task);
    const made = forecastWithCovariates(task.model, series.input, series.covariates);
    return pointsOf(made, stepsAfter(series, made));
  });
  const answers = Array.from(made, ({ line, id: given, result, error }) => {
    const id = typeof given === 'string' || typeof given === 'number' ? given : null;
    if (result !== undefined) return answerOf({ id, prediction_series: result });
    return answerOf({ id, ...(id === null ? { line } : {}), error: sentenceOf(error) });
  });
  return encoder.encode(answers.join(''));
}

function sentenceOf(error: unknown): string {
  if (error instanceof RequestError) return error.problem.detail;
  const reason = error instanceof Error ? error.message : String(error);
  return expectedOf(error)?.detail ?? `This series could not be forecast because of a bug: ${reason}`;
}

const answerOf = (answer: object): string => `${JSON.stringify(answer)}\n`;

const refusal = (line: number, { detail: error }: Failure): Uint8Array =>
  encoder.encode(answerOf({ id: null, line, error }));

const refused = (why: string) => new JobError(failure('other', why));

function seriesOfLine({ series, values, start, freq, bounds }: Line, settings: StreamSettings): TaskSeries {
  if ((series === undefined) === (values === undefined))
    throw refused('A line must have either values or series with points.');
  const options = { ...settings, bounds };
  if (series !== undefined) return seriesOf(series, options);
  const numbers = Float64Array.from(values!, (value) => value ?? NaN);
  if (typeof start !== 'string' && typeof freq !== 'string') {
    const times = numbers.map((_, row) => row * 1000);
    return onGrid({ times, values: numbers, rows: true, zone: UTC }, options, { row: numbers.length });
  }
  const frequency = parseDuration(freq ?? '');
  if (!frequency) throw refused(`freq is not a step such as P1M, P1D, or PT1H: ${JSON.stringify(freq ?? null)}.`);
  const first = parseTimestamp(start ?? '');
  if (Number.isNaN(first)) throw refused(`start is not a time such as 2024-01-31: ${JSON.stringify(start ?? null)}.`);
  const times = numbers.map((_, step) => addSteps(first, frequency, step));
  if (!times.every((time) => Math.abs(time) <= FARTHEST)) throw new JobError(failure('beyond_dates'));
  return onGrid({ times, values: numbers, rows: false, zone: UTC }, options, { frequency });
}

interface Threads {
  readonly size: number;
  run(task: LinesTask & { readonly kind: 'lines' }, signal: AbortSignal): Promise<Uint8Array>;
}

/** A line out for each that is not blank, in order; reads no more than is done and taken. @param write UTF-8; done when it takes more */
export async function forecastStream(
  threads: Threads,
  input: AsyncIterable<Uint8Array>,
  settings: StreamSettings,
  write: (bytes: Uint8Array) => Promise<void>,
): Promise<void> {
  const underWay: Promise<void>[] = [];
  let written = Promise.resolve();
  for await (const part of linesOf(input)) {
    const answer = 'longLine' in part ? refusal(part.longLine, TOO_LONG) : answered(threads, part, settings);
    written = Promise.all([answer, written]).then(([bytes]) => write(bytes));
    written.catch(() => undefined); // awaited below, maybe after it has failed
    underWay.push(written);
    if (underWay.length >= 2 * threads.size) await underWay.shift();
  }
  await written;
}

async function answered(threads: Threads, part: Lines, settings: StreamSettings): Promise<Uint8Array> {
  try {
    return await threads.run({ kind: 'lines', ...settings, ...part }, new AbortController().signal);
  } catch (error) {
    const lines = [...eachLine(part)];
    if (lines.length === 1)
      return refusal(lines[0].line, error instanceof JobError ? error.failure : failure('thread_ended'));
    const answers = [];
    for (const { bytes, line } of lines)
      answers.push(await answered(threads, { bytes: bytes.slice(), firstLine: line }, settings));
    return joined(answers);
  }
}
