import { parseTimestamp } from '../calendar/timestamp.ts';
import type { SeriesPoint } from '../contract/resources.ts';
import type { Known, KnownColumn } from './types.ts';

type Cell = number | boolean | string | null | undefined;

/** What points say besides their values, by columns. */
export function knownOf(points: readonly SeriesPoint[]): Known | undefined {
  const cells = points.map(({ metadata }) => metadata?.covariates as Readonly<Record<string, Cell>> | undefined);
  const names = new Set<string>();
  for (const each of cells) for (const name of Object.keys(each ?? {})) names.add(name);
  if (names.size === 0) return undefined;
  return {
    times: Float64Array.from(points, ({ timestamp }) => parseTimestamp(timestamp)),
    columns: [...names].map((name) =>
      columnOf(
        name,
        cells.map((each) => each?.[name]),
      ),
    ),
  };
}

function columnOf(name: string, cells: readonly Cell[]): KnownColumn {
  const known = cells.filter((cell) => cell !== null && cell !== undefined && cell !== '');
  const isNumeric = known.every((cell) => Number.isFinite(Number(cell)));
  if (!isNumeric) {
    const texts = [...new Set(known.map(String))].sort((a, b) => a.localeCompare(b));
    const places = new Map(texts.map((text, place) => [text, place]));
    return { name, kind: 'text', texts, values: Float64Array.from(cells, (cell) => places.get(String(cell)) ?? NaN) };
  }
  const values = Float64Array.from(cells, (cell) =>
    cell === null || cell === undefined || cell === '' ? NaN : Number(cell),
  );
  const isSwitch = known.length > 0 && values.every((value) => value === 0 || value === 1 || Number.isNaN(value));
  return { name, kind: isSwitch ? 'switch' : 'number', values };
}
