/** Forecasts of a stream of series, one a line as JSON: in a thread, and how the stream goes through threads. */
import * as z from 'zod/mini';
import { parseDuration } from '../../calendar/duration.ts';
import { addSteps } from '../../calendar/steps.ts';
import { parseTimestamp } from '../../calendar/timestamp.ts';
import { UTC } from '../../calendar/zone.ts';
import { failure, readAs } from '../../contract/failures.ts';
import { Bounds, SeriesPoint } from '../../contract/resources.ts';
import { expectedOf, JobError } from '../errors.ts';
import { FARTHEST } from '../store/points.ts';
import { eachLine, type Lines, linesOf } from './lines.ts';
import { forecastOf, pointsOf, stepsAfter } from './predict.ts';
import { onGrid, type ForecastOptions, seriesOfPoints, type TaskSeries } from './series.ts';

export type StreamSettings = Pick<ForecastOptions, 'model' | 'horizon' | 'levels'>;

export interface LinesTask extends Lines, StreamSettings {}

/** One series of a stream: its points, or its values with the time of the first and the step. */
const Line = z.looseObject({
  id: z.optional(z.nullable(z.union([z.string(), z.number()]))),
  series: z.optional(z.array(SeriesPoint)),
  values: z.optional(z.array(z.nullable(z.number()))),
  start: z.optional(z.nullable(z.string())),
  freq: z.optional(z.nullable(z.string())),
  bounds: z.optional(Bounds),
});
type Line = z.output<typeof Line>;

const decoder = new TextDecoder('utf-8', { fatal: true });
const encoder = new TextEncoder();

/** Each line that is not blank gives one line, in their order: the forecast, or what is wrong with it. @returns UTF-8 */
export function forecastLines(task: LinesTask): Uint8Array {
  const written: string[] = [];
  for (const { line, bytes } of eachLine(task)) {
    const one = answerTo(bytes, line, task);
    if (one !== undefined) written.push(one, '\n');
  }
  return encoder.encode(written.join(''));
}

function answerTo(bytes: Uint8Array, line: number, task: StreamSettings): string | undefined {
  let json: unknown;
  try {
    const text = decoder.decode(bytes);
    if (text.trim() === '') return undefined;
    json = JSON.parse(text);
  } catch (error) {
    const why = error instanceof SyntaxError ? `not JSON: ${error.message}` : 'not UTF-8';
    return JSON.stringify({ id: null, line, error: `This line is ${why}.` });
  }
  // also where the rest of the line cannot be read
  const given = typeof json === 'object' && json !== null && 'id' in json ? json.id : undefined;
  const id = typeof given === 'string' || typeof given === 'number' ? given : null;
  try {
    const read = readAs(Line, json);
    if (!read.success) throw refused(faultOf(read.error));
    const series = seriesOfLine(read.data, task);
    const made = forecastOf(task.model, series);
    return JSON.stringify({ id, prediction_series: pointsOf(made, stepsAfter(series, made)) });
  } catch (error) {
    const bug = () =>
      `This series could not be forecast because of a bug: ${error instanceof Error ? error.message : String(error)}`;
    return JSON.stringify({ id, ...(id === null ? { line } : {}), error: expectedOf(error)?.detail ?? bug() });
  }
}

function faultOf({ issues: [issue] }: z.core.$ZodError): string {
  const place = issue.path.join('.');
  return place === '' ? 'The line is not an object.' : `${place} is not valid: ${issue.message}`;
}

const refused = (why: string) => new JobError(failure('other', why));

function seriesOfLine({ series, values, start, freq, bounds }: Line, settings: StreamSettings): TaskSeries {
  if ((series === undefined) === (values === undefined)) {
    throw refused('A line must have either values or series with points.');
  }
  const options = { ...settings, bounds };
  if (series !== undefined) return seriesOfPoints(series, options);
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

/** Parts for each thread: the one it computes, and one that waits. */
const PARTS_EACH = 2;

/** Input that says nothing for so long pauses, in milliseconds: what came of it is answered meanwhile. */
const PAUSE = 10;

interface Threads {
  readonly size: number;
  run(task: LinesTask & { readonly kind: 'lines' }, signal: AbortSignal): Promise<Uint8Array>;
}

export interface StreamEnds {
  /** Takes UTF-8; the next part comes when it is done. */
  readonly write: (bytes: Uint8Array) => Promise<void>;
  readonly signal: AbortSignal;
}

/**
 * Forecasts a stream: one line goes out for each that is not blank, in their order, as soon as it is done. Memory does not
 * grow with the stream, as no more is read than the threads have done and the output has taken. A line that cannot be
 * forecast gives its error; nothing but the signal and the output ends the stream.
 */
export async function forecastStream(
  threads: Threads,
  input: AsyncIterable<Uint8Array>,
  settings: StreamSettings,
  { write, signal }: StreamEnds,
): Promise<void> {
  const broken = new AbortController();
  const ends = AbortSignal.any([signal, broken.signal]);
  const underWay: Promise<void>[] = [];
  let written = Promise.resolve();
  for await (const part of linesOf(withPauses(input, ends))) {
    signal.throwIfAborted();
    const answer =
      'longLine' in part ? Promise.resolve(tooLong(part.longLine)) : answered(threads, part, settings, signal);
    answer.catch(() => undefined); // awaited below, maybe after it has failed
    const before = written;
    written = (async () => {
      await before;
      await write(await answer);
    })();
    written.catch((error: unknown) => {
      broken.abort(error);
    });
    underWay.push(written);
    if (underWay.length >= PARTS_EACH * threads.size) await underWay.shift();
  }
  await written;
}

/** The same input with an empty piece wherever it pauses. @param ends ends it, though the input says nothing */
async function* withPauses(input: AsyncIterable<Uint8Array>, ends: AbortSignal): AsyncGenerator<Uint8Array> {
  const pieces = input[Symbol.asyncIterator]();
  let isAsked = false;
  try {
    for (;;) {
      ends.throwIfAborted();
      isAsked = true;
      const next = pieces.next();
      const first = await within(next, ends, PAUSE);
      if (!first) yield new Uint8Array(0);
      const piece = first ?? (await within(next, ends))!;
      isAsked = false;
      if (piece.done) return;
      yield piece.value;
    }
  } finally {
    const returned = pieces.return?.();
    // input that was asked and does not answer does not end either
    if (isAsked) returned?.catch(() => undefined);
    else await returned;
  }
}

/** @returns what comes; `undefined` where nothing does for so long. @throws the signal's reason */
function within<T>(next: Promise<T>, ends: AbortSignal, pause?: number): Promise<T | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<T | undefined>();
  const end = () => {
    reject(ends.reason as Error);
  };
  if (ends.aborted) end();
  ends.addEventListener('abort', end);
  // what came while this thread was at work itself is looked at before
  const timer = pause === undefined ? undefined : setTimeout(() => setImmediate(resolve, undefined), pause);
  next.then(resolve, reject);
  return promise.finally(() => {
    ends.removeEventListener('abort', end);
    clearTimeout(timer);
  });
}

/** Where a thread ends over one of the lines, each is tried by itself. */
async function answered(
  threads: Threads,
  part: Lines,
  settings: StreamSettings,
  signal: AbortSignal,
): Promise<Uint8Array> {
  try {
    return await threads.run({ kind: 'lines', ...settings, ...part }, signal);
  } catch (error) {
    if (signal.aborted) throw error;
    const lines = [...eachLine(part)];
    if (lines.length === 1) {
      const why = error instanceof JobError ? error.message : failure('thread_ended').detail;
      return lineOf({ id: null, line: part.firstLine, error: why });
    }
    const answers = [];
    for (const { bytes, line } of lines) {
      answers.push(await answered(threads, { bytes: bytes.slice(), firstLine: line }, settings, signal));
    }
    return Buffer.concat(answers);
  }
}

const tooLong = (line: number) => lineOf({ id: null, line, error: failure('line_too_long', 64).detail });

const lineOf = (answer: object): Uint8Array => encoder.encode(`${JSON.stringify(answer)}\n`);
