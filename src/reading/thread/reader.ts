import { sizeOf } from '#platform/files';
import { type Script, Worker } from '#platform/threads';
import { unref } from '#platform/turn';
import type { HolidayPlace, NamedDay } from '../holidays/library.ts';
import { fingerprintOf } from '../fingerprint.ts';
import { said } from '../phrase.ts';
import type { SendableSeries } from '../points.ts';
import { type DocumentFormat, type ReadOptions, SeriesError, type SeriesDocument } from '../types.ts';
import type { WritableSeries } from '../writing/write.ts';
import type { SourceOfDocument } from './read-source.ts';
import type { Answer, Arguments, Call, Operation, Result, Words } from './thread.ts';

const IDLE = 30_000;
/** After so many points a thread is not kept, nor all the memory that it took. */
const LARGE = 1_000_000;
/** Work is done one at a time; work that takes longer than this no longer keeps the next from beginning in a thread of its own. */
const QUICK = 1000;
/** At most this many threads at once. */
const MOST_THREADS = 8;
/** Reading ends with an error after a minute, and a second more for each of the document's megabytes. */
const LIMIT = 60_000;
const LIMIT_PER_BYTE = 1e-3;
const BYTES_PER_POINT = 60;
/**
 * What a thread may take, in MB: as much for any small document, and so many times the size of a larger one. What others
 * wrote may ask for any amount of it; a thread that is out of it ends alone.
 */
const MEMORY = { least: 320, more: 220, times: 8, most: 4096, young: 32 };

/** How long work may take, in milliseconds. */
export interface ReaderLimits {
  readonly quick: number;
  readonly limit: number;
}

interface Task {
  readonly call: Call;
  readonly done: PromiseWithResolvers<Answer>;
  /** About how many bytes there are to read or to write. */
  readonly size: number;
  /** Whether it has taken so long that others go on beside it. */
  slow: boolean;
}

/**
 * Reads documents, and makes text of many points, in threads, so that neither ever holds up the extension host. One thing
 * at a time, but none waits long for another: see {@link QUICK}. A thread starts with the first and ends when it has been
 * idle. Work that is cancelled, or that does not end, is ended with its thread.
 */
export class ThreadReader {
  readonly #script: Script;
  readonly #words: Words | undefined;
  readonly #limits: ReaderLimits;
  readonly #waiting: Task[] = [];
  readonly #running = new Map<Task, Worker>();
  #spare: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;

  /**
   * @param script the bundled or source form of `thread.ts`
   * @param words of the person's language; English where absent
   */
  constructor(script: Script, words?: Words, limits: ReaderLimits = { quick: QUICK, limit: LIMIT }) {
    this.#script = script;
    this.#words = words;
    this.#limits = limits;
  }

  /** As `readSeries`. @throws SeriesError; Error where the file cannot be opened; the signal's reason when aborted */
  async read(source: SourceOfDocument, options: ReadOptions, signal?: AbortSignal): Promise<SeriesDocument> {
    const size = 'content' in source ? source.content.length : await sizeOf(source.path);
    return this.#inTurn('read', [source, options], { size, signal, name: options.fileName });
  }

  /** The body of a request: these fields, and `series` with the name and the points of each. */
  bodyOf(fields: Readonly<Record<string, unknown>>, series: readonly SendableSeries[], signal?: AbortSignal) {
    return this.#inTurn('send', [fields, series.map(slim)], { size: textOf(series), signal });
  }

  /** A JSON line of each series, with its id where there are some, its name and its points. */
  linesOf(series: readonly SendableSeries[], ids?: readonly string[], signal?: AbortSignal) {
    return this.#inTurn('sendLines', [series.map(slim), ids], { size: textOf(series), signal });
  }

  /** Equal for the same points of series of the same names in the same order. */
  fingerprintOf(series: readonly SendableSeries[], signal?: AbortSignal): Promise<string> {
    return fingerprintOf(series, signal);
  }

  /** As `writeSeries`, in UTF-8; or as an Excel workbook. */
  write(series: readonly WritableSeries[], format: DocumentFormat, isWorkbook = false, signal?: AbortSignal) {
    return this.#inTurn('write', [series, format, isWorkbook], { size: textOf(series), signal });
  }

  /** As `holidaysOf`; the calendar of the world is loaded with the first question. */
  holidays(place: string, years: readonly [first: number, last: number]): Promise<readonly NamedDay[]> {
    return this.#inTurn('holidays', [place, years]);
  }

  /** As `placesIn`. */
  places(within?: string): Promise<readonly HolidayPlace[]> {
    return this.#inTurn('places', [within]);
  }

  async #inTurn<K extends Operation>(
    operation: K,
    args: Arguments<K>,
    { size = 0, signal, name = 'This' }: { size?: number; signal?: AbortSignal | undefined; name?: string } = {},
  ): Promise<Result<K>> {
    signal?.throwIfAborted();
    const task: Task = { call: { operation, args, name }, done: Promise.withResolvers(), size, slow: false };
    const onAbort = () => {
      task.done.reject(signal?.reason as Error);
    };
    signal?.addEventListener('abort', onAbort);
    this.#waiting.push(task);
    this.#begin();
    try {
      const answer = (await task.done.promise) as Answer<Result<K>>;
      if ('value' in answer) return answer.value;
      if ('failed' in answer) throw new Error(answer.failed);
      throw new SeriesError(answer.refused.reason, answer.refused.phrase, answer.refused);
    } finally {
      signal?.removeEventListener('abort', onAbort);
      const at = this.#waiting.indexOf(task);
      if (at >= 0) this.#waiting.splice(at, 1);
    }
  }

  /** Ends all threads; what they were at never ends. */
  dispose(): void {
    clearTimeout(this.#idle);
    for (const worker of this.#running.values()) end(worker);
    this.#running.clear();
    if (this.#spare) end(this.#spare);
    this.#spare = undefined;
  }

  /** Begins what waits, as far as there is room. */
  #begin(): void {
    while (this.#running.size < MOST_THREADS && [...this.#running.keys()].every(({ slow }) => slow)) {
      const task = this.#waiting.shift();
      if (!task) return;
      this.#run(task).catch(task.done.reject);
    }
  }

  async #run(task: Task): Promise<void> {
    const { call, done, size } = task;
    clearTimeout(this.#idle);
    const memory = memoryOf(size);
    const isUsual = memory === MEMORY.least;
    const worker = (isUsual ? this.#spare : undefined) ?? this.#thread(memory);
    if (worker === this.#spare) this.#spare = undefined;
    this.#running.set(task, worker);
    const onError = (error: Error) => {
      done.reject(crashOf(call.name, error));
    };
    const onExit = (code: number) => {
      onError(new Error(`its thread ended with ${code}`));
    };
    const time = this.#limits.limit + size * LIMIT_PER_BYTE;
    const timers = [
      setTimeout(() => {
        task.slow = true;
        this.#begin();
      }, this.#limits.quick),
      setTimeout(() => {
        done.reject(tooSlow(call.name, time));
      }, time),
    ];
    worker.on('message', done.resolve).on('error', onError).on('exit', onExit);
    let isKept = false;
    try {
      worker.postMessage(call);
      const answer = await done.promise;
      isKept = isUsual && !(call.operation === 'read' && 'value' in answer && isLarge(answer.value as SeriesDocument));
    } catch {
      // the caller is told
    } finally {
      timers.forEach(clearTimeout);
      worker.off('message', done.resolve).off('error', onError).off('exit', onExit);
      const isOurs = this.#running.delete(task);
      if (isKept && isOurs && !this.#spare) this.#keep(worker);
      else end(worker);
      this.#begin();
    }
  }

  #thread(memory: number): Worker {
    const worker = new Worker(this.#script, {
      workerData: { words: this.#words },
      resourceLimits: { maxOldGenerationSizeMb: memory, maxYoungGenerationSizeMb: MEMORY.young },
    });
    // one that breaks down after its work is no longer used; without a listener it would take the host with it
    const forget = () => {
      if (this.#spare === worker) this.#spare = undefined;
    };
    return worker.on('error', forget).on('exit', forget);
  }

  #keep(worker: Worker): void {
    this.#spare = worker;
    clearTimeout(this.#idle);
    this.#idle = unref(
      setTimeout(() => {
        if (this.#spare) end(this.#spare);
        this.#spare = undefined;
      }, IDLE),
    );
  }
}

/** Ends a thread; what goes wrong with its end is told to those who listen to its errors. */
function end(worker: Worker): void {
  worker.terminate().catch((error: unknown) => worker.emit('error', error));
}

/** Only a thread that says that its memory was full had a document that is too large; anything else is a defect. */
function crashOf(name: string, error: Error): Error {
  if ('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY') {
    return new SeriesError(
      'too-large',
      said`${name} is too large for the available memory. Choose a smaller file, or part of it.`,
    );
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

/** About how many bytes the text of series has. */
const textOf = (series: readonly { readonly times: ArrayLike<number> }[]): number => pointsOf(series) * BYTES_PER_POINT;

const isLarge = ({ series }: SeriesDocument): boolean => pointsOf(series) > LARGE;

/** Without what is not needed: everything that is given to the thread is copied. */
function slim({ name, times, values, timeKind, timeZone, closed, known }: SendableSeries): SendableSeries {
  const columns = known?.columns.map((column) => ({ ...column, values: copied(column.values) }));
  return {
    ...(name === undefined ? {} : { name }),
    ...(timeZone === undefined ? {} : { timeZone }),
    ...(closed === undefined ? {} : { closed }),
    ...(known && columns ? { known: { futureTimes: copied(known.futureTimes), columns } } : {}),
    times: copied(times),
    values: copied(values),
    timeKind,
  };
}

/** A part of a larger array would be copied with all of it. */
const copied = (part: Float64Array): Float64Array => (part.byteLength === part.buffer.byteLength ? part : part.slice());
