/** Entry of the thread that reads documents and writes points, so that neither ever holds up the extension host. */
import { createReadStream } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import * as l10n from '@vscode/l10n';
import { writeNumbersIn } from '../../calendar/digits.ts';
import { fitText } from '../../contract/fit-text.ts';
import { said } from '../phrase.ts';
import { isBinary } from '../binary/binary-files.ts';
import { readBinary } from './read-binary.ts';
import { SeriesReader } from '../read.ts';
import { type ReadOptions, SeriesError, type SeriesDocument } from '../types.ts';
import { toPoints } from '../points.ts';
import type { Words } from './reader.ts';
import type { FromReader, SendableSeries, SourceOfDocument, ToReader } from './messages.ts';
import { writeSeries } from '../writing/write.ts';

const { words } = workerData as { readonly words?: Words };
l10n.config({ contents: words?.sentences ?? {} });
writeNumbersIn(words?.language ?? 'en');

const port = parentPort;
if (!port) throw new Error('thread.ts runs as a worker thread');

async function read(source: SourceOfDocument, options: ReadOptions): Promise<SeriesDocument> {
  if (isBinary(options.fileName)) return readBinary(source, options);
  const reader = new SeriesReader(options);
  if ('path' in source) {
    for await (const chunk of createReadStream(source.path, { highWaterMark: 1 << 20 }))
      reader.push(chunk as Uint8Array);
  } else {
    reader.push(source.content);
  }
  return reader.finish();
}

function points({ name: _, known, ...series }: SendableSeries): string {
  // names and texts as a document has them are not always what a service can store
  const columns = known?.columns.map((one) => {
    return { ...one, name: fitText(one.name), ...(one.texts ? { texts: one.texts.map(fitText) } : {}) };
  });
  return JSON.stringify(
    toPoints(
      { ...series, ...(known && columns ? { beside: { ...known, columns } } : {}) },
      columns?.map(({ name }) => name),
    ),
  );
}

const lineOf = (one: SendableSeries, id?: string): string =>
  `{${id === undefined ? '' : `"id":${JSON.stringify(id)},`}"name":${JSON.stringify(one.name ?? null)},"series":${points(one)}}`;

/** A JSON object of these fields and of `series`, which is JSON already. */
function withSeries(fields: Readonly<Record<string, unknown>>, series: string): Uint8Array<ArrayBuffer> {
  const start = JSON.stringify(fields).slice(0, -1);
  return new TextEncoder().encode(`${start}${start === '{' ? '' : ','}"series":${series}}`);
}

async function bytesOf(
  message: Extract<ToReader, { type: 'send' | 'send-lines' | 'write' }>,
): Promise<Uint8Array<ArrayBuffer>> {
  switch (message.type) {
    case 'send':
      return withSeries(message.fields, `[${message.series.map((one) => lineOf(one)).join(',')}]`);
    case 'send-lines':
      return new TextEncoder().encode(message.series.map((one, n) => `${lineOf(one, message.ids?.[n])}\n`).join(''));
    case 'write':
      if (message.isWorkbook) {
        const { writeXlsx } = await import('../binary/write-workbook.ts');
        return writeXlsx(message.series, message.format);
      }
      return new TextEncoder().encode(writeSeries(message.series, message.format));
  }
}

async function answer(message: ToReader): Promise<void> {
  try {
    if (message.type === 'holidays' || message.type === 'places') {
      const { holidaysOf, placesIn } = await import('../holidays/library.ts');
      const found: FromReader =
        message.type === 'holidays'
          ? { type: 'holidays', days: holidaysOf(message.place, ...message.years) }
          : { type: 'places', places: placesIn(message.within) };
      port?.postMessage(found);
      return;
    }
    if (message.type !== 'read') {
      const bytes = await bytesOf(message);
      port?.postMessage({ type: 'bytes', bytes } satisfies FromReader, [bytes.buffer]);
      return;
    }
    const document = await read(message.source, message.options);
    const buffers = document.series.flatMap(({ times, values }) => [times.buffer, values.buffer]);
    port?.postMessage({ type: 'read', document } satisfies FromReader, [...new Set(buffers)] as ArrayBuffer[]);
  } catch (error) {
    port?.postMessage(failure(error, message.type === 'read' ? message.options.fileName : 'The series'));
  }
}

function failure(error: unknown, fileName: string): FromReader {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof SeriesError) {
    return { type: 'refused', phrase: error.phrase, reason: error.reason, line: error.line, column: error.column };
  }
  const isOfTheSystem = error instanceof Error && 'syscall' in error;
  if (!isOfTheSystem) return { type: 'failed', message };
  const phrase = said`${fileName} cannot be read: ${message}. Check that it is there and that you may open it.`;
  return { type: 'refused', phrase, reason: 'unreadable', line: undefined, column: undefined };
}

port.on('message', (message: ToReader) => {
  answer(message).catch((error: unknown) => {
    port?.postMessage({ type: 'failed', message: String(error) } satisfies FromReader);
  });
});
