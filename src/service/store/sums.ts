import { failure } from '../../contract/failures.ts';
import type { BodyOf } from '../../contract/operations.ts';
import { type Sum, structureOf, SumsError } from '../../engine/totals/structure.ts';
import { expectedOf, RequestError } from '../errors.ts';

/**
 * The sums of a request by the places of their series.
 * @param names of the series of the dataset, in their order
 * @throws RequestError 422 with the place of the first sum that cannot be
 */
export function sumsOf(sums: NonNullable<BodyOf<'predictDataset'>['sums']>, names: readonly string[]): Sum[] {
  const places = new Map<string, number>();
  const twice = new Set<string>();
  names.forEach((name, place) => {
    if (places.has(name)) twice.add(name);
    places.set(name, place);
  });
  const placeOf = (name: string, loc: readonly (string | number)[]): number => {
    const at = ['body', 'sums', ...loc];
    const place = places.get(name);
    if (place === undefined) throw RequestError.field(at, failure('sums_no_series', name));
    if (twice.has(name)) throw RequestError.field(at, failure('sums_series_twice', name));
    return place;
  };
  const found = sums.map(({ total, parts }, i) => ({
    total: placeOf(total, [i, 'total']),
    parts: parts.map((part, k) => placeOf(part, [i, 'parts', k])),
  }));
  try {
    structureOf(names.length, found);
  } catch (error) {
    if (!(error instanceof SumsError)) throw error;
    const at = found.findIndex(({ total }) => total === error.total);
    throw RequestError.field(['body', 'sums', at], failure('sums_refused', names[error.total], expectedOf(error)!));
  }
  return found;
}
