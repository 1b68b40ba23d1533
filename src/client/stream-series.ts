import * as l10n from '@vscode/l10n';
import type { LocalDataset } from '../contract/local.ts';
import type { CreateDataset } from '../contract/requests.ts';
import type { Capabilities } from './capabilities.ts';
import type { ServiceClient } from './client.ts';
import { isGone, ServiceError } from './errors.ts';

/** A series that can be sent, as far as it matters here. */
export interface SentSeries {
  readonly name: string;
  readonly times: ArrayLike<number>;
  /** Columns beside it. */
  readonly known?: { readonly columns: ArrayLike<unknown> } | undefined;
}

/** Makes what is sent of series, off this thread where it is much. */
export interface SeriesTexts<S> {
  /** The body of a request of these fields and of `series`. */
  bodyOf(
    fields: Readonly<Record<string, unknown>>,
    series: readonly S[],
    signal?: AbortSignal,
  ): Promise<Uint8Array<ArrayBuffer>>;
  /** A JSON line of each series. @param ids of the lines, where they have some */
  linesOf(
    series: readonly S[],
    ids: readonly string[] | undefined,
    signal?: AbortSignal,
  ): Promise<Uint8Array<ArrayBuffer>>;
  /** Equal for the same series alone, in ASCII. */
  fingerprintOf(series: readonly S[], signal?: AbortSignal): Promise<string>;
}

/** What becomes of series that are sent. */
export interface SendingEvents {
  /** So many of them are stored. */
  readonly onStored?: ((stored: number, all: number) => void) | undefined;
  /** The service keeps a part of them after all, in a dataset of this id. */
  readonly onLeft?: ((datasetId: string) => void) | undefined;
}

/** What goes in one request: it is made and read in moments, and little is sent again where it was lost. */
const PART = { series: 500, points: 50_000 };
/** A longer series makes a line that may be too long. */
const LONGEST = 500_000;
/** How long a part may be without an answer, and how long is waited for a service that is busy or away, in milliseconds. */
const LATE = 120_000;
const PATIENCE = 300_000;
/** How long is waited for the deletion of what was sent in vain, in milliseconds. */
const CLEANING = 10_000;

const sizeOf = ({ times, known }: SentSeries): number => times.length * (1 + (known?.columns.length ?? 0));

/** Whether these series can go as a stream: the service announces it, and none is too long for a line. */
export function canStream(offers: Capabilities, series: readonly SentSeries[]): boolean {
  const isOffered =
    offers.has('createDataset') &&
    offers.takesLines('addSeries') &&
    !offers.required('createDataset').includes('series');
  return isOffered && series.length > 1 && series.every((one) => sizeOf(one) <= LONGEST);
}

/** Whether they are more than one part of a stream. */
export const areMany = (series: readonly SentSeries[]): boolean => firstOf(series, series.length, PART.series) > 0;

/**
 * Stores series as a dataset, some hundred in each request: what is lost on the way is sent again, and stored once. Where it
 * is stopped, or fails, the dataset is deleted unless others use it. What was sent of the same series before is not sent again where the service
 * knows fingerprints; a person's is stored as a job's there until it is whole, so that nobody sees a part of it.
 * @param fields of the dataset
 * @throws ServiceError; the signal's reason when aborted
 */
export async function streamSeries<S extends SentSeries>(
  client: ServiceClient,
  texts: SeriesTexts<NoInfer<S>>,
  fields: CreateDataset,
  series: readonly S[],
  signal: AbortSignal,
  events: SendingEvents,
): Promise<LocalDataset> {
  const offers = await client.capabilities();
  const knowsFingerprints = offers.takes('createDataset', 'fingerprint');
  const sending = new Sending(client, texts, series, offers.takes('addSeries', 'id'), signal, events);
  if (!knowsFingerprints) return sending.to(fields);
  const fingerprint = await texts.fingerprintOf(series, signal);
  const isHandedOver = fields.for_job !== true && offers.takes('createDataset', 'for_job');
  const ways = isHandedOver
    ? [() => sending.toPerson(fields, fingerprint), () => sending.toPerson(fields, crypto.randomUUID())]
    : [() => sending.to({ ...fields, fingerprint })];
  for (const way of ways) {
    try {
      return await way();
    } catch (error) {
      if (!(error instanceof Unusable)) throw error;
    }
  }
  return sending.to(fields);
}

/** A dataset that was begun before is not what it was taken for, or is there no more. */
class Unusable extends Error {}

interface Part {
  readonly from: number;
  readonly end: number;
  readonly text: Promise<Uint8Array<ArrayBuffer>>;
}

class Sending<S extends SentSeries> {
  readonly #client: ServiceClient;
  readonly #texts: SeriesTexts<S>;
  readonly #series: readonly S[];
  readonly #ids: readonly string[] | undefined;
  readonly #signal: AbortSignal;
  readonly #events: SendingEvents;
  #most = PART.series;
  /** How many this one stored in the dataset; who has the same fingerprint may store more. */
  #stored = 0;

  constructor(
    client: ServiceClient,
    texts: SeriesTexts<S>,
    series: readonly S[],
    withIds: boolean,
    signal: AbortSignal,
    events: SendingEvents,
  ) {
    this.#client = client;
    this.#texts = texts;
    this.#series = series;
    this.#ids = withIds ? idsOf(series) : undefined;
    this.#signal = signal;
    this.#events = events;
  }

  /** @throws Unusable where the series are a person's already, or become another's meanwhile */
  async toPerson(fields: CreateDataset, fingerprint: string): Promise<LocalDataset> {
    // without tags, so that a part that is left is tidied up like any data of jobs
    const { id, for_job } = await this.to({ ...fields, tags: [], for_job: true, fingerprint });
    if (for_job !== true) throw new Unusable();
    this.#signal.throwIfAborted();
    const own = await this.#client.createDataset({ ...fields, fingerprint });
    if (own.id === id) return { ...own, series_count: this.#series.length };
    this.#stored = 0;
    await this.#discard(own.id, { fingerprint });
    throw new Unusable();
  }

  /** @throws Unusable where these series cannot be added to what was begun before */
  async to(fields: CreateDataset): Promise<LocalDataset> {
    this.#stored = 0;
    const dataset = await this.#begin(fields);
    const all = this.#series.length;
    const before = dataset.series_count ?? 0;
    if (before === all) return dataset;
    if (before > all) throw new Unusable();
    const isNew = before === 0;
    try {
      await this.#send(dataset.id);
    } catch (error) {
      if (isNew) await this.#discard(dataset.id, fields);
      const isRefused = !isNew && error instanceof ServiceError && error.kind === 'refused';
      if ((isGone(error) || isRefused) && fields.fingerprint !== undefined) throw new Unusable();
      throw error;
    }
    return { ...dataset, series_count: all };
  }

  /** An empty dataset. Who stops meanwhile is let go, and it is deleted as soon as it is there. */
  async #begin(fields: CreateDataset): Promise<LocalDataset> {
    this.#signal.throwIfAborted();
    const making = this.#client.createDataset(fields);
    const { promise: stopped, reject } = Promise.withResolvers<never>();
    const stop = (): void => {
      reject(this.#signal.reason as Error);
    };
    this.#signal.addEventListener('abort', stop);
    try {
      return await Promise.race([making, stopped]);
    } catch (error) {
      const undo = ({ id, series_count = 0 }: LocalDataset) =>
        series_count === 0 ? this.#discard(id, fields) : undefined;
      if (this.#signal.aborted) making.then(undo).catch(() => undefined);
      throw error;
    } finally {
      this.#signal.removeEventListener('abort', stop);
    }
  }

  /** Sends the last series first: lists give the newest first, and so the series in their own order. */
  async #send(id: string): Promise<void> {
    const all = this.#series.length;
    for (let part: Part | undefined = this.#part(all); part;) {
      const text = await part.text;
      // the text of the next part is made while this one is on its way
      const next: Part | undefined = part.from > 0 ? this.#part(part.from) : undefined;
      const count = part.end - part.from;
      try {
        const { stored, unchanged, refused, faults } = await this.#client.addSeries(id, text, {
          signal: this.#signal,
          timeout: LATE,
          patience: PATIENCE,
        });
        this.#stored += stored;
        if (refused > 0) throw refusalOf(faults);
        if (stored + unchanged !== count) {
          throw new ServiceError(
            'not-a-service',
            l10n.t('The service took {0} of {1} series that were sent to it.', stored + unchanged, count),
          );
        }
      } catch (error) {
        const isTooMuch = error instanceof ServiceError && error.status === 413 && count > 1;
        if (!isTooMuch || this.#signal.aborted) throw error;
        this.#most = Math.ceil(count / 2);
        part = this.#part(part.end);
        continue;
      }
      this.#events.onStored?.(all - part.from, all);
      part = next;
    }
  }

  #part(end: number): Part {
    const from = firstOf(this.#series, end, this.#most);
    const series = this.#series.slice(from, end).reverse();
    const text = this.#texts.linesOf(series, this.#ids?.slice(from, end).reverse(), this.#signal);
    // it is waited for in its turn, if at all
    text.catch(() => undefined);
    return { from, end, text };
  }

  /** Deletes what was sent in vain, unless others added to it or took it over; where that cannot be, it is said. */
  async #discard(id: string, { fingerprint, for_job = false }: Partial<CreateDataset>): Promise<void> {
    const signal = AbortSignal.timeout(CLEANING);
    try {
      if (fingerprint !== undefined) {
        const now = await this.#client.getDataset(id, signal);
        const isAlone = now.series_count === this.#stored && (now.for_job ?? false) === for_job;
        // what is there for jobs nobody sees, and the service deletes it by itself
        if (!isAlone && !for_job) this.#events.onLeft?.(id);
        if (!isAlone) return;
      }
      await this.#client.delete('deleteDataset', id, signal);
    } catch (error) {
      if (!isGone(error)) this.#events.onLeft?.(id);
    }
  }
}

/** Where the part begins that ends here. */
function firstOf(series: readonly SentSeries[], end: number, most: number): number {
  let from = end - 1;
  let points = sizeOf(series[from]);
  while (from > 0 && end - from < most && points + sizeOf(series[from - 1]) <= PART.points) {
    points += sizeOf(series[--from]);
  }
  return from;
}

/** The names of the series where each has its own, else their places. */
function idsOf(series: readonly SentSeries[]): string[] {
  const names = series.map(({ name }) => name);
  const areDistinct = new Set(names).size === names.length && !names.includes('');
  return areDistinct ? names : names.map((_, index) => String(index + 1));
}

function refusalOf(faults: readonly { readonly id?: string | undefined; readonly error: string }[]): ServiceError {
  const { id = '', error = '' } = faults[0] ?? {};
  return new ServiceError('refused', l10n.t('The service refused the series {0}: {1}', id, error), { reason: error });
}
