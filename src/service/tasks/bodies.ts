/** The bodies of requests: read, checked by their schema, and their series made ready to be stored. */
import type * as z from 'zod/mini';
import { createHash } from '#platform/hash';
import { type Failure, failure, type FailureCode, type Fault, readAs } from '../../contract/failures.ts';
import { type BodyOf, operations } from '../../contract/operations.ts';
import { isObject } from '../../contract/json.ts';
import { DatasetSeries, points, SeriesLine as Line } from '../../contract/requests.ts';
import { placedFrom, RequestError } from '../errors.ts';
import type { LineFault, SeriesLine } from '../store/datasets.ts';
import {
  identityOf,
  type NewDataset,
  type Prepared,
  prepared,
  type PreparedSeries,
  type WithoutSeries,
} from '../store/points.ts';
import type { OnProgress } from './series.ts';
import { joined } from '../../platform/joined.ts';

type Loc = Fault['loc'];

export const MEGABYTE = 1024 * 1024;

/** The largest body of each operation, in bytes. */
export const MAX_BYTES = {
  createPrediction: 128 * MEGABYTE,
  testCovariates: 128 * MEGABYTE,
  findAnomalies: 128 * MEGABYTE,
  createDataset: 128 * MEGABYTE,
  // its points are stored as they are: more of them are stored as a dataset first
  createFineTunedModel: 32 * MEGABYTE,
  // the names of many series that add up
  predictDataset: 16 * MEGABYTE,
  createKey: MEGABYTE,
} as const;

export type BodyName = keyof typeof MAX_BYTES;
export type Bodies = {
  readonly [K in BodyName]: K extends 'createPrediction' | 'findAnomalies'
    ? Prepared<K>
    : K extends 'testCovariates'
      ? WithoutSeries<K> & { readonly series: PreparedSeries }
      : K extends 'createDataset'
        ? NewDataset
        : BodyOf<K>;
};

const MAX_SERIES = 250_000;

/** Points that are checked at a time, so that the first fault is found before the others are looked at. */
const SLICE = 2_000;

type Series = NewDataset['series'];

/** Reads a body. @throws RequestError 413; 422 with the place of the first fault */
export function readBody<N extends BodyName>(name: N, blocks: Iterable<Uint8Array>): Bodies[N] {
  const series: Series[number][] = [];
  const reading = bodyOf(name, blocks);
  for (let step = reading.next(); ; step = reading.next()) {
    if (step.done) return series.length > 0 ? { ...step.value, series } : step.value;
    series.push(...step.value);
  }
}

/** As {@link readBody}, in a thread; the series of a dataset come in parts before. */
export async function readInParts(
  { name, blocks }: { readonly name: BodyName; readonly blocks: Uint8Array<ArrayBuffer>[] },
  onProgress: OnProgress,
): Promise<Bodies[BodyName]> {
  const reading = bodyOf(name, shifted(blocks));
  for (let step = reading.next(); ; step = reading.next()) {
    if (step.done) return step.value;
    await onProgress({ fraction: 0, series: step.value });
  }
}

function* shifted(blocks: Uint8Array[]): Generator<Uint8Array> {
  for (let block; (block = blocks.shift());) yield block;
}

/** What a body is, which depends on its name alone; the series of a dataset come before, some at a time. */
function* bodyOf<N extends BodyName>(name: N, blocks: Iterable<Uint8Array>): Generator<Series, Bodies[N]> {
  const { body } = operations[name];
  if (name === 'createDataset') return (yield* readDataset(partsOf(blocks), body)) as Bodies[N];
  if (name === 'createPrediction' || name === 'testCovariates' || name === 'findAnomalies') {
    const { rest, series } = readSeries(partsOf(blocks), body, ['body']);
    checkRest({ ...(rest as object), series: [] });
    return { ...(rest as object), ...(series && { series }) } as Bodies[N];
  }
  const [given] = parsed(blocks, 'body', Infinity);
  checkTexts(given, ['body']);
  if (name === 'createFineTunedModel' && isObject(given))
    checkRest({ ...given, input_config: { ...(given.input_config as object), series: [] } });
  return checked(body, given, ['body']) as Bodies[N];
}

export type ReadLines = ReturnType<typeof readLines>;

/** What is made of each line that is not blank, or why nothing can be. @param read gets the line as JSON */
export function* readEach<T>(part: Lines, read: (given: unknown) => T) {
  for (const { line, bytes } of eachLine(part)) {
    let given: unknown;
    try {
      [given] = parsed([bytes], 'line', Infinity);
      yield { line, id: isObject(given) ? given.id : undefined, result: read(given) };
    } catch (error) {
      yield { line, id: isObject(given) ? given.id : undefined, error };
    }
  }
}

export function readLines(part: Lines) {
  const lines: SeriesLine[] = [];
  const faults: LineFault[] = [];
  const read = (given: unknown) => {
    checkTexts(given, ['body']);
    return readSeries([partOf(given)], Line, ['body']);
  };
  for (const { line, id, result, error } of readEach(part, read)) {
    if (result) lines.push({ line, id: result.rest.id, name: result.rest.name, series: result.series! });
    else if (!(error instanceof RequestError)) throw error;
    else {
      const short = typeof id === 'string' ? { id: id.slice(0, 200) } : {};
      faults.push({ line, ...short, error: { ...error.failure, detail: error.problem.detail } });
    }
  }
  return { lines, faults };
}

function* readDataset(parts: Iterable<Part>, schema: z.core.$ZodType): Generator<Series, NewDataset> {
  const hash = createHash('sha256');
  let [given, first]: unknown[] = [];
  let count = 0;
  for (const { rest, list, from } of parts) {
    given = merged(given, rest);
    first ??= list[0];
    count += list.length;
    if (count > MAX_SERIES) throw new RequestError(413, failure('body_many_series', MAX_SERIES));
    const some = list.map((one, index) => {
      const { rest, series } = readSeries([partOf(one)], DatasetSeries, ['body', 'series', from + index]);
      const identity = identityOf(series!.points);
      hash.update(JSON.stringify([rest.name ?? null, identity.length])).update(identity);
      return { name: rest.name, series: series! };
    });
    if (some.length > 0) yield some;
  }
  // the schema sees one series with one point
  const sample = count > 0 ? { ...(given as object), series: [partOf(first).rest] } : given;
  const { fingerprint, ...parsed } = checked(schema, sample, ['body']) as BodyOf<'createDataset'>;
  checkRest({ ...parsed, series: [] });
  const digest = count > 0 ? hash.digest('base64url') : fingerprint && `=${fingerprint}`;
  return { ...parsed, series: [], digest };
}

/** A series that comes in parts, and what stands beside it. */
function readSeries<T extends z.core.$ZodType>(parts: Iterable<Part>, schema: T, loc: Loc) {
  const at = [...loc, 'series'];
  let given: unknown;
  const slices = function* () {
    for (const { rest, list, from } of parts) {
      given = merged(given, rest);
      for (let first = 0; first < list.length; first += SLICE)
        yield checked(points, list.slice(first, first + SLICE), at, from + first);
    }
  };
  const series = prepared(slices(), at);
  return { rest: checked(schema, given, loc), series: series.rows > 0 ? series : undefined };
}

const merged = (before: unknown, rest: unknown): unknown =>
  isObject(rest) ? { ...(before as object | undefined), ...rest } : rest;

/** What stands beside points goes from thread to thread whole, and may be stored. @throws RequestError 413 */
function checkRest(rest: object): void {
  if (JSON.stringify(rest).length > MEGABYTE) throw tooLarge('body');
}

/** Some of a list in `series`, and its object with only the first of them, so that a schema sees that there are some. */
interface Part {
  readonly rest: unknown;
  readonly list: readonly unknown[];
  /** Number of the first of the list. */
  readonly from: number;
}

function partOf(given: unknown, from = 0): Part {
  if (!isObject(given) || !Array.isArray(given.series)) return { rest: given, list: [], from };
  return { rest: { ...given, series: given.series.slice(0, 1) }, list: given.series, from };
}

/** Bytes of JSON that are parsed at a time, where a list can be cut: neither all text of a body nor all values stand in memory. */
const PIECE = 256 * 1024;

function* partsOf(blocks: Iterable<Uint8Array>): Generator<Part> {
  let from = 0;
  for (const given of parsed(blocks, 'body', PIECE)) {
    const part = partOf(given, from);
    checkTexts(part.list, ['body', 'series'], from);
    checkTexts(part.rest, ['body']);
    yield part;
    from += part.list.length;
  }
}

export function checked<T extends z.core.$ZodType>(schema: T, given: unknown, loc: Loc, from = 0): z.core.output<T> {
  const parsed = readAs(schema, given);
  if (parsed.success) return parsed.data;
  throw RequestError.invalid(loc, parsed.error, from);
}

/**
 * Parses JSON; what is longer than a piece as several objects, each with some of its list in `series`.
 * @param what is what it is called in a fault. @throws RequestError 413, 422
 */
function* parsed(blocks: Iterable<Uint8Array>, what: string, piece: number): Generator {
  const measure = new Measure(what, piece);
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const refused = (why: Failure) => RequestError.field(['body'], why);
  const notJson = (reason: string) => refused(failure('body_not_json', what, reason));
  const decode = (bytes?: Uint8Array): string => {
    try {
      return decoder.decode(bytes, { stream: bytes !== undefined });
    } catch {
      throw refused(failure('body_not_utf8', what));
    }
  };
  // begins each piece but the first: nobody can know it who would send a second list in `series`
  const mark = Math.random();
  let [start, text] = ['', ''];
  let [items, before] = [0, 0];
  const parse = (end: string): unknown => {
    try {
      const given: unknown = JSON.parse(start + text + end);
      const list = partOf(given).list as unknown[];
      if (end !== '') list.pop();
      if (start !== '' && list.shift() !== mark) throw new SyntaxError('series occurs twice');
      items += list.length;
      return given;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (start === '') throw notJson(reason);
      // a position in this piece; its line is not known
      const placed = reason.replace(/(?<= at position ).+$/, (at) => `${before - start.length + parseInt(at)}`);
      throw notJson(`${placed}, after series.${items - 1}`);
    }
  };
  for (const block of blocks) {
    let from = 0;
    for (const to of measure.walk(block)) {
      text += decode(block.subarray(from, to));
      // a comma that separates nothing still is no JSON
      yield parse(',0]}');
      before += text.length;
      [start, text] = [`{"series":[${mark}`, ''];
      from = to;
    }
    text += decode(block.subarray(from));
  }
  text += decode();
  yield parse('');
}

export const MAX_DEPTH = 64;

const [QUOTE, BACKSLASH, COLON, COMMA, OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = new TextEncoder().encode(
  '"\\:,[]{}',
);

/** What an array or object, any value, and the shape of objects with a name of its own take in memory, in bytes. */
const WEIGHT = { container: 40, value: 12, name: 320 };
/** A body may take so many times its bytes, as a list of one digit each, which takes most of all series, and so many more. */
const MAX_GROWTH = { times: 6, bytes: MEGABYTE };

/** Of hashes: nobody can know it who would send names of one hash. */
const FACTOR = crypto.getRandomValues(new Uint32Array(1))[0] | 1;
const hashed = (hash: number, byte: number): number => Math.imul(hash ^ byte, FACTOR);
const SERIES = new TextEncoder().encode('series"').reduce(hashed, 0);

/** Walks over the bytes of a body before it is parsed: one that is small to send may be large to hold, or deep. */
class Measure {
  readonly #what: string;
  readonly #piece: number;
  #bytes = 0;
  /** Of the last piece. */
  #end = 0;
  #weight = 0;
  #depth = 0;
  #isText = false;
  #isEscaped = false;
  #isSeries = false;
  #length = 0;
  readonly #names = new Set<number>();
  #hash = 0;

  constructor(what: string, piece: number) {
    this.#what = what;
    this.#piece = piece;
  }

  /** @returns where pieces end: at commas between two of `series` */
  walk(bytes: Uint8Array): readonly number[] {
    const ends: number[] = [];
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at];
      if (this.#isText) this.#inText(byte);
      else if (byte === QUOTE) [this.#isText, this.#length, this.#hash] = [true, 0, 0];
      else if (byte === COLON) this.#addName();
      else if (byte === COMMA) {
        if (this.#depth === 1) this.#isSeries = false;
        else if (this.#depth === 2 && this.#isSeries && this.#bytes + at - this.#end >= this.#piece) {
          ends.push(at);
          this.#end = this.#bytes + at;
        }
        this.#weight += WEIGHT.value;
      } else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
        this.#weight += WEIGHT.container;
        if (this.#depth === 1 && byte === OPEN_OBJECT) this.#isSeries = false;
        if (++this.#depth > MAX_DEPTH)
          throw RequestError.field(['body'], failure('body_too_deep', this.#what, MAX_DEPTH));
      } else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) this.#depth--;
    }
    this.#bytes += bytes.length;
    if (this.#weight > MAX_GROWTH.times * this.#bytes + MAX_GROWTH.bytes) throw tooLarge(this.#what);
    return ends;
  }

  #addName(): void {
    if (this.#depth === 1) this.#isSeries = this.#hash === SERIES;
    if (this.#names.has(this.#hash)) return;
    this.#names.add(this.#hash);
    this.#weight += WEIGHT.name;
  }

  #inText(byte: number): void {
    if (++this.#length > MEGABYTE) throw tooLarge(this.#what);
    this.#hash = hashed(this.#hash, byte);
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === BACKSLASH) this.#isEscaped = true;
    else if (byte === QUOTE) this.#isText = false;
  }
}

const tooLarge = (what: string) => new RequestError(413, failure('besides_too_large', what, 1));

/** @param value what JSON can be @param from number of the first of a list. @throws RequestError 422 for the first text that not every database can store */
export function checkTexts(value: unknown, loc: Loc, from = 0): void {
  const unfit = findUnfit(value);
  if (unfit) throw RequestError.field([...loc, ...placedFrom(from, unfit.path)], failure(unfit.code));
}

function findUnfit(value: unknown): { readonly path: Loc; readonly code: FailureCode } | undefined {
  if (typeof value === 'string') {
    if (value.includes('\0')) return { path: [], code: 'text_with_nul' };
    return value.isWellFormed() ? undefined : { path: [], code: 'text_with_half_character' };
  }
  if (typeof value !== 'object' || value === null) return undefined;
  for (const key in value) {
    const found = findUnfit(key) ?? findUnfit((value as Record<string, unknown>)[key]);
    if (found) return { ...found, path: [Array.isArray(value) ? Number(key) : key, ...found.path] };
  }
  return undefined;
}

export interface Lines {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly firstLine: number;
}

/** What goes to a thread at once: small enough that threads end at about the same time, large enough to cost little. */
const PART = { most: 32, bytes: 256 * 1024 };
/** A series of a million points has about half of this. */
const LONGEST_LINE = 64 * 1024 * 1024;
export const TOO_LONG = failure('line_too_long', LONGEST_LINE / 1024 / 1024);

const NEWLINE = 10;

/** Cuts a stream into whole lines, some at a time. @param waits whether for so many, else no longer than for the next piece */
export async function* linesOf(
  input: AsyncIterable<Uint8Array>,
  { most = PART.most, bytes = PART.bytes, longest = LONGEST_LINE, waits = false } = {},
): AsyncGenerator<Lines | { readonly longLine: number }> {
  let whole: Uint8Array[] = [];
  let lines = 0;
  let firstLine = 1;
  let open: Uint8Array[] = [];
  let isSkipped = false;
  const close = () => {
    whole.push(...open);
    open = [];
    lines++;
  };
  function* take(): Generator<Lines> {
    if (lines > 0) yield { bytes: joined(whole), firstLine };
    firstLine += lines;
    [whole, lines] = [[], 0];
  }
  for await (const chunk of input) {
    for (let from = 0; from < chunk.length;) {
      const end = chunk.indexOf(NEWLINE, from);
      const piece = chunk.subarray(from, end < 0 ? chunk.length : end + 1);
      from += piece.length;
      if (!isSkipped && sizeOf(open) + piece.length > longest) {
        yield* take();
        yield { longLine: firstLine };
        [open, isSkipped] = [[], true];
      }
      if (!isSkipped) open.push(piece);
      if (end < 0) continue;
      if (isSkipped) firstLine++;
      else close();
      isSkipped = false;
      if (lines >= most || sizeOf(whole) >= bytes) yield* take();
    }
    if (!waits) yield* take();
  }
  if (open.length > 0) close();
  yield* take();
}

export function* eachLine({ bytes, firstLine: line }: Lines) {
  for (let from = 0; from < bytes.length; line++) {
    const end = bytes.indexOf(NEWLINE, from);
    const one = bytes.subarray(from, end < 0 ? bytes.length : end);
    if (!one.every((byte) => byte === 32 || (byte >= 9 && byte <= 13))) yield { bytes: one, line };
    from += one.length + 1;
  }
}

const sizeOf = (parts: readonly Uint8Array[]): number => parts.reduce((sum, { length }) => sum + length, 0);
