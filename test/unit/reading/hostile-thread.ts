import { parentPort, workerData } from 'node:worker_threads';
import { readSeries } from '../../../src/reading/read.ts';
import { SeriesError } from '../../../src/reading/types.ts';
import { HOSTILE } from './hostile-documents.ts';

const { size } = workerData as { size: number };

function outcomeOf(document: string | Uint8Array, fileName: string): string {
  try {
    readSeries(typeof document === 'string' ? new TextEncoder().encode(document) : document, {
      fileName,
      missing: 'report',
    });
    return 'read';
  } catch (error) {
    if (error instanceof SeriesError) return error.message.length < 500 ? 'refused' : `no sentence: ${error.message}`;
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  }
}

for (const [name, [fileName, make]] of Object.entries(HOSTILE)) {
  parentPort?.postMessage({ name });
  parentPort?.postMessage({ name, outcome: outcomeOf(make(size), fileName) });
}
