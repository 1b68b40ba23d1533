import { reading, readParts, readWhole } from '#platform/files';
import { isBinary, WORKBOOK } from '../binary/binary-files.ts';
import { SeriesReader } from '../read.ts';
import type { ReadOptions, SeriesDocument } from '../types.ts';

export type SourceOfDocument = { readonly path: string } | { readonly content: string | Uint8Array };

/** Reads a document of any kind; what reads workbooks and Parquet files is loaded with the first of them. */
export async function readSource(source: SourceOfDocument, options: ReadOptions): Promise<SeriesDocument> {
  if (isBinary(options.fileName)) return readBinary(source, options);
  const reader = new SeriesReader(options);
  const parts = 'path' in source ? readParts(source.path) : [source.content];
  for await (const part of parts) reader.push(part);
  return reader.finish();
}

async function readBinary(source: SourceOfDocument, options: ReadOptions): Promise<SeriesDocument> {
  if (WORKBOOK.test(options.fileName)) {
    const { readXlsx } = await import('../binary/workbook.ts');
    return readXlsx('path' in source ? await readWhole(source.path) : bytesOf(source.content), options);
  }
  const { readParquet } = await import('../binary/parquet.ts');
  return 'path' in source
    ? reading(source.path, (file) => readParquet(file, options))
    : readParquet(new Uint8Array(bytesOf(source.content)).buffer, options);
}

const bytesOf = (content: string | Uint8Array): Uint8Array =>
  typeof content === 'string' ? new TextEncoder().encode(content) : content;
