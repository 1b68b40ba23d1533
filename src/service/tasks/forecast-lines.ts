import * as z from 'zod/mini';
import { parseDuration } from '../../calendar/duration.ts';
import { addSteps } from '../../calendar/steps.ts';
import { parseTimestamp } from '../../calendar/timestamp.ts';
import { UTC } from '../../calendar/zone.ts';
import { failure, readAs } from '../../contract/failures.ts';
import { Bounds } from '../../contract/requests.ts';
import { SeriesPoint } from '../../contract/resources.ts';
import { expectedOf, JobError } from '../errors.ts';
import { FARTHEST } from '../store/points.ts';
import { unpacked } from '../store/packed.ts';
import { eachLine, type Lines } from './lines.ts';
import { forecastOf, pointsOf, stepsAfter } from './predict.ts';
import { type Asked, onGrid, seriesOfPoints, type TaskSeries } from './series.ts';

/** Some lines of a stream of series, each to be forecast by itself. */
export interface LinesTask extends Lines, Pick<Asked, 'model' | 'horizon' | 'levels'> {}

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

const BLANK = /^\s*$/;
const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * Forecasts the series of a few lines. Each line that is not blank gives one line, in their order: the forecast, or what
 * is wrong with it.
 * @returns UTF-8
 */
export function forecastLines(task: LinesTask): Uint8Array {
  const written: string[] = [];
  for (const { line, bytes } of eachLine(task)) {
    const one = answerTo(bytes, line, task);
    if (one !== undefined) written.push(one, '\n');
  }
  return new TextEncoder().encode(written.join(''));
}

function answerTo(bytes: Uint8Array, line: number, task: LinesTask): string | undefined {
  let json: unknown;
  try {
    const text = decoder.decode(bytes);
    if (BLANK.test(text)) return undefined;
    json = JSON.parse(text);
  } catch (error) {
    const why = error instanceof SyntaxError ? `not JSON: ${error.message}` : 'not UTF-8';
    return JSON.stringify({ id: null, line, error: `This line is ${why}.` });
  }
  const id = idOf(json);
  try {
    const read = readAs(Line, json);
    if (!read.success) throw new JobError(failure('other', faultOf(read.error)));
    const series = seriesOfLine(read.data, task);
    const made = forecastOf(task.model, series);
    return `{"id":${JSON.stringify(id)},"prediction_series":${unpacked(pointsOf(made, stepsAfter(series, made)).points)}}`;
  } catch (error) {
    return JSON.stringify({ id, ...(id === null ? { line } : {}), error: sentenceOf(error) });
  }
}

/** The id is given back also where the rest of the line cannot be read. */
function idOf(json: unknown): string | number | null {
  const id = typeof json === 'object' && json !== null && 'id' in json ? json.id : undefined;
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}

function faultOf({ issues: [issue] }: z.core.$ZodError): string {
  const place = issue.path.join('.');
  return place === '' ? 'The line is not an object.' : `${place} is not valid: ${issue.message}`;
}

function sentenceOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return expectedOf(error)?.detail ?? `This series could not be forecast because of a bug: ${message}`;
}

const refused = (why: string) => new JobError(failure('other', why));

/** @throws JobError, RequestError with a sentence */
function seriesOfLine(
  { series, values, start, freq, bounds }: Line,
  { model, horizon, levels }: LinesTask,
): TaskSeries {
  if ((series === undefined) === (values === undefined)) {
    throw refused('A line must have either values or series with points.');
  }
  const wanted = { model, horizon, levels, bounds };
  if (series !== undefined) return seriesOfPoints(series, wanted);
  const numbers = Float64Array.from(values!, (value) => value ?? NaN);
  if (typeof start !== 'string' && typeof freq !== 'string') {
    const times = numbers.map((_, row) => row * 1000);
    return onGrid({ times, values: numbers, rows: true, zone: UTC }, wanted, { row: numbers.length });
  }
  const frequency = parseDuration(freq ?? '');
  if (!frequency) throw refused(`freq is not a step such as P1M, P1D, or PT1H: ${JSON.stringify(freq ?? null)}.`);
  const first = parseTimestamp(start ?? '');
  if (Number.isNaN(first)) throw refused(`start is not a time such as 2024-01-31: ${JSON.stringify(start ?? null)}.`);
  const times = numbers.map((_, step) => addSteps(first, frequency, step));
  if (!times.every((time) => Math.abs(time) <= FARTHEST)) throw new JobError(failure('beyond_dates'));
  return onGrid({ times, values: numbers, rows: false, zone: UTC }, wanted, { frequency });
}
