import { type AsyncBuffer, type ParquetReadOptions, parquetMetadataAsync, parquetRead, parquetSchema } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { said } from '../phrase.ts';
import { type ReadOptions, SeriesError, type SeriesDocument } from '../types.ts';
import { type BinaryRows, readRows } from './rows.ts';
import { inDigits } from '../../calendar/digits.ts';

const MOST_CELLS = 50_000_000;
/** A page that unpacks to more is refused, in bytes. */
const MOST_UNPACKED = 100_000_000;
const ROWS_AT_ONCE = 50_000;

export async function readParquet(file: AsyncBuffer, options: ReadOptions): Promise<SeriesDocument> {
  const { fileName } = options;
  try {
    return await readRows(rowsOf(file, fileName), options, (line) => said`row ${line - 1}`.message);
  } catch (error) {
    if (error instanceof SeriesError || (error instanceof Error && 'syscall' in error)) throw error;
    const why = error instanceof Error ? error.message : String(error);
    const words = said`${fileName} is not a readable Parquet file (${why}). Save it as CSV and forecast that file.`;
    throw new SeriesError('unreadable', words);
  }
}

async function* rowsOf(file: AsyncBuffer, fileName: string): AsyncGenerator<BinaryRows> {
  const metadata = await parquetMetadataAsync(file);
  const columns = parquetSchema(metadata)
    .children.filter(({ children, element }) => children.length === 0 && element.repetition_type !== 'REPEATED')
    .map(({ element }) => element.name);
  const count = Number(metadata.num_rows);
  if (count * columns.length > MOST_CELLS) throw tooLarge(fileName, count);
  yield [columns];
  for (let rowStart = 0; rowStart < count; rowStart += ROWS_AT_ONCE) {
    const rowEnd = Math.min(count, rowStart + ROWS_AT_ONCE);
    const { promise, resolve } = Promise.withResolvers<BinaryRows>();
    const onComplete = (rows: unknown) => {
      resolve(rows as BinaryRows);
    };
    const options = { file, metadata, columns, rowStart, rowEnd, compressors: guarded(fileName), onComplete };
    await parquetRead({ ...options, rowFormat: 'array' });
    yield await promise;
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
