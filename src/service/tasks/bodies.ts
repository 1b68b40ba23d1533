/** The bodies of requests: read, checked by their schema, and their series made ready to be stored. */
import type * as z from 'zod/mini';
import { createHash } from '#platform/hash';
import { failure, type Fault, readAs } from '../../contract/failures.ts';
import { type BodyOf, operations } from '../../contract/operations.ts';
import { isObject } from '../../contract/json.ts';
import { DatasetSeries, points, SeriesLine as Line } from '../../contract/requests.ts';
import { placedFrom, RequestError } from '../errors.ts';
import type { LineFault, SeriesLine } from '../store/datasets.ts';
import { identityOf, prepared } from '../store/points.ts';
import type { NewDataset, Prepared, PreparedSeries, WithoutSeries } from '../store/points.ts';
import type { OnProgress } from './series.ts';
import { joined } from '../../platform/joined.ts';

type Loc = Fault['loc'];

export const MEGABYTE = 1024 * 1024;

export const MAX_BYTES = {
  // the largest body of each operation
  createPrediction: 128 * MEGABYTE,
  testCovariates: 128 * MEGABYTE,
  findAnomalies: 128 * MEGABYTE,
  createDataset: 128 * MEGABYTE,
  // its points are stored as they are: more of them are stored as a dataset first
  createFineTunedModel: 32 * MEGABYTE,
  predictDataset: 16 * MEGABYTE, // the names of many series that add up
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

const SLICE = 2_000; // points that are checked at a time, so that the first fault is found early

type Series = NewDataset['series'];

/** Reads a body. @throws RequestError 413; 422 with the place of the first fault */
export function readBody<N extends BodyName>(name: N, blocks: readonly Uint8Array[]): Bodies[N] {
  const series: Series[number][] = [];
  const reading = bodyOf(name, joined(blocks));
  for (let step = reading.next(); ; step = reading.next()) {
    if (step.done) return series.length > 0 ? { ...step.value, series } : step.value;
    series.push(...step.value);
  }
}

/** As {@link readBody}, in a thread; the series of a dataset come in parts before. @param blocks are emptied: they may be large */
export async function readInParts(
  { name, blocks }: { readonly name: BodyName; readonly blocks: Uint8Array<ArrayBuffer>[] },
  onProgress: OnProgress,
): Promise<Bodies[BodyName]> {
  const bytes = joined(blocks);
  blocks.length = 0;
  const reading = bodyOf(name, bytes);
  for (let step = reading.next(); ; step = reading.next()) {
    if (step.done) return step.value;
    await onProgress({ fraction: 0, series: step.value });
  }
}

/** What a body is, which depends on its name alone; the series of a dataset come before, some at a time. */
function* bodyOf<N extends BodyName>(name: N, bytes: Uint8Array): Generator<Series, Bodies[N]> {
  const { body } = operations[name];
  const opened = openJson(bytes, 'body', name === 'createDataset' ? MAX_SERIES : undefined);
  if (name === 'createDataset') return (yield* readDataset(opened, body)) as Bodies[N];
  if (name === 'createPrediction' || name === 'testCovariates' || name === 'findAnomalies') {
    const { rest, series } = readSeries(opened, body, ['body']);
    checkRest({ ...(rest as object), series: [] });
    return { ...(rest as object), ...(series && { series }) } as Bodies[N];
  }
  const given = wholeOf(opened);
  if (opened.isSuspect) checkTexts(given, ['body']);
  if (name === 'createFineTunedModel' && isObject(given))
    checkRest({ ...given, input_config: { ...(given.input_config as object), series: [] } });
  return checked(body, given, ['body']) as Bodies[N];
}

export type ReadLines = ReturnType<typeof readLines>;

export function* readEach<T>(part: Lines, read: (line: Opened) => T) {
  for (const { line, bytes } of eachLine(part)) {
    let id: unknown;
    try {
      const opened = openJson(bytes, 'line');
      if (isObject(opened.rest)) ({ id } = opened.rest);
      yield { line, id, result: read(opened) };
    } catch (error) {
      yield { line, id, error };
    }
  }
}

export function readLines(part: Lines) {
  const lines: SeriesLine[] = [];
  const faults: LineFault[] = [];
  for (const { line, id, result, error } of readEach(part, (opened) => readSeries(opened, Line, ['body']))) {
    if (result) lines.push({ line, id: result.rest.id, name: result.rest.name, series: result.series! });
    else if (!(error instanceof RequestError)) throw error;
    else {
      const short = typeof id === 'string' ? { id: id.slice(0, 200) } : {};
      faults.push({ line, ...short, error: { ...error.failure, detail: error.problem.detail } });
    }
  }
  return { lines, faults };
}

function* readDataset({ rest, parts, isSuspect }: Opened, schema: z.core.$ZodType): Generator<Series, NewDataset> {
  const hash = createHash('sha256');
  let count = 0;
  for (const { list, from } of parts) {
    yield list.map((one, index) => {
      const { rest, series } = readSeries(openedOf(one, isSuspect), DatasetSeries, ['body', 'series', from + index]);
      const identity = identityOf(series!.points);
      hash.update(JSON.stringify([rest.name ?? null, identity.length])).update(identity);
      return { name: rest.name, series: series! };
    });
    count += list.length;
  }
  if (isSuspect) checkTexts(rest, ['body']);
  const beside = count > 0 ? { ...(rest as object), series: undefined } : rest;
  const { fingerprint, ...parsed } = checked(schema, beside, ['body']) as BodyOf<'createDataset'>;
  checkRest({ ...parsed, series: [] });
  const digest = count > 0 ? hash.digest('base64url') : fingerprint && `=${fingerprint}`;
  return { ...parsed, series: [], digest };
}

/** A series that comes in parts, and what stands beside it, of which its schema sees the first point. */
function readSeries<T extends z.core.$ZodType>({ rest, parts, isSuspect }: Opened, schema: T, loc: Loc) {
  const at = [...loc, 'series'];
  let given = rest;
  const slices = function* () {
    for (const { list, from } of parts) {
      if (isSuspect) checkTexts(list, at, from);
      if (from === 0) given = { ...(rest as object), series: list.slice(0, 1) };
      for (let first = 0; first < list.length; first += SLICE)
        yield checked(points, list.slice(first, first + SLICE), at, from + first);
    }
  };
  const series = prepared(slices(), at);
  if (isSuspect) checkTexts(rest, loc);
  return { rest: checked(schema, given, loc), series: series.rows > 0 ? series : undefined };
}

/** What stands beside points goes from thread to thread whole, and may be stored. @throws RequestError 413 */
function checkRest(rest: object): void {
  if (JSON.stringify(rest).length > MEGABYTE) throw tooLarge('body');
}

/** What was sent, whose list in `series` is empty here, and that list, some at a time, with the number of the first. */
interface Opened {
  readonly rest: unknown;
  readonly parts: Iterable<{ readonly list: readonly unknown[]; readonly from: number }>;
  /** Whether an escape writes what {@link checkTexts} looks for. */
  readonly isSuspect: boolean;
}

function openedOf(given: unknown, isSuspect: boolean): Opened {
  if (!isObject(given) || !Array.isArray(given.series)) return { rest: given, parts: [], isSuspect };
  const parts = given.series.length > 0 ? [{ list: given.series, from: 0 }] : [];
  return { rest: { ...given, series: [] }, parts, isSuspect };
}

export function wholeOf({ rest, parts }: Opened): unknown {
  const series = Array.from(parts, ({ list }) => list).flat();
  return series.length > 0 ? { ...(rest as object), series } : rest;
}

export function checked<T extends z.core.$ZodType>(schema: T, given: unknown, loc: Loc, from = 0): z.core.output<T> {
  const parsed = readAs(schema, given);
  if (parsed.success) return parsed.data;
  throw RequestError.invalid(loc, parsed.error, from);
}

/** Parses JSON, a long list in `series` in parts. @param most in the list @throws RequestError 413, 422 */
function openJson(bytes: Uint8Array, what: string, most = Infinity): Opened {
  const { cuts, isSuspect } = walked(bytes, what, most);
  const decode = (from: number, to?: number): string => {
    try {
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: from > 0 }).decode(bytes.subarray(from, to));
    } catch {
      throw RequestError.field(['body'], failure('body_not_utf8', what));
    }
  };
  /** @param place in the body of a position of the text, whose line is then not known; `undefined` where it is the same */
  const parse = (text: string, place: (at: number) => number | undefined, after = ''): unknown => {
    try {
      return JSON.parse(text);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const placed = (at: string) => String(place(parseInt(at)) ?? at);
      throw notJson(what, reason.replace(/(?<= at position ).+$/, placed) + after);
    }
  };
  if (cuts.length === 0)
    return openedOf(
      parse(decode(0), () => undefined),
      isSuspect,
    );
  const [first, last] = [cuts[0], cuts.at(-1)!];
  const head = decode(0, first + 1);
  const inTail = (at: number) => (at < head.length ? undefined : at + decode(first + 1, last).length);
  const rest = parse(head + decode(last), inTail);
  const isEmptied = isObject(rest) && Array.isArray(rest.series) && rest.series.length === 0;
  if (!isEmptied) throw notJson(what, 'series occurs twice');
  const parts = function* () {
    let [from, before] = [0, head.length];
    for (const [index, end] of cuts.slice(1).entries()) {
      const text = decode(cuts[index] + 1, end);
      const after = from > 0 ? `, after series.${from - 1}` : '';
      const list = parse(`[${text}]`, (at) => at + before - 1, after) as unknown[];
      if (list.length > 0) yield { list, from };
      else if (cuts.length > 2) throw notJson(what, 'a comma in series separates nothing');
      from += list.length;
      before += text.length + 1;
    }
  };
  return { rest, parts: parts(), isSuspect };
}

/** Bytes of a list that are parsed at a time; shorter JSON is parsed whole. */
const PIECE = 256 * 1024;

export const MAX_DEPTH = 64;

const [LETTER_U, QUOTE, BACKSLASH, COLON, COMMA, OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] =
  new TextEncoder().encode('u"\\:,[]{}');

/** What an array or object, any value, and the shape of objects with a name of its own take in memory, in bytes. */
const WEIGHT = { container: 40, value: 12, name: 320 };
/** A body may take so many times its bytes, as a list of one digit each, which takes most of all series, and so many more. */
const MAX_GROWTH = { times: 6, bytes: MEGABYTE };

/** Of hashes: nobody can know it who would send names of one hash. */
const FACTOR = crypto.getRandomValues(new Uint32Array(1))[0] | 1;
const hashed = (hash: number, byte: number): number => Math.imul(hash ^ byte, FACTOR);
const SERIES = new TextEncoder().encode('series"').reduce(hashed, 0);

/** @returns the code of a character that is written as \u and four digits; of others less than 0, and none of a letter */
function escapedAt(bytes: Uint8Array, at: number): number {
  if (bytes[at] !== LETTER_U) return -1 - bytes[at];
  let code = 0;
  for (const digit of bytes.subarray(at + 1, at + 5)) code = 16 * code + (digit & 15) + (digit > 0x39 ? 9 : 0);
  return code;
}

/** What is small to send may be large to hold, or deep. @returns where a list in `series` can be cut: brackets, and commas between */
function walked(bytes: Uint8Array, what: string, most: number) {
  const cuts: number[] = [];
  const limit = MAX_GROWTH.times * bytes.length + MAX_GROWTH.bytes;
  const names = new Set<number>();
  let [weight, depth, lists, items, at] = [0, 0, 0, 0, 0];
  let [isSeries, isSuspect] = [false, false];
  const readText = (): number => {
    let hash = 0;
    for (const end = at + MEGABYTE; ;) {
      const byte = bytes[++at];
      if (at > end) throw tooLarge(what);
      let code = byte;
      if (byte === BACKSLASH) {
        code = escapedAt(bytes, at + 1);
        at += code < 0 ? 1 : 5;
        isSuspect ||= code === 0 || (code >= 0xd800 && code <= 0xdfff);
      }
      hash = hashed(hash, code);
      if (byte === QUOTE || at >= bytes.length) return hash;
    }
  };
  const addName = (hash: number) => {
    if (depth === 1) isSeries = hash === SERIES;
    if (depth === 1 && isSeries && ++lists > 1) throw notJson(what, 'series occurs twice');
    if (names.has(hash)) return;
    names.add(hash);
    weight += WEIGHT.name;
    if (weight > limit) throw tooLarge(what);
  };
  const separate = () => {
    weight += WEIGHT.value;
    if (depth === 1) isSeries = false;
    else if (depth === 2 && isSeries) {
      if (++items >= most) throw new RequestError(413, failure('body_many_series', most));
      if (at - cuts.at(-1)! >= PIECE) cuts.push(at);
    }
  };
  const open = (byte: number) => {
    weight += WEIGHT.container;
    if (++depth > MAX_DEPTH) throw RequestError.field(['body'], failure('body_too_deep', what, MAX_DEPTH));
    if (depth === 2) isSeries &&= byte === OPEN_ARRAY && bytes.length > PIECE;
    if (depth === 2 && isSeries) cuts.push(at);
  };
  for (let hash = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) hash = readText();
    else if (byte === COLON) addName(hash);
    else if (byte === COMMA) separate();
    else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) open(byte);
    else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) {
      depth--;
      if (depth === 1 && isSeries) cuts.push(at);
      if (depth === 1) isSeries = false;
    }
  }
  if (isSeries && depth > 1) cuts.push(bytes.length);
  if (weight > limit) throw tooLarge(what);
  return { cuts, isSuspect };
}

const notJson = (what: string, reason: string) => RequestError.field(['body'], failure('body_not_json', what, reason));

const tooLarge = (what: string) => new RequestError(413, failure('besides_too_large', what, 1));

/** @param value what JSON can be @param from number of the first of a list. @throws RequestError 422 for the first text that not every database can store */
export function checkTexts(value: unknown, loc: Loc, from = 0): void {
  const unfit = findUnfit(value);
  if (unfit) throw RequestError.field([...loc, ...placedFrom(from, unfit)], failure('text_unfit'));
}

function findUnfit(value: unknown): Loc | undefined {
  if (typeof value === 'string') return value.includes('\0') || !value.isWellFormed() ? [] : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const key in value) {
    const found = findUnfit(key) ?? findUnfit((value as Record<string, unknown>)[key]);
    if (found) return [Array.isArray(value) ? Number(key) : key, ...found];
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
