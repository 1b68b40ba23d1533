import type { InputConfig } from '../../contract/resources.ts';
import { RequestError } from '../errors.ts';
import type { Datasets } from './datasets.ts';
import { toNumbers } from './points.ts';

interface Missing {
  readonly place: readonly (string | number)[];
  readonly what: string;
}

/** The union of all that is selected: each stored series once, then the series given in the request itself. */
export function trainingSeries(
  datasets: Datasets,
  { series, series_ids, dataset_ids, dataset_tags }: InputConfig,
): { points: string; name: string }[] {
  const ids = new Set([...(series_ids ?? []), ...datasets.seriesOf(dataset_ids ?? [], dataset_tags ?? [])]);
  const stored = [...ids].map((id) => ({
    points: datasets.points(id).json,
    name: datasets.seriesName(id) ?? id,
  }));
  const own = series && series.length > 0 ? [{ points: JSON.stringify(series), name: 'the series sent along' }] : [];
  return [...stored, ...own];
}

/** @throws RequestError 422 where something selected is not stored, or nothing is selected */
export function checkSelection(datasets: Datasets, input: InputConfig): void {
  const loc = ['body', 'input_config'];
  const missing = missingOf(datasets, input);
  if (missing) throw RequestError.missing([...loc, ...missing.place], `There is no ${missing.what}.`);
  if (input.series) toNumbers(input.series, [...loc, 'series']);
  const selected = datasets.seriesOf(input.dataset_ids ?? [], input.dataset_tags ?? []).length;
  if (selected + (input.series_ids?.length ?? 0) + (input.series?.length ?? 0) === 0) {
    throw RequestError.field(
      loc,
      'No training series is selected. Give series, series_ids, dataset_ids or dataset_tags.',
    );
  }
}

/** The first that is selected and not stored: its place in `input_config`, and its name for the person. */
export function missingOf(
  datasets: Datasets,
  { series_ids = [], dataset_ids = [], dataset_tags = [] }: InputConfig,
): Missing | undefined {
  const first = (field: string, values: readonly string[], isThere: (value: string) => boolean, what: string) => {
    const index = values.findIndex((value) => !isThere(value));
    return index < 0 ? undefined : { place: [field, index], what: `${what} “${values[index]}”` };
  };
  return (
    first('series_ids', series_ids, (id) => datasets.hasSeries(id), 'series') ??
    first('dataset_ids', dataset_ids, (id) => datasets.has(id), 'dataset') ??
    first('dataset_tags', dataset_tags, (tag) => datasets.hasTag(tag), 'dataset with the tag')
  );
}
