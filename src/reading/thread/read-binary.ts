import { open, readFile } from 'node:fs/promises';
import type { AsyncBuffer } from 'hyparquet';
import type { SourceOfDocument } from './messages.ts';
import type { ReadOptions, SeriesDocument } from '../types.ts';
import { WORKBOOK } from '../binary/binary-files.ts';

/**
 * Reads the series of an Excel workbook or a Parquet file; what reads them is loaded with the first.
 * @throws SeriesError; the system's error where the file cannot be opened
 */
export async function readBinary(source: SourceOfDocument, options: ReadOptions): Promise<SeriesDocument> {
  if (WORKBOOK.test(options.fileName)) {
    const { readXlsx } = await import('../binary/workbook.ts');
    return readXlsx('path' in source ? await readFile(source.path) : bytesOf(source.content), options);
  }
  const { readParquet } = await import('../binary/parquet.ts');
  if (!('path' in source)) {
    const { buffer } = new Uint8Array(bytesOf(source.content));
    return readParquet(buffer, options);
  }
  const handle = await open(source.path);
  try {
    const { size } = await handle.stat();
    const file: AsyncBuffer = {
      byteLength: size,
      slice: async (start, end = size) => {
        const first = start < 0 ? size + start : start;
        const part = new Uint8Array(Math.max(0, Math.min(end, size) - first));
        await handle.read(part, 0, part.length, first);
        return part.buffer;
      },
    };
    return await readParquet(file, options);
  } finally {
    await handle.close();
  }
}

const bytesOf = (content: string | Uint8Array): Uint8Array =>
  typeof content === 'string' ? new TextEncoder().encode(content) : content;
