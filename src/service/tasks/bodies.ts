/** The bodies of requests: read, checked by their schema, and their series made ready to be stored. */
import { createHash } from '#platform/hash';
import type * as z from 'zod/mini';
import { type Failure, failure, type FailureCode, type Fault, readAs } from '../../contract/failures.ts';
import { type BodyOf, operations } from '../../contract/operations.ts';
import { DatasetSeries, points, SeriesLine as Line } from '../../contract/requests.ts';
import { RequestError } from '../errors.ts';
import type { LineFault, SeriesLine } from '../store/datasets.ts';
import {
  identityOf,
  type NewDataset,
  type Prepared,
  prepared,
  type PreparedSeries,
  slicesOf,
  type WithoutSeries,
} from '../store/points.ts';
import { eachLine, type Lines } from './lines.ts';
import type { OnProgress } from './series.ts';

type Loc = Fault['loc'];

const MEGABYTE = 1024 * 1024;

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

/** Reads a body. @throws RequestError 413; 422 with the place of the first fault */
export function readBody<N extends BodyName>(name: N, blocks: Iterable<Uint8Array>): Bodies[N] {
  const given = parse(blocks);
  checkTexts(given, ['body']);
  const { body } = operations[name];
  // what a body becomes depends on its name alone
  if (name === 'createDataset') return readDataset(given, body) as Bodies[N];
  if (name === 'createPrediction' || name === 'testCovariates' || name === 'findAnomalies') {
    const { rest, series } = readSeries(given, body, ['body']);
    checkRest({ ...(rest as object), series: [] });
    return { ...(rest as object), ...(series && { series }) } as Bodies[N];
  }
  if (name === 'createFineTunedModel' && isObject(given))
    checkRest({ ...given, input_config: { ...(given.input_config as object), series: [] } });
  return checked(body, given, ['body']) as Bodies[N];
}

/** What of a dataset goes from thread to thread at a time: a hundredth of a second. */
const MESSAGE = { series: 500, characters: 4_000_000 };

/** As {@link readBody}, in a thread; the series of a dataset come in parts before. */
export async function readInParts(
  { name, blocks }: { readonly name: BodyName; readonly blocks: Uint8Array<ArrayBuffer>[] },
  onProgress: OnProgress,
): Promise<Bodies[BodyName]> {
  const body = readBody(name, shifted(blocks));
  if (name !== 'createDataset') return body;
  const { series, ...rest } = body as NewDataset;
  const parts = slicesOf(series, MESSAGE.series, MESSAGE.characters, (one) => one.series.points.length);
  for (const some of parts) await onProgress({ fraction: 0, series: some });
  return { ...rest, series: [] };
}

function* shifted(blocks: Uint8Array[]): Generator<Uint8Array> {
  for (let block; (block = blocks.shift());) yield block;
}

export interface ReadLines {
  readonly lines: readonly SeriesLine[];
  readonly faults: readonly LineFault[];
}

/** What is made of each line that is not blank, or why nothing can be. @param read gets the line as JSON */
export function* readEach<T>(part: Lines, read: (given: unknown) => T) {
  for (const { line, bytes } of eachLine(part)) {
    let given: unknown;
    try {
      given = parse([bytes], 'line');
      yield { line, id: isObject(given) ? given.id : undefined, result: read(given) };
    } catch (error) {
      yield { line, id: isObject(given) ? given.id : undefined, error };
    }
  }
}

export function readLines(part: Lines): ReadLines {
  const lines: SeriesLine[] = [];
  const faults: LineFault[] = [];
  const read = (given: unknown) => {
    checkTexts(given, ['body']);
    return readSeries(given, Line, ['body']);
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

function readDataset(given: unknown, schema: z.core.$ZodType): NewDataset {
  const hash = createHash('sha256');
  const { rest, list } = withoutList(given);
  if (list.length > MAX_SERIES) throw new RequestError(413, failure('body_many_series', MAX_SERIES));
  const series = list.map((one, index) => {
    const { rest, series } = readSeries(one, DatasetSeries, ['body', 'series', index]);
    const identity = identityOf(series!.points);
    hash.update(JSON.stringify([rest.name ?? null, identity.length])).update(identity);
    return { name: rest.name, series: series! };
  });
  // the schema sees one series with one point
  const sample = series.length > 0 ? { ...(rest as object), series: [withoutList(list[0]).rest] } : given;
  const { fingerprint, ...parsed } = checked(schema, sample, ['body']) as BodyOf<'createDataset'>;
  checkRest({ ...parsed, series: [] });
  const digest = series.length > 0 ? hash.digest('base64url') : fingerprint && `=${fingerprint}`;
  return { ...parsed, series, digest };
}

function readSeries<T extends z.core.$ZodType>(given: unknown, schema: T, loc: Loc) {
  const { rest, list } = withoutList(given);
  const at = [...loc, 'series'];
  const parts = function* () {
    for (let from = 0; from < list.length; from += SLICE)
      yield checked(points, list.slice(from, from + SLICE), at, from);
  };
  const series = list.length > 0 ? prepared(parts(), at) : undefined;
  return { rest: checked(schema, rest, loc), series };
}

/** What stands beside points goes from thread to thread whole, and may be stored. @throws RequestError 413 */
function checkRest(rest: object): void {
  if (JSON.stringify(rest).length > MEGABYTE) throw tooLarge('body');
}

/** The list in `series`, and the object with only the first of it, so that a schema sees that there are some. */
function withoutList(given: unknown): { readonly rest: unknown; readonly list: readonly unknown[] } {
  if (!isObject(given) || !Array.isArray(given.series)) return { rest: given, list: [] };
  return { rest: { ...given, series: given.series.slice(0, 1) }, list: given.series };
}

const isObject = (given: unknown): given is Record<string, unknown> => typeof given === 'object' && given !== null;

export function checked<T extends z.core.$ZodType>(schema: T, given: unknown, loc: Loc, from = 0): z.core.output<T> {
  const parsed = readAs(schema, given);
  if (parsed.success) return parsed.data;
  throw RequestError.invalid(loc, parsed.error, from);
}

/** @param what is what it is called in a fault. @throws RequestError 413, 422 */
function parse(blocks: Iterable<Uint8Array>, what = 'body'): unknown {
  const measure = new Measure(what);
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const refused = (why: Failure) => RequestError.field(['body'], why);
  let text = '';
  try {
    for (const block of blocks) {
      measure.push(block);
      text += decoder.decode(block, { stream: true });
    }
    text += decoder.decode();
  } catch (error) {
    throw error instanceof RequestError ? error : refused(failure('body_not_utf8', what));
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw refused(failure('body_not_json', what, error instanceof Error ? error.message : String(error)));
  }
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

/** Walks over the bytes of a body before it is parsed: one that is small to send may be large to hold, or deep. */
class Measure {
  readonly #what: string;
  #bytes = 0;
  #weight = 0;
  #depth = 0;
  #isText = false;
  #isEscaped = false;
  #length = 0;
  readonly #names = new Set<number>();
  #hash = 0;

  constructor(what: string) {
    this.#what = what;
  }

  push(bytes: Uint8Array): void {
    for (const byte of bytes) {
      if (this.#isText) this.#inText(byte);
      else if (byte === QUOTE) [this.#isText, this.#length, this.#hash] = [true, 0, 0];
      else if (byte === COLON) this.#addName();
      else if (byte === COMMA) this.#weight += WEIGHT.value;
      else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
        this.#weight += WEIGHT.container;
        if (++this.#depth > MAX_DEPTH)
          throw RequestError.field(['body'], failure('body_too_deep', this.#what, MAX_DEPTH));
      } else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) this.#depth--;
    }
    this.#bytes += bytes.length;
    if (this.#weight > MAX_GROWTH.times * this.#bytes + MAX_GROWTH.bytes) throw tooLarge(this.#what);
  }

  #addName(): void {
    if (this.#names.has(this.#hash)) return;
    this.#names.add(this.#hash);
    this.#weight += WEIGHT.name;
  }

  #inText(byte: number): void {
    if (++this.#length > MEGABYTE) throw tooLarge(this.#what);
    this.#hash = Math.imul(this.#hash ^ byte, FACTOR);
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === BACKSLASH) this.#isEscaped = true;
    else if (byte === QUOTE) this.#isText = false;
  }
}

const tooLarge = (what: string) => new RequestError(413, failure('besides_too_large', what, 1));

/** @param value what JSON can be. @throws RequestError 422 for the first text that not every database can store */
export function checkTexts(value: unknown, loc: Loc): void {
  const unfit = findUnfit(value);
  if (unfit) throw RequestError.field([...loc, ...unfit.path], failure(unfit.code));
}

function findUnfit(value: unknown): { readonly path: Loc; readonly code: FailureCode } | undefined {
  if (typeof value === 'string') {
    if (value.includes('\0')) return { path: [], code: 'text_with_nul' };
    return value.isWellFormed() ? undefined : { path: [], code: 'text_with_half_character' };
  }
  if (!isObject(value)) return undefined;
  for (const key in value) {
    const found = findUnfit(key) ?? findUnfit(value[key]);
    if (found) return { ...found, path: [Array.isArray(value) ? Number(key) : key, ...found.path] };
  }
  return undefined;
}
