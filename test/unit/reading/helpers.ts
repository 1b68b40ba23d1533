import { isoInstant } from '../../../src/calendar/format.ts';
import { formatDuration } from '../../../src/calendar/frequency.ts';
import { readSeries } from '../../../src/reading/read.ts';
import type { LayoutChoice, ReadSeries, SeriesDocument } from '../../../src/reading/types.ts';

/** Reads text and reports problems instead of throwing at the first. */
export function read(text: string | Uint8Array, fileName = 'file.csv', layout: LayoutChoice = {}): SeriesDocument {
  return readSeries(text, { fileName, layout, missing: 'report' });
}

/** The only series of a text. */
export function only(text: string | Uint8Array, fileName = 'file.csv', layout: LayoutChoice = {}): ReadSeries {
  const { series } = read(text, fileName, layout);
  if (series.length !== 1) throw new Error(`${series.length} series: ${series.map(({ id }) => id).join(', ')}`);
  return series[0]!;
}

/** A series in one line: "id freq start..end points gaps", times without what is zero. */
export function brief(series: ReadSeries): string {
  const at = (time: number | undefined) =>
    isoInstant(time ?? NaN)
      .replace('T00:00:00Z', '')
      .replace(/:00Z$/, '');
  const frequency = series.frequency ? formatDuration(series.frequency) : '–';
  const span = series.timeKind === 'row' ? 'rows' : `${at(series.times[0])}..${at(series.times.at(-1))}`;
  return `${series.id} ${frequency} ${span} ${series.points} ${series.gaps}`;
}

/** Lines of `count` rows made by a function of the row number. */
export function lines(count: number, line: (row: number) => string, header?: string): string {
  const rows = Array.from({ length: count }, (_, row) => line(row));
  return [...(header === undefined ? [] : [header]), ...rows].join('\n') + '\n';
}

export const MONTHS_EN = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Two digits. */
export const pad = (value: number) => String(value).padStart(2, '0');
