/** The bodies of requests: read, checked by their schema, and their series made ready to be stored. */
import { createHash } from '#platform/hash';
import type * as z from 'zod/mini';
import { type Failure, failure, readAs } from '../../contract/failures.ts';
import { type BodyOf, operations } from '../../contract/operations.ts';
import { DatasetSeries, type NewPoint, points, SeriesLine as Line } from '../../contract/requests.ts';
import { RequestError } from '../errors.ts';
import type { NewDataset, Prepared, WithoutSeries } from '../store/new.ts';
import { identityOf } from '../store/packed.ts';
import { type PreparedSeries, SeriesBuilder, toNumbers } from '../store/points.ts';
import { cut, type Piece, type Step } from './cut.ts';
import { eachLine, type Lines } from './lines.ts';
import type { LineFault, SeriesLine } from '../store/bulk.ts';
import { checkTexts, mayBeUnfit } from './texts.ts';

/** What the body of each operation is once it was read: the contract's, with series that are ready to be stored. */
export interface Bodies {
  readonly createPrediction: Prepared<'createPrediction'>;
  readonly createFineTunedModel: BodyOf<'createFineTunedModel'>;
  readonly createDataset: NewDataset;
  readonly predictDataset: BodyOf<'predictDataset'>;
  readonly createKey: BodyOf<'createKey'>;
  readonly testCovariates: WithoutSeries<'testCovariates'> & { readonly series: PreparedSeries };
  readonly findAnomalies: Prepared<'findAnomalies'>;
}
export type BodyName = keyof Bodies;

const encoder = new TextEncoder();
const MEGABYTE = 1024 * 1024;
const POINTS = { field: 'series', holds: 'points' } as const;

/** What a body may be, in bytes: all of it, and each point of it and all that is no point. */
interface Form {
  readonly most: number;
  readonly besides: number;
  /** To its points; empty where it has none. */
  readonly way: readonly Step[];
}

const WITHOUT_SERIES: Form = { most: MEGABYTE, besides: MEGABYTE, way: [] };
const WITH_SERIES: Form = { most: 128 * MEGABYTE, besides: MEGABYTE, way: [POINTS] };

export const FORMS: Readonly<Record<BodyName, Form>> = {
  createPrediction: WITH_SERIES,
  testCovariates: WITH_SERIES,
  findAnomalies: WITH_SERIES,
  createDataset: { ...WITH_SERIES, way: [{ field: 'series', holds: 'elements' }, POINTS] },
  // these points are kept as they came: more of them are stored as a dataset first
  createFineTunedModel: {
    ...WITH_SERIES,
    most: 32 * MEGABYTE,
    way: [{ field: 'input_config', holds: 'object' }, POINTS],
  },
  // the names of many series that add up
  predictDataset: { most: 16 * MEGABYTE, besides: 16 * MEGABYTE, way: [] },
  createKey: WITHOUT_SERIES,
};

/** What of a dataset goes from thread to thread at a time: a hundredth of a second. */
const SLICE = { series: 500, characters: 4_000_000 };

/** Of a dataset in one body; more are sent as a stream. */
const MOST_SERIES = 250_000;

type Named = NewDataset['series'][number];

/**
 * Reads a body piece by piece: what is parsed at a time is some points, or what stands beside them.
 * @param blocks the bytes of the body, one block after the other
 * @returns the series of a dataset some at a time, and in the end the body without them
 * @throws RequestError 413, 422 with the place of the first fault
 */
export function* readInSlices<N extends BodyName>(
  name: N,
  blocks: Iterable<Uint8Array>,
): Generator<NewDataset['series'], Bodies[N]> {
  const { way, besides } = FORMS[name];
  const pieces = cut(blocks, way, besides);
  const { body } = operations[name];
  // what it is of depends on its name alone
  if (name === 'createDataset') return (yield* readDataset(pieces, body)) as Bodies[N];
  if (name === 'createFineTunedModel') return readTraining(pieces, body) as Bodies[N];
  const loc = ['body', 'series'];
  const { rest, points } = readPieces(pieces, loc, new SeriesBuilder(loc));
  const parsed = checked(body, withFirst(rest, ['series'], points?.first), ['body']) as object;
  return (points ? { ...parsed, series: points.finish() } : parsed) as Bodies[N];
}

/** A large body of a request, whose blocks are let go of as they are read. */
export interface ReadTask {
  readonly name: BodyName;
  readonly blocks: Uint8Array<ArrayBuffer>[];
}

/** As {@link readInSlices}. @param onSeries takes some of the series of a dataset before the next are read */
export async function readSlices(
  { name, blocks }: ReadTask,
  onSeries: (series: NewDataset['series']) => Promise<void>,
): Promise<Bodies[BodyName]> {
  const slices = readInSlices(name, taken(blocks));
  for (;;) {
    const { done, value } = slices.next();
    if (done) return value;
    await onSeries(value);
  }
}

function* taken(blocks: Uint8Array[]): Generator<Uint8Array> {
  for (let block; (block = blocks.shift());) yield block;
}

/** As {@link readInSlices}, all of it. */
export function readBody<N extends BodyName>(name: N, blocks: Iterable<Uint8Array>): Bodies[N] {
  const slices = readInSlices(name, blocks);
  const series: Named[] = [];
  for (;;) {
    const { done, value } = slices.next();
    if (done) return series.length > 0 ? { ...value, series } : value;
    series.push(...value);
  }
}

/**
 * One series by itself, with what stands beside its points.
 * @param look gets that before it is checked, also where the points are at fault
 * @throws RequestError 413, 422
 */
function readSeries<T extends z.core.$ZodType>(
  bytes: Uint8Array,
  schema: T,
  what: string,
  look: (given: unknown) => void,
): { rest: z.core.output<T>; series: PreparedSeries } {
  const points = new PiecesOf(['body', 'series'], new SeriesBuilder(['series']), what);
  let fault: unknown;
  let rest: unknown;
  for (const piece of cut([bytes], [POINTS], MEGABYTE, what)) {
    try {
      if (piece.kind === 'rest') rest = parse(piece.blocks, { what, look });
      else if (fault === undefined) points.push(piece);
    } catch (error) {
      fault ??= error;
    }
  }
  if (fault !== undefined) throw fault;
  const found = points.end();
  const parsed = checked(schema, withFirst(rest, ['series'], found?.first), ['body']);
  return { rest: parsed, series: found!.finish() };
}

/** Lines of a stream of series as they were read: each that is not blank is in one of these. */
export interface ReadLines {
  readonly lines: readonly SeriesLine[];
  readonly faults: readonly LineFault[];
}

const BLANKS = new Set(encoder.encode(' \t\r\n'));

/** Reads lines, each of them a series as JSON, and makes them ready to be stored. */
export function readLines(part: Lines): ReadLines {
  const lines: SeriesLine[] = [];
  const faults: LineFault[] = [];
  for (const { bytes, line } of eachLine(part)) {
    if (bytes.every((byte) => BLANKS.has(byte))) continue;
    let id: string | undefined;
    try {
      const { rest, series } = readSeries(bytes, Line, 'line', (given) => {
        id = idOf(given);
      });
      lines.push({ line, id, name: rest.name, series });
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      faults.push({ line, ...(id === undefined ? {} : { id }), error: placedOf(error) });
    }
  }
  return { lines, faults };
}

/** To be told with a fault, and so not longer than one may be. */
const idOf = (given: unknown): string | undefined =>
  typeof given === 'object' && given !== null && 'id' in given && typeof given.id === 'string'
    ? given.id.slice(0, 200)
    : undefined;

/** The first fault, with its place in the line in English. */
function placedOf({ failure, problem, errors }: RequestError): Failure {
  return errors ? { ...failure, detail: problem.detail } : failure;
}

function readTraining(pieces: Iterable<Piece>, schema: z.core.$ZodType): Bodies['createFineTunedModel'] {
  const loc = ['body', 'input_config', 'series'];
  const { rest, points } = readPieces(pieces, loc, new PointList(loc));
  const parsed = checked(schema, withFirst(rest, ['input_config', 'series'], points?.first), [
    'body',
  ]) as Bodies['createFineTunedModel'];
  if (!points) return parsed;
  return { ...parsed, input_config: { ...parsed.input_config, series: points.finish() } };
}

function* readDataset(
  pieces: Iterable<Piece>,
  schema: z.core.$ZodType,
): Generator<NewDataset['series'], Bodies['createDataset']> {
  let slice: Named[] = [];
  let characters = 0;
  const hash = createHash('sha256');
  let count = 0;
  let first: unknown;
  let blanks = 0;
  let current: PiecesOf<SeriesBuilder> | undefined;
  let rest: unknown;
  for (const piece of pieces) {
    const loc = ['body', 'series', count];
    if (piece.kind === 'points') {
      current ??= new PiecesOf([...loc, 'series'], new SeriesBuilder([...loc, 'series']));
      current.push(piece);
    } else if (piece.kind === 'rest') rest = parse(piece.blocks);
    else {
      if (count === 0 && isBlank(piece)) blanks++;
      else {
        const given = withFirst(parse(piece.blocks, { loc }), ['series'], current?.end()?.first);
        const { name } = checked(DatasetSeries, given, loc);
        const one = { name, series: current!.end()!.finish() };
        const identity = identityOf(one.series.points);
        hash.update(JSON.stringify([name ?? null, identity.length])).update(identity);
        first ??= given;
        if (++count > MOST_SERIES) throw tooMany();
        slice.push(one);
        characters += one.series.points.length;
        if (slice.length >= SLICE.series || characters >= SLICE.characters) {
          yield slice;
          [slice, characters] = [[], 0];
        }
      }
      current = undefined;
    }
  }
  if (blanks > 1 || (blanks > 0 && count > 0)) throw notJson('body', 'a comma stands where a series should');
  const given = withFirst(rest, ['series'], first);
  const { fingerprint, ...parsed } = checked(schema, given, ['body']) as BodyOf<'createDataset'>;
  const digest = count > 0 ? hash.digest('base64url') : fingerprint && `=${fingerprint}`;
  if (slice.length > 0) yield slice;
  return { ...parsed, series: [], digest };
}

const tooMany = () => new RequestError(413, failure('body_many_series', MOST_SERIES));

/** What the points of one array become. */
interface PointsOf {
  readonly first: unknown;
  push(points: readonly NewPoint[]): void;
}

/** Points as they came. */
class PointList implements PointsOf {
  readonly #loc: readonly (string | number)[];
  readonly #points: NewPoint[] = [];

  constructor(loc: readonly (string | number)[]) {
    this.#loc = loc;
  }

  get first(): unknown {
    return this.#points[0];
  }

  push(points: readonly NewPoint[]): void {
    toNumbers(points, this.#loc, this.#points.length);
    for (const point of points) this.#points.push(point);
  }

  finish(): NewPoint[] {
    return this.#points;
  }
}

/** The pieces of one array of points, checked as they come. */
class PiecesOf<P extends PointsOf> {
  readonly #loc: readonly (string | number)[];
  readonly #what: string;
  readonly #points: P;
  #count = 0;
  #pieces = 0;
  #blanks = 0;

  constructor(loc: readonly (string | number)[], points: P, what = 'body') {
    this.#loc = loc;
    this.#points = points;
    this.#what = what;
  }

  push(piece: Piece): void {
    this.#pieces++;
    if (isBlank(piece)) {
      this.#blanks++;
      return;
    }
    const given = parse([OPEN, ...piece.blocks, CLOSE], {
      what: this.#what,
      loc: this.#loc,
      from: this.#count,
    }) as unknown[];
    this.#points.push(checked(points, given, this.#loc, this.#count));
    this.#count += given.length;
  }

  /** The points; nothing where there are none. @throws RequestError 422 */
  end(): P | undefined {
    if (this.#blanks > 0 && this.#pieces > 1) throw notJson(this.#what, 'a comma stands where a point should');
    return this.#count > 0 ? this.#points : undefined;
  }
}

const [OPEN, CLOSE] = [encoder.encode('['), encoder.encode(']')];
const isBlank = ({ blocks }: Piece): boolean =>
  blocks.every((bytes) => bytes.every((byte) => byte === 32 || (byte >= 9 && byte <= 13)));

/** What stands in a body beside its points, and these, where it has any. */
function readPieces<P extends PointsOf>(
  pieces: Iterable<Piece>,
  loc: readonly (string | number)[],
  into: P,
): { rest: unknown; points: P | undefined } {
  const all = new PiecesOf(loc, into);
  let rest: unknown;
  for (const piece of pieces) {
    if (piece.kind === 'points') all.push(piece);
    else rest = parse(piece.blocks);
  }
  return { rest, points: all.end() };
}

/** What was parsed without its points, with the first of them, so that its schema sees that there are some. */
function withFirst(given: unknown, [field, ...way]: readonly string[], first: unknown): unknown {
  if (first === undefined || typeof given !== 'object' || given === null) return given;
  const inner = (given as Record<string, unknown>)[field];
  if (way.length > 0) return { ...given, [field]: withFirst(inner, way, first) };
  if (!Array.isArray(inner)) throw notJson('body', `“${field}” comes twice`);
  return { ...given, [field]: [first] };
}

/** @param from number of the first, where it is a part of a list. @throws RequestError 422 */
function checked<T extends z.core.$ZodType>(
  schema: T,
  given: unknown,
  loc: readonly (string | number)[],
  from = 0,
): z.core.output<T> {
  const parsed = readAs(schema, given);
  if (parsed.success) return parsed.data;
  throw RequestError.invalid(loc, parsed.error, from);
}

const notJson = (what: string, why: string) => RequestError.field(['body'], failure('body_not_json', what, why));

/** What a text is of. */
interface About {
  /** Is called so in the words of a fault. */
  readonly what?: string;
  readonly loc?: readonly (string | number)[];
  /** Number of the first, where it is a part of a list. */
  readonly from?: number;
  /** Gets what was read before its texts are looked at. */
  readonly look?: (given: unknown) => void;
}

/** @throws RequestError 422 */
function parse(blocks: readonly Uint8Array[], { what = 'body', loc = ['body'], from = 0, look }: About = {}): unknown {
  let text = '';
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true });
    for (const block of blocks) text += decoder.decode(block, { stream: true });
    text += decoder.decode();
  } catch {
    throw RequestError.field(['body'], failure('body_not_utf8', what));
  }
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch (error) {
    throw notJson(what, error instanceof Error ? error.message : String(error));
  }
  look?.(given);
  if (mayBeUnfit(text)) checkTexts(given, loc, from);
  return given;
}
