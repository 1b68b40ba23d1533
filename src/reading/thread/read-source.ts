import { createReadStream } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { isBinary, WORKBOOK } from '../binary/binary-files.ts';
import { SeriesReader } from '../read.ts';
import type { ReadOptions, SeriesDocument } from '../types.ts';

/** A file of this machine is read as a stream. */
export type SourceOfDocument = { readonly path: string } | { readonly content: string | Uint8Array };

/**
 * Reads the series of a document of any kind; what reads workbooks and Parquet files is loaded with the first of them.
 * @throws SeriesError; the system's error where the file cannot be opened
 */
export async function readSource(source: SourceOfDocument, options: ReadOptions): Promise<SeriesDocument> {
  if (isBinary(options.fileName)) return readBinary(source, options);
  const reader = new SeriesReader(options);
  const parts = 'path' in source ? createReadStream(source.path, { highWaterMark: 1 << 20 }) : [source.content];
  for await (const part of parts) reader.push(part as string | Uint8Array);
  return reader.finish();
}

async function readBinary(source: SourceOfDocument, options: ReadOptions): Promise<SeriesDocument> {
  if (WORKBOOK.test(options.fileName)) {
    const { readXlsx } = await import('../binary/workbook.ts');
    return readXlsx('path' in source ? await readFile(source.path) : bytesOf(source.content), options);
  }
  const { readParquet } = await import('../binary/parquet.ts');
  if (!('path' in source)) return readParquet(new Uint8Array(bytesOf(source.content)).buffer, options);
  const handle = await open(source.path);
  try {
    const { size } = await handle.stat();
    const slice = async (start: number, end = size) => {
      const first = start < 0 ? size + start : start;
      const part = new Uint8Array(Math.max(0, Math.min(end, size) - first));
      await handle.read(part, 0, part.length, first);
      return part.buffer;
    };
    return await readParquet({ byteLength: size, slice }, options);
  } finally {
    await handle.close();
  }
}

const bytesOf = (content: string | Uint8Array): Uint8Array =>
  typeof content === 'string' ? new TextEncoder().encode(content) : content;
