import type { LocalFineTunedModel, LocalPrediction } from '../contract/local.ts';
import type { CreateFineTunedModel, LocalCreatePrediction } from '../contract/requests.ts';
import type { SeriesPoint } from '../contract/resources.ts';
import { parseTimestamp } from '../calendar/timestamp.ts';
import { ServiceError } from './errors.ts';

/** The `Date` header, from which the service’s clock is known, has whole seconds. */
const CLOCK_TOLERANCE = 1000;

/** Looks for what is meant among what was made since a time; tells in how many it was looked for. */
type Search<T> = (
  since: number,
  isMeant: (item: T) => boolean,
) => Promise<{ readonly item: T | undefined; readonly looked?: number }>;

/**
 * Creates, and where the answer was lost finds what was made: like the request, not older than it, and not made by another
 * request of ours.
 *
 * @param taken ids of what requests have made; what this one has made is added
 * @throws ServiceError as `create`; with `outcomeUnknown` where what it made is not there (yet)
 */
export async function createOnce<T extends { readonly id: string; readonly created_at?: string | undefined }>(
  transport: { readonly clockDifference: number },
  taken: Set<string>,
  create: () => Promise<T>,
  { search, isLike }: { readonly search: Search<T>; readonly isLike: (item: T) => boolean },
): Promise<T> {
  const start = Date.now();
  try {
    const made = await create();
    taken.add(made.id);
    return made;
  } catch (error) {
    if (!(error instanceof ServiceError) || !error.outcomeUnknown) throw error;
    const earliest = start + transport.clockDifference - CLOCK_TOLERANCE;
    // another request that was lost may look for its own in the same page
    const isOurs = (item: T): boolean => {
      const isIt = !taken.has(item.id) && parseTimestamp(item.created_at ?? '') >= earliest && isLike(item);
      if (isIt) taken.add(item.id);
      return isIt;
    };
    const { item: made, looked } = await search(earliest, isOurs).catch(() => ({ item: undefined, looked: undefined }));
    if (!made) {
      throw error.with({ looked });
    }
    return made;
  }
}

/** Whether what was sent and what the service tells contradict each other; what is not told contradicts nothing. */
const isOther = (sent: unknown, told: unknown): boolean => sent != null && told !== undefined && sent !== told;

/** Whether a prediction of the list can be what this request has made whose answer was lost. */
export function isPredictionOf(request: LocalCreatePrediction, item: LocalPrediction): boolean {
  if (isOther(request.ai_model_id, item.ai_model_id) || isOther(request.name, item.name)) return false;
  if (isOther(request.prediction_length, item.prediction_length)) return false;
  if (request.series_id) return item.input_series_id === request.series_id;
  return sameSeries(request.series ?? [], item.input_series ?? []);
}

/** As {@link isPredictionOf}, for a fine-tuned model. */
export function isModelOf(
  request: CreateFineTunedModel & { readonly name?: string | undefined },
  item: LocalFineTunedModel,
): boolean {
  if (isOther(request.name, item.name) || isOther(request.base_model, item.base_model)) return false;
  if (isOther(request.config?.prediction_length, item.config?.prediction_length)) return false;
  return !SELECTIONS.some((name) => {
    const [sent, told] = [request.input_config?.[name], item.input_config?.[name]];
    return told?.length && isOther(sent?.toSorted().join('\n'), told.toSorted().join('\n'));
  });
}

const SELECTIONS = ['dataset_ids', 'dataset_tags', 'series_ids'] as const;

function sameSeries(sent: NonNullable<LocalCreatePrediction['series']>, stored: readonly SeriesPoint[]): boolean {
  return (
    sent.length > 0 &&
    sent.length === stored.length &&
    sent.every(({ timestamp, value }, index) => {
      const other = stored[index];
      return parseTimestamp(timestamp) === parseTimestamp(other.timestamp) && (value ?? undefined) === other.value;
    })
  );
}
