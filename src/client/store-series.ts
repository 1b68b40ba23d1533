import * as l10n from '@vscode/l10n';
import type { LocalDataset } from '../contract/local.ts';
import type { AnswerOf } from '../contract/operations.ts';
import type { CreateDataset } from '../contract/requests.ts';
import { fitText } from '../contract/texts.ts';
import type { Capabilities } from './capabilities.ts';
import type { ServiceClient } from './client.ts';
import { isGone, ServiceError } from './errors.ts';
import { orAborted } from './pause.ts';

/** A series that can be sent, as far as it matters here. */
export interface SentSeries {
  readonly name: string;
  readonly times: ArrayLike<number>;
  readonly known?: { readonly columns: ArrayLike<unknown> } | undefined;
}

type Text = Uint8Array<ArrayBuffer>;

/** Makes what is sent of series, off this thread where it is much. */
export interface SeriesTexts<S> {
  bodyOf(fields: Readonly<Record<string, unknown>>, series: readonly S[], signal?: AbortSignal): Promise<Text>;
  /** A JSON line of each series. @param ids of the lines, where they have some */
  linesOf(series: readonly S[], ids: readonly string[] | undefined, signal?: AbortSignal): Promise<Text>;
  /** Equal for the same series alone, in ASCII. */
  fingerprintOf(series: readonly S[], signal?: AbortSignal): Promise<string>;
}

export interface DatasetToStore<S> {
  readonly name: string;
  readonly series: readonly S[];
  readonly tags?: readonly string[] | undefined;
  readonly for_job?: boolean | undefined;
}

/** What may stop the sending, and is told how it goes. */
export interface Sending {
  readonly signal: AbortSignal;
  /** So many of the series are stored. */
  readonly onStored?: ((stored: number, all: number) => void) | undefined;
  /** The service keeps a part of them after all, in a dataset of this id. */
  readonly onLeft?: ((datasetId: string) => void) | undefined;
}

export interface JobDataset {
  readonly id: string;
  /** Whether the service keeps it as an ordinary dataset: no other job uses it, and nobody else deletes it. */
  readonly isOwn: boolean;
}

/** The service takes no longer names and tags. */
export const LONGEST_NAME = 200;
const LONGEST_TAG = 100;
const nameOf = (text: string): string => fitText(text.slice(0, LONGEST_NAME));

/** What goes in one request: it is made and read in moments, and little is sent again where it was lost. */
const PART = { series: 500, points: 50_000 };
/** A longer series makes a line that may be too long. */
const LONGEST = 500_000;
/** How long a part may be without an answer, and how long is waited for a service that is busy or away, in milliseconds. */
const LATE = 120_000;
const PATIENCE = 300_000;
/** How long is waited for the deletion of what was sent in vain, in milliseconds. */
const CLEANING = 10_000;

/**
 * Stores series as a dataset: the one way to do so. They go as one document where they are few or the
 * service knows no other, else as a stream, also where a document is too large for it or for a proxy before it; either way
 * the dataset is whole, or it is deleted again.
 * @throws ServiceError; the signal's reason when aborted
 */
export async function storeSeries<S extends SentSeries>(
  client: ServiceClient,
  texts: SeriesTexts<NoInfer<S>>,
  { name, series: all, tags = [], for_job }: DatasetToStore<S>,
  sending: Sending,
): Promise<LocalDataset> {
  const short = tags.map((tag) => fitText(tag.slice(0, LONGEST_TAG)));
  const fields = { name: nameOf(name), tags: short, ...(for_job === undefined ? {} : { for_job }) };
  const series = all.map((one) => ({ ...one, name: nameOf(one.name) }));
  const { signal } = sending;
  const offers = await client.capabilities();
  const isStreamable = canStream(offers, series);
  const stream = () => new Stream({ client, texts, series, sending, offers }).send(fields);
  if (isStreamable && firstOf(series, series.length, PART.series) > 0) return stream();
  try {
    return await client.do('createDataset', { text: await texts.bodyOf(fields, series, signal), signal });
  } catch (error) {
    const isTooMuch = error instanceof ServiceError && error.status === 413;
    if (isTooMuch && isStreamable && !signal.aborted) return stream();
    throw error;
  }
}

/**
 * As {@link storeSeries}, for forecasts or a training: where the service knows the difference, it is not listed as a dataset
 * and is stored once. The tags are for a service that does not.
 */
export async function storeForJob<S extends SentSeries>(
  client: ServiceClient,
  texts: SeriesTexts<NoInfer<S>>,
  dataset: DatasetToStore<S>,
  sending: Sending,
): Promise<JobDataset> {
  const isKnown = (await client.capabilities()).takes('createDataset', 'for_job');
  const kind = isKnown ? { tags: [], for_job: true } : {};
  const made = await storeSeries(client, texts, { ...dataset, ...kind }, sending);
  return { id: made.id, isOwn: !isKnown };
}

const sizeOf = ({ times, known }: SentSeries): number => times.length * (1 + (known?.columns.length ?? 0));

/** Whether these series can go as a stream: the service announces it, and none is too long for a line. */
function canStream(offers: Capabilities, series: readonly SentSeries[]): boolean {
  const isOffered =
    offers.has('createDataset') &&
    offers.of('addSeries')?.takesLines === true &&
    !offers.required('createDataset').includes('series');
  return isOffered && series.length > 1 && series.every((one) => sizeOf(one) <= LONGEST);
}

/** A dataset that was begun before is not what it was taken for, or is there no more. */
class Unusable extends Error {}

interface Part {
  readonly from: number;
  readonly end: number;
  readonly text: Promise<Text>;
}

interface StreamParts<S> {
  readonly client: ServiceClient;
  readonly texts: SeriesTexts<S>;
  readonly series: readonly S[];
  readonly sending: Sending;
  readonly offers: Capabilities;
}

/**
 * Stores series some hundred in each request: what is lost on the way is sent again, and stored once. Where it is stopped,
 * or fails, the dataset is deleted unless others use it. What was sent of the same series before is not sent again where
 * the service knows fingerprints; a person's is stored as a job's there until it is whole, so that nobody sees a part of it.
 */
class Stream<S extends SentSeries> {
  readonly #parts: StreamParts<S>;
  readonly #ids: readonly string[] | undefined;
  #most = PART.series;
  /** How many this one stored in the dataset; who has the same fingerprint may store more. */
  #stored = 0;

  constructor(parts: StreamParts<S>) {
    this.#parts = parts;
    this.#ids = parts.offers.takes('addSeries', 'id') ? idsOf(parts.series) : undefined;
  }

  async send(fields: CreateDataset): Promise<LocalDataset> {
    const { texts, series, offers, sending } = this.#parts;
    if (!offers.takes('createDataset', 'fingerprint')) return this.#to(fields);
    const fingerprint = await texts.fingerprintOf(series, sending.signal);
    const isPersons = fields.for_job !== true && offers.takes('createDataset', 'for_job');
    for (const print of isPersons ? [fingerprint, crypto.randomUUID()] : [fingerprint]) {
      try {
        return await (isPersons ? this.#toPerson(fields, print) : this.#to({ ...fields, fingerprint: print }));
      } catch (error) {
        if (!(error instanceof Unusable)) throw error;
      }
    }
    return this.#to(fields);
  }

  /** @throws Unusable where the series are a person's already, or become another's meanwhile */
  async #toPerson(fields: CreateDataset, fingerprint: string): Promise<LocalDataset> {
    const { client, series, sending } = this.#parts;
    // without tags, so that a part that is left is tidied up like any data of jobs
    const { id, for_job } = await this.#to({ ...fields, tags: [], for_job: true, fingerprint });
    if (for_job !== true) throw new Unusable();
    sending.signal.throwIfAborted();
    const own = await client.do('createDataset', { body: { ...fields, fingerprint } });
    if (own.id === id) return { ...own, series_count: series.length };
    this.#stored = 0;
    await this.#discard(own.id, { fingerprint });
    throw new Unusable();
  }

  /** @throws Unusable where these series cannot be added to what was begun before */
  async #to(fields: CreateDataset): Promise<LocalDataset> {
    this.#stored = 0;
    const dataset = await this.#begin(fields);
    const all = this.#parts.series.length;
    const before = dataset.series_count ?? 0;
    if (before === all) return dataset;
    if (before > all) throw new Unusable();
    const isNew = before === 0;
    try {
      await this.#sendTo(dataset.id);
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
    const { client, sending } = this.#parts;
    sending.signal.throwIfAborted();
    const making = client.do('createDataset', { body: fields });
    return orAborted(making, sending.signal).catch((error: unknown) => {
      const undo = ({ id, series_count = 0 }: LocalDataset) =>
        series_count === 0 ? this.#discard(id, fields) : undefined;
      if (sending.signal.aborted) making.then(undo).catch(() => undefined);
      throw error;
    });
  }

  /** Sends the last series first: lists give the newest first, and so the series in their own order. */
  async #sendTo(id: string): Promise<void> {
    const { client, series, sending } = this.#parts;
    const { signal, onStored } = sending;
    const call = { id, signal, timeout: LATE, retryFor: PATIENCE };
    for (let part: Part | undefined = this.#part(series.length); part;) {
      const text = await part.text;
      // the text of the next part is made while this one is on its way
      const next: Part | undefined = part.from > 0 ? this.#part(part.from) : undefined;
      const count = part.end - part.from;
      try {
        const added = await client.do('addSeries', { ...call, text });
        this.#stored += added.stored;
        const fault = faultOf(added, count);
        if (fault) throw fault;
      } catch (error) {
        const isTooMuch = error instanceof ServiceError && error.status === 413 && count > 1;
        if (!isTooMuch || signal.aborted) throw error;
        this.#most = Math.ceil(count / 2);
        part = this.#part(part.end);
        continue;
      }
      onStored?.(series.length - part.from, series.length);
      part = next;
    }
  }

  #part(end: number): Part {
    const { texts, series, sending } = this.#parts;
    const from = firstOf(series, end, this.#most);
    const slice = series.slice(from, end).reverse();
    const text = texts.linesOf(slice, this.#ids?.slice(from, end).reverse(), sending.signal);
    // it is waited for in its turn, if at all
    text.catch(() => undefined);
    return { from, end, text };
  }

  /** Deletes what was sent in vain, unless others added to it or took it over; where that cannot be, it is said. */
  async #discard(id: string, { fingerprint, for_job = false }: Partial<CreateDataset>): Promise<void> {
    const { client, sending } = this.#parts;
    const signal = AbortSignal.timeout(CLEANING);
    try {
      if (fingerprint !== undefined) {
        const now = await client.do('getDataset', { id, signal });
        const isAlone = now.series_count === this.#stored && (now.for_job ?? false) === for_job;
        // what is there for jobs nobody sees, and the service deletes it by itself
        if (!isAlone && !for_job) sending.onLeft?.(id);
        if (!isAlone) return;
      }
      await client.delete('deleteDataset', id, signal);
    } catch (error) {
      if (!isGone(error)) sending.onLeft?.(id);
    }
  }
}

/** What the service did not take of so many lines. */
function faultOf(
  { stored, unchanged, refused, faults }: AnswerOf<'addSeries'>,
  sent: number,
): ServiceError | undefined {
  const { id = '', error: reason = '' } = faults[0] ?? {};
  const count = stored + unchanged;
  if (refused > 0)
    return new ServiceError('refused', l10n.t('The service refused the series {0}: {1}', id, reason), { reason });
  const sentence = () => l10n.t('The service accepted {0} of the {1} series sent to it.', count, sent);
  return count === sent ? undefined : new ServiceError('not-a-service', sentence());
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
