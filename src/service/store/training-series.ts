import type { InputConfig } from '../../contract/resources.ts';
import { RequestError } from '../errors.ts';
import type { Datasets } from './datasets.ts';
import { toNumbers } from './points.ts';

interface Missing {
  readonly place: readonly (string | number)[];
  readonly what: string;
}

/** The union of all that is selected: each stored series once, then the series given in the request itself. */
export async function trainingSeries(
  datasets: Datasets,
  { series, series_ids, dataset_ids, dataset_tags }: InputConfig,
): Promise<{ points: string; name: string }[]> {
  const chosen = await datasets.seriesOf(dataset_ids ?? [], dataset_tags ?? []);
  const all: { points: string; name: string }[] = [];
  for (const id of new Set([...(series_ids ?? []), ...chosen])) {
    all.push({ points: (await datasets.points(id)).json, name: (await datasets.seriesName(id)) ?? id });
  }
  if (series && series.length > 0) all.push({ points: JSON.stringify(series), name: 'the series sent along' });
  return all;
}

/** @throws RequestError 422 where something selected is not stored, or nothing is selected */
export async function checkSelection(datasets: Datasets, input: InputConfig): Promise<void> {
  const loc = ['body', 'input_config'];
  const missing = await missingOf(datasets, input);
  if (missing) throw RequestError.missing([...loc, ...missing.place], `There is no ${missing.what}.`);
  if (input.series) toNumbers(input.series, [...loc, 'series']);
  const selected = (await datasets.seriesOf(input.dataset_ids ?? [], input.dataset_tags ?? [])).length;
  if (selected + (input.series_ids?.length ?? 0) + (input.series?.length ?? 0) === 0) {
    throw RequestError.field(
      loc,
      'No training series is selected. Give series, series_ids, dataset_ids or dataset_tags.',
    );
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
    what: string,
  ) => {
    for (const [index, value] of values.entries()) {
      if (!(await isThere(value))) return { place: [field, index], what: `${what} “${value}”` };
    }
    return undefined;
  };
  return (
    (await first('series_ids', series_ids, (id) => datasets.hasSeries(id), 'series')) ??
    (await first('dataset_ids', dataset_ids, (id) => datasets.has(id), 'dataset')) ??
    (await first('dataset_tags', dataset_tags, (tag) => datasets.hasTag(tag), 'dataset with the tag'))
  );
}
