/** Does the jobs that an engine gives to this program: run, progress, retry, fail, the same on every database. */
import { failure, type Failure } from '../../contract/failures.ts';
import { expectedOf, JobError } from '../errors.ts';
import type { Db } from '../database/tables.ts';
import { mayPass } from '../database/trouble.ts';
import type { TaskProgress } from '../tasks/series.ts';
import { CLOSING, Patience } from './patience.ts';
import { change, type Ended, isPending, pendingOfAll, progressed, whileAllPending, written } from './pending.ts';
import {
  type Engine,
  failed,
  type HeldJob,
  type JobKind,
  type Kinds,
  type Queue,
  type Room,
  type Together,
  type Turn,
} from './queue.ts';

/** How often is looked whether what a job is for is still wanted, in milliseconds. */
const LOOK = 2_000;
/** A job that takes less is never told to be IN_PROGRESS, in milliseconds. */
const BRIEF = 200;
/** Jobs of one tenant that are taken for each thread: the next one is ready when a thread is. Twice as many of all tenants. */
const TAKEN_EACH = 2;
/** So many programs may die over a job before it is given up. */
export const MOST_DEATHS = 3;

/** How long jobs may run, in seconds. */
const HOUR = 3_600;
export const MOST: Readonly<Record<Turn, number>> = { forecast: HOUR, training: 23 * HOUR, dataset: HOUR };
/** So much of that in milliseconds of each second: what takes longer is ended before it is given to another program. */
const IN_TIME = 950;

/** Which programs died over a job: those that began with it, and are seen to be gone. */
export interface Deaths {
  of(target: string): Promise<number>;
  begin(target: string): Promise<void>;
  /** Takes it back: this program lives. */
  end(target: string): Promise<void>;
}

/** Told of each end of a job, once it is written, with the seconds since it began; its share where it was one of many. */
export type OnEnded = (kind: string, outcome: 'completed' | 'failed', seconds: number) => void;

/** What a program wants to know of its jobs. */
export interface JobWatch {
  readonly ended?: OnEnded | undefined;
  /** Told of jobs that are done again, by the names of their kinds: the program that had them does not renew them. */
  readonly lost?: ((kind: string) => void) | undefined;
}

export interface RunnerOptions {
  readonly engine: Engine;
  /** All tenants. */
  readonly db: Db;
  readonly kinds: Kinds;
  readonly deaths: Deaths;
  /** That they are computed on at a time. */
  readonly threads: number;
  readonly report: (error: unknown) => void;
  readonly watch?: JobWatch | undefined;
  /** Told of ends where somebody here may wait for them. */
  readonly queue?: Queue | undefined;
}

/** One of the targets of a job. */
interface Asked extends Pick<HeldJob, 'turn' | 'tenant'> {
  readonly kind: string;
  readonly target: string;
  /** Whether a program lost it before, which may have died over it. */
  readonly isSuspect: boolean;
}

export class Runner {
  readonly #options: RunnerOptions;
  readonly #closing = new AbortController();
  readonly #patience: Patience;

  constructor(options: RunnerOptions) {
    this.#options = options;
    this.#patience = new Patience(this.#closing.signal, options.report);
  }

  start(): Promise<void> {
    const { engine, threads } = this.#options;
    const all = 2 * TAKEN_EACH * threads;
    const training = Math.max(1, threads - 1);
    const rooms: Readonly<Record<Turn, Room>> = {
      // of one tenant half; the others wait for none of it
      forecast: { most: all, ofOne: all / 2 },
      training: { most: training, ofOne: training },
      // a single forecast goes before the series of a dataset that have no thread yet, and those have one for moments each
      dataset: { most: 1, ofOne: 1 },
    };
    return engine.start(rooms, (held) => this.#do(held));
  }

  /** What is under way ends within moments, and goes back into the queue as far as it is not done. */
  close(): void {
    this.#closing.abort(CLOSING);
  }

  /** @returns the targets that are not done */
  async #do(held: HeldJob): Promise<readonly string[]> {
    const { job, turn, tenant, isLost, signal } = held;
    const { engine, db, kinds, threads, watch } = this.#options;
    const { kind, targets } = job;
    if (isLost) watch?.lost?.(kind);
    if (isLost && targets.length > 1) {
      // whether one of them ends programs is found by doing each by itself
      const wanted = await pendingOfAll(db, targets);
      const alone = [...wanted].map((target) => ({ kind, targets: [target], isSuspect: true }));
      if (alone.length > 0) await engine.add(db, { turn, tenant }, alone, Number.MAX_SAFE_INTEGER);
      return [];
    }
    const left = new Set(targets);
    const isSuspect = isLost || job.isSuspect === true;
    const { together } = kinds[kind];
    try {
      if (targets.length > 1 && together && !isSuspect) await this.#together(kind, left, signal);
      // what takes long leaves a thread to the others
      await inTurn(left.values(), turn === 'dataset' ? Math.max(1, threads - 1) : 1, async (target) => {
        await this.#one({ kind, target, turn, tenant, isSuspect }, signal);
        left.delete(target);
      });
    } catch (error) {
      if (error !== CLOSING) throw error;
    }
    return [...left];
  }

  /** Does those that can be done together. @param left loses those that are done, or that nobody wants */
  async #together(kind: string, left: Set<string>, claim: AbortSignal): Promise<void> {
    const { db, kinds, threads } = this.#options;
    const together = kinds[kind].together!;
    const wanted = await pendingOfAll(db, [...left]);
    for (const target of left) if (!wanted.has(target)) left.delete(target);
    const parts = await together.parts([...wanted]);
    // one is read and written while the others are computed
    await inTurn(parts.values(), threads + 1, async (part) => {
      const began = performance.now();
      const done = await this.#part(together, part, claim);
      const seconds = (performance.now() - began) / 1000 / done.size;
      for (const target of done) {
        left.delete(target);
        this.#ended(target, kind, 'completed', seconds);
      }
    });
  }

  /** @returns those that are done */
  async #part(together: Together, part: readonly string[], claim: AbortSignal): Promise<ReadonlySet<string>> {
    const { db } = this.#options;
    const { signal, gone, stop } = this.#watch(claim, async () => (await pendingOfAll(db, part)).size > 0);
    let done: ReadonlySet<string> = new Set();
    try {
      const { ids, write } = await together.run(part, signal);
      const store = async () => {
        done = await whileAllPending(db, ids, write);
      };
      await this.#patience.write(store, { signal });
    } catch (error) {
      if (gone.aborted) return done;
      if (signal.aborted) throw signal.reason;
      if (mayPass(error)) {
        await this.#patience.rest(signal);
        return await this.#part(together, part, claim);
      }
      // whose fault it is comes out when each is done by itself
      if (!expectedOf(error)) this.#options.report(error);
    } finally {
      stop();
    }
    return done;
  }

  /** Looks again and again whether something is still wanted. @returns what ends with the claim, or when it is not */
  #watch(claim: AbortSignal, isWanted: () => Promise<boolean>, most = Infinity) {
    const gone = new AbortController();
    const late = new AbortController();
    const limit = Number.isFinite(most)
      ? setTimeout(() => {
          late.abort(TOO_LONG);
        }, most * IN_TIME)
      : undefined;
    const look = () => {
      isWanted().then(
        (isIt) => {
          if (!isIt) gone.abort(GONE);
        },
        () => undefined, // the next look tells
      );
    };
    const timer = setInterval(look, LOOK);
    const ignore = this.#options.queue?.onLook(look);
    return {
      signal: AbortSignal.any([this.#closing.signal, claim, gone.signal, late.signal]),
      gone: gone.signal,
      stop: () => {
        clearInterval(timer);
        clearTimeout(limit);
        ignore?.();
      },
    };
  }

  async #one(asked: Asked, claim: AbortSignal): Promise<void> {
    const { db, kinds, deaths, report, queue } = this.#options;
    const { kind, target, turn, isSuspect } = asked;
    // what was added here just now is looked at no sooner than its end is written
    const task = isSuspect ? undefined : queue?.taken(target);
    if (!task && !(await isPending(db, target))) return;
    const began = performance.now();
    const end = (outcome: 'completed' | 'failed', ended?: Ended) => {
      this.#ended(target, kind, outcome, (performance.now() - began) / 1000, ended);
    };
    const fail = async (reason: Failure) => {
      if (await this.#patience.write(() => change(db, target, failed(reason)), { signal: claim })) end('failed');
    };
    if (isSuspect) {
      if ((await deaths.of(target)) >= MOST_DEATHS) {
        await fail(failure('given_up', MOST_DEATHS));
        return;
      }
      await deaths.begin(target);
      await change(db, target, QUEUED);
    }
    const { signal, gone, stop } = this.#watch(claim, () => isPending(db, target), MOST[turn]);
    const told = this.#teller(asked, kinds[kind], signal);
    try {
      const write = await kinds[kind].run(target, signal, told.events, task);
      await told.end();
      const onFull = (error: unknown) => queue?.tell(target, undefined, error);
      const ended = await this.#patience.write(() => written(db, write), { signal, onFull });
      if (ended) end('completed', ended);
    } catch (error) {
      await told.end();
      if (gone.aborted) return;
      if (signal.aborted && signal.reason !== TOO_LONG) {
        if (told.isBegun) await change(db, target, QUEUED).catch(report);
        throw signal.reason;
      }
      const expected = expectedOf(error);
      if (!expected && mayPass(error)) {
        await this.#patience.rest(signal);
        stop();
        await this.#one(asked, claim);
        return;
      }
      if (!expected) report(error);
      await fail(expected ?? failure('defect'));
    } finally {
      stop();
      // also where it lost the job as it slept: it has not died over it
      if (isSuspect) await deaths.end(target).catch(report);
    }
  }

  /** Tells of a job what is to be seen of it, one after the other. */
  #teller({ target, turn, tenant }: Asked, job: JobKind, signal: AbortSignal) {
    const { db, report } = this.#options;
    let last: Promise<unknown> = Promise.resolve();
    let late: NodeJS.Timeout | undefined;
    const state = { isBegun: false };
    // thousands of series of a dataset are only told of when they are done
    const isTold = turn !== 'dataset' || job.progress !== undefined;
    const tell = (write: () => Promise<unknown>) => {
      if (isTold) last = last.then(() => (signal.aborted ? undefined : write())).catch(report);
    };
    const begin = () => {
      clearTimeout(late);
      if (state.isBegun) return;
      state.isBegun = true;
      if (!job.progress) tell(() => change(db, target, { status: 'IN_PROGRESS', progress: null }));
    };
    return {
      get isBegun() {
        return state.isBegun;
      },
      end: () => {
        clearTimeout(late);
        return last;
      },
      events: {
        isFirst: turn === 'forecast',
        tenant,
        onStart: () => {
          late = setTimeout(begin, BRIEF);
        },
        onProgress: (progress: TaskProgress) => {
          begin();
          tell(() => (job.progress ?? progressed)(db, target, progress));
        },
      },
    };
  }

  #ended(target: string, kind: string, outcome: 'completed' | 'failed', seconds: number, ended?: Ended): void {
    this.#options.queue?.tell(target, ended);
    this.#options.watch?.ended?.(kind, outcome, seconds);
  }
}

/** Does all of these, so many at a time. @throws the first error, when what was under way has ended */
async function inTurn<T>(queue: IterableIterator<T>, atATime: number, one: (item: T) => Promise<void>): Promise<void> {
  const work = async (): Promise<void> => {
    for (const item of queue) await one(item);
  };
  const ended = await Promise.allSettled(Array.from({ length: atATime }, work));
  const failed = ended.find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
}

const GONE = new Error('Nobody wants it any more.');
const QUEUED = { status: 'QUEUED', progress: null };
const TOO_LONG = new JobError(failure('too_slow'));
