import * as z from 'zod/mini';
import { isoInstant } from '../../calendar/format.ts';
import { defaultHorizon, seasonalPeriods } from '../../calendar/frequency.ts';
import { parseDuration } from '../../calendar/duration.ts';
import type { Grid } from '../../calendar/grid.ts';
import { addSteps } from '../../calendar/steps.ts';
import { parseTimestamp } from '../../calendar/timestamp.ts';
import { UTC } from '../../calendar/zone.ts';
import { readAs } from '../../contract/faults.ts';
import { Bounds } from '../../contract/requests.ts';
import { SeriesPoint } from '../../contract/resources.ts';
import { EngineError } from '../../engine/errors.ts';
import { JobError, RequestError } from '../errors.ts';
import { boundsOf, columnsOf } from './bounds.ts';
import { type KnownBeforehand, knownBeforehand } from './covariates.ts';
import { made } from './made.ts';
import { FARTHEST, gridOf, toNumbers } from '../store/points.ts';
import type { LinesTask } from './tasks.ts';

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

const NEWLINE = 10;
const BLANK = /^\s*$/;

/**
 * Forecasts the series of a few lines. Each line that is not blank gives one line, in their order: the forecast, or what
 * is wrong with it.
 * @returns UTF-8
 */
export function forecastLines({ bytes, firstLine, ...asked }: LinesTask): Uint8Array {
  const written: string[] = [];
  let number = firstLine;
  for (let from = 0; from < bytes.length; number++) {
    const end = bytes.indexOf(NEWLINE, from);
    const until = end < 0 ? bytes.length : end;
    const one = answerTo(bytes.subarray(from, until), number, asked);
    if (one !== undefined) written.push(one, '\n');
    from = until + 1;
  }
  return new TextEncoder().encode(written.join(''));
}

const decoder = new TextDecoder('utf-8', { fatal: true });

function answerTo(bytes: Uint8Array, line: number, asked: Asked): string | undefined {
  let text: string;
  let json: unknown;
  try {
    text = decoder.decode(bytes);
    if (BLANK.test(text)) return undefined;
    json = JSON.parse(text);
  } catch (error) {
    const why = error instanceof SyntaxError ? `no JSON: ${error.message}` : 'not UTF-8';
    return JSON.stringify({ id: null, line, error: `This line is ${why}.` });
  }
  const id = idOf(json);
  try {
    const read = readAs(Line, json);
    if (!read.success) throw new JobError(faultOf(read.error));
    return `{"id":${JSON.stringify(id)},"prediction_series":[${forecastOf(read.data, asked).join(',')}]}`;
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
  return place === '' ? 'The line is no object.' : `${place} is not what it should be: ${issue.message}`;
}

function sentenceOf(error: unknown): string {
  const isExpected = error instanceof JobError || error instanceof EngineError || error instanceof RequestError;
  const message = error instanceof Error ? error.message : String(error);
  return isExpected ? message : `This series could not be forecast, by a fault of the program: ${message}`;
}

type Asked = Omit<LinesTask, 'kind' | 'bytes' | 'firstLine'>;

/** The steps as JSON. @throws JobError, EngineError, RequestError with a sentence */
function forecastOf(line: Line, { model, horizon, levels }: Asked): string[] {
  const { bounds } = line;
  const { grid, rows, known } = read(line);
  const { frequency, values } = grid;
  if (!values.some(Number.isFinite)) throw new JobError('The series has no observed value.');
  const input = {
    values,
    periods: frequency ? seasonalPeriods(frequency) : [],
    horizon: (horizon ?? known?.stepsAhead(grid)) || defaultHorizon(frequency, values.length),
    levels,
    acrossZero: bounds?.not_negative === false,
  };
  const covariates = known?.covariatesOn(grid, values.length) ?? [];
  const result = made(model, input, covariates, bounds && boundsOf(bounds, input, grid, known));
  return Array.from(result.point, (value, step) => {
    const quantiles = Object.fromEntries(levels.map((level, index) => [String(level), result.quantiles[index][step]]));
    return JSON.stringify({
      timestamp: isoInstant(grid.timeAt(values.length + step)),
      value,
      metadata: {
        ...(levels.length > 0 ? { quantiles } : {}),
        ...(result.demand ? { mean: result.demand.mean } : {}),
        ...(rows === undefined ? {} : { row: rows + step + 1 }),
      },
    });
  });
}

/** A series on its grid; `rows` is how many it has where its times only count them. */
function read({ series, values, start, freq, bounds }: Line): {
  grid: Grid;
  rows?: number;
  known?: KnownBeforehand | undefined;
} {
  if ((series === undefined) === (values === undefined)) {
    throw new JobError('A line has either values, or series with points.');
  }
  if (series !== undefined) {
    const known = knownBeforehand(series, columnsOf(bounds));
    const points = known?.history ?? series;
    const numbers = toNumbers(points, ['series']);
    return { grid: gridOf(numbers), known, ...(numbers.rows ? { rows: Number(points.at(-1)?.metadata?.row) } : {}) };
  }
  const numbers = Float64Array.from(values!, (value) => value ?? NaN);
  const isTimed = typeof start === 'string' || typeof freq === 'string';
  if (!isTimed) {
    const times = numbers.map((_, row) => row * 1000);
    return { grid: gridOf({ times, values: numbers, rows: true, zone: UTC }), rows: numbers.length };
  }
  const frequency = parseDuration(freq ?? '');
  if (!frequency) throw new JobError(`freq is no step such as P1M, P1D or PT1H: ${JSON.stringify(freq ?? null)}.`);
  const first = parseTimestamp(start ?? '');
  if (Number.isNaN(first)) throw new JobError(`start is no time such as 2024-01-31: ${JSON.stringify(start ?? null)}.`);
  const times = numbers.map((_, step) => addSteps(first, frequency, step));
  if (!times.every((time) => Math.abs(time) <= FARTHEST)) throw new JobError('The series ends after the year 275760.');
  return { grid: gridOf({ times, values: numbers, rows: false, zone: UTC }, frequency) };
}
