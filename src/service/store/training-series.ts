import { failure, type Failure, type FailureCode } from '../../contract/failures.ts';
import type { InputConfig } from '../../contract/resources.ts';
import { RequestError } from '../errors.ts';
import type { Datasets } from './datasets.ts';
import { toNumbers } from './points.ts';

interface Missing {
  readonly place: readonly (string | number)[];
  /** That it is not there, and that it was deleted since. */
  readonly gone: Failure;
  readonly deleted: Failure;
}

/** The union of all that is selected: each stored series once, then the series given in the request itself. */
export async function trainingSeries(
  datasets: Datasets,
  { series, series_ids, dataset_ids, dataset_tags }: InputConfig,
): Promise<{ points: string; name: string }[]> {
  const chosen = await datasets.seriesOf(dataset_ids ?? [], dataset_tags ?? []);
  const all: { points: string; name: string }[] = [];
  for (const id of new Set([...(series_ids ?? []), ...chosen])) {
    all.push({ points: (await datasets.points(id)).stored, name: (await datasets.seriesName(id)) ?? id });
  }
  if (series && series.length > 0) all.push({ points: JSON.stringify(series), name: 'the series sent along' });
  return all;
}

/** @throws RequestError 422 where something selected is not stored, or nothing is selected */
export async function checkSelection(datasets: Datasets, input: InputConfig): Promise<void> {
  const loc = ['body', 'input_config'];
  const missing = await missingOf(datasets, input);
  if (missing) throw RequestError.field([...loc, ...missing.place], missing.gone, 404);
  if (input.series) toNumbers(input.series, [...loc, 'series']);
  const selected = (await datasets.seriesOf(input.dataset_ids ?? [], input.dataset_tags ?? [])).length;
  if (selected + (input.series_ids?.length ?? 0) + (input.series?.length ?? 0) === 0) {
    throw RequestError.field(loc, failure('no_selection'));
  }
}

/** The first that is selected and not stored: its place in `input_config`, and its name for the person. */
export async function missingOf(
  datasets: Datasets,
  { series_ids = [], dataset_ids = [], dataset_tags = [] }: InputConfig,
): Promise<Missing | undefined> {
  const first = async (
    field: string,
    values: readonly string[],
    isThere: (value: string) => Promise<boolean>,
    [gone, deleted]: readonly [FailureCode, FailureCode],
  ) => {
    for (const [index, value] of values.entries()) {
      if (!(await isThere(value)))
        return { place: [field, index], gone: failure(gone, value), deleted: failure(deleted, value) };
    }
    return undefined;
  };
  return (
    (await first('series_ids', series_ids, (id) => datasets.hasSeries(id), ['no_stored_series', 'series_deleted'])) ??
    (await first('dataset_ids', dataset_ids, (id) => datasets.has(id), ['no_dataset', 'dataset_deleted'])) ??
    (await first('dataset_tags', dataset_tags, (tag) => datasets.hasTag(tag), ['no_tag', 'tag_deleted']))
  );
}
