/** Entry of the thread that reads documents, so that a large file never holds up the extension host. */
import { createReadStream } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import { SeriesReader } from './read.ts';
import { type ReadOptions, SeriesError, type SeriesDocument } from './types.ts';
import type { FromReader, ToReader } from './thread-reader.ts';

const port = parentPort;
if (!port) throw new Error('thread.ts runs as a worker thread');

async function read(source: ToReader['source'], options: ReadOptions): Promise<SeriesDocument> {
  const reader = new SeriesReader(options);
  if ('path' in source) {
    for await (const chunk of createReadStream(source.path, { highWaterMark: 1 << 20 }))
      reader.push(chunk as Uint8Array);
  } else {
    reader.push(source.content);
  }
  return reader.finish();
}

async function answer({ source, options }: ToReader): Promise<void> {
  try {
    const document = await read(source, options);
    const message: FromReader = { type: 'read', document };
    const buffers = document.series.flatMap(({ times, values }) => [times.buffer, values.buffer]);
    port?.postMessage(message, [...new Set(buffers)] as ArrayBuffer[]);
  } catch (error) {
    port?.postMessage(failure(error, options.fileName));
  }
}

function failure(error: unknown, fileName: string): FromReader {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof SeriesError) {
    return { type: 'refused', message, reason: error.reason, line: error.line, column: error.column };
  }
  const isOfTheSystem = error instanceof Error && 'syscall' in error;
  if (!isOfTheSystem) return { type: 'failed', message };
  const sentence = `${fileName} cannot be read: ${message}. Check that it is there and that you may open it.`;
  return { type: 'refused', message: sentence, reason: 'unreadable', line: undefined, column: undefined };
}

port.on('message', (message: ToReader) => void answer(message));
