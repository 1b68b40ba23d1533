import type { JobWithMetadata, PgBoss, WipData } from 'pg-boss';
import { JobError, RequestError } from '../errors.ts';
import type { Turn } from '../store/jobs.ts';
import type { Db } from '../database/tables.ts';
import { mayPass } from '../database/trouble.ts';
import {
  answers,
  type BossJob,
  isPending,
  MOST,
  pendingOfAll,
  TURNS,
  whileAllPending,
  whilePending,
} from './boss-queue.ts';
import { Deaths, MOST_DEATHS } from './deaths.ts';
import { CLOSING, Patience } from './patience.ts';
import { type JobKind, TAKEN_EACH, type Together } from './queue.ts';

/** How often is looked whether what a job is for is still wanted, in milliseconds. */
const LOOK = 2_000;
/** Jobs are asked for each few seconds; who has not been answered for so many milliseconds is stuck. */
const SILENCE = 30_000;

/** Does the jobs of the queues on PostgreSQL, with the threads of this program. */
export class BossWorker {
  readonly #boss: PgBoss;
  readonly #db: Db;
  readonly #kinds: Readonly<Record<string, JobKind>>;
  readonly #threads: number;
  readonly #report: (error: unknown) => void;
  readonly #closing = new AbortController();
  readonly #patience: Patience;
  readonly #deaths: Deaths;
  readonly #onLost: ((kind: string) => void) | undefined;
  /** How many ask for jobs at a time. */
  #asking = 0;

  constructor(
    boss: PgBoss,
    db: Db,
    kinds: Readonly<Record<string, JobKind>>,
    threads: number,
    report: (error: unknown) => void,
    { name, onLost }: { readonly name: string; readonly onLost?: ((kind: string) => void) | undefined },
  ) {
    this.#boss = boss;
    this.#db = db;
    this.#kinds = kinds;
    this.#threads = threads;
    this.#report = report;
    this.#patience = new Patience(this.#closing.signal, report);
    this.#deaths = new Deaths(db, name);
    this.#onLost = onLost;
  }

  async start(): Promise<void> {
    // a single forecast goes before the series of a dataset that have no thread yet, and those have one for moments each
    const most: Readonly<Record<Turn, number>> = {
      forecast: 2 * TAKEN_EACH * this.#threads,
      dataset: 1,
      training: Math.max(1, this.#threads - 1),
    };
    for (const turn of TURNS) await this.#work(turn, most[turn]);
  }

  async #work(turn: Turn, localConcurrency: number): Promise<void> {
    this.#asking += localConcurrency;
    const options = {
      localConcurrency,
      // of one tenant; the others wait for none of it
      ...(turn === 'forecast' ? { localGroupConcurrency: localConcurrency / 2 } : {}),
      pollingIntervalSeconds: 1,
      notifyPollingIntervalSeconds: 5,
      includeMetadata: true,
    } as const;
    await this.#boss.work(turn, options, async ([job]: JobWithMetadata<BossJob>[]) => {
      await this.#do(turn, job);
      // where there was something to do there may be more: it is asked for at once. Who has none was told of each that came
      for (const { id, name, count } of this.#boss.getWipData()) {
        if (name === turn && count > 0) this.#boss.notifyWorker(id);
      }
    });
  }

  /** Whether the queue answers, and all that ask it for jobs go on. */
  async isAtWork(): Promise<boolean> {
    return (await answers(this.#boss)) && areAtWork(this.#boss.getWipData(), this.#asking, Date.now());
  }

  /** Lets go of everything within moments: what is not done goes back as a job of its own. */
  async close(): Promise<void> {
    this.#closing.abort(CLOSING);
    await this.#boss.stop({ graceful: true, timeout: 5_000 });
  }

  async #do(turn: Turn, job: JobWithMetadata<BossJob>): Promise<void> {
    const { signal, groupId, retryCount } = job;
    const { kind, targets } = job.data;
    const group = groupId ? { id: groupId } : undefined;
    if (retryCount > 0) this.#onLost?.(kind);
    if (retryCount > 0 && targets.length > 1) {
      // whether one of them ends programs is found by doing each by itself
      const wanted = await pendingOfAll(this.#db, targets);
      const alone = [...wanted].map((target) => ({ data: { kind, targets: [target], isSuspect: true }, priority: job.priority, ...(group && { group }) })); // prettier-ignore
      if (alone.length > 0) await this.#boss.insert(turn, alone);
      return;
    }
    const left = new Set(targets);
    const isSuspect = retryCount > 0 || job.data.isSuspect === true;
    const atATime = turn === 'dataset' ? this.#threads : 1;
    const { together } = this.#kinds[kind];
    try {
      if (turn === 'dataset' && together && !isSuspect) await this.#together(together, left, signal);
      await inTurn(left.values(), atATime, async (target) => {
        await this.#one({ kind, target, turn, space: groupId ?? undefined, isSuspect }, signal);
        left.delete(target);
      });
    } catch (error) {
      if (error !== CLOSING) throw error;
      const again: BossJob = { ...job.data, targets: [...left] };
      await this.#boss.send(turn, again, { priority: 1, ...(group && { group }) });
    }
  }

  /** Does those of a dataset that can be done together. @param left loses those that are done, or that nobody wants */
  async #together(together: Together, left: Set<string>, claim: AbortSignal): Promise<void> {
    const wanted = await pendingOfAll(this.#db, [...left]);
    for (const target of left) if (!wanted.has(target)) left.delete(target);
    const parts = await together.parts([...wanted]);
    // one is read and written while the others are computed
    await inTurn(parts.values(), this.#threads + 1, async (part) => {
      for (const target of await this.#part(together, part, claim)) left.delete(target);
    });
  }

  /** @returns those that are done */
  async #part(together: Together, part: readonly string[], claim: AbortSignal): Promise<ReadonlySet<string>> {
    const isWanted = async () => (await pendingOfAll(this.#db, part)).size > 0;
    const { signal, gone, stop } = this.#watch(claim, isWanted);
    let done: ReadonlySet<string> = new Set();
    try {
      const { ids, write } = await together.run(part, signal);
      const store = async () => {
        done = await whileAllPending(this.#db, ids, write);
      };
      await this.#patience.write(store, { signal });
    } catch (error) {
      if (gone.aborted) return done;
      if (signal.aborted) throw signal.reason;
      if (mayPass(error)) {
        await this.#patience.rest(signal);
        stop();
        return await this.#part(together, part, claim);
      }
      // whose fault it is comes out when each is done by itself
    } finally {
      stop();
    }
    return done;
  }

  /** Looks again and again whether something is still wanted. @returns what ends with the claim, or when it is not */
  #watch(claim: AbortSignal, isWanted: () => Promise<boolean>, most = Infinity) {
    const gone = new AbortController();
    const late = new AbortController();
    const limit = Number.isFinite(most) ? setTimeout(() => { late.abort(TOO_LONG); }, most * IN_TIME) : undefined; // prettier-ignore
    const look = setInterval(() => {
      isWanted().then(
        (isIt) => {
          if (!isIt) gone.abort(GONE);
        },
        () => undefined, // the next look tells
      );
    }, LOOK);
    const stop = () => {
      clearInterval(look);
      clearTimeout(limit);
    };
    return {
      signal: AbortSignal.any([this.#closing.signal, claim, gone.signal, late.signal]),
      gone: gone.signal,
      stop,
    };
  }

  async #one(asked: Asked, claim: AbortSignal): Promise<void> {
    const { kind, target, turn, space, isSuspect } = asked;
    if (!(await isPending(this.#db, target))) return;
    const job = this.#kinds[kind];
    if (isSuspect && (await this.#deaths.of(target)) >= MOST_DEATHS) {
      await whilePending(this.#db, target, (db) => job.fail(db, target, ENDED));
      return;
    }
    if (isSuspect) await this.#deaths.begin(target);
    const { signal, gone, stop } = this.#watch(claim, () => isPending(this.#db, target), MOST[turn]);
    const tell = (write: (db: Db) => Promise<void>) => {
      // thousands of series of a dataset are only told of when they are done
      if (turn !== 'dataset' && !signal.aborted) whilePending(this.#db, target, write).catch(this.#report);
    };
    try {
      const write = await job.run(target, signal, {
        isFirst: turn === 'forecast',
        space,
        onStart: () => {
          tell((db) => job.mark(db, target, 'IN_PROGRESS'));
        },
        onProgress: (progress) => {
          tell((db) => job.progress(db, target, progress));
        },
      });
      await this.#patience.write(() => whilePending(this.#db, target, write), { signal });
    } catch (error) {
      if (signal.aborted) {
        if (gone.aborted) return;
        if (signal.reason !== TOO_LONG) throw signal.reason;
      }
      const isExpected = error instanceof JobError || error instanceof RequestError;
      if (!isExpected && mayPass(error)) {
        await this.#patience.rest(signal);
        stop();
        await this.#one(asked, claim);
        return;
      }
      if (!isExpected) this.#report(error);
      const message = isExpected
        ? error.message
        : 'This is a defect of the service; the log of its worker has the details.';
      await this.#patience.write(() => whilePending(this.#db, target, (db) => job.fail(db, target, message)), {
        signal: claim,
      });
    } finally {
      stop();
      // also where it lost the job as it slept: it has not died over it
      if (isSuspect) await this.#deaths.end(target).catch(this.#report);
    }
  }
}

/**
 * Whether all of these have jobs, or asked for some not long ago and were answered.
 * @param all that still go on
 * @param count how many there should be
 * @param now in epoch milliseconds
 */
export const areAtWork = (all: readonly Asking[], count: number, now: number): boolean =>
  all.length >= count &&
  all.every(
    ({ state, count: jobs, createdOn, lastFetchedOn, lastErrorOn }) =>
      state === 'active' &&
      (jobs > 0 || now - (lastFetchedOn ?? createdOn) < SILENCE) &&
      (lastErrorOn ?? 0) <= (lastFetchedOn ?? createdOn),
  );

type Asking = Pick<WipData, 'state' | 'count' | 'createdOn' | 'lastFetchedOn' | 'lastErrorOn'>;

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
const ENDED = `The computation ended the program ${MOST_DEATHS} times, so it was given up.`;
const TOO_LONG = new JobError('It took longer than a job may. Choose fewer points, or a faster model.');
/** So much of the time that a job may take, in milliseconds of each second: what takes longer is ended before it is given to another. */
const IN_TIME = 950;

/** One of the targets of a job. */
interface Asked {
  readonly kind: string;
  readonly target: string;
  readonly turn: Turn;
  readonly space: string | undefined;
  /** Whether a program lost it before, which may have died over it. */
  readonly isSuspect: boolean;
}
