import { sizeOf } from '#platform/files';
import { type Script, Worker } from '#platform/threads';
import { unref } from '#platform/turn';
import { Calls } from '../../platform/calls.ts';
import { joined } from '../../platform/joined.ts';
import { orAborted } from '../../platform/pause.ts';
import type { HolidayPlace, NamedDay } from '../holidays/library.ts';
import { said } from '../phrase.ts';
import { type DocumentFormat, type ReadOptions, SeriesError, type SeriesDocument } from '../types.ts';
import { fingerprintOf, type SendableSeries } from '../points.ts';
import { frameOf, layoutOf, piecesOf, type WritableSeries } from '../writing/write.ts';
import type { SourceOfDocument } from './read-source.ts';
import type { Arguments, Call, Operation, Result, Thrown, Words } from './thread.ts';

type Thread = Calls<Call, Thrown>;

const IDLE = 30_000;
const LARGE = 1_000_000;
const MOST_THREADS = 8; // as many slow documents keep others waiting
const LIMIT = 60_000;
const LIMIT_PER_BYTE = 1e-3;
const BYTES_PER_POINT = 60;
/** Memory of a thread in MB: the same for small documents, so many times the size of larger ones. */
const MEMORY = { least: 320, more: 220, times: 8, most: 4096, young: 32 };

export class ThreadReader {
  readonly #script: Script;
  readonly #words: Words | undefined;
  readonly #limit: number;
  readonly #begun = new Set<Promise<unknown>>();
  readonly #threads = new Set<Thread>();
  readonly #closing = new AbortController();
  #spare: Thread | undefined;
  #idle: NodeJS.Timeout | undefined;

  constructor(script: Script, words?: Words, limit = LIMIT) {
    this.#script = script;
    this.#words = words;
    this.#limit = limit;
  }

  async read(source: SourceOfDocument, options: ReadOptions, signal?: AbortSignal): Promise<SeriesDocument> {
    const size = 'content' in source ? source.content.length : await sizeOf(source.path);
    return this.#run('read', [source, options], { size, signal, name: options.fileName });
  }

  bodyOf(fields: Readonly<Record<string, unknown>>, series: readonly SendableSeries[], signal?: AbortSignal) {
    return this.#run('send', [fields, series.map(slim)], { size: textOf(series), signal });
  }

  linesOf(series: readonly SendableSeries[], ids?: readonly string[], signal?: AbortSignal) {
    return this.#run('sendLines', [series.map(slim), ids], { size: textOf(series), signal });
  }

  readonly fingerprintOf = fingerprintOf;

  /** A piece after the other: a text of thousands of series takes little memory beside them. */
  async write(series: readonly WritableSeries[], format: DocumentFormat, isWorkbook = false, signal?: AbortSignal) {
    if (isWorkbook) return this.#run('writeWorkbook', [series, format], { size: textOf(series), signal });
    const layout = layoutOf(series);
    const [start, between, end] = frameOf(layout, format).map((text) => new TextEncoder().encode(text));
    const parts = [start!];
    for (const piece of piecesOf(series, layout)) {
      const part = await this.#run('write', [piece, layout, format], { size: textOf(piece), signal });
      if (part.length > 0) parts.push(...(parts.length > 1 ? [between!] : []), part);
    }
    return joined([...parts, end!]);
  }

  holidays(place: string, years: readonly [first: number, last: number]): Promise<readonly NamedDay[]> {
    return this.#run('holidays', [place, years]);
  }

  places(): Promise<readonly HolidayPlace[]> {
    return this.#run('places', []);
  }

  dispose(): void {
    clearTimeout(this.#idle);
    this.#closing.abort();
    for (const thread of this.#threads) end(thread);
  }

  async #run<K extends Operation>(
    operation: K,
    args: Arguments<K>,
    { size = 0, signal, name = 'This' }: { size?: number; signal?: AbortSignal | undefined; name?: string } = {},
  ): Promise<Result<K>> {
    const ended = AbortSignal.any([this.#closing.signal, ...(signal ? [signal] : [])]);
    ended.throwIfAborted();
    const limit = Math.round(this.#limit + size * LIMIT_PER_BYTE);
    while (this.#begun.size >= MOST_THREADS)
      await orAborted(
        Promise.race(this.#begun).catch(() => 0),
        ended,
      );
    const answer = this.#answer({ operation, args, name }, memoryOf(size), { ended, limit });
    this.#begun.add(answer);
    try {
      return (await answer) as Result<K>;
    } finally {
      this.#begun.delete(answer);
    }
  }

  async #answer(call: Call, memory: number, { ended, limit }: { readonly ended: AbortSignal; readonly limit: number }) {
    const isUsual = memory === MEMORY.least;
    const thread = (isUsual ? this.#spare : undefined) ?? this.#thread(memory);
    if (thread === this.#spare) this.#spare = undefined;
    const late = AbortSignal.timeout(limit);
    let isLarge = false;
    try {
      const answer = await orAborted(thread.make(call), AbortSignal.any([ended, late]));
      isLarge = call.operation === 'read' && pointsOf((answer as SeriesDocument).series) > LARGE;
      return answer;
    } catch (error) {
      if (ended.aborted) throw error;
      throw late.aborted ? tooSlow(call.name, limit) : failureOf(call.name, error as Error);
    } finally {
      const isFree = isUsual && !isLarge && !ended.aborted && !late.aborted;
      if (isFree && !this.#spare && this.#threads.has(thread)) this.#keep(thread);
      else end(thread);
    }
  }

  #thread(memory: number): Thread {
    const worker = new Worker(this.#script, {
      workerData: { words: this.#words },
      resourceLimits: { maxOldGenerationSizeMb: memory, maxYoungGenerationSizeMb: MEMORY.young },
    });
    const thread: Thread = new Calls(worker, errorOf);
    this.#threads.add(thread);
    // one that breaks down after its work is no longer used; without a listener it would take the host with it
    const forget = (reason: Error) => {
      this.#threads.delete(thread);
      if (this.#spare === thread) this.#spare = undefined;
      thread.end(reason);
    };
    worker.on('error', forget).on('exit', (code: number) => {
      forget(new Error(`its thread ended with ${code}`));
    });
    return thread;
  }

  #keep(thread: Thread): void {
    this.#spare = thread;
    clearTimeout(this.#idle);
    this.#idle = unref(
      setTimeout(() => {
        if (this.#spare) end(this.#spare);
        this.#spare = undefined;
      }, IDLE),
    );
  }
}

function end({ worker }: Thread): void {
  worker.terminate().catch((error: unknown) => worker.emit('error', error));
}

const errorOf = ({ message, refused }: Thrown): Error =>
  refused ? new SeriesError(refused.reason, refused.phrase, refused) : new Error(message);

/** Only a thread that says that its memory was full had a document that is too large; anything else is a defect. */
function failureOf(name: string, error: Error): Error {
  if (error instanceof SeriesError) return error;
  if ('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY') {
    const words = said`${name} is too large for the available memory. Choose a smaller file, or part of it.`;
    return new SeriesError('too-large', words);
  }
  return new Error(said`${name} could not be read: ${error.message}`.message, { cause: error });
}

function tooSlow(name: string, time: number): SeriesError {
  const minutes = Math.max(1, Math.round(time / 60_000));
  return new SeriesError(
    'too-slow',
    said`${name} was not read within ${minutes === 1 ? said`1 minute` : said`${minutes} minutes`}, so reading was stopped. Choose a smaller or simpler file.`,
  );
}

const memoryOf = (size: number): number =>
  Math.round(Math.min(MEMORY.most, Math.max(MEMORY.least, MEMORY.more + (MEMORY.times * size) / 1e6)));

const pointsOf = (series: readonly { readonly times: ArrayLike<number> }[]): number =>
  series.reduce((sum, { times }) => sum + times.length, 0);

const textOf = (series: readonly { readonly times: ArrayLike<number> }[]): number => pointsOf(series) * BYTES_PER_POINT;

const slim = ({ name, times, values, timeKind, timeZone, closed, known }: SendableSeries): SendableSeries => ({
  ...{ name, timeKind, timeZone, closed },
  times: copied(times),
  values: copied(values),
  known: known && {
    futureTimes: copied(known.futureTimes),
    columns: known.columns.map((column) => ({ ...column, values: copied(column.values) })),
  },
});

const copied = (part: Float64Array): Float64Array => (part.byteLength === part.buffer.byteLength ? part : part.slice());
