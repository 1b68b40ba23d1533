import type { Job, PgBoss, WipData, WorkOptions } from 'pg-boss';
import { JobError, RequestError } from '../errors.ts';
import type { Turn } from '../store/jobs.ts';
import type { Db } from '../database/tables.ts';
import { mayPass } from '../database/trouble.ts';
import {
  answers,
  type BossJob,
  GIVEN_UP,
  isPending,
  MOST_ENDS,
  pendingOfAll,
  QUEUES,
  whileAllPending,
  whilePending,
} from './boss-queue.ts';
import { CLOSING, Patience } from './patience.ts';
import type { JobKind, Together } from './queue.ts';

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
  /** How many ask for jobs at a time. */
  #asking = 0;

  constructor(
    boss: PgBoss,
    db: Db,
    kinds: Readonly<Record<string, JobKind>>,
    threads: number,
    report: (error: unknown) => void,
  ) {
    this.#boss = boss;
    this.#db = db;
    this.#kinds = kinds;
    this.#threads = threads;
    this.#report = report;
    this.#patience = new Patience(this.#closing.signal, report);
  }

  async start(): Promise<void> {
    // a single forecast goes before the series of a dataset that have no thread yet, and those have one for moments each
    const most: Readonly<Record<Turn, number>> = {
      forecast: 2 * this.#threads,
      dataset: 1,
      training: Math.max(1, this.#threads - 1),
    };
    for (const turn of Object.keys(QUEUES) as Turn[]) {
      await this.#work(QUEUES[turn], most[turn], (job, signal) => this.#do(turn, job, signal));
    }
    await this.#work(GIVEN_UP, 1, (job) => this.#giveUp(job));
  }

  async #work(
    queue: string,
    localConcurrency: number,
    handle: (job: BossJob, signal: AbortSignal) => Promise<void>,
  ): Promise<void> {
    this.#asking += localConcurrency;
    const options: WorkOptions = { localConcurrency, pollingIntervalSeconds: 1, notifyPollingIntervalSeconds: 5 };
    await this.#boss.work(queue, options, async ([{ data, signal }]: Job<BossJob>[]) => {
      await handle(data, signal);
      // where there was something to do there may be more: it is asked for at once. Who has none was told of each that came
      for (const { id, name, count } of this.#boss.getWipData()) {
        if (name === queue && count > 0) this.#boss.notifyWorker(id);
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

  async #do(turn: Turn, { kind, targets }: BossJob, signal: AbortSignal): Promise<void> {
    const left = new Set(targets);
    const atATime = turn === 'dataset' ? this.#threads : 1;
    const { together } = this.#kinds[kind];
    try {
      if (turn === 'dataset' && together) await this.#together(together, left, signal);
      await inTurn(left.values(), atATime, async (target) => {
        await this.#one(kind, target, turn, signal);
        left.delete(target);
      });
    } catch (error) {
      if (error !== CLOSING) throw error;
      const again: BossJob = { kind, targets: [...left] };
      await this.#boss.send(QUEUES[turn], again, { priority: 1 });
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
  #watch(claim: AbortSignal, isWanted: () => Promise<boolean>) {
    const gone = new AbortController();
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
    };
    return { signal: AbortSignal.any([this.#closing.signal, claim, gone.signal]), gone: gone.signal, stop };
  }

  async #one(kind: string, target: string, turn: Turn, claim: AbortSignal): Promise<void> {
    if (!(await isPending(this.#db, target))) return;
    const job = this.#kinds[kind];
    const { signal, gone, stop } = this.#watch(claim, () => isPending(this.#db, target));
    const tell = (write: (db: Db) => Promise<void>) => {
      // thousands of series of a dataset are only told of when they are done
      if (turn !== 'dataset' && !signal.aborted) whilePending(this.#db, target, write).catch(this.#report);
    };
    try {
      const write = await job.run(target, signal, {
        isFirst: turn === 'forecast',
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
        throw signal.reason;
      }
      const isExpected = error instanceof JobError || error instanceof RequestError;
      if (!isExpected && mayPass(error)) {
        await this.#patience.rest(signal);
        stop();
        await this.#one(kind, target, turn, claim);
        return;
      }
      if (!isExpected) this.#report(error);
      const message = isExpected
        ? error.message
        : 'This is a defect of the service; the log of its worker has the details.';
      await this.#patience.write(() => whilePending(this.#db, target, (db) => job.fail(db, target, message)), {
        signal,
      });
    } finally {
      stop();
    }
  }

  /** A job that programs died over. Of several series, which of them it was is found by trying each by itself. */
  async #giveUp({ kind, targets }: BossJob): Promise<void> {
    const left: string[] = [];
    for (const target of targets) if (await isPending(this.#db, target)) left.push(target);
    if (targets.length > 1) {
      const jobs = left.map((target) => ({ data: { kind, targets: [target] } }));
      if (jobs.length > 0) await this.#boss.insert(QUEUES.dataset, jobs);
      return;
    }
    for (const target of left) {
      await whilePending(this.#db, target, (db) => this.#kinds[kind].fail(db, target, ENDED));
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
const ENDED = `The computation ended the program ${MOST_ENDS} times, so it was given up.`;
