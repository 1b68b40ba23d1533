import { type AsyncBuffer, type ParquetReadOptions, parquetMetadataAsync, parquetRead, parquetSchema } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { said } from '../phrase.ts';
import { type ReadOptions, SeriesError, type SeriesDocument } from '../types.ts';
import { type BinaryCell, RowReader } from './rows.ts';
import { inDigits } from '../../calendar/digits.ts';

const MOST_CELLS = 50_000_000;
/** A page that unpacks to more is refused, in bytes. */
const MOST_UNPACKED = 100_000_000;
const ROWS_AT_ONCE = 50_000;

export async function readParquet(file: AsyncBuffer, options: ReadOptions): Promise<SeriesDocument> {
  const { fileName } = options;
  try {
    const metadata = await parquetMetadataAsync(file);
    const columns = parquetSchema(metadata)
      .children.filter(({ children, element }) => children.length === 0 && element.repetition_type !== 'REPEATED')
      .map(({ element }) => element.name);
    const rows = Number(metadata.num_rows);
    if (rows * columns.length > MOST_CELLS) throw tooLarge(fileName, rows);
    const reader = new RowReader(options, (line) => said`row ${line - 1}`.message);
    reader.push(columns);
    for (let rowStart = 0; rowStart < rows; rowStart += ROWS_AT_ONCE) {
      const rowEnd = Math.min(rows, rowStart + ROWS_AT_ONCE);
      await parquetRead({
        file,
        metadata,
        columns,
        rowStart,
        rowEnd,
        compressors: guarded(fileName),
        rowFormat: 'array',
        onComplete: (some) => {
          for (const row of some) reader.push(row as BinaryCell[]);
        },
      });
    }
    return reader.finish();
  } catch (error) {
    if (error instanceof SeriesError || (error instanceof Error && 'syscall' in error)) throw error;
    const why = error instanceof Error ? error.message : String(error);
    const words = said`${fileName} is not a readable Parquet file (${why}). Save it as CSV and forecast that file.`;
    throw new SeriesError('unreadable', words);
  }
}

function guarded(fileName: string): NonNullable<ParquetReadOptions['compressors']> {
  const all = Object.entries(compressors).map(([codec, unpack]) => [
    codec,
    (input: Uint8Array, size: number) => {
      if (size > MOST_UNPACKED) throw tooLarge(fileName, size);
      return unpack(input, size);
    },
  ]);
  return Object.fromEntries(all) as NonNullable<ParquetReadOptions['compressors']>;
}

const tooLarge = (fileName: string, size: number): SeriesError =>
  new SeriesError(
    'too-large',
    said`${fileName} is too large to read (${inDigits(size)}). Save some of its rows or columns, and forecast those.`,
  );
