import { sql } from 'kysely';
import type { Storage } from '../../contract/local.ts';
import type { Creations } from './creations.ts';
import type { Datasets } from './datasets.ts';
import { noteDatasets } from '../database/former-windows.ts';
import type { Home } from '../database/home.ts';
import type { Caller, Keys } from './keys.ts';
import type { Limits } from './limits.ts';
import { HOME_SPACE } from '../database/space.ts';
import type { Db } from '../database/tables.ts';
import { removeOld } from './old-predictions.ts';
import { mayPass } from '../database/trouble.ts';

const DAY = 86_400_000;
/** Between two slices of work, and between two looks whether there is any, in milliseconds. */
const SOON = 50;
const LATER = 600_000;
/** Predictions that are deleted at a time; on one connection others wait meanwhile. */
const PREDICTIONS = { alone: 100, shared: 1_000 };

export interface UpkeepOptions {
  readonly home: Home;
  readonly datasets: Datasets;
  readonly creations: Creations;
  readonly keys: Keys;
  readonly limits: Limits;
  /** Days after which predictions that ended are deleted; absent or 0: never. */
  readonly keepDays?: number | undefined;
  readonly report: (error: unknown) => void;
}

/** Deletes what is not to be kept any longer, or was stored for jobs that are gone, and gives room back to the disk, a little at a time. */
export class Upkeep {
  readonly #options: UpkeepOptions;
  #keepDays: number;
  #timer: NodeJS.Timeout | undefined;
  #working: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(options: UpkeepOptions) {
    this.#options = options;
    this.#keepDays = options.keepDays ?? 0;
    this.#again(SOON);
  }

  /** From now on predictions that ended are deleted after so many days; 0: never. */
  keepFor(days: number): void {
    this.#keepDays = days;
    if (this.#timer === undefined) return; // at work, which looks when it is done whether this has changed
    clearTimeout(this.#timer);
    this.#again(SOON);
  }

  /** How much is stored of a tenant; the bytes of all of it for who runs the service, who has the room to look after. */
  async storage({ space, scope }: Pick<Caller, 'space' | 'scope'>): Promise<Storage> {
    const { home } = this.#options;
    const isRunning = scope === 'admin' && space === HOME_SPACE;
    const db = home.in(space);
    const { n: predictions } = await db
      .selectFrom('predictions')
      .select(({ fn }) => fn.countAll<number>().as('n'))
      .where('space', '=', space)
      .executeTakeFirstOrThrow();
    const { n: datasets } = await db
      .selectFrom('datasets')
      .select(({ fn }) => fn.countAll<number>().as('n'))
      .where('complete', '=', 1)
      .where('space', '=', space)
      .executeTakeFirstOrThrow();
    const size = isRunning ? await home.size() : { bytes: await bytesOf(db, space), free_bytes: 0 };
    return { ...size, predictions, datasets, keep_days: this.#keepDays || undefined };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#working;
  }

  #again(after: number): void {
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#working = this.#turn();
    }, after);
    this.#timer.unref();
  }

  async #turn(): Promise<void> {
    const days = this.#keepDays;
    let isMore = false;
    try {
      isMore = await this.#work(days);
    } catch (error) {
      if (!mayPass(error)) this.#options.report(error);
    }
    this.#again(isMore || days !== this.#keepDays ? SOON : LATER);
  }

  /** @returns whether there is more to do */
  async #work(days: number): Promise<boolean> {
    const { home, datasets, creations, keys, limits } = this.#options;
    await noteDatasets(home);
    const most = home.isShared ? PREDICTIONS.shared : PREDICTIONS.alone;
    const deleted = days > 0 ? await removeOld(home.db, Date.now() - days * DAY, most) : 0;
    await datasets.removeLeft();
    await creations.forgetOld();
    await keys.forgetOld();
    await limits.forgetOld();
    const isRemoved = await datasets.removeUnneeded();
    const isMore = await home.tidy(deleted < most && !isRemoved);
    return isMore || deleted === most || isRemoved;
  }
}

/** Of the points of a tenant. */
async function bytesOf(db: Db, space: string): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select cast(coalesce(sum(octet_length(points)), 0) as bigint) bytes from series where space = ${space}`.execute(db);
  return rows[0].bytes;
}
