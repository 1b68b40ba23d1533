import type { Note, Source } from '../connection/memory.ts';
import { fileNameOf, type OpenedDocument } from '../files/document.ts';
import { fingerprintOf } from '../files/fingerprint.ts';
import type { ReadSeries } from '../../reading/types.ts';

/** What was done with its rows, to be kept with the forecast. */
export const remarksOf = ({ remarks }: ReadSeries): NonNullable<Note['remarks']> =>
  remarks.map(({ lines, ...rest }) => ({ ...rest, lines: lines.map(([first, last]) => [first, last]) }));

/** What is needed to write the forecast in the file's own shape. */
export const sourceOf = (
  { uri, document, isPart }: Pick<OpenedDocument, 'uri' | 'document' | 'isPart'>,
  series: ReadSeries,
): Source => ({
  fileName: fileNameOf(uri),
  uri: uri.toString(),
  format: document.format,
  id: series.id,
  valueColumn: series.valueColumn,
  timeColumn: series.timeColumn,
  idColumn: series.idColumn,
  timeKind: series.timeKind,
  timeZone: series.timeZone,
  fingerprint: fingerprintOf(series),
  isPart,
});
