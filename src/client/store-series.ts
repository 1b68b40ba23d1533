import * as l10n from '@vscode/l10n';
import type { AnswerOf } from '../contract/operations.ts';
import type { CreateDataset } from '../contract/requests.ts';
import type { LocalDataset } from '../contract/resources.ts';
import { fitText } from '../contract/texts.ts';
import type { Capabilities } from './capabilities.ts';
import type { ServiceClient } from './client.ts';
import { isGone, ServiceError, unless } from './errors.ts';
import { orAborted } from '../platform/pause.ts';

interface SentSeries {
  readonly name: string;
  readonly times: ArrayLike<number>;
  readonly known?: { readonly columns: ArrayLike<unknown> } | undefined;
}

type Text = Uint8Array<ArrayBuffer>;

export interface SeriesTexts<S> {
  bodyOf(fields: Readonly<Record<string, unknown>>, series: readonly S[], signal?: AbortSignal): Promise<Text>;
  linesOf(series: readonly S[], ids: readonly string[] | undefined, signal?: AbortSignal): Promise<Text>;
  fingerprintOf(series: readonly S[], signal?: AbortSignal): Promise<string>;
}

export interface DatasetToStore<S> {
  readonly name: string;
  readonly series: readonly S[];
  readonly tags?: readonly string[] | undefined;
  readonly for_job?: boolean | undefined;
}

export interface Sending {
  readonly signal: AbortSignal;
  readonly onStored?: ((stored: number, all: number) => void) | undefined;
  readonly onLeft?: ((datasetId: string) => void) | undefined;
}

export const LONGEST_NAME = 200; // the service takes no longer names and tags
const LONGEST_TAG = 100;

/** The most of one request: it is written and read in moments, and little is sent again if it is lost. */
const MOST = { series: 500, points: 50_000 };
const LONGEST = 500_000;
const LIMITS = { timeout: 120_000, retryFor: 300_000, deletion: 10_000 }; // milliseconds; the deletion of a failure

/** Stores series as a dataset, in one document or as a stream. In the end the dataset is whole, or deleted. */
export async function storeSeries<S extends SentSeries>(
  client: ServiceClient,
  texts: SeriesTexts<NoInfer<S>>,
  { name, series: all, tags = [], for_job }: DatasetToStore<S>,
  sending: Sending,
): Promise<LocalDataset> {
  const cut = (text: string, most: number) => fitText(text.slice(0, most));
  const tagged = { name: cut(name, LONGEST_NAME), tags: tags.map((tag) => cut(tag, LONGEST_TAG)) };
  const fields = for_job === undefined ? tagged : { ...tagged, for_job };
  const series = all.map((one) => ({ ...one, name: cut(one.name, LONGEST_NAME) }));
  const { signal } = sending;
  const offers = await client.capabilities();
  const isOffered = offers.has('createDataset') && !offers.required('createDataset').includes('series');
  const isTaken = offers.of('addSeries')?.takesLines && series.length > 1;
  const isStreamable = isOffered && isTaken && series.every((one) => sizeOf(one) <= LONGEST);
  const stream = () => new Stream({ client, texts, series, sending, offers }).send(fields);
  if (isStreamable && startOf(series, series.length, MOST.series) > 0) return stream();
  const sent = client.do('createDataset', { body: await texts.bodyOf(fields, series, signal), signal });
  return sent.catch((error: unknown) => {
    if (isTooLarge(error) && isStreamable && !signal.aborted) return stream();
    throw error;
  });
}

/** As {@link storeSeries}, for a job: known series are stored once and not listed. The tags are for a service that lists all. */
export async function storeForJob<S extends SentSeries>(
  client: ServiceClient,
  texts: SeriesTexts<NoInfer<S>>,
  dataset: DatasetToStore<S>,
  sending: Sending,
) {
  const isKnown = (await client.capabilities()).takes('createDataset', 'for_job');
  const kind = isKnown ? { tags: [], for_job: true } : {};
  const { id } = await storeSeries(client, texts, { ...dataset, ...kind }, sending);
  return { id, isOwn: !isKnown };
}

const isTooLarge = (error: unknown): boolean => error instanceof ServiceError && error.status === 413;
const sizeOf = ({ times, known }: SentSeries): number => times.length * (1 + (known?.columns.length ?? 0));

class Unusable extends Error {}

interface StreamOptions<S> {
  readonly client: ServiceClient;
  readonly texts: SeriesTexts<S>;
  readonly series: readonly S[];
  readonly sending: Sending;
  readonly offers: Capabilities;
}

/**
 * Stores series some hundred per request: what is lost is sent again, and stored once. A dataset that is stopped or fails is
 * deleted unless others use it. A service that knows fingerprints is not sent again what it has of the same series; a
 * person's dataset is stored as a job's there until it is whole, so that nobody sees an incomplete one.
 */
class Stream<S extends SentSeries> {
  readonly #on: StreamOptions<S>;
  readonly #ids: readonly string[] | undefined;
  #most = MOST.series;
  #stored = 0; // series of the dataset that were stored from here; others with the same fingerprint may store more

  constructor(options: StreamOptions<S>) {
    this.#on = options;
    this.#ids = options.offers.takes('addSeries', 'id') ? idsOf(options.series) : undefined;
  }

  async send(fields: CreateDataset): Promise<LocalDataset> {
    const { texts, series, offers, sending } = this.#on;
    if (!offers.takes('createDataset', 'fingerprint')) return this.#to(fields);
    const print = await texts.fingerprintOf(series, sending.signal);
    const isPersons = fields.for_job !== true && offers.takes('createDataset', 'for_job');
    for (const fingerprint of isPersons ? [print, crypto.randomUUID()] : [print]) {
      const sent = isPersons ? this.#toPerson({ ...fields, fingerprint }) : this.#to({ ...fields, fingerprint });
      const stored = await sent.catch(unless((error) => error instanceof Unusable));
      if (stored) return stored;
    }
    return this.#to(fields);
  }

  async #toPerson(fields: CreateDataset): Promise<LocalDataset> {
    const { client, series, sending } = this.#on;
    const { id, for_job } = await this.#to({ ...fields, tags: [], for_job: true });
    if (for_job !== true) throw new Unusable();
    sending.signal.throwIfAborted();
    const own = await client.do('createDataset', { body: fields });
    if (own.id === id) return { ...own, series_count: series.length };
    this.#stored = 0;
    await this.#discard(own.id, fields);
    throw new Unusable();
  }

  async #to(fields: CreateDataset): Promise<LocalDataset> {
    const { client, series, sending } = this.#on;
    sending.signal.throwIfAborted();
    this.#stored = 0;
    const making = client.do('createDataset', { body: fields });
    const undo = ({ id, series_count }: LocalDataset) => (series_count ? undefined : this.#discard(id, fields));
    const dataset = await orAborted(making, sending.signal).catch((error: unknown) => {
      if (sending.signal.aborted) making.then(undo).catch(() => undefined);
      throw error;
    });
    const { series_count: before = 0 } = dataset;
    if (before > series.length) throw new Unusable();
    try {
      if (before < series.length) await this.#sendTo(dataset.id);
    } catch (error) {
      await undo(dataset);
      const isRefused = before > 0 && error instanceof ServiceError && error.kind === 'refused';
      if ((isGone(error) || isRefused) && fields.fingerprint !== undefined) throw new Unusable();
      throw error;
    }
    return { ...dataset, series_count: series.length };
  }

  /** Sends the last series first: lists give the newest first, and so the series in their own order. */
  async #sendTo(id: string): Promise<void> {
    const { client, series, sending } = this.#on;
    const { timeout, retryFor } = LIMITS;
    for (let batch = this.#batch(series.length); batch.end > 0;) {
      const body = await batch.text;
      const next = this.#batch(batch.from);
      const count = batch.end - batch.from;
      try {
        const added = await client.do('addSeries', { id, body, signal: sending.signal, timeout, retryFor });
        this.#stored += added.stored;
        throwFault(added, count);
      } catch (error) {
        if (!isTooLarge(error) || count === 1 || sending.signal.aborted) throw error;
        this.#most = Math.ceil(count / 2);
        batch = this.#batch(batch.end);
        continue;
      }
      sending.onStored?.(series.length - batch.from, series.length);
      batch = next;
    }
  }

  #batch(end: number): { readonly from: number; readonly end: number; readonly text: Promise<Text> } {
    const { texts, series, sending } = this.#on;
    const from = startOf(series, end, this.#most);
    const slice = series.slice(from, end).reverse();
    const ids = this.#ids?.slice(from, end).reverse();
    const text = end === 0 ? Promise.resolve(new Uint8Array()) : texts.linesOf(slice, ids, sending.signal);
    text.catch(() => undefined);
    return { from, end, text };
  }

  async #discard(id: string, { fingerprint, for_job = false }: Partial<CreateDataset>): Promise<void> {
    const { client, sending } = this.#on;
    const signal = AbortSignal.timeout(LIMITS.deletion);
    try {
      if (fingerprint !== undefined) {
        const now = await client.do('getDataset', { id, signal });
        const isAlone = now.series_count === this.#stored && (now.for_job ?? false) === for_job;
        // nobody sees the data of jobs, and the service deletes it by itself
        if (!isAlone && !for_job) sending.onLeft?.(id);
        if (!isAlone) return;
      }
      await client.delete('deleteDataset', id, signal);
    } catch (error) {
      if (!isGone(error)) sending.onLeft?.(id);
    }
  }
}

function throwFault({ stored, unchanged, refused, faults }: AnswerOf<'addSeries'>, sent: number): void {
  const [{ id = '', error: reason = '' } = {}] = faults;
  const count = stored + unchanged;
  const sentence = l10n.t('The service accepted {0} of the {1} series sent to it.', count, sent);
  if (refused > 0)
    throw new ServiceError('refused', l10n.t('The service refused the series {0}: {1}', id, reason), { reason });
  if (count !== sent) throw new ServiceError('not-a-service', sentence);
}

function startOf(series: readonly SentSeries[], end: number, most: number): number {
  let from = end;
  for (let points = 0; from > 0 && end - from < most; from--) {
    points += sizeOf(series[from - 1]);
    if (points > MOST.points && from < end) break;
  }
  return from;
}

function idsOf(series: readonly SentSeries[]): string[] {
  const names = series.map(({ name }) => name);
  const areDistinct = new Set(names).size === names.length && !names.includes('');
  return areDistinct ? names : names.map((_, index) => String(index + 1));
}
